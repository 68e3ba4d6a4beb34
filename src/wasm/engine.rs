//! The engine as a class. Every method decodes its arguments before anything is loaded (rule N6), clones the inner handle and answers a promise:
//! nothing is borrowed while it waits (rules W3, W7).

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use js_sys::futures::future_to_promise;
use wasm_bindgen::prelude::*;

use super::convert::{argument, encoded, object, thrown};
use super::host::JsHost;
use super::row::JsRow;
use crate::conversation::{DenyReason, FileReference, Uid};
use crate::engine::{Edit, NewConversation, NewDecision, NewText, Polled, Report};
use crate::error::Error;
use crate::reply::Reply;
use crate::run::Actor;
use crate::settings::Settings;
use crate::status::Status;
use crate::value::Value;

/// The engine over one host.
#[wasm_bindgen]
pub struct Engine {
    inner: crate::engine::Engine<JsHost>,
}

type Inner = crate::engine::Engine<JsHost>;

#[wasm_bindgen]
impl Engine {
    /// An engine over a host.
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsValue, settings: JsValue) -> Result<Engine, JsValue> {
        let made = argument(&settings)
            .and_then(|settings| Settings::from_value(&settings))
            .and_then(|settings| Ok(Inner::new(JsHost::new(host)?, settings)));
        made.map(|inner| Engine { inner }).map_err(|error| thrown(&error))
    }

    /// See the contract.
    #[wasm_bindgen(js_name = createConversation)]
    pub fn create_conversation(&self, actor: JsValue, input: JsValue) -> Promise {
        let decoded = (|| {
            let input = optional_object(&argument(&input)?)?;
            let new = NewConversation {
                title: text(&input, "title")?,
                system_prompt: text(&input, "systemPrompt")?,
                view_context: view_context(&input)?.unwrap_or_default(),
            };
            Ok((actor_of(&actor)?, new))
        })();
        self.answer(decoded, |inner, (actor, new)| async move {
            let reply = inner.create_conversation(&actor, new).await?;
            Ok(encode_reply(reply.map(|uid| ("uid", encoded(uid.value())))))
        })
    }

    /// See the contract.
    #[wasm_bindgen(js_name = sendMessage)]
    pub fn send_message(&self, uid: JsValue, actor: JsValue, input: JsValue) -> Promise {
        let decoded = (|| {
            let input = required_object(&argument(&input)?)?;
            let new = NewText {
                content: required_text(&input, "content")?,
                client_id: text(&input, "clientId")?,
                files: files_of(input.get("files"))?,
                view_context: view_context(&input)?,
            };
            Ok((uid_of(&uid)?, actor_of(&actor)?, new))
        })();
        self.answer(decoded, |inner, (uid, actor, new)| async move {
            Ok(encode_status(inner.send_message(&uid, &actor, new).await?))
        })
    }

    /// See the contract.
    #[wasm_bindgen(js_name = editMessage)]
    pub fn edit_message(&self, uid: JsValue, actor: JsValue, index: JsValue, input: JsValue) -> Promise {
        let decoded = (|| {
            let input = required_object(&argument(&input)?)?;
            let edit = Edit {
                index: whole(&argument(&index)?)?,
                content: required_text(&input, "content")?,
                expected_content: required_text(&input, "expectedContent")?,
                message_count: whole(input.get("messageCount"))?,
            };
            Ok((uid_of(&uid)?, actor_of(&actor)?, edit))
        })();
        self.answer(decoded, |inner, (uid, actor, edit)| async move {
            Ok(encode_status(inner.edit_message(&uid, &actor, edit).await?))
        })
    }

    /// See the contract.
    #[wasm_bindgen(js_name = recordDecision)]
    pub fn record_decision(&self, uid: JsValue, actor: JsValue, decision: JsValue) -> Promise {
        let decoded = (|| {
            let input = required_object(&argument(&decision)?)?;
            let approve = input.get("approve").as_bool();
            let deny_reason = text(&input, "denyReason")?;
            let new = NewDecision {
                approve: approve.ok_or(Error::InvalidArgument("approve is true or false"))?,
                turn_digest: digest(&input)?,
                deny_reason: DenyReason::parse(&deny_reason).ok_or(Error::InvalidArgument("denyReason is variant or skip"))?,
                display: text(&input, "display")?,
            };
            if new.approve && new.deny_reason != DenyReason::None {
                return Err(Error::InvalidArgument("an approval has no denyReason")); // D1
            }
            Ok((uid_of(&uid)?, actor_of(&actor)?, new))
        })();
        self.answer(decoded, |inner, (uid, actor, new)| async move {
            Ok(encode_status(inner.record_decision(&uid, &actor, new).await?))
        })
    }

    /// See the contract.
    #[wasm_bindgen(js_name = recordInput)]
    pub fn record_input(&self, uid: JsValue, actor: JsValue, answer: JsValue) -> Promise {
        let decoded = (|| {
            let answer = required_object(&argument(&answer)?)?;
            let digest = digest(&answer)?;
            Ok((uid_of(&uid)?, actor_of(&actor)?, answer, digest))
        })();
        self.answer(decoded, |inner, (uid, actor, answer, digest)| async move {
            Ok(encode_status(inner.record_input(&uid, &actor, &answer, &digest).await?))
        })
    }

    /// See the contract.
    pub fn retry(&self, uid: JsValue, actor: JsValue) -> Promise {
        let decoded = both(&uid, &actor);
        self.answer(
            decoded,
            |inner, (uid, actor)| async move { Ok(encode_status(inner.retry(&uid, &actor).await?)) },
        )
    }

    /// See the contract.
    #[wasm_bindgen(js_name = endProcess)]
    pub fn end_process(&self, uid: JsValue, actor: JsValue) -> Promise {
        let decoded = both(&uid, &actor);
        self.answer(decoded, |inner, (uid, actor)| async move {
            Ok(encode_status(inner.end_process(&uid, &actor).await?))
        })
    }

    /// See the contract.
    pub fn poll(&self, uid: JsValue, actor: JsValue, after: JsValue) -> Promise {
        let decoded = (|| {
            let after = match argument(&after)? {
                Value::Null => 0.0,
                after => whole(&after)?,
            };
            if after < 0.0 {
                return Err(Error::InvalidArgument("after is a number of messages"));
            }
            Ok((uid_of(&uid)?, actor_of(&actor)?, after as usize))
        })();
        self.answer(decoded, |inner, (uid, actor, after)| async move {
            match inner.poll(&uid, &actor, after).await? {
                Ok(polled) => encode_poll(&polled),
                Err(refusal) => Ok(encode_reply(Err(refusal))),
            }
        })
    }

    /// See the contract.
    pub fn claim(&self, uid: JsValue) -> Promise {
        self.answer(uid_of(&uid), |inner, uid| async move {
            let claim_id = inner.claim(&uid).await?;
            Ok(claim_id.map_or(JsValue::NULL, |id| JsValue::from_str(&id)))
        })
    }

    /// `processConversation`, or `resumeConversation` where `resumes`.
    pub fn process(&self, uid: JsValue, claim_id: JsValue, resumes: bool) -> Promise {
        let decoded = (|| {
            let claim_id = match argument(&claim_id)? {
                Value::Null => None,
                Value::Text(id) => Some(id),
                _ => return Err(Error::InvalidArgument("claimId is a text")),
            };
            Ok((uid_of(&uid)?, claim_id))
        })();
        self.answer(decoded, move |inner, (uid, claim_id)| async move {
            let report = inner.process_conversation(&uid, claim_id, resumes).await?;
            Ok(encode_report(&report))
        })
    }

    /// See the contract.
    #[wasm_bindgen(js_name = runNext)]
    pub fn run_next(&self, worker_id: JsValue) -> Promise {
        let decoded = argument(&worker_id).map(|id| id.text_or_empty());
        self.answer(decoded, |inner, worker_id| async move {
            let report = inner.run_next(&worker_id).await?;
            Ok(report.as_ref().map_or(JsValue::NULL, encode_report))
        })
    }

    /// See the contract.
    pub fn reconcile(&self, uid: JsValue) -> Promise {
        self.answer(uid_of(&uid), |inner, uid| async move { inner.reconcile(&uid).await.map(JsValue::from_bool) })
    }

    /// See the contract.
    pub fn cleanup(&self) -> Promise {
        self.answer(Ok(()), |inner, ()| async move {
            let cleaned = inner.cleanup().await?;
            Ok(object(&[
                ("timedOut", cleaned.timed_out.into()),
                ("archived", cleaned.archived.into()),
                ("removed", cleaned.removed.into()),
            ]))
        })
    }
}

