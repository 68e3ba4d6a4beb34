//! Calling one callback: found, called, awaited, checked, and its failure named (rules C7, W4, V6).

use js_sys::futures::JsFuture;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

use super::{JsHost, actor_js};
use crate::conversation::{Conversation, Messages};
use crate::error::{Error, Fault, for_people};
use crate::host::{Answer, Host, Level, OnStep, Stored};
use crate::run::{Actor, RunResult, RunStep};
use crate::value::Value;
use crate::wasm::convert::{decoded, limit_of, read};
use crate::wasm::fault::fault;
use crate::wasm::row::JsRow;

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn invoke(owner: &JsValue, name: &str, args: Vec<JsValue>) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch)]
    fn has(owner: &JsValue, name: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_name = result)]
    fn read_result(value: &JsValue) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn observer(report: &Function) -> Result<Option<Array>, JsValue>;
}

#[wasm_bindgen(module = "/src/wasm/flat.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn row(value: &JsValue) -> Result<Option<String>, JsValue>;
}

impl JsHost {
    /// The object that a callback hangs on, and its name there.
    fn owner(&self, callback: &'static str) -> (&JsValue, &'static str) {
        if let Some(name) = callback.strip_prefix("storage.") {
            return (&self.storage, name);
        }
        match callback.strip_prefix("runtime.") {
            Some(name) => (&self.runtime, name),
            None => (&self.host, callback),
        }
    }

    pub(super) fn offers(&self, callback: &'static str) -> bool {
        let (owner, name) = self.owner(callback);
        has(owner, name).unwrap_or_default()
    }

    pub(super) fn call_now(&self, callback: &'static str, args: Vec<JsValue>) -> Result<JsValue, Error> {
        let (owner, name) = self.owner(callback);
        match invoke(owner, name, args) {
            Ok(value) => Ok(value.unwrap_or(JsValue::NULL)),
            Err(thrown) => Err(fault(callback, thrown)),
        }
    }

    pub(super) async fn call(&self, callback: &'static str, args: Vec<JsValue>) -> Result<JsValue, Error> {
        let answer = self.call_now(callback, args)?;
        JsFuture::from(Promise::resolve(&answer)).await.map_err(|thrown| fault(callback, thrown))
    }

    /// A callback whose failure means that it had no answer.
    pub(super) async fn ask(&self, callback: &'static str, args: Vec<JsValue>) -> Option<JsValue> {
        if !self.offers(callback) {
            return None;
        }
        match self.call(callback, args).await {
            Ok(answer) => Some(answer).filter(|answer| !answer.is_null_or_undefined()),
            Err(error) => {
                self.note(&error);
                None
            }
        }
    }

    /// What a quiet callback answers, as plain data; nonsense and what is too deep is no answer.
    pub(super) async fn ask_plain(&self, callback: &'static str, actor: &Actor, run_uuid: &str) -> Option<Value> {
        let answer = self.ask(callback, vec![actor_js(actor), run_uuid.into()]).await?;
        read(&answer).ok()
    }

    pub(super) async fn boolean(&self, callback: &'static str, args: Vec<JsValue>) -> Result<bool, Error> {
        let answer = self.call(callback, args).await?;
        answer.as_bool().ok_or_else(|| Fault::nonsense(callback).into())
    }

    pub(super) fn stored(&self, callback: &'static str, value: JsValue) -> Result<Option<Stored<JsRow>>, Error> {
        if value.is_null_or_undefined() {
            return Ok(None);
        }
        let fields = row(&value).map_err(|thrown| match limit_of(&thrown) {
            Some(limit) => limit,
            None => fault(callback, thrown),
        })?;
        let fields = decoded(Some(fields.ok_or(Fault::nonsense(callback))?));
        let conversation = Conversation::from_value(&fields).map_err(|error| match error {
            Error::InvalidArgument(_) => Fault::nonsense(callback).into(),
            other => other,
        })?;
        let row = JsRow::new(value)?;
        let count = fields.get("messageCount").as_safe_integer();
        let read = row.len();
        Ok(Some(Stored {
            conversation: Box::new(conversation),
            offset: count.map_or(0, |count| (count as usize).saturating_sub(read)),
            row,
        }))
    }

    /// A result that can be read; nonsense of `run`, `approve` and `submitInput` is a fault of theirs.
    pub(super) fn answer(callback: &'static str, raw: JsValue) -> Result<Answer<JsValue>, Error> {
        let fields = read_result(&raw).map_err(|thrown| match limit_of(&thrown) {
            Some(_) => Fault::nonsense(callback).into(),
            None => fault(callback, thrown),
        })?;
        let result = RunResult::from_value(&decoded(fields)).ok_or(Fault::nonsense(callback))?;
        Ok(Answer { result, raw })
    }

    /// Calls what takes an observer; the observer is switched off as soon as the call has answered (rule V6).
    pub(super) async fn observed(&self, callback: &'static str, mut args: Vec<JsValue>, on_step: OnStep) -> Result<Answer<JsValue>, Error> {
        let report = Closure::<dyn Fn(Option<String>)>::new(move |step| on_step(RunStep::from_value(&decoded(step))));
        let pair = observer(report.as_ref().unchecked_ref()).ok().flatten().unwrap_or_default();
        args.push(pair.get(0));
        let called = self.call_now(callback, args);
        let answer = match called {
            Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await.map_err(|thrown| fault(callback, thrown)),
            Err(error) => Err(error),
        };
        if let Ok(stop) = pair.get(1).dyn_into::<Function>() {
            // It only forgets the closure, which is dropped next.
            let _ = stop.call0(&JsValue::UNDEFINED);
        }
        drop(report);
        Self::answer(callback, answer?)
    }

    pub(super) fn note(&self, error: &Error) {
        let message = for_people(&error.to_string());
        let context = vec![("code", Value::Text(error.code())), ("detail", Value::Text(message))];
        self.log(Level::Warn, "a callback of the host failed and counts as no answer", context);
    }
}
