//! The shared world: the stored conversations, the runs of an agent runtime, a clock. Plain values that can be cloned, compared and hashed.

use std::collections::HashMap;
use std::rc::Rc;

use agent_turn::conversation::{Conversation, Head, Messages, Patch, Uid};
use agent_turn::error::ErrorInfo;
use agent_turn::plain::PlainMessages;
use agent_turn::run::{LoopResult, Pause, RunEvent, RunResult, RunStatus, RunStep, ViewMode, WaitingView, WriteTarget};
use agent_turn::value::Value;

/// When every scenario begins, in Unix seconds.
pub const BEGIN: u32 = 1_000_000;

/// A stored conversation, with what only the proof remembers about it.
#[derive(Debug, Clone)]
pub struct Row {
    pub conversation: Conversation,
    pub messages: PlainMessages,
    /// Which turn of the conversation this is: a message sent or edited begins the next one.
    pub turn: u8,
    /// Which decision the row carries (see [`decision`]); 0 while it carries none.
    pub decided: u16,
    /// The decision whose line is the last message; 0 where that is none.
    pub line: u16,
}

impl Row {
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.messages.0.iter().map(|message| message.get("content").text_or_empty())
    }

    pub fn heads(&self) -> impl Iterator<Item = Head> {
        (0..self.messages.len()).map(|index| self.messages.head(index).expect("plain messages can be read"))
    }

    /// The row after a swap, as a store should write it.
    pub fn swapped(&self, patch: &Patch) -> Row {
        let conversation = self.conversation.patched(patch);
        let messages = match &patch.messages {
            Some(messages) => self.messages.patched(messages),
            None => self.messages.clone(),
        };
        let decided = match (conversation.decision.is_recorded(), self.conversation.decision.is_recorded()) {
            (false, _) => 0,
            (true, true) => self.decided,
            (true, false) => decision(&conversation),
        };
        let grown = messages.0.len() > self.messages.0.len();
        let line = match (decided != self.decided && decided != 0, patch.messages.is_some()) {
            (true, true) if grown => decided,
            (_, true) => 0,
            (_, false) => self.line,
        };
        Row {
            conversation,
            messages,
            decided,
            line,
            turn: self.turn,
        }
    }
}

/// Which of the conversations this is, counted from 0: the first has uid 1.
pub fn index_of(uid: &Uid) -> u8 {
    let number: u8 = uid.text().parse().expect("the uid of a conversation of the scenario");
    number - 1
}

/// Revisions of one conversation stay far below this.
const REVISIONS: u16 = 1000;

/// The decision that was recorded when the row became this: no two of a world are one number.
pub fn decision(row: &Conversation) -> u16 {
    u16::from(index_of(&row.uid)) * REVISIONS + row.revision as u16
}

/// A row by its number in [`Rows`].
pub type RowId = u32;

/// Every row that was ever stored: equal rows have one number.
#[derive(Default)]
pub struct Rows {
    all: Vec<Rc<Row>>,
    numbers: HashMap<String, RowId>,
}

impl Rows {
    pub fn number(&mut self, row: Row) -> RowId {
        let whole = format!("{row:?}");
        let next = self.all.len() as RowId;
        let number = *self.numbers.entry(whole).or_insert(next);
        if number == next {
            self.all.push(Rc::new(row));
        }
        number
    }

    pub fn get(&self, id: RowId) -> &Rc<Row> {
        &self.all[id as usize]
    }
}

