//! Looking at bytes without ever panicking: what lies outside reads as 0, which no normalised text contains.

/// The byte at `i`, 0 outside.
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(super) fn at(s: &[u8], i: usize) -> u8 {
    #[cfg(test)]
    work::add(1);
    s.get(i).copied().unwrap_or(0)
}

/// The byte before `i`, 0 outside.
pub(super) fn before(s: &[u8], i: usize) -> u8 {
    at(s, i.wrapping_sub(1))
}

/// The bytes from `from` to `to`, as far as there are any.
#[inline(never)]
pub(super) fn part(s: &[u8], from: usize, to: usize) -> &[u8] {
    s.get(from..to.min(s.len())).unwrap_or_default()
}

#[inline(never)]
pub(super) fn starts_at(s: &[u8], i: usize, what: &[u8]) -> bool {
    #[cfg(test)]
    work::add(1);
    s.get(i..).is_some_and(|rest| rest.starts_with(what))
}

/// Whether `s` ends with `what` (in lower case), in any letter case.
#[inline(never)]
pub(super) fn ends_with(s: &[u8], what: &str) -> bool {
    s.len() >= what.len() && equals(part(s, s.len() - what.len(), s.len()), what)
}

/// Whether `s` is `what` in any ASCII letter case.
#[inline(never)]
pub(super) fn equals(s: &[u8], what: &str) -> bool {
    s.eq_ignore_ascii_case(what.as_bytes())
}

/// The first `what` at or after `from`.
#[inline(never)]
pub(super) fn find(s: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let first = at(what, 0);
    (from..s.len()).find(|&i| at(s, i) == first && starts_at(s, i, what))
}

/// The end of the run of bytes from `i` on that `is` accepts. A function pointer, not a type: the component carries this loop once, not per caller.
#[inline(never)]
pub(super) fn run(s: &[u8], mut i: usize, is: fn(u8) -> bool) -> usize {
    while i < s.len() && is(at(s, i)) {
        i += 1;
    }
    i
}

/// As [`run`], over at most `most` bytes: rules that only look ahead stay linear by it.
#[inline(never)]
pub(super) fn run_within(s: &[u8], from: usize, most: usize, is: fn(u8) -> bool) -> usize {
    run(part(s, 0, end_within(s, from, most)), from, is)
}

/// As [`find`], in the `most` bytes from `from` on.
#[inline(never)]
pub(super) fn find_within(s: &[u8], from: usize, most: usize, what: &[u8]) -> Option<usize> {
    find(part(s, 0, end_within(s, from, most)), from, what)
}

/// The end of the `most` bytes from `from` on, or of `s`.
#[inline(never)]
pub(super) fn end_within(s: &[u8], from: usize, most: usize) -> usize {
    s.len().min(from.saturating_add(most))
}

/// The end of what is left of the bytes from `from` to `end` without those at its end that `is` accepts.
#[inline(never)]
pub(super) fn trim_end(s: &[u8], from: usize, end: usize, is: fn(u8) -> bool) -> usize {
    let last = (from..end).rfind(|&i| !is(at(s, i)));
    last.map_or(from, |last| last + 1)
}

/// As [`run`], backwards: the start of the run that ends before `end`, at most `most` bytes long.
#[inline(never)]
pub(super) fn run_back(s: &[u8], end: usize, most: usize, is: fn(u8) -> bool) -> usize {
    trim_end(s, end.saturating_sub(most), end, is)
}

pub(super) fn is_digit(b: u8) -> bool {
    b.is_ascii_digit()
}

/// The alphabet of most tokens. The star is there because providers repeat a key half masked.
pub(super) fn is_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'*')
}

/// The alphabet of base64 in both variants, of the token68 of RFC 9110, and of the parts of a JWT with their dots.
pub(super) fn is_base64(b: u8) -> bool {
    is_token(b) || matches!(b, b'.' | b'~' | b'+' | b'/' | b'=')
}

/// Host names and IPv4 addresses.
pub(super) fn is_host(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')
}

/// A run of digits of one to `most` that ends before `end`: its start.
#[inline(never)]
pub(super) fn digits_before(s: &[u8], end: usize, most: usize) -> Option<usize> {
    let start = run_back(s, end, most, is_digit);
    (start < end).then_some(start)
}

