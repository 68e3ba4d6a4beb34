//! Secrets with only a space between them and their name: `Bearer …`, `--password …`, `token …` (E1).
//!
//! The names are words of the language ("the bearer of bad news"), so the value must look like what it would be.

use super::bytes::{at, before, is_stop_word, look, part, run, run_back, starts_at};
use super::pair::JUDGED;
use super::scan::Scan;

/// What has to follow.
#[derive(Clone, Copy)]
enum Follows {
    /// A token of RFC 6750.
    Bearer,
    /// Base64 of `user:password`.
    Basic,
    /// Parameters.
    Digest,
    /// Something of the shape of a key.
    Key,
    /// As [`Follows::Key`], but no hash: keys of caches and sorting are ordinary.
    Mixed,
    /// `user:password` on a command line.
    User,
    /// A password: any in quotes, else one of several alphabets.
    Password,
    /// A word with a digit in it.
    Said,
    /// A string in quotes.
    Sql,
}

const WORDS: &[(&str, Follows)] = &[
    ("bearer", Follows::Bearer),
    ("basic", Follows::Basic),
    ("digest", Follows::Digest),
    ("token", Follows::Key),
    ("secret", Follows::Key),
    ("apikey", Follows::Key),
    ("api key", Follows::Key),
    ("api-key", Follows::Key),
    ("access key", Follows::Key),
    ("secret key", Follows::Key),
    ("key", Follows::Mixed),
    ("-u", Follows::User),
    ("--user", Follows::User),
    ("password", Follows::Password),
    ("passwd", Follows::Password),
    ("passwort", Follows::Password),
    ("kennwort", Follows::Password),
    ("password is", Follows::Said),
    ("password was", Follows::Said),
    ("passwort ist", Follows::Said),
    ("passwort lautet", Follows::Said),
    ("kennwort ist", Follows::Said),
    ("kennwort lautet", Follows::Said),
    ("token is", Follows::Said),
    ("token ist", Follows::Said),
    ("secret is", Follows::Said),
    ("key is", Follows::Said),
    ("identified by", Follows::Sql),
];

/// Base64 without padding whose bytes are printable and hold a colon: a word of the language is not.
fn is_user_and_password(word: &[u8]) -> bool {
    let mut bits = 0u32;
    let mut colon = false;
    for (at, &c) in word.iter().enumerate() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = (bits << 6) + u32::from(six);
        if at % 4 > 0 {
            let byte = (bits >> (6 - 2 * (at % 4))) as u8;
            colon |= byte == b':';
            if !(b' '..=b'~').contains(&byte) {
                return false;
            }
        }
    }
    colon
}

impl Scan<'_> {
    /// Replaces the word behind the space here if the one in front names it.
    pub(super) fn spaced(&mut self) -> bool {
        let last = before(&self.out, self.out.len()).to_ascii_lowercase();
        if !last.is_ascii_alphabetic() {
            return false;
        }
        self.flag()
            || WORDS
                .iter()
                .any(|&(word, follows)| at(word.as_bytes(), word.len() - 1) == last && self.follows(word) && self.said(follows))
    }

    /// `--api-key value`
    fn flag(&mut self) -> bool {
        let start = run_back(&self.out, self.out.len(), 40, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        if !starts_at(&self.out, start, b"--") || self.name().is_none() {
            return false;
        }
        let value = self.i + 1;
        if let Some((open, close)) = self.quoted_value(value) {
            return close > open && !starts_at(self.s, open, b"[redacted]") && self.keep_then_redact(open, close);
        }
        let end = self.value_end(value);
        let word = part(self.s, value, end);
        let seen = look(word);
        (seen.digits > 0 || seen.symbol || seen.turn) && !is_stop_word(word) && at(word, 0) != b'-' && self.keep_then_redact(value, end)
    }

    fn said(&mut self, follows: Follows) -> bool {
        let value = self.i + 1;
        if let Some((open, close)) = self.quoted_value(value) {
            let word = part(self.s, open, close);
            let named = match follows {
                Follows::Sql | Follows::User => true,
                Follows::Password | Follows::Said => word.len() >= 4 && !part(word, 0, JUDGED).contains(&b' '),
                _ => look(part(word, 0, JUDGED)).is_key(),
            };
            return named && !word.is_empty() && !is_stop_word(word) && !starts_at(word, 0, b"[redacted]") && self.keep_then_redact(open, close);
        }
        let end = self.value_end(value);
        let word = part(self.s, value, end);
        let seen = look(word);
        let some = match follows {
            Follows::Bearer => (seen.len >= 8 && seen.is_random()) || seen.len >= 24,
            Follows::Basic => seen.len >= 8 && (word.ends_with(b"=") || (seen.len >= 12 && seen.digits > 0 && seen.turn) || is_user_and_password(word)),
            Follows::Digest => starts_at(self.s, value, b"username=") || starts_at(self.s, value, b"realm="),
            Follows::Key => seen.is_key() && !word.contains(&b'('),
            Follows::Mixed => seen.is_key() && !seen.hex && !word.contains(&b'('),
            Follows::User => {
                let user = run(word, 0, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'@'));
                at(word, 0).is_ascii_alphabetic() && at(word, user) == b':'
            }
            Follows::Password => seen.len >= 6 && seen.digits > 0 && seen.lower && (seen.symbol || (seen.upper && !seen.turn && seen.len >= 8)),
            Follows::Said => seen.len >= 6 && seen.digits > 0 && seen.lower,
            Follows::Sql => false,
        };
        if !some || is_stop_word(word) {
            return false;
        }
        let end = if matches!(follows, Follows::Digest) {
            self.parameters_end(value)
        } else {
            end
        };
        self.keep_then_redact(value, end)
    }
}
