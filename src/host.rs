//! What the host supplies, in the terms of Rust: storage, agent runtime, files, users, clock (contract, `Host`).
//!
//! A call that the rules let fail quietly (rule W4) answers with an `Option` or [`Asked`]; every other failure is an [`Error`].

use std::rc::Rc;

use crate::conversation::{Conversation, Messages, Patch, Uid};
use crate::error::Error;
use crate::outcome::Transcript;
use crate::run::{Actor, RunEvent, RunResult, RunStatus, RunStep, WaitingView};
use crate::status::Status;
use crate::transcript::{Files, Plan, Source, TaskPrompts};
use crate::value::Value;

/// A stored conversation as it was read.
#[derive(Debug, Clone)]
pub struct Stored<R> {
    /// The row; in a box, because every step of an operation passes it on.
    pub conversation: Box<Conversation>,
    /// The host's own object, with the messages from `offset` on.
    pub row: R,
    /// How many messages were not read (rule N9).
    pub offset: usize,
}

impl<R: Messages> Stored<R> {
    /// How many messages are stored.
    pub fn count(&self) -> usize {
        self.offset + self.row.len()
    }

    /// The messages as far as a settling turn looks at them.
    ///
    /// # Errors
    /// A fault of the host where the last message cannot be read.
    pub fn transcript(&self) -> Result<Transcript, Error> {
        Ok(Transcript {
            count: self.count(),
            last: self.row.last()?,
        })
    }
}

/// Which conversations to find: oldest `updatedAt` first.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// In one of these statuses.
    pub statuses: Vec<Status>,
    /// Of this owner.
    pub owner: Option<Uid>,
    /// In or out of the archive.
    pub archived: Option<bool>,
    /// Pinned or not.
    pub pinned: Option<bool>,
    /// Written last before this, in Unix seconds.
    pub updated_before: Option<f64>,
    /// At most this many.
    pub limit: usize,
}

/// What an actor wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// See it.
    Read,
    /// Send, edit, answer, retry, end.
    Write,
    /// Approve or deny.
    Decide,
}

/// The configured task (rule T3).
#[derive(Debug, Clone)]
pub struct Task<V> {
    /// What of it shapes the transcript.
    pub prompts: TaskPrompts,
    /// `None`: the task has no configuration.
    pub configuration: Option<Configuration<V>>,
}

/// A model configuration.
#[derive(Debug, Clone)]
pub struct Configuration<V> {
    /// `false`: switched off.
    pub active: bool,
    /// `false`: not for this actor.
    pub allowed: bool,
    /// The host's own object, handed to the runtime as it is.
    pub raw: V,
}

/// What `run` is called with (rule T4).
pub struct RunRequest<'a, V, W> {
    /// Announced by the engine (rule T7).
    pub run_uuid: &'a str,
    /// The host's own configuration object.
    pub configuration: &'a V,
    /// The transcript.
    pub messages: W,
    /// The owner.
    pub actor: &'a Actor,
    /// The caller source (rule A1).
    pub extension: &'a str,
    /// `chatTurn` or `resumeChatTurn` (rule A1).
    pub operation: &'static str,
}

/// What `approve` and `submitInput` carry out (rule D6): this and nothing else, no options and no tag (rule A2).
#[derive(Debug, Clone)]
pub enum Delivery {
    /// A decision.
    Decision {
        /// Approved or denied.
        approved: bool,
        /// "" without one.
        deny_reason: &'static str,
    },
    /// The submitted values.
    Input(Value),
}

/// The observer of a run; `None` for a step that is none. It never fails.
pub type OnStep = Rc<dyn Fn(Option<RunStep>)>;

/// A result with the host's own object.
#[derive(Debug, Clone)]
pub struct Answer<V> {
    /// As the rules read it.
    pub result: RunResult,
    /// As the host gave it; goes into the report.
    pub raw: V,
}

/// What `status` answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Where the run stands.
    Status(RunStatus),
    /// `null`, or nothing that can be read: unknown, never "gone".
    Unknown,
    /// The call failed (rule R2a tells the two apart).
    Faulty,
}

/// How serious a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Of interest while developing.
    Debug,
    /// Ordinary.
    Info,
    /// Something was wrong and was dealt with.
    Warn,
    /// Something is broken.
    Error,
}

