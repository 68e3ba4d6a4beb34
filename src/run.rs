//! What the agent runtime says about a run: results, steps, events, statuses, the waiting view.

use crate::conversation::{ActivityEntry, Uid};
use crate::error::ErrorInfo;
use crate::text;
use crate::value::Value;

/// Where a run stands (contract, `RunStatus`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Not started yet.
    Queued,
    /// Being carried out.
    Running,
    /// Paused before a write.
    WaitingForApproval,
    /// Paused at a question.
    WaitingForInput,
    /// Ended with a result.
    Completed,
    /// Ended without one.
    Failed,
    /// Withdrawn.
    Cancelled,
}

impl RunStatus {
    /// The status of a name; anything else is unreadable, never terminal (rule K2).
    pub fn parse(name: &str) -> Option<RunStatus> {
        Some(match name {
            "queued" => RunStatus::Queued,
            "running" => RunStatus::Running,
            "waiting_for_approval" => RunStatus::WaitingForApproval,
            "waiting_for_input" => RunStatus::WaitingForInput,
            "completed" => RunStatus::Completed,
            "failed" => RunStatus::Failed,
            "cancelled" => RunStatus::Cancelled,
            _ => return None,
        })
    }

    /// Somebody carries it out, or will.
    pub fn is_active(self) -> bool {
        matches!(self, RunStatus::Queued | RunStatus::Running)
    }

    /// It waits for a person.
    pub fn is_waiting(self) -> bool {
        self.pause().is_some()
    }

    /// The pause it stands at.
    pub fn pause(self) -> Option<Pause> {
        match self {
            RunStatus::WaitingForApproval => Some(Pause::Approval),
            RunStatus::WaitingForInput => Some(Pause::Input),
            _ => None,
        }
    }
}

/// The two ways in which a run waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// For a decision.
    Approval,
    /// For an answer.
    Input,
}

impl Pause {
    /// The outcome of a run that stopped there.
    pub fn outcome(self) -> &'static str {
        match self {
            Pause::Approval => "awaiting_approval",
            Pause::Input => "awaiting_input",
        }
    }

    /// The pause of a kind of name that `mapRefusal` takes.
    pub fn parse(kind: &str) -> Option<Pause> {
        match kind {
            "approval" => Some(Pause::Approval),
            "input" => Some(Pause::Input),
            _ => None,
        }
    }
}

/// The settled or paused result of a run, as far as the rules look at it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunResult {
    /// `completed`, `awaiting_approval`, …, or one that is not known yet; "" where the runtime gave nonsense.
    pub outcome: String,
    /// The run's uuid, "" where it has none.
    pub run_uuid: String,
    /// The steps of this segment; odd ones are left out.
    pub steps: Vec<RunStep>,
    /// The final answer and why the loop ended.
    pub loop_result: Option<LoopResult>,
    /// The digest of the pending calls or question.
    pub turn_digest: Option<String>,
    /// The schema of a question.
    pub input_schema: Value,
    /// The rule of a guardrail that stopped the run.
    pub guardrail_class: String,
    /// What went wrong.
    pub error: Option<ErrorInfo>,
}

/// How a loop ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoopResult {
    /// The last text; may be blank (rule O2).
    pub final_content: String,
    /// Why it ended; "" counts as `completed`.
    pub termination_reason: String,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunStep {
    /// `request`, `llm`, `tool`, `tool_write`, or one that is not known yet.
    pub kind: String,
    /// The round of the model.
    pub round: f64,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
    /// The text of an `llm` step.
    pub content: String,
    /// Whether it asked for at least one tool.
    pub requested_tools: bool,
    /// The tool of a `tool` step.
    pub tool_name: String,
    /// Whether that tool failed.
    pub tool_is_error: bool,
    /// What a `tool_write` step wrote.
    pub write_target: WriteTarget,
}

/// The record a write names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WriteTarget {
    /// Its table; "" names nothing.
    pub table: String,
    /// Its uid; anything but a positive integer names nothing.
    pub uid: f64,
}

impl RunStep {
    /// The step in a value; fields of a wrong type count as absent.
    pub fn from_value(step: &Value) -> Option<RunStep> {
        let number = |key: &str| step.get(key).as_number().unwrap_or_default();
        Some(RunStep {
            kind: step.get("kind").as_text()?.to_owned(),
            round: number("round"),
            duration_ms: number("durationMs"),
            content: step.get("content").text_or_empty(),
            requested_tools: step.get("requestedToolCalls").as_list().is_some_and(|calls| !calls.is_empty()),
            tool_name: step.get("toolName").text_or_empty(),
            tool_is_error: step.get("toolIsError") == &Value::Bool(true),
            write_target: WriteTarget::from_value(step),
        })
    }

    /// Its line in the activity list, without arguments and results (rule V6).
    pub fn activity(&self) -> Option<ActivityEntry> {
        let kind = match self.kind.as_str() {
            "llm" => "llm",
            "tool" => "tool",
            _ => return None,
        };
        Some(ActivityEntry {
            kind,
            round: self.round,
            ms: self.duration_ms,
            tool: (!self.tool_name.is_empty()).then(|| text::storable(&self.tool_name)), // N4
            error: self.tool_is_error,
            approved: None,
        })
    }
}

impl WriteTarget {
    fn from_value(value: &Value) -> WriteTarget {
        WriteTarget {
            table: value.get("writeTargetTable").text_or_empty(),
            uid: value.get("writeTargetUid").as_number().unwrap_or_default(),
        }
    }
}

