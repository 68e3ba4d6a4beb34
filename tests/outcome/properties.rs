//! What holds for any row, any result and any refusal (rules S1-S7, O1-O11, D3, D7-D9).

use agent_turn::conversation::{Conversation, DecisionFields, Messages, Patch};
use agent_turn::error::for_people;
use agent_turn::outcome::{Context, map_outcome};
use agent_turn::refusal::{Refusal, map_refusal};
use agent_turn::run::{Pause, RunResult};
use agent_turn::status::{RuleSet, Status, groups, may_transition};
use agent_turn::text;
use agent_turn::value::Value;
use agent_turn::writes::Writes;
use proptest::prelude::*;

use super::seed::seeded;
use super::{row, vectors};

const STATUSES: [&str; 7] = ["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed"];

const REASONS: [&str; 11] = [
    "staleTurn",
    "alreadyResuming",
    "notPermitted",
    "configurationInactive",
    "notAwaiting",
    "invalidInput",
    "selfApprovalDenied",
    "notAuditable",
    "processVerdictUnreadable",
    "onlyInitiatorMayDecide",
    "secondApproverRequired",
];

fn one_of(json: &str) -> impl Strategy<Value = Value> + use<> {
    prop::sample::select(vectors::json(json).as_list().unwrap().to_vec())
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        any::<i64>().prop_map(Value::Integer),
        any::<String>().prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::List),
            prop::collection::vec(("[a-z]{1,3}", inner), 0..3).prop_map(Value::Map),
        ]
    })
}

/// Mostly one of these, sometimes nonsense.
fn field(json: &str) -> impl Strategy<Value = Value> + use<> {
    prop_oneof![12 => one_of(json), 1 => anything()]
}

