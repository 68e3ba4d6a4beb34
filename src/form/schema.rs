//! Which schemas can be offered, and as what (rules F1-F5).

use super::{Choice, FieldKind};
use crate::lists::Places;
use crate::text;
use crate::text::platform::number_text;
use crate::value::Value;

/// What a schema can be offered as.
pub(super) enum Shape {
    /// Rule F2.
    Choice {
        /// The property with the options.
        choice: Property,
        /// The property that typed text goes to, where typed text is an answer.
        text: Option<String>,
    },
    /// Rule F3.
    Form(Vec<Property>),
    /// Rule F4.
    Unsupported,
}

/// A scalar property of a schema.
pub(super) struct Property {
    pub(super) name: String,
    /// "" where there is none.
    pub(super) title: String,
    pub(super) description: String,
    pub(super) kind: FieldKind,
    pub(super) required: bool,
    /// Never empty for a select, always for anything else.
    pub(super) options: Vec<Choice>,
}

impl Property {
    /// Rule F7. It becomes part of a stored line, so it is storable (rule N4); the name that is submitted stays as it is.
    pub(super) fn label(&self) -> String {
        match self.title.as_str() {
            "" => text::storable(&self.name),
            title => title.to_owned(),
        }
    }

    /// What a choice asks where its schema does not say (rule F5).
    pub(super) fn caption(&self) -> String {
        match self.title.as_str() {
            "" => self.description.clone(),
            title => title.to_owned(),
        }
    }

    fn takes_typed_text(&self) -> bool {
        self.kind == FieldKind::Text && !self.required
    }
}

/// The title of a schema, else its description, else "" (rule F5).
pub(super) fn caption(schema: &Value) -> String {
    match label(schema, "title") {
        title if title.is_empty() => label(schema, "description"),
        title => title,
    }
}

/// A title or description, trimmed; a blank one counts as absent (rules F5, N4).
fn label(schema: &Value, key: &str) -> String {
    let text = text::storable(schema.get(key).as_text().unwrap_or_default());
    match text::trim(&text) {
        text if text::is_blank(text) => String::new(),
        text => text.to_owned(),
    }
}

/// What a schema can be offered as.
pub(super) fn shape(schema: &Value) -> Shape {
    let Some(properties) = properties(schema) else {
        return Shape::Unsupported;
    };
    let mut rest = properties.iter();
    let (first, second, third) = (rest.next(), rest.next(), rest.next());
    // F2: where the choice stands, if this is one.
    let at = match (first, second, third) {
        (Some(only), None, _) if is_choice(only) => 0,
        (Some(one), Some(other), None) if is_choice(one) && other.takes_typed_text() => 0,
        (Some(one), Some(other), None) if one.takes_typed_text() && is_choice(other) => 1,
        _ => return Shape::Form(properties),
    };
    let mut properties = properties;
    let choice = properties.remove(at);
    let text = properties.pop().map(|property| property.name);
    Shape::Choice {
        text: text.filter(|_| !choice.required),
        choice,
    }
}

fn is_choice(property: &Property) -> bool {
    property.kind == FieldKind::Select
}

/// The properties of an object schema, all of them scalar (rules F1, F4).
fn properties(schema: &Value) -> Option<Vec<Property>> {
    let object = match schema.get("type") {
        Value::Null => true,
        Value::Text(name) => name == "object",
        Value::List(names) => names.iter().any(|name| name.as_text() == Some("object")),
        _ => false,
    };
    if !object || schema.has("$ref") {
        return None;
    }
    let required = schema.get("required").as_list().unwrap_or_default();
    let required = Places::of(required.iter().filter_map(Value::as_text));
    let properties = schema.get("properties").as_map()?;
    if properties.is_empty() {
        return None;
    }
    properties.iter().map(|(name, property)| read(name, property, required.has(name))).collect()
}

/// What one level of a property says.
enum Level<'a> {
    /// One of these.
    Options(Vec<Choice>),
    /// A branch stands for the property.
    Branch(&'a Value),
    /// Its type.
    Plain,
}

