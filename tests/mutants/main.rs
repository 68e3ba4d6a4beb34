//! Every native test that judges a rule, in one binary: what mutation testing runs (docs/mutation.md). `cargo test` runs them one by one.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../form.rs"]
mod form;
#[path = "../outcome.rs"]
mod outcome;
#[path = "../phrases.rs"]
mod phrases;
#[path = "../present.rs"]
mod present;
#[path = "../redact.rs"]
mod redact;
#[path = "../scenarios.rs"]
mod scenarios;
#[path = "../text.rs"]
mod text;
#[path = "../transcript.rs"]
mod transcript;
#[path = "../value.rs"]
mod value;
