//! The rules of an agent chat turn: what a host's storage, agent runtime and readers may rely on.
//!
//! Rules are pure functions over plain data ([`status`], [`outcome`], [`refusal`], [`form`], [`present`](mod@present), [`transcript`], [`redact`] …); the
//! [`engine`] is a thin asynchronous layer that loads, asks a rule and swaps, over a [`host::Host`]; `wasm` is the only part that knows JavaScript, and
//! never makes code of text (rule W2).
//! Rule numbers (S1, O7, …) refer to `docs/rules.md`.

pub mod conversation;
pub mod engine;
pub mod error;
pub mod flat;
pub mod form;
pub mod host;
mod lists;
pub mod outcome;
pub mod phrases;
#[cfg(not(target_arch = "wasm32"))]
pub mod plain;
pub mod present;
pub mod redact;
pub mod refusal;
pub mod reply;
pub mod run;
pub mod settings;
pub mod settlement;
pub mod status;
pub mod text;
pub mod transcript;
pub mod value;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
pub mod writes;
