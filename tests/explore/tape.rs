//! What an actor's host has answered so far: the tape it is re-executed from.
//!
//! An engine is a deterministic function of what it was answered, so the tape *is* the actor's state: re-executing it from the start with
//! one answer more moves the actor one step. Nothing of the world is replayed.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use agent_turn::conversation::{Conversation, Patch};
use agent_turn::host::Query;
use agent_turn::value::Value;

use super::actor::Setup;
use super::world::{BEGIN, RowId, Rows, Run, Stand};

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
    pub found: RefCell<Vec<u8>>,
    pub active: Cell<Option<u8>>,
    pub tried: RefCell<Vec<u8>>,
    pub at: Cell<usize>,
    pub now: Cell<u32>,
    pub uuids: Cell<u32>,
    /// Conversation, turn and decision of the row that was read last, and the claim that was written last.
    pub of: Cell<u8>,
    pub turn: Cell<u8>,
    pub decided: Cell<u16>,
    pub read: Cell<Option<RowId>>,
    pub claim: RefCell<String>,
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

    pub fn asking(&self, of: u8) -> Asking {
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
