//! Characters that could deceive who decides about a card are shown as escapes (rule V3a).

use super::emoji;
use crate::text::is_invisible;
use crate::value::Value;

/// The zero width joiner, part of many emoji.
const JOINER: char = '\u{200D}';

/// A value with every text in it escaped, keys too. Nothing is cut, and what differs stays different.
pub(super) fn value(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(escaped(text)),
        Value::List(items) => Value::List(items.iter().map(self::value).collect()),
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, item)| (escaped(key), self::value(item))).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Integer(_) => value.clone(),
    }
}

/// A text in which everything that nobody sees, or that turns the reading direction, is an escape: upper case, no padding. The backslash of a
/// literal escape is escaped itself, so that none can be faked.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (before, behind) = (text.len() - rest.len(), c.len_utf8());
        rest = rest.get(behind..).unwrap_or_default();
        let is_escaped = match c {
            '\\' => rest.starts_with("u{"),
            JOINER => !emoji::joins(text.get(..before).unwrap_or_default(), rest),
            '\t' | '\n' => false,
            c => c.is_control() || is_invisible(c),
        };
        match is_escaped {
            true => push_escape(&mut shown, c),
            false => shown.push(c),
        }
    }
    shown
}

fn push_escape(shown: &mut String, c: char) {
    shown.push_str("\\u{");
    let code = u32::from(c);
    let digits = (32 - code.leading_zeros()).div_ceil(4).max(1);
    for digit in (0..digits).rev() {
        let nibble = code >> (4 * digit) & 0xF;
        shown.extend(char::from_digit(nibble, 16).map(|digit| digit.to_ascii_uppercase()));
    }
    shown.push('}');
}
