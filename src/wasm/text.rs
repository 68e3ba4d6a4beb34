//! What the platform knows about text (see `crate::text::platform`).

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = graphemeBefore)]
    fn grapheme_before(before: &str, after: &str) -> Result<Option<f64>, JsValue>;
    #[wasm_bindgen(catch, js_name = nfkc)]
    fn js_nfkc(text: &str) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch, js_name = lower)]
    fn js_lower(text: &str) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch, js_name = numberText)]
    fn js_number_text(number: f64) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch, js_name = parseNumber)]
    fn js_parse_number(text: &str) -> Result<f64, JsValue>;
}

/// The largest grapheme boundary that is not behind `at`.
pub fn grapheme_start(text: &str, at: usize) -> usize {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else {
        return at;
    };
    let mut units = grapheme_before(before, after).ok().flatten().unwrap_or_default() as usize;
    let mut start = at;
    for c in before.chars().rev() {
        if units == 0 {
            break;
        }
        units = units.saturating_sub(c.len_utf16());
        start -= c.len_utf8();
    }
    start
}

/// Compatibility composition.
pub fn nfkc(text: &str) -> String {
    match js_nfkc(text) {
        Ok(Some(text)) => text,
        _ => text.to_owned(),
    }
}

/// Lower case.
pub fn lower(text: &str) -> String {
    match js_lower(text) {
        Ok(Some(text)) => text,
        _ => text.to_owned(),
    }
}

/// A number as JavaScript writes it.
pub fn number_text(number: f64) -> String {
    js_number_text(number).ok().flatten().unwrap_or_default()
}

/// The number of a text that has the syntax of one.
pub fn parse_number(text: &str) -> Option<f64> {
    js_parse_number(text).ok().filter(|number| !number.is_nan())
}
