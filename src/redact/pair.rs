//! Secrets beside their names: `password=…`, `"client_secret":"…"`, `X-API-Key: …`, and the headers that carry credentials (E1).
//!
//! The name stays, only the value goes: it tells an administrator which setting was refused.

use super::MARKER;
use super::bytes::{at, before, end_within, ends_with, equals, find_within, is_stop_word, look, mark, part, run, run_back, run_within, starts_at, trim_end};
use super::names::{Kind, NAMES, name_start, named_kind};
use super::scan::Scan;

/// Schemes of the `Authorization` header: the credentials are the word behind them.
const SCHEMES: &str = " basic bearer digest token negotiate ntlm hawk apikey api-key key oauth sharedkey sharedkeylite dpop aws aws4-hmac-sha256 \
googlelogin mutual hoba scram-sha-256 scram-sha-1 hmac ";

/// What may stand between a name and its colon.
const ATTRIBUTES: &[&str] = &[
    " provided",
    " supplied",
    " given",
    " used",
    " received",
    " value",
    " is",
    " was",
    " ist",
    " lautet",
];

/// How much of a value is looked at to judge it, and how much to find its closing quote.
pub(super) const JUDGED: usize = 128;
const QUOTED: usize = 65_536;

/// What a cut may have left of a value.
const CUT: &[u8] = "…".as_bytes();

/// A name found in front of a separator.
pub(super) struct Name {
    pub(super) kind: Kind,
    pub(super) start: usize,
    /// A component of a longer name, or between quotes or brackets: no prose.
    technical: bool,
}

