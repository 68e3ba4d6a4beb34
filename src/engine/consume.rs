//! What a consumer calls: claim a turn, carry it out (rules C2-C4, T1, D6).

use super::Engine;
use crate::conversation::{Patch, Uid};
use crate::error::Error;
use crate::host::{Host, Level, Query, Stored};
use crate::status::Status;

/// How many waiting conversations `run_next` tries (rule C3).
const CANDIDATES: usize = 20;

const UNREADABLE: &str = "a conversation cannot be loaded and is left alone";

/// What became of a call of a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOutcome {
    /// The conversation was written.
    Settled,
    /// A decision or answer was handed back.
    HandedBack,
    /// A newer turn owns it.
    Superseded,
    /// Nothing was done.
    NotClaimed,
}

impl TurnOutcome {
    /// The name of the contract.
    pub fn name(self) -> &'static str {
        match self {
            TurnOutcome::Settled => "settled",
            TurnOutcome::HandedBack => "handedBack",
            TurnOutcome::Superseded => "superseded",
            TurnOutcome::NotClaimed => "notClaimed",
        }
    }
}

/// The report of a turn (rules T9, C6).
#[derive(Debug, Clone)]
pub struct Report<V> {
    /// What became of it.
    pub outcome: TurnOutcome,
    /// Which conversation.
    pub uid: Uid,
    /// Its status as written, or as stored; `None` where it is gone.
    pub status: Option<Status>,
    /// Its code as written, or as stored.
    pub error_code: String,
    /// Its run as written, or as stored; of the result where it was superseded.
    pub run_uuid: String,
    /// The host's own result, where the run answered with one.
    pub result: Option<V>,
}

impl<V> Report<V> {
    pub(super) fn not_claimed<R>(uid: &Uid, stored: Option<&Stored<R>>) -> Report<V> {
        let row = stored.map(|stored| &stored.conversation);
        Report {
            outcome: TurnOutcome::NotClaimed,
            uid: uid.clone(),
            status: row.map(|row| row.status),
            error_code: row.map(|row| row.error_code.clone()).unwrap_or_default(),
            run_uuid: row.map(|row| row.run_uuid.clone()).unwrap_or_default(),
            result: None,
        }
    }
}

impl<H: Host + 'static> Engine<H> {
    /// Claims a queued conversation (rule C2): the claim of who wins, nothing for everybody else.
    ///
    /// # Errors
    /// `host.storage.*`, `host.now`, `host.uuid`; `UnknownStatus`.
    pub async fn claim(&self, uid: &Uid) -> Result<Option<String>, Error> {
        let claimed = self.claim_unread(uid).await?;
        Ok(claimed.map(|stored| stored.conversation.claim_id))
    }

    async fn claim_unread(&self, uid: &Uid) -> Result<Option<Stored<H::Row>>, Error> {
        match self.host.load(uid).await? {
            Some(stored) => self.claim_stored(&stored).await,
            None => Ok(None),
        }
    }

    /// The row as it stands under the claim, where it is won.
    async fn claim_stored(&self, stored: &Stored<H::Row>) -> Result<Option<Stored<H::Row>>, Error> {
        if stored.conversation.status != Status::Processing {
            return Ok(None);
        }
        let claim_id = self.host.uuid()?;
        let patch = self.clock()?.stamp(Patch {
            status: Some(Status::Locked),
            claim_id: Some(claim_id),
            ..Patch::default()
        });
        match self.host.swap(stored, &patch).await? {
            true => self.host.patched(stored, &patch).map(Some),
            false => Ok(None),
        }
    }

    /// Carries a turn out: under a claim that the caller holds, or under one of its own.
    ///
    /// # Errors
    /// `host.storage.*`, `host.now`, `host.uuid`; `UnknownStatus`. Everything else that goes wrong under a claim fails the turn (rule W4).
    pub async fn process_conversation(&self, uid: &Uid, claim_id: Option<String>, resumes: bool) -> Result<Report<H::Raw>, Error> {
        if let Some(claim_id) = claim_id {
            return self.carry_out(uid, &claim_id, None, resumes).await;
        }
        match self.claim_unread(uid).await? {
            Some(claimed) => self.carry_out_claimed(claimed, resumes).await,
            None => self.not_claimed(uid).await,
        }
    }

    /// The row was written a moment ago, so it need not be read: whoever has changed it since makes the next swap a lost one (rule C1).
    async fn carry_out_claimed(&self, claimed: Stored<H::Row>, resumes: bool) -> Result<Report<H::Raw>, Error> {
        let uid = claimed.conversation.uid.clone();
        let claim_id = claimed.conversation.claim_id.clone();
        self.carry_out(&uid, &claim_id, Some(claimed), resumes).await
    }

    /// What stands there now, for who came too late (rule T9).
    async fn not_claimed(&self, uid: &Uid) -> Result<Report<H::Raw>, Error> {
        let stored = self.host.load(uid).await?;
        Ok(Report::not_claimed(uid, stored.as_ref()))
    }

    /// Claims the conversation that has waited longest and carries it out (rule C3); nothing where none waits.
    ///
    /// # Errors
    /// As `process_conversation`; the error of the first row that cannot be loaded only where no candidate could be tried (rule S3).
    pub async fn run_next(&self, worker_id: &str) -> Result<Option<Report<H::Raw>>, Error> {
        let candidates = self
            .host
            .find(&Query {
                statuses: vec![Status::Processing],
                limit: CANDIDATES,
                ..Query::default()
            })
            .await?;
        let mut lost: Option<Uid> = None;
        let mut broken = None;
        for uid in candidates {
            let stored = match self.host.load(&uid).await {
                Ok(Some(stored)) => stored,
                Ok(None) => {
                    lost.get_or_insert(uid);
                    continue;
                }
                Err(error) => {
                    self.log(Level::Error, UNREADABLE, &uid, &error.code());
                    broken.get_or_insert(error);
                    continue;
                }
            };
            if let Some(claimed) = self.claim_stored(&stored).await? {
                self.log(Level::Debug, "turn claimed", &uid, worker_id);
                return self.carry_out_claimed(claimed, false).await.map(Some);
            }
            lost.get_or_insert(uid);
        }
        match (lost, broken) {
            // It was tried: that it cannot be read any more is no reason to reject.
            (Some(uid), _) => Ok(Some(self.not_claimed(&uid).await.unwrap_or_else(|error| {
                self.log(Level::Error, UNREADABLE, &uid, &error.code());
                Report::not_claimed::<H::Row>(&uid, None)
            }))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(None),
        }
    }
}
