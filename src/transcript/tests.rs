//! Tables: what is stored, and what goes out.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod files;

use super::*;
use crate::plain::{PlainFiles, PlainMessages};

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {json}"))
}

fn stored(json: &str) -> PlainMessages {
    PlainMessages(parsed(json).as_list().expect("a list").to_vec())
}

fn quiet() -> Input {
    Input {
        identity: Some(String::new()),
        ..Input::default()
    }
}

fn sent(messages: &PlainMessages, files: &PlainFiles, input: &Input) -> Result<Value, Error> {
    let plan = plan(messages, files, input)?;
    Ok(Value::List(messages.weave(files, &plan)))
}

/// Plays rows of (what is stored, what is sent) without prompt and files.
fn table(input: &Input, rows: &[(&str, &str)]) {
    for (before, after) in rows {
        let wire = sent(&stored(before), &PlainFiles::default(), input).expect(before);
        assert_eq!(wire, parsed(after), "{before}");
    }
}

#[test]
fn texts_beside_tool_calls_join_the_answer() {
    // M4, M8
    table(
        &quiet(),
        &[
            // a row in the middle of nothing
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"B","besideToolCall":true}]"#,
                r#"[{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            // an unmarked answer before the row is no part of it
            (
                r#"[{"role":"assistant","content":"0"},{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"0"},{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            // a blank one adds nothing, but unmarked it ends the row like any other
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":" "},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":"B"}]"#,
            ),
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":" ","besideToolCall":true},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            (
                r#"[{"role":"assistant","content":"0"},{"role":"assistant","content":"","besideToolCall":true},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"0"},{"role":"assistant","content":"B"}]"#,
            ),
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"","notice":"noAnswer"},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":"B"}]"#,
            ),
            // what a person says ends it, sent or not
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"user","content":"x","notice":"guardrail"},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":"B"}]"#,
            ),
            // what is no message does not
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},null,7,{"role":"developer","content":"x"},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            // only text joins
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":[{"type":"text","text":"B"}]}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":[{"type":"text","text":"B"}]}]"#,
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"text","text":"A"}],"besideToolCall":true},{"role":"assistant","content":"B","besideToolCall":true},{"role":"assistant","content":"C"}]"#,
                r#"[{"role":"assistant","content":[{"type":"text","text":"A"}]},{"role":"assistant","content":"B\n\nC"}]"#,
            ),
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"B","tool_calls":[{"id":"c"}]},{"role":"tool","tool_call_id":"c","content":"r"}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":"B","tool_calls":[{"id":"c"}]},{"role":"tool","content":"r","tool_call_id":"c"}]"#,
            ),
            // a call that is not sent is no call
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true,"tool_calls":[{"id":"c"}]},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            // nobody's name stands over what two said
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true,"name":"n"},{"role":"assistant","content":"B","name":"n","besideToolCall":true},{"role":"user","content":"x","name":"u"}]"#,
                r#"[{"role":"assistant","content":"A\n\nB","name":"n"},{"role":"user","content":"x","name":"u"}]"#,
            ),
            (
                r#"[{"role":"assistant","content":"A","besideToolCall":true,"name":"n"},{"role":"assistant","content":"B"}]"#,
                r#"[{"role":"assistant","content":"A\n\nB"}]"#,
            ),
            // the mark means something on the assistant's messages only
            (
                r#"[{"role":"user","content":"A","besideToolCall":true},{"role":"user","content":"B"},{"role":"assistant","content":"C","besideToolCall":1},{"role":"assistant","content":"D"}]"#,
                r#"[{"role":"user","content":"A"},{"role":"user","content":"B"},{"role":"assistant","content":"C"},{"role":"assistant","content":"D"}]"#,
            ),
        ],
    );
}

