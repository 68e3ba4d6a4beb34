//! Requests that decide or answer (rules D1-D5).

use super::{Clock, Engine};
use crate::conversation::{Conversation, Decision, DecisionFields, DenyReason, Failure, MessagePatch, NewMessage, Patch, Uid};
use crate::error::Error;
use crate::form;
use crate::host::{Action, Host, Stored};
use crate::reply::{Refusal, Reply, Stop, reply};
use crate::run::{Actor, ViewMode};
use crate::status::Status;
use crate::text;
use crate::value::Value;

/// A decision about a card.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// Approved or denied.
    pub approve: bool,
    /// The digest exactly as the card carried it.
    pub turn_digest: String,
    /// Why it was denied.
    pub deny_reason: DenyReason,
    /// What the person said to it; only for a denial.
    pub display: String,
}

impl<H: Host + 'static> Engine<H> {
    /// Records a decision; a consumer carries it out (rule D1).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn record_decision(&self, uid: &Uid, actor: &Actor, decision: NewDecision) -> Result<Reply<Status>, Error> {
        reply(self.decide(uid, actor, decision).await)
    }

    async fn decide(&self, uid: &Uid, actor: &Actor, new: NewDecision) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Decide).await?;
        awaits(&stored.conversation, Status::AwaitingApproval)?;
        let now = self.clock()?;
        let run_uuid = &stored.conversation.run_uuid;
        let view = self.host.waiting_view(actor, run_uuid).await;
        if view.is_some_and(|view| view.is_expired(now.ms)) {
            return Err(Refusal::ApprovalExpired.into()); // D4
        }
        let decision = DecisionFields {
            decision: match new.approve {
                true => Decision::Approve,
                false => Decision::Deny,
            },
            decided_by: Some(actor.uid.clone()),
            turn_digest: new.turn_digest,
            deny_reason: new.deny_reason,
            pending_input: Value::Null,
        };
        let line = if new.approve { "" } else { &new.display };
        self.record(&stored, decision, line, now).await
    }

    /// Records an answer that the question offers; a consumer carries it out (rule D2).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn record_input(&self, uid: &Uid, actor: &Actor, answer: &Value, turn_digest: &str) -> Result<Reply<Status>, Error> {
        reply(self.answer(uid, actor, answer, turn_digest).await)
    }

    async fn answer(&self, uid: &Uid, actor: &Actor, answer: &Value, turn_digest: &str) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Write).await?;
        awaits(&stored.conversation, Status::AwaitingInput)?;
        let run_uuid = &stored.conversation.run_uuid;
        let view = self.host.waiting_view(actor, run_uuid).await;
        let view = view.filter(|view| view.mode == ViewMode::Input).ok_or(Refusal::QuestionUnavailable)?;
        let answered = form::answer_form(&view.input_schema, answer, &self.settings.words).ok_or(Refusal::AnswerInvalid)?;
        let decision = DecisionFields {
            decision: Decision::Input,
            decided_by: Some(actor.uid.clone()),
            turn_digest: turn_digest.to_owned(),
            deny_reason: DenyReason::None,
            pending_input: Value::Map(answered.data),
        };
        let now = self.clock()?;
        self.record(&stored, decision, &answered.display, now).await
    }

    /// One swap: the decision, its line, and an end to earlier errors.
    async fn record(&self, stored: &Stored<H::Row>, decision: DecisionFields, line: &str, now: Clock) -> Result<Status, Stop> {
        let line = text::storable(line);
        let line = text::trim(&line);
        let messages = (!text::is_blank(line)).then(|| MessagePatch {
            keep: stored.count(),
            append: vec![
                NewMessage::new("user", line)
                    .with("decisionLine", decision.turn_digest.as_str()) // D3
                    .at(Some(now.ms)),
            ],
        });
        let patch = now.stamp(Patch {
            status: Some(Status::Processing),
            claim_id: Some(String::new()),
            failure: Some(Failure::default()),
            decision: Some(decision),
            messages,
            ..Patch::default()
        });
        match self.host.swap(stored, &patch).await? {
            true => Ok(Status::Processing),
            false => Err(Refusal::Conflict.into()),
        }
    }
}

/// Whether the conversation waits for this (rule N6).
fn awaits(conversation: &Conversation, status: Status) -> Result<(), Refusal> {
    if conversation.status.is_busy() {
        return Err(Refusal::Busy);
    }
    match conversation.status == status && !conversation.run_uuid.is_empty() {
        true => Ok(()),
        false => Err(Refusal::NotAwaiting),
    }
}
