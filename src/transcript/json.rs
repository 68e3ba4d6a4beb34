//! JSON text as `JSON.stringify` writes it, for the arguments of tool calls (rule M8).

use std::fmt::Write;

use crate::text::platform::number_text;
use crate::value::Value;

/// The value as JSON text: keys in their order, numbers as JavaScript prints them, integers beyond 2^53 with all their digits.
pub(super) fn text(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) if number.is_finite() => out.push_str(&number_text(*number)),
        Value::Number(_) => out.push_str("null"), // what JSON cannot say
        Value::Integer(number) => out.push_str(&number.to_string()),
        Value::Text(text) => quote(text, out),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                quote(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{C}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1F}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c)); // writing to a String cannot fail
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_javascript() {
        // M8
        for (value, printed) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (1.10, "1.1"),
            (0.000_001, "0.000001"),
            (0.000_000_1, "1e-7"),
            (1.5e-7, "1.5e-7"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.25e300, "1.25e+300"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "null"),
            (f64::NEG_INFINITY, "null"),
            (100.25, "100.25"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(text(&Value::Number(value)), printed);
        }
    }

    #[test]
    fn values_keep_their_order_and_digits() {
        // M8, W6
        let value = Value::map([
            ("z", Value::List(vec![Value::Null, true.into(), Value::Integer(2_512_292_042_121_000_001)])),
            ("__proto__", Value::map([])),
            ("a", "\"\\\u{8}\t\n\u{C}\r\u{1}Öl 👍\u{2028}/".into()),
        ]);
        assert_eq!(
            text(&value),
            "{\"z\":[null,true,2512292042121000001],\"__proto__\":{},\"a\":\"\\\"\\\\\\b\\t\\n\\f\\r\\u0001Öl 👍\u{2028}/\"}"
        );
    }
}