#[test]
fn providers_without_repeated_roles_get_texts_joined() {
    // M8
    let input = Input {
        task: TaskPrompts {
            accepts: Accepts {
                repeated_roles: false,
                ..Accepts::default()
            },
            ..TaskPrompts::default()
        },
        ..quiet()
    };
    table(
        &input,
        &[
            // also where what stood between is not sent
            (
                r#"[{"role":"user","content":"A"},{"role":"assistant","content":""},{"role":"user","content":"B"},{"role":"user","content":"x","notice":"guardrail"},{"role":"user","content":"C"}]"#,
                r#"[{"role":"user","content":"A\n\nB\n\nC"}]"#,
            ),
            // arrays, calls and results stay by themselves
            (
                r#"[{"role":"user","content":"A"},{"role":"user","content":[{"type":"text","text":"B"}]},{"role":"user","content":"C"},{"role":"user","content":"D"}]"#,
                r#"[{"role":"user","content":"A"},{"role":"user","content":[{"type":"text","text":"B"}]},{"role":"user","content":"C\n\nD"}]"#,
            ),
            (
                r#"[{"role":"system","content":"A"},{"role":"system","content":"B"},{"role":"assistant","content":"C"},{"role":"assistant","content":"D","tool_calls":[{"id":"c"},{"id":"d"}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"tool","tool_call_id":"d","content":"s"}]"#,
                r#"[{"role":"system","content":"A\n\nB"},{"role":"assistant","content":"C"},{"role":"assistant","content":"D","tool_calls":[{"id":"c"},{"id":"d"}]},{"role":"tool","content":"r","tool_call_id":"c"},{"role":"tool","content":"s","tool_call_id":"d"}]"#,
            ),
        ],
    );
    let wire = sent(
        &stored(
            r#"[{"role":"user","content":"A","fileUid":7,"fileName":"x.png"},{"role":"assistant","content":"w","notice":"alreadyWritten","noticeArgs":["pages:1"]},{"role":"user","content":"B"}]"#,
        ),
        &PlainFiles::default(),
        &input,
    );
    let text = wire.expect("a transcript").as_list().expect("a list")[0].get("content").text_or_empty();
    assert!(text.starts_with("A\n[File x.png (uid 7) is no longer available]\n\n("), "{text}");
    assert!(text.contains("pages:1") && text.ends_with(")\n\nB"), "{text}");
}