/// What a run does, step by step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A step that the observer hears of (rule C5).
    Think,
    /// Stops before a write, with the digest of its card.
    Card(&'static str),
    /// Stops at a question, with its digest.
    Question(&'static str),
    /// Executes the write of the card before, if that was approved.
    Write,
    /// Ends with an answer.
    Answer,
    /// Ends without one.
    Fail,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stand {
    Running,
    AtCard(&'static str),
    AtQuestion(&'static str),
    Completed,
    Failed,
    Cancelled,
}

impl Stand {
    pub fn is_waiting(self) -> bool {
        matches!(self, Stand::AtCard(_) | Stand::AtQuestion(_))
    }

    pub fn is_live(self) -> bool {
        self == Stand::Running || self.is_waiting()
    }

    pub fn status(self) -> RunStatus {
        match self {
            Stand::Running => RunStatus::Running,
            Stand::AtCard(_) => RunStatus::WaitingForApproval,
            Stand::AtQuestion(_) => RunStatus::WaitingForInput,
            Stand::Completed => RunStatus::Completed,
            Stand::Failed => RunStatus::Failed,
            Stand::Cancelled => RunStatus::Cancelled,
        }
    }

    fn outcome(self) -> &'static str {
        match self {
            Stand::Running => "lease_lost",
            Stand::AtCard(_) => Pause::Approval.outcome(),
            Stand::AtQuestion(_) => Pause::Input.outcome(),
            Stand::Completed => "completed",
            Stand::Failed => "failed",
            Stand::Cancelled => "cancelled",
        }
    }
}

/// One run of the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Run {
    pub uuid: Rc<str>,
    pub program: &'static [Step],
    /// The next step of the program; while it waits, the step it waits at.
    pub at: u8,
    pub stand: Stand,
    /// How each of its segments ended: a segment begins with `run`, `approve` or `submitInput`.
    pub ends: Vec<Stand>,
    /// How many steps of the present segment the observer may hear of.
    pub thought: u8,
    /// Whether the card that was decided last was approved.
    pub approved: bool,
    /// Cards that were approved.
    pub approvals: u8,
    /// Writes that were started.
    pub writes: u8,
    /// The conversation that started it, and which of its turns.
    pub of: u8,
    pub turn: u8,
    /// Who is still listening to it; nobody: a run that is an orphan.
    pub listener: Option<u8>,
    /// Started by a consumer that had lost its claim while it was held up: nothing short of a fence in the runtime prevents that.
    pub is_stray: bool,
    /// Counted as dead by rule R2b, after `abandonAfterSeconds`.
    pub is_given_up: bool,
    /// Somebody asked where it stands and got no answer.
    pub is_doubted: bool,
}

impl Run {
    /// One step further. The run is running.
    pub fn advance(&mut self) {
        let step = self.program.get(self.at as usize).copied().unwrap_or(Step::Answer);
        match step {
            Step::Think => self.thought += 1,
            Step::Write if self.approved => self.writes += 1,
            Step::Write => {}
            Step::Card(digest) => return self.end(Stand::AtCard(digest)),
            Step::Question(digest) => return self.end(Stand::AtQuestion(digest)),
            Step::Answer => return self.end(Stand::Completed),
            Step::Fail => return self.end(Stand::Failed),
        }
        self.at += 1;
    }

    pub fn end(&mut self, stand: Stand) {
        self.stand = stand;
        self.ends.push(stand);
    }

    /// A person's word was accepted: a new segment begins.
    pub fn go_on(&mut self, approved: bool, listener: Option<u8>) {
        self.approved = approved;
        self.approvals += u8::from(approved && matches!(self.stand, Stand::AtCard(_)));
        self.stand = Stand::Running;
        self.at += 1;
        self.thought = 0;
        self.listener = listener;
    }

    /// The result of a segment that ended so.
    pub fn result(uuid: &str, segment: usize, stand: Stand) -> RunResult {
        let beside = match stand {
            Stand::AtCard(digest) => format!("I propose {digest}, {uuid}, segment {segment}."),
            Stand::AtQuestion(digest) => format!("I have to ask {digest}, {uuid}, segment {segment}."),
            _ => String::new(),
        };
        let step = RunStep {
            kind: "llm".to_owned(),
            content: beside,
            requested_tools: true,
            ..RunStep::default()
        };
        RunResult {
            outcome: stand.outcome().to_owned(),
            run_uuid: uuid.to_owned(),
            steps: if stand.is_waiting() { vec![step] } else { Vec::new() },
            loop_result: (stand == Stand::Completed).then(|| LoopResult {
                final_content: format!("The answer of {uuid}."),
                termination_reason: "completed".to_owned(),
            }),
            turn_digest: match stand {
                Stand::AtCard(digest) | Stand::AtQuestion(digest) => Some(digest.to_owned()),
                _ => None,
            },
            input_schema: match stand {
                Stand::AtQuestion(_) => schema(),
                _ => Value::Null,
            },
            guardrail_class: String::new(),
            error: (stand == Stand::Failed).then(|| ErrorInfo::message("The model is gone.")),
        }
    }

    pub fn kept_result(&self) -> Option<RunResult> {
        let stand = *self.ends.last()?;
        Some(Run::result(&self.uuid, self.ends.len() - 1, stand))
    }

    pub fn view(&self) -> Option<WaitingView> {
        let (mode, digest) = match self.stand {
            Stand::AtCard(digest) => (ViewMode::Approval, digest),
            Stand::AtQuestion(digest) => (ViewMode::Input, digest),
            _ => return None,
        };
        Some(WaitingView {
            mode,
            turn_digest: Some(digest.to_owned()),
            pending_calls: Vec::new(),
            input_schema: if mode == ViewMode::Input { schema() } else { Value::Null },
            expires_at: None,
            unreadable_reason: None,
        })
    }

    pub fn events(&self) -> Vec<RunEvent> {
        let event = |kind: &str| RunEvent {
            kind: kind.to_owned(),
            approved: self.approvals > 0,
            ..RunEvent::default()
        };
        let mut events = vec![event("request")];
        if self.approvals > 0 {
            events.push(event("approval"));
        }
        if self.writes > 0 {
            events.push(RunEvent {
                write_target: WriteTarget {
                    table: "pages".to_owned(),
                    uid: 12.0,
                },
                ..event("tool_write")
            });
        }
        events
    }
}

fn schema() -> Value {
    let place = Value::map([("type", "string".into()), ("enum", Value::texts(["home", "news"]))]);
    Value::map([
        ("type", "object".into()),
        ("title", "Where?".into()),
        ("properties", Value::map([("place", place)])),
    ])
}

/// Everything the actors share, and how much may still go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct World {
    /// One for each conversation; `None`: removed.
    pub rows: Vec<Option<RowId>>,
    pub runs: Vec<Run>,
    /// Unix seconds.
    pub now: u32,
    /// The decisions that were delivered to the runtime.
    pub delivered: Vec<u16>,
    /// Those of them that the runtime accepted.
    pub accepted: Vec<u16>,
    /// Actors that may still crash.
    pub crashes: u8,
    /// Calls that may still fail.
    pub faults: u8,
    /// Leaps of the clock that were taken.
    pub leaps: u8,
    /// Decisions that may still be made elsewhere.
    pub elsewhere: u8,
    /// Swaps that were answered and are still on their way to the store, perhaps for the second time: whose, and at which place.
    pub in_flight: Vec<(u8, u32)>,
}

impl World {
    pub fn row(&self, of: u8) -> Option<RowId> {
        self.rows[usize::from(of)]
    }

    pub fn run(&self, uuid: &str) -> Option<&Run> {
        self.runs.iter().find(|run| &*run.uuid == uuid)
    }

    pub fn run_mut(&mut self, uuid: &str) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| &*run.uuid == uuid)
    }
}
