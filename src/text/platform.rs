//! What the platform knows about text: graphemes, normalisation, lower case, how numbers are written.
//!
//! In WebAssembly this is the browser's or Node's own `Intl.Segmenter`, `normalize`, `toLowerCase`, `String` and `Number`: no tables and no digit
//! generation in the binary. Native tests use crates and the standard library instead.

#[cfg(target_arch = "wasm32")]
use crate::wasm::text::grapheme_start as boundary;
#[cfg(target_arch = "wasm32")]
pub use crate::wasm::text::{lower, nfkc, number_text, parse_number};

/// How far behind a cut the platform has to look, in bytes: more than any sequence in use (flags, families, stacked marks).
const LOOK_AHEAD: usize = 512;

/// The largest boundary between extended grapheme clusters that is not behind `at`, a byte index on a character boundary.
pub fn grapheme_start(text: &str, at: usize) -> usize {
    let end = text.ceil_char_boundary(at.saturating_add(LOOK_AHEAD));
    boundary(text.get(..end).unwrap_or(text), at)
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
#[cfg(not(target_arch = "wasm32"))]
pub fn nfkc(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc().collect()
}

/// Lower case.
#[cfg(not(target_arch = "wasm32"))]
pub fn lower(text: &str) -> String {
    text.to_lowercase()
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
#[cfg(not(target_arch = "wasm32"))]
pub fn parse_number(text: &str) -> Option<f64> {
    text.parse().ok()
}
