//! What a callback of the host threw (rules W4, E2).

use std::any::Any;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::convert::decoded;
use crate::error::{Error, ErrorInfo, Fault};

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = errorInfo)]
    fn error_info(error: &JsValue) -> Result<Option<String>, JsValue>;
}

/// What a callback threw.
pub fn fault(callback: &'static str, thrown: JsValue) -> Error {
    let info = decoded(error_info(&thrown).ok().flatten());
    Error::from(Fault {
        callback,
        info: ErrorInfo::from_value(&info),
        cause: Some(Rc::new(thrown) as Rc<dyn Any>),
    })
}