impl Engine {
    /// A promise of what an operation answers; malformed arguments reject it.
    fn answer<T: 'static, F: Future<Output = Result<JsValue, Error>> + 'static>(
        &self,
        decoded: Result<T, Error>,
        operation: impl FnOnce(Inner, T) -> F + 'static,
    ) -> Promise {
        let inner = self.inner.clone();
        promise(Box::pin(async move { operation(inner, decoded?).await }))
    }
}

/// One promise for all operations: the machinery of promises is in the binary once.
fn promise(answer: Pin<Box<dyn Future<Output = Result<JsValue, Error>>>>) -> Promise {
    future_to_promise(async move { answer.await.map_err(|error| thrown(&error)) })
}

fn both(uid: &JsValue, actor: &JsValue) -> Result<(Uid, Actor), Error> {
    Ok((uid_of(uid)?, actor_of(actor)?))
}

fn uid_of(uid: &JsValue) -> Result<Uid, Error> {
    Uid::from_value(&argument(uid)?).ok_or(Error::InvalidArgument("uid is a number or a text"))
}

fn actor_of(actor: &JsValue) -> Result<Actor, Error> {
    const SHAPE: Error = Error::InvalidArgument("actor is an object with a uid");
    Actor::from_value(&argument(actor)?).ok_or(SHAPE)
}

