//! One claimed turn: start, carry out, settle (rules C4, T0, T1, T7, A1, R2a, V6).

mod carry;
mod settle;

use std::cell::RefCell;
use std::rc::Rc;

use super::inquiry::Fate;
use super::retry::has_line;
use super::{Clock, Engine, MAX_SWAPS, Report, swaps_exhausted};
use crate::conversation::{ActivityEntry, Conversation, Decision, MessagePatch, NewMessage, Patch, Uid};
use crate::error::Error;
use crate::host::{Answer, Host, Stored};
use crate::outcome::{self, code};
use crate::run::RunResult;
use crate::settlement::Settlement;
use crate::status::{RuleSet, Status};
use crate::value::Value;

/// The longest activity list (rule V6).
const ACTIVITY: usize = 100;

/// A started turn: the row under a claim that only this call knows (rule C4).
struct Turn<H: Host> {
    stored: Stored<H::Row>,
    claim_id: String,
    /// The announced run (rule T7); "" where none will be started.
    run_uuid: String,
    resumes: bool,
    activity: Rc<RefCell<Vec<Value>>>,
}

/// What is known about the last run of this turn before it is run again (rule R2a).
enum Prior {
    /// Nothing that stands in the way; the line that tells the model what was written, if there is one to tell.
    RunAgain(Option<NewMessage>),
    /// The last run already says how the turn ends.
    Known(Box<Settlement>),
}

/// What a turn came to.
struct Ended<V> {
    settlement: Settlement,
    /// The host's own result and what it says.
    answer: Option<Answer<V>>,
}

/// Who carries a run on, after it was lost (rule O10).
enum Carried<V> {
    /// The turn has ended.
    Ended(Box<Ended<V>>),
    /// Somebody else: the row stays locked.
    Elsewhere(Box<Answer<V>>),
}

impl<V> From<Settlement> for Carried<V> {
    fn from(settlement: Settlement) -> Self {
        Carried::Ended(Box::new(Ended { settlement, answer: None }))
    }
}

