//! The boundary: the only part that knows JavaScript. It decodes, delegates, encodes. Without the feature `engine` it is what a reader's page asks, in a
//! binary of its own; the rules behind it are the same.

mod convert;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
mod fault;
#[cfg(feature = "engine")]
mod files;
#[cfg(feature = "engine")]
mod host;
pub mod page;
mod panic;
#[cfg(feature = "engine")]
mod row;
#[cfg(feature = "engine")]
pub mod rules;
pub mod text;
