//! What a reader gets (rules N9, V1, E3, K1).

use super::Engine;
use crate::conversation::{Messages, Uid};
use crate::error::Error;
use crate::host::{Action, Host, Stored};
use crate::present::{self, ConversationView, Reader};
use crate::reply::{Refusal, Reply, Stop, reply};
use crate::run::Actor;
use crate::status::Status;

/// The answer of a poll.
pub struct Polled<R> {
    /// The row; the messages from `from` on are new to the client.
    pub stored: Stored<R>,
    /// Where in the row's own messages the new ones begin.
    pub from: usize,
    /// The client knew more than is stored: it gets all messages.
    pub truncated: bool,
    /// Whether the reader sees the technical message (rule E3).
    pub shows_message: bool,
    /// What the reader sees.
    pub view: ConversationView,
}

impl<H: Host + 'static> Engine<H> {
    /// The messages from `after` on, with the view; reconciles first where section 9 says so.
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs; `UnknownStatus` (rule S3).
    pub async fn poll(&self, uid: &Uid, actor: &Actor, after: usize) -> Result<Reply<Polled<H::Row>>, Error> {
        reply(self.read(uid, actor, after).await)
    }

    async fn read(&self, uid: &Uid, actor: &Actor, after: usize) -> Result<Polled<H::Row>, Stop> {
        let mut stored = self.since(uid, after).await?;
        if !self.may(actor, &stored, Action::Read).await? {
            return Err(Refusal::NotFound.into());
        }
        let now = self.clock()?;
        if self.is_questionable(&stored.conversation, now) {
            let owner = self.owner_of(&stored.conversation).await?;
            if self.follow_run(&stored, &owner, now).await? {
                stored = self.since(uid, after).await?;
            }
        }
        let truncated = after > stored.count();
        if truncated && stored.offset > 0 {
            stored = self.since(uid, 0).await?;
        }
        let view = self.view(&stored, actor, now.ms).await?;
        let known = if truncated { 0 } else { after };
        Ok(Polled {
            from: known.saturating_sub(stored.offset).min(stored.row.len()),
            truncated,
            shows_message: actor.is_admin,
            view,
            stored,
        })
    }

    async fn since(&self, uid: &Uid, after: usize) -> Result<Stored<H::Row>, Stop> {
        let stored = match self.host.loads_since() {
            true => self.host.load_since(uid, after).await?,
            false => self.host.load(uid).await?,
        };
        stored.ok_or_else(|| Refusal::NotFound.into())
    }

    async fn view(&self, stored: &Stored<H::Row>, actor: &Actor, now: f64) -> Result<ConversationView, Error> {
        let conversation = &stored.conversation;
        let may_decide = conversation.status == Status::AwaitingApproval && self.may(actor, stored, Action::Decide).await?;
        let may_write = conversation.status == Status::AwaitingInput && self.may(actor, stored, Action::Write).await?;
        let waiting = match conversation.status.is_waiting() && !conversation.run_uuid.is_empty() {
            // As the one who looks (rule T8).
            true => self.host.waiting_view(actor, &conversation.run_uuid).await,
            false => None,
        };
        let reader = Reader {
            uid: actor.uid.clone(),
            is_admin: actor.is_admin,
            may_decide,
            may_write: Some(may_write),
        };
        Ok(present::present(conversation, &reader, waiting.as_ref(), Some(now)))
    }
}
