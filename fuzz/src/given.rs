//! What the rules get: conversations, messages, results, schemas, views. Close to real ones, with nonsense in between.

use agent_turn::conversation::{Conversation, Messages};
use agent_turn::outcome::{Context, Transcript};
use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::run::{RunEvent, RunResult};
use agent_turn::status::RuleSet;
use agent_turn::value::Value;
use agent_turn::writes::Writes;

use crate::bytes::{Bytes, object};

const STATUSES: &[&str] = &["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed"];

/// Digests and uuids: few, so that they meet.
const NAMES: &[&str] = &["", "d1", "d2", "r-1", "r-2"];

const CODES: &[&str] = &[
    "",
    "timedOut",
    "finishedOutside",
    "guardrail",
    "handBack.staleTurn",
    "handBack.previewChanged",
    "handBack.notAwaitingApproval",
    "stopped.secondApprover",
];

const OUTCOMES: &[&str] = &[
    "completed",
    "awaiting_approval",
    "awaiting_input",
    "failed",
    "guardrail_blocked",
    "guardrail_approval_required",
    "suspend_failed",
    "cancelled",
    "requeued",
    "lease_lost",
    "",
    "constructor",
];

const NOTICES: &[&str] = &["nothingSaved", "noAnswer", "alreadyWritten", "runFinishedOutside", "guardrail", "other"];

fn text_of(choices: &'static [&'static str]) -> impl Fn(&mut Bytes) -> Value {
    move |bytes| bytes.near(choices).into()
}

/// The fields of a stored conversation, without its messages.
pub fn row(bytes: &mut Bytes) -> Value {
    let status = bytes.one_of(STATUSES);
    let decision = bytes.one_of(&["", "approve", "deny", "input"]);
    let Value::Map(mut entries) = bytes.map([
        ("uid", &|bytes| bytes.one_of(&[Value::Number(1.0), "1".into(), Value::Integer(1 << 60)])),
        ("owner", &|bytes| bytes.one_of(&[Value::Number(7.0), "7".into(), Value::Number(8.0)])),
        ("claimId", &text_of(NAMES)),
        ("errorMessage", &|bytes| bytes.text().into()),
        ("errorCode", &text_of(CODES)),
        ("runUuid", &text_of(NAMES)),
        ("lastRunUuid", &text_of(NAMES)),
        ("decidedBy", &|bytes| bytes.one_of(&[Value::Null, Value::Number(7.0)])),
        ("turnDigest", &text_of(NAMES)),
        ("denyReason", &text_of(&["", "variant", "skip"])),
        ("pendingInput", &|bytes| bytes.value(2)),
        ("updatedAt", &|bytes| bytes.number().into()),
    ]) else {
        unreachable!("a map")
    };
    entries.retain(|(key, _)| !["status", "decision", "revision"].contains(&key.as_str()));
    entries.extend([
        ("status".to_owned(), status.into()),
        ("decision".to_owned(), decision.into()),
        ("revision".to_owned(), 3.0.into()),
    ]);
    object(entries)
}

/// A stored conversation.
pub fn conversation(bytes: &mut Bytes) -> Conversation {
    Conversation::from_value(&row(bytes)).expect("status, decision and revision are as the contract has them")
}

/// A message as a host may have stored it.
pub fn message(bytes: &mut Bytes) -> Value {
    if bytes.once_in(20) {
        return bytes.value(3);
    }
    bytes.map([
        ("role", &text_of(&["user", "assistant", "user", "assistant", "tool", "system", "developer"])),
        ("content", &content),
        ("tool_calls", &|bytes| match bytes.once_in(3) {
            true => Value::List(bytes.some(3, call)),
            false => Value::Null,
        }),
        ("tool_call_id", &|bytes| bytes.one_of(&[Value::Null, "a".into(), "b".into(), "c".into()])),
        ("name", &|bytes| bytes.one_of(&[Value::Null, Value::Null, "anna".into(), "".into()])),
        ("notice", &|bytes| match bytes.once_in(3) {
            true => bytes.near(NOTICES).into(),
            false => Value::Null,
        }),
        ("noticeArgs", &|bytes| Value::texts(bytes.some(3, Bytes::word))),
        ("besideToolCall", &|bytes| bytes.flag().into()),
        ("decisionLine", &text_of(NAMES)),
        ("clientId", &text_of(NAMES)),
        ("createdAt", &|_| "2023-11-14T22:13:20Z".into()),
        ("files", &|bytes| Value::List(bytes.some(3, file_reference))),
        ("fileUid", &|bytes| bytes.one_of(&[Value::Null, Value::Null, Value::Number(2.0)])),
    ])
}

