//! The scripted host: storage in memory, a runtime that answers from a list, a clock and uuids that count. A value of a callback that is not in
//! its contract is a fault or no answer, as at the boundary of JavaScript (rule W4).

use std::rc::Rc;

use agent_turn::conversation::{Patch, Uid};
use agent_turn::error::{Error, ErrorInfo, Fault, for_people};
use agent_turn::host::{Action, Answer, Asked, Configuration, Delivery, Host, Level, OnStep, Query, RunRequest, Stored, Task};
use agent_turn::plain::PlainFiles;
use agent_turn::run::{Actor, RunEvent, RunResult, RunStatus, WaitingView};
use agent_turn::transcript::{Plan, TaskPrompts};
use agent_turn::value::Value;

use super::row::Row;
use super::values::{owner, put};
use super::world::{World, fault};

/// The host of one scenario.
#[derive(Clone)]
pub struct ScriptedHost(pub Rc<World>);

impl ScriptedHost {
    /// A result that can be read; nonsense is a fault of who gave it.
    fn result_of(callback: &'static str, raw: Value) -> Result<Answer<Value>, Error> {
        let result = RunResult::from_value(&raw).ok_or(Fault::nonsense(callback))?;
        Ok(Answer { result, raw })
    }

    /// A callback of the runtime whose failure means that it had no answer.
    async fn ask(&self, callback: &'static str, actor: &Actor, run_uuid: &str) -> Option<Value> {
        if !self.0.is_scripted(callback.trim_start_matches("runtime.")) {
            return None;
        }
        let args = vec![actor.to_value(), run_uuid.into()];
        match self.0.runtime(callback, args, run_uuid, None).await {
            Ok(answer) => Some(answer).filter(|answer| !answer.is_null()),
            Err(error) => {
                self.note(&error);
                None
            }
        }
    }

    fn note(&self, error: &Error) {
        let context = vec![("code", Value::Text(error.code())), ("detail", Value::Text(for_people(&error.to_string())))];
        self.log(Level::Warn, "a callback of the host failed and counts as no answer", context);
    }
}

/// A patch in the words of the contract.
fn patch_value(stored: &Stored<Row>, patch: &Patch) -> Value {
    let mut entries: Vec<_> = patch.fields().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    if let Some(change) = &patch.messages {
        let append = Value::List(stored.row.appended(stored.offset, change));
        let change = Value::map([("keep", Value::Number(change.keep as f64)), ("append", append)]);
        entries.push(("messages".to_owned(), change));
    }
    Value::Map(entries)
}

fn query_value(query: &Query) -> Value {
    let mut value = Value::map([("limit", Value::Number(query.limit as f64))]);
    if !query.statuses.is_empty() {
        put(&mut value, "statuses", Value::texts(query.statuses.iter().map(|status| status.name())));
    }
    let uid = query.owner.as_ref().map(|owner| owner.value().clone());
    let rest = [
        ("owner", uid),
        ("archived", query.archived.map(Value::Bool)),
        ("pinned", query.pinned.map(Value::Bool)),
        ("updatedBefore", query.updated_before.map(Value::Number)),
    ];
    for (key, given) in rest {
        if let Some(given) = given {
            put(&mut value, key, given);
        }
    }
    value
}

/// `updatedAt`, oldest first.
fn age_key(row: &Value) -> f64 {
    row.get("updatedAt").as_number().unwrap_or_default()
}

fn is_found(row: &Value, query: &Query) -> bool {
    let status = row.get("status").as_text();
    let is_owned = |owner: &Uid| row.get("owner") == owner.value();
    (query.statuses.is_empty() || query.statuses.iter().any(|wanted| status == Some(wanted.name())))
        && query.owner.as_ref().is_none_or(is_owned)
        && query.archived.is_none_or(|archived| row.get("archived") == &Value::Bool(archived))
        && query.pinned.is_none_or(|pinned| row.get("pinned") == &Value::Bool(pinned))
        && query.updated_before.is_none_or(|before| age_key(row) < before)
}

fn raise(row: &mut Value) {
    let revision = row.get("revision").as_number().unwrap_or_default();
    put(row, "revision", Value::Number(revision + 1.0));
}

impl Host for ScriptedHost {
    type Row = Row;
    type Raw = Value;
    type Wire = Vec<Value>;
    type Files = PlainFiles;

