//! The boundary in a browser.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

mod common;
