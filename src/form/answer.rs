//! What answers a form (rules F6, F7).

use super::schema::{self, Property, Shape};
use super::{Choice, FieldKind};
use crate::lists::Places;
use crate::text::platform::number_text;
use crate::text::{self, platform};
use crate::value::Value;

/// The reader's words for the two truth values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// For true.
    pub yes: String,
    /// For false.
    pub no: String,
}

impl Words {
    /// ja and nein.
    pub fn german() -> Words {
        Words {
            yes: "ja".to_owned(),
            no: "nein".to_owned(),
        }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words {
            yes: "yes".to_owned(),
            no: "no".to_owned(),
        }
    }
}

/// An answer that the form offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// What the runtime gets: the submitted properties in the order of the schema, never empty.
    pub data: Vec<(String, Value)>,
    /// What the transcript shows (rule F7).
    pub display: String,
}

/// The answer to a schema, `{choice}`, `{freeText}` or `{fields}`; `None` where the form does not offer it (rule F6).
///
/// ```
/// use agent_turn::form::{Words, answer_form};
/// use agent_turn::value::Value;
///
/// let seats = Value::map([("type", "integer".into()), ("title", "Seats".into())]);
/// let schema = Value::map([("properties", Value::map([("seats", seats)]))]);
/// let answer = |typed: &str| Value::map([("fields", Value::map([("seats", typed.into())]))]);
///
/// let answered = answer_form(&schema, &answer(" 40 "), &Words::default()).unwrap();
/// assert_eq!(answered.data, [("seats".to_owned(), Value::Number(40.0))]);
/// assert_eq!(answered.display, "Seats: 40");
/// assert_eq!(answer_form(&schema, &answer("forty"), &Words::default()), None);
/// ```
pub fn answer_form(schema: &Value, answer: &Value, words: &Words) -> Option<Answered> {
    let mut named = ["choice", "freeText", "fields"].into_iter().filter(|key| answer.has(key));
    let (Some(key), None) = (named.next(), named.next()) else {
        return None;
    };
    let given = answer.get(key);
    match (key, schema::shape(schema)) {
        ("choice", Shape::Choice { choice, .. }) => chosen(choice, given),
        ("freeText", Shape::Choice { text: Some(name), .. }) => typed(name, given),
        ("fields", Shape::Form(properties)) => filled_in(properties, given, words),
        _ => None,
    }
}

fn chosen(choice: Property, given: &Value) -> Option<Answered> {
    let Choice { value, label } = option(&choice, given)?.clone();
    Some(Answered {
        data: vec![(choice.name, value)],
        display: label,
    })
}

fn typed(name: String, given: &Value) -> Option<Answered> {
    let display = readable(given.as_text()?)?;
    Some(Answered {
        data: vec![(name, display.as_str().into())],
        display,
    })
}

fn filled_in(properties: Vec<Property>, given: &Value, words: &Words) -> Option<Answered> {
    let given = given.as_map()?;
    let places = Places::of(given.iter().map(|(name, _)| name.as_str()));
    let mut data = Vec::new();
    let mut display = String::new();
    for property in properties {
        let given = places.get(&property.name).and_then(|place| given.get(place));
        let given = given.map_or(&Value::Null, |(_, value)| value);
        let Some((value, shown)) = submitted(&property, given, words) else {
            match property.required || !is_left_out(given) {
                true => return None,
                false => continue,
            }
        };
        if !data.is_empty() {
            display.push('\n');
        }
        for part in [&property.label(), ": ", &shown] {
            display.push_str(part);
        }
        data.push((property.name, value));
    }
    (!data.is_empty()).then_some(Answered { data, display })
}

/// What an optional field may hold without being answered.
fn is_left_out(given: &Value) -> bool {
    given.is_null() || given.as_text() == Some("")
}

/// The value that is submitted for a field and how it is shown; `None` where it does not fit.
fn submitted(property: &Property, given: &Value, words: &Words) -> Option<(Value, String)> {
    match property.kind {
        FieldKind::Select => {
            let Choice { value, label } = option(property, given)?.clone();
            Some((value, label))
        }
        FieldKind::Text => {
            let text = readable(given.as_text()?)?;
            Some((text.as_str().into(), text))
        }
        FieldKind::Integer => numeric(given, is_integer_syntax).filter(|(value, _)| value.as_safe_integer().is_some()),
        FieldKind::Number => numeric(given, is_number_syntax),
        FieldKind::Boolean => {
            let flag = given.as_bool()?;
            let word = if flag { &words.yes } else { &words.no };
            Some((flag.into(), word.clone()))
        }
    }
}

/// The option with this value, of this type.
fn option<'a>(property: &'a Property, given: &Value) -> Option<&'a Choice> {
    property.options.iter().find(|option| option.value == *given)
}

/// Text as it is submitted: storable (rule N4), trimmed and not blank (rule M11).
fn readable(text: &str) -> Option<String> {
    let text = text::storable(text);
    let text = text::trim(&text);
    (!text::is_blank(text)).then(|| text.to_owned())
}

/// A finite number, or text that is one; never the negative zero.
fn numeric(given: &Value, is_syntax: fn(&str) -> bool) -> Option<(Value, String)> {
    let number = match given {
        Value::Number(number) => *number,
        Value::Text(text) => parsed(text::trim(text), is_syntax)?,
        _ => return None,
    } + 0.0;
    number.is_finite().then(|| (Value::Number(number), number_text(number)))
}

fn parsed(text: &str, is_syntax: fn(&str) -> bool) -> Option<f64> {
    match is_syntax(text) {
        true => platform::parse_number(text),
        false => None,
    }
}

/// `-?[0-9]+`
fn is_integer_syntax(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    skip_digits(digits) == Some("")
}

/// A number of JSON: no plus sign, no leading zero, digits on both sides of the point.
fn is_number_syntax(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = match unsigned.strip_prefix('0') {
        Some(rest) => Some(rest),
        None => skip_digits(unsigned),
    };
    let fraction = whole.and_then(|rest| match rest.strip_prefix('.') {
        Some(digits) => skip_digits(digits),
        None => Some(rest),
    });
    let exponent = fraction.and_then(|rest| match rest.strip_prefix(['e', 'E']) {
        Some(digits) => skip_digits(digits.strip_prefix(['+', '-']).unwrap_or(digits)),
        None => Some(rest),
    });
    exponent == Some("")
}

/// What follows at least one digit.
fn skip_digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}
