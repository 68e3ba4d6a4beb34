//! Writing the end of a turn, only under its own claim (rules C1, C6, O10, T9).

use super::{Ended, Turn, is_locked_by, lost_run};
use crate::conversation::{Conversation, Patch};
use crate::engine::{Engine, MAX_SWAPS, Report, TurnOutcome, swaps_exhausted};
use crate::error::Error;
use crate::host::{Answer, Host, Stored};
use crate::outcome::code;
use crate::settlement::Settlement;
use crate::status::{RuleSet, Status};

impl<H: Host + 'static> Engine<H> {
    /// Writes the end of a turn, only under its own claim (rules C1, C6).
    pub(super) async fn settle(&self, turn: Turn<H>, ended: Ended<H::Raw>) -> Result<Report<H::Raw>, Error> {
        let claimed = turn.stored.conversation.clone();
        let uid = &claimed.uid;
        let mut stored = turn.stored;
        for _ in 0..MAX_SWAPS {
            let row = as_claimed(&stored.conversation, &claimed);
            let patch = ended.settlement.patch(&row, &stored.transcript()?);
            let named = ended.answer.as_ref().map(|answer| &answer.result.run_uuid);
            let patch = self.clock()?.stamp(Patch {
                claim_id: Some(String::new()),
                activity: Some(turn.activity.borrow().clone()),
                last_run_uuid: patch.last_run_uuid.or_else(|| named.filter(|uuid| !uuid.is_empty()).cloned()), // T7
                ..patch
            });
            if self.host.swap(&stored, &patch).await? {
                let written = stored.conversation.patched(&patch);
                return Ok(Report {
                    outcome: match ended.settlement.is_hand_back() {
                        true => TurnOutcome::HandedBack,
                        false => TurnOutcome::Settled,
                    },
                    uid: uid.clone(),
                    status: Some(written.status),
                    error_code: written.error_code,
                    run_uuid: written.run_uuid,
                    result: ended.answer.map(|answer| answer.raw),
                });
            }
            match self.host.load(uid).await? {
                Some(now) if self.is_own(&now.conversation, &turn.claim_id) => stored = now,
                other => return Ok(self.superseded(&claimed, other, ended).await),
            }
        }
        Err(swaps_exhausted())
    }

    /// The row is being carried out under this claim; without pauses a started turn is `processing` (rule S7).
    fn holds(&self, row: &Conversation, claim_id: &str) -> bool {
        is_locked_by(row, claim_id) || (self.settings.rule_set == RuleSet::WithoutPauses && row.claim_id == claim_id && row.status == Status::Processing)
    }

    /// The row still belongs to this turn: under its claim, or given up by cleanup and not taken by a newer one (rule C6).
    fn is_own(&self, row: &Conversation, claim_id: &str) -> bool {
        let given_up = row.status == Status::Failed && row.error_code == code::TIMED_OUT;
        self.holds(row, claim_id) || (given_up && row.claim_id == claim_id)
    }

    /// A newer turn owns the row: nothing is overwritten, and a run that waits for a person is withdrawn (rule C6).
    async fn superseded(&self, claimed: &Conversation, stored: Option<Stored<H::Row>>, ended: Ended<H::Raw>) -> Report<H::Raw> {
        let row = stored.map(|stored| stored.conversation);
        let result = ended.answer.as_ref().map(|answer| &answer.result);
        let run_uuid = result.map(|result| result.run_uuid.clone()).unwrap_or_default();
        let paused = result.is_some_and(|result| result.pause().is_some());
        // The row waits on that very run, or a decision about it is on its way.
        let is_wanted = row.as_ref().is_some_and(|row| row.run_uuid == run_uuid);
        if paused
            && !run_uuid.is_empty()
            && !is_wanted
            && let Some(owner) = self.owner_or_nobody(claimed).await
        {
            self.host.cancel_if_waiting(&owner, &run_uuid).await;
        }
        Report {
            outcome: TurnOutcome::Superseded,
            uid: claimed.uid.clone(),
            status: row.as_ref().map(|row| row.status),
            error_code: row.map(|row| row.error_code).unwrap_or_default(),
            run_uuid,
            result: ended.answer.map(|answer| answer.raw),
        }
    }

    /// Somebody else carries the run on, or nobody can say: the row stays locked under its claim, and cleanup asks later (rule O10).
    pub(super) async fn leave_locked(&self, turn: Turn<H>, answer: Answer<H::Raw>) -> Result<Report<H::Raw>, Error> {
        let run_uuid = lost_run(&turn, &answer.result).to_owned();
        let claimed = turn.stored.conversation.clone();
        let mut stored = turn.stored;
        for _ in 0..MAX_SWAPS {
            let patch = self.clock()?.stamp(Patch {
                last_run_uuid: Some(run_uuid.clone()),
                ..Patch::default()
            });
            let known = stored.conversation.last_run_uuid == run_uuid;
            if known || self.host.swap(&stored, &patch).await? {
                return Ok(Report {
                    outcome: TurnOutcome::Settled,
                    uid: claimed.uid,
                    status: Some(stored.conversation.status),
                    error_code: stored.conversation.error_code,
                    run_uuid: stored.conversation.run_uuid,
                    result: Some(answer.raw),
                });
            }
            match self.host.load(&claimed.uid).await? {
                Some(now) if self.holds(&now.conversation, &turn.claim_id) => stored = now,
                other => {
                    let ended = Ended {
                        settlement: Settlement::Failed(Patch::default()),
                        answer: Some(answer),
                    };
                    return Ok(self.superseded(&claimed, other, ended).await);
                }
            }
        }
        Err(swaps_exhausted())
    }
}

/// The row as it was claimed: cleanup may have cleared what the result of this turn answers (rule C6).
fn as_claimed(row: &Conversation, claimed: &Conversation) -> Conversation {
    Conversation {
        decision: claimed.decision.clone(),
        run_uuid: claimed.run_uuid.clone(),
        ..row.clone()
    }
}
