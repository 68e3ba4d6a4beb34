//! The engine: loads, asks a rule, swaps. One file per family of operations; it decides nothing itself and keeps no state between calls (rule C8).

mod cleanup;
mod consume;
mod decide;
mod inquiry;
mod intake;
mod poll;
mod reconcile;
mod retry;
mod turn;

use std::rc::Rc;

use crate::conversation::{Conversation, DecisionFields, Failure, Patch, Uid};
use crate::error::{Error, Fault};
use crate::host::{Action, Host, Level, Stored};
use crate::outcome::Context;
use crate::reply::{Refusal, Stop};
use crate::run::Actor;
use crate::settings::Settings;
use crate::status::Status;
use crate::value::Value;
use crate::writes::Writes;

pub use cleanup::Cleaned;
pub use consume::{Report, TurnOutcome};
pub use decide::NewDecision;
pub use intake::{Edit, NewConversation, NewText};
pub use poll::Polled;

/// How often a consumer that holds the claim tries one write (rule C1).
const MAX_SWAPS: usize = 10;

/// The operations over one host. Cloning is cheap: clones share host and settings.
pub struct Engine<H> {
    host: Rc<H>,
    settings: Rc<Settings>,
}

impl<H> Clone for Engine<H> {
    fn clone(&self) -> Self {
        Engine {
            host: Rc::clone(&self.host),
            settings: Rc::clone(&self.settings),
        }
    }
}

impl<H: Host + 'static> Engine<H> {
    /// An engine over a host.
    pub fn new(host: H, settings: Settings) -> Self {
        Engine {
            host: Rc::new(host),
            settings: Rc::new(settings),
        }
    }

    /// Unix milliseconds and whole seconds.
    fn clock(&self) -> Result<Clock, Error> {
        let ms = self.host.now()?;
        Ok(Clock {
            ms,
            seconds: (ms / 1000.0).floor(),
        })
    }

    fn context(&self, now: Clock, writes: Writes) -> Context {
        Context {
            rule_set: self.settings.rule_set,
            now: Some(now.ms),
            writes,
        }
    }

    /// Loads a conversation for a request (rule N6): one that the actor may not read does not exist for them.
    async fn open(&self, uid: &Uid, actor: &Actor, action: Action) -> Result<Stored<H::Row>, Stop> {
        let stored = self.host.load(uid).await?.ok_or(Refusal::NotFound)?;
        if !self.may(actor, &stored, Action::Read).await? {
            return Err(Refusal::NotFound.into());
        }
        if action != Action::Read && !self.may(actor, &stored, action).await? {
            return Err(Refusal::Forbidden.into());
        }
        Ok(stored)
    }

    /// The host's word; without one the owner may do everything, nobody else anything (rule D4).
    async fn may(&self, actor: &Actor, stored: &Stored<H::Row>, action: Action) -> Result<bool, Error> {
        let word = self.host.may_act(actor, stored, action).await?;
        Ok(word.unwrap_or_else(|| actor.uid == stored.conversation.owner))
    }

    /// A user as the host describes them; if it describes somebody else, only the uid counts, without rights (rule T8).
    async fn actor_of(&self, uid: &Uid) -> Result<Actor, Error> {
        let described = self.host.actor_of(uid).await?;
        Ok(described
            .filter(|actor| actor.uid == *uid)
            .map(|actor| Actor { uid: uid.clone(), ..actor })
            .unwrap_or_else(|| Actor::plain(uid.clone())))
    }

    async fn owner_of(&self, conversation: &Conversation) -> Result<Actor, Error> {
        self.actor_of(&conversation.owner).await
    }

    fn log(&self, level: Level, message: &str, uid: &Uid, detail: &str) {
        self.host
            .log(level, message, vec![("uid", uid.value().clone()), ("detail", Value::from(detail))]);
    }
}

/// One reading of the host's clock.
#[derive(Debug, Clone, Copy)]
struct Clock {
    /// Unix milliseconds.
    ms: f64,
    /// Unix seconds, whole.
    seconds: f64,
}

impl Clock {
    /// Seconds since a row was written or touched last.
    fn age(self, conversation: &Conversation) -> f64 {
        self.seconds - conversation.updated_at
    }

    /// The patch with its `updatedAt` (rule C1).
    fn stamp(self, patch: Patch) -> Patch {
        Patch {
            updated_at: Some(self.seconds),
            ..patch
        }
    }
}

/// A request queues a turn: claim, errors, activity and what was decided in the last one go (rules S5, C6, V6).
fn queued() -> Patch {
    Patch {
        status: Some(Status::Processing),
        claim_id: Some(String::new()),
        failure: Some(Failure::default()),
        run_uuid: Some(String::new()),
        decision: Some(DecisionFields::default()),
        activity: Some(Vec::new()),
        ..Patch::default()
    }
}

/// A store that does not let a claimed turn be written (rule C1).
fn swaps_exhausted() -> Error {
    Error::from(Fault {
        info: crate::error::ErrorInfo::message("a claimed turn lost ten swaps in a row"),
        ..Fault::nonsense("storage.swap")
    })
}
