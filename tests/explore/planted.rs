//! Bugs that are planted to prove that the explorer finds bugs: in the store, in the runtime, in the host.

use agent_turn::conversation::{DecisionFields, Patch};
use agent_turn::status::Status;

use super::world::Row;

/// What is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// The store writes whatever the revision is.
    IgnoresRevision,
    /// The store clears the decision as soon as a consumer claims.
    ClearsDecisionEarly,
    /// The store commits fields and messages apart, and the messages get lost.
    LosesMessages,
    /// The store keeps only the messages that a patch appends.
    ForgetsKeptMessages,
    /// The store writes a code without its message.
    KeepsOldMessage,
    /// The store keeps the run that an idle row waited on.
    KeepsRun,
    /// The store raises the revision by two.
    SkipsRevision,
    /// The store applies what is appended twice.
    AppendsTwice,
    /// A heartbeat reaches the row whoever holds it.
    TouchesAnyClaim,
    /// `status` never knows anything, so that retry and cleanup decide without the runtime.
    KnowsNoRun,
    /// The runtime executes whatever is approved, also twice.
    ExecutesTwice,
    /// `find` never finds a locked row, so that cleanup never sees it.
    HidesLocked,
    /// A swap that arrives late is applied whatever the revision is.
    AppliesLate,
    /// The store compares claims, and writes where they are one, whatever the revision is.
    TrustsClaims,
    /// The store looks for the revision only, not for the conversation.
    WrongRow,
    /// A heartbeat reaches the next conversation.
    TouchesNextRow,
    /// The runtime gives the result of another run.
    MixesResults,
    /// Asked about an owner, `find` leaves out what a consumer has claimed.
    CountsQueue,
    /// `find` answers with one conversation, however many are asked for.
    FindsOne,
    /// Pauses are stored although the host has no means for them (rule S7).
    KeepsPauses,
    /// The wrappers of `actor.rs` are at work; host and store are sound.
    InAnActor,
}

impl Bug {
    /// What this store makes of a patch.
    pub fn write(self, before: &Row, patch: &Patch) -> Row {
        let mut patch = patch.clone();
        match self {
            Bug::ClearsDecisionEarly if patch.status == Some(Status::Locked) && patch.last_run_uuid.is_none() => {
                patch.decision = Some(DecisionFields::default());
                patch.run_uuid = Some(String::new());
            }
            Bug::LosesMessages => patch.messages = None,
            Bug::ForgetsKeptMessages => {
                if let Some(messages) = &mut patch.messages {
                    messages.keep = 0;
                }
            }
            Bug::KeepsOldMessage => {
                if let Some(failure) = &mut patch.failure {
                    failure.message.clone_from(&before.conversation.error_message);
                }
            }
            Bug::KeepsRun if patch.status == Some(Status::Idle) => patch.run_uuid = None,
            _ => {}
        }
        let mut after = before.swapped(&patch);
        if self == Bug::SkipsRevision {
            after.conversation.revision += 1.0;
        }
        if self == Bug::AppendsTwice
            && let Some(messages) = &patch.messages
        {
            let again = after.messages.0.split_off(messages.keep.min(after.messages.0.len()));
            after.messages.0.extend(again.iter().cloned().chain(again.clone()));
        }
        after
    }
}