#[test]
fn notices_become_words_for_the_model() {
    // M5
    let wire = |json: &str| sent(&stored(json), &PlainFiles::default(), &quiet()).expect(json);
    let content = |wire: &Value, at: usize| wire.as_list().expect("a list")[at].get("content").text_or_empty();

    let corrected = wire(
        r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"Saved.","notice":"nothingSaved"},{"role":"assistant","content":"B"}]"#,
    );
    assert_eq!(content(&corrected, 0), format!("A\n\nSaved.\n\n{}", notices::CORRECTION));
    assert_eq!(content(&corrected, 1), "B");

    let parts = wire(r#"[{"role":"assistant","content":[{"type":"text","text":"Saved."}],"notice":"nothingSaved"}]"#);
    let list = parts.as_list().expect("a list")[0].get("content").clone();
    assert_eq!(list.as_list().expect("parts").len(), 2);
    assert_eq!(list.as_list().expect("parts")[1].get("text"), &Value::from(notices::CORRECTION));

    let blank = wire(r#"[{"role":"assistant","content":"","notice":"nothingSaved"}]"#);
    assert_eq!(blank, Value::List(vec![]));

    let unknown = wire(
        r#"[{"role":"assistant","content":"A","besideToolCall":true},{"role":"assistant","content":"…","notice":"alreadyWritten","noticeArgs":[]},{"role":"assistant","content":"B"}]"#,
    );
    let roles: Vec<String> = unknown.as_list().expect("a list").iter().map(|m| m.get("role").text_or_empty()).collect();
    assert_eq!(roles, ["assistant", "user", "assistant"]);
    assert!(content(&unknown, 1).contains("unknown what it wrote"));

    let outside = wire(
        r#"[{"role":"user","content":"go on"},{"role":"assistant","content":"pages:1,pages:2","notice":"runFinishedOutside","noticeArgs":["pages:1","pages:2"]},{"role":"assistant","content":"B"},{"role":"assistant","content":"…","notice":"runFinishedOutside"}]"#,
    );
    assert!(content(&outside, 1).contains("pages:1") && content(&outside, 1).contains("pages:2"));
    assert_eq!(content(&outside, 2), "B");
    assert!(content(&outside, 3).contains("no record"));

    // a notice means something only where the component writes it
    table(
        &quiet(),
        &[(
            r#"[{"role":"user","content":"A","notice":"noAnswer"},{"role":"assistant","content":"B","notice":"guardrail"},{"role":"user","content":"C","notice":"x"}]"#,
            r#"[{"role":"user","content":"A"},{"role":"assistant","content":"B"},{"role":"user","content":"C"}]"#,
        )],
    );
}

#[test]
fn calls_and_results_are_sent_in_pairs() {
    // M8
    table(
        &quiet(),
        &[
            // an id is used once, and a call that is not sent does not use it up
            (
                r#"[{"role":"assistant","content":"A","tool_calls":[{"id":"c"}]},{"role":"assistant","content":"","tool_calls":[{"id":"c"},{"id":"c"}]},{"role":"tool","tool_call_id":"c","content":"1"},{"role":"tool","tool_call_id":"c","content":"2"},{"role":"assistant","content":"B","tool_calls":[{"id":"c"}]},{"role":"tool","tool_call_id":"c","content":"3"}]"#,
                r#"[{"role":"assistant","content":"A"},{"role":"assistant","content":"","tool_calls":[{"id":"c"}]},{"role":"tool","content":"1","tool_call_id":"c"},{"role":"assistant","content":"B"}]"#,
            ),
            // a message that is not sent takes its calls along
            (
                r#"[{"role":"assistant","content":"…","notice":"noAnswer","tool_calls":[{"id":"c"}]},{"role":"tool","tool_call_id":"c","content":"1"}]"#,
                "[]",
            ),
            // results without a call, without an id, and calls that are none
            (
                r#"[{"role":"tool","tool_call_id":"c","content":"1"},{"role":"assistant","content":"A","tool_calls":[null,7,{"id":5},{"id":""},"x"]},{"role":"tool","content":"2"},{"role":"tool","tool_call_id":"","content":"3"},{"role":"tool","tool_call_id":5,"content":"4"}]"#,
                r#"[{"role":"assistant","content":"A"}]"#,
            ),
            // content that is neither text nor parts is empty
            (
                r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"c"},{"id":"d"}]},{"role":"tool","tool_call_id":"c","content":[],"name":"f"},{"role":"tool","tool_call_id":"d","content":{"a":1}},{"role":"user","content":5},{"role":"assistant"}]"#,
                r#"[{"role":"assistant","content":"","tool_calls":[{"id":"c"},{"id":"d"}]},{"role":"tool","content":"","tool_call_id":"c","name":"f"},{"role":"tool","content":"","tool_call_id":"d"}]"#,
            ),
            // arguments become text, texts and everything else stay
            (
                r#"[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"arguments":[1,{"x":null}],"name":"f","more":true}},{"id":"b","arguments":{"z":1.50,"a":"ä"},"type":"t"},{"id":"c","function":{"arguments":null}},{"id":"d","function":{"arguments":"{ } "}},{"id":"e","function":{"arguments":7}}]},{"role":"tool","tool_call_id":"e","content":"5"},{"role":"tool","tool_call_id":"d","content":"4"},{"role":"tool","tool_call_id":"c","content":"3"},{"role":"tool","tool_call_id":"b","content":"2"},{"role":"tool","tool_call_id":"a","content":"1"}]"#,
                r#"[{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"arguments":"[1,{\"x\":null}]","name":"f","more":true}},{"id":"b","arguments":"{\"z\":1.5,\"a\":\"ä\"}","type":"t"},{"id":"c","function":{"arguments":"{}"}},{"id":"d","function":{"arguments":"{ } "}},{"id":"e","function":{"arguments":"7"}}]},{"role":"tool","content":"5","tool_call_id":"e"},{"role":"tool","content":"4","tool_call_id":"d"},{"role":"tool","content":"3","tool_call_id":"c"},{"role":"tool","content":"2","tool_call_id":"b"},{"role":"tool","content":"1","tool_call_id":"a"}]"#,
            ),
            // provider fields where they do not belong stay at home
            (
                r#"[{"role":"user","content":"A","tool_calls":[{"id":"c"}],"tool_call_id":"c","name":""},{"role":"tool","tool_call_id":"c","content":"1"},{"role":"system","content":"S","name":{"a":1}}]"#,
                r#"[{"role":"user","content":"A"},{"role":"system","content":"S"}]"#,
            ),
        ],
    );
}

#[test]
fn unchanged_messages_are_only_pointed_at() {
    // M10
    let rows = vec![r#"{"role":"user","content":"A"},{"role":"assistant","content":"\n\n👍 B"},{"role":"system","content":"中"}"#; 100];
    let messages = stored(&format!("[{}]", rows.join(",")));
    let plan = plan(&messages, &PlainFiles::default(), &quiet()).expect("a plan");
    assert_eq!(plan.ops, [Op::Copy { start: 0, count: 300 }]);
}
