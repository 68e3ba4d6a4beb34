//! Fuzzing: bytes are decoded into what the rules get (or into a sequence of events of the engine), and what must hold for all of it is asserted.
//!
//! A target is a function from bytes that panics where a property does not hold. libFuzzer (`fuzz_targets/`) and the driver (`driver.rs`), which
//! needs no nightly, call the same functions. `docs/proof.md` says what is asserted.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a property that does not hold is a panic"
)]

pub mod bytes;
pub mod explore;
pub mod given;
pub mod holds;
pub mod targets;

/// A target: it panics where a property does not hold.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 10] = [
    ("decode", targets::decode::run),
    ("engine", targets::engine::run),
    ("form", targets::form::run),
    ("outcome", targets::outcome::run),
    ("present", targets::present::run),
    ("prompt", targets::prompt::run),
    ("redact", targets::redact::run),
    ("settlement", targets::settlement::run),
    ("transcript", targets::transcript::run),
    ("words", targets::words::run),
];
