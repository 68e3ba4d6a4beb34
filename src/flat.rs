//! Plain data as one text: how values cross the boundary, in one call each way (`wasm/flat.js` is the other side).
//!
//! Every value is a tag and what belongs to it; texts end with U+0000:
//!
//! | tag | value |
//! |---|---|
//! | `z`, `t`, `f` | `null`, `true`, `false` |
//! | `n` digits | a whole number from 0 to 2^53 - 1 |
//! | `d` digits, digits | any other number: the high and the low half of its bits |
//! | `i` digits | an integer beyond 2^53: its 64 bits |
//! | `s` text | a text |
//! | `[` values `]` | a list |
//! | `{` (`:` key, value) … `}` | a map |
//!
//! A text that has U+0000 or U+0001 in it has U+0001 and a digit in the place of each.

use crate::value::{MAX_SAFE_INTEGER, Value};

const END: char = '\0';
const ESCAPE: char = '\u{1}';

/// The value of a text; what does not follow the format is `Null`.
pub fn read(text: &str) -> Value {
    Reader { rest: text }.value()
}

/// The text of a value.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

/// The text of a map of these fields.
pub fn write_fields(fields: &[(&'static str, Value)]) -> String {
    let mut out = String::from('{');
    for (key, value) in fields {
        push_entry(&mut out, key, value);
    }
    out.push('}');
    out
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Value {
        match self.tag() {
            b't' => Value::Bool(true),
            b'f' => Value::Bool(false),
            b'n' => Value::Number(self.digits() as f64),
            b'd' => {
                let high = self.digits() << 32;
                Value::Number(f64::from_bits(high | self.digits()))
            }
            b'i' => Value::Integer(self.digits() as i64),
            b's' => Value::Text(self.text()),
            b'[' => self.list(),
            b'{' => self.map(),
            _ => Value::Null,
        }
    }

    fn list(&mut self) -> Value {
        let mut items = Vec::new();
        while !self.rest.is_empty() && !self.takes(']') {
            items.push(self.value());
        }
        Value::List(items)
    }

    fn map(&mut self) -> Value {
        let mut entries = Vec::new();
        while self.takes(':') {
            entries.push((self.text(), self.value()));
        }
        self.takes('}');
        Value::Map(entries)
    }

    fn tag(&mut self) -> u8 {
        let tag = self.rest.as_bytes().first().copied();
        self.rest = self.rest.get(1..).unwrap_or_default();
        tag.unwrap_or_default()
    }

    fn takes(&mut self, tag: char) -> bool {
        match self.rest.strip_prefix(tag) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Up to the end of a text.
    fn piece(&mut self) -> &'a str {
        let end = self.rest.bytes().position(|byte| byte == END as u8).unwrap_or(self.rest.len());
        let piece = self.rest.get(..end).unwrap_or_default();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        piece
    }

    fn text(&mut self) -> String {
        let piece = self.piece();
        if !piece.contains(ESCAPE) {
            return piece.to_owned();
        }
        let mut text = String::new();
        let mut chars = piece.chars();
        while let Some(c) = chars.next() {
            text.push(match c {
                ESCAPE if chars.next() == Some('0') => END,
                c => c,
            });
        }
        text
    }

    fn digits(&mut self) -> u64 {
        let digits = self.piece().bytes();
        digits.fold(0_u64, |number, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0'))))
    }
}

fn push(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push('z'),
        Value::Bool(true) => out.push('t'),
        Value::Bool(false) => out.push('f'),
        Value::Number(number) => push_number(out, *number),
        Value::Integer(number) => {
            out.push('i');
            push_digits(out, *number as u64);
        }
        Value::Text(text) => {
            out.push('s');
            push_text(out, text);
        }
        Value::List(items) => {
            out.push('[');
            for item in items {
                push(out, item);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (key, value) in entries {
                push_entry(out, key, value);
            }
            out.push('}');
        }
    }
}

fn push_entry(out: &mut String, key: &str, value: &Value) {
    out.push(':');
    push_text(out, key);
    push(out, value);
}

fn push_text(out: &mut String, text: &str) {
    if text.bytes().all(|byte| byte > ESCAPE as u8) {
        out.push_str(text);
    } else {
        for c in text.chars() {
            match c {
                END => out.push_str("\u{1}0"),
                ESCAPE => out.push_str("\u{1}1"),
                c => out.push(c),
            }
        }
    }
    out.push(END);
}

fn push_number(out: &mut String, number: f64) {
    let is_whole = (0.0..=MAX_SAFE_INTEGER).contains(&number) && number.fract() == 0.0 && number.is_sign_positive();
    if is_whole {
        out.push('n');
        push_digits(out, number as u64);
    } else {
        let bits = number.to_bits();
        out.push('d');
        push_digits(out, bits >> 32);
        push_digits(out, bits & 0xFFFF_FFFF);
    }
}

fn push_digits(out: &mut String, number: u64) {
    digits(out, number);
    out.push(END);
}

fn digits(out: &mut String, number: u64) {
    if number >= 10 {
        digits(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<u32>().prop_map(|number| Value::Number(f64::from(number))),
            prop::num::f64::NORMAL.prop_map(Value::Number),
            any::<i64>().prop_map(Value::Integer),
            any::<String>().prop_map(Value::Text),
            "[\0\u{1}01]*".prop_map(Value::Text),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
                prop::collection::vec(("[\0\u{1}a:}]*", inner), 0..4).prop_map(Value::Map),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in values()) {
            prop_assert_eq!(read(&write(&value)), value);
        }

        #[test]
        fn any_text_can_be_read(text in "[\0\u{1}ztfnids:\\[\\]{}0-9ä]*") {
            read(&text);
        }
    }

    #[test]
    fn numbers_keep_every_bit() {
        for number in [
            0.0,
            -0.0,
            -1.0,
            0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            MAX_SAFE_INTEGER,
            MAX_SAFE_INTEGER + 1.0,
        ] {
            let read = read(&write(&Value::Number(number)));
            assert_eq!(read.as_number().map(f64::to_bits), Some(number.to_bits()));
        }
    }

    #[test]
    fn the_escape_is_escaped_also_where_nothing_else_stands() {
        for (text, written) in [("\u{1}", "s\u{1}1\0"), ("\u{1}\u{1}", "s\u{1}1\u{1}1\0"), ("\0", "s\u{1}0\0"), ("a", "sa\0")] {
            let value = Value::Text(text.to_owned());
            assert_eq!(write(&value), written);
            assert_eq!(read(written), value);
        }
    }

    #[test]
    fn fields_are_a_map() {
        let text = write_fields(&[("uid", 7.0.into()), ("title", "é".into())]);
        assert_eq!(text, "{:uid\0n7\0:title\0sé\0}");
    }
}
