//! A settled or paused run becomes a patch (rules O1-O11, S5-S7, V7).

use crate::conversation::{Conversation, Decision, DecisionFields, ELLIPSIS, Failure, Head, MessagePatch, NewMessage, Patch, Role, notice};
use crate::error::{ErrorInfo, for_people};
use crate::form;
use crate::lists::ordered;
use crate::phrases;
use crate::run::{Pause, RunResult};
use crate::status::{RuleSet, Status};
use crate::text;
use crate::writes::Writes;

/// Codes of `errorCode` beside the hand-backs (rule E2) and those of a run that came back (rules O7, K2).
pub mod code {
    /// No task, or none that this user may run (rules T2, T3).
    pub const CHAT_NOT_CONFIGURED: &str = "chatNotConfigured";
    /// The model provider is not set up.
    pub const PROVIDER_NOT_CONFIGURED: &str = "providerNotConfigured";
    /// Given up by cleanup (rule G1).
    pub const TIMED_OUT: &str = "timedOut";
    /// Ended elsewhere (rules K2, O10).
    pub const FINISHED_OUTSIDE: &str = "finishedOutside";
    /// Withdrawn (rule O10).
    pub const CANCELLED: &str = "cancelled";
    /// A pause that nobody could decide (rules O4, T0).
    pub const PAUSE_WITHOUT_RUN: &str = "pauseWithoutRun";
    /// The provider takes no such file (rule M6).
    pub const ATTACHMENT_UNSUPPORTED: &str = "attachmentUnsupported";
    /// A guardrail stopped the run (rule O8).
    pub const GUARDRAIL: &str = "guardrail";
    /// Nothing was written because the preview has moved on (rule O7).
    pub const PREVIEW_CHANGED: &str = "handBack.previewChanged";
    /// Nobody carried the decision out (rule K2).
    pub const NOT_CARRIED_OUT: &str = "handBack.notCarriedOut";
}

/// The stored messages, as far as a settling turn looks at them.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// How many there are.
    pub count: usize,
    /// The last one.
    pub last: Option<Head>,
}

impl Transcript {
    /// A patch that appends, or none where there is nothing to append.
    pub fn append(&self, append: Vec<NewMessage>) -> Option<MessagePatch> {
        (!append.is_empty()).then_some(MessagePatch { keep: self.count, append })
    }

    /// Whether the last message is the line of this decision or answer (rule D3).
    pub fn ends_with_line_of(&self, decision: &DecisionFields) -> bool {
        self.last.as_ref().is_some_and(|last| {
            last.role == Role::User
                && if last.decision_line.is_empty() {
                    decision.decision == Decision::Input
                } else {
                    last.decision_line == decision.turn_digest
                }
        })
    }

    /// The transcript without the line of a decision or answer (rule D3).
    pub fn without_line(&self, decision: &DecisionFields) -> Transcript {
        if self.ends_with_line_of(decision) {
            Transcript {
                count: self.count - 1,
                last: None,
            }
        } else {
            self.clone()
        }
    }
}

/// What the mapping has to know beside conversation and result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Context {
    /// Rule S7.
    pub rule_set: RuleSet,
    /// Unix milliseconds for `createdAt` (rule O11).
    pub now: Option<f64>,
    /// What the run wrote (rule V7).
    pub writes: Writes,
}

/// Maps a result (section 4). The patch always names status, run, decision fields, error message and code; `messages` only where something is
/// appended or taken out; `lastRunUuid` where the result names a run.
pub fn map_outcome(conversation: &Conversation, transcript: &Transcript, result: &RunResult, context: &Context) -> Patch {
    let mut patch = match result.outcome.as_str() {
        "completed" => completed(transcript, result, context),
        "awaiting_approval" => paused(conversation, transcript, result, Pause::Approval, context),
        "awaiting_input" => paused(conversation, transcript, result, Pause::Input, context),
        "guardrail_blocked" | "guardrail_approval_required" => guardrail(conversation, transcript, result),
        "cancelled" => failed(reason(result), code::CANCELLED),         // O10
        "lease_lost" => failed(reason(result), code::FINISHED_OUTSIDE), // O10
        _ => unsuccessful(result),
    };
    if !result.run_uuid.is_empty() {
        patch.last_run_uuid = Some(result.run_uuid.clone()); // T7
    }
    patch
}

/// At rest: decision fields and the waited-on run are cleared (rule S5), the errors of the same turn too (O1).
pub fn idle() -> Patch {
    settled(Status::Idle, Failure::default())
}

/// A failed turn with a message that is already fit for people (rules S5, S6).
pub fn failed(message: String, code: &str) -> Patch {
    settled(
        Status::Failed,
        Failure {
            message,
            code: code.to_owned(),
        },
    )
}

/// The run ended elsewhere, the answer being there (rule K2).
pub fn finished_outside() -> Patch {
    failed("The run ended elsewhere; its result cannot be read.".to_owned(), code::FINISHED_OUTSIDE)
}

/// Given up by cleanup (rule G1).
pub fn timed_out() -> Patch {
    failed("The turn gave no sign of life for too long.".to_owned(), code::TIMED_OUT)
}

/// A failed turn whose reason is an error: sanitized (E1), with the code where the chain has one that section 8 knows (E2).
pub fn failed_with(error: &ErrorInfo, otherwise: &str) -> Patch {
    let message = for_people(&error.message);
    let message = match text::is_blank(&message) {
        true => otherwise.to_owned(),
        false => message,
    };
    failed(message, known_code(error))
}

