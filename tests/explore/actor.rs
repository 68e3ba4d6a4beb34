//! Actors: a process that carries out a list of operations of the real engine, one after the other.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Waker};

use agent_turn::conversation::{DecisionFields, DenyReason, MessagePatch, NewMessage, Patch, Uid};
use agent_turn::engine::{Edit, Engine, NewDecision, NewText};
use agent_turn::error::Error;
use agent_turn::host::{Host, Query};
use agent_turn::reply;
use agent_turn::settings::Settings;
use agent_turn::status::{RuleSet, Status};
use agent_turn::value::Value;

use super::host::{TapeHost, owner};
use super::tape::{Call, Effect, Reply, Tape, Told, Word};
use super::world::Rows;

/// One operation of the engine, or of something planted beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    /// `runNext`.
    Consume,
    /// `sendMessage` with a client id.
    Send(&'static str, &'static str),
    /// `editMessage` of message 0, as the client saw it: content, and how many messages there were.
    Edit(&'static str, &'static str, usize),
    /// `recordDecision`.
    Approve(&'static str),
    /// `recordDecision` of a denial with a text of the person.
    Deny(&'static str, &'static str),
    /// `recordInput`.
    Answer(&'static str),
    Retry,
    End,
    Reconcile,
    Cleanup,
    /// `poll` behind so many messages.
    Poll(usize),
    /// Planted: a worker that, whatever it finds, calls `approve` again for a decision that is being carried out.
    ApproveAgain,
    /// Planted: a retry that does not look whether a consumer is at work.
    RetryAnyway,
    /// Planted: a message that is stored without a look at its client id.
    SendBlindly,
    /// Planted: a request that is accepted before anything is written.
    AcceptAnyway,
    /// Planted: a worker that withdraws whatever run the row names.
    WithdrawAnyway,
    /// Planted: a request that drops a recorded decision.
    ForgetDecision,
    /// Planted: a consumer that claims what was queued last.
    ConsumeLast,
    /// Planted: a message that is stored however many conversations are active.
    SendBeyond,
    /// Planted: a cleanup that counts what it found, not what it wrote.
    CountFound,
}

/// How the hosts and the settings of a scenario are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Setup {
    /// Whether a call aside is a step of its own: only where it may fail.
    pub asides: bool,
    /// The conversation that the requests of an actor are about; consumers and cleanup look at all.
    pub home: u8,
    /// `maxActivePerOwner`.
    pub limit: u8,
    /// `deleteAfterDays`.
    pub days: f64,
    /// Whether every process draws the same uuids.
    pub collides: bool,
    /// Rule S7.
    pub rule_set: RuleSet,
}

/// Where an actor stands after its answers.
#[derive(Debug)]
pub struct Standing {
    /// `None`: all its operations have ended.
    pub call: Option<Call>,
    /// The operation it is at, or was at last.
    pub op: usize,
    pub effects: Vec<Effect>,
}

/// Executes an actor from the start with these answers.
pub fn stand(actor: u8, ops: &[Op], answers: Vec<(Reply, u32)>, rows: &Rc<RefCell<Rows>>, setup: Setup) -> Standing {
    let tape = Rc::new(Tape::new(actor, answers, rows, setup));
    let at = RefCell::new(0);
    let future = async {
        for (index, op) in ops.iter().enumerate() {
            *at.borrow_mut() = index;
            tape.begin();
            let told = perform(*op, &tape, setup).await;
            tape.tell(told.unwrap_or_else(|error| Told::Broken(error.code())));
        }
    };
    let mut context = Context::from_waker(Waker::noop());
    // One poll: a tape answers at once, and the first call beyond its end stays pending for ever.
    let ended = pin!(future).poll(&mut context).is_ready();
    let call = tape.pending.borrow_mut().take();
    assert_eq!(ended, call.is_none(), "an operation waits for something that is no call of the host");
    Standing {
        call,
        op: at.into_inner(),
        effects: tape.effects.take(),
    }
}

