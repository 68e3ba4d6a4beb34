//! What a tool asks: a JSON schema as a choice or a form, and what answers it (rules F1-F7).

mod answer;
mod schema;

pub use answer::{Answered, Words, answer_form};

use crate::value::Value;
use schema::{Property, Shape};

/// How a question is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One button for each option, and typed text where [`InputForm::free_text`] says so (rule F2).
    Choice,
    /// Fields that are submitted together (rule F3).
    Form,
    /// Cannot be shown (rule F4).
    Unsupported,
}

impl Kind {
    /// The name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Choice => "choice",
            Kind::Form => "form",
            Kind::Unsupported => "unsupported",
        }
    }
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Text that is not blank.
    Text,
    /// A whole number that JavaScript holds exactly.
    Integer,
    /// A finite number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of its options.
    Select,
}

impl FieldKind {
    /// The name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::Text => "text",
            FieldKind::Integer => "integer",
            FieldKind::Number => "number",
            FieldKind::Boolean => "boolean",
            FieldKind::Select => "select",
        }
    }
}

/// One option: its value is what is submitted, its label what people read.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// A text, a finite number or a truth value.
    pub value: Value,
    /// Rule F7.
    pub label: String,
}

impl Choice {
    fn to_value(&self) -> Value {
        Value::map([("value", self.value.clone()), ("label", self.label.as_str().into())])
    }
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The property's name.
    pub name: String,
    /// Rule F7.
    pub label: String,
    /// What it takes.
    pub kind: FieldKind,
    /// Whether an answer without it is refused.
    pub required: bool,
    /// Trimmed; "" where there is none.
    pub description: String,
    /// The options of a [`FieldKind::Select`], else empty.
    pub options: Vec<Choice>,
}

impl From<Property> for Field {
    fn from(property: Property) -> Field {
        Field {
            label: property.label(),
            name: property.name,
            kind: property.kind,
            required: property.required,
            description: property.description,
            options: property.options,
        }
    }
}

impl Field {
    fn to_value(&self) -> Value {
        Value::map([
            ("name", self.name.as_str().into()),
            ("label", self.label.as_str().into()),
            ("type", self.kind.name().into()),
            ("required", self.required.into()),
            ("description", self.description.as_str().into()),
            ("options", choices(&self.options)),
        ])
    }
}

/// A question as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct InputForm {
    /// How.
    pub kind: Kind,
    /// What is asked, or "" (rule F5).
    pub question: String,
    /// The buttons of a choice, else empty.
    pub options: Vec<Choice>,
    /// Whether typed text answers a choice as well (rule F2).
    pub free_text: bool,
    /// The fields of a form in the order of the schema, else empty.
    pub fields: Vec<Field>,
}

impl InputForm {
    /// The entries in the words of the contract.
    pub fn entries(&self) -> [(&'static str, Value); 5] {
        let fields = self.fields.iter().map(Field::to_value).collect();
        [
            ("kind", self.kind.name().into()),
            ("question", self.question.as_str().into()),
            ("options", choices(&self.options)),
            ("freeText", self.free_text.into()),
            ("fields", Value::List(fields)),
        ]
    }

    /// In the words of the contract.
    pub fn to_value(&self) -> Value {
        Value::map(self.entries())
    }
}

fn choices(options: &[Choice]) -> Value {
    Value::List(options.iter().map(Choice::to_value).collect())
}

/// The form of a schema; what cannot be offered is of kind [`Kind::Unsupported`], never an error (rules F1-F5).
///
/// ```
/// use agent_turn::form::{Kind, input_form};
/// use agent_turn::value::Value;
///
/// let color = Value::map([("enum", Value::texts(["red", "blue"])), ("title", "Which color?".into())]);
/// let form = input_form(&Value::map([("properties", Value::map([("color", color)]))]));
/// assert_eq!(form.kind, Kind::Choice);
/// assert_eq!(form.question, "Which color?");
/// assert_eq!(form.options[1].label, "blue");
/// ```
pub fn input_form(schema: &Value) -> InputForm {
    let mut form = InputForm {
        kind: Kind::Unsupported,
        question: schema::caption(schema),
        options: Vec::new(),
        free_text: false,
        fields: Vec::new(),
    };
    match schema::shape(schema) {
        Shape::Choice { choice, text } => {
            form.kind = Kind::Choice;
            if form.question.is_empty() {
                form.question = choice.caption();
            }
            form.options = choice.options;
            form.free_text = text.is_some();
        }
        Shape::Form(properties) => {
            form.kind = Kind::Form;
            form.fields = properties.into_iter().map(Field::from).collect();
        }
        Shape::Unsupported => {}
    }
    form
}

/// The question that a schema states, or "" (rules F5, O5); also of a schema that cannot be offered.
pub fn question(schema: &Value) -> String {
    input_form(schema).question
}
