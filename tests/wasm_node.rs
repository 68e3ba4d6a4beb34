//! The boundary in Node.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod common;