    async fn load(&self, uid: &Uid) -> Result<Option<Stored<Row>>, Error> {
        self.0.note("storage.load", vec![uid.value().clone()])?;
        let row = self.0.row(uid.value()).unwrap_or_default();
        self.0.answer().await;
        Row::stored("storage.load", &row)
    }

    fn loads_since(&self) -> bool {
        self.0.given.get("storage").get("loadSince") == &Value::Bool(true)
    }

    async fn load_since(&self, uid: &Uid, after: usize) -> Result<Option<Stored<Row>>, Error> {
        self.0.note("storage.loadSince", vec![uid.value().clone(), Value::Number(after as f64)])?;
        let mut row = self.0.row(uid.value()).unwrap_or_default();
        if let Some(messages) = row.get("messages").as_list().map(<[Value]>::to_vec) {
            put(&mut row, "messageCount", Value::Number(messages.len() as f64));
            put(&mut row, "messages", Value::List(messages.into_iter().skip(after).collect()));
        }
        self.0.answer().await;
        Row::stored("storage.loadSince", &row)
    }

    async fn insert(&self, fields: Vec<(&'static str, Value)>) -> Result<Uid, Error> {
        let mut row = Value::Map(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect());
        self.0.note("storage.insert", vec![row.clone()])?;
        let uid = {
            let mut rows = self.0.rows.borrow_mut();
            let last = rows.iter().filter_map(|(uid, _)| uid.as_safe_integer()).fold(0.0, f64::max);
            let uid = Value::Number(last + 1.0);
            put(&mut row, "uid", uid.clone());
            rows.push((uid.clone(), row));
            uid
        };
        self.0.answer().await;
        Uid::from_value(&uid).ok_or_else(|| Fault::nonsense("storage.insert").into())
    }

    async fn swap(&self, stored: &Stored<Row>, patch: &Patch) -> Result<bool, Error> {
        let uid = stored.conversation.uid.value();
        let revision = Value::Number(stored.conversation.revision);
        self.0.note("storage.swap", vec![uid.clone(), revision.clone(), patch_value(stored, patch)])?;
        if self.0.loses_swap() {
            self.0.change(uid, raise);
        }
        let won = self.0.row(uid).is_some_and(|row| row.get("revision") == &revision);
        if won {
            self.0.change(uid, |row| {
                for (key, value) in patch.fields() {
                    put(row, key, value);
                }
                if let Some(change) = &patch.messages {
                    let kept = row.get("messages").as_list().unwrap_or_default().iter().take(change.keep).cloned();
                    let messages = kept.chain(stored.row.appended(stored.offset, change)).collect();
                    put(row, "messages", Value::List(messages));
                }
                raise(row);
            });
        }
        self.0.answer().await;
        Ok(won)
    }

    fn touch(&self, uid: &Uid, claim_id: &str, updated_at: f64, activity: &[Value]) {
        let activity = Value::List(activity.to_vec());
        let args = vec![uid.value().clone(), claim_id.into(), Value::Number(updated_at), activity.clone()];
        if let Err(error) = self.0.note("storage.touch", args) {
            return self.note(&error);
        }
        self.0.change(uid.value(), |row| {
            if row.get("status").as_text() == Some("locked") && row.get("claimId").as_text() == Some(claim_id) {
                put(row, "updatedAt", Value::Number(updated_at));
                put(row, "activity", activity);
            }
        });
    }

    async fn find(&self, query: &Query) -> Result<Vec<Uid>, Error> {
        self.0.note("storage.find", vec![query_value(query)])?;
        let found = {
            let rows = self.0.rows.borrow();
            // an answer may be old: what it was true of has changed since
            let is_old = self.0.given.get("storage").get("findsAll") == &Value::Bool(true);
            let is_wanted = |row: &&Value| is_old || is_found(row, query);
            let mut found: Vec<&Value> = rows.iter().map(|(_, row)| row).filter(is_wanted).collect();
            found.sort_by(|a, b| age_key(a).total_cmp(&age_key(b)));
            found.iter().take(query.limit).filter_map(|row| Uid::from_value(row.get("uid"))).collect()
        };
        self.0.answer().await;
        Ok(found)
    }

    async fn remove(&self, uid: &Uid, revision: f64) -> Result<bool, Error> {
        self.0.note("storage.remove", vec![uid.value().clone(), Value::Number(revision)])?;
        let is_there = self.0.row(uid.value()).is_some_and(|row| row.get("revision").as_number() == Some(revision));
        if is_there {
            self.0.rows.borrow_mut().retain(|(key, _)| key != uid.value());
        }
        self.0.answer().await;
        Ok(is_there)
    }

    fn patched(&self, stored: &Stored<Row>, patch: &Patch) -> Result<Stored<Row>, Error> {
        Ok(Stored {
            conversation: Box::new(stored.conversation.patched(patch)),
            row: stored.row.patched(stored.offset, patch),
            offset: stored.offset,
        })
    }

    async fn run(&self, request: RunRequest<'_, Value, Vec<Value>>, on_step: OnStep) -> Result<Answer<Value>, Error> {
        let source = Value::map([("extension", request.extension.into()), ("operation", request.operation.into())]);
        let args = Value::map([
            ("runUuid", request.run_uuid.into()),
            ("configuration", request.configuration.clone()),
            ("messages", Value::List(request.messages)),
            ("actor", request.actor.to_value()),
            ("allowedToolNames", Value::Null),
            ("options", Value::map([("callerSource", source)])),
        ]);
        let raw = self.0.runtime("runtime.run", vec![args], request.run_uuid, Some(on_step)).await?;
        Self::result_of("runtime.run", raw)
    }

    async fn deliver(&self, by: &Actor, run_uuid: &str, delivery: &Delivery, turn_digest: &str, on_step: OnStep) -> Result<Answer<Value>, Error> {
        let who = by.uid.value().clone();
        let (callback, what) = match delivery {
            Delivery::Decision { approved, deny_reason } => {
                let mut what = Value::map([("approved", (*approved).into()), ("decidedBy", who), ("turnDigest", turn_digest.into())]);
                if !deny_reason.is_empty() {
                    put(&mut what, "denyReason", (*deny_reason).into());
                }
                ("runtime.approve", what)
            }
            Delivery::Input(data) => (
                "runtime.submitInput",
                Value::map([("data", data.clone()), ("submittedBy", who), ("turnDigest", turn_digest.into())]),
            ),
        };
        let args = vec![by.to_value(), run_uuid.into(), what];
        let raw = self.0.runtime(callback, args, run_uuid, Some(on_step)).await?;
        Self::result_of(callback, raw)
    }

    async fn status(&self, actor: &Actor, run_uuid: &str) -> Asked {
        const NAME: &str = "runtime.status";
        let args = vec![actor.to_value(), run_uuid.into()];
        let answer = match self.0.is_scripted("status") {
            true => self.0.runtime(NAME, args, run_uuid, None).await,
            false => self.0.note(NAME, args).map(|()| Value::Null),
        };
        match answer {
            Ok(answer) => match answer.get("status").as_text().and_then(RunStatus::parse) {
                Some(status) => Asked::Status(status),
                None => Asked::Unknown,
            },
            Err(error) => {
                self.note(&error);
                Asked::Faulty
            }
        }
    }

    async fn result(&self, actor: &Actor, run_uuid: &str) -> Option<Answer<Value>> {
        let raw = self.ask("runtime.result", actor, run_uuid).await?;
        Self::result_of("runtime.result", raw).ok()
    }

    async fn waiting_view(&self, actor: &Actor, run_uuid: &str) -> Option<WaitingView> {
        WaitingView::from_value(&self.ask("runtime.waitingView", actor, run_uuid).await?)
    }

    async fn events(&self, actor: &Actor, run_uuid: &str) -> Option<Vec<RunEvent>> {
        let events = self.ask("runtime.events", actor, run_uuid).await?;
        Some(events.as_list()?.iter().filter_map(RunEvent::from_value).collect())
    }

    async fn cancel_if_waiting(&self, actor: &Actor, run_uuid: &str) -> Option<RunStatus> {
        let answer = self.ask("runtime.cancelIfWaiting", actor, run_uuid).await?;
        RunStatus::parse(answer.get("status").as_text()?)
    }

    async fn resolve_task(&self, task_uid: &Uid, actor: &Actor) -> Result<Option<Task<Value>>, Error> {
        self.0.note("resolveTask", vec![task_uid.value().clone(), actor.to_value()])?;
        let task = match self.0.given.has("task") {
            true => self.0.given.get("task").clone(),
            false => super::super::vectors::json(r#"{"uid":5,"promptTemplate":"","configuration":{"uid":9,"name":"Default","systemPrompt":""}}"#),
        };
        self.0.answer().await;
        match &task {
            Value::Null => Ok(None),
            Value::Map(_) => {
                let configuration = task.get("configuration");
                let is_object = configuration.as_map().is_some() || configuration.as_list().is_some();
                Ok(Some(Task {
                    prompts: TaskPrompts::from_value(&task),
                    configuration: is_object.then(|| Configuration {
                        active: configuration.get("active") != &Value::Bool(false),
                        allowed: configuration.get("allowed") != &Value::Bool(false),
                        raw: configuration.clone(),
                    }),
                }))
            }
            _ => Err(Fault::nonsense("resolveTask").into()),
        }
    }

    async fn prompt_context(&self, stored: &Stored<Row>, actor: &Actor) -> Result<Value, Error> {
        let context = self.0.given.get("context");
        if context.is_null() {
            return Ok(Value::Null);
        }
        self.0.note("promptContext", vec![stored.row.fields.get("uid").clone(), actor.to_value()])?;
        self.0.answer().await;
        match context {
            Value::Map(_) => Ok(context.clone()),
            _ => Err(Fault::nonsense("promptContext").into()),
        }
    }

    fn reads_files(&self) -> bool {
        !self.0.given.get("files").is_null()
    }

    async fn read_files(&self, uids: &[Uid], actor: &Actor) -> PlainFiles {
        let mut files = PlainFiles::default();
        if !self.reads_files() {
            return files;
        }
        for uid in uids {
            let noted = self.0.note("readFile", vec![uid.value().clone(), actor.to_value()]);
            let file = self.0.given.get("files").get(&uid.text()).clone();
            let thrown = match file.get("throws").as_text() {
                Some(message) => Err(fault("readFile", ErrorInfo::message(message))),
                None => noted,
            };
            match thrown {
                Ok(()) => self.0.answer().await,
                Err(error) => self.note(&error),
            }
            let is_read = file.get("throws").is_null();
            files.0.push((uid.text(), if is_read { file } else { Value::Null }));
        }
        files
    }

    fn weave(&self, stored: &Stored<Row>, files: &PlainFiles, plan: &Plan) -> Result<Vec<Value>, Error> {
        Ok(stored.row.messages.weave(files, plan))
    }

    async fn may_act(&self, actor: &Actor, stored: &Stored<Row>, action: Action) -> Result<Option<bool>, Error> {
        let words = self.0.given.get("mayAct");
        if words.is_null() {
            return Ok(None);
        }
        let action = match action {
            Action::Read => "read",
            Action::Write => "write",
            Action::Decide => "decide",
        };
        let fields = &stored.row.fields;
        self.0.note("mayAct", vec![actor.to_value(), fields.get("uid").clone(), action.into()])?;
        self.0.answer().await;
        match words.get(action) {
            Value::Null => Ok(Some(actor.uid.value() == fields.get("owner"))),
            Value::Bool(word) => Ok(Some(*word)),
            _ => Err(Fault::nonsense("mayAct").into()),
        }
    }

    async fn actor_of(&self, uid: &Uid) -> Result<Option<Actor>, Error> {
        self.0.note("actorOf", vec![uid.value().clone()])?;
        let mut actor = owner();
        put(&mut actor, "uid", uid.value().clone());
        for (key, value) in self.0.given.get("actor").as_map().unwrap_or_default() {
            put(&mut actor, key, value.clone());
        }
        self.0.answer().await;
        let actor = Actor::from_value(&actor).ok_or(Fault::nonsense("actorOf"))?;
        Ok(Some(actor))
    }

    fn now(&self) -> Result<f64, Error> {
        self.0.gate("now")?;
        Ok(self.0.now.get() * 1000.0)
    }

    fn uuid(&self) -> Result<String, Error> {
        self.0.gate("uuid")?;
        Ok(self.0.uuid())
    }

    fn log(&self, level: Level, message: &str, context: Vec<(&'static str, Value)>) {
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        let context = Value::Map(context.into_iter().map(|(key, value)| (key.to_owned(), value)).collect());
        // A log that fails has nowhere to say so.
        let _ = self.0.note("log", vec![level.into(), message.into(), context]);
    }
}