/// One property; `None` where it cannot be offered (rule F4). A loop, so that no nesting is too deep for it.
fn read(name: &str, property: &Value, required: bool) -> Option<Property> {
    let mut read = Property {
        name: name.to_owned(),
        title: String::new(),
        description: String::new(),
        kind: FieldKind::Text,
        required,
        options: Vec::new(),
    };
    let mut schema = property;
    loop {
        if schema.as_map().is_none() || schema.has("$ref") {
            return None;
        }
        if read.title.is_empty() {
            read.title = label(schema, "title"); // the property's own wins over a branch's
        }
        if read.description.is_empty() {
            read.description = label(schema, "description");
        }
        if schema.has("type") {
            read.kind = kind(schema.get("type"))?;
        } else if NESTED.iter().any(|key| schema.has(key)) {
            return None;
        }
        match level(schema)? {
            Level::Branch(branch) => schema = branch,
            Level::Options(options) => {
                read.kind = FieldKind::Select;
                read.options = options;
                return Some(read);
            }
            Level::Plain => return Some(read),
        }
    }
}

/// What makes a schema without a type an object, an array or a reference to one, not a text.
const NESTED: [&str; 4] = ["properties", "items", "prefixItems", "allOf"];

/// A type that is a scalar; of several the first that is not null (rule F3).
fn kind(names: &Value) -> Option<FieldKind> {
    let name = match names {
        Value::List(names) => names.iter().find(|name| name.as_text() != Some("null"))?,
        name => name,
    };
    match name.as_text()? {
        "string" => Some(FieldKind::Text),
        "integer" => Some(FieldKind::Integer),
        "number" => Some(FieldKind::Number),
        "boolean" => Some(FieldKind::Boolean),
        _ => None,
    }
}

/// The options of a property, or the branch that stands for it; `None` where they cannot be read: they never become a text field (rule F4).
fn level(schema: &Value) -> Option<Level<'_>> {
    if schema.has("enum") {
        let values = schema.get("enum").as_list()?.iter();
        let options = values
            .filter(|value| !value.is_null())
            .map(|value| choice(value, String::new()))
            .collect::<Option<Vec<_>>>()?;
        return (!options.is_empty()).then_some(Level::Options(options));
    }
    if schema.has("const") {
        // A literal is an enum of one.
        return Some(Level::Options(vec![choice(schema.get("const"), String::new())?]));
    }
    if schema.has("oneOf") {
        return match branches(schema.get("oneOf"))? {
            Level::Branch(_) => None, // F3 reads types of `anyOf` only
            level => Some(level),
        };
    }
    match schema.has("anyOf") {
        true => branches(schema.get("anyOf")),
        false => Some(Level::Plain),
    }
}

/// Branches that are all constants, or the only one that is not null (rules F2, F3).
fn branches(list: &Value) -> Option<Level<'_>> {
    let mut options = Vec::new();
    let mut other = None;
    for branch in list.as_list()? {
        branch.as_map()?;
        if is_null(branch) {
            continue;
        }
        if branch.has("const") && !branch.has("$ref") {
            options.push(choice(branch.get("const"), label(branch, "title"))?);
        } else if other.replace(branch).is_some() {
            return None;
        }
    }
    match other {
        None => (!options.is_empty()).then_some(Level::Options(options)),
        Some(branch) => options.is_empty().then_some(Level::Branch(branch)),
    }
}

/// Whether a branch admits nothing but null.
fn is_null(branch: &Value) -> bool {
    let only = |value: &Value, is: fn(&Value) -> bool| match value {
        Value::List(items) => !items.is_empty() && items.iter().all(is),
        value => is(value),
    };
    (branch.has("type") && only(branch.get("type"), |name| name.as_text() == Some("null")))
        || (branch.has("const") && branch.get("const").is_null())
        || (branch.has("enum") && only(branch.get("enum"), Value::is_null))
}

/// An option; `None` for a value that is no scalar.
fn choice(value: &Value, title: String) -> Option<Choice> {
    let text = match value {
        Value::Text(text) => text::storable(text), // N4
        Value::Bool(flag) => flag_name(*flag).to_owned(),
        Value::Number(number) if number.is_finite() => number_text(*number),
        Value::Integer(number) => number.to_string(),
        _ => return None,
    };
    Some(Choice {
        value: value.clone(),
        label: match title.is_empty() {
            true => text,
            false => title,
        },
    })
}

fn flag_name(flag: bool) -> &'static str {
    match flag {
        true => "true",
        false => "false",
    }
}
