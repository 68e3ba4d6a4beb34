//! What the parts of one scenario share: the rows, the calls made, the scripted answers, the clock and the faults that are switched on.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::rc::Rc;

use agent_turn::error::{Error, ErrorInfo, Fault};
use agent_turn::host::OnStep;
use agent_turn::run::RunStep;
use agent_turn::value::Value;

use super::executor::{Executor, round};
use super::values::{NOW, conversation, put};

/// Plays the steps of `during`; what is wrong with one.
pub type Play = Rc<dyn Fn(Value) -> Pin<Box<dyn Future<Output = Result<(), String>>>>>;

/// The world of one scenario.
pub struct World {
    /// `given` of the vector.
    pub given: Value,
    /// Unix seconds.
    pub now: Cell<f64>,
    pub executor: Executor,
    /// In the order in which they were stored.
    pub rows: RefCell<Vec<(Value, Value)>>,
    pub calls: RefCell<Vec<(&'static str, Value)>>,
    pub counts: RefCell<BTreeMap<&'static str, usize>>,
    pub failing: RefCell<Vec<String>>,
    /// The first error of the scenario itself.
    pub failure: RefCell<Option<String>>,
    pub play: RefCell<Option<Play>>,
    scripts: RefCell<BTreeMap<String, VecDeque<Value>>>,
    answers: Cell<usize>,
    uuids: Cell<usize>,
}

impl World {
    pub fn new(vector: &Value) -> World {
        let now = vector.get("now").as_number().unwrap_or(NOW);
        let given = vector.get("given").clone();
        let rows = given.get("conversations").as_list().unwrap_or_default().iter().map(|fields| {
            let row = conversation(fields, now);
            (row.get("uid").clone(), row)
        });
        let scripts = given.get("runtime").as_map().unwrap_or_default().iter();
        let scripts = scripts.map(|(name, replies)| (name.clone(), replies.as_list().unwrap().iter().cloned().collect()));
        World {
            now: Cell::new(now),
            rows: RefCell::new(rows.collect()),
            scripts: RefCell::new(scripts.collect()),
            given,
            executor: Executor::default(),
            calls: RefCell::default(),
            counts: RefCell::default(),
            failing: RefCell::default(),
            failure: RefCell::default(),
            play: RefCell::default(),
            answers: Cell::default(),
            uuids: Cell::default(),
        }
    }

    /// Notes a call; it fails where the scenario says so.
    pub fn note(&self, callback: &'static str, args: Vec<Value>) -> Result<(), Error> {
        let count = {
            let mut counts = self.counts.borrow_mut();
            let count = counts.entry(callback).or_default();
            *count += 1;
            *count
        };
        self.calls.borrow_mut().push((callback, Value::List(args)));
        let name = callback.rsplit('.').next().unwrap_or(callback);
        self.gate(callback)?;
        match is_named(self.given.get("storage").get("throwOn").get(name), count) {
            true => Err(scripted(callback)),
            false => Ok(()),
        }
    }

    /// Fails where every call of this callback is to fail from here on.
    pub fn gate(&self, callback: &'static str) -> Result<(), Error> {
        let name = callback.rsplit('.').next().unwrap_or(callback);
        match self.failing.borrow().iter().any(|failing| failing == name) {
            true => Err(scripted(callback)),
            false => Ok(()),
        }
    }

    /// Answers at once and a round later in turn: a host may do either (rule C7).
    pub async fn answer(&self) {
        let count = self.answers.get();
        self.answers.set(count + 1);
        if count % 2 == 1 {
            round().await;
        }
    }

    pub fn uuid(&self) -> String {
        let count = self.uuids.get() + 1;
        self.uuids.set(count);
        format!("00000000-0000-4000-8000-{count:012}")
    }

    pub fn row(&self, uid: &Value) -> Option<Value> {
        let rows = self.rows.borrow();
        rows.iter().find(|(key, _)| key == uid).map(|(_, row)| row.clone())
    }

