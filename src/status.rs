//! Statuses, their groups and the transitions between them (rules S1-S4, S7).

use crate::error::Error;

/// The status of a conversation; exactly one (rule S1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// At rest, ready for a message.
    Idle,
    /// Claimed by a request, waiting for a consumer.
    Processing,
    /// Claimed by a consumer, the turn is running.
    Locked,
    /// Legacy; never written by these rules.
    ToolLoop,
    /// The run stopped before a write and waits for a person.
    AwaitingApproval,
    /// A tool asked the user something and the run waits for the answer.
    AwaitingInput,
    /// The turn ended without an answer.
    Failed,
}

use Status::{AwaitingApproval, AwaitingInput, Failed, Idle, Locked, Processing, ToolLoop};

/// The busy statuses (rule S2).
pub const BUSY: [Status; 3] = [Processing, Locked, ToolLoop];

const ALL: [Status; 7] = [Idle, Processing, Locked, ToolLoop, AwaitingApproval, AwaitingInput, Failed];

impl Status {
    /// The name as it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Idle => "idle",
            Processing => "processing",
            Locked => "locked",
            ToolLoop => "tool_loop",
            AwaitingApproval => "awaiting_approval",
            AwaitingInput => "awaiting_input",
            Failed => "failed",
        }
    }

    /// The status of a stored name; never a default.
    ///
    /// # Errors
    /// `UnknownStatus` for any other name (rule S3).
    pub fn parse(name: &str) -> Result<Status, Error> {
        Status::find(name).ok_or_else(|| Error::UnknownStatus(name.to_owned()))
    }

    fn find(name: &str) -> Option<Status> {
        ALL.into_iter().find(|status| status.name() == name)
    }

    /// Rule S2.
    pub fn is_busy(self) -> bool {
        BUSY.contains(&self)
    }

    /// Rule S2.
    pub fn is_waiting(self) -> bool {
        matches!(self, AwaitingApproval | AwaitingInput)
    }

    /// Whether Retry may be offered (rule S2).
    pub fn is_resumable(self) -> bool {
        matches!(self, Processing | ToolLoop | Failed)
    }
}

/// What `statusRules` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Groups {
    /// Whether the component knows the name.
    pub known: bool,
    /// Rule S2.
    pub busy: bool,
    /// Rule S2.
    pub waiting: bool,
    /// Rule S2.
    pub resumable: bool,
}

/// The groups of a stored status name (rules S2, S3).
pub fn groups(name: &str) -> Groups {
    let status = Status::find(name);
    Groups {
        known: status.is_some(),
        busy: status.is_some_and(Status::is_busy),
        waiting: status.is_some_and(Status::is_waiting),
        resumable: status.is_some_and(Status::is_resumable),
    }
}

/// Which rules hold (rule S7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuleSet {
    /// Everything on the page of rules.
    #[default]
    Current,
    /// For a host that has no UI for approvals and questions.
    WithoutPauses,
}

impl RuleSet {
    /// The rule set of a setting; absent is `current`.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown name.
    pub fn parse(name: Option<&str>) -> Result<RuleSet, Error> {
        match name {
            None | Some("current") => Ok(RuleSet::Current),
            Some("withoutPauses") => Ok(RuleSet::WithoutPauses),
            Some(_) => Err(Error::InvalidArgument("ruleSet is current or withoutPauses")),
        }
    }
}

/// Whether the engine may go from one stored status to another (rules S4, S7); false for unknown names (S3).
pub fn may_transition(from: &str, to: &str, rule_set: RuleSet) -> bool {
    let (Some(from), Some(to)) = (Status::find(from), Status::find(to)) else {
        return false;
    };
    match rule_set {
        RuleSet::Current => allowed(from, to),
        RuleSet::WithoutPauses => !to.is_waiting() && (allowed(from, to) || matches!((from, to), (Locked, Processing) | (Processing, Idle | Failed))),
    }
}

fn allowed(from: Status, to: Status) -> bool {
    match (from, to) {
        // A message, a decision, an answer, a retry.
        (Idle | Failed | AwaitingApproval | AwaitingInput | Processing | ToolLoop, Processing) => true,
        // A consumer claims; turn start.
        (Processing | Locked, Locked) => true,
        // The turn settles, or somebody found out what became of its run.
        (Processing | ToolLoop | Locked, Idle | Failed | AwaitingApproval | AwaitingInput) => true,
        // A late result lands; retry found the run.
        (Failed, Idle | AwaitingApproval | AwaitingInput) => true,
        // Decided and finished elsewhere, or the other pause of the same run.
        (AwaitingApproval, Idle | Failed | AwaitingInput) => true,
        (AwaitingInput, Idle | Failed | AwaitingApproval) => true,
        _ => false,
    }
}
