//! Plays the steps of a scenario and judges what became of it.

use std::pin::Pin;
use std::rc::Rc;

use agent_turn::engine::Engine;
use agent_turn::error::Error;
use agent_turn::settings::Settings;
use agent_turn::value::Value;

use super::calls;
use super::host::ScriptedHost;
use super::values::{argument, mismatch, put};
use super::world::World;

type Outcome = Result<Value, Error>;

/// An engine over the world of one scenario.
#[derive(Clone)]
struct Player {
    engine: Engine<ScriptedHost>,
    world: Rc<World>,
}

/// Plays one scenario; what is wrong with it.
pub fn play(vector: &Value) -> Result<(), String> {
    let world = Rc::new(World::new(vector));
    let mut settings = Value::map([("taskUid", Value::Number(5.0)), ("extensionKey", "demo_chat".into())]);
    for (key, value) in vector.get("settings").as_map().unwrap_or_default() {
        put(&mut settings, key, value.clone());
    }
    let settings = Settings::from_value(&settings).map_err(|error| error.to_string())?;
    let player = Player {
        engine: Engine::new(ScriptedHost(Rc::clone(&world)), settings),
        world: Rc::clone(&world),
    };
    let nested = player.clone();
    *world.play.borrow_mut() = Some(Rc::new(move |step| nested.clone().step(step)));
    let steps = vector.get("steps").as_list().unwrap_or_default().to_vec();
    let ended = world.executor.run(player.all(steps));
    // Every engine holds the world, and this holds an engine.
    world.play.take();
    ended.unwrap_or_else(|| Err("no answer".to_owned()))?;
    let then = vector.get("then");
    rows(&world, then)?;
    counts(&world, then)?;
    calls_made(&world, then)
}

impl Player {
    async fn all(self, steps: Vec<Value>) -> Result<(), String> {
        for (at, step) in steps.into_iter().enumerate() {
            let played = self.clone().step(step).await;
            let failure = self.world.failure.take();
            let played = failure.map_or(played, Err);
            played.map_err(|problem| format!("step {}: {problem}", at + 1))?;
        }
        self.world.executor.settle().await; // what is reported late
        Ok(())
    }

    /// Steps play steps: `during` is played inside a call.
    fn step(self, step: Value) -> Pin<Box<dyn Future<Output = Result<(), String>>>> {
        Box::pin(async move {
            let world = &self.world;
            if let Some(seconds) = step.get("advance").as_number() {
                world.now.set(world.now.get() + seconds);
            } else if let Some(names) = step.get("fail").as_list() {
                *world.failing.borrow_mut() = names.iter().map(Value::text_or_empty).collect();
            } else if step.has("abandon") {
                let call = self.call(step.get("abandon"));
                world.executor.start(async move { drop(call.await) });
                world.executor.settle().await;
            } else if step.has("store") {
                return self.store(step.get("store"));
            } else if let Some(calls) = step.get("parallel").as_list() {
                let calls = calls.iter().map(|call| self.call(call)).collect();
                return judge_all(world.executor.all(calls).await, &step);
            } else {
                return judge(self.call(&step).await, &step);
            }
            Ok(())
        })
    }

    fn call(&self, call: &Value) -> Pin<Box<dyn Future<Output = Outcome>>> {
        let args: Vec<Value> = call.get("args").as_list().unwrap_or_default().iter().map(argument).collect();
        let method = call.get("call").text_or_empty();
        let engine = self.engine.clone();
        Box::pin(async move { calls::call(&engine, &method, &args).await })
    }

    fn store(&self, store: &Value) -> Result<(), String> {
        let is_quiet = store.get("quiet") == &Value::Bool(true);
        let is_there = self.world.change(store.get("uid"), |row| {
            for (key, value) in store.get("set").as_map().unwrap_or_default() {
                put(row, key, value.clone());
            }
            if !is_quiet {
                let revision = row.get("revision").as_number().unwrap_or_default();
                put(row, "revision", Value::Number(revision + 1.0));
            }
        });
        is_there.then_some(()).ok_or_else(|| format!("there is no conversation {:?}", store.get("uid")))
    }
}

fn judge(outcome: Outcome, step: &Value) -> Result<(), String> {
    let expected = step.get("throws");
    match outcome {
        Ok(value) if !expected.is_null() => Err(format!("expected a throw, got {value:?}")),
        Ok(value) if step.has("expect") => mismatch(step.get("expect"), &value, "$"),
        Ok(_) => Ok(()),
        Err(error) if expected.is_null() => Err(format!("threw {}: {error}", error.code())),
        Err(error) => {
            let (code, message) = (Value::Text(error.code()), Value::Text(error.to_string()));
            let thrown = Value::map([("code", code), ("message", message), ("name", "AgentTurnError".into())]);
            mismatch(expected, &thrown, "$")
        }
    }
}

fn judge_all(outcomes: Vec<Outcome>, step: &Value) -> Result<(), String> {
    let failed = outcomes.iter().find_map(|outcome| outcome.as_ref().err());
    if let Some(error) = failed.filter(|_| step.get("mayThrow") != &Value::Bool(true)) {
        return Err(format!("threw {}: {error}", error.code()));
    }
    if step.get("expect").is_null() {
        return Ok(());
    }
    let values = outcomes.into_iter().map(Result::unwrap_or_default).collect();
    mismatch(step.get("expect"), &Value::List(values), "$")
}

fn rows(world: &World, then: &Value) -> Result<(), String> {
    for expected in then.get("conversations").as_list().unwrap_or_default() {
        let uid = match expected.get("uid") {
            Value::Null => &Value::Number(1.0),
            uid => uid,
        };
        let is_gone = expected.get("$gone") == &Value::Bool(true);
        match world.row(uid) {
            Some(row) if !is_gone => mismatch(expected, &row, &format!("conversation {uid:?}"))?,
            Some(_) => return Err(format!("conversation {uid:?} is still there")),
            None if is_gone => {}
            None => return Err(format!("conversation {uid:?} is gone")),
        }
    }
    Ok(())
}

fn counts(world: &World, then: &Value) -> Result<(), String> {
    for (callback, wanted) in then.get("counts").as_map().unwrap_or_default() {
        let count = world.counts.borrow().get(callback.as_str()).copied().unwrap_or_default();
        if Some(count as f64) != wanted.as_number() {
            return Err(format!("{callback} was called {count} times, expected {wanted:?}"));
        }
    }
    Ok(())
}

/// The calls occur in this order; others may stand between.
fn calls_made(world: &World, then: &Value) -> Result<(), String> {
    let calls = world.calls.borrow();
    let mut left = calls.iter();
    for expected in then.get("calls").as_list().unwrap_or_default() {
        let mut problem = None;
        let callback = expected.get("fn").text_or_empty();
        let is_it = |(made, args): &&(&str, Value)| {
            let wanted = expected.get("args").as_list();
            let args: Vec<Value> = args
                .as_list()
                .unwrap_or_default()
                .iter()
                .take(wanted.map_or(0, <[Value]>::len))
                .cloned()
                .collect();
            *made == callback && {
                let matched = wanted.map_or(Ok(()), |_| mismatch(expected.get("args"), &Value::List(args), &callback));
                matched.map_err(|why| problem.get_or_insert(why).clone()).is_ok()
            }
        };
        if left.find(is_it).is_none() {
            return Err(problem.unwrap_or_else(|| format!("{callback} was not called")));
        }
    }
    Ok(())
}
