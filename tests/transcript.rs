//! The transcript as a whole: the vectors, and what holds for any stored messages (rules M1-M11, N8).

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

#[path = "transcript/properties.rs"]
mod properties;
#[path = "rules/seed.rs"]
mod seed;
#[path = "rules/vectors.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod vectors;

use agent_turn::conversation::{MessagePatch, Messages, NewMessage};
use agent_turn::error::Error;
use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::transcript::{Input, PromptContext, TaskPrompts, plan};
use agent_turn::value::Value;

/// `buildTranscript`, over plain values.
fn build_transcript(input: &Value) -> Result<Value, Error> {
    let conversation = input.get("conversation");
    let messages = conversation.get("messages").as_list();
    let messages = PlainMessages(messages.expect("messages").to_vec());
    let files = PlainFiles::from_value(input.get("files"));
    let input = Input {
        system_prompt: conversation.get("systemPrompt").text_or_empty(),
        task: TaskPrompts::from_value(input.get("task")),
        identity: input.get("identityPrompt").as_text().map(str::to_owned),
        context: PromptContext::from_value(input.get("context")),
        attachment_budget: input.get("attachmentBudget").as_number(),
    };
    let plan = plan(&messages, &files, &input)?;
    Ok(Value::List(messages.weave(&files, &plan)))
}

/// The calls of `buildTranscript` among the vectors of a file whose id begins so; the scenarios are played where there is an engine.
fn calls(file: &str, id: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).expect("the vectors");
    let id = format!("{{\"id\":\"{id}");
    lines
        .lines()
        .filter(|line| line.starts_with(&id))
        .map(|line| serde_json::from_str::<Value>(line).expect(line))
        .filter(|vector| vector.get("call") == &Value::from("buildTranscript"))
        .collect()
}

fn play(vector: &Value) -> Result<(), String> {
    let input = &vector.get("args").as_list().expect("arguments")[0];
    let code = vector.get("throws").get("code");
    match build_transcript(input) {
        Ok(_) if !code.is_null() => Err(format!("expected the error {code:?}")),
        Ok(wire) => vectors::differ(vector.get("expect"), &wire, "$"),
        Err(error) => {
            vectors::differ(code, &Value::from(error.code()), "$.code")?;
            match vector.get("throws").get("message") {
                Value::Null => Ok(()),
                message => vectors::differ(message, &Value::from(error.to_string()), "$.message"),
            }
        }
    }
}

#[test]
fn the_vectors_hold() {
    let mut played = calls("transcript.jsonl", "transcript-");
    assert_eq!(played.len(), 39, "two of the 41 are scenarios");
    // what the boundary refuses is tested there: a nesting that is too deep, and messages that are no list
    played.extend(calls("faults.jsonl", "faults-010"));
    assert_eq!(played.len(), 40);
    let failed: Vec<String> = played
        .iter()
        .filter_map(|vector| Some(format!("{:?}: {}", vector.get("id"), play(vector).err()?)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn building_stores_nothing_and_a_patch_keeps_what_it_does_not_name() {
    // M9, O11, W6
    let stored: Vec<Value> = serde_json::from_str(
        r#"[{"role":"user","content":"a","__proto__":{"x":1},"mine":[1]},{"role":"user","content":"b","notice":"guardrail","clientId":"c"}]"#,
    )
    .expect("messages");
    let messages = PlainMessages(stored.clone());
    let patched = messages.patched(&MessagePatch {
        keep: 1,
        append: vec![
            NewMessage::Changed {
                index: 1,
                set: vec![("content", "B".into()), ("createdAt", "now".into())],
                remove: &["notice", "clientId"],
            },
            NewMessage::new("assistant", "c"),
        ],
    });
    assert_eq!(messages.0, stored);
    assert_eq!(patched.len(), 3);
    assert_eq!(patched.0[0], stored[0]);
    let changed: Value = serde_json::from_str(r#"{"role":"user","content":"B","createdAt":"now"}"#).expect("a message");
    assert_eq!(patched.0[1], changed);
}
