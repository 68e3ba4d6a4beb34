//! The host that an actor's engine sees: every call is answered from a tape, and the first one beyond its end is where the actor stands.
//!
//! An engine is a deterministic function of what it was answered, so the tape *is* the actor's state: re-executing it from the start with
//! one answer more moves the actor one step. Nothing of the world is replayed.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use agent_turn::conversation::{Conversation, Patch, Uid};
use agent_turn::error::{Error, ErrorInfo, Fault};
use agent_turn::host::{Action, Answer, Asked, Configuration, Delivery, Host, Level, OnStep, Query, RunRequest, Stored, Task};
use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::run::{Actor, RunEvent, RunResult, RunStatus, RunStep, WaitingView};
use agent_turn::transcript::{Plan, TaskPrompts};
use agent_turn::value::Value;

use super::actor::Setup;
use super::world::{BEGIN, RowId, Rows, Run, Stand, index_of};

/// A call that waits for its answer.
#[derive(Debug, Clone)]
pub enum Call {
    /// The operation begins; it may read the clock before it asks anything.
    Begin,
    /// `actorOf` or `resolveTask`: reads nothing that the actors share, but it may fail.
    Aside,
    Load(u8),
    LoadSince(u8),
    /// `read`: the row as it was read, its messages from `offset` on; `asked`: what the operation was told by `find`.
    Swap {
        read: Box<Conversation>,
        offset: usize,
        tail: Vec<Value>,
        patch: Box<Patch>,
        asked: Asking,
    },
    Find(Query),
    Remove(u8, f64),
    /// `run`; `claim` is what the consumer holds, `decided` the decision its row carries.
    Start {
        run: Rc<str>,
        of: u8,
        turn: u8,
        claim: String,
        decided: u16,
    },
    /// `approve` or `submitInput`.
    Deliver {
        run: Rc<str>,
        of: u8,
        word: Word,
        digest: String,
        decided: u16,
    },
    /// The rest of `run`, `approve` or `submitInput`: the next step of a segment, or its end.
    Await {
        run: Rc<str>,
        segment: u8,
        heard: u8,
    },
    Status(Rc<str>),
    Result(Rc<str>),
    View(Rc<str>),
    Events(Rc<str>),
    /// `read`: the row that the caller read last.
    Cancel {
        run: Rc<str>,
        read: Option<RowId>,
    },
}

/// What an operation was told by `find`, as far as it has to follow it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asking {
    /// Conversations that were found before the one that is written, and not even looked at.
    pub skipped: u8,
    /// How many active conversations the owner has (rule N6).
    pub active: Option<u8>,
}

