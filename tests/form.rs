//! Rules F from outside: the public vectors, schemas as libraries write them, hostile ones, and what holds for any schema and any answer.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "form/answers.rs"]
mod answers;
#[path = "form/properties.rs"]
mod properties;
#[path = "rules/seed.rs"]
mod seed;
#[path = "rules/vectors.rs"]
mod vectors;

use agent_turn::form::{Answered, FieldKind, InputForm, Kind, Words, answer_form, input_form, question};
use agent_turn::value::Value;
use vectors::json;

fn words(value: &Value) -> Words {
    match (value.get("yes").as_text(), value.get("no").as_text()) {
        (Some(yes), Some(no)) => Words {
            yes: yes.to_owned(),
            no: no.to_owned(),
        },
        _ => Words::default(),
    }
}

fn answered(answered: Option<Answered>) -> Value {
    answered.map_or(Value::Null, |answered| {
        Value::map([("data", Value::Map(answered.data)), ("display", answered.display.into())])
    })
}

#[test]
fn the_vectors_hold() {
    let forms = vectors::play("inputForm", |args| Ok(input_form(&args[0]).to_value()));
    let answers = vectors::play("answerForm", |args| {
        Ok(answered(answer_form(&args[0], &args[1], &words(args.get(2).unwrap_or(&Value::Null)))))
    });
    assert!(forms >= 23 && answers >= 20, "{forms} forms, {answers} answers");
}

/// A form in a line: kind, then `name:type` with `!` for required and the options.
fn line(form: &InputForm) -> String {
    let options = |options: &[agent_turn::form::Choice]| -> String {
        let labels: Vec<&str> = options.iter().map(|option| option.label.as_str()).collect();
        format!("[{}]", labels.join("|"))
    };
    match form.kind {
        Kind::Unsupported => "unsupported".to_owned(),
        Kind::Choice => format!("choice{}{}", options(&form.options), if form.free_text { "+text" } else { "" }),
        Kind::Form => form.fields.iter().fold("form".to_owned(), |line, field| {
            let required = if field.required { "!" } else { "" };
            let options = if field.kind == FieldKind::Select {
                options(&field.options)
            } else {
                String::new()
            };
            format!("{line} {}:{}{required}{options}", field.name, field.kind.name())
        }),
    }
}

#[test]
fn schemas_as_libraries_write_them() {
    // F1-F4
    let cases = [
        // zod 4, z.toJSONSchema(z.object({ title: z.string().min(1), seats: z.int(), price: z.number().optional(), open: z.boolean().default(true) }))
        (
            r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"title":{"type":"string","minLength":1},
                "seats":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"price":{"type":"number"},
                "open":{"default":true,"type":"boolean"}},"required":["title","seats","open"],"additionalProperties":false}"#,
            "form title:text! seats:integer! price:number open:boolean!",
        ),
        // zod 4: z.enum(["a","b"]).nullable().describe("Which?")
        (
            r#"{"type":"object","properties":{"pick":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}],"description":"Which?"}},
                "required":["pick"],"additionalProperties":false}"#,
            "choice[a|b]",
        ),
        // zod 4: z.union([z.literal("a"), z.literal(2), z.literal(true)]) beside z.string().optional()
        (
            r#"{"type":"object","properties":{"pick":{"anyOf":[{"type":"string","const":"a"},{"type":"number","const":2},{"type":"boolean","const":true}]},
                "other":{"type":"string"}}}"#,
            "choice[a|2|true]+text",
        ),
        // zod 4: z.email(), z.iso.date(), z.url()
        (
            r#"{"type":"object","properties":{"mail":{"type":"string","format":"email","pattern":"^.+@.+$"},"day":{"type":"string","format":"date"},
                "site":{"type":"string","format":"uri"}},"required":["mail"]}"#,
            "form mail:text! day:text site:text",
        ),
        // zod 4: a literal, an array, a nested object, a record, a tuple
        (
            r#"{"type":"object","properties":{"kind":{"type":"string","const":"event"},"name":{"type":"string"}},"required":["kind","name"]}"#,
            "form kind:select![event] name:text!",
        ),
        (
            r#"{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}}"#,
            "unsupported",
        ),
        (
            r#"{"type":"object","properties":{"r":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}}}}"#,
            "unsupported",
        ),
        (
            r#"{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"string"}]}}}"#,
            "unsupported",
        ),
        // pydantic 2: Optional[int] = None, Literal, a plain field with a default
        (
            r#"{"properties":{"age":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null,"title":"Age"},"size":{"enum":["s","m"],"title":"Size","type":"string"},
                "name":{"default":"x","title":"Name","type":"string"}},"required":["size"],"title":"Order","type":"object"}"#,
            "form age:integer size:select![s|m] name:text",
        ),
        // pydantic 2: an Enum is a reference, Optional of it too, a list is an array
        (
            r##"{"$defs":{"C":{"enum":["r"],"type":"string"}},"properties":{"c":{"$ref":"#/$defs/C"}},"type":"object"}"##,
            "unsupported",
        ),
        (
            r##"{"$defs":{"C":{"enum":["r"],"type":"string"}},"properties":{"c":{"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]}},"type":"object"}"##,
            "unsupported",
        ),
        // pydantic 1: a reference in allOf, with a default beside it
        (
            r##"{"properties":{"c":{"default":"r","allOf":[{"$ref":"#/definitions/C"}]}},"type":"object"}"##,
            "unsupported",
        ),
        // pydantic 2: Union[int, str]
        (
            r#"{"properties":{"v":{"anyOf":[{"type":"integer"},{"type":"string"}]}},"type":"object"}"#,
            "unsupported",
        ),
        // TypeBox: Type.Union of literals, Type.Optional, Type.Integer
        (
            r#"{"type":"object","required":["mode"],"properties":{"mode":{"anyOf":[{"const":"draft","type":"string"},{"const":"live","type":"string"}]},"n":{"type":"integer"}}}"#,
            "form mode:select![draft|live] n:integer",
        ),
        // OpenAPI 3.0: nullable, an enum with null
        (
            r#"{"type":"object","properties":{"a":{"type":"string","nullable":true,"enum":["x",null]}}}"#,
            "choice[x]",
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"integer","nullable":true,"format":"int64"},"b":{"type":"string","format":"binary"}}}"#,
            "form a:integer b:text",
        ),
        // MCP elicitation: titled options
        (
            r#"{"type":"object","properties":{"color":{"type":"string","title":"Color","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}},"required":["color"]}"#,
            "choice[Red|Green]",
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(line(&input_form(&json(schema))), expected, "{schema}");
    }
}