/// Waiting for a person on a run (rules O4, O5, S5).
pub fn waiting(pause: Pause, run_uuid: &str, code: &str) -> Patch {
    let status = match pause {
        Pause::Approval => Status::AwaitingApproval,
        Pause::Input => Status::AwaitingInput,
    };
    Patch {
        run_uuid: Some(run_uuid.to_owned()),
        ..settled(status, Failure::code(code))
    }
}

fn settled(status: Status, failure: Failure) -> Patch {
    Patch {
        status: Some(status),
        failure: Some(failure),
        run_uuid: Some(String::new()),
        decision: Some(DecisionFields::default()),
        ..Patch::default()
    }
}

fn known_code(error: &ErrorInfo) -> &'static str {
    match error.codes.iter().any(|code| code == code::PROVIDER_NOT_CONFIGURED) {
        true => code::PROVIDER_NOT_CONFIGURED,
        false => "",
    }
}

/// The reason of a result that has no answer: its own message, or a sentence that names the outcome.
fn reason(result: &RunResult) -> String {
    let message = result.error.as_ref().map(|error| for_people(&error.message)).unwrap_or_default();
    match text::is_blank(&message) {
        true => named(result),
        false => message,
    }
}

fn named(result: &RunResult) -> String {
    match result.outcome.as_str() {
        "" => "The agent runtime gave no result.".to_owned(),
        outcome => for_people(&format!("The run ended without an answer ({outcome}).")),
    }
}

/// O9, and O3 where a completed run has no loop result.
fn unsuccessful(result: &RunResult) -> Patch {
    failed(reason(result), result.error.as_ref().map_or("", known_code))
}

/// O1-O3, V7.
fn completed(transcript: &Transcript, result: &RunResult, context: &Context) -> Patch {
    let Some(ended) = &result.loop_result else {
        return unsuccessful(result);
    };
    let mut append = texts_beside_tool_calls(result, context);
    let answer = text::storable(&ended.final_content);
    append.push(if text::is_blank(&answer) {
        let reason = match text::storable(&ended.termination_reason) {
            reason if reason.is_empty() => "completed".to_owned(),
            reason => reason,
        };
        NewMessage::new("assistant", ELLIPSIS).at(context.now).noticed(notice::NO_ANSWER, &[reason])
    } else {
        let message = NewMessage::new("assistant", &answer).at(context.now);
        match context.writes.is_nothing() && phrases::claims_change(&answer) {
            true => message.with("notice", notice::NOTHING_SAVED),
            false => message,
        }
    });
    Patch {
        messages: transcript.append(append),
        ..idle()
    }
}

/// O4, O5, O7, S7.
fn paused(conversation: &Conversation, transcript: &Transcript, result: &RunResult, pause: Pause, context: &Context) -> Patch {
    if context.rule_set == RuleSet::WithoutPauses {
        return unsuccessful(result);
    }
    if result.run_uuid.is_empty() {
        return failed("The run waits for a person but has no identifier.".to_owned(), code::PAUSE_WITHOUT_RUN);
    }
    let mut append = texts_beside_tool_calls(result, context);
    if pause == Pause::Input {
        let question = form::question(&result.input_schema);
        if !text::is_blank(&question) {
            append.push(NewMessage::new("assistant", &question).at(context.now));
        }
    }
    let code = match pause == Pause::Approval && is_same_card(conversation, result) {
        true => code::PREVIEW_CHANGED,
        false => "",
    };
    Patch {
        messages: transcript.append(append),
        ..waiting(pause, &result.run_uuid, code)
    }
}

/// After an approval the same run stands at the same digest: nothing was written (O7). An unknown digest is not the same.
fn is_same_card(conversation: &Conversation, result: &RunResult) -> bool {
    conversation.decision.decision == Decision::Approve
        && conversation.run_uuid == result.run_uuid
        && result
            .turn_digest
            .as_ref()
            .is_some_and(|digest| !digest.is_empty() && *digest == conversation.decision.turn_digest)
}

/// O8: only the user's own last message is marked, and not where the rule was about the answer.
fn guardrail(conversation: &Conversation, transcript: &Transcript, result: &RunResult) -> Patch {
    let of_the_user = transcript.last.as_ref().is_some_and(|last| last.role == Role::User) && !transcript.ends_with_line_of(&conversation.decision);
    let about_the_answer = result.guardrail_class.to_ascii_lowercase().contains("output");
    let index = transcript.count.saturating_sub(1);
    Patch {
        messages: (of_the_user && !about_the_answer).then(|| MessagePatch {
            keep: index,
            append: vec![NewMessage::Changed {
                index,
                set: vec![("notice", notice::GUARDRAIL.into())],
                remove: &[],
            }],
        }),
        ..failed("A guardrail stopped this turn.".to_owned(), code::GUARDRAIL)
    }
}

/// O6: what the model said beside its tool calls, in the order of the rounds.
fn texts_beside_tool_calls(result: &RunResult, context: &Context) -> Vec<NewMessage> {
    let steps = result.steps.iter().filter(|step| step.kind == "llm" && step.requested_tools);
    ordered(steps, |a, b| a.round.total_cmp(&b.round))
        .into_iter()
        .map(|step| text::storable(&step.content))
        .filter(|content| !text::is_blank(content))
        .map(|content| NewMessage::new("assistant", &content).with("besideToolCall", true).at(context.now))
        .collect()
}
