//! Values and errors on their way across the boundary (rules W4, W6).

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::error::Error;
use crate::flat;
use crate::value::Value;

#[wasm_bindgen(module = "/src/wasm/flat.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = flat)]
    fn js_flat(value: &JsValue) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn made(text: &str) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch)]
    pub fn measure(value: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(catch)]
    fn limit(error: &JsValue) -> Result<Option<String>, JsValue>;
}

/// Plain data that JavaScript has written as text; `Null` where there is none.
pub fn decoded(text: Option<String>) -> Value {
    text.as_deref().map_or(Value::Null, flat::read)
}

/// The plain data of a value of the host.
///
/// # Errors
/// What its getters threw, or a limit of rule W4.
pub fn read(value: &JsValue) -> Result<Value, JsValue> {
    if value.is_null_or_undefined() {
        return Ok(Value::Null);
    }
    match value.as_f64() {
        Some(number) => Ok(Value::Number(number)),
        None => js_flat(value).map(decoded),
    }
}

/// An argument as plain data.
///
/// # Errors
/// `InvalidArgument` where it cannot be read, `TooDeep`, `TooLarge`.
pub fn argument(value: &JsValue) -> Result<Value, Error> {
    read(value).map_err(|thrown| argument_fault(&thrown))
}

/// Why an argument cannot be read.
pub fn argument_fault(thrown: &JsValue) -> Error {
    limit_of(thrown).unwrap_or(Error::InvalidArgument("an argument cannot be read"))
}

/// `TooDeep` or `TooLarge`, where that is what was thrown.
pub fn limit_of(thrown: &JsValue) -> Option<Error> {
    match limit(thrown).ok().flatten()?.as_str() {
        "tooDeep" => Some(Error::TooDeep),
        _ => Some(Error::TooLarge),
    }
}

/// A value for JavaScript.
pub fn encoded(value: &Value) -> JsValue {
    from_flat(&flat::write(value))
}

/// An object of plain fields.
#[cfg(feature = "engine")]
pub fn record(fields: &[(&'static str, Value)]) -> JsValue {
    from_flat(&flat::write_fields(fields))
}

fn from_flat(text: &str) -> JsValue {
    // What this crate has written can be read.
    made(text).ok().flatten().unwrap_or(JsValue::NULL)
}

/// An object of fields whose names are ours.
pub fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        // A fresh object takes any property; the names are literals of this crate.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

/// An error as the package turns it into an `AgentTurnError`: code, message, and the host's own error by identity.
pub fn thrown(error: &Error) -> JsValue {
    let cause = match error {
        Error::Host(fault) => fault
            .cause
            .as_ref()
            .and_then(|cause| cause.downcast_ref::<JsValue>())
            .cloned()
            .unwrap_or(JsValue::UNDEFINED),
        _ => JsValue::UNDEFINED,
    };
    object(&[
        ("agentTurn", JsValue::TRUE),
        ("code", JsValue::from_str(&error.code())),
        ("message", JsValue::from_str(&error.to_string())),
        ("cause", cause),
    ])
}
