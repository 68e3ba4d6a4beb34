//! Refusals and what became of a run (rules D3, D7-D12, K2).

use agent_turn::outcome;
use agent_turn::refusal::{Refusal, map_refusal};
use agent_turn::run::{Pause, RunResult};
use agent_turn::settlement::Settlement;
use agent_turn::status::{RuleSet, Status};

use crate::bytes::Bytes;
use crate::{given, holds};

const REASONS: &[&str] = &[
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

/// Whatever became of a run: the patch is legal for every row, at most the undelivered line leaves, and the run is kept where it waits.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let conversation = given::conversation(bytes);
    let stored = given::messages(bytes);
    let transcript = given::transcript(&stored);
    let refusal = refusal(bytes);
    let settlement = settlement(bytes, refusal);
    let patch = settlement.patch(&conversation, &transcript);
    holds::settles(&patch);
    holds::keeps(&conversation, &stored, patch.messages.as_ref());
    if let (Settlement::Waits { run_uuid, context, .. }, Some(status)) = (&settlement, patch.status) {
        assert_eq!(context.rule_set == RuleSet::Current, status.is_waiting(), "K2, S7");
        assert!(!status.is_waiting() || patch.run_uuid.as_ref() == Some(run_uuid), "K2: the run that waits");
    }
    let Some(refusal) = refusal else { return };
    let patch = map_refusal(&conversation, &transcript, refusal);
    holds::settles(&patch);
    let after = holds::keeps(&conversation, &stored, patch.messages.as_ref());
    assert!(
        after.0.len() + 1 >= stored.0.len() && after.0.len() <= stored.0.len(),
        "D8: a refusal adds nothing"
    );
    let failure = patch.failure.unwrap_or_default();
    assert_eq!((failure.message.as_str(), failure.code.as_str()), ("", refusal.code()), "D7");
    match refusal.is_stop() {
        true => assert_eq!(patch.status, Some(Status::Idle), "D9"),
        false => assert_eq!(patch.run_uuid, Some(conversation.run_uuid), "D8: the run is kept"),
    }
}

/// A refusal of the table; a reason that is not of it, or not for this kind, is none (rules D7, D10).
fn refusal(bytes: &mut Bytes) -> Option<Refusal> {
    let kind = bytes.one_of(&[Pause::Approval, Pause::Input]);
    let reason = bytes.near(REASONS);
    let refusal = Refusal::parse(&reason, kind);
    let known = REASONS.contains(&reason.as_str());
    let foreign = match kind {
        Pause::Approval => reason == "invalidInput",
        Pause::Input => reason == "selfApprovalDenied" || reason == "notAuditable",
    };
    assert_eq!(refusal.is_some(), known && !foreign, "D10");
    refusal
}

fn settlement(bytes: &mut Bytes, refusal: Option<Refusal>) -> Settlement {
    let one = |bytes: &mut Bytes| match (bytes.below(4), refusal) {
        (0, Some(refusal)) => Settlement::Refused(refusal),
        (1, _) => Settlement::Result {
            result: given::result(bytes),
            context: given::context(bytes),
        },
        (2, _) => Settlement::Failed(bytes.one_of(&[outcome::finished_outside(), outcome::timed_out()])),
        _ => waits(bytes),
    };
    match bytes.once_in(3) {
        true => Settlement::Undelivered(Box::new(one(bytes))),
        false => one(bytes),
    }
}

/// A run that waits, with the result of that pause where one is kept: never one of another outcome (`kept_result` of the engine).
fn waits(bytes: &mut Bytes) -> Settlement {
    let pause = bytes.one_of(&[Pause::Approval, Pause::Input]);
    let run_uuid = bytes.one_of(&["r-1", "r-2"]).to_owned();
    let kept = RunResult {
        outcome: pause.outcome().to_owned(),
        ..given::result(bytes)
    };
    Settlement::Waits {
        pause,
        run_uuid,
        result: bytes.flag().then_some(kept),
        code: bytes.one_of(&["", outcome::code::FINISHED_OUTSIDE, outcome::code::TIMED_OUT]),
        context: given::context(bytes),
    }
}
