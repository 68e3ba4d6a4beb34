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
    let messages = PlainMessages(messages.ok_or(Error::InvalidArgument("messages"))?.to_vec());
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

fn play(vector: &Value) -> Result<(), String> {
    let args = vectors::expanded(vector.get("args"));
    let input = &args.as_list().expect("arguments")[0];
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
    let mut played = vectors::vectors("buildTranscript");
    played.retain(|vector| !["tooDeep", "tooLarge"].contains(&vector.get("throws").get("code").text_or_empty().as_str())); // the boundary's business (W4)
    assert!(played.len() >= 50, "{}", played.len());
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
