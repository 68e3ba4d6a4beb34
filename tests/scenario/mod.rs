//! The player of scenario vectors in Rust (tests/vectors/README.md), without a boundary.

mod calls;
mod executor;
mod host;
mod play;
mod row;
mod values;
mod world;

pub use play::play;
pub use values::read;
