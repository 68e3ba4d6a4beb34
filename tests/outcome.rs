//! Rules S, O and D7-D9 from outside: the public vectors of the pure functions.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "outcome/properties.rs"]
mod properties;
#[path = "rules/seed.rs"]
mod seed;
#[path = "rules/vectors.rs"]
mod vectors;

use agent_turn::conversation::{Conversation, Messages, Patch};
use agent_turn::error::{Error, ErrorInfo};
use agent_turn::outcome::{Context, Transcript, map_outcome};
use agent_turn::plain::PlainMessages;
use agent_turn::refusal::map_refused;
use agent_turn::run::{Pause, RunResult};
use agent_turn::status::{RuleSet, groups, may_transition};
use agent_turn::value::Value;
use agent_turn::writes::Writes;

const SHAPE: Error = Error::InvalidArgument("a conversation with messages");

/// A stored row: the conversation, its messages, and what a settling turn looks at.
fn row(value: &Value) -> Result<(Conversation, PlainMessages, Transcript), Error> {
    let conversation = Conversation::from_value(value)?;
    let messages = PlainMessages(value.get("messages").as_list().ok_or(SHAPE)?.to_vec());
    let transcript = Transcript {
        count: messages.len(),
        last: messages.last()?,
    };
    Ok((conversation, messages, transcript))
}

/// A patch in the words of the contract.
fn encoded(messages: &PlainMessages, patch: &Patch) -> Value {
    let mut entries: Vec<_> = patch.fields().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    if let Some(change) = &patch.messages {
        let appended = messages.patched(change).0.split_off(change.keep);
        let change = Value::map([("keep", Value::Number(change.keep as f64)), ("append", Value::List(appended))]);
        entries.push(("messages".to_owned(), change));
    }
    Value::Map(entries)
}

fn outcome(args: &[Value]) -> Result<Value, Error> {
    let (conversation, messages, transcript) = row(&args[0])?;
    let result = RunResult::from_value(&args[1]).unwrap_or_default();
    let options = args.get(2).unwrap_or(&Value::Null);
    let context = Context {
        rule_set: RuleSet::parse(options.get("ruleSet").as_text())?,
        now: options.get("now").as_number(),
        writes: Writes::Unknown,
    };
    Ok(encoded(&messages, &map_outcome(&conversation, &transcript, &result, &context)))
}

fn refused(args: &[Value]) -> Result<Value, Error> {
    let (conversation, messages, transcript) = row(&args[0])?;
    let kind = args[2].as_text().and_then(Pause::parse).ok_or(SHAPE)?;
    let patch = map_refused(&conversation, &transcript, &ErrorInfo::from_value(&args[1]), kind)?;
    Ok(encoded(&messages, &patch))
}

#[test]
fn the_vectors_of_map_outcome_hold() {
    // O1-O11, S5-S7
    let played = vectors::play("mapOutcome", |args| outcome(args).map_err(|error| error.code()));
    assert!(played >= 25, "{played} vectors");
}

#[test]
fn the_vectors_of_map_refusal_hold() {
    // D3, D7-D9
    let played = vectors::play("mapRefusal", |args| refused(args).map_err(|error| error.code()));
    assert!(played >= 11, "{played} vectors");
}

#[test]
fn the_vectors_of_the_statuses_hold() {
    // S1-S4, S7
    let played = vectors::play("statusRules", |args| {
        let groups = groups(args[0].as_text().unwrap());
        Ok(Value::map([
            ("known", groups.known.into()),
            ("busy", groups.busy.into()),
            ("waiting", groups.waiting.into()),
            ("resumable", groups.resumable.into()),
        ]))
    });
    assert!(played >= 8, "{played} vectors");
    let played = vectors::play("mayTransition", |args| {
        let rule_set = RuleSet::parse(args.get(2).and_then(Value::as_text)).map_err(|error| error.code())?;
        Ok(may_transition(args[0].as_text().unwrap(), args[1].as_text().unwrap(), rule_set).into())
    });
    assert!(played >= 15, "{played} vectors");
}
