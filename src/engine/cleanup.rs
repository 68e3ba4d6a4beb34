//! What time brings: stuck turns, the archive, removal (rules G1-G3, R2b).

use super::inquiry::Fate;
use super::{Clock, Engine};
use crate::conversation::{Conversation, Patch, Uid};
use crate::error::Error;
use crate::host::{Host, Level, Query, Stored};
use crate::outcome::{self, code};
use crate::status::{BUSY, Status};

/// The most that one pass looks at, of each kind: what is left comes with the next.
const BATCH: usize = 1000;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// What one pass of cleanup wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cleaned {
    /// Rows written as timed out.
    pub timed_out: u32,
    /// Rows put into the archive.
    pub archived: u32,
    /// Rows removed with their messages.
    pub removed: u32,
}

impl<H: Host + 'static> Engine<H> {
    /// Gives up stuck turns, archives, removes. Idempotent; loses every race against a consumer that settles (rule G3).
    ///
    /// # Errors
    /// `host.storage.find`, `host.storage.swap`, `host.storage.remove`, `host.now`. A row that cannot be loaded is logged and left alone.
    pub async fn cleanup(&self) -> Result<Cleaned, Error> {
        Ok(Cleaned {
            timed_out: self.end_stuck_turns().await?,
            archived: self.archive().await?,
            removed: self.remove().await?,
        })
    }

    async fn end_stuck_turns(&self) -> Result<u32, Error> {
        let now = self.clock()?;
        let query = Query {
            statuses: BUSY.to_vec(),
            updated_before: Some(now.seconds - self.settings.stuck_after_seconds),
            limit: BATCH,
            ..Query::default()
        };
        let mut timed_out = 0;
        for uid in self.host.find(&query).await? {
            let Some(stored) = self.load_or_log(&uid).await else {
                continue;
            };
            let Some(patch) = self.end_of(&stored, now).await? else {
                continue;
            };
            let is_time_out = patch.failure.as_ref().is_some_and(|failure| failure.code == code::TIMED_OUT);
            if self.host.swap(&stored, &now.stamp(patch)).await? && is_time_out {
                timed_out += 1;
            }
        }
        Ok(timed_out)
    }

    /// What is to be written into a row that gave no sign of life; the run is the authority (rule G1).
    async fn end_of(&self, stored: &Stored<H::Row>, now: Clock) -> Result<Option<Patch>, Error> {
        let conversation = &stored.conversation;
        let age = now.age(conversation);
        if !conversation.status.is_busy() || age <= self.settings.stuck_after_seconds {
            return Ok(None);
        }
        let is_queued = conversation.status == Status::Processing && conversation.claim_id.is_empty();
        let gives_up = !is_queued || age > self.settings.queue_timeout_seconds;
        let run_uuid = named_run(conversation);
        if run_uuid.is_empty() {
            return Ok(gives_up.then(outcome::timed_out));
        }
        let Some(owner) = self.owner_or_nobody(conversation).await else {
            return Ok(None); // W4
        };
        let settlement = match self.fate(&owner, run_uuid).await {
            Fate::Active => {
                let patience = self.settings.abandon_after_seconds;
                let believed = match is_queued {
                    true => patience.max(self.settings.queue_timeout_seconds),
                    false => patience,
                };
                if age <= believed {
                    return Ok(None);
                }
                let patch = outcome::timed_out();
                let run = (&owner, run_uuid);
                return self.forget_run(stored, run, now, patch).await.map(Some);
            }
            Fate::Waits(pause) => self.waits(conversation, &owner, (run_uuid, pause), code::TIMED_OUT, now).await,
            Fate::Completed(result) => self.mapped(&owner, *result, now).await,
            Fate::Ended | Fate::Unknown | Fate::Faulty => return Ok(gives_up.then(outcome::timed_out)),
        };
        Ok(Some(settlement.patch(conversation, &stored.transcript()?)))
    }

    /// Idle, unpinned and untouched for long enough (rule G2).
    async fn archive(&self) -> Result<u32, Error> {
        let Some((query, now)) = self.untouched(self.settings.auto_archive_days)? else {
            return Ok(0);
        };
        let query = Query {
            statuses: vec![Status::Idle],
            archived: Some(false),
            ..query
        };
        let mut archived = 0;
        for uid in self.host.find(&query).await? {
            let Some(stored) = self.load_or_log(&uid).await else {
                continue;
            };
            let row = &stored.conversation;
            let due = row.status == Status::Idle && !row.archived && is_due(row, &query);
            let patch = now.stamp(Patch {
                archived: Some(true),
                ..Patch::default()
            });
            if due && self.host.swap(&stored, &patch).await? {
                archived += 1;
            }
        }
        Ok(archived)
    }

    /// Archived, unpinned, settled and untouched for long enough (rule G2).
    async fn remove(&self) -> Result<u32, Error> {
        let Some((query, _)) = self.untouched(self.settings.delete_after_days)? else {
            return Ok(0);
        };
        let query = Query {
            statuses: vec![Status::Idle, Status::Failed],
            archived: Some(true),
            ..query
        };
        let mut removed = 0;
        for uid in self.host.find(&query).await? {
            let Some(stored) = self.load_or_log(&uid).await else {
                continue;
            };
            let row = &stored.conversation;
            let settled = !row.status.is_busy() && !row.status.is_waiting();
            let due = settled && row.archived && is_due(row, &query);
            if due && self.host.remove(&uid, row.revision).await? {
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Unpinned rows that nobody wrote for so many days; none where the setting is off.
    fn untouched(&self, days: f64) -> Result<Option<(Query, Clock)>, Error> {
        if days == 0.0 {
            return Ok(None);
        }
        let now = self.clock()?;
        let query = Query {
            pinned: Some(false),
            updated_before: Some(now.seconds - days * SECONDS_PER_DAY),
            limit: BATCH,
            ..Query::default()
        };
        Ok(Some((query, now)))
    }

    /// One bad row never stops the rest (rule S3).
    pub(super) async fn load_or_log(&self, uid: &Uid) -> Option<Stored<H::Row>> {
        match self.host.load(uid).await {
            Ok(stored) => stored,
            Err(error) => {
                self.log(Level::Error, "a conversation cannot be loaded and is left alone", uid, &error.code());
                None
            }
        }
    }
}

/// The run that the row waits on, or else the last of its turn.
fn named_run(conversation: &Conversation) -> &str {
    match conversation.run_uuid.as_str() {
        "" => &conversation.last_run_uuid,
        run_uuid => run_uuid,
    }
}

/// The row as it was loaded, which may be newer than what was found.
fn is_due(row: &Conversation, query: &Query) -> bool {
    !row.pinned && query.updated_before.is_some_and(|before| row.updated_at < before)
}
