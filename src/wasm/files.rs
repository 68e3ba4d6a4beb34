//! Files that `readFile` gave: what they hold never enters Rust (rule M10).

use js_sys::Object;
use wasm_bindgen::prelude::*;

use super::convert::decoded;
use super::fault::fault;
use crate::error::Error;
use crate::transcript::{FileInfo, Files, StoredFile};
use crate::value::Value;

#[wasm_bindgen(module = "/src/wasm/row.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = fileInfo)]
    fn file_info(files: &JsValue, uid: &str) -> Result<Option<String>, JsValue>;
}

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn bare() -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch)]
    fn put(files: &JsValue, uid: &str, file: &JsValue) -> Result<(), JsValue>;
}

/// Files by uid.
pub struct JsFiles(JsValue);

impl Default for JsFiles {
    fn default() -> Self {
        JsFiles(bare().ok().flatten().unwrap_or_else(|| Object::new().into()))
    }
}

impl JsFiles {
    /// The files of an object, or none.
    pub fn of(files: Option<JsValue>) -> JsFiles {
        files.map(JsFiles).unwrap_or_default()
    }

    /// Keeps what `readFile` answered.
    pub fn put(&self, uid: &str, file: &JsValue) {
        // An object without prototype and accessors takes every key.
        let _ = put(&self.0, uid, file);
    }

    /// The object.
    pub fn raw(&self) -> &JsValue {
        &self.0
    }
}

impl Files for JsFiles {
    fn info(&self, uid: &str) -> Result<FileInfo, Error> {
        let info = file_info(&self.0, uid).map_err(|thrown| fault("readFile", thrown))?;
        let Some(info) = info else {
            return Ok(FileInfo::Gone);
        };
        let info = decoded(Some(info));
        let head = info.get("head").as_list().unwrap_or_default();
        Ok(FileInfo::Stored(StoredFile {
            name: info.get("name").text_or_empty(),
            identifier: info.get("identifier").text_or_empty(),
            mime_type: info.get("mimeType").text_or_empty(),
            head: head.iter().filter_map(Value::as_number).map(|byte| byte as u8).collect(),
            base64_length: info.get("base64Length").as_number().unwrap_or_default(),
            extracted_bytes: info.get("extractedBytes").as_number(),
        }))
    }
}
