//! Questions and answers (rules F1-F7).

use agent_turn::form::{Answered, Choice, FieldKind, InputForm, Kind, Words, answer_form, input_form, question};
use agent_turn::text;
use agent_turn::value::Value;

use crate::bytes::{Bytes, object};
use crate::given;

/// Every schema is a form of one kind, what is offered is accepted, and nothing else is.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let schema = given::schema(bytes);
    let answer = answer(bytes);
    let form = input_form(&schema);
    assert_eq!(form.kind == Kind::Choice, !form.options.is_empty(), "F2");
    assert_eq!(form.kind == Kind::Form, !form.fields.is_empty(), "F3");
    assert!(form.kind == Kind::Choice || !form.free_text, "F2");
    assert_eq!(question(&schema), form.question, "F5");
    assert_eq!(text::trim(&form.question), form.question, "F5");
    offered_is_accepted(&schema, &form);
    for words in [Words::default(), Words::german()] {
        if let Some(answered) = answer_form(&schema, &answer, &words) {
            was_offered(&form, &answer, &answered);
        }
    }
}

fn answer(bytes: &mut Bytes) -> Value {
    if bytes.once_in(8) {
        return bytes.value(3);
    }
    match bytes.below(3) {
        0 => Value::map([("choice", given::scalar(bytes))]),
        1 => Value::map([("freeText", given::scalar(bytes))]),
        _ => Value::map([("fields", object(bytes.some(4, |bytes| (bytes.near(&["a", "b", "c"]), given::scalar(bytes)))))]),
    }
}

fn fits(kind: FieldKind, options: &[Choice], value: &Value) -> bool {
    match kind {
        FieldKind::Select => options.iter().any(|option| option.value == *value),
        FieldKind::Text => value.as_text().is_some_and(|given| !text::is_blank(given) && text::trim(given) == given),
        FieldKind::Integer => value.as_safe_integer().is_some(),
        FieldKind::Number => value.as_number().is_some_and(f64::is_finite),
        FieldKind::Boolean => value.as_bool().is_some(),
    }
}

/// F6: every submitted value is one that the form takes, and nothing that is required is missing.
fn was_offered(form: &InputForm, given: &Value, answered: &Answered) {
    assert!(!answered.data.is_empty(), "F6: an empty answer");
    assert_eq!(text::storable(&answered.display), answered.display, "N4");
    match form.kind {
        Kind::Unsupported => panic!("F4: nothing was offered"),
        Kind::Choice => {
            assert_eq!(answered.data.len(), 1, "F2: exactly one of choice and text");
            let value = &answered.data[0].1;
            assert!(given.has("choice") || !text::is_blank(&answered.display), "F6: typed text is not blank");
            match given.has("choice") {
                true => assert!(
                    form.options.iter().any(|option| option.value == *value && option.label == answered.display),
                    "F6, F7"
                ),
                false => assert!(form.free_text && fits(FieldKind::Text, &[], value), "F6"),
            }
        }
        Kind::Form => {
            assert!(answered.display.lines().count() >= answered.data.len(), "F7: one line for each");
            let mut rest = form.fields.iter();
            for (name, value) in &answered.data {
                let field = rest.find(|field| field.name == *name).expect("F6: a field of the form, in its order");
                assert!(fits(field.kind, &field.options, value), "F6: {field:?} {value:?}");
            }
            let filled_in = |name: &String| answered.data.iter().any(|(key, _)| key == name);
            assert!(form.fields.iter().all(|field| !field.required || filled_in(&field.name)), "F6");
        }
    }
}

/// F2, F3, F6.
fn offered_is_accepted(schema: &Value, form: &InputForm) {
    let accepts = |key: &str, value: Value| answer_form(schema, &Value::map([(key, value)]), &Words::default()).is_some();
    for option in &form.options {
        assert!(accepts("choice", option.value.clone()), "F2: {option:?}");
    }
    assert_eq!(form.free_text, accepts("freeText", "text".into()), "F2");
    let fields = form.fields.iter().map(|field| {
        let value = match field.kind {
            FieldKind::Text => "text".into(),
            FieldKind::Integer => " -12 ".into(),
            FieldKind::Number => Value::Number(0.25),
            FieldKind::Boolean => Value::Bool(false),
            FieldKind::Select => field.options[0].value.clone(),
        };
        (field.name.clone(), value)
    });
    assert_eq!(form.kind == Kind::Form, accepts("fields", Value::Map(fields.collect())), "F3: {form:?}");
}
