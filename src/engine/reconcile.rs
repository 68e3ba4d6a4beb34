//! Finding out what became of a run that nobody carries any more (rules K1-K3).

use super::{Clock, Engine};
use crate::conversation::{Conversation, Messages, Uid};
use crate::error::Error;
use crate::host::{Asked, Host, Stored};
use crate::run::{Actor, Pause};
use crate::settlement::Settlement;
use crate::status::Status;

impl<H: Host + 'static> Engine<H> {
    /// Looks at one conversation; true where something was written.
    ///
    /// # Errors
    /// `host.storage.*`, `host.now`; `UnknownStatus`.
    pub async fn reconcile(&self, uid: &Uid) -> Result<bool, Error> {
        let Some(stored) = self.host.load(uid).await? else {
            return Ok(false);
        };
        let now = self.clock()?;
        if !self.is_questionable(&stored.conversation, now) {
            return Ok(false);
        }
        match self.owner_or_nobody(&stored.conversation).await {
            Some(owner) => self.follow_run(&stored, &owner, now).await,
            None => Ok(false), // W4
        }
    }

    /// Whether the run of this row may have gone on without it (rule K1).
    pub(super) fn is_questionable(&self, conversation: &Conversation, now: Clock) -> bool {
        if conversation.run_uuid.is_empty() || conversation.updated_at == 0.0 {
            return false;
        }
        conversation.status.is_waiting() || (conversation.status == Status::Processing && now.age(conversation) > self.settings.grace_seconds)
    }

    /// Swaps from what was read, so that it never overwrites a consumer's write (rule K3).
    pub(super) async fn follow_run(&self, stored: &Stored<H::Row>, owner: &Actor, now: Clock) -> Result<bool, Error> {
        let conversation = &stored.conversation;
        let settlement = match conversation.status.is_waiting() {
            true => self.followed_pause(conversation, owner, now).await,
            false => self.found_out(conversation, owner, &conversation.run_uuid, now).await,
        };
        let Some(settlement) = settlement else {
            return Ok(false);
        };
        // The last message is needed to take a line out; a cheap poll may not have read it (rules D3, N9).
        let read = match stored.row.is_empty() && stored.offset > 0 {
            true => self.host.load_since(&conversation.uid, stored.offset - 1).await?,
            false => None,
        };
        let stored = match &read {
            Some(read) if read.conversation.revision != conversation.revision => return Ok(false),
            Some(read) => read,
            None => stored,
        };
        let patch = settlement.patch(conversation, &stored.transcript()?);
        self.host.swap(stored, &now.stamp(patch)).await
    }

    /// A waiting row follows a run that was decided or ended elsewhere (rule K1); everything else leaves it alone.
    async fn followed_pause(&self, conversation: &Conversation, owner: &Actor, now: Clock) -> Option<Settlement> {
        let run_uuid = conversation.run_uuid.as_str();
        let Asked::Status(status) = self.host.status(owner, run_uuid).await else {
            return None;
        };
        let shown = match conversation.status {
            Status::AwaitingApproval => Pause::Approval,
            _ => Pause::Input,
        };
        if status.pause() == Some(shown) {
            return None;
        }
        let fate = self.fate_of(owner, run_uuid, status).await;
        self.followed(conversation, owner, (run_uuid, fate), now).await
    }
}
