//! The host of JavaScript: every callback is called with `this` kept, awaited whether it answers a value or a promise, and checked (rules C7, W4).

mod call;

use wasm_bindgen::prelude::*;

use super::convert::{decoded, encoded, measure, object, read, record};
use super::fault::fault;
use super::files::JsFiles;
use super::row::JsRow;
use crate::conversation::{Patch, Uid};
use crate::error::{Error, Fault};
use crate::host::{Action, Answer, Asked, Configuration, Delivery, Host, Level, OnStep, Query, RunRequest, Stored, Task};
use crate::run::{Actor, RunEvent, RunStatus, WaitingView};
use crate::status::Status;
use crate::transcript::{Plan, TaskPrompts};
use crate::value::Value;

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn part(owner: &JsValue, name: &str) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch, js_name = events)]
    fn read_events(value: &JsValue) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn quiet(value: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(catch)]
    fn clock() -> Result<f64, JsValue>;
}

/// The host object, with the parts that are objects of their own.
pub struct JsHost {
    host: JsValue,
    storage: JsValue,
    runtime: JsValue,
}

impl JsHost {
    /// A host from its object.
    ///
    /// # Errors
    /// `InvalidArgument` where host, storage or runtime is no object.
    pub fn new(host: JsValue) -> Result<JsHost, Error> {
        const SHAPE: Error = Error::InvalidArgument("host is an object with storage and runtime");
        let of = |name| part(&host, name).ok().flatten().ok_or(SHAPE);
        let (storage, runtime) = (of("storage")?, of("runtime")?);
        Ok(JsHost { host, storage, runtime })
    }
}

/// An actor as callbacks get it.
pub fn actor_js(actor: &Actor) -> JsValue {
    encoded(&actor.to_value())
}

/// Nobody waits for this answer, and its failure costs nothing.
fn let_go(answer: &JsValue) {
    // Only a hostile thenable can make this fail.
    let _ = quiet(answer);
}

fn uid_js(uid: &Uid) -> JsValue {
    encoded(uid.value())
}

fn query_js(query: &Query) -> JsValue {
    let mut fields = vec![("limit", Value::Number(query.limit as f64))];
    if !query.statuses.is_empty() {
        let names = query.statuses.iter().map(|status: &Status| status.name());
        fields.push(("statuses", Value::texts(names)));
    }
    if let Some(owner) = &query.owner {
        fields.push(("owner", owner.value().clone()));
    }
    let flags = [("archived", query.archived), ("pinned", query.pinned)];
    fields.extend(flags.into_iter().filter_map(|(key, flag)| Some((key, Value::Bool(flag?)))));
    if let Some(before) = query.updated_before {
        fields.push(("updatedBefore", before.into()));
    }
    record(&fields)
}

impl Host for JsHost {
    type Row = JsRow;
    type Raw = JsValue;
    type Wire = JsValue;
    type Files = JsFiles;

    async fn load(&self, uid: &Uid) -> Result<Option<Stored<JsRow>>, Error> {
        let value = self.call("storage.load", vec![uid_js(uid)]).await?;
        self.stored("storage.load", value)
    }

    fn loads_since(&self) -> bool {
        self.offers("storage.loadSince")
    }

    async fn load_since(&self, uid: &Uid, after: usize) -> Result<Option<Stored<JsRow>>, Error> {
        let args = vec![uid_js(uid), JsValue::from_f64(after as f64)];
        let value = self.call("storage.loadSince", args).await?;
        self.stored("storage.loadSince", value)
    }

