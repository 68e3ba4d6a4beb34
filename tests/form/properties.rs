//! What holds for any schema and any answer (rules F1-F7).

use agent_turn::form::{Answered, Choice, FieldKind, InputForm, Kind, Words, answer_form, input_form, question};
use agent_turn::value::Value;
use proptest::prelude::*;

/// Values of which many are schemas, or nearly.
fn schema_like() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "type",
        "properties",
        "enum",
        "const",
        "oneOf",
        "anyOf",
        "title",
        "description",
        "required",
        "$ref",
        "a",
        "b",
        "__proto__",
    ]);
    let leaf = prop_oneof![
        prop::sample::select(vec!["string", "integer", "number", "boolean", "null", "object", "a", "b", "", " "]).prop_map(Value::from),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        any::<i64>().prop_map(Value::Integer),
        Just(Value::Null),
    ];
    leaf.prop_recursive(5, 60, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|entries| { Value::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()) }),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        (-3.0..3.0_f64).prop_map(|number| Value::Number(number.round())),
        "[ a-b0-9.eE+-]{0,5}".prop_map(Value::from),
    ]
}

/// A property that can be offered, most of the time.
fn property() -> impl Strategy<Value = Value> {
    let typed = |name: &str| Value::map([("type", name.into())]);
    prop_oneof![
        Just(typed("string")),
        Just(typed("integer")),
        Just(typed("number")),
        Just(typed("boolean")),
        prop::collection::vec(scalar(), 1..4).prop_map(|values| Value::map([("enum", Value::List(values))])),
        prop::collection::vec(scalar(), 1..4).prop_map(|values| {
            let branches = values.into_iter().map(|value| Value::map([("const", value), ("title", "t".into())]));
            Value::map([("oneOf", Value::List(branches.collect()))])
        }),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "c"]);
    (prop::collection::btree_map(name.clone(), property(), 1..4), prop::collection::vec(name, 0..2)).prop_map(|(properties, required)| {
        let properties = properties.into_iter().map(|(name, property)| (name.to_owned(), property));
        Value::map([("properties", Value::Map(properties.collect())), ("required", Value::texts(required))])
    })
}

fn given() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "c", "d"]);
    prop_oneof![
        scalar().prop_map(|value| Value::map([("choice", value)])),
        scalar().prop_map(|value| Value::map([("freeText", value)])),
        prop::collection::btree_map(name, scalar(), 0..4).prop_map(|fields| {
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
            Value::map([("fields", Value::Map(fields.collect()))])
        }),
    ]
}

/// Whether a submitted value is one that a field takes.
fn fits(kind: FieldKind, options: &[Choice], value: &Value) -> bool {
    match kind {
        FieldKind::Select => options.iter().any(|option| option.value == *value),
        FieldKind::Text => value.as_text().is_some_and(|text| !text.trim().is_empty() && text.trim() == text),
        FieldKind::Integer => value.as_safe_integer().is_some(),
        FieldKind::Number => value.as_number().is_some_and(f64::is_finite),
        FieldKind::Boolean => value.as_bool().is_some(),
    }
}

fn check_offered(form: &InputForm, given: &Value, answered: &Answered) -> Result<(), TestCaseError> {
    prop_assert!(!answered.data.is_empty());
    match form.kind {
        Kind::Unsupported => prop_assert!(false, "nothing was offered"),
        Kind::Choice => {
            prop_assert_eq!(answered.data.len(), 1);
            match given.has("choice") {
                true => {
                    let label = &answered.display;
                    let value = &answered.data[0].1;
                    prop_assert_eq!(value, given.get("choice"));
                    prop_assert!(form.options.iter().any(|option| option.value == *value && option.label == *label));
                }
                false => prop_assert!(form.free_text && fits(FieldKind::Text, &[], &answered.data[0].1)),
            }
        }
        Kind::Form => {
            let mut rest = form.fields.iter();
            for (name, value) in &answered.data {
                let field = rest.find(|field| field.name == *name).unwrap();
                prop_assert!(fits(field.kind, &field.options, value), "{:?} {:?}", field, value);
            }
            let filled_in = |name: &String| answered.data.iter().any(|(key, _)| key == name);
            prop_assert!(form.fields.iter().all(|field| !field.required || filled_in(&field.name)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::seed::seeded(256))]

    #[test]
    fn any_value_is_a_schema_and_an_answer(schema in schema_like(), answer in schema_like()) {
        let form = input_form(&schema);
        prop_assert_eq!(form.kind == Kind::Choice, !form.options.is_empty());
        prop_assert_eq!(form.kind == Kind::Form, !form.fields.is_empty());
        prop_assert!(form.kind == Kind::Choice || !form.free_text);
        prop_assert_eq!(question(&schema), form.question.as_str());
        if let Some(answered) = answer_form(&schema, &answer, &Words::default()) {
            check_offered(&form, &answer, &answered)?;
        }
    }

    #[test]
    fn only_what_is_offered_is_accepted(schema in schema(), given in given()) {
        // F6
        let form = input_form(&schema);
        if let Some(answered) = answer_form(&schema, &given, &Words::default()) {
            check_offered(&form, &given, &answered)?;
        }
    }

    #[test]
    fn everything_that_is_offered_is_accepted(schema in schema()) {
        // F2, F3, F6
        let form = input_form(&schema);
        let accepts = |key: &str, value: Value| answer_form(&schema, &Value::map([(key, value)]), &Words::default()).is_some();
        for option in &form.options {
            prop_assert!(accepts("choice", option.value.clone()), "{:?}", option);
        }
        prop_assert_eq!(form.free_text, accepts("freeText", "text".into()));
        let fields = form.fields.iter().map(|field| {
            let value = match field.kind {
                FieldKind::Text => "text".into(),
                FieldKind::Integer => "-12".into(),
                FieldKind::Number => Value::Number(0.25),
                FieldKind::Boolean => Value::Bool(false),
                FieldKind::Select => field.options[0].value.clone(),
            };
            (field.name.clone(), value)
        });
        prop_assert_eq!(form.kind == Kind::Form, accepts("fields", Value::Map(fields.collect())));
    }
}
