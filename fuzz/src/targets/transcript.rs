//! The transcript of a turn (rules M1-M11, N8).

use std::collections::BTreeSet;

use agent_turn::error::Error;
use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::text;
use agent_turn::transcript::{Accepts, Input, TaskPrompts, files_to_read, plan};
use agent_turn::value::Value;

use crate::bytes::Bytes;
use crate::given;

/// Whatever is stored, what goes out is what providers take, nothing a person said is lost, and building it again changes nothing.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let accepts = Accepts {
        images: bytes.flag(),
        documents: bytes.flag(),
        repeated_roles: bytes.flag(),
    };
    let budget = bytes.below(60) as f64;
    let files = given::files(bytes);
    let stored = given::messages(bytes);
    let before = format!("{stored:?}");
    files_to_read(&stored).expect("plain messages can be read");
    let Some(wire) = built(&stored, &files, accepts, budget) else { return };
    assert_eq!(before, format!("{stored:?}"), "M9: nothing is stored");
    well_formed(&wire);
    said(&stored, &wire);
    weighs(&wire, budget);
    if !accepts.repeated_roles {
        joined(&wire);
    }
    let again = built(&PlainMessages(wire.clone()), &PlainFiles::default(), accepts, budget).expect("a repaired transcript");
    assert_eq!(format!("{again:?}"), format!("{wire:?}"), "M8: repairing twice changes it");
}

/// `None`: the last user message carries a file that this provider does not take (rule M6).
fn built(messages: &PlainMessages, files: &PlainFiles, accepts: Accepts, budget: f64) -> Option<Vec<Value>> {
    let input = Input {
        identity: Some(String::new()),
        task: TaskPrompts {
            accepts,
            ..TaskPrompts::default()
        },
        attachment_budget: Some(budget),
        ..Input::default()
    };
    match plan(messages, files, &input) {
        Ok(plan) => Some(messages.weave(files, &plan)),
        Err(Error::AttachmentUnsupported(_)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

fn role(message: &Value) -> String {
    message.get("role").text_or_empty()
}

/// M3, M8.
fn well_formed(wire: &[Value]) {
    let mut used = BTreeSet::new();
    let mut owed = BTreeSet::new();
    for message in wire {
        for (key, value) in message.as_map().expect("an object") {
            assert!(["role", "content", "tool_calls", "tool_call_id", "name"].contains(&key.as_str()), "M3: {key}");
            assert!(!value.is_null(), "{key} is null");
        }
        let content = message.get("content");
        assert!(content.as_text().is_some() || content.as_list().is_some_and(|parts| !parts.is_empty()));
        if role(message) == "tool" {
            let id = message.get("tool_call_id").text_or_empty();
            assert!(owed.remove(&id), "M8: a result without its call");
            continue;
        }
        assert!(["system", "user", "assistant"].contains(&role(message).as_str()));
        assert!(owed.is_empty(), "M8: calls without a result: {owed:?}");
        let calls = message.get("tool_calls").as_list().unwrap_or_default();
        assert!(!message.has("tool_calls") || (role(message) == "assistant" && !calls.is_empty()));
        assert!(
            !calls.is_empty() || content.as_list().is_some() || !text::is_blank(&content.text_or_empty()),
            "M8: blank"
        );
        for call in calls {
            let id = call.get("id").text_or_empty();
            assert!(used.insert(id.clone()) && owed.insert(id), "M8: an id used twice");
            let arguments = match call.get("function") {
                function @ Value::Map(_) => function.get("arguments"),
                _ => call.get("arguments"),
            };
            assert!(arguments.is_null() || arguments.as_text().is_some(), "M8: arguments are a text");
        }
    }
    assert!(owed.is_empty(), "M8: {owed:?}");
}

fn texts(message: &Value) -> Vec<String> {
    match message.get("content") {
        Value::Text(text) => vec![text.clone()],
        content => {
            let parts = content.as_list().unwrap_or_default().iter();
            parts.map(|part| part.get("text").text_or_empty()).collect()
        }
    }
}

/// M1, M8a: every visible text of a person is sent, in its order.
fn said(stored: &PlainMessages, wire: &[Value]) {
    let sent: Vec<String> = wire.iter().filter(|message| role(message) == "user").flat_map(texts).collect();
    let sent = sent.join("\n");
    let mut rest = sent.as_str();
    let guarded = |message: &Value| message.get("notice").as_text() == Some("guardrail");
    for message in stored.0.iter().filter(|message| role(message) == "user" && !guarded(message)) {
        for said in texts(message).iter().filter(|said| !text::is_blank(said)) {
            let found = rest.find(said.as_str());
            rest = &rest[found.unwrap_or_else(|| panic!("M1: {said:?} is not in {sent:?}")) + said.len()..];
        }
    }
}

/// M8: a provider without repeated roles never gets two texts of one role in a row.
fn joined(wire: &[Value]) {
    let plain = |message: &Value| !message.has("tool_calls") && message.get("content").as_text().is_some() && role(message) != "tool";
    let named = |message: &Value| message.get("name").clone();
    for pair in wire.windows(2) {
        let same = role(&pair[0]) == role(&pair[1]) && format!("{:?}", named(&pair[0])) == format!("{:?}", named(&pair[1]));
        assert!(!(plain(&pair[0]) && plain(&pair[1]) && same), "M8: {pair:?}");
    }
}

/// M6a: what is sent of files stays within the budget.
fn weighs(wire: &[Value], budget: f64) {
    let data = |part: &Value| {
        let url = part.get("image_url").get("url").text_or_empty();
        let image = url.split_once(";base64,").map_or(0, |(_, data)| data.len());
        image + part.get("source").get("data").text_or_empty().len()
    };
    let parts = wire.iter().flat_map(|message| message.get("content").as_list().unwrap_or_default());
    let weight: usize = parts.filter(|part| part.get("type").as_text() != Some("text")).map(data).sum();
    assert!(weight as f64 <= budget, "M6a: {weight} of {budget}");
}