/// The host. Every call may suspend; nothing is held across one.
#[allow(async_fn_in_trait, reason = "one thread: futures need not be Send")]
pub trait Host {
    /// A stored row: its messages, and whatever else the host keeps in it.
    type Row: Source + Clone;
    /// A value of the host that the rules pass on.
    type Raw: Clone;
    /// A transcript for the runtime.
    type Wire;
    /// Files that were read.
    type Files: Files;

    /// `storage.load`.
    async fn load(&self, uid: &Uid) -> Result<Option<Stored<Self::Row>>, Error>;
    /// Whether the host has `storage.loadSince` (rule N9).
    fn loads_since(&self) -> bool;
    /// `storage.loadSince`.
    async fn load_since(&self, uid: &Uid, after: usize) -> Result<Option<Stored<Self::Row>>, Error>;
    /// `storage.insert`.
    async fn insert(&self, fields: Vec<(&'static str, Value)>) -> Result<Uid, Error>;
    /// `storage.swap`, from the row that was read.
    async fn swap(&self, stored: &Stored<Self::Row>, patch: &Patch) -> Result<bool, Error>;
    /// `storage.touch`: called at once, never waited for, and it may fail.
    fn touch(&self, uid: &Uid, claim_id: &str, updated_at: f64, activity: &[Value]);
    /// `storage.find`.
    async fn find(&self, query: &Query) -> Result<Vec<Uid>, Error>;
    /// `storage.remove`.
    async fn remove(&self, uid: &Uid, revision: f64) -> Result<bool, Error>;
    /// What a row is after a patch, without reading it again.
    fn patched(&self, stored: &Stored<Self::Row>, patch: &Patch) -> Result<Stored<Self::Row>, Error>;

    /// `runtime.run`.
    async fn run(&self, request: RunRequest<'_, Self::Raw, Self::Wire>, on_step: OnStep) -> Result<Answer<Self::Raw>, Error>;
    /// `runtime.approve` or `runtime.submitInput`, as `by`, about the turn with this digest.
    async fn deliver(&self, by: &Actor, run_uuid: &str, delivery: &Delivery, turn_digest: &str, on_step: OnStep) -> Result<Answer<Self::Raw>, Error>;
    /// `runtime.status`.
    async fn status(&self, actor: &Actor, run_uuid: &str) -> Asked;
    /// `runtime.result`.
    async fn result(&self, actor: &Actor, run_uuid: &str) -> Option<Answer<Self::Raw>>;
    /// `runtime.waitingView`.
    async fn waiting_view(&self, actor: &Actor, run_uuid: &str) -> Option<WaitingView>;
    /// `runtime.events`.
    async fn events(&self, actor: &Actor, run_uuid: &str) -> Option<Vec<RunEvent>>;
    /// `runtime.cancelIfWaiting`: the status it answered, where it answered one.
    async fn cancel_if_waiting(&self, actor: &Actor, run_uuid: &str) -> Option<RunStatus>;

    /// `resolveTask`.
    async fn resolve_task(&self, task_uid: &Uid, actor: &Actor) -> Result<Option<Task<Self::Raw>>, Error>;
    /// `promptContext`; `Null` where the host has none.
    async fn prompt_context(&self, stored: &Stored<Self::Row>, actor: &Actor) -> Result<Value, Error>;
    /// Whether the host has `readFile`.
    fn reads_files(&self) -> bool;
    /// `readFile` for each; one that gives null or fails is gone (rule M7).
    async fn read_files(&self, uids: &[Uid], actor: &Actor) -> Self::Files;
    /// The messages for the runtime, as planned.
    fn weave(&self, stored: &Stored<Self::Row>, files: &Self::Files, plan: &Plan) -> Result<Self::Wire, Error>;

    /// `mayAct`; `None` where the host has none.
    async fn may_act(&self, actor: &Actor, stored: &Stored<Self::Row>, action: Action) -> Result<Option<bool>, Error>;
    /// `actorOf`; `None` where the host has none.
    async fn actor_of(&self, uid: &Uid) -> Result<Option<Actor>, Error>;
    /// `now`, in Unix milliseconds.
    fn now(&self) -> Result<f64, Error>;
    /// `uuid`.
    fn uuid(&self) -> Result<String, Error>;
    /// `log`; it never fails.
    fn log(&self, level: Level, message: &str, context: Vec<(&'static str, Value)>);
}
