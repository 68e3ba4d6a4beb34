//! A panic is a bug of ours: the package is told, so that no promise hangs (rule W5).

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::prelude::*;

thread_local! {
    static HANDLER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets what is called with the message of a panic, before the instance is lost.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(handler: Function) {
    HANDLER.set(Some(handler));
    std::panic::set_hook(Box::new(|info| {
        let message = JsValue::from_str(&info.to_string());
        HANDLER.with_borrow(|handler| {
            if let Some(handler) = handler {
                // Nobody is left who could be told that the handler failed.
                let _ = handler.call1(&JsValue::UNDEFINED, &message);
            }
        });
    }));
}

/// Panics: what the tests of rule W5 call.
#[wasm_bindgen(js_name = panicForTest)]
#[allow(clippy::panic, reason = "that is what it is for")]
pub fn panic_for_test() {
    panic!("a panic on purpose");
}
