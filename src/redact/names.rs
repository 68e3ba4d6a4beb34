//! The names of secrets, and how sure each is (E1).

use super::bytes::at;

/// How sure a name is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The value is a secret, whatever it looks like.
    Strong,
    /// A word of the language too: after `token: ` only what looks like a credential is taken for one. As part of a longer name it is strong.
    Word,
    /// As [`Kind::Word`], but also something that is counted: `token=500` says how many.
    Count,
    /// `…_key`: mostly a cache or sort key, a secret only if it looks like one.
    Key,
    /// An `Authorization` header: scheme and credentials.
    Authorization,
    /// A `Cookie` header: pairs.
    Cookie,
}

/// The ends of names, in lower case and without separators; `.` in front: only as a component of its own (`db_pass`, not `compass`).
pub(super) const NAMES: &[(&str, Kind)] = &[
    ("password", Kind::Strong),
    ("passwd", Kind::Strong),
    ("passphrase", Kind::Strong),
    ("passwort", Kind::Strong),
    ("kennwort", Kind::Strong),
    ("passwordhash", Kind::Strong),
    (".pwd", Kind::Strong),
    (".pw", Kind::Strong),
    (".psk", Kind::Strong),
    (".jwt", Kind::Strong),
    (".sid", Kind::Strong),
    (".sig", Kind::Strong),
    ("apikey", Kind::Strong),
    ("apischlüssel", Kind::Strong),
    ("accesskey", Kind::Strong),
    ("accesskeyid", Kind::Strong),
    ("secretkey", Kind::Strong),
    ("secretid", Kind::Strong),
    ("privatekey", Kind::Strong),
    ("accountkey", Kind::Strong),
    ("authkey", Kind::Strong),
    ("signingkey", Kind::Strong),
    ("encryptionkey", Kind::Strong),
    ("masterkey", Kind::Strong),
    ("licensekey", Kind::Strong),
    ("subscriptionkey", Kind::Strong),
    ("sharedkey", Kind::Strong),
    ("deploykey", Kind::Strong),
    ("sshkey", Kind::Strong),
    ("clientsecret", Kind::Strong),
    ("accesstoken", Kind::Strong),
    ("authtoken", Kind::Strong),
    ("refreshtoken", Kind::Strong),
    ("sessionid", Kind::Strong),
    ("sessid", Kind::Strong),
    ("typouser", Kind::Strong),
    (".csrf", Kind::Strong),
    (".xsrf", Kind::Strong),
    ("secret", Kind::Word),
    ("token", Kind::Count),
    ("geheimnis", Kind::Word),
    ("zugangsdaten", Kind::Word),
    ("credential", Kind::Word),
    ("credentials", Kind::Word),
    ("signature", Kind::Word),
    ("signatur", Kind::Word),
    (".pass", Kind::Word),
    (".auth", Kind::Word),
    (".otp", Kind::Word),
    (".hmac", Kind::Word),
    (".session", Kind::Count),
    (".bearer", Kind::Word),
    (".key", Kind::Key),
    ("authorization", Kind::Authorization),
    ("cookie", Kind::Cookie),
];

/// The kind of a word that is a secret's name as a whole, or ends with one.
pub(super) fn named_kind(word: &[u8]) -> Option<Kind> {
    let named = NAMES.iter().find(|(name, _)| name_start(word, name.trim_start_matches('.')).is_some());
    named.map(|(_, kind)| *kind)
}

fn is_separator(b: u8) -> bool {
    matches!(b, b'_' | b'-' | b'.' | b' ')
}

/// Where `letters` begins at the end of `written`, one separator allowed between any two of them.
pub(super) fn name_start(written: &[u8], letters: &str) -> Option<usize> {
    let mut at_byte = written.len();
    let mut first = true;
    for letter in letters.bytes().rev() {
        let mut b = at(written, at_byte.checked_sub(1)?);
        if b.to_ascii_lowercase() != letter && !first && is_separator(b) {
            at_byte -= 1;
            b = at(written, at_byte.checked_sub(1)?);
        }
        if b.to_ascii_lowercase() != letter {
            return None;
        }
        first = false;
        at_byte -= 1;
    }
    Some(at_byte)
}
