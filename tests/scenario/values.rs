//! Placeholders of the vectors filled in, and the matching that the shared matcher does not know.

use agent_turn::value::Value;

use super::super::vectors::{self, differ, json};

/// Default of `now` in a vector, Unix seconds.
pub const NOW: f64 = 1_700_000_000.0;

/// The default actor.
pub fn owner() -> Value {
    json(r#"{"uid":7,"isAdmin":false,"groups":[]}"#)
}

/// A map with an entry set: an old one in its place, a new one behind the others.
pub fn put(map: &mut Value, key: &str, value: Value) {
    let Value::Map(entries) = map else { panic!("{map:?} is no object") };
    match entries.iter_mut().find(|(name, _)| name == key) {
        Some((_, old)) => *old = value,
        None => entries.push((key.to_owned(), value)),
    }
}

/// A conversation with the defaults of the vectors and these fields, unknown ones too.
pub fn conversation(fields: &Value, now: f64) -> Value {
    let mut row = vectors::conversation(&Value::Map(Vec::new()));
    put(&mut row, "createdAt", Value::Number(now));
    put(&mut row, "updatedAt", Value::Number(now));
    for (key, value) in fields.as_map().unwrap() {
        put(&mut row, key, value.clone());
    }
    row
}

/// An argument with its placeholders filled in.
pub fn argument(given: &Value) -> Value {
    match given {
        Value::Text(text) if text == "$owner" => owner(),
        Value::List(items) => Value::List(items.iter().map(argument).collect()),
        Value::Map(_) if given.has("$repeat") => {
            let [text, times] = given.get("$repeat").as_list().unwrap() else {
                panic!("$repeat takes a text and a number");
            };
            text.as_text().unwrap().repeat(times.as_number().unwrap() as usize).into()
        }
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, item)| (key.clone(), argument(item))).collect()),
        value => value.clone(),
    }
}

/// Whether a value has the shape that a vector asks for; else where and why not.
pub fn mismatch(expected: &Value, given: &Value, path: &str) -> Result<(), String> {
    differ(&measured(expected, given, path)?, given, path)
}

/// The pattern, where `$min`, `$max` and `$anyOrder` hold and stand for anything now.
fn measured(expected: &Value, given: &Value, path: &str) -> Result<Value, String> {
    let at = |key: &str| format!("{path}.{key}");
    let fails = |operator: &str| Err(format!("{path}: {operator} does not hold for {given:?}"));
    let anything = || Ok(Value::map([("$any", true.into())]));
    if let Some(least) = expected.get("$min").as_number() {
        return if given.as_number().is_some_and(|number| number >= least) {
            anything()
        } else {
            fails("$min")
        };
    }
    if let Some(most) = expected.get("$max").as_number() {
        let fits = given.as_text().is_some_and(|text| text.chars().count() as f64 <= most);
        return if fits { anything() } else { fails("$max") };
    }
    if let Some(wanted) = expected.get("$anyOrder").as_list() {
        return if in_any_order(wanted, given, path) { anything() } else { fails("$anyOrder") };
    }
    Ok(match expected {
        Value::List(items) => {
            let list = given.as_list().unwrap_or_default();
            let pairs = items
                .iter()
                .enumerate()
                .map(|(i, item)| measured(item, list.get(i).unwrap_or(&Value::Null), &at(&i.to_string())));
            Value::List(pairs.collect::<Result<_, _>>()?)
        }
        Value::Map(entries) => {
            let pairs = entries.iter().map(|(key, value)| match key.starts_with('$') {
                true => Ok((key.clone(), value.clone())),
                false => Ok((key.clone(), measured(value, given.get(key), &at(key))?)),
            });
            Value::Map(pairs.collect::<Result<_, String>>()?)
        }
        value => value.clone(),
    })
}

fn in_any_order(wanted: &[Value], given: &Value, path: &str) -> bool {
    let mut left: Vec<&Value> = given.as_list().unwrap_or_default().iter().collect();
    let all = wanted.iter().all(|one| {
        let found = left.iter().position(|element| mismatch(one, element, path).is_ok());
        found.map(|at| left.remove(at)).is_some()
    });
    all && left.is_empty()
}

/// A line of a vector file. Half a character, which only JavaScript knows, becomes U+FFFD, as it does at the boundary (rule N4).
pub fn read(line: &str) -> Value {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (unit(rest), unit(rest.get(6..).unwrap_or_default())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.push_str(rest);
    json(&out)
}

/// The code unit of an escape.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}
