//! The walk over the line: which byte starts which rule (E1).

use super::MARKER;
use super::bytes::{at, before, end_within, ends_with, is_digit, part, run_back, starts_at};
use super::names::Kind;

/// What one walk knows. Everything left of `i` has been decided and stands in `out`; a rule that needs what came before reads it there, so that it sees
/// the same text when the result is sanitized again.
pub(super) struct Scan<'a> {
    pub(super) s: &'a [u8],
    pub(super) i: usize,
    pub(super) out: Vec<u8>,
    /// No end of a PEM block follows any more: keeps the search for it linear.
    pub(super) no_pem_end: bool,
    /// What was taken out last, up to here, was a secret's name itself: `password= api_key: …`.
    pub(super) taken_name: Option<(usize, Kind)>,
}

/// Replaces what E1 names in a line without control characters. The walk ends early once more is written than `max_length` code points can need.
pub(super) fn redact(line: &str, max_length: usize) -> String {
    // No rule looks back further than 1024 bytes, so nothing before that can still change.
    let limit = max_length.saturating_mul(4).saturating_add(4096);
    let mut scan = Scan {
        s: line.as_bytes(),
        i: 0,
        out: Vec::with_capacity(line.len().min(limit)),
        no_pem_end: false,
        taken_name: None,
    };
    while scan.i < scan.s.len() && scan.out.len() < limit {
        if !scan.step() {
            scan.out.push(at(scan.s, scan.i));
            scan.i += 1;
        }
    }
    // Rules begin and end at whole characters.
    String::from_utf8(scan.out).unwrap_or_default()
}

impl Scan<'_> {
    /// Tries the rules that can start here. True: `out` and `i` have moved on.
    fn step(&mut self) -> bool {
        match at(self.s, self.i) {
            b'[' => starts_at(self.s, self.i, MARKER.as_bytes()) && self.redact_to(self.i + MARKER.len()),
            b'-' => self.pem() || self.end_of_inner(),
            b':' => self.scheme() || self.drive() || self.ruby_frame() || self.bot_token() || self.pair(1),
            b'=' | b'>' => self.pair(1),
            b'%' => self.encoded_scheme() || (matches!((at(self.s, self.i + 1), at(self.s, self.i + 2)), (b'3', b'D' | b'd' | b'A' | b'a')) && self.pair(3)),
            b'/' => self.slash(),
            b'\\' => self.backslash(),
            b'~' => self.home(),
            b'?' => self.host_path(),
            b'#' => self.php_frame() || self.host_path(),
            b'@' => self.user_info(),
            b'.' => self.more_frames(),
            b' ' => self.spaced(),
            b if b.is_ascii_alphanumeric() && self.at_word_start() => self.token() || self.frame(b),
            _ => false,
        }
    }

    /// Writes the marker for everything up to `end`; directly behind another one it is not repeated (E1).
    pub(super) fn redact_to(&mut self, end: usize) -> bool {
        let len = self.out.len();
        let trimmed = if self.out.ends_with(b" ") { len - 1 } else { len };
        if part(&self.out, 0, trimmed).ends_with(MARKER.as_bytes()) {
            self.out.truncate(trimmed);
        } else {
            self.out.extend_from_slice(MARKER.as_bytes());
        }
        self.i = end.max(self.i + 1);
        true
    }

    /// Keeps the text up to `start` and replaces the rest up to `end`.
    pub(super) fn keep_then_redact(&mut self, start: usize, end: usize) -> bool {
        self.out.extend_from_slice(part(self.s, self.i, start));
        self.i = start;
        self.redact_to(end)
    }

    /// Whether a word would begin here, judged by what is written.
    pub(super) fn at_word_start(&self) -> bool {
        self.is_word_start(self.out.len())
    }

    /// Whether a word would begin at `i` of what is written. Scripts without spaces and all punctuation end a word; an escape (`\n`, `%3D`) does too.
    pub(super) fn is_word_start(&self, i: usize) -> bool {
        let back = |n: usize| if n <= i { at(&self.out, i - n) } else { 0 };
        match back(1) {
            b if b.is_ascii_alphanumeric() => {
                (back(2) == b'\\' && matches!(b, b'n' | b'r' | b't')) || (back(3) == b'%' && back(2).is_ascii_hexdigit() && b.is_ascii_hexdigit())
            }
            _ => {
                let lead = before(&self.out, run_back(&self.out, i, 3, |b| b & 0xc0 == 0x80));
                !(matches!(lead, 0xc3..=0xdf) || lead == 0xe1)
            }
        }
    }

    /// Whether what is written ends with the lower-case `word`, in any letter case, standing by itself.
    pub(super) fn follows(&self, word: &str) -> bool {
        ends_with(&self.out, word) && self.is_word_start(self.out.len() - word.len())
    }

    /// Whether the last thing written is a marker, perhaps with a space behind it.
    pub(super) fn follows_marker(&self) -> bool {
        self.out.ends_with(b"[redacted]") || self.out.ends_with(b"[redacted] ")
    }

    /// The end of the word that begins at `from`.
    pub(super) fn word_end(&self, from: usize) -> usize {
        super::bytes::run(self.s, from, |b| b != b' ')
    }

    /// The end of a bracket that opens at `open`, behind its closing byte; at most `most` bytes on. Text in quotes does not count.
    pub(super) fn bracket_end(&self, open: usize, most: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut quoted = false;
        for i in open..end_within(self.s, open, most) {
            match at(self.s, i) {
                b'\'' => quoted = !quoted,
                b'(' if !quoted => depth += 1,
                b')' if !quoted => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The end of `:12` or `:12:5` at `i`, or `i`.
    pub(super) fn line_number_end(&self, i: usize) -> usize {
        let mut end = i;
        for _ in 0..2 {
            let digits = super::bytes::run(self.s, end + 1, is_digit);
            if at(self.s, end) != b':' || digits == end + 1 {
                break;
            }
            end = digits;
        }
        end
    }
}
