//! Mapping a result (rules O1-O11, S5-S7, V7).

use agent_turn::outcome::map_outcome;
use agent_turn::run::RunResult;
use agent_turn::status::{RuleSet, Status};
use agent_turn::text;
use agent_turn::value::Value;

use crate::bytes::Bytes;
use crate::{given, holds};

/// Whatever a runtime gives, the turn settles, says why, and loses nothing.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let conversation = given::conversation(bytes);
    let stored = given::messages(bytes);
    let result = given::result(bytes);
    let context = given::context(bytes);
    let transcript = given::transcript(&stored);
    let patch = map_outcome(&conversation, &transcript, &result, &context);
    assert_eq!(
        format!("{patch:?}"),
        format!("{:?}", map_outcome(&conversation, &transcript, &result, &context)),
        "not a function"
    );
    holds::settles(&patch);
    let after = holds::keeps(&conversation, &stored, patch.messages.as_ref());
    assert!(after.0.len() >= stored.0.len(), "O11: mapping takes nothing out");
    assert_eq!(
        patch.last_run_uuid.as_deref(),
        Some(result.run_uuid.as_str()).filter(|uuid| !uuid.is_empty()),
        "T7"
    );

    let status = patch.status.unwrap_or(Status::ToolLoop);
    let pauses = context.rule_set == RuleSet::Current && !result.run_uuid.is_empty();
    let expected = match result.outcome.as_str() {
        "completed" if result.loop_result.is_some() => Status::Idle,
        "awaiting_approval" if pauses => Status::AwaitingApproval,
        "awaiting_input" if pauses => Status::AwaitingInput,
        _ => Status::Failed,
    };
    assert_eq!(status, expected, "section 4: {:?}", result.outcome);
    if status.is_waiting() {
        assert_eq!(patch.run_uuid.as_ref(), Some(&result.run_uuid), "O4, O5");
    }
    appended(&result, status, &after.0[stored.0.len()..]);
}

/// O1, O2, O5, O6: every visible text of the run comes along, once, in the order of the rounds, and an answer or a sign that there is none.
fn appended(result: &RunResult, status: Status, new: &[Value]) {
    let beside = new.iter().filter(|message| message.get("besideToolCall") == &Value::Bool(true)).count();
    let said = |step: &&agent_turn::run::RunStep| step.kind == "llm" && step.requested_tools && !text::is_blank(&text::storable(&step.content));
    let texts = match status {
        Status::Failed => 0,
        _ => result.steps.iter().filter(said).count(),
    };
    assert_eq!(beside, texts, "O6");
    let rest = &new[beside..];
    match status {
        Status::Idle => assert_eq!(rest.len(), 1, "O1, O2: one answer"),
        Status::AwaitingInput => assert!(rest.len() <= 1, "O5: at most one question"),
        _ => assert!(rest.is_empty(), "O4: no sentence about a pause or a failure is stored"),
    }
    if let (Status::Idle, Some(answer), Some(ended)) = (status, rest.first(), &result.loop_result) {
        let blank = text::is_blank(&text::storable(&ended.final_content));
        assert_eq!(answer.get("notice").as_text() == Some("noAnswer"), blank, "O2");
        assert!(blank || answer.get("content").text_or_empty() == text::storable(&ended.final_content), "O1");
    }
}