impl Scan<'_> {
    /// The secret's name that ends what is written, quotes and one space behind it allowed.
    pub(super) fn name(&self) -> Option<Name> {
        let out = &self.out;
        let mut unquoted = out.len() - usize::from(out.ends_with(b" "));
        // `Incorrect API key provided: …`
        if let Some(word) = ATTRIBUTES.iter().find(|word| ends_with(part(out, 0, unquoted), word)) {
            unquoted -= word.len();
        }
        let mut end = run_back(out, unquoted, 4, |b| matches!(b, b'"' | b'\'' | b'`' | b'\\' | b']'));
        if ends_with(part(out, 0, end), "%5d") {
            end -= 3;
        }
        if !before(out, end).is_ascii_alphabetic() {
            return None;
        }
        NAMES.iter().find_map(|&(name, kind)| {
            let (component, letters) = name.strip_prefix('.').map_or((false, name), |rest| (true, rest));
            let start = name_start(part(out, 0, end), letters)?;
            let before = before(out, start);
            let turns = at(out, start).is_ascii_uppercase() && before.is_ascii_lowercase();
            if component && (before.is_ascii_alphabetic() || !before.is_ascii()) && !turns && !self.is_word_start(start) {
                return None;
            }
            let compound = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'-' | b'.');
            let kind = match kind {
                Kind::Key if matches!(before, b'?' | b'&') => Kind::Strong,
                Kind::Key if !compound => return None,
                _ => kind,
            };
            Some(Name {
                kind,
                start,
                technical: compound || end != unquoted,
            })
        })
    }

    /// Replaces the value behind a separator of `separator` bytes, where a secret's name stands in front. At the separator.
    pub(super) fn pair(&mut self, separator: usize) -> bool {
        let Some(name) = self.name().or_else(|| self.taken_name()) else {
            return false;
        };
        let sign = at(self.s, self.i);
        let mut value = self.i + separator;
        if sign == b'>' && before(&self.out, name.start) != b'<' {
            return false;
        }
        if sign == b':' && at(self.s, value) == b':' {
            return false;
        }
        if separator == 1 && sign != b'>' {
            value = run_within(self.s, value, 2, |b| matches!(b, b'=' | b'>'));
        }
        let prose = sign == b':' && at(self.s, value) == b' ' && !name.technical;
        value += usize::from(at(self.s, value) == b' ');
        match name.kind {
            Kind::Authorization => self.authorization(value),
            Kind::Cookie => self.cookie(value),
            kind => (sign == b'=' && self.braced_value(value)) || self.value(kind, value, prose),
        }
    }

    /// `Pwd={a;b}` in a connection string; not a placeholder: `{0}`, `{password}`.
    fn braced_value(&mut self, value: usize) -> bool {
        let start = value + 1;
        let end = run_within(self.s, start, JUDGED, |b| !matches!(b, b'}' | b'{' | b'"' | b'\'' | b':' | b'='));
        let word = part(self.s, start, end);
        let placeholder = word.iter().all(u8::is_ascii_digit) || named_kind(word).is_some() || starts_at(word, 0, MARKER.as_bytes());
        at(self.s, value) == b'{' && at(self.s, end) == b'}' && !placeholder && self.keep_then_redact(start, end)
    }

    fn value(&mut self, kind: Kind, value: usize, prose: bool) -> bool {
        if let Some((start, end)) = self.quoted_value(value) {
            let word = part(self.s, start, end);
            let ordinary = word.is_empty()
                || word == CUT
                || is_stop_word(word)
                || starts_at(word, 0, MARKER.as_bytes())
                || (kind == Kind::Key && !look(part(word, 0, JUDGED)).is_key());
            return !ordinary && self.keep_then_redact(start, end);
        }
        // `„geheim“`
        let open = if starts_at(self.s, value, CUT) { 0 } else { mark(self.s, value) };
        self.value_within(kind, value + open, prose)
    }

    fn value_within(&mut self, kind: Kind, value: usize, prose: bool) -> bool {
        // A marker, an object or a list: its own pairs come next.
        if matches!(at(self.s, value), b'{' | b'[') {
            return false;
        }
        let word = part(self.s, value, self.value_end_within(value, JUDGED));
        let seen = look(word);
        let ordinary = match kind {
            Kind::Key => !seen.is_key() || seen.hex,
            Kind::Count if seen.number && seen.len < 6 => true,
            Kind::Word | Kind::Count if prose => !(seen.len >= 20 || (seen.len >= 6 && (seen.is_random() || seen.symbol)) || (seen.number && seen.len >= 10)),
            _ => false,
        };
        if word.is_empty() || word == CUT || ordinary || is_stop_word(word) {
            return false;
        }
        let end = self.value_end(value);
        self.taken_name = named_kind(part(self.s, value, end)).map(|kind| (end, kind));
        self.keep_then_redact(value, end)
    }

    /// The name that stood where a value was looked for, and was taken out: the pair that it begins is one all the same.
    fn taken_name(&self) -> Option<Name> {
        let (_, kind) = self.taken_name.filter(|(end, _)| *end == self.i)?;
        Some(Name {
            kind,
            start: self.out.len(),
            technical: true,
        })
    }

    /// `Basic dXNlcjpw`, `Digest username="x", response="y"`, `AWS4-HMAC-SHA256 Credential=…, Signature=…`, or the bare credentials.
    fn authorization(&mut self, value: usize) -> bool {
        if let Some((start, end)) = self.quoted_value(value) {
            let word = part(self.s, start, end);
            return !word.is_empty() && !starts_at(word, 0, MARKER.as_bytes()) && !is_stop_word(word) && self.keep_then_redact(start, end);
        }
        if matches!(at(self.s, value), b'{' | b'[') {
            return false;
        }
        let first = self.value_end(value);
        let word = part(self.s, value, first);
        if word.is_empty() || word == CUT || is_stop_word(word) {
            return false;
        }
        let scheme = SCHEMES.split(' ').any(|known| !known.is_empty() && equals(word, known));
        if !scheme {
            return self.keep_then_redact(value, first);
        }
        if at(self.s, first) != b' ' {
            return false;
        }
        let credentials = first + 1;
        if starts_at(self.s, credentials, MARKER.as_bytes()) {
            return self.keep_then_redact(value, first);
        }
        let word = part(self.s, credentials, self.value_end(credentials));
        if word.is_empty() || is_stop_word(word) {
            return false;
        }
        let end = self.parameters_end(credentials);
        self.keep_then_redact(value, end)
    }

    /// The end of `name="some value", name=value …` from `from` on, at least of one word.
    pub(super) fn parameters_end(&self, from: usize) -> usize {
        let mut end = from;
        loop {
            end = self.parameter_end(end);
            let next = end + usize::from(at(self.s, end) == b',');
            let next = next + usize::from(at(self.s, next) == b' ');
            let equal = run(self.s, next, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
            if at(self.s, end) != b',' || equal == next || at(self.s, equal) != b'=' {
                return end;
            }
            end = next;
        }
    }

    /// The end of one parameter; a quoted value may contain spaces.
    fn parameter_end(&self, from: usize) -> usize {
        let name = run(self.s, from, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        if starts_at(self.s, name, b"=\"") {
            return (run(self.s, name + 2, |b| b != b'"') + 1).min(self.s.len());
        }
        self.value_end(from)
    }

    /// `name=value; name=value`, and the attributes of `Set-Cookie`.
    fn cookie(&mut self, value: usize) -> bool {
        let quoted = usize::from(matches!(at(self.s, value), b'"' | b'\''));
        let start = value + quoted;
        let mut end = start;
        let name = run_within(self.s, start, JUDGED, |b| !matches!(b, b' ' | b';' | b'=' | b'"' | b'\''));
        if at(self.s, name) != b'=' {
            return false;
        }
        loop {
            let word = self.cookie_end(end);
            let text = part(self.s, end, word);
            let is_flag = ["httponly", "secure", "partitioned"].iter().any(|flag| equals(text, flag));
            if !is_flag && !text.contains(&b'=') {
                break;
            }
            end = word;
            if starts_at(text, 0, b"Expires=") || starts_at(text, 0, b"expires=") {
                // `Wed, 21 Oct 2026 07:28:00 GMT`
                end = find_within(self.s, end, 32, b" GMT").map_or(end, |gmt| gmt + 4);
            }
            if !starts_at(self.s, end, b";") {
                break;
            }
            end += 1 + usize::from(at(self.s, end + 1) == b' ');
        }
        let end = trim_end(self.s, start, end, |b| matches!(b, b' ' | b';'));
        self.keep_then_redact(start, end)
    }

    fn cookie_end(&self, from: usize) -> usize {
        let end = run(self.s, from, |b| !matches!(b, b' ' | b';' | b'"' | b'\''));
        end - usize::from(at(self.s, end) != b';' && matches!(before(self.s, end), b',' | b'.' | b':'))
    }

    /// The content of the quoted value at `open`: in `"`, `'`, `` ` ``, or escaped quotes as in JSON within JSON. What is cut off in double quotes goes on to the end.
    pub(super) fn quoted_value(&self, open: usize) -> Option<(usize, usize)> {
        let escapes = run(self.s, open, |b| b == b'\\');
        let quote = at(self.s, escapes);
        if !matches!(quote, b'"' | b'\'' | b'`') {
            return None;
        }
        let start = escapes + 1;
        let escaped = escapes > open;
        let mut i = start;
        let mut to = end_within(self.s, open, QUOTED);
        // Directly before a word a quote opens: the one at `open` was never closed, and what the next one opens may be a secret too.
        let mut opens = None;
        while i < to {
            let quoted = match at(self.s, i) {
                b'\\' if escaped => {
                    let end = run(self.s, i, |b| b == b'\\');
                    let closes = at(self.s, end) == quote && end - i <= escapes - open;
                    if !closes {
                        // a quote that is escaped once more belongs to what stands inside
                        i = end + 1;
                        continue;
                    }
                    Some((i, end + 1))
                }
                b'\\' => {
                    i += 1;
                    None
                }
                b if b == quote => Some((i, i + 1)),
                _ => None,
            };
            if let Some((end, behind)) = quoted {
                if !at(self.s, behind).is_ascii_alphanumeric() {
                    return Some((start, end));
                }
                if opens.is_none() {
                    opens = Some((start, end));
                    to = to.min(end_within(self.s, behind, JUDGED));
                }
                i = behind;
            } else {
                i += 1;
            }
        }
        if opens.is_some() {
            return opens;
        }
        Some((start, if quote == b'"' { self.s.len() } else { self.value_end(start) }))
    }

    /// The end of a value without quotes: a space, a quote, a tag, or a `,`, `;` or `&` with the next pair behind it; without the punctuation of the sentence.
    pub(super) fn value_end(&self, from: usize) -> usize {
        self.value_end_within(from, usize::MAX)
    }

    fn value_end_within(&self, from: usize, most: usize) -> usize {
        let mut depth = 0usize;
        let mut i = from;
        while i < end_within(self.s, from, most) {
            match at(self.s, i) {
                b' ' | b'"' | b'`' => break,
                b'\'' if !at(self.s, i + 1).is_ascii_alphanumeric() => break,
                b'\\' if at(self.s, i + 1) == b'"' => break,
                b'<' if at(self.s, i + 1) == b'/' => break,
                b'[' if starts_at(self.s, i, MARKER.as_bytes()) => break,
                b'&' | b',' | b';' if self.pair_follows(i + 1) => break,
                b'%' if starts_at(self.s, i, b"%26") => break,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 && self.ends_word(i + 1) => break,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                0x80.. if self.ends_word(i + mark(self.s, i)) => break,
                _ => {}
            }
            i += 1;
        }
        trim_end(self.s, from, i, |b| matches!(b, b'.' | b',' | b';' | b':'))
    }

    /// Whether the word ends at `i`, closing punctuation aside.
    fn ends_word(&self, i: usize) -> bool {
        matches!(
            at(self.s, i),
            0 | b' ' | b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b']' | b'}' | b'"' | b'\'' | b'`'
        )
    }

    /// Whether at `i` the word ends or another pair begins.
    fn pair_follows(&self, i: usize) -> bool {
        let from = if starts_at(self.s, i, b"amp;") { i + 4 } else { i };
        let name = run_within(self.s, from, 40, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'[' | b']'));
        matches!(at(self.s, i), 0 | b' ' | b'"' | b'\'') || (name > from && matches!(at(self.s, name), b'=' | b':'))
    }
}