impl<H: Host + 'static> Engine<H> {
    /// Carries out the turn of a claim: a recorded decision or answer, or else a turn over the transcript (rule T1). `claimed` is the row under that
    /// claim, where the caller has it.
    pub(super) async fn carry_out(&self, uid: &Uid, claim_id: &str, claimed: Option<Stored<H::Row>>, resumes: bool) -> Result<Report<H::Raw>, Error> {
        let (turn, known) = match self.start(uid, claim_id, claimed, resumes).await? {
            Ok(started) => started,
            Err(stored) => return Ok(Report::not_claimed(uid, stored.as_ref())),
        };
        let carried = match known {
            Some(settlement) => Carried::from(*settlement),
            None => self.execute(&turn).await?,
        };
        match carried {
            Carried::Ended(ended) => self.settle(turn, *ended).await,
            Carried::Elsewhere(answer) => self.leave_locked(turn, *answer).await,
        }
    }

    /// Turn start (rule C4): a second write of `locked` under a fresh claim. The inner error is the row of who came too late.
    #[allow(clippy::type_complexity, reason = "the two ways in which a start ends")]
    async fn start(
        &self,
        uid: &Uid,
        claim_id: &str,
        mut claimed: Option<Stored<H::Row>>,
        resumes: bool,
    ) -> Result<Result<(Turn<H>, Option<Box<Settlement>>), Option<Stored<H::Row>>>, Error> {
        // Drawn once, in this order, however often the swap is lost (rules C4, T7).
        let mut own_claim = None;
        let mut announced = None;
        for _ in 0..MAX_SWAPS {
            let row = match claimed.take() {
                Some(claimed) => Some(claimed),
                None => self.host.load(uid).await?,
            };
            let stored = match row {
                Some(stored) if is_locked_by(&stored.conversation, claim_id) => stored,
                other => return Ok(Err(other)),
            };
            let conversation = &stored.conversation;
            let now = self.clock()?;
            let decided = conversation.decision.is_recorded();
            let prior = match decided {
                true => Prior::RunAgain(None),
                false => self.last_run(&stored, now).await?,
            };
            let runs = !decided && matches!(prior, Prior::RunAgain(_)) && self.settings.task_uid.is_some();
            let own_claim = self.drawn(&mut own_claim)?;
            let run_uuid = match runs {
                true => self.drawn(&mut announced)?,
                false => String::new(),
            };
            let (line, known) = match prior {
                Prior::RunAgain(line) => (line, None),
                Prior::Known(settlement) => (None, Some(settlement)),
            };
            let resumes = resumes || !conversation.last_run_uuid.is_empty(); // A1
            let activity = with_decision(conversation);
            let patch = now.stamp(Patch {
                status: Some(self.started_status(decided)),
                claim_id: Some(own_claim.clone()),
                last_run_uuid: runs.then(|| run_uuid.clone()),
                activity: activity.clone(),
                messages: line.map(|line| MessagePatch {
                    keep: stored.count(),
                    append: vec![line],
                }),
                ..Patch::default()
            });
            if self.host.swap(&stored, &patch).await? {
                let activity = activity.unwrap_or_else(|| conversation.activity.clone());
                let turn = Turn {
                    stored: self.host.patched(&stored, &patch)?,
                    claim_id: own_claim,
                    run_uuid,
                    resumes,
                    activity: Rc::new(RefCell::new(activity)),
                };
                return Ok(Ok((turn, known)));
            }
        }
        Err(swaps_exhausted())
    }

    fn drawn(&self, id: &mut Option<String>) -> Result<String, Error> {
        match id {
            Some(id) => Ok(id.clone()),
            None => Ok(id.insert(self.host.uuid()?).clone()),
        }
    }

    /// `locked`; without pauses a turn over the transcript writes `processing` (rule S7).
    fn started_status(&self, decided: bool) -> Status {
        match self.settings.rule_set == RuleSet::WithoutPauses && !decided {
            true => Status::Processing,
            false => Status::Locked,
        }
    }

    /// Before a turn is run again, its last run is asked (rule R2a).
    async fn last_run(&self, stored: &Stored<H::Row>, now: Clock) -> Result<Prior, Error> {
        let conversation = &stored.conversation;
        let run_uuid = conversation.last_run_uuid.as_str();
        if run_uuid.is_empty() {
            return Ok(Prior::RunAgain(None));
        }
        let owner = match self.owner_of(conversation).await {
            Ok(owner) => owner,
            Err(error) => return Ok(Prior::Known(Box::new(self.fault(error)))), // W4
        };
        Ok(match self.fate(&owner, run_uuid).await {
            Fate::Unknown => Prior::RunAgain(None),
            Fate::Waits(pause) => {
                let run = (run_uuid, pause);
                Prior::Known(Box::new(self.waits(conversation, &owner, run, "", now).await))
            }
            Fate::Completed(result) => Prior::Known(Box::new(self.mapped(&owner, *result, now).await)),
            Fate::Active => {
                let patch = outcome::failed("The last run of this turn is still active.".to_owned(), "");
                Prior::Known(Box::new(Settlement::Failed(patch)))
            }
            Fate::Ended | Fate::Faulty if has_line(stored)? => Prior::RunAgain(None),
            Fate::Ended | Fate::Faulty => {
                let writes = self.writes(&owner, run_uuid).await;
                Prior::RunAgain(writes.already_written(now.ms))
            }
        })
    }

    async fn execute(&self, turn: &Turn<H>) -> Result<Carried<H::Raw>, Error> {
        let conversation = &turn.stored.conversation;
        if !conversation.decision.is_recorded() {
            return self.run(turn).await;
        }
        if conversation.run_uuid.is_empty() {
            let patch = outcome::failed("A decision was recorded, but no run that it belongs to.".to_owned(), code::PAUSE_WITHOUT_RUN);
            return Ok(Settlement::Failed(patch).into()); // T0
        }
        self.deliver(turn).await
    }
}

/// The row is locked by this claim.
fn is_locked_by(row: &Conversation, claim_id: &str) -> bool {
    !claim_id.is_empty() && row.claim_id == claim_id && row.status == Status::Locked
}

/// The run that a lost lease is about.
fn lost_run<'a, H: Host>(turn: &'a Turn<H>, result: &'a RunResult) -> &'a str {
    let row = &turn.stored.conversation;
    [&result.run_uuid, &row.run_uuid, &row.last_run_uuid]
        .into_iter()
        .find(|run_uuid| !run_uuid.is_empty())
        .map_or("", String::as_str)
}

/// The activity list with the entry of a recorded decision or answer (rule V6).
fn with_decision(conversation: &Conversation) -> Option<Vec<Value>> {
    let (kind, approved) = match conversation.decision.decision {
        Decision::None => return None,
        Decision::Approve => ("approval", Some(true)),
        Decision::Deny => ("approval", Some(false)),
        Decision::Input => ("input", None),
    };
    let mut activity = conversation.activity.clone();
    let entry = ActivityEntry {
        kind,
        round: 0.0,
        ms: 0.0,
        tool: None,
        error: false,
        approved,
    };
    push(&mut activity, &entry);
    Some(activity)
}

/// The newest entries stay.
fn push(activity: &mut Vec<Value>, entry: &ActivityEntry) {
    activity.push(entry.to_value());
    let surplus = activity.len().saturating_sub(ACTIVITY);
    activity.drain(..surplus);
}
