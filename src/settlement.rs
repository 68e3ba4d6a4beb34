//! What became of a turn, known before it is written: a value that maps any later state of the row (rules K2, D8-D11, O10).
//!
//! Everything that has to be asked is asked first; mapping is then a pure function, so that a swap that was lost can be mapped again from
//! what is stored now (rule C1).

use crate::conversation::{Conversation, Patch};
use crate::outcome::{self, Context, Transcript, code};
use crate::refusal::{self, Refusal};
use crate::run::{Pause, RunResult};
use crate::status::RuleSet;

/// What became of a turn.
#[derive(Debug, Clone)]
pub enum Settlement {
    /// A result to be mapped (section 4).
    Result {
        /// The result.
        result: RunResult,
        /// What the mapping has to know.
        context: Context,
    },
    /// The turn failed; the patch says how.
    Failed(Patch),
    /// The runtime refused the decision or answer, and the run waits again or was stopped (rules D8, D9).
    Refused(Refusal),
    /// The runtime refused it because the run has ended: the line leaves, then the rest (rule D11).
    Undelivered(Box<Settlement>),
    /// The run waits for a person.
    Waits {
        /// For what.
        pause: Pause,
        /// Which run.
        run_uuid: String,
        /// The paused result where the runtime keeps it; used where no decision was recorded.
        result: Option<RunResult>,
        /// The code under a rule set without pauses (rule K2).
        code: &'static str,
        /// What the mapping has to know.
        context: Context,
    },
}

impl Settlement {
    /// Whether the run is handed back to people after a refusal.
    pub fn is_hand_back(&self) -> bool {
        matches!(self, Settlement::Refused(refusal) if !refusal.is_stop())
    }

    /// The patch for a row as it is stored now.
    pub fn patch(&self, conversation: &Conversation, transcript: &Transcript) -> Patch {
        match self {
            Settlement::Result { result, context } => outcome::map_outcome(conversation, transcript, result, context),
            Settlement::Failed(patch) => patch.clone(),
            Settlement::Refused(refusal) => refusal::map_refusal(conversation, transcript, *refusal),
            Settlement::Undelivered(rest) => {
                let shorter = transcript.without_line(&conversation.decision);
                let patch = rest.patch(conversation, &shorter);
                Patch {
                    messages: patch.messages.or_else(|| refusal::line_taken_out(conversation, transcript)),
                    ..patch
                }
            }
            Settlement::Waits {
                pause,
                run_uuid,
                result,
                code,
                context,
            } => {
                if context.rule_set == RuleSet::WithoutPauses {
                    return outcome::failed("The run waits for a person, which this chat has no means for.".to_owned(), code);
                }
                if conversation.decision.is_recorded() {
                    return Patch {
                        messages: refusal::line_taken_out(conversation, transcript),
                        ..outcome::waiting(*pause, run_uuid, code::NOT_CARRIED_OUT)
                    };
                }
                match result.as_ref().filter(|r| r.run_uuid == *run_uuid) {
                    Some(result) => outcome::map_outcome(conversation, transcript, result, context),
                    None => outcome::waiting(*pause, run_uuid, ""),
                }
            }
        }
    }
}