/// What a word is made of: enough to tell a credential from a word of a language.
#[derive(Default)]
pub(super) struct Look {
    pub(super) len: usize,
    pub(super) digits: usize,
    pub(super) lower: bool,
    pub(super) upper: bool,
    pub(super) symbol: bool,
    /// A capital directly behind a small letter.
    pub(super) turn: bool,
    pub(super) hex: bool,
    /// Digits and the punctuation of numbers only.
    pub(super) number: bool,
}

#[inline(never)]
pub(super) fn look(word: &[u8]) -> Look {
    #[cfg(test)]
    work::add(word.len());
    let mut seen = Look {
        len: word.len(),
        hex: true,
        number: true,
        ..Look::default()
    };
    let mut last = 0u8;
    for &b in word {
        seen.digits += usize::from(b.is_ascii_digit());
        seen.lower |= b.is_ascii_lowercase();
        seen.upper |= b.is_ascii_uppercase();
        seen.symbol |= b.is_ascii_punctuation() && !matches!(b, b'-' | b'.' | b'_' | b'/' | b':' | b'(' | b')' | b'\'' | b'\\' | b'<' | b'>');
        seen.turn |= last.is_ascii_lowercase() && b.is_ascii_uppercase();
        seen.hex &= b.is_ascii_hexdigit();
        seen.number &= b.is_ascii_digit() || matches!(b, b'.' | b',' | b'%' | b'-' | b'/' | b':');
        last = b;
    }
    seen
}

impl Look {
    /// Not a word anybody would write: a digit among letters, or letter case that turns inside.
    pub(super) fn is_random(&self) -> bool {
        (self.digits > 0 && (self.lower || self.upper)) || self.turn
    }

    /// As [`Look::is_random`] and long, in all three alphabets; or a long hexadecimal number.
    pub(super) fn is_key(&self) -> bool {
        (self.len >= 16 && self.digits > 0 && self.lower && self.upper) || (self.len >= 32 && self.hex)
    }
}

const STOP_WORDS: &str = " a an and are as at be been but by can cannot contains could denied did does empty error expired failed false field for from \
has have header in incorrect invalid is it its likely may mismatch missing must needed no none not null of ok on or please provided redacted rejected required \
revoked should the this to too true undefined unknown was were will with wrong yes you your abgelaufen abgelehnt aus bitte das dem den der die du ein eine \
fehler fehlerhaft fehlgeschlagen fehlt für gesperrt hat ist ja kann kein keine leer mit muss nein nicht oder sie sind soll und ungültig unbekannt unzulässig \
verweigert von war wird wurde zu zum zur darf falsch field optional unset option parameter value \
mindestens höchstens maximal minimal minimum maximum least most string number boolean text ";

/// A word that says something about a secret instead of being one: "password: must not be empty", "(using password: YES)".
#[inline(never)]
pub(super) fn is_stop_word(word: &[u8]) -> bool {
    let end = run(word, 0, |b| b.is_ascii_alphabetic() || b >= 0x80);
    let rest = part(word, end, word.len());
    rest.iter().all(|b| matches!(b, b'.' | b',' | b';' | b':' | b'!' | b'?' | b')' | b'"' | b'\''))
        && end > 0
        && STOP_WORDS.split(' ').any(|stop| equals(part(word, 0, end), stop))
}

/// Opening and closing typographic marks, dashes, the ellipsis, and the punctuation of CJK: no part of any URL, path or key. At `i`: the mark's length.
pub(super) fn mark(s: &[u8], i: usize) -> usize {
    match (at(s, i), at(s, i + 1)) {
        (0xc2, 0xab | 0xbb | 0xb4) => 2,
        (0xe2, 0x80) | (0xe3, 0x80) | (0xef, 0xbc) => 3,
        _ => 0,
    }
}

/// Counts what is looked at: the tests hold it against the length of the text, which a clock on a busy machine cannot do.
#[cfg(test)]
pub(super) mod work {
    use std::cell::Cell;

    thread_local!(static BYTES: Cell<usize> = const { Cell::new(0) });

    pub(in crate::redact) fn add(bytes: usize) {
        BYTES.with(|count| count.set(count.get() + bytes));
    }

    /// The work that `run` took.
    pub(in crate::redact) fn of(run: impl FnOnce()) -> usize {
        let before = BYTES.with(Cell::get);
        run();
        BYTES.with(Cell::get) - before
    }
}