fn content(bytes: &mut Bytes) -> Value {
    match bytes.below(8) {
        0 => bytes.value(2),
        1 => Value::List(bytes.some(3, |bytes| Value::map([("type", "text".into()), ("text", bytes.text().into())]))),
        _ => bytes.text().into(),
    }
}

fn call(bytes: &mut Bytes) -> Value {
    let arguments = |bytes: &mut Bytes| bytes.one_of(&[Value::Null, "{}".into(), Value::map([("x", Value::Number(1.5))]), Value::Number(f64::NAN)]);
    let function = bytes.map([("name", &|bytes| bytes.word().into()), ("arguments", &arguments)]);
    bytes.map([
        ("id", &text_of(&["a", "b", "c"])),
        ("function", &|_| function.clone()),
        ("arguments", &arguments),
    ])
}

fn file_reference(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("fileUid", &|bytes| (bytes.below(4) as f64).into()),
        ("fileName", &|bytes| bytes.word().into()),
        ("fileMimeType", &text_of(&["image/png", "text/plain", "application/pdf"])),
    ])
}

/// Stored messages.
pub fn messages(bytes: &mut Bytes) -> PlainMessages {
    PlainMessages(bytes.some(10, message))
}

/// Files that were read.
pub fn files(bytes: &mut Bytes) -> PlainFiles {
    let file = |bytes: &mut Bytes| {
        bytes.map([
            ("name", &|bytes| bytes.word().into()),
            ("identifier", &|bytes| bytes.word().into()),
            (
                "mimeType",
                &text_of(&["image/png", "image/bmp", "text/plain", "application/pdf", "application/zip"]),
            ),
            ("base64", &|bytes| {
                bytes
                    .one_of(&["iVBORw0KGgoAAAAN", "Qk0AAA==", "JVBERi0xLjcK", "UEsDBAoAAAA=", "YQ==", "", "%%%"])
                    .into()
            }),
            ("extractedText", &|bytes| bytes.text().into()),
        ])
    };
    PlainFiles((0..4).map(|uid| (uid.to_string(), file(bytes))).collect())
}

/// A transcript as a settling turn sees it.
pub fn transcript(messages: &PlainMessages) -> Transcript {
    Transcript {
        count: messages.len(),
        last: messages.last().expect("plain messages can be read"),
    }
}

/// A result as a runtime may give it.
pub fn result_value(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("outcome", &text_of(OUTCOMES)),
        ("runUuid", &text_of(NAMES)),
        ("steps", &|bytes| Value::List(bytes.some(4, step))),
        ("loopResult", &|bytes| {
            bytes.map([
                ("finalContent", &|bytes| bytes.text().into()),
                ("terminationReason", &|bytes| bytes.word().into()),
            ])
        }),
        ("suspendedState", &|bytes| {
            bytes.map([("turnDigest", &text_of(NAMES)), ("inputSchema", &schema)])
        }),
        ("guardrailClass", &text_of(&["", "input.pii", "OutputRule"])),
        ("error", &error),
    ])
}

/// A result; the default where the value is none.
pub fn result(bytes: &mut Bytes) -> RunResult {
    RunResult::from_value(&result_value(bytes)).unwrap_or_default()
}

/// An error with causes.
pub fn error(bytes: &mut Bytes) -> Value {
    let error = |bytes: &mut Bytes| {
        bytes.map([
            ("message", &|bytes| bytes.text().into()),
            ("code", &text_of(&["providerNotConfigured", "E1"])),
            ("reason", &text_of(&["staleTurn", "notAwaiting", "secondApproverRequired"])),
        ])
    };
    let mut chain = error(bytes);
    for _ in 0..bytes.below(3) {
        if let Value::Map(mut entries) = error(bytes) {
            entries.insert(0, ("cause".to_owned(), chain));
            chain = object(entries);
        }
    }
    chain
}

/// A step of a run.
pub fn step(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("kind", &text_of(&["llm", "tool", "tool_write", "request"])),
        ("round", &|bytes| bytes.number().into()),
        ("durationMs", &|bytes| bytes.number().into()),
        ("content", &|bytes| bytes.text().into()),
        ("requestedToolCalls", &|bytes| Value::List(bytes.some(2, |bytes| bytes.value(1)))),
        ("toolName", &|bytes| bytes.word().into()),
        ("toolIsError", &|bytes| bytes.flag().into()),
        ("writeTargetTable", &|bytes| bytes.word().into()),
        ("writeTargetUid", &|bytes| bytes.number().into()),
    ])
}

