//! A call of a vector as the engine takes it, and its answer in the words of the contract: the native counterpart of `wasm/engine.rs`.

use agent_turn::conversation::{DenyReason, FileReference, Uid};
use agent_turn::engine::{Edit, Engine, NewConversation, NewDecision, NewText, Polled, Report};
use agent_turn::error::Error;
use agent_turn::reply::Reply;
use agent_turn::run::Actor;
use agent_turn::status::Status;
use agent_turn::value::Value;

use super::host::ScriptedHost;
use super::row::Row;
use super::values::put;

const NULL: &Value = &Value::Null;

/// Calls a method of the engine. Arguments that Rust could not be given end the scenario: what becomes of them is the boundary's (rule N6).
pub async fn call(engine: &Engine<ScriptedHost>, method: &str, args: &[Value]) -> Result<Value, Error> {
    let arg = |at: usize| args.get(at).unwrap_or(NULL);
    let uid = || Uid::from_value(arg(0)).expect("a uid");
    let actor = |at: usize| Actor::from_value(arg(at)).expect("an actor");
    match method {
        "createConversation" => {
            let input = arg(1);
            let new = NewConversation {
                title: text(input, "title"),
                system_prompt: text(input, "systemPrompt"),
                view_context: input.get("viewContext").clone(),
            };
            let reply = engine.create_conversation(&actor(0), new).await?;
            Ok(replied(reply.map(|uid| ("uid", uid.value().clone()))))
        }
        "sendMessage" => {
            let input = arg(2);
            let files = input.get("files").as_list().unwrap_or_default().iter();
            let new = NewText {
                content: input.get("content").as_text().expect("a content").to_owned(),
                client_id: text(input, "clientId"),
                files: files.map(|file| FileReference::from_value(file).expect("a file").storable()).collect(),
                view_context: input.has("viewContext").then(|| input.get("viewContext").clone()),
            };
            engine.send_message(&uid(), &actor(1), new).await.map(status)
        }
        "editMessage" => {
            let input = arg(3);
            let edit = Edit {
                index: arg(2).as_safe_integer().expect("an index"),
                content: input.get("content").as_text().expect("a content").to_owned(),
                expected_content: input.get("expectedContent").as_text().expect("the expected content").to_owned(),
                message_count: input.get("messageCount").as_safe_integer().expect("a count"),
            };
            engine.edit_message(&uid(), &actor(1), edit).await.map(status)
        }
        "recordDecision" => {
            let input = arg(2);
            let new = NewDecision {
                approve: input.get("approve").as_bool().expect("true or false"),
                turn_digest: digest(input),
                deny_reason: DenyReason::parse(&text(input, "denyReason")).expect("a reason"),
                display: text(input, "display"),
            };
            engine.record_decision(&uid(), &actor(1), new).await.map(status)
        }
        "recordInput" => {
            let answer = arg(2);
            engine.record_input(&uid(), &actor(1), answer, &digest(answer)).await.map(status)
        }
        "retry" => engine.retry(&uid(), &actor(1)).await.map(status),
        "endProcess" => engine.end_process(&uid(), &actor(1)).await.map(status),
        "poll" => {
            let after = match arg(2) {
                Value::Null => 0.0,
                after => after.as_safe_integer().expect("a number of messages"),
            };
            let polled = engine.poll(&uid(), &actor(1), after as usize).await?;
            Ok(match polled {
                Ok(polled) => polled_value(&polled),
                Err(refusal) => replied(Err(refusal)),
            })
        }
        "claim" => Ok(engine.claim(&uid()).await?.map_or(Value::Null, Value::Text)),
        "processConversation" | "resumeConversation" => {
            let claim_id = arg(1).as_text().map(str::to_owned);
            let report = engine.process_conversation(&uid(), claim_id, method == "resumeConversation").await?;
            Ok(report_value(&report))
        }
        "runNext" => {
            let report = engine.run_next(&arg(0).text_or_empty()).await?;
            Ok(report.as_ref().map_or(Value::Null, report_value))
        }
        "reconcile" => engine.reconcile(&uid()).await.map(Value::Bool),
        "cleanup" => {
            let cleaned = engine.cleanup().await?;
            Ok(Value::map([
                ("timedOut", f64::from(cleaned.timed_out).into()),
                ("archived", f64::from(cleaned.archived).into()),
                ("removed", f64::from(cleaned.removed).into()),
            ]))
        }
        other => panic!("no method {other}"),
    }
}

/// An optional text.
fn text(input: &Value, key: &str) -> String {
    match input.get(key) {
        Value::Null => String::new(),
        value => value.as_text().expect(key).to_owned(),
    }
}

fn digest(input: &Value) -> String {
    let digest = input.get("turnDigest").as_text().filter(|digest| !digest.is_empty());
    digest.expect("a digest").to_owned()
}

fn replied(reply: Reply<(&'static str, Value)>) -> Value {
    match reply {
        Ok(field) => Value::map([("ok", true.into()), field]),
        Err(refusal) => {
            let (status, code) = refusal.parts();
            Value::map([("ok", false.into()), ("httpStatus", f64::from(status).into()), ("code", code.into())])
        }
    }
}

fn status(reply: Reply<Status>) -> Value {
    replied(reply.map(|status| ("status", status.name().into())))
}

fn polled_value(polled: &Polled<Row>) -> Value {
    let row = &polled.stored.row;
    let fields = row.fields.as_map().unwrap().iter().filter(|(key, _)| key != "messageCount");
    let mut shown = Value::Map(fields.cloned().collect());
    put(&mut shown, "claimId", "".into());
    if !polled.shows_message {
        put(&mut shown, "errorMessage", "".into());
    }
    Value::map([
        ("ok", true.into()),
        ("conversation", shown),
        ("messages", Value::List(row.messages.0[polled.from..].to_vec())),
        ("messageCount", (polled.stored.count() as f64).into()),
        ("truncated", polled.truncated.into()),
        ("view", polled.view.to_value()),
    ])
}

fn report_value(report: &Report<Value>) -> Value {
    let mut value = Value::map([
        ("outcome", report.outcome.name().into()),
        ("uid", report.uid.value().clone()),
        ("status", report.status.map_or(Value::Null, |status| status.name().into())),
        ("errorCode", report.error_code.as_str().into()),
        ("runUuid", report.run_uuid.as_str().into()),
    ]);
    if let Some(result) = &report.result {
        put(&mut value, "result", result.clone());
    }
    value
}
