//! What holds for every patch that settles a turn (rules O11, S5, S6, D12, E1, N4).

use agent_turn::conversation::{Conversation, Decision, DecisionFields, MessagePatch, NewMessage, Patch};
use agent_turn::error::for_people;
use agent_turn::plain::PlainMessages;
use agent_turn::status::Status;
use agent_turn::text;
use agent_turn::value::Value;

use crate::bytes::same;

/// The code of a stored error is short and plain (rule D12).
fn is_code(code: &str) -> bool {
    code.len() <= 32 && code.chars().all(|c| c.is_ascii_alphabetic() || c == '.')
}

/// A settling patch names what it must, and status and fields belong together.
pub fn settles(patch: &Patch) {
    let status = patch.status.expect("a status");
    let failure = patch.failure.as_ref().expect("message and code");
    let run_uuid = patch.run_uuid.as_ref().expect("the run that is waited on");
    assert_eq!(patch.decision, Some(DecisionFields::default()), "S5");
    assert!(!status.is_busy(), "a settled turn is not busy");
    assert!(status.is_waiting() || run_uuid.is_empty(), "S5: {status:?} on {run_uuid:?}");
    assert!(is_code(&failure.code), "D12: {:?}", failure.code);
    assert_eq!(for_people(&failure.message), failure.message, "E1");
    match status {
        Status::Failed => assert!(!failure.code.is_empty() || !text::is_blank(&failure.message), "a failure without a reason"),
        _ => assert!(failure.message.is_empty(), "S6: {failure:?}"),
    }
}

/// The messages after a patch. Nothing is lost, reordered or changed but by what the rules name, and what is appended is storable (rules O11, N4).
pub fn keeps(conversation: &Conversation, stored: &PlainMessages, patch: Option<&MessagePatch>) -> PlainMessages {
    let Some(patch) = patch else {
        return stored.clone();
    };
    let after = stored.patched(patch);
    let same = stored.0.iter().zip(&after.0).take_while(|(old, new)| same(old, new)).count();
    match stored.0.len() - same {
        0 => assert!(after.0.len() > stored.0.len() || is_mark(patch), "an empty patch of messages"),
        1 => lets_the_last_go(conversation, &stored.0[same], after.0.get(same), patch),
        gone => panic!("O11: {gone} messages went"),
    }
    for message in patch.append.iter().filter(|message| matches!(message, NewMessage::Fresh(_))) {
        is_storable(message);
    }
    after
}

/// A message that is marked (rule O8), perhaps once more.
fn is_mark(patch: &MessagePatch) -> bool {
    matches!(patch.append.as_slice(), [NewMessage::Changed { .. }])
}

/// The last message goes with its decision (rule D3), or is marked by a guardrail (rule O8).
fn lets_the_last_go(conversation: &Conversation, old: &Value, new: Option<&Value>, patch: &MessagePatch) {
    assert_eq!(old.get("role").as_text(), Some("user"), "D3, O8");
    if is_mark(patch) {
        let fields = |message: &Value| {
            let entries = message.as_map().unwrap_or_default().iter();
            entries.filter(|(key, _)| key != "notice").cloned().collect::<Vec<_>>()
        };
        let new = new.expect("the marked message");
        assert_eq!(format!("{:?}", fields(old)), format!("{:?}", fields(new)), "O8: only the notice is set");
        assert_eq!(new.get("notice").as_text(), Some("guardrail"), "O8");
        return;
    }
    let line = old.get("decisionLine").text_or_empty();
    let decision = &conversation.decision;
    match line.is_empty() {
        true => assert_eq!(decision.decision, Decision::Input, "D3: an unmarked line"),
        false => assert_eq!(line, decision.turn_digest, "D3: the line of another decision"),
    }
}

fn is_storable(message: &NewMessage) {
    let message = PlainMessages::default().patched(&MessagePatch {
        keep: 0,
        append: vec![message.clone()],
    });
    let message = &message.0[0];
    let content = message.get("content").as_text().expect("a text");
    assert_eq!(text::storable(content), content, "N4");
    assert!(!text::is_blank(content), "a blank message was stored");
    for arg in message.get("noticeArgs").as_list().unwrap_or_default() {
        let arg = arg.as_text().expect("a text");
        assert_eq!(text::storable(arg), arg, "N4");
    }
}
