//! A stored row where it is: messages are read and woven by `row.js`, and only what a rule looks at crosses (rules M10, W6).

use js_sys::{Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

use super::convert::{decoded, encoded, limit_of};
use super::fault::fault;
use super::files::JsFiles;
use crate::conversation::{Head, Messages, Patch};
use crate::error::Error;
use crate::flat;
use crate::transcript::{Plan, Source};
use crate::value::Value;

#[wasm_bindgen(module = "/src/wasm/row.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn scan(messages: &JsValue) -> Result<Option<Uint8Array>, JsValue>;
    #[wasm_bindgen(catch)]
    fn head(messages: &JsValue, index: f64) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn text(messages: &JsValue, index: f64) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn provider(messages: &JsValue, index: f64) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn mark(messages: &JsValue, index: f64) -> Result<u8, JsValue>;
    #[wasm_bindgen(catch, js_name = hasParts)]
    fn has_parts(messages: &JsValue, index: f64) -> Result<bool, JsValue>;
    #[wasm_bindgen(catch)]
    fn weave(messages: &JsValue, files: &JsValue, ops: Uint32Array, values: &JsValue) -> Result<Option<JsValue>, JsValue>;
}

#[wasm_bindgen(module = "/src/wasm/flat.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = messages)]
    fn messages_of(value: &JsValue) -> Result<Option<Array>, JsValue>;
    #[wasm_bindgen(catch, js_name = patch)]
    fn js_patch(messages: &JsValue, offset: f64, patch: &str) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch)]
    fn patched(value: &JsValue, offset: f64, patch: &str) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch)]
    fn shown(value: &JsValue, shows_message: bool) -> Result<Option<JsValue>, JsValue>;
}

/// A row of the host.
#[derive(Clone)]
pub struct JsRow {
    raw: JsValue,
    messages: Array,
}

/// A row that can be loaded but not read is a fault of who stored it.
fn unreadable(thrown: JsValue) -> Error {
    limit_of(&thrown).unwrap_or_else(|| fault("storage.load", thrown))
}

impl JsRow {
    /// A row of the object that `load` gave.
    ///
    /// # Errors
    /// What its getter threw.
    pub fn new(raw: JsValue) -> Result<JsRow, Error> {
        let messages = messages_of(&raw).map_err(unreadable)?.unwrap_or_default();
        Ok(JsRow { raw, messages })
    }

    /// The host's own object.
    pub fn raw(&self) -> &JsValue {
        &self.raw
    }

    /// The object without messages and what a reader does not get (rule E3).
    ///
    /// # Errors
    /// What its getters threw.
    pub fn shown(&self, shows_message: bool) -> Result<JsValue, Error> {
        let shown = shown(&self.raw, shows_message).map_err(unreadable)?;
        Ok(shown.unwrap_or(JsValue::NULL))
    }

    /// The messages from one on: the host's own objects.
    pub fn from(&self, index: usize) -> JsValue {
        self.messages.slice(index as u32, self.messages.length()).into()
    }

    /// A patch as `swap` gets it; `offset` messages were not read.
    ///
    /// # Errors
    /// What a getter of a changed message threw.
    pub fn patch(&self, offset: usize, patch: &Patch) -> Result<JsValue, Error> {
        let made = js_patch(&self.messages, offset as f64, &flat::write(&patch.to_value()));
        Ok(made.map_err(unreadable)?.unwrap_or(JsValue::NULL))
    }

    /// The row as it is after a patch.
    ///
    /// # Errors
    /// What a getter of the row threw.
    pub fn patched(&self, offset: usize, patch: &Patch) -> Result<JsRow, Error> {
        let raw = patched(&self.raw, offset as f64, &flat::write(&patch.to_value()));
        JsRow::new(raw.map_err(unreadable)?.unwrap_or(JsValue::NULL))
    }

    /// The messages for the runtime, as planned.
    ///
    /// # Errors
    /// What a getter of a message or file threw.
    pub fn weave(&self, files: &JsFiles, plan: &Plan) -> Result<JsValue, Error> {
        let (ops, values) = plan.encode();
        let values = encoded(&Value::List(values));
        let woven = weave(&self.messages, files.raw(), Uint32Array::from(ops.as_slice()), &values);
        Ok(woven.map_err(unreadable)?.unwrap_or(JsValue::NULL))
    }
}

impl Messages for JsRow {
    fn len(&self) -> usize {
        self.messages.length() as usize
    }

    fn head(&self, index: usize) -> Result<Head, Error> {
        let head = head(&self.messages, index as f64).map_err(unreadable)?;
        Ok(Head::from_value(&decoded(head)))
    }

    fn text(&self, index: usize) -> Result<Option<String>, Error> {
        text(&self.messages, index as f64).map_err(unreadable)
    }

    fn scan(&self) -> Result<Vec<u8>, Error> {
        let flags = scan(&self.messages).map_err(unreadable)?;
        Ok(flags.map(|flags| flags.to_vec()).unwrap_or_default())
    }
}

impl Source for JsRow {
    fn provider(&self, index: usize) -> Result<Value, Error> {
        provider(&self.messages, index as f64).map(decoded).map_err(unreadable)
    }

    fn has_parts(&self, index: usize) -> Result<bool, Error> {
        has_parts(&self.messages, index as f64).map_err(unreadable)
    }

    fn mark(&self, index: usize) -> Result<u8, Error> {
        mark(&self.messages, index as f64).map_err(unreadable)
    }
}