/// What a person said to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Approved,
    Denied,
    Answered,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reply {
    /// Done, or yes.
    Yes,
    /// Lost, or none.
    No,
    /// The callback failed.
    Fault,
    Row(Option<RowId>),
    /// Conversations, in the order of `find`.
    Found(Vec<u8>),
    /// The runtime refused, with a reason of rule D7.
    Refused(&'static str),
    /// A segment began: its number.
    Began(u8),
    Thought,
    Ended(Stand),
    /// What the runtime says of a run, `None` where it knows nothing of it.
    Stand(Option<Stand>),
    Run(Option<Rc<Run>>),
}

/// What an actor does between two calls without waiting for anything.
#[derive(Debug, Clone)]
pub enum Effect {
    /// `storage.touch`.
    Touch { of: u8, claim: String, at: u32, activity: Vec<Value> },
    /// An operation of the actor has ended, after so many swaps that it knows to be applied.
    Told(Told, u8),
}

/// How an operation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// A request was accepted.
    Accepted,
    /// A request was refused.
    Refused(&'static str),
    /// Cleanup says that it timed out so many turns, and knows of so many that it wrote.
    Cleaned(u32, u32),
    /// Anything else that answered.
    Other(String),
    /// The promise rejected.
    Broken(String),
}

/// The answers an actor has had, and what it did since the last one.
pub struct Tape {
    pub actor: u8,
    pub answers: Vec<(Reply, u32)>,
    pub rows: Rc<RefCell<Rows>>,
    pub setup: Setup,
    pub pending: RefCell<Option<Call>>,
    pub effects: RefCell<Vec<Effect>>,
    /// Swaps that the actor knows to be applied, since the operation began.
    pub swaps: Cell<u8>,
    /// Those of them that timed a turn out.
    pub timed_out: Cell<u32>,
    /// What `find` answered last, for a queue and for a count, and what of it was looked at.
    found: RefCell<Vec<u8>>,
    active: Cell<Option<u8>>,
    tried: RefCell<Vec<u8>>,
    at: Cell<usize>,
    now: Cell<u32>,
    uuids: Cell<u32>,
    /// Conversation, turn and decision of the row that was read last, and the claim that was written last.
    of: Cell<u8>,
    turn: Cell<u8>,
    decided: Cell<u16>,
    read: Cell<Option<RowId>>,
    claim: RefCell<String>,
}

impl Tape {
    pub fn new(actor: u8, answers: Vec<(Reply, u32)>, rows: &Rc<RefCell<Rows>>, setup: Setup) -> Tape {
        Tape {
            actor,
            answers,
            rows: Rc::clone(rows),
            setup,
            pending: RefCell::default(),
            effects: RefCell::default(),
            swaps: Cell::default(),
            timed_out: Cell::default(),
            found: RefCell::default(),
            active: Cell::default(),
            tried: RefCell::default(),
            of: Cell::default(),
            at: Cell::default(),
            now: Cell::new(BEGIN),
            uuids: Cell::default(),
            turn: Cell::default(),
            decided: Cell::default(),
            read: Cell::default(),
            claim: RefCell::default(),
        }
    }

    pub async fn call(&self, call: Call) -> Reply {
        let mut call = Some(call);
        poll_fn(|_| {
            let Some((reply, now)) = self.answers.get(self.at.get()) else {
                *self.pending.borrow_mut() = call.take();
                return Poll::Pending;
            };
            self.at.set(self.at.get() + 1);
            self.now.set(*now);
            self.effects.borrow_mut().clear();
            Poll::Ready(reply.clone())
        })
        .await
    }

    /// A new operation remembers nothing of the last one.
    pub fn begin(&self) {
        self.swaps.set(0);
        self.timed_out.set(0);
        self.active.set(None);
        self.found.borrow_mut().clear();
        self.tried.borrow_mut().clear();
    }

    fn asking(&self, of: u8) -> Asking {
        let (found, tried) = (self.found.borrow(), self.tried.borrow());
        let before = found.iter().take_while(|found| **found != of);
        Asking {
            skipped: before.filter(|found| !tried.contains(found)).count() as u8,
            active: self.active.get(),
        }
    }

    pub fn tell(&self, told: Told) {
        self.effects.borrow_mut().push(Effect::Told(told, self.swaps.get()));
    }
}

/// The host over a tape.
#[derive(Clone)]
pub struct TapeHost(pub Rc<Tape>);

/// The owner of the conversation, who also decides.
pub fn owner() -> Actor {
    Actor::plain(Uid::from(7.0))
}

fn fault(callback: &'static str) -> Error {
    Error::from(Fault {
        callback,
        info: ErrorInfo::message("The connection was lost."),
        cause: None,
    })
}

impl TapeHost {
    async fn aside(&self, callback: &'static str) -> Result<(), Error> {
        if self.0.setup.asides && self.0.call(Call::Aside).await == Reply::Fault {
            return Err(fault(callback));
        }
        Ok(())
    }

    fn stored(&self, reply: Reply) -> Result<Option<Stored<PlainMessages>>, Error> {
        match reply {
            Reply::Row(None) => Ok(None),
            Reply::Row(Some(id)) => {
                self.0.read.set(Some(id));
                let row = Rc::clone(self.0.rows.borrow().get(id));
                self.0.of.set(index_of(&row.conversation.uid));
                self.0.turn.set(row.turn);
                self.0.decided.set(row.decided);
                Ok(Some(Stored {
                    conversation: Box::new(row.conversation.clone()),
                    row: row.messages.clone(),
                    offset: 0,
                }))
            }
            _ => Err(fault("storage.load")),
        }
    }

    async fn about(&self, call: Call) -> Option<Rc<Run>> {
        match self.0.call(call).await {
            Reply::Run(run) => run,
            _ => None,
        }
    }

    /// Listens to a segment of a run until it ends.
    async fn listen(&self, run: Rc<str>, segment: u8, on_step: OnStep, callback: &'static str) -> Result<Answer<()>, Error> {
        let mut heard = 0;
        loop {
            let call = Call::Await {
                run: Rc::clone(&run),
                segment,
                heard,
            };
            match self.0.call(call).await {
                Reply::Thought => {
                    heard += 1;
                    on_step(Some(RunStep {
                        kind: "llm".to_owned(),
                        round: f64::from(heard),
                        ..RunStep::default()
                    }));
                }
                Reply::Ended(stand) => {
                    return Ok(Answer {
                        result: Run::result(&run, segment.into(), stand),
                        raw: (),
                    });
                }
                _ => return Err(fault(callback)),
            }
        }
    }

    /// `approve` or `submitInput`, for the engine and for what is planted beside it.
    pub async fn word(&self, run_uuid: &str, word: Word, turn_digest: &str, on_step: OnStep) -> Result<Answer<()>, Error> {
        let callback = match word {
            Word::Answered => "runtime.submitInput",
            _ => "runtime.approve",
        };
        let run: Rc<str> = run_uuid.into();
        let call = Call::Deliver {
            run: Rc::clone(&run),
            of: self.0.of.get(),
            word,
            digest: turn_digest.to_owned(),
            decided: self.0.decided.get(),
        };
        match self.0.call(call).await {
            Reply::Began(segment) => self.listen(run, segment, on_step, callback).await,
            Reply::Refused(reason) => Err(Error::from(Fault {
                callback,
                info: ErrorInfo {
                    reason: Some(reason.to_owned()),
                    ..ErrorInfo::message("The runtime refused.")
                },
                cause: None,
            })),
            _ => Err(fault(callback)),
        }
    }
}

impl Host for TapeHost {
    type Row = PlainMessages;
    type Raw = ();
    type Wire = Vec<Value>;
    type Files = PlainFiles;

    async fn load(&self, uid: &Uid) -> Result<Option<Stored<PlainMessages>>, Error> {
        self.0.tried.borrow_mut().push(index_of(uid));
        let reply = self.0.call(Call::Load(index_of(uid))).await;
        self.stored(reply)
    }

    fn loads_since(&self) -> bool {
        true
    }

    async fn load_since(&self, uid: &Uid, after: usize) -> Result<Option<Stored<PlainMessages>>, Error> {
        let reply = self.0.call(Call::LoadSince(index_of(uid))).await;
        let stored = self.stored(reply)?;
        Ok(stored.map(|stored| {
            let offset = after.min(stored.row.0.len());
            Stored {
                row: PlainMessages(stored.row.0[offset..].to_vec()),
                offset,
                ..stored
            }
        }))
    }

    async fn insert(&self, _fields: Vec<(&'static str, Value)>) -> Result<Uid, Error> {
        Err(fault("storage.insert"))
    }

    async fn swap(&self, stored: &Stored<PlainMessages>, patch: &Patch) -> Result<bool, Error> {
        let call = Call::Swap {
            read: stored.conversation.clone(),
            offset: stored.offset,
            tail: stored.row.0.clone(),
            patch: Box::new(patch.clone()),
            asked: self.0.asking(index_of(&stored.conversation.uid)),
        };
        match self.0.call(call).await {
            Reply::Yes => {
                if let Some(claim) = &patch.claim_id {
                    self.0.claim.borrow_mut().clone_from(claim);
                }
                self.0.swaps.set(self.0.swaps.get() + 1);
                let times_out = patch.failure.as_ref().is_some_and(|failure| failure.code == "timedOut");
                self.0.timed_out.set(self.0.timed_out.get() + u32::from(times_out));
                Ok(true)
            }
            Reply::No => Ok(false),
            _ => Err(fault("storage.swap")),
        }
    }

    fn touch(&self, uid: &Uid, claim_id: &str, updated_at: f64, activity: &[Value]) {
        self.0.effects.borrow_mut().push(Effect::Touch {
            of: index_of(uid),
            claim: claim_id.to_owned(),
            at: updated_at as u32,
            activity: activity.to_vec(),
        });
    }

    async fn find(&self, query: &Query) -> Result<Vec<Uid>, Error> {
        match self.0.call(Call::Find(query.clone())).await {
            Reply::Found(found) => {
                let uids = found.iter().map(|of| Uid::from(f64::from(*of) + 1.0)).collect();
                match query.owner {
                    Some(_) => self.0.active.set(Some(found.len() as u8)),
                    None => *self.0.found.borrow_mut() = found,
                }
                Ok(uids)
            }
            _ => Err(fault("storage.find")),
        }
    }

    async fn remove(&self, uid: &Uid, revision: f64) -> Result<bool, Error> {
        match self.0.call(Call::Remove(index_of(uid), revision)).await {
            Reply::Yes => Ok(true),
            Reply::No => Ok(false),
            _ => Err(fault("storage.remove")),
        }
    }

    fn patched(&self, stored: &Stored<PlainMessages>, patch: &Patch) -> Result<Stored<PlainMessages>, Error> {
        Ok(Stored {
            conversation: Box::new(stored.conversation.patched(patch)),
            row: match &patch.messages {
                Some(messages) => stored.row.patched(messages),
                None => stored.row.clone(),
            },
            offset: 0,
        })
    }

    async fn run(&self, request: RunRequest<'_, (), Vec<Value>>, on_step: OnStep) -> Result<Answer<()>, Error> {
        let run: Rc<str> = request.run_uuid.into();
        let call = Call::Start {
            run: Rc::clone(&run),
            of: self.0.of.get(),
            turn: self.0.turn.get(),
            claim: self.0.claim.borrow().clone(),
            decided: self.0.decided.get(),
        };
        match self.0.call(call).await {
            Reply::Began(segment) => self.listen(run, segment, on_step, "runtime.run").await,
            _ => Err(fault("runtime.run")),
        }
    }

    async fn deliver(&self, _by: &Actor, run_uuid: &str, delivery: &Delivery, turn_digest: &str, on_step: OnStep) -> Result<Answer<()>, Error> {
        let word = match delivery {
            Delivery::Decision { approved: true, .. } => Word::Approved,
            Delivery::Decision { .. } => Word::Denied,
            Delivery::Input(_) => Word::Answered,
        };
        self.word(run_uuid, word, turn_digest, on_step).await
    }

    async fn status(&self, _actor: &Actor, run_uuid: &str) -> Asked {
        match self.0.call(Call::Status(run_uuid.into())).await {
            Reply::Stand(Some(stand)) => Asked::Status(stand.status()),
            Reply::Stand(None) => Asked::Unknown,
            _ => Asked::Faulty,
        }
    }

    async fn result(&self, _actor: &Actor, run_uuid: &str) -> Option<Answer<()>> {
        let run = self.about(Call::Result(run_uuid.into())).await?;
        let result: Option<RunResult> = run.kept_result();
        result.map(|result| Answer { result, raw: () })
    }

    async fn waiting_view(&self, _actor: &Actor, run_uuid: &str) -> Option<WaitingView> {
        self.about(Call::View(run_uuid.into())).await?.view()
    }

    async fn events(&self, _actor: &Actor, run_uuid: &str) -> Option<Vec<RunEvent>> {
        Some(self.about(Call::Events(run_uuid.into())).await?.events())
    }

    async fn cancel_if_waiting(&self, _actor: &Actor, run_uuid: &str) -> Option<RunStatus> {
        let call = Call::Cancel {
            run: run_uuid.into(),
            read: self.0.read.get(),
        };
        match self.0.call(call).await {
            Reply::Stand(stand) => stand.map(Stand::status),
            _ => None,
        }
    }

    async fn resolve_task(&self, _task_uid: &Uid, _actor: &Actor) -> Result<Option<Task<()>>, Error> {
        self.aside("resolveTask").await?;
        Ok(Some(Task {
            prompts: TaskPrompts::from_value(&Value::Null),
            configuration: Some(Configuration {
                active: true,
                allowed: true,
                raw: (),
            }),
        }))
    }

    async fn prompt_context(&self, _stored: &Stored<PlainMessages>, _actor: &Actor) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn reads_files(&self) -> bool {
        false
    }

    async fn read_files(&self, _uids: &[Uid], _actor: &Actor) -> PlainFiles {
        PlainFiles::default()
    }

    fn weave(&self, stored: &Stored<PlainMessages>, files: &PlainFiles, plan: &Plan) -> Result<Vec<Value>, Error> {
        Ok(stored.row.weave(files, plan))
    }

    async fn may_act(&self, _actor: &Actor, _stored: &Stored<PlainMessages>, _action: Action) -> Result<Option<bool>, Error> {
        Ok(None)
    }

    async fn actor_of(&self, uid: &Uid) -> Result<Option<Actor>, Error> {
        self.aside("actorOf").await?;
        Ok(Some(Actor::plain(uid.clone())))
    }

    fn now(&self) -> Result<f64, Error> {
        Ok(f64::from(self.0.now.get()) * 1000.0)
    }

    fn uuid(&self) -> Result<String, Error> {
        let count = self.0.uuids.get() + 1;
        self.0.uuids.set(count);
        let actor = if self.0.setup.collides { 0 } else { self.0.actor };
        Ok(format!("u{actor}-{count}"))
    }

    fn log(&self, _level: Level, _message: &str, _context: Vec<(&'static str, Value)>) {}
}