/// Rows whose last message is often the line of their decision; every message carries something that nobody here knows.
fn conversation() -> impl Strategy<Value = Value> {
    let message = (
        one_of(r#"["user","user","assistant","system","other"]"#),
        field(r#"["eins","",null]"#),
        one_of(r#"["d","d","e","",null]"#),
        anything(),
    )
        .prop_map(|(role, content, line, own)| Value::map([("role", role), ("content", content), ("decisionLine", line), ("x_host", own)]));
    let fields = (
        prop::sample::select(STATUSES.to_vec()),
        one_of(r#"["","approve","deny","input"]"#),
        one_of(r#"["d","d","e",""]"#),
        one_of(r#"["","r1"]"#),
        prop::collection::vec(message, 0..4),
    );
    fields.prop_map(|(status, decision, digest, run, messages)| {
        vectors::conversation(&Value::map([
            ("status", status.into()),
            ("decision", decision),
            ("turnDigest", digest),
            ("runUuid", run),
            ("messages", Value::List(messages)),
        ]))
    })
}

/// Results close to real ones, and values that are none.
fn result() -> impl Strategy<Value = Value> {
    let step = (
        one_of(r#"["llm","llm","tool","other"]"#),
        field(r#"["Ich sehe nach.","\u0000"," ",""]"#),
        one_of(r#"[[],[{"id":"a"}],null]"#),
        0..4_u8,
    )
        .prop_map(|(kind, content, calls, round)| {
            let round = f64::from(round).into();
            Value::map([("kind", kind), ("content", content), ("requestedToolCalls", calls), ("round", round)])
        });
    let real = (
        one_of(
            r#"["completed","completed","awaiting_approval","awaiting_input","guardrail_blocked","guardrail_approval_required","cancelled","lease_lost","failed","later"]"#,
        ),
        one_of(r#"["r1","r2",""]"#),
        field(r#"[{"finalContent":"Gespeichert."},{"finalContent":"\u200b","terminationReason":"budget"},null]"#),
        field(r#"[{"turnDigest":"d","inputSchema":{"title":"Which?","properties":{"a":{}}}},{"turnDigest":"e"},null]"#),
        field(r#"[{"message":"postgres://u:p@h/db failed"},{"message":"\n","code":"providerNotConfigured"},null]"#),
        field(r#"["OutputFilter","input",null]"#),
        prop::collection::vec(prop_oneof![8 => step, 1 => anything()], 0..4),
    )
        .prop_map(|(outcome, run, ended, suspended, error, guardrail, steps)| {
            Value::map([
                ("outcome", outcome),
                ("runUuid", run),
                ("loopResult", ended),
                ("suspendedState", suspended),
                ("error", error),
                ("guardrailClass", guardrail),
                ("steps", Value::List(steps)),
            ])
        });
    prop_oneof![12 => real, 1 => anything()]
}

fn context() -> impl Strategy<Value = Context> {
    let known = |any| Writes::Known { any, records: Vec::new() };
    let writes = prop::sample::select(vec![Writes::Unknown, known(false), known(true)]);
    (any::<bool>(), prop::option::of(0.0..1e14), writes).prop_map(|(pauses, now, writes)| Context {
        rule_set: if pauses { RuleSet::Current } else { RuleSet::WithoutPauses },
        now,
        writes,
    })
}

/// Without what the rules may change of a message that stays (rule O8).
fn without_notice(message: &Value) -> Value {
    let entries = message.as_map().unwrap_or_default().iter().filter(|(key, _)| key != "notice");
    Value::Map(entries.cloned().collect())
}

/// What every patch of the two mappings promises (rules O11, S5, S6, E1).
fn check_patch(conversation: &Conversation, patch: &Patch) -> Result<Conversation, TestCaseError> {
    prop_assert!(patch.status.is_some() && patch.failure.is_some() && patch.run_uuid.is_some() && patch.decision.is_some());
    let after = conversation.patched(patch);
    prop_assert_eq!(&after.decision, &DecisionFields::default());
    prop_assert_eq!(
        after.run_uuid.is_empty(),
        !after.status.is_waiting() || conversation.run_uuid.is_empty() && patch.last_run_uuid.is_none()
    );
    prop_assert!(after.error_message.is_empty() || after.status == Status::Failed);
    prop_assert_eq!(&for_people(&after.error_message), &after.error_message);
    Ok(after)
}

proptest! {
    #![proptest_config(seeded(400))]

    /// O1-O11: any result of any row gives a legal row, and nothing that is stored is lost, moved or changed.
    #[test]
    fn any_result_settles_and_loses_nothing(conversation in conversation(), result in result(), context in context()) {
        let (before, messages, transcript) = row(&conversation).unwrap();
        let result = RunResult::from_value(&result).unwrap_or_default();
        let patch = map_outcome(&before, &transcript, &result, &context);
        let after = check_patch(&before, &patch)?;
        prop_assert!(may_transition("locked", after.status.name(), context.rule_set), "{:?}", after.status);
        prop_assert_eq!(after.status == Status::Failed, !after.error_message.is_empty());
        prop_assert!(!after.status.is_waiting() || after.run_uuid == result.run_uuid);
        prop_assert_eq!(patch.last_run_uuid.as_deref().unwrap_or_default(), result.run_uuid.as_str());
        let stored = patch.messages.as_ref().map_or_else(|| messages.clone(), |change| messages.patched(change));
        for (at, message) in messages.0.iter().enumerate() {
            prop_assert_eq!(without_notice(&stored.0[at]), without_notice(message));
        }
        for message in &stored.0[messages.len()..] {
            prop_assert_eq!(message.get("role"), &Value::from("assistant"));
            prop_assert!(!text::is_blank(&message.get("content").text_or_empty()));
            prop_assert_eq!(message.has("createdAt"), context.now.is_some());
        }
        prop_assert!(after.status != Status::Idle || stored.len() > messages.len(), "a turn without an answer");
        prop_assert!(after.status != Status::Failed || stored.len() == messages.len());
    }

    /// O11: the same arguments give the same patch.
    #[test]
    fn a_mapping_is_a_function(conversation in conversation(), result in result(), context in context()) {
        let (before, _, transcript) = row(&conversation).unwrap();
        let result = RunResult::from_value(&result).unwrap_or_default();
        let mapped = || map_outcome(&before, &transcript, &result, &context);
        prop_assert_eq!(mapped(), mapped());
    }

    /// D3, D7-D9: at most the line of the decision leaves, and a second refusal takes nothing more.
    #[test]
    fn a_refusal_takes_out_one_line_at_most(conversation in conversation(), reason in prop::sample::select(REASONS.to_vec()), input in any::<bool>()) {
        let (before, messages, transcript) = row(&conversation).unwrap();
        let Some(refusal) = Refusal::parse(reason, if input { Pause::Input } else { Pause::Approval }) else { return Ok(()) };
        let patch = map_refusal(&before, &transcript, refusal);
        let after = check_patch(&before, &patch)?;
        prop_assert_eq!(after.status.is_waiting(), !refusal.is_stop());
        prop_assert_eq!(after.error_code, refusal.code());
        prop_assert_eq!(after.error_message, "");
        let rest = patch.messages.as_ref().map_or_else(|| messages.clone(), |change| messages.patched(change));
        prop_assert!(messages.0.starts_with(&rest.0) && messages.len() - rest.len() <= 1);
        if let Some(line) = messages.0.get(rest.len()) {
            let is_marked = line.get("decisionLine").as_text() == Some(before.decision.turn_digest.as_str());
            prop_assert_eq!(line.get("role"), &Value::from("user"));
            prop_assert!(is_marked || before.decision.decision == agent_turn::conversation::Decision::Input);
        }
        let again = Conversation { revision: before.revision, ..before.patched(&patch) };
        let transcript = agent_turn::outcome::Transcript { count: rest.len(), last: rest.last().unwrap() };
        let patch = map_refusal(&again, &transcript, refusal);
        prop_assert!(patch.messages.is_none());
        prop_assert_eq!(again.patched(&patch).status, again.status);
    }

    /// D10: what is not in the table is no refusal.
    #[test]
    fn any_other_reason_is_none(reason in any::<String>()) {
        prop_assume!(!REASONS.contains(&reason.as_str()));
        prop_assert!(Refusal::parse(&reason, Pause::Approval).is_none() && Refusal::parse(&reason, Pause::Input).is_none());
    }

    /// S2, S3: an unknown name is in no group and goes nowhere.
    #[test]
    fn an_unknown_status_has_no_rules(name in prop_oneof![any::<String>(), "(idle|failed|IDLE|processing)[ \u{0}a-z]?"], known in prop::sample::select(STATUSES.to_vec())) {
        let is_known = STATUSES.contains(&name.as_str());
        let groups = groups(&name);
        prop_assert_eq!(groups.known, is_known);
        prop_assert!(is_known || !(groups.busy || groups.waiting || groups.resumable));
        prop_assert!(!groups.waiting || !groups.busy && !groups.resumable);
        prop_assert_eq!(Status::parse(&name).is_ok(), is_known);
        for rule_set in [RuleSet::Current, RuleSet::WithoutPauses] {
            prop_assert!(is_known || !may_transition(&name, known, rule_set) && !may_transition(known, &name, rule_set));
        }
    }
}

#[test]
fn without_pauses_nothing_leads_to_one() {
    // S7, all 98 pairs
    for from in STATUSES {
        for to in STATUSES {
            let waits = groups(to).waiting;
            assert!(!(waits && may_transition(from, to, RuleSet::WithoutPauses)), "{from} -> {to}");
            assert!(
                waits || !may_transition(from, to, RuleSet::Current) || may_transition(from, to, RuleSet::WithoutPauses),
                "{from} -> {to}"
            );
        }
    }
}