#[test]
fn what_cannot_be_read_is_never_a_text_field() {
    // F1, F4: with a second property, so that a form would be possible
    for property in [
        "true",
        "null",
        "7",
        "\"string\"",
        "[]",
        r#"{"enum":[]}"#,
        r#"{"enum":[null]}"#,
        r#"{"enum":null}"#,
        r#"{"enum":"a"}"#,
        r#"{"enum":{"a":1}}"#,
        r#"{"enum":["a",["b"]]}"#,
        r#"{"oneOf":[]}"#,
        r#"{"oneOf":null}"#,
        r#"{"oneOf":[{"const":"a"},{"title":"b"}]}"#,
        r#"{"oneOf":[{"const":{}}]}"#,
        r#"{"oneOf":[{"const":null}]}"#,
        r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#,
        r#"{"oneOf":[{"const":"a"},"b"]}"#,
        r#"{"anyOf":[]}"#,
        r#"{"anyOf":[{"type":"null"}]}"#,
        r#"{"anyOf":[{"const":"a"},{"type":"string"}]}"#,
        r#"{"anyOf":[{"const":[1]}]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"type":"object"},{"type":"null"}]}"#,
        r#"{"anyOf":[true,{"type":"null"}]}"#,
        r##"{"$ref":"#/x"}"##,
        r##"{"type":"string","$ref":"#/x"}"##,
        r##"{"anyOf":[{"$ref":"#/x"}]}"##,
        r##"{"anyOf":[{"const":"a","$ref":"#/x"}]}"##,
        r#"{"type":"null"}"#,
        r#"{"type":[]}"#,
        r#"{"type":["null"]}"#,
        r#"{"type":"text"}"#,
        r#"{"type":7}"#,
        r#"{"type":["object","string"]}"#,
        r#"{"type":"array","enum":["a"]}"#,
        r#"{"properties":{"a":{"type":"string"}}}"#,
        r#"{"items":{"type":"string"}}"#,
        r#"{"allOf":[{"type":"string"}]}"#,
        r#"{"const":{}}"#,
        r#"{"const":null}"#,
    ] {
        let schema = json(&format!(r#"{{"title":" Frage ","properties":{{"a":{property},"b":{{"type":"string"}}}}}}"#));
        let form = input_form(&schema);
        assert_eq!(form.kind, Kind::Unsupported, "{property}");
        assert!(form.options.is_empty() && form.fields.is_empty() && !form.free_text, "{property}");
        assert_eq!(form.question, "Frage", "F5 holds for what cannot be shown as well (O5)");
    }
    for schema in [
        "null",
        "true",
        "[]",
        "\"x\"",
        "{}",
        r#"{"properties":null}"#,
        r#"{"properties":[]}"#,
        r#"{"properties":{}}"#,
        r#"{"type":"string","properties":{"a":{}}}"#,
        r#"{"type":["null"],"properties":{"a":{}}}"#,
        r#"{"type":{},"properties":{"a":{}}}"#,
        r##"{"$ref":"#/x","properties":{"a":{}}}"##,
    ] {
        assert_eq!(input_form(&json(schema)).kind, Kind::Unsupported, "{schema}");
    }
}

#[test]
fn a_choice_is_one_property_with_options_and_perhaps_a_text() {
    // F2
    let cases = [
        (r#"{"note":{"type":"string"},"pick":{"enum":["a"]}}"#, "", "choice[a]+text"),
        (r#"{"pick":{"enum":["a"]},"note":{}}"#, "", "choice[a]+text"),
        (
            r#"{"pick":{"enum":["a"]},"note":{"anyOf":[{"type":"string"},{"type":"null"}]}}"#,
            "",
            "choice[a]+text",
        ),
        (r#"{"pick":{"enum":["a"]},"note":{"type":"string"}}"#, "\"pick\"", "choice[a]"),
        (
            r#"{"pick":{"enum":["a"]},"note":{"type":"string"}}"#,
            "\"note\"",
            "form pick:select[a] note:text!",
        ),
        (r#"{"pick":{"enum":["a"]},"n":{"type":"integer"}}"#, "", "form pick:select[a] n:integer"),
        (r#"{"pick":{"enum":["a"]},"b":{},"c":{}}"#, "", "form pick:select[a] b:text c:text"),
        (r#"{"yes":{"type":"boolean"}}"#, "", "form yes:boolean"),
        (
            r#"{"pick":{"enum":[true,false,0,-0.5,1e21,1e-7,"",9007199254740993]}}"#,
            "",
            "choice[true|false|0|-0.5|1e+21|1e-7||9007199254740993]",
        ),
        (r#"{"pick":{"enum":["a"]},"note":{"type":"string"}}"#, "7,null,\"elsewhere\"", "choice[a]+text"),
    ];
    for (properties, required, expected) in cases {
        let schema = json(&format!(r#"{{"properties":{properties},"required":[{required}]}}"#));
        assert_eq!(line(&input_form(&schema)), expected, "{properties}");
    }
}

#[test]
fn the_question_and_the_labels_are_trimmed_and_blanks_are_absent() {
    // F5, F7, M11
    let cases = [
        (r#"{"title":"\u200b","description":" d ","properties":{"a":{"enum":["x"],"title":"t"}}}"#, "d"),
        (r#"{"properties":{"a":{"enum":["x"],"title":" ","description":"\tdd\n"}}}"#, "dd"),
        (
            r#"{"properties":{"a":{"anyOf":[{"enum":["x"],"title":"branch","description":"b"},{"type":"null"}],"description":"own"}}}"#,
            "branch",
        ),
        (
            r#"{"properties":{"a":{"anyOf":[{"enum":["x"],"title":"branch"},{"type":"null"}],"title":"own"}}}"#,
            "own",
        ),
        (r#"{"title":7,"description":{},"properties":{"a":{"enum":["x"]}}}"#, ""),
        (r#"{"properties":{"a":{"type":"string","title":"no choice"}}}"#, ""),
    ];
    for (schema, expected) in cases {
        assert_eq!(question(&json(schema)), expected, "{schema}");
    }
    let form = input_form(&json(
        r#"{"properties":{"a":{"oneOf":[{"const":"x","title":" \u00a0"},{"const":"y","title":"\ufeffYps "}]}}}"#,
    ));
    assert_eq!(line(&form), "choice[x|Yps]");
}

#[test]
fn hostile_sizes_cost_linear_time() {
    // F6: quadratic time would be ten thousand million comparisons here
    let names: Vec<String> = (0..100_000).map(|n| format!("property_{n:06}")).collect();
    let entries = |value: &Value| Value::Map(names.iter().map(|name| (name.clone(), value.clone())).collect());
    let schema = Value::map([
        ("properties", entries(&Value::map([("type", "integer".into())]))),
        ("required", Value::texts(names.iter().rev().cloned())),
    ]);
    let mut given = entries(&Value::Number(1.0)).as_map().unwrap().to_vec();
    given.reverse();
    let answered = answer_form(&schema, &Value::map([("fields", Value::Map(given))]), &Words::default()).unwrap();
    assert_eq!(answered.data.len(), names.len());
    assert_eq!(answered.data[7].0, names[7]);

    let options = Value::map([("enum", Value::List(vec!["same".into(); 100_000]))]);
    let schema = Value::map([("properties", Value::map([("a", options)]))]);
    assert_eq!(input_form(&schema).options.len(), 100_000);
    assert!(answer_form(&schema, &Value::map([("choice", "same".into())]), &Words::default()).is_some());

    let mut deep = json(r#"{"type":"integer"}"#);
    for _ in 0..1000 {
        deep = Value::map([("anyOf", Value::List(vec![deep, json(r#"{"type":"null"}"#)]))]);
    }
    let form = input_form(&Value::map([("properties", Value::map([("a", deep)]))]));
    assert_eq!(line(&form), "form a:integer");
}

#[test]
fn a_number_that_is_none_is_no_option() {
    // F4: JSON has no such numbers, JavaScript has
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let schema = Value::map([("properties", Value::map([("a", Value::map([("enum", Value::List(vec![number.into()]))]))]))]);
        assert_eq!(input_form(&schema).kind, Kind::Unsupported, "{number}");
    }
}