    /// Changes a stored row; false where there is none.
    pub fn change(&self, uid: &Value, change: impl FnOnce(&mut Value)) -> bool {
        let mut rows = self.rows.borrow_mut();
        let found = rows.iter_mut().find(|(key, _)| key == uid);
        found.map(|(_, row)| change(row)).is_some()
    }

    /// Whether this swap is one that the scenario loses: somebody else wrote in between.
    pub fn loses_swap(&self) -> bool {
        let count = self.counts.borrow().get("storage.swap").copied().unwrap_or_default();
        is_named(self.given.get("storage").get("loseSwap"), count)
    }

    pub fn is_scripted(&self, name: &str) -> bool {
        self.given.get("runtime").has(name)
    }

    /// The first of several errors of the scenario counts.
    pub fn fail(&self, message: String) {
        self.failure.borrow_mut().get_or_insert(message);
    }

    /// The next scripted answer of a function of the runtime; `announced` is the run that it was called about.
    pub async fn runtime(&self, callback: &'static str, args: Vec<Value>, announced: &str, on_step: Option<OnStep>) -> Result<Value, Error> {
        self.note(callback, args)?;
        let name = callback.rsplit('.').next().unwrap_or(callback);
        let Some(mut reply) = self.next_reply(name) else {
            self.fail(format!("no scripted answer left for {callback}"));
            return Err(fault(callback, ErrorInfo::message("no scripted answer left")));
        };
        let step_of = |step: &Value| RunStep::from_value(step);
        if let Some(on_step) = &on_step {
            let steps = reply.get("steps").as_list().unwrap_or_default();
            steps.iter().for_each(|step| on_step(step_of(step)));
        }
        for step in reply.get("during").as_list().unwrap_or_default() {
            let play = self.play.borrow().clone().unwrap();
            if let Err(problem) = play(step.clone()).await {
                self.fail(format!("during: {problem}"));
            }
        }
        if reply.get("never") == &Value::Bool(true) {
            return std::future::pending().await;
        }
        let thrown = reply.get("throws");
        if !thrown.is_null() {
            self.answer().await;
            return Err(fault(callback, ErrorInfo::from_value(thrown)));
        }
        let is_result = !matches!(name, "status" | "events");
        let steps = reply.get("steps").clone();
        if is_result && !steps.is_null() && reply.get("returns").get("steps").is_null() {
            with_returns(&mut reply, |value| put(value, "steps", steps.clone()));
        }
        if reply.get("adoptUuid") == &Value::Bool(true) {
            with_returns(&mut reply, |value| put(value, "runUuid", announced.into()));
        }
        self.answer().await;
        let late = reply.get("late").as_list().unwrap_or_default().to_vec();
        if let Some(on_step) = on_step
            && !late.is_empty()
        {
            self.executor.start(async move {
                round().await;
                late.iter().for_each(|step| on_step(RunStep::from_value(step)));
            });
        }
        Ok(reply.get("returns").clone())
    }

    /// The last answer stays where it repeats.
    fn next_reply(&self, name: &str) -> Option<Value> {
        let mut scripts = self.scripts.borrow_mut();
        let replies = scripts.get_mut(name)?;
        match replies.len() == 1 && replies[0].get("repeat") == &Value::Bool(true) {
            true => replies.front().cloned(),
            false => replies.pop_front(),
        }
    }
}

fn with_returns(reply: &mut Value, change: impl FnOnce(&mut Value)) {
    let mut value = reply.get("returns").clone();
    if value.as_map().is_some() {
        change(&mut value);
        put(reply, "returns", value);
    }
}

/// Whether a list of the vector names the n-th call.
fn is_named(list: &Value, count: usize) -> bool {
    let list = list.as_list().unwrap_or_default();
    list.contains(&Value::Number(count as f64))
}

pub fn fault(callback: &'static str, info: ErrorInfo) -> Error {
    Error::from(Fault { callback, info, cause: None })
}

fn scripted(callback: &'static str) -> Error {
    let info = ErrorInfo::message(&format!("scripted fault of {callback}"));
    let codes = vec!["SCRIPTED".to_owned()];
    fault(callback, ErrorInfo { codes, ..info })
}
