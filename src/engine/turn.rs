//! One claimed turn: start, execute, settle (rules C4-C6, T0-T9, D6, D7, D11, R2a, V6).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::inquiry::Fate;
use super::retry::has_line;
use super::{Clock, Engine, MAX_SWAPS, Report, TurnOutcome, swaps_exhausted};
use crate::conversation::{ActivityEntry, Conversation, Decision, MessagePatch, NewMessage, Patch, Uid};
use crate::error::{Error, ErrorInfo, for_people};
use crate::host::{Answer, Delivery, Host, Level, OnStep, RunRequest, Stored, Task};
use crate::outcome::{self, code};
use crate::refusal::Refusal;
use crate::run::{Actor, Pause, RunResult, RunStep};
use crate::settlement::Settlement;
use crate::status::{RuleSet, Status};
use crate::transcript::{self, PromptContext};
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
    /// Carries out the turn of a claim: a recorded decision or answer, or else a turn over the transcript (rule T1).
    pub(super) async fn carry_out(&self, uid: &Uid, claim_id: &str, resumes: bool) -> Result<Report<H::Raw>, Error> {
        let (turn, known) = match self.start(uid, claim_id, resumes).await? {
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
    async fn start(&self, uid: &Uid, claim_id: &str, resumes: bool) -> Result<Result<(Turn<H>, Option<Box<Settlement>>), Option<Stored<H::Row>>>, Error> {
        // Drawn once, in this order, however often the swap is lost (rules C4, T7).
        let mut own_claim = None;
        let mut announced = None;
        for _ in 0..MAX_SWAPS {
            let stored = match self.host.load(uid).await? {
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

    /// A turn over the transcript (rules T2-T6).
    async fn run(&self, turn: &Turn<H>) -> Result<Carried<H::Raw>, Error> {
        let conversation = &turn.stored.conversation;
        let owner = match self.owner_of(conversation).await {
            Ok(owner) => owner,
            Err(error) => return Ok(self.fault(error).into()),
        };
        let (on_step, observed) = self.observer(turn);
        let answer = match self.request(turn, &owner, on_step).await {
            Ok(answer) => answer,
            Err(settlement) => return Ok(settlement.into()),
        };
        observed.set(false); // V6: what is reported later does nothing
        self.after(turn, &owner, answer).await
    }

    async fn request(&self, turn: &Turn<H>, owner: &Actor, on_step: OnStep) -> Result<Answer<H::Raw>, Settlement> {
        let stored = &turn.stored;
        let fault = |error| self.fault(error);
        let task = self.task(owner).await?;
        let Some(configuration) = task.configuration else {
            return Err(not_configured("The task has no model configuration."));
        };
        let context = self.host.prompt_context(stored, owner).await.map_err(fault)?;
        let uids = transcript::files_to_read(&stored.row).map_err(fault)?;
        let files = self.host.read_files(&uids, owner).await;
        let input = transcript::Input {
            system_prompt: stored.conversation.system_prompt.clone(),
            task: task.prompts,
            identity: self.settings.identity_prompt.clone(),
            context: PromptContext::from_value(&context),
            attachment_budget: Some(self.settings.attachment_budget),
        };
        let plan = transcript::plan(&stored.row, &files, &input).map_err(fault)?;
        let messages = self.host.weave(stored, &files, &plan).map_err(fault)?;
        let request = RunRequest {
            run_uuid: &turn.run_uuid,
            configuration: &configuration.raw,
            messages,
            actor: owner,
            extension: &self.settings.extension_key,
            operation: match turn.resumes {
                true => "resumeChatTurn",
                false => "chatTurn",
            },
        };
        self.host.run(request, on_step).await.map_err(fault)
    }

    /// The task, which must be one that this user may run (rules T2, T3).
    async fn task(&self, owner: &Actor) -> Result<Task<H::Raw>, Settlement> {
        let Some(task_uid) = &self.settings.task_uid else {
            return Err(not_configured("No task is configured: set taskUid."));
        };
        let task = self.host.resolve_task(task_uid, owner).await;
        let Some(task) = task.map_err(|error| self.fault(error))? else {
            return Err(not_configured("The configured task does not exist."));
        };
        match &task.configuration {
            Some(configuration) if !configuration.active => Err(not_configured("The model configuration of the task is switched off.")),
            Some(configuration) if !configuration.allowed => Err(not_configured("This user may not use the model configuration of the task.")),
            _ => Ok(task),
        }
    }

    /// A recorded decision or answer, exactly once (rule D6).
    async fn deliver(&self, turn: &Turn<H>) -> Result<Carried<H::Raw>, Error> {
        let conversation = &turn.stored.conversation;
        let recorded = &conversation.decision;
        let decider = recorded.decided_by.as_ref().unwrap_or(&conversation.owner); // T8
        let by = match self.actor_of(decider).await {
            Ok(by) => by,
            Err(error) => return Ok(self.fault(error).into()),
        };
        let delivery = match recorded.decision {
            Decision::Input => Delivery::Input(recorded.pending_input.clone()),
            decision => Delivery::Decision {
                approved: decision == Decision::Approve,
                deny_reason: recorded.deny_reason.name(),
            },
        };
        let (on_step, observed) = self.observer(turn);
        let run_uuid = conversation.run_uuid.as_str();
        let digest = recorded.turn_digest.as_str();
        let delivered = self.host.deliver(&by, run_uuid, &delivery, digest, on_step).await;
        observed.set(false);
        let mut answer = match delivered {
            Ok(answer) => answer,
            Err(error) => return Ok(self.not_delivered(turn, error).await?.into()),
        };
        self.complete_digest(conversation, &by, &mut answer.result).await;
        let owner = self.owner_or_nobody(conversation).await;
        let owner = owner.unwrap_or_else(|| Actor::plain(conversation.owner.clone()));
        self.after(turn, &owner, answer).await
    }

    /// The digest of a pause that came back after an approval, where the result does not carry it (rule O7).
    async fn complete_digest(&self, conversation: &Conversation, by: &Actor, result: &mut RunResult) {
        let may_be_the_same =
            conversation.decision.decision == Decision::Approve && result.pause() == Some(Pause::Approval) && result.run_uuid == conversation.run_uuid;
        if may_be_the_same && result.turn_digest.as_deref().is_none_or(str::is_empty) {
            let view = self.host.waiting_view(by, &result.run_uuid).await;
            result.turn_digest = view.and_then(|view| view.turn_digest);
        }
    }

    /// A refusal hands the run back, unless it has ended (rules D7, D11); anything else fails the turn (rule D10).
    async fn not_delivered(&self, turn: &Turn<H>, error: Error) -> Result<Settlement, Error> {
        let conversation = &turn.stored.conversation;
        let kind = match conversation.decision.decision {
            Decision::Input => Pause::Input,
            _ => Pause::Approval,
        };
        let info = fault_info(&error);
        let reason = info.reason.as_deref().unwrap_or_default();
        let Some(refusal) = Refusal::parse(reason, kind) else {
            return Ok(self.fault(error));
        };
        let detail = for_people(&format!("{reason}: {}", info.message));
        self.log(Level::Warn, "the runtime refused a decision", &conversation.uid, &detail);
        if refusal.is_stop() {
            return Ok(Settlement::Refused(refusal)); // D9: the stop keeps its own code
        }
        let Some(owner) = self.owner_or_nobody(conversation).await else {
            return Ok(self.refused(refusal));
        };
        let now = self.clock()?;
        Ok(match self.fate(&owner, &conversation.run_uuid).await {
            Fate::Completed(result) => Settlement::Undelivered(Box::new(self.mapped(&owner, *result, now).await)),
            Fate::Ended => Settlement::Undelivered(Box::new(Settlement::Failed(outcome::finished_outside()))),
            _ => self.refused(refusal),
        })
    }

    /// Handed back (rule D8); without pauses there is nobody to hand it to (rule S7).
    fn refused(&self, refusal: Refusal) -> Settlement {
        match self.settings.rule_set {
            RuleSet::Current => Settlement::Refused(refusal),
            RuleSet::WithoutPauses => Settlement::Undelivered(Box::new(Settlement::Failed(outcome::failed(
                "The runtime refused a decision, and this chat has no means for another.".to_owned(),
                refusal.code(),
            )))),
        }
    }

    /// What a result means; a lost lease is asked about first (rule O10).
    async fn after(&self, turn: &Turn<H>, owner: &Actor, answer: Answer<H::Raw>) -> Result<Carried<H::Raw>, Error> {
        let now = self.clock()?;
        let conversation = &turn.stored.conversation;
        let settlement = if answer.result.outcome == "lease_lost" {
            let run_uuid = lost_run(turn, &answer.result);
            match self.found_out(conversation, owner, run_uuid, now).await {
                Some(settlement) => settlement,
                None => return Ok(Carried::Elsewhere(Box::new(answer))),
            }
        } else {
            self.log_failure(conversation, &answer.result);
            let writes = self.claimed_writes(owner, &answer.result, &conversation.run_uuid).await;
            Settlement::Result {
                context: self.context(now, writes),
                result: answer.result.clone(),
            }
        };
        Ok(Carried::Ended(Box::new(Ended {
            settlement,
            answer: Some(answer),
        })))
    }

    /// The text of a run that failed goes to the log, never to the reader (rule O9).
    fn log_failure(&self, conversation: &Conversation, result: &RunResult) {
        if result.outcome == "completed" && result.loop_result.is_some() || result.pause().is_some() {
            return;
        }
        let text = result.loop_result.as_ref().map(|ended| ended.final_content.as_str());
        let detail = for_people(&format!("{}: {}", result.outcome, text.unwrap_or_default()));
        self.log(Level::Warn, "a run ended without an answer", &conversation.uid, &detail);
    }

    /// An exception under the claim: the turn fails, sanitized (rules T6, D10, W4).
    fn fault(&self, error: Error) -> Settlement {
        let context = vec![("code", Value::Text(error.code())), ("detail", Value::Text(for_people(&error.to_string())))];
        self.host.log(Level::Error, "a turn failed", context);
        Settlement::Failed(match &error {
            Error::AttachmentUnsupported(_) => outcome::failed(for_people(&error.to_string()), code::ATTACHMENT_UNSUPPORTED),
            Error::Host(fault) => outcome::failed_with(&fault.info, "A callback of the host failed."),
            other => outcome::failed(for_people(&other.to_string()), ""),
        })
    }

    /// Each step refreshes the row under this claim, and most leave a line in the activity list (rules C5, V6).
    fn observer(&self, turn: &Turn<H>) -> (OnStep, Rc<Cell<bool>>) {
        let observed = Rc::new(Cell::new(true));
        let engine = self.clone();
        let uid = turn.stored.conversation.uid.clone();
        let claim_id = turn.claim_id.clone();
        let activity = Rc::clone(&turn.activity);
        let is_observed = Rc::clone(&observed);
        let on_step = Rc::new(move |step: Option<RunStep>| {
            if !is_observed.get() {
                return;
            }
            if let Some(entry) = step.and_then(|step| step.activity()) {
                push(&mut activity.borrow_mut(), &entry);
            }
            if let Ok(now) = engine.clock() {
                let entries = activity.borrow().clone();
                engine.host.touch(&uid, &claim_id, now.seconds, &entries);
            }
        });
        (on_step, observed)
    }

    /// Writes the end of a turn, only under its own claim (rules C1, C6).
    async fn settle(&self, turn: Turn<H>, ended: Ended<H::Raw>) -> Result<Report<H::Raw>, Error> {
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
        let is_shown = row.as_ref().is_some_and(|row| row.status.is_waiting() && row.run_uuid == run_uuid);
        if paused
            && !run_uuid.is_empty()
            && !is_shown
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
    async fn leave_locked(&self, turn: Turn<H>, answer: Answer<H::Raw>) -> Result<Report<H::Raw>, Error> {
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

/// The row is locked by this claim.
fn is_locked_by(row: &Conversation, claim_id: &str) -> bool {
    !claim_id.is_empty() && row.claim_id == claim_id && row.status == Status::Locked
}

/// The row as it was claimed: cleanup may have cleared what the result of this turn answers (rule C6).
fn as_claimed(row: &Conversation, claimed: &Conversation) -> Conversation {
    Conversation {
        decision: claimed.decision.clone(),
        run_uuid: claimed.run_uuid.clone(),
        ..row.clone()
    }
}

/// The run that a lost lease is about.
fn lost_run<'a, H: Host>(turn: &'a Turn<H>, result: &'a RunResult) -> &'a str {
    let row = &turn.stored.conversation;
    [&result.run_uuid, &row.run_uuid, &row.last_run_uuid]
        .into_iter()
        .find(|run_uuid| !run_uuid.is_empty())
        .map_or("", String::as_str)
}

fn not_configured(message: &str) -> Settlement {
    Settlement::Failed(outcome::failed(message.to_owned(), code::CHAT_NOT_CONFIGURED))
}

fn fault_info(error: &Error) -> ErrorInfo {
    match error {
        Error::Host(fault) => fault.info.clone(),
        other => ErrorInfo::message(&other.to_string()),
    }
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
