//! The boundary: the only part that knows JavaScript. It decodes, delegates, encodes.

mod convert;
mod engine;
mod files;
mod host;
mod panic;
mod row;
mod rules;
pub mod text;
