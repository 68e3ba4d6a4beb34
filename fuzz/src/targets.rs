//! The targets, one for each family of rules.

pub mod decode;
pub mod engine;
pub mod form;
pub mod outcome;
pub mod present;
pub mod prompt;
pub mod redact;
pub mod settlement;
pub mod transcript;
pub mod words;
