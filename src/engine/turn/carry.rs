//! Carrying a turn out: a run over the transcript, or a recorded decision or answer (rules T2-T6, D6, D7, D10, D11, O10, V6).

use std::cell::Cell;
use std::rc::Rc;

use super::{Carried, Ended, Turn, lost_run, push};
use crate::conversation::{Conversation, Decision};
use crate::engine::Engine;
use crate::engine::inquiry::Fate;
use crate::error::{Error, ErrorInfo, for_people};
use crate::host::{Answer, Delivery, Host, Level, OnStep, RunRequest, Task};
use crate::outcome::{self, code};
use crate::refusal::Refusal;
use crate::run::{Actor, Pause, RunResult, RunStep};
use crate::settlement::Settlement;
use crate::status::RuleSet;
use crate::transcript::{self, PromptContext};
use crate::value::Value;

impl<H: Host + 'static> Engine<H> {
    /// A turn over the transcript (rules T2-T6).
    pub(super) async fn run(&self, turn: &Turn<H>) -> Result<Carried<H::Raw>, Error> {
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
    pub(super) async fn deliver(&self, turn: &Turn<H>) -> Result<Carried<H::Raw>, Error> {
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
    pub(super) fn fault(&self, error: Error) -> Settlement {
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