impl RunResult {
    /// The result in a value; `None` where this is none at all (no object, or no outcome).
    pub fn from_value(value: &Value) -> Option<RunResult> {
        let outcome = value.get("outcome").as_text()?.to_owned();
        let ended = value.get("loopResult");
        let suspended = value.get("suspendedState");
        let error = value.get("error");
        Some(RunResult {
            outcome,
            run_uuid: value.get("runUuid").text_or_empty(),
            steps: value
                .get("steps")
                .as_list()
                .unwrap_or_default()
                .iter()
                .filter_map(RunStep::from_value)
                .collect(),
            loop_result: ended.as_map().map(|_| LoopResult {
                final_content: ended.get("finalContent").text_or_empty(),
                termination_reason: ended.get("terminationReason").text_or_empty(),
            }),
            turn_digest: suspended.get("turnDigest").as_text().map(str::to_owned),
            input_schema: suspended.get("inputSchema").clone(),
            guardrail_class: value.get("guardrailClass").text_or_empty(),
            error: error.as_map().map(|_| ErrorInfo::from_value(error)),
        })
    }

    /// The pause this result stands at, if any.
    pub fn pause(&self) -> Option<Pause> {
        [Pause::Approval, Pause::Input].into_iter().find(|pause| pause.outcome() == self.outcome)
    }
}

/// How many causes of an error are looked at (rule E2).
const CHAIN: usize = 16;

impl ErrorInfo {
    /// The error in a value: message, reason, and the codes of the chain.
    pub fn from_value(error: &Value) -> ErrorInfo {
        let mut codes = Vec::new();
        let mut link = error;
        for _ in 0..CHAIN {
            if let Some(code) = link.get("code").as_text() {
                codes.push(code.to_owned());
            }
            link = link.get("cause");
        }
        ErrorInfo {
            message: error.get("message").text_or_empty(),
            codes,
            reason: error.get("reason").as_text().map(str::to_owned),
        }
    }
}

/// One stored event of a run, as far as the rules look at it (rule V7).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunEvent {
    /// `request`, `llm`, `tool`, `tool_write`, `approval`, `input`, or one that is not known yet.
    pub kind: String,
    /// Whether a tool failed.
    pub tool_is_error: bool,
    /// What was decided.
    pub approved: bool,
    /// What was written.
    pub write_target: WriteTarget,
}

impl RunEvent {
    /// The event in a value.
    pub fn from_value(event: &Value) -> Option<RunEvent> {
        let payload = event.get("payload");
        Some(RunEvent {
            kind: event.get("kind").as_text()?.to_owned(),
            tool_is_error: payload.get("toolIsError") == &Value::Bool(true),
            approved: payload.get("approved") == &Value::Bool(true),
            write_target: WriteTarget::from_value(payload),
        })
    }
}

/// What a waiting run shows to who looks.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingView {
    /// Which kind of view it is.
    pub mode: ViewMode,
    /// The digest that a decision or answer carries back.
    pub turn_digest: Option<String>,
    /// The calls that wait, as the runtime gave them.
    pub pending_calls: Vec<Value>,
    /// The schema of a question.
    pub input_schema: Value,
    /// Unix seconds; absent: never.
    pub expires_at: Option<f64>,
    /// Why it cannot be shown.
    pub unreadable_reason: Option<String>,
}

/// The kinds of waiting view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewMode {
    /// A decision.
    Approval,
    /// A question.
    Input,
    /// Cannot be shown.
    Unreadable,
}

impl WaitingView {
    /// The view in a value; `None` where it is none.
    pub fn from_value(view: &Value) -> Option<WaitingView> {
        Some(WaitingView {
            mode: match view.get("mode").as_text()? {
                "approval" => ViewMode::Approval,
                "input" => ViewMode::Input,
                "unreadable" => ViewMode::Unreadable,
                _ => return None,
            },
            turn_digest: view.get("turnDigest").as_text().map(str::to_owned),
            pending_calls: view.get("pendingCalls").as_list().unwrap_or_default().to_vec(),
            input_schema: view.get("inputSchema").clone(),
            expires_at: view.get("expiresAt").as_number(),
            unreadable_reason: view.get("unreadableReason").as_text().map(str::to_owned),
        })
    }

    /// Whether its time is over (rule D4); `now` in Unix milliseconds.
    pub fn is_expired(&self, now: f64) -> bool {
        self.expires_at.is_some_and(|at| now > at * 1000.0)
    }
}

/// A user as the host describes them (rule T8).
#[derive(Debug, Clone, PartialEq)]
pub struct Actor {
    /// Who.
    pub uid: Uid,
    /// Whether the host says this is an administrator.
    pub is_admin: bool,
    /// The groups, as the host gave them.
    pub groups: Vec<Value>,
}

impl Actor {
    /// A plain user without groups.
    pub fn plain(uid: Uid) -> Actor {
        Actor {
            uid,
            is_admin: false,
            groups: Vec::new(),
        }
    }

    /// The actor in a value; `None` where it is none.
    pub fn from_value(value: &Value) -> Option<Actor> {
        Some(Actor {
            uid: Uid::from_value(value.get("uid"))?,
            is_admin: value.get("isAdmin") == &Value::Bool(true),
            groups: value.get("groups").as_list().unwrap_or_default().to_vec(),
        })
    }

    /// As callbacks of the host get it.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("uid", self.uid.value().clone()),
            ("isAdmin", Value::Bool(self.is_admin)),
            ("groups", Value::List(self.groups.clone())),
        ])
    }
}
