//! What comes from the host is data: every reader of a value is total and takes nothing for something else (rules W4, W6, S3, T8, V7).

use agent_turn::conversation::{Conversation, FileReference, Head, Messages, Uid};
use agent_turn::error::ErrorInfo;
use agent_turn::plain::PlainMessages;
use agent_turn::present::Reader;
use agent_turn::run::{Actor, RunEvent, RunResult, RunStep, WaitingView};
use agent_turn::settings::Settings;
use agent_turn::status::Status;
use agent_turn::transcript::{PromptContext, TaskPrompts, provider_view};
use agent_turn::value::Value;
use agent_turn::writes::Writes;

use crate::bytes::Bytes;
use crate::given;

/// Any value is read by every reader.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let value = match bytes.below(8) {
        0 => given::row(bytes),
        1 => given::message(bytes),
        2 => given::result_value(bytes),
        3 => given::view(bytes),
        4 => given::step(bytes),
        5 => settings_value(bytes),
        _ => bytes.value(5),
    };
    json(&value);
    row(&value);
    settings(&value);
    message(&value);
    people(&value);
    run_of(&value);
    writes(bytes);
    PromptContext::from_value(&value);
    TaskPrompts::from_value(&value);
}

fn settings_value(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("taskUid", &|bytes| {
            bytes.one_of(&[Value::Number(0.0), Value::Number(-0.0), Value::Number(5.0), "0".into(), "x".into()])
        }),
        ("ruleSet", &|bytes| bytes.near(&["current", "withoutPauses"]).into()),
        ("graceSeconds", &|bytes| bytes.number().into()),
        ("maxMessageLength", &|bytes| bytes.number().into()),
        ("locale", &|bytes| bytes.near(&["de", "de-CH", "en"]).into()),
    ])
}

/// What is written as JSON and read again is the same, keys in their order (rule W6).
fn json(value: &Value) {
    let text = serde_json::to_string(value).expect("plain data");
    let read: Value = serde_json::from_str(&text).expect("what was written");
    let again = serde_json::to_string(&read).expect("plain data");
    assert_eq!(again, text, "W6");
}

/// S3: a row is read as it is or not at all.
fn row(value: &Value) {
    if let Ok(row) = Conversation::from_value(value) {
        assert_eq!(value.get("status").as_text(), Some(row.status.name()), "S3");
        assert_eq!(row.decision.decision.name(), value.get("decision").text_or_empty());
        let same = |key: &str, read: &str| assert_eq!(value.get(key).text_or_empty(), read, "{key}");
        same("runUuid", &row.run_uuid);
        same("lastRunUuid", &row.last_run_uuid);
        same("claimId", &row.claim_id);
        same("turnDigest", &row.decision.turn_digest);
    }
    let known = value.get("status").as_text().is_some_and(|name| Status::parse(name).is_ok());
    assert!(known || Conversation::from_value(value).is_err(), "S3: a default status");
}

fn settings(value: &Value) {
    let Ok(settings) = Settings::from_value(value) else { return };
    for limit in [
        settings.grace_seconds,
        settings.max_message_length,
        settings.stuck_after_seconds,
        settings.attachment_budget,
    ] {
        assert!(limit >= 0.0, "a limit below 0, or none at all");
    }
    assert!(settings.task_uid.is_none_or(|uid| uid.text() != "0"), "T2");
}

fn message(value: &Value) {
    let head = Head::from_value(value);
    assert_eq!(head.client_id, value.get("clientId").text_or_empty());
    if let Some(file) = FileReference::from_value(value) {
        let stored = file.clone().storable();
        assert_eq!(stored.clone().storable(), stored, "N4");
        assert_eq!(FileReference::from_value(&stored.to_value()), Some(stored), "N8");
    }
    let messages = PlainMessages(vec![value.clone()]);
    assert_eq!(messages.scan().expect("plain messages can be read").len(), 1);
    provider_view(value);
}

/// T8, C8: a uid is compared as text, and nobody is an administrator by accident.
fn people(value: &Value) {
    if let Some(actor) = Actor::from_value(value) {
        assert_eq!(actor.is_admin, value.get("isAdmin") == &Value::Bool(true), "T8");
        assert_eq!(Actor::from_value(&actor.to_value()).map(|actor| actor.uid.text()), Some(actor.uid.text()));
    }
    if let Some(reader) = Reader::from_value(value) {
        assert_eq!(reader.may_decide, value.get("mayDecide") == &Value::Bool(true), "D4");
    }
    if let Some(uid) = Uid::from_value(value) {
        assert_eq!(uid, Uid::from(uid.text().as_str()), "C8");
        assert!(!uid.text().is_empty(), "C8");
    }
}

fn run_of(value: &Value) {
    if let Some(result) = RunResult::from_value(value) {
        assert_eq!(value.get("outcome").as_text(), Some(result.outcome.as_str()));
        assert!(result.pause().is_none_or(|pause| pause.outcome() == result.outcome));
    }
    if let Some(step) = RunStep::from_value(value)
        && let Some(entry) = step.activity()
    {
        let keys: Vec<String> = entry.to_value().as_map().unwrap_or_default().iter().map(|(key, _)| key.clone()).collect();
        assert!(
            keys.iter()
                .all(|key| ["kind", "round", "ms", "tool", "error", "approved"].contains(&key.as_str())),
            "V6"
        );
    }
    if let Some(view) = WaitingView::from_value(value) {
        assert!(!view.is_expired(f64::NEG_INFINITY), "D4");
    }
    assert!(ErrorInfo::from_value(value).codes.len() <= 16, "E2");
    RunEvent::from_value(value);
}

/// V7: a record is named once, as `table:uid`, and an empty stream says nothing.
fn writes(bytes: &mut Bytes) {
    let events = given::events(bytes);
    let writes = Writes::of_events(Some(&events));
    assert_eq!(writes == Writes::Unknown, events.is_empty(), "V7");
    let records = writes.records();
    let mut once = records.to_vec();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), records.len(), "V7");
    for record in records {
        let uid = record.rsplit_once(':').map(|(_, uid)| uid.parse::<u64>());
        assert!(matches!(uid, Some(Ok(1..))), "V7: {record:?}");
    }
    assert!(records.is_empty() || !writes.is_nothing(), "V7");
    assert_eq!(writes.already_written(0.0).is_none(), writes.is_nothing(), "R2a");
}
