//! Sanitizing error text before it is stored (rule E1).
//!
//! Providers and tools put request headers, connection strings, paths and whole stack traces into their messages. What people read, and what is kept in a
//! conversation, must not carry them. [`sanitize`] replaces each by `[redacted]` and leaves every ordinary sentence alone.
//!
//! How it works: the text becomes one line (`one_line`), one scanner walks it from left to right (`scan`), and the result is cut (`cut`). The scanner
//! never backtracks: every rule looks ahead over what it then consumes or over a bounded window, and looks back only into what has already been written.
//! So the work is linear in the length of the text, whatever its shape.

mod bytes;
mod names;
mod pair;
mod place;
mod scan;
mod spaced;
#[cfg(test)]
mod tests;
mod token;
mod trace;

/// What stands in place of everything that was taken out (E1).
pub const MARKER: &str = "[redacted]";

/// The end of a text that was cut; it counts as one code point (E1).
const ELLIPSIS: char = '…';

/// A result must survive being sanitized again. The rules are written so that the second round changes nothing; should two of them ever feed each other,
/// this many rounds are tried, and then nothing of the text is kept.
const ROUNDS: usize = 8;

/// Sanitizes an error text for storage (rule E1).
///
/// Credentials, URLs, local paths and stack traces become `[redacted]`, several in a row one; runs of white space and control characters become one space;
/// the result is trimmed and at most `max_length` code points long, an ellipsis included. `max_length` 0 gives the empty string. Sanitizing the result
/// again with the same `max_length` changes nothing. There are no errors: every text has a result.
///
/// `grapheme_start(text, index)` gives the largest boundary between extended grapheme clusters at or before the byte `index` of `text`; it comes from the
/// platform, so that no Unicode tables are carried along. An answer that is no character boundary is moved to the one before it.
///
/// ```
/// let text = agent_turn::redact::sanitize("login failed: password=Sommer2024!", 500, &|_, index| index);
/// assert_eq!(text, "login failed: password=[redacted]");
/// ```
pub fn sanitize(text: &str, max_length: usize, grapheme_start: &dyn Fn(&str, usize) -> usize) -> String {
    if max_length == 0 {
        return String::new();
    }
    let mut last = round(text, max_length, grapheme_start);
    for _ in 0..ROUNDS {
        let next = round(&last, max_length, grapheme_start);
        if next == last {
            return last;
        }
        last = next;
    }
    cut(MARKER, max_length, grapheme_start)
}

fn round(text: &str, max_length: usize, grapheme_start: &dyn Fn(&str, usize) -> usize) -> String {
    cut(&scan::redact(&one_line(text), max_length), max_length, grapheme_start)
}

/// White space and control characters to single spaces, both ends trimmed (also of U+FEFF, M11).
///
/// The only thing that needs the line structure happens here: a Python trace quotes the source line under each frame, indented, and nothing but the
/// indentation tells it from the message that follows. Those lines belong to the trace and are left out (E1).
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_frame = false;
    for line in text.split('\n') {
        let indent = line.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let body = line.as_bytes().get(indent..).unwrap_or_default();
        if body.starts_with(b"File \"") && bytes::find(body, 0, b"\", line ").is_some() {
            in_frame = true;
        } else if in_frame && indent >= 4 {
            continue;
        } else {
            in_frame = false;
        }
        push_squeezed(&mut out, line);
        push_squeezed(&mut out, " ");
    }
    while out.ends_with([' ', '\u{feff}']) {
        out.pop();
    }
    out
}

fn push_squeezed(out: &mut String, line: &str) {
    let mut rest = line;
    loop {
        // most of a text are runs of these, which need no closer look
        let run = rest.bytes().take_while(u8::is_ascii_graphic).count();
        out.push_str(rest.get(..run).unwrap_or_default());
        let mut chars = rest.get(run..).unwrap_or_default().chars();
        let Some(c) = chars.next() else {
            return;
        };
        rest = chars.as_str();
        if c.is_whitespace() || c.is_control() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if c != '\u{feff}' || !out.is_empty() {
            out.push(c);
        }
    }
}

/// At most `max_length` code points, cut between grapheme clusters and never inside a marker, the ellipsis counted (E1).
fn cut(text: &str, max_length: usize, grapheme_start: &dyn Fn(&str, usize) -> usize) -> String {
    let mut starts = text.char_indices().map(|(index, _)| index).skip(max_length.saturating_sub(1));
    let (Some(limit), Some(next)) = (starts.next(), starts.next()) else {
        return text.to_owned();
    };
    // Whether there is a boundary at `limit` depends on the text before it and the one character after it: no more is handed over.
    let window = text.get(..next).unwrap_or_default();
    let mut at = grapheme_start(window, limit).min(limit);
    while !window.is_char_boundary(at) {
        at -= 1;
    }
    let marker_start = |back: &usize| bytes::starts_at(text.as_bytes(), at - back, MARKER.as_bytes());
    if let Some(back) = (1..MARKER.len().min(at + 1)).find(marker_start) {
        at -= back;
    }
    let mut out = window.get(..at).unwrap_or_default().trim_end_matches(' ').to_owned();
    out.push(ELLIPSIS);
    out
}
