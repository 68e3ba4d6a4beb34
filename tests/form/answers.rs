//! What a person may answer to a question, and what becomes of it (rules F6, F7).

use agent_turn::form::{Words, answer_form};

use super::answered;
use super::vectors::json;

/// The answer to a schema in JSON, as JSON or null.
fn answer(schema: &str, given: &str) -> String {
    let answered = answered(answer_form(&json(schema), &json(given), &Words::german()));
    serde_json::to_string(&answered).unwrap().replace(".0", "")
}

#[test]
fn a_value_fits_its_type_or_the_answer_is_refused() {
    // F6; the field is `a`, null means refused
    let integer = r#"{"type":"integer"}"#;
    let number = r#"{"type":"number"}"#;
    let text = r#"{"type":"string"}"#;
    let truth = r#"{"type":"boolean"}"#;
    let select = r#"{"enum":["1",1,true,"",-0.0]}"#;
    let cases = [
        (integer, "40", "40"),
        (integer, r#""40""#, "40"),
        (integer, r#""\u00a0-007\ufeff""#, "-7"),
        (integer, "-0.0", "0"),
        (integer, r#""-0""#, "0"),
        (integer, "9007199254740991", "9007199254740991"),
        (integer, r#""-9007199254740991""#, "-9007199254740991"),
        (integer, "5.0", "5"),
        (integer, "9007199254740992", "null"),
        (integer, r#""9007199254740992""#, "null"),
        (integer, "9007199254740993", "null"),
        (integer, "1e300", "null"),
        (integer, "1.5", "null"),
        (integer, r#""1.0""#, "null"),
        (integer, r#""1e2""#, "null"),
        (integer, r#""--1""#, "null"),
        (integer, r#""-""#, "null"),
        (integer, r#""0x10""#, "null"),
        (integer, r#""٣""#, "null"),
        (integer, r#""1 000""#, "null"),
        (integer, r#"" ""#, "null"),
        (integer, "true", "null"),
        (integer, "[1]", "null"),
        (number, "2.5", "2.5"),
        (number, r#""-0.5e+1""#, "-5"),
        (number, r#"" 1E2 ""#, "100"),
        (number, r#""0""#, "0"),
        (number, r#""-0.0""#, "0"),
        (number, r#""1e-400""#, "0"),
        (number, r#""1e999""#, "null"),
        (number, r#"".5""#, "null"),
        (number, r#""5.""#, "null"),
        (number, r#""05""#, "null"),
        (number, r#""1e""#, "null"),
        (number, r#""1e+""#, "null"),
        (number, r#""+1""#, "null"),
        (number, r#""inf""#, "null"),
        (number, r#""NaN""#, "null"),
        (number, r#""Infinity""#, "null"),
        (number, r#""1,5""#, "null"),
        (number, r#""1_0""#, "null"),
        (number, r#""-""#, "null"),
        (number, r#""1\n2""#, "null"),
        (number, "false", "null"),
        (text, r#"" x\u0000y\u0007 ""#, r#""xy""#),
        (text, r#""a\r\nb\tc""#, r#""a\nb\tc""#),
        (text, r#""\u200b""#, "null"),
        (text, r#""\u0000""#, "null"),
        (text, "7", "null"),
        (text, r#"{"toString":1}"#, "null"),
        (truth, "true", "true"),
        (truth, r#""true""#, "null"),
        (truth, "1", "null"),
        (truth, "0", "null"),
        (select, "1", "1"),
        (select, r#""1""#, r#""1""#),
        (select, "true", "true"),
        (select, r#""""#, r#""""#),
        (select, r#""true""#, "null"),
        (select, r#"" 1""#, "null"),
        (select, "[1]", "null"),
    ];
    for (property, given, expected) in cases {
        let schema = format!(r#"{{"properties":{{"a":{property},"b":{{"type":"integer"}}}}}}"#);
        let answered = answer(&schema, &format!(r#"{{"fields":{{"a":{given}}}}}"#));
        match expected {
            "null" => assert_eq!(answered, "null", "{property} {given}"),
            value => assert!(answered.starts_with(&format!(r#"{{"data":{{"a":{value}}}"#)), "{property} {given}: {answered}"),
        }
    }
}

#[test]
fn what_is_not_given_is_left_out_or_missed() {
    // F6
    for property in [
        r#"{"type":"string"}"#,
        r#"{"type":"integer"}"#,
        r#"{"type":"number"}"#,
        r#"{"type":"boolean"}"#,
        r#"{"enum":["x"]}"#,
    ] {
        let schema = |required: &str| format!(r#"{{"properties":{{"a":{property},"b":{{"type":"integer"}}}},"required":[{required}]}}"#);
        for given in ["", r#""a":null,"#, r#""a":"","#] {
            let answer = |required| answer(&schema(required), &format!(r#"{{"fields":{{{given}"b":1}}}}"#));
            assert_eq!(answer(""), r#"{"data":{"b":1},"display":"b: 1"}"#, "{property} {given}");
            assert_eq!(answer("\"a\""), "null", "{property} {given}");
        }
    }
}

#[test]
fn an_answer_names_one_of_three_and_the_one_of_its_form() {
    // F6
    let choice = r#"{"properties":{"pick":{"enum":["a","b"]},"note":{"type":"string"}}}"#;
    let closed = r#"{"properties":{"pick":{"enum":["a","b"]}}}"#;
    let form = r#"{"properties":{"pick":{"enum":["a","b"]},"n":{"type":"integer"}}}"#;
    let cases = [
        (choice, r#"{"choice":"a"}"#, r#"{"data":{"pick":"a"},"display":"a"}"#),
        (choice, r#"{"choice":"a","turnDigest":"d"}"#, r#"{"data":{"pick":"a"},"display":"a"}"#),
        (choice, r#"{"freeText":" t "}"#, r#"{"data":{"note":"t"},"display":"t"}"#),
        (choice, r#"{"choice":"a","freeText":null}"#, "null"),
        (choice, r#"{"choice":null}"#, "null"),
        (choice, r#"{"freeText":7}"#, "null"),
        (choice, r#"{"fields":{"pick":"a"}}"#, "null"),
        (closed, r#"{"freeText":"t"}"#, "null"),
        (form, r#"{"choice":"a"}"#, "null"),
        (form, r#"{"freeText":"a"}"#, "null"),
        (form, r#"{"fields":{"pick":"a"},"choice":"a"}"#, "null"),
        (form, r#"{"fields":[["pick","a"]]}"#, "null"),
        (form, r#"{"fields":{}}"#, "null"),
        (form, r#"{"fields":{"elsewhere":1}}"#, "null"),
        (form, "{}", "null"),
        (form, "null", "null"),
        (form, "\"a\"", "null"),
    ];
    for (schema, given, expected) in cases {
        assert_eq!(answer(schema, given), expected, "{given}");
    }
}

#[test]
fn the_display_line_speaks_the_language_of_the_form() {
    // F7
    let schema = r#"{"properties":{"b":{"type":"boolean","title":"Öffentlich"},"s":{"oneOf":[{"const":1,"title":"Nord"},{"const":2}],"title":"Raum"},
        "n":{"type":"number"},"__proto__":{"type":"string"}}}"#;
    let given = r#"{"fields":{"__proto__":" p ","n":"1e21","s":1,"b":true}}"#;
    assert_eq!(
        answer(schema, given),
        r#"{"data":{"b":true,"s":1,"n":1e+21,"__proto__":"p"},"display":"Öffentlich: ja\nRaum: Nord\nn: 1e+21\n__proto__: p"}"#
    );
}
