//! Errors for people (rule E1).

use agent_turn::error::{MESSAGE_LENGTH, for_people};
use agent_turn::redact::sanitize;
use agent_turn::text::platform::grapheme_start;

use crate::bytes::Bytes;

/// Secrets in forms that need no context of their own, and the part that must not survive.
const SECRETS: &[(&str, &str)] = &[
    ("password=Sommer2024!", "Sommer2024"),
    ("Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789"),
    ("https://u:geheim99@example.org/x?token=1", "geheim99"),
    ("api_key: 'A1b2C3d4E5f6G7h8'", "A1b2C3d4E5f6"),
    ("/home/anna/site/config.php", "anna/site"),
    ("postgres://app:pw77xy@db:5432/site", "pw77xy"),
    ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"),
];

/// One line, within its length, the same when sanitized again; and a secret goes wherever it stands.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let before = pieces(bytes);
    let behind = pieces(bytes);
    let most = bytes.one_of(&[MESSAGE_LENGTH, 0, 1, 10, 11, 12, 40, 100_000]);
    clean(&[before.as_str(), &behind].concat(), most);
    let (secret, part) = bytes.one_of(SECRETS);
    let apart = bytes.one_of(&[" ", "\n", "\n\n", "\t"]);
    let text = [&before, apart, secret, apart, &behind].concat();
    let known = before.contains(part) || behind.contains(part);
    let shown = clean(&text, 100_000);
    assert!(known || !shown.contains(part), "E1: {part:?} of {text:?} in {shown:?}");
    assert_eq!(for_people(&text), clean(&text, MESSAGE_LENGTH));
}

fn pieces(bytes: &mut Bytes) -> String {
    bytes.some(6, Bytes::text).join(bytes.one_of(&["", " ", "\n", "\n    ", ": ", "="]))
}

fn clean(text: &str, most: usize) -> String {
    let once = sanitize(text, most, &grapheme_start);
    assert_eq!(sanitize(&once, most, &grapheme_start), once, "E1: sanitizing {text:?} twice changes it");
    assert!(once.chars().count() <= most, "E1: longer than {most}: {once:?}");
    assert!(!once.chars().any(|c| c.is_control()), "E1: {once:?}");
    assert!(!once.contains("  ") && once.trim() == once, "E1: one space, trimmed: {once:?}");
    assert!(!once.contains("[redacted] [redacted]"), "E1: several in a row are one: {once:?}");
    once
}