    async fn insert(&self, fields: Vec<(&'static str, Value)>) -> Result<Uid, Error> {
        let uid = self.call("storage.insert", vec![record(&fields)]).await?;
        let uid = read(&uid).ok().and_then(|uid| Uid::from_value(&uid));
        uid.ok_or_else(|| Fault::nonsense("storage.insert").into())
    }

    async fn swap(&self, stored: &Stored<JsRow>, patch: &Patch) -> Result<bool, Error> {
        let conversation = &stored.conversation;
        let args = vec![
            uid_js(&conversation.uid),
            JsValue::from_f64(conversation.revision),
            stored.row.patch(stored.offset, patch)?,
        ];
        self.boolean("storage.swap", args).await
    }

    fn touch(&self, uid: &Uid, claim_id: &str, updated_at: f64, activity: &[Value]) {
        let args = vec![uid_js(uid), claim_id.into(), updated_at.into(), encoded(&Value::List(activity.to_vec()))];
        match self.call_now("storage.touch", args) {
            // A heartbeat that fails later does not cost the turn either (rule W4).
            Ok(answer) => let_go(&answer),
            Err(error) => self.note(&error),
        }
    }

    async fn find(&self, query: &Query) -> Result<Vec<Uid>, Error> {
        let found = self.call("storage.find", vec![query_js(query)]).await?;
        let found = read(&found).map_err(|thrown| fault("storage.find", thrown))?;
        let uids = found.as_list().ok_or(Fault::nonsense("storage.find"))?;
        Ok(uids.iter().filter_map(Uid::from_value).collect())
    }

    async fn remove(&self, uid: &Uid, revision: f64) -> Result<bool, Error> {
        let args = vec![uid_js(uid), revision.into()];
        self.boolean("storage.remove", args).await
    }

    fn patched(&self, stored: &Stored<JsRow>, patch: &Patch) -> Result<Stored<JsRow>, Error> {
        Ok(Stored {
            conversation: Box::new(stored.conversation.patched(patch)),
            row: stored.row.patched(stored.offset, patch)?,
            offset: stored.offset,
        })
    }

    async fn run(&self, request: RunRequest<'_, JsValue, JsValue>, on_step: OnStep) -> Result<Answer<JsValue>, Error> {
        let source = object(&[("extension", request.extension.into()), ("operation", request.operation.into())]);
        let request = object(&[
            ("runUuid", request.run_uuid.into()),
            ("configuration", request.configuration.clone()),
            ("messages", request.messages),
            ("actor", actor_js(request.actor)),
            ("allowedToolNames", JsValue::NULL),
            ("options", object(&[("callerSource", source)])),
        ]);
        self.observed("runtime.run", vec![request], on_step).await
    }

    async fn deliver(&self, by: &Actor, run_uuid: &str, delivery: &Delivery, turn_digest: &str, on_step: OnStep) -> Result<Answer<JsValue>, Error> {
        let who = uid_js(&by.uid);
        let digest = JsValue::from_str(turn_digest);
        let (callback, what) = match delivery {
            Delivery::Decision { approved, deny_reason } => {
                let mut fields = vec![("approved", JsValue::from_bool(*approved)), ("decidedBy", who), ("turnDigest", digest)];
                if !deny_reason.is_empty() {
                    fields.push(("denyReason", (*deny_reason).into()));
                }
                ("runtime.approve", object(&fields))
            }
            Delivery::Input(data) => (
                "runtime.submitInput",
                object(&[("data", encoded(data)), ("submittedBy", who), ("turnDigest", digest)]),
            ),
        };
        let args = vec![actor_js(by), run_uuid.into(), what];
        self.observed(callback, args, on_step).await
    }

    async fn status(&self, actor: &Actor, run_uuid: &str) -> Asked {
        if !self.offers("runtime.status") {
            return Asked::Unknown;
        }
        let args = vec![actor_js(actor), run_uuid.into()];
        match self.call("runtime.status", args).await {
            Ok(answer) => read(&answer)
                .ok()
                .and_then(|answer| RunStatus::parse(answer.get("status").as_text()?))
                .map_or(Asked::Unknown, Asked::Status),
            Err(error) => {
                self.note(&error);
                Asked::Faulty
            }
        }
    }

    async fn result(&self, actor: &Actor, run_uuid: &str) -> Option<Answer<JsValue>> {
        let args = vec![actor_js(actor), run_uuid.into()];
        let raw = self.ask("runtime.result", args).await?;
        Self::answer("runtime.result", raw).ok()
    }

    async fn waiting_view(&self, actor: &Actor, run_uuid: &str) -> Option<WaitingView> {
        let view = self.ask_plain("runtime.waitingView", actor, run_uuid).await?;
        WaitingView::from_value(&view)
    }

    async fn events(&self, actor: &Actor, run_uuid: &str) -> Option<Vec<RunEvent>> {
        let args = vec![actor_js(actor), run_uuid.into()];
        let events = self.ask("runtime.events", args).await?;
        let events = decoded(read_events(&events).ok()?);
        Some(events.as_list()?.iter().filter_map(RunEvent::from_value).collect())
    }

    async fn cancel_if_waiting(&self, actor: &Actor, run_uuid: &str) -> Option<RunStatus> {
        let answer = self.ask_plain("runtime.cancelIfWaiting", actor, run_uuid).await?;
        RunStatus::parse(answer.get("status").as_text()?)
    }

    async fn resolve_task(&self, task_uid: &Uid, actor: &Actor) -> Result<Option<Task<JsValue>>, Error> {
        const NAME: &str = "resolveTask";
        let task = self.call(NAME, vec![uid_js(task_uid), actor_js(actor)]).await?;
        if task.is_null_or_undefined() {
            return Ok(None);
        }
        let fields = read(&task).map_err(|thrown| fault(NAME, thrown))?;
        if fields.as_map().is_none() {
            return Err(Fault::nonsense(NAME).into());
        }
        let configuration = fields.get("configuration");
        let raw = part(&task, "configuration").map_err(|thrown| fault(NAME, thrown))?;
        Ok(Some(Task {
            prompts: TaskPrompts::from_value(&fields),
            configuration: raw.map(|raw| Configuration {
                active: configuration.get("active") != &Value::Bool(false),
                allowed: configuration.get("allowed") != &Value::Bool(false),
                raw,
            }),
        }))
    }

    async fn prompt_context(&self, stored: &Stored<JsRow>, actor: &Actor) -> Result<Value, Error> {
        const NAME: &str = "promptContext";
        if !self.offers(NAME) {
            return Ok(Value::Null);
        }
        let args = vec![stored.row.raw().clone(), actor_js(actor)];
        let context = self.call(NAME, args).await?;
        let context = read(&context).map_err(|thrown| fault(NAME, thrown))?;
        match context {
            Value::Null | Value::Map(_) => Ok(context),
            _ => Err(Fault::nonsense(NAME).into()),
        }
    }

    fn reads_files(&self) -> bool {
        self.offers("readFile")
    }

    async fn read_files(&self, uids: &[Uid], actor: &Actor) -> JsFiles {
        let files = JsFiles::default();
        for uid in uids {
            let file = self.ask("readFile", vec![uid_js(uid), actor_js(actor)]).await;
            let file = file.filter(|file| measure(file).is_ok());
            files.put(&uid.text(), &file.unwrap_or(JsValue::NULL));
        }
        files
    }

    fn weave(&self, stored: &Stored<JsRow>, files: &JsFiles, plan: &Plan) -> Result<JsValue, Error> {
        stored.row.weave(files, plan)
    }

    async fn may_act(&self, actor: &Actor, stored: &Stored<JsRow>, action: Action) -> Result<Option<bool>, Error> {
        if !self.offers("mayAct") {
            return Ok(None);
        }
        let action = match action {
            Action::Read => "read",
            Action::Write => "write",
            Action::Decide => "decide",
        };
        let args = vec![actor_js(actor), stored.row.raw().clone(), action.into()];
        self.boolean("mayAct", args).await.map(Some)
    }

    async fn actor_of(&self, uid: &Uid) -> Result<Option<Actor>, Error> {
        const NAME: &str = "actorOf";
        if !self.offers(NAME) {
            return Ok(None);
        }
        let actor = self.call(NAME, vec![uid_js(uid)]).await?;
        let actor = read(&actor).map_err(|thrown| fault(NAME, thrown))?;
        let actor = Actor::from_value(&actor).ok_or(Fault::nonsense(NAME))?;
        Ok(Some(actor))
    }

    fn now(&self) -> Result<f64, Error> {
        if !self.offers("now") {
            return clock().map_err(|thrown| fault("now", thrown));
        }
        let now = self.call_now("now", Vec::new())?.as_f64();
        let now = now.filter(|now| now.is_finite());
        now.ok_or_else(|| Fault::nonsense("now").into())
    }

    fn uuid(&self) -> Result<String, Error> {
        if !self.offers("uuid") {
            return Ok(uuid::Uuid::new_v4().hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()).to_owned());
        }
        let id = self.call_now("uuid", Vec::new())?.as_string();
        let id = id.filter(|id| !id.is_empty());
        id.ok_or_else(|| Fault::nonsense("uuid").into())
    }

    fn log(&self, level: Level, message: &str, context: Vec<(&'static str, Value)>) {
        if !self.offers("log") {
            return;
        }
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        let args = vec![level.into(), message.into(), record(&context)];
        // A log that fails has nowhere to say so.
        if let Ok(answer) = self.call_now("log", args) {
            let_go(&answer);
        }
    }
}
