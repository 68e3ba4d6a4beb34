//! Requests that run a turn again or end a process (rules R1-R2b, N7).

use super::{Clock, Engine, queued};
use crate::conversation::{Conversation, MessagePatch, Messages, Patch, Uid, notice};
use crate::error::Error;
use crate::host::{Action, Asked, Host, Stored};
use crate::outcome::{self, code};
use crate::reply::{Refusal, Reply, Stop, reply};
use crate::run::{Actor, Pause, RunStatus};
use crate::status::{Status, may_transition};

impl<H: Host + 'static> Engine<H> {
    /// Queues the turn once more (rules R1, R2).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn retry(&self, uid: &Uid, actor: &Actor) -> Result<Reply<Status>, Error> {
        reply(self.run_again(uid, actor).await)
    }

    async fn run_again(&self, uid: &Uid, actor: &Actor) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Write).await?;
        let conversation = &stored.conversation;
        may_retry(conversation)?;
        let now = self.clock()?;
        let mut patch = queued();
        if !conversation.last_run_uuid.is_empty() {
            let owner = self.owner_of(conversation).await?;
            let run_uuid = conversation.last_run_uuid.as_str();
            // Only the status: a result is for the consumer to fetch, under its claim.
            if let Asked::Status(status) = self.host.status(&owner, run_uuid).await {
                if let Some(pause) = status.pause() {
                    self.bring_back(&stored, &owner, pause, now).await?;
                    return Err(Refusal::RunStillActive.into());
                }
                if status.is_active() {
                    if now.age(conversation) < self.settings.abandon_after_seconds {
                        return Err(Refusal::RunStillActive.into());
                    }
                    patch = self.forget_run(&stored, (&owner, run_uuid), now, patch).await?;
                }
            }
        }
        match self.host.swap(&stored, &now.stamp(patch)).await? {
            true => Ok(Status::Processing),
            false => Err(Refusal::Conflict.into()),
        }
    }

    /// The run waits for a person: its card or question comes back (rule R2a). Who loses this swap finds it there already, or somebody
    /// else was faster; the answer is the same.
    async fn bring_back(&self, stored: &Stored<H::Row>, owner: &Actor, pause: Pause, now: Clock) -> Result<(), Error> {
        let conversation = &stored.conversation;
        let run = (conversation.last_run_uuid.as_str(), pause);
        let settlement = self.waits(conversation, owner, run, "", now).await;
        let patch = settlement.patch(conversation, &stored.transcript()?);
        let from = conversation.status.name();
        let to = patch.status.map_or("", Status::name);
        if may_transition(from, to, self.settings.rule_set) {
            self.host.swap(stored, &now.stamp(patch)).await?;
        }
        Ok(())
    }

    /// A run that counts as dead is forgotten, what it wrote is not (rule R2b).
    pub(super) async fn forget_run(&self, stored: &Stored<H::Row>, (owner, run_uuid): (&Actor, &str), now: Clock, patch: Patch) -> Result<Patch, Error> {
        let line = match has_line(stored)? {
            true => None,
            false => {
                let writes = self.writes(owner, run_uuid).await;
                writes.already_written(now.ms)
            }
        };
        Ok(Patch {
            last_run_uuid: Some(String::new()),
            messages: line.map(|line| MessagePatch {
                keep: stored.count(),
                append: vec![line],
            }),
            ..patch
        })
    }

    /// Ends a guided process while it waits (rule N7).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn end_process(&self, uid: &Uid, actor: &Actor) -> Result<Reply<Status>, Error> {
        reply(self.end(uid, actor).await)
    }

    async fn end(&self, uid: &Uid, actor: &Actor) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Write).await?;
        let conversation = &stored.conversation;
        if conversation.status.is_busy() {
            return Err(Refusal::Busy.into());
        }
        if !conversation.status.is_waiting() {
            return Err(Refusal::NotAwaiting.into());
        }
        let patch = self.clock()?.stamp(outcome::idle()); // before anything is withdrawn that could then not be written down
        if !conversation.run_uuid.is_empty() {
            let owner = self.owner_of(conversation).await?;
            let run_uuid = &conversation.run_uuid;
            let status = self.host.cancel_if_waiting(&owner, run_uuid).await;
            if status.is_some_and(RunStatus::is_active) {
                return Err(Refusal::Busy.into());
            }
        }
        match self.host.swap(&stored, &patch).await? {
            true => Ok(Status::Idle),
            false => Err(Refusal::Conflict.into()),
        }
    }
}

/// Rule R1. A stopped run leaves the conversation idle, so there is nothing to retry (rule R3).
fn may_retry(conversation: &Conversation) -> Result<(), Refusal> {
    if conversation.status == Status::Locked {
        return Err(Refusal::Busy);
    }
    if !conversation.run_uuid.is_empty() && conversation.decision.is_recorded() {
        return Err(Refusal::DecisionInFlight);
    }
    let stopped_by_guardrail = conversation.status == Status::Failed && conversation.error_code == code::GUARDRAIL;
    match conversation.status.is_resumable() && !stopped_by_guardrail {
        true => Ok(()),
        false => Err(Refusal::NothingToRetry),
    }
}

/// Whether the last stored message is the line of rule R2a already: it is stored once.
pub(super) fn has_line<R: Messages>(stored: &Stored<R>) -> Result<bool, Error> {
    let last = stored.row.last()?;
    Ok(last.is_some_and(|last| last.notice == notice::ALREADY_WRITTEN))
}
