//! What the platform knows about text: graphemes, normalisation, the kind of a character.
//!
//! In WebAssembly this is the browser's or Node's own `Intl.Segmenter`, `String.prototype.normalize` and `\p{…}`: no tables in the binary
//! (a segmentation crate alone costs more than all rules of a section together, see docs/size.md). Native tests use crates instead.

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
