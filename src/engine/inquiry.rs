//! Asking the runtime about a run: the run is the authority (rules K2, R2a, G1, O10, V7).

use super::{Clock, Engine};
use crate::conversation::Conversation;
use crate::error::Error;
use crate::host::{Answer, Asked, Host};
use crate::outcome::{self, code};
use crate::phrases;
use crate::run::{Actor, Pause, RunResult, RunStatus};
use crate::settlement::Settlement;
use crate::writes::Writes;

/// What the runtime says became of a run.
pub(super) enum Fate {
    /// It waits for a person.
    Waits(Pause),
    /// Queued or running.
    Active,
    /// It completed and its result can be read.
    Completed(Box<RunResult>),
    /// It ended otherwise, or its result is elsewhere.
    Ended,
    /// Nobody can say.
    Unknown,
    /// The question failed.
    Faulty,
}

impl<H: Host + 'static> Engine<H> {
    pub(super) async fn fate(&self, actor: &Actor, run_uuid: &str) -> Fate {
        match self.host.status(actor, run_uuid).await {
            Asked::Unknown => Fate::Unknown,
            Asked::Faulty => Fate::Faulty,
            Asked::Status(status) => self.fate_of(actor, run_uuid, status).await,
        }
    }

    pub(super) async fn fate_of(&self, actor: &Actor, run_uuid: &str, status: RunStatus) -> Fate {
        match status {
            RunStatus::Queued | RunStatus::Running => Fate::Active,
            RunStatus::WaitingForApproval => Fate::Waits(Pause::Approval),
            RunStatus::WaitingForInput => Fate::Waits(Pause::Input),
            RunStatus::Failed | RunStatus::Cancelled => Fate::Ended,
            RunStatus::Completed => match self.kept_result(actor, run_uuid, "completed").await {
                Some(result) => Fate::Completed(Box::new(result)),
                None => Fate::Ended,
            },
        }
    }

    /// The kept result of a run, if it is of this outcome: the status decides, a result of an earlier pause is none (rule G1).
    async fn kept_result(&self, actor: &Actor, run_uuid: &str, outcome: &str) -> Option<RunResult> {
        let Answer { mut result, .. } = self.host.result(actor, run_uuid).await?;
        if result.run_uuid.is_empty() {
            run_uuid.clone_into(&mut result.run_uuid);
        }
        (result.outcome == outcome).then_some(result)
    }

    /// The pause that a waiting run stands at. Where no decision was recorded, its texts and its question come along (rule K2).
    pub(super) async fn waits(
        &self,
        conversation: &Conversation,
        actor: &Actor,
        (run_uuid, pause): (&str, Pause),
        code: &'static str,
        now: Clock,
    ) -> Settlement {
        let result = match conversation.decision.is_recorded() {
            true => None,
            false => self.kept_result(actor, run_uuid, pause.outcome()).await,
        };
        Settlement::Waits {
            pause,
            run_uuid: run_uuid.to_owned(),
            result,
            code,
            context: self.context(now, Writes::Unknown),
        }
    }

    /// A result to be mapped, with what its run wrote (rule V7).
    pub(super) async fn mapped(&self, actor: &Actor, result: RunResult, now: Clock) -> Settlement {
        let writes = self.claimed_writes(actor, &result, "").await;
        Settlement::Result {
            context: self.context(now, writes),
            result,
        }
    }

    /// What a run wrote; asked only where its answer claims a change (rule V7). A result that does not name its run is of the run that was carried on.
    pub(super) async fn claimed_writes(&self, actor: &Actor, result: &RunResult, carried_on: &str) -> Writes {
        let claims = result.outcome == "completed" && result.loop_result.as_ref().is_some_and(|ended| phrases::claims_change(&ended.final_content));
        if !claims {
            return Writes::Unknown;
        }
        match (result.run_uuid.as_str(), carried_on) {
            ("", "") => Writes::of_steps(&result.steps),
            ("", run_uuid) | (run_uuid, _) => self.writes(actor, run_uuid).await,
        }
    }

    pub(super) async fn writes(&self, actor: &Actor, run_uuid: &str) -> Writes {
        Writes::of_events(self.host.events(actor, run_uuid).await.as_deref())
    }

    /// Rule K2 for a run that is not the consumer's own any more: nothing to do where it is active or nobody can say.
    pub(super) async fn found_out(&self, conversation: &Conversation, actor: &Actor, run_uuid: &str, now: Clock) -> Option<Settlement> {
        let fate = self.fate(actor, run_uuid).await;
        self.followed(conversation, actor, (run_uuid, fate), now).await
    }

    pub(super) async fn followed(&self, conversation: &Conversation, actor: &Actor, (run_uuid, fate): (&str, Fate), now: Clock) -> Option<Settlement> {
        match fate {
            Fate::Waits(pause) => Some(self.waits(conversation, actor, (run_uuid, pause), code::FINISHED_OUTSIDE, now).await),
            Fate::Completed(result) => Some(self.mapped(actor, *result, now).await),
            Fate::Ended => Some(Settlement::Failed(outcome::finished_outside())),
            Fate::Active | Fate::Unknown | Fate::Faulty => None,
        }
    }

    /// The owner of a row, where a failing `actorOf` means that nothing is done (rule W4).
    pub(super) async fn owner_or_nobody(&self, conversation: &Conversation) -> Option<Actor> {
        let owner: Result<Actor, Error> = self.owner_of(conversation).await;
        owner.ok()
    }
}
