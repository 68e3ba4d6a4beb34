//! The boundary: the only part that knows JavaScript. It decodes, delegates, encodes.

mod convert;
pub mod engine;
mod files;
mod host;
mod panic;
mod row;
pub mod rules;
pub mod text;