async fn perform(op: Op, tape: &Rc<Tape>, setup: Setup) -> Result<Told, Error> {
    let host = TapeHost(Rc::clone(tape));
    let engine = Engine::new(host.clone(), settings(setup));
    let uid = Uid::from(f64::from(setup.home) + 1.0);
    let actor = owner();
    let answered = |reply: reply::Reply<Status>| match reply {
        Ok(_) => Told::Accepted,
        Err(refusal) => Told::Refused(refusal.parts().1),
    };
    Ok(match op {
        Op::Consume => match engine.run_next("worker").await? {
            Some(report) => Told::Other(format!("{} {:?} {}", report.outcome.name(), report.status, report.error_code)),
            None => Told::Other("nothing to do".to_owned()),
        },
        Op::Send(content, client_id) => {
            let text = NewText {
                content: content.to_owned(),
                client_id: client_id.to_owned(),
                files: Vec::new(),
                view_context: None,
            };
            answered(engine.send_message(&uid, &actor, text).await?)
        }
        Op::Edit(content, seen, count) => {
            let edit = Edit {
                index: 0.0,
                content: content.to_owned(),
                expected_content: seen.to_owned(),
                message_count: count as f64,
            };
            answered(engine.edit_message(&uid, &actor, edit).await?)
        }
        Op::Approve(digest) => answered(engine.record_decision(&uid, &actor, decision(true, digest, "")).await?),
        Op::Deny(digest, display) => answered(engine.record_decision(&uid, &actor, decision(false, digest, display)).await?),
        Op::Answer(digest) => {
            let answer = Value::map([("choice", "news".into())]);
            answered(engine.record_input(&uid, &actor, &answer, digest).await?)
        }
        Op::Retry => answered(engine.retry(&uid, &actor).await?),
        Op::End => answered(engine.end_process(&uid, &actor).await?),
        Op::Reconcile => Told::Other(format!("reconciled: {}", engine.reconcile(&uid).await?)),
        Op::Cleanup => {
            tape.call(Call::Begin).await; // it reads the clock first
            let cleaned = engine.cleanup().await?;
            Told::Cleaned(cleaned.timed_out, tape.timed_out.get())
        }
        Op::Poll(after) => match engine.poll(&uid, &actor, after).await? {
            Ok(polled) => Told::Other(format!("polled {:?}", polled.stored.conversation.status)),
            Err(refusal) => Told::Refused(refusal.parts().1),
        },
        Op::ApproveAgain => approve_again(&host, &uid).await?,
        Op::WithdrawAnyway => {
            if let Some(stored) = host.load(&uid).await? {
                host.cancel_if_waiting(&actor, &stored.conversation.run_uuid).await;
            }
            Told::Other("withdrawn".to_owned())
        }
        Op::SendBlindly | Op::SendBeyond => send_blindly(&host, &uid).await?,
        Op::AcceptAnyway => {
            host.load(&uid).await?;
            Told::Accepted
        }
        Op::RetryAnyway => rewrite(&host, &uid, |_| true).await?,
        Op::ConsumeLast => consume_last(&host).await?,
        Op::CountFound => count_found(&engine, &host, tape).await?,
        Op::ForgetDecision => rewrite(&host, &uid, |status| status == Status::Processing).await?,
    })
}

async fn approve_again(host: &TapeHost, uid: &Uid) -> Result<Told, Error> {
    let Some(stored) = host.load(uid).await? else {
        return Ok(Told::Other("gone".to_owned()));
    };
    let row = stored.conversation;
    if row.status == Status::Locked && row.decision.is_recorded() {
        let _ = host.word(&row.run_uuid, Word::Approved, &row.decision.turn_digest, Rc::new(|_| ())).await;
    }
    Ok(Told::Other("approved again".to_owned()))
}

async fn send_blindly(host: &TapeHost, uid: &Uid) -> Result<Told, Error> {
    let Some(stored) = host.load(uid).await? else {
        return Ok(Told::Other("gone".to_owned()));
    };
    let patch = Patch {
        messages: Some(MessagePatch {
            keep: stored.count(),
            append: vec![NewMessage::new("user", "Hi.").with("clientId", "c1")],
        }),
        status: Some(Status::Processing),
        updated_at: Some(0.0),
        ..Patch::default()
    };
    host.swap(&stored, &patch).await?;
    Ok(Told::Other("sent".to_owned()))
}

async fn consume_last(host: &TapeHost) -> Result<Told, Error> {
    let queue = Query {
        statuses: vec![Status::Processing],
        limit: 20,
        ..Query::default()
    };
    if let Some(uid) = host.find(&queue).await?.last()
        && let Some(stored) = host.load(uid).await?
    {
        let claim = Patch {
            status: Some(Status::Locked),
            claim_id: Some(host.uuid()?),
            updated_at: Some(host.now()? / 1000.0),
            ..Patch::default()
        };
        host.swap(&stored, &claim).await?;
    }
    Ok(Told::Other("claimed the last".to_owned()))
}

async fn count_found(engine: &Engine<TapeHost>, host: &TapeHost, tape: &Tape) -> Result<Told, Error> {
    let stuck = Query {
        statuses: vec![Status::Locked],
        updated_before: Some(host.now()? / 1000.0 - 300.0),
        limit: 20,
        ..Query::default()
    };
    let found = host.find(&stuck).await?.len() as u32;
    engine.cleanup().await?;
    Ok(Told::Cleaned(found, tape.timed_out.get()))
}

async fn rewrite(host: &TapeHost, uid: &Uid, when: impl Fn(Status) -> bool) -> Result<Told, Error> {
    let Some(stored) = host.load(uid).await? else {
        return Ok(Told::Other("gone".to_owned()));
    };
    let patch = Patch {
        status: Some(Status::Processing),
        claim_id: Some(String::new()),
        run_uuid: Some(String::new()),
        decision: Some(DecisionFields::default()),
        updated_at: Some(0.0),
        ..Patch::default()
    };
    if when(stored.conversation.status) {
        host.swap(&stored, &patch).await?;
    }
    Ok(Told::Other("rewritten".to_owned()))
}

fn decision(approve: bool, digest: &str, display: &str) -> NewDecision {
    NewDecision {
        approve,
        turn_digest: digest.to_owned(),
        deny_reason: DenyReason::None,
        display: display.to_owned(),
    }
}

/// The defaults of the rules, but for what would only add calls: a limit of active conversations is asked about only where a scenario is about it.
fn settings(setup: Setup) -> Settings {
    let settings = Value::map([
        ("taskUid", Value::Number(1.0)),
        ("extensionKey", "explorer".into()),
        ("maxActivePerOwner", Value::Number(f64::from(setup.limit))),
        ("deleteAfterDays", Value::Number(setup.days)),
        (
            "ruleSet",
            match setup.rule_set {
                RuleSet::Current => "current".into(),
                RuleSet::WithoutPauses => "withoutPauses".into(),
            },
        ),
    ]);
    Settings::from_value(&settings).expect("settings as the contract describes them")
}
