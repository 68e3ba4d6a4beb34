//! What the platform knows about text: graphemes, normalisation, lower case, how numbers are written.
//!
//! In WebAssembly this is the browser's or Node's own `Intl.Segmenter`, `normalize`, `toLowerCase`, `String` and `Number`: no tables and no digit
//! generation in the binary. Native tests use crates and the standard library instead.

/// How far behind a cut the platform has to look, in bytes: more than any sequence in use (flags, families, stacked marks).
const LOOK_AHEAD: usize = 512;

/// The largest boundary between extended grapheme clusters that is not behind `at`, a byte index on a character boundary.
pub fn grapheme_start(text: &str, at: usize) -> usize {
    let mut end = text.len().min(at.saturating_add(LOOK_AHEAD));
    while !text.is_char_boundary(end) {
        end += 1;
    }
    boundary(text.get(..end).unwrap_or(text), at)
}

#[cfg(target_arch = "wasm32")]
fn boundary(text: &str, at: usize) -> usize {
    crate::wasm::text::grapheme_start(text, at)
}

#[cfg(not(target_arch = "wasm32"))]
fn boundary(text: &str, at: usize) -> usize {
    use unicode_segmentation::UnicodeSegmentation;
    text.grapheme_indices(true)
        .map(|(index, _)| index)
        .chain([text.len()])
        .take_while(|&index| index <= at)
        .last()
        .unwrap_or(0)
}

/// Compatibility composition (rule V8).
#[cfg(target_arch = "wasm32")]
pub fn nfkc(text: &str) -> String {
    crate::wasm::text::nfkc(text)
}

/// Compatibility composition (rule V8).
#[cfg(not(target_arch = "wasm32"))]
pub fn nfkc(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc().collect()
}

/// Lower case.
#[cfg(target_arch = "wasm32")]
pub fn lower(text: &str) -> String {
    crate::wasm::text::lower(text)
}

/// Lower case.
#[cfg(not(target_arch = "wasm32"))]
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

/// A number as JavaScript writes it: in digits from 10^-6 up to 10^21, with an exponent beyond.
#[cfg(target_arch = "wasm32")]
pub fn number_text(number: f64) -> String {
    crate::wasm::text::number_text(number)
}

/// A number as JavaScript writes it: in digits from 10^-6 up to 10^21, with an exponent beyond.
#[cfg(not(target_arch = "wasm32"))]
pub fn number_text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned(); // also for -0
    }
    if !number.is_finite() || (1e-6..1e21).contains(&number.abs()) {
        return number.to_string().replace("inf", "Infinity");
    }
    let text = format!("{number:e}");
    match number.abs() < 1.0 {
        true => text,
        false => text.replace('e', "e+"),
    }
}

/// The number of a text that has the syntax of one.
#[cfg(target_arch = "wasm32")]
pub fn parse_number(text: &str) -> Option<f64> {
    crate::wasm::text::parse_number(text)
}

/// The number of a text that has the syntax of one.
#[cfg(not(target_arch = "wasm32"))]
pub fn parse_number(text: &str) -> Option<f64> {
    text.parse().ok()
}
