//! What the runtime refuses becomes a hand-back or a stop (rules D3, D7-D10, D12).

use crate::conversation::{Conversation, Failure, MessagePatch, Patch};
use crate::error::{Error, ErrorInfo};
use crate::outcome::{self, Transcript};
use crate::run::Pause;

/// The reasons of the table in rule D7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The decision was about another turn than the one that waits.
    StaleTurn,
    /// Somebody else carries the run on.
    AlreadyResuming,
    /// Who decided lacks a right.
    NotPermitted,
    /// The configuration is switched off.
    ConfigurationInactive,
    /// The run does not wait (any more).
    NotAwaiting,
    /// The submitted values do not fit the question.
    InvalidInput,
    /// A second person has to release it.
    SelfApprovalDenied,
    /// The decision could not be recorded.
    NotAuditable,
    /// Whether it belongs to a guided process could not be found out.
    ProcessVerdictUnreadable,
    /// Only who started the process decides.
    OnlyInitiatorMayDecide,
    /// The runtime stopped the run: a second approver is required.
    SecondApproverRequired,
}

/// One row of the table: reason, code of an approval, code of an answer; "" where the pair is no refusal (rule D10).
type Row = (&'static str, Reason, &'static str, &'static str);

const TABLE: [Row; 11] = [
    ("staleTurn", Reason::StaleTurn, "handBack.staleTurn", "handBack.inputStale"),
    (
        "alreadyResuming",
        Reason::AlreadyResuming,
        "handBack.alreadyResuming",
        "handBack.inputAlreadyResuming",
    ),
    (
        "notPermitted",
        Reason::NotPermitted,
        "handBack.approverNotPermitted",
        "handBack.inputNotPermitted",
    ),
    (
        "configurationInactive",
        Reason::ConfigurationInactive,
        "handBack.configurationInactive",
        "handBack.inputConfigOff",
    ),
    ("notAwaiting", Reason::NotAwaiting, "handBack.notAwaitingApproval", "handBack.notAwaitingInput"),
    ("invalidInput", Reason::InvalidInput, "", "handBack.inputInvalid"),
    ("selfApprovalDenied", Reason::SelfApprovalDenied, "handBack.selfApproval", ""),
    ("notAuditable", Reason::NotAuditable, "handBack.notAuditable", ""),
    (
        "processVerdictUnreadable",
        Reason::ProcessVerdictUnreadable,
        "handBack.processUnreadable",
        "handBack.processUnreadable",
    ),
    (
        "onlyInitiatorMayDecide",
        Reason::OnlyInitiatorMayDecide,
        "handBack.processOnlyStarter",
        "handBack.processOnlyStarter",
    ),
    (
        "secondApproverRequired",
        Reason::SecondApproverRequired,
        "stopped.secondApprover",
        "stopped.secondApprover",
    ),
];

/// A refusal of the table, of one kind of decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// What was being carried out.
    pub kind: Pause,
    code: &'static str,
}

impl Refusal {
    /// The refusal of a reason's name; `None` for a reason that is not in the table, or not for this kind (rule D10).
    pub fn parse(reason: &str, kind: Pause) -> Option<Refusal> {
        let (_, reason, approval, input) = *TABLE.iter().find(|(name, ..)| *name == reason)?;
        let code = match kind {
            Pause::Approval => approval,
            Pause::Input => input,
        };
        (!code.is_empty()).then_some(Refusal { reason, kind, code })
    }

    /// What is stored in `errorCode`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// Whether the runtime stopped the run (rule D9).
    pub fn is_stop(self) -> bool {
        self.reason == Reason::SecondApproverRequired
    }
}

/// Maps a refusal: the undelivered line leaves the transcript; the run is handed back, or the conversation is at rest where the runtime stopped it.
pub fn map_refusal(conversation: &Conversation, transcript: &Transcript, refusal: Refusal) -> Patch {
    let patch = match refusal.is_stop() {
        true => Patch {
            failure: Some(Failure::code(refusal.code)), // D9
            ..outcome::idle()
        },
        false => outcome::waiting(refusal.kind, &conversation.run_uuid, refusal.code), // D8
    };
    Patch {
        messages: line_taken_out(conversation, transcript),
        ..patch
    }
}

/// Maps what the runtime threw: a refusal of this kind (rules D8, D9), or one that does not belong here, which fails the turn (rule D10).
///
/// # Errors
/// `InvalidArgument` where the table does not know its reason at all.
pub fn map_refused(conversation: &Conversation, transcript: &Transcript, refused: &ErrorInfo, kind: Pause) -> Result<Patch, Error> {
    let reason = refused.reason.as_deref().unwrap_or_default();
    if !TABLE.iter().any(|(name, ..)| *name == reason) {
        return Err(Error::InvalidArgument("reason is one of the table"));
    }
    Ok(match Refusal::parse(reason, kind) {
        Some(refusal) => map_refusal(conversation, transcript, refusal),
        None => outcome::failed_with(refused, "The runtime refused with a reason that does not belong here."),
    })
}

/// A patch that takes the undelivered line of the decision or answer out (rule D3).
pub fn line_taken_out(conversation: &Conversation, transcript: &Transcript) -> Option<MessagePatch> {
    let rest = transcript.without_line(&conversation.decision);
    (rest.count < transcript.count).then(|| MessagePatch {
        keep: rest.count,
        append: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_short_and_plain() {
        // D12
        for (_, _, approval, input) in TABLE {
            for code in [approval, input] {
                assert!(code.len() <= 32 && code.chars().all(|c| c.is_ascii_alphabetic() || c == '.'), "{code}");
            }
        }
    }

    #[test]
    fn a_reason_of_the_wrong_kind_is_no_refusal() {
        // D7, D10
        assert!(Refusal::parse("invalidInput", Pause::Approval).is_none());
        assert!(Refusal::parse("selfApprovalDenied", Pause::Input).is_none());
        assert!(Refusal::parse("coffeeBreak", Pause::Input).is_none());
        assert!(Refusal::parse("staleTurn", Pause::Input).is_some());
    }
}
