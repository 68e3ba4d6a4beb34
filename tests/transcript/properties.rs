//! What holds whatever is stored.

use std::collections::BTreeSet;

use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::text;
use agent_turn::transcript::{Accepts, Input, TaskPrompts, plan};
use agent_turn::value::Value;
use proptest::prelude::*;

/// Keys and texts, hostile ones among them.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "",
        "role",
        "content",
        "user",
        "tool_calls",
        "id",
        "fileUid",
        "__proto__",
        "constructor",
        "\0\u{FFFD}",
        "\u{202E}",
        "ä 👍",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        any::<i64>().prop_map(Value::Integer),
        word().prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((word(), inner), 0..4).prop_map(Value::Map),
        ]
    })
}

fn one_of(json: &'static str) -> impl Strategy<Value = Value> {
    let values: Vec<Value> = serde_json::from_str(json).expect(json);
    prop::sample::select(values)
}

/// A field that is often missing and sometimes nonsense.
fn field(json: &'static str) -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        6 => Just(None),
        6 => one_of(json).prop_map(Some),
        1 => any_value().prop_map(Some),
    ]
}

/// Messages close to real ones: few ids, so that they meet.
fn messages() -> impl Strategy<Value = Vec<Value>> {
    let roles = one_of(r#"["user","user","assistant","assistant","assistant","tool","tool","system","developer"]"#);
    let contents = one_of(r#"["eins","zwei"," drei ","","\n ","\u200b",null,7,[],{"a":1},[{"type":"text","text":"vier"}],"fünf 👍"]"#);
    let calls = field(
        r#"[[],[{"id":"a","function":{"name":"f","arguments":"{}"}}],[{"id":"b","function":{"arguments":{"x":1.5}}},{"id":"a"}],[{"id":"a"},{"id":"a"},null,{"id":""}]]"#,
    );
    let message = (
        (roles, contents),
        calls,
        field(r#"["a","b","b",""]"#),
        field(r#"["anna",""]"#),
        field("[true]"),
        field(r#"["nothingSaved","noAnswer","alreadyWritten","runFinishedOutside","guardrail","other"]"#),
        field(r#"[["pages:1","tt_content:2"],[]]"#),
        field(r#"[[{"fileUid":1,"fileName":"a.png"}],[{"fileUid":2},{"fileUid":3}],[]]"#),
    )
        .prop_map(|((role, content), calls, id, name, beside, notice, args, files)| {
            let keys = ["tool_calls", "tool_call_id", "name", "besideToolCall", "notice", "noticeArgs", "files"];
            let rest = [calls, id, name, beside, notice, args, files];
            let mut entries = vec![("role".to_owned(), role), ("content".to_owned(), content)];
            entries.extend(keys.iter().zip(rest).filter_map(|(key, value)| Some(((*key).to_owned(), value?))));
            Value::Map(entries)
        });
    prop::collection::vec(prop_oneof![20 => message, 1 => any_value()], 0..12)
}

fn files() -> PlainFiles {
    let json = r#"{"1":{"name":"a.png","identifier":"1:/a.png","mimeType":"image/png","base64":"iVBORw0KGgoAAAAN"},
                   "2":{"name":"b.txt","identifier":"","mimeType":"text/plain","base64":"YQ==","extractedText":"a"}}"#;
    PlainFiles::from_value(&serde_json::from_str(json).expect("files"))
}

fn wire(stored: &[Value], repeated_roles: bool, budget: f64) -> Vec<Value> {
    let input = Input {
        identity: Some(String::new()),
        task: TaskPrompts {
            accepts: Accepts {
                images: true,
                documents: true,
                repeated_roles,
            },
            ..TaskPrompts::default()
        },
        attachment_budget: Some(budget),
        ..Input::default()
    };
    let messages = PlainMessages(stored.to_vec());
    let plan = plan(&messages, &files(), &input).expect("a transcript");
    messages.weave(&files(), &plan)
}

fn role(message: &Value) -> String {
    message.get("role").text_or_empty()
}

fn ids(message: &Value) -> Vec<String> {
    let calls = message.get("tool_calls").as_list().unwrap_or_default();
    calls.iter().map(|call| call.get("id").text_or_empty()).collect()
}

/// Every text that a message carries.
fn texts(message: &Value) -> Vec<String> {
    match message.get("content") {
        Value::Text(text) => vec![text.clone()],
        content => content
            .as_list()
            .unwrap_or_default()
            .iter()
            .map(|part| part.get("text").text_or_empty())
            .collect(),
    }
}

/// What every runtime may rely on (rules M3, M8).
fn well_formed(wire: &[Value]) -> Result<(), TestCaseError> {
    let mut used = BTreeSet::new();
    let mut owed = BTreeSet::new();
    for message in wire {
        let entries = message.as_map().expect("an object");
        for (key, value) in entries {
            prop_assert!(["role", "content", "tool_calls", "tool_call_id", "name"].contains(&key.as_str()));
            prop_assert!(!value.is_null());
        }
        let content = message.get("content");
        let (calls, id) = (ids(message), message.get("tool_call_id").as_text());
        prop_assert!(content.as_text().is_some() || content.as_list().is_some_and(|parts| !parts.is_empty()));
        if role(message) == "tool" {
            prop_assert!(owed.remove(id.expect("the id of a call")), "a result without its call");
            continue;
        }
        prop_assert!(["system", "user", "assistant"].contains(&role(message).as_str()));
        prop_assert!(owed.is_empty(), "calls without a result: {:?}", owed);
        prop_assert!(id.is_none());
        prop_assert!(!message.has("tool_calls") || (role(message) == "assistant" && !calls.is_empty()));
        prop_assert!(!calls.is_empty() || content.as_list().is_some() || !text::is_blank(&content.text_or_empty()));
        for call in calls {
            prop_assert!(used.insert(call.clone()), "an id used twice");
            owed.insert(call);
        }
        for call in message.get("tool_calls").as_list().unwrap_or_default() {
            let arguments = call.get("function").get("arguments");
            prop_assert!(arguments.is_null() || arguments.as_text().is_some());
        }
    }
    prop_assert!(owed.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(super::seed::seeded(400))]

    /// M3, M8: whatever is stored, what goes out is well formed.
    #[test]
    fn any_messages_give_a_well_formed_transcript(stored in messages(), repeated in any::<bool>(), budget in 0.0..40.0) {
        well_formed(&wire(&stored, repeated, budget))?;
    }

    /// M8: repairing twice changes nothing.
    #[test]
    fn a_transcript_of_a_transcript_is_the_same(stored in messages(), repeated in any::<bool>()) {
        let once = wire(&stored, repeated, 100.0);
        prop_assert_eq!(wire(&once, repeated, 100.0), once);
    }

    /// M8: a provider without repeated roles never gets two texts of one role in a row.
    #[test]
    fn texts_of_one_role_are_joined_where_they_must(stored in messages()) {
        let wire = wire(&stored, false, 0.0);
        let plain = |message: &Value| !message.has("tool_calls") && message.get("content").as_text().is_some() && role(message) != "tool";
        for pair in wire.windows(2) {
            prop_assert!(!(plain(&pair[0]) && plain(&pair[1]) && role(&pair[0]) == role(&pair[1])), "{:?}", pair);
        }
    }

    /// M1, M8a: no visible text of a person is lost, and they keep their order.
    #[test]
    fn what_a_person_said_is_sent(stored in messages(), repeated in any::<bool>()) {
        let wire = wire(&stored, repeated, 20.0);
        let sent: Vec<String> = wire.iter().filter(|message| role(message) == "user").flat_map(texts).collect();
        let sent = sent.join("\n");
        let mut rest = sent.as_str();
        for message in stored.iter().filter(|m| role(m) == "user" && m.get("notice") != &Value::from("guardrail")) {
            for said in texts(message).iter().filter(|said| !text::is_blank(said)) {
                let found = rest.find(said.as_str());
                prop_assert!(found.is_some(), "{:?} in {:?}", said, sent);
                rest = &rest[found.unwrap_or_default() + said.len()..];
            }
        }
    }

    /// M6a: what is sent of files stays within the budget.
    #[test]
    fn attachments_keep_to_the_budget(stored in messages(), budget in 0.0..80.0) {
        let wire = wire(&stored, true, budget);
        let weight: usize = wire.iter()
            .flat_map(|message| message.get("content").as_list().unwrap_or_default())
            .map(|part| {
                let url = part.get("image_url").get("url").text_or_empty();
                url.trim_start_matches("data:image/png;base64,").len() + part.get("source").get("data").text_or_empty().len()
            })
            .sum();
        prop_assert!(weight as f64 <= budget);
    }
}
