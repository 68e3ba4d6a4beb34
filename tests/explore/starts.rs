//! Where scenarios begin: stored rows with their runs, and the programs that runs follow.

use agent_turn::conversation::{Conversation, Decision, DecisionFields, Uid};
use agent_turn::plain::PlainMessages;
use agent_turn::run::Pause;
use agent_turn::status::Status;
use agent_turn::value::Value;

use super::world::{BEGIN, Row, Run, Stand, Step, decision};

pub const TALK: &[Step] = &[Step::Think, Step::Answer];
pub const PLAIN: &[Step] = &[Step::Answer];
pub const ONE_WRITE: &[Step] = &[Step::Card("d1"), Step::Write, Step::Answer];
pub const TWO_WRITES: &[Step] = &[Step::Card("d1"), Step::Write, Step::Card("d2"), Step::Write, Step::Answer];
pub const BOUNCE: &[Step] = &[Step::Card("d1"), Step::Card("d1"), Step::Write, Step::Answer];
pub const WRITE_AND_FAIL: &[Step] = &[Step::Card("d1"), Step::Write, Step::Fail];
pub const ONE_QUESTION: &[Step] = &[Step::Question("q1"), Step::Answer];
pub const QUESTION_THEN_CARD: &[Step] = &[Step::Question("q1"), Step::Card("d1"), Step::Write, Step::Answer];

/// Every program of a run.
pub const PROGRAMS: &[&[Step]] = &[PLAIN, TALK, ONE_WRITE, TWO_WRITES, BOUNCE, WRITE_AND_FAIL, ONE_QUESTION, QUESTION_THEN_CARD];

fn row(status: Status, messages: &[Value]) -> Row {
    Row {
        conversation: Conversation {
            uid: Uid::from(1.0),
            owner: Uid::from(7.0),
            title: "A conversation".to_owned(),
            status,
            revision: 3.0,
            claim_id: String::new(),
            error_message: String::new(),
            error_code: String::new(),
            run_uuid: String::new(),
            last_run_uuid: String::new(),
            decision: DecisionFields::default(),
            system_prompt: String::new(),
            activity: Vec::new(),
            archived: false,
            pinned: false,
            updated_at: f64::from(BEGIN),
        },
        messages: PlainMessages(messages.to_vec()),
        turn: 1,
        decided: 0,
        line: 0,
    }
}

fn said(role: &str, content: &str) -> Value {
    Value::map([("role", role.into()), ("content", content.into()), ("x_host", "of the host's own".into())])
}

pub fn idle() -> (Row, Vec<Run>) {
    (row(Status::Idle, &[said("user", "Hello."), said("assistant", "Hello!")]), Vec::new())
}

pub fn queued() -> (Row, Vec<Run>) {
    (row(Status::Processing, &[said("user", "Please change it.")]), Vec::new())
}

/// Waiting on run `u0` at the first step of its program.
pub fn waiting(pause: Pause, program: &'static [Step]) -> (Row, Vec<Run>) {
    waiting_on("u0", pause, program)
}

pub fn waiting_on(uuid: &str, pause: Pause, program: &'static [Step]) -> (Row, Vec<Run>) {
    let (status, stand) = match (pause, program[0]) {
        (Pause::Approval, Step::Card(digest)) => (Status::AwaitingApproval, Stand::AtCard(digest)),
        (Pause::Input, Step::Question(digest)) => (Status::AwaitingInput, Stand::AtQuestion(digest)),
        _ => panic!("the program begins with another pause"),
    };
    let beside = Run::result(uuid, 0, stand).steps[0].content.clone();
    let mut row = row(status, &[said("user", "Please change it."), said("assistant", &beside)]);
    row.conversation.run_uuid = uuid.to_owned();
    row.conversation.last_run_uuid = uuid.to_owned();
    let run = Run {
        uuid: uuid.into(),
        program,
        at: 0,
        stand,
        ends: vec![stand],
        thought: 0,
        approved: false,
        approvals: 0,
        writes: 0,
        of: 0,
        turn: 1,
        listener: None,
        is_stray: false,
        is_given_up: false,
        is_doubted: false,
    };
    (row, vec![run])
}

/// The same with a decision recorded.
pub fn decided(decision: Decision, digest: &str, program: &'static [Step]) -> (Row, Vec<Run>) {
    decided_on("u0", decision, digest, program)
}

pub fn decided_on(uuid: &str, word: Decision, digest: &str, program: &'static [Step]) -> (Row, Vec<Run>) {
    let (mut row, runs) = waiting_on(uuid, Pause::Approval, program);
    row.conversation.status = Status::Processing;
    row.conversation.decision = DecisionFields {
        decision: word,
        decided_by: Some(Uid::from(7.0)),
        turn_digest: digest.to_owned(),
        ..DecisionFields::default()
    };
    row.decided = decision(&row.conversation);
    if word == Decision::Deny {
        let line = said("user", "No, the other one.");
        let mut fields = line.as_map().unwrap_or_default().to_vec();
        fields.push(("decisionLine".to_owned(), digest.into()));
        row.messages.0.push(Value::Map(fields));
        row.line = row.decided;
    }
    (row, runs)
}

pub fn card() -> (Row, Vec<Run>) {
    waiting(Pause::Approval, ONE_WRITE)
}

pub fn question() -> (Row, Vec<Run>) {
    waiting(Pause::Input, ONE_QUESTION)
}

/// A turn that cleanup has failed while its run lives on.
pub fn given_up() -> (Row, Vec<Run>) {
    let (mut row, mut runs) = waiting(Pause::Approval, ONE_WRITE);
    row.conversation = Conversation {
        status: Status::Failed,
        error_code: "timedOut".to_owned(),
        error_message: "The turn gave no sign of life for too long.".to_owned(),
        run_uuid: String::new(),
        ..row.conversation
    };
    row.messages.0.truncate(1);
    let run = &mut runs[0];
    run.stand = Stand::Running;
    run.ends.clear();
    (row, runs)
}

/// Locked by a consumer that is gone, its run still at work; `u0` or another.
pub fn orphaned(uuid: &str) -> (Row, Vec<Run>) {
    let (mut row, mut runs) = waiting_on(uuid, Pause::Approval, ONE_WRITE);
    row.conversation.status = Status::Locked;
    row.conversation.claim_id = format!("dead-{uuid}");
    row.conversation.run_uuid = String::new();
    row.messages.0.truncate(1);
    runs[0].stand = Stand::Running;
    runs[0].ends.clear();
    (row, runs)
}

/// A stored row with its runs.
type Start = fn() -> (Row, Vec<Run>);

/// Every state in which a scenario begins, by its name.
pub const STARTS: &[(&str, Start)] = &[
    ("idle", idle),
    ("queued", queued),
    ("card", card),
    ("question", question),
    ("two cards", || waiting(Pause::Approval, TWO_WRITES)),
    ("question, then card", || waiting(Pause::Input, QUESTION_THEN_CARD)),
    ("approved", || decided(Decision::Approve, "d1", ONE_WRITE)),
    ("denied", || decided(Decision::Deny, "d1", TWO_WRITES)),
    ("denied, stale", || decided(Decision::Deny, "d0", ONE_WRITE)),
    ("given up", given_up),
];
