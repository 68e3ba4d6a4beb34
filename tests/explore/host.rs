//! The host that an actor's engine sees: every call is answered from a tape, and the first one beyond its end is where the actor stands.

use std::rc::Rc;

use agent_turn::conversation::{Patch, Uid};
use agent_turn::error::{Error, ErrorInfo, Fault};
use agent_turn::host::{Action, Answer, Asked, Configuration, Delivery, Host, Level, OnStep, Query, RunRequest, Stored, Task};
use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::run::{Actor, RunEvent, RunResult, RunStatus, RunStep, WaitingView};
use agent_turn::transcript::{Plan, TaskPrompts};
use agent_turn::value::Value;

use super::tape::{Call, Effect, Reply, Tape, Word};
use super::world::{Run, Stand, index_of};

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