/// The events of a run.
pub fn events(bytes: &mut Bytes) -> Vec<RunEvent> {
    let payload = |bytes: &mut Bytes| {
        bytes.map([
            ("approved", &|bytes| bytes.flag().into()),
            ("toolIsError", &|bytes| bytes.flag().into()),
            ("writeTargetTable", &|bytes| bytes.word().into()),
            ("writeTargetUid", &|bytes| bytes.number().into()),
        ])
    };
    let event = |bytes: &mut Bytes| bytes.map([("kind", &text_of(&["tool_write", "tool", "approval", "llm"])), ("payload", &payload)]);
    bytes.some(5, event).iter().filter_map(RunEvent::from_value).collect()
}

/// What the mapping has to know.
pub fn context(bytes: &mut Bytes) -> Context {
    let events = events(bytes);
    Context {
        rule_set: bytes.one_of(&[RuleSet::Current, RuleSet::Current, RuleSet::WithoutPauses]),
        now: bytes.one_of(&[None, Some(1_700_000_000_999.0)]),
        writes: bytes.one_of(&[Writes::Unknown, Writes::of_events(Some(&events))]),
    }
}

/// A schema of a question.
pub fn schema(bytes: &mut Bytes) -> Value {
    if bytes.once_in(12) {
        return bytes.value(4);
    }
    bytes.map([
        ("type", &|bytes| {
            bytes.one_of(&["object".into(), Value::Null, Value::texts(["null", "object"]), "array".into()])
        }),
        ("title", &|bytes| bytes.text().into()),
        ("description", &|bytes| bytes.text().into()),
        ("required", &|bytes| Value::texts(bytes.some(2, |bytes| bytes.near(&["a", "b", "c"])))),
        ("properties", &|bytes| {
            object(bytes.some(3, |bytes| (bytes.near(&["a", "b", "c"]), property(bytes))))
        }),
    ])
}

fn property(bytes: &mut Bytes) -> Value {
    let kinds = ["string", "integer", "number", "boolean", "null", "object"];
    let kind = |bytes: &mut Bytes| match bytes.once_in(4) {
        true => Value::texts([bytes.one_of(&kinds), "null"]),
        false => bytes.one_of(&kinds).into(),
    };
    let branch = |bytes: &mut Bytes| bytes.map([("const", &scalar), ("title", &|bytes| bytes.word().into()), ("type", &kind)]);
    let branches = |bytes: &mut Bytes| Value::List(bytes.some(3, branch));
    let scalars = |bytes: &mut Bytes| Value::List(bytes.some(4, scalar));
    let title = |bytes: &mut Bytes| bytes.text().into();
    match bytes.below(5) {
        0 => bytes.map([("enum", &scalars), ("title", &title)]),
        1 => bytes.map([("oneOf", &branches), ("description", &title)]),
        2 => bytes.map([("anyOf", &branches), ("title", &title)]),
        _ => bytes.map([("type", &kind), ("title", &title), ("description", &title)]),
    }
}

/// A text, a number, a truth value, or null.
pub fn scalar(bytes: &mut Bytes) -> Value {
    match bytes.below(6) {
        0 => Value::Null,
        1 => bytes.flag().into(),
        2 => bytes.number().into(),
        _ => bytes.word().into(),
    }
}

/// What a waiting run shows.
pub fn view(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("mode", &text_of(&["approval", "input", "unreadable"])),
        ("turnDigest", &text_of(NAMES)),
        ("pendingCalls", &|bytes| Value::List(bytes.some(3, pending_call))),
        ("inputSchema", &schema),
        ("expiresAt", &|bytes| bytes.number().into()),
        ("unreadableReason", &|bytes| bytes.text().into()),
    ])
}

fn pending_call(bytes: &mut Bytes) -> Value {
    bytes.map([
        ("name", &|bytes| bytes.text().into()),
        ("arguments", &|bytes| bytes.value(3)),
        ("label", &|bytes| bytes.text().into()),
        ("previewLines", &|bytes| Value::texts(bytes.some(3, Bytes::text))),
        ("previewStale", &|bytes| bytes.flag().into()),
        ("target", &|bytes| bytes.value(2)),
    ])
}