fn required_object(value: &Value) -> Result<Value, Error> {
    match value {
        Value::Map(_) => Ok(value.clone()),
        _ => Err(Error::InvalidArgument("input is an object")),
    }
}

fn optional_object(value: &Value) -> Result<Value, Error> {
    match value {
        Value::Null => Ok(Value::Null),
        value => required_object(value),
    }
}

fn required_text(input: &Value, key: &str) -> Result<String, Error> {
    let text = input.get(key).as_text();
    Ok(text.ok_or(Error::InvalidArgument("a required text is missing"))?.to_owned())
}

/// An optional text; "" where it is absent.
fn text(input: &Value, key: &str) -> Result<String, Error> {
    match input.get(key) {
        Value::Null => Ok(String::new()),
        Value::Text(text) => Ok(text.clone()),
        _ => Err(Error::InvalidArgument("an optional text is something else")),
    }
}

/// Absent: nothing is said about it; null clears it (rule N8).
fn view_context(input: &Value) -> Result<Option<Value>, Error> {
    match input.get("viewContext") {
        context @ (Value::Null | Value::Map(_)) => Ok(input.has("viewContext").then(|| context.clone())),
        _ => Err(Error::InvalidArgument("viewContext is an object or null")),
    }
}

fn digest(input: &Value) -> Result<String, Error> {
    match input.get("turnDigest").as_text() {
        Some(digest) if !digest.is_empty() => Ok(digest.to_owned()),
        _ => Err(Error::InvalidArgument("turnDigest is a text that is not empty")), // D1
    }
}

fn whole(value: &Value) -> Result<f64, Error> {
    value.as_safe_integer().ok_or(Error::InvalidArgument("an index or a count is a whole number"))
}

fn files_of(files: &Value) -> Result<Vec<FileReference>, Error> {
    const SHAPE: Error = Error::InvalidArgument("files is a list of references with a fileUid");
    match files {
        Value::Null => Ok(Vec::new()),
        Value::List(files) => {
            let references = files.iter().map(|file| FileReference::from_value(file).map(FileReference::storable));
            references.collect::<Option<_>>().ok_or(SHAPE)
        }
        _ => Err(SHAPE),
    }
}

fn encode_reply(reply: Reply<(&'static str, JsValue)>) -> JsValue {
    match reply {
        Ok(field) => object(&[("ok", JsValue::TRUE), field]),
        Err(refusal) => {
            let (status, code) = refusal.parts();
            object(&[("ok", JsValue::FALSE), ("httpStatus", status.into()), ("code", code.into())])
        }
    }
}

fn encode_status(reply: Reply<Status>) -> JsValue {
    encode_reply(reply.map(|status| ("status", status.name().into())))
}

fn encode_poll(polled: &Polled<JsRow>) -> Result<JsValue, Error> {
    let row = &polled.stored.row;
    Ok(object(&[
        ("ok", JsValue::TRUE),
        ("conversation", row.shown(polled.shows_message)?),
        ("messages", row.from(polled.from)),
        ("messageCount", (polled.stored.count() as f64).into()),
        ("truncated", polled.truncated.into()),
        ("view", encoded(&polled.view.to_value())),
    ]))
}

fn encode_report(report: &Report<JsValue>) -> JsValue {
    let status = report.status.map_or(JsValue::NULL, |status| status.name().into());
    let mut fields = vec![
        ("outcome", JsValue::from_str(report.outcome.name())),
        ("uid", encoded(report.uid.value())),
        ("status", status),
        ("errorCode", report.error_code.as_str().into()),
        ("runUuid", report.run_uuid.as_str().into()),
    ];
    if let Some(result) = &report.result {
        fields.push(("result", result.clone()));
    }
    object(&fields)
}
