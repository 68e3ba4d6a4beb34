//! The scenarios: who acts at once, from which state, and what may go wrong.

use agent_turn::conversation::{Conversation, Decision, DecisionFields, Uid};
use agent_turn::plain::PlainMessages;
use agent_turn::run::Pause;
use agent_turn::status::{RuleSet, Status};
use agent_turn::value::Value;

use super::actor::Op::{self, Answer, Approve, Cleanup, Consume, Deny, Edit, End, Poll, Reconcile, Retry, Send};
use super::actor::Setup;
use super::explorer::Scenario;
use super::planted::Bug;
use super::world::{BEGIN, Row, Run, Stand, Step, decision};

const TALK: &[Step] = &[Step::Think, Step::Answer];
const PLAIN: &[Step] = &[Step::Answer];
const ONE_WRITE: &[Step] = &[Step::Card("d1"), Step::Write, Step::Answer];
const TWO_WRITES: &[Step] = &[Step::Card("d1"), Step::Write, Step::Card("d2"), Step::Write, Step::Answer];
const BOUNCE: &[Step] = &[Step::Card("d1"), Step::Card("d1"), Step::Write, Step::Answer];
const WRITE_AND_FAIL: &[Step] = &[Step::Card("d1"), Step::Write, Step::Fail];
const ONE_QUESTION: &[Step] = &[Step::Question("q1"), Step::Answer];
const QUESTION_THEN_CARD: &[Step] = &[Step::Question("q1"), Step::Card("d1"), Step::Write, Step::Answer];

/// Past the grace period of rule K1.
const GRACE: i32 = 46;
/// Past the time after which a turn counts as stuck (rule G1).
const STUCK: i32 = 301;
/// Past the time for which a run that says "running" is believed (rule R2b).
const ABANDONED: i32 = 3601;

/// How much may go wrong: in `cargo test`, and with `EXPLORE=full`.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub crashes: u8,
    pub faults: u8,
}

impl Scenario {
    fn new(name: &'static str, (row, runs): (Row, Vec<Run>), programs: &[&'static [Step]], actors: &[&[Op]]) -> Scenario {
        Scenario {
            name,
            rows: vec![row],
            runs,
            homes: Vec::new(),
            unreadable: None,
            actors: actors.iter().map(|ops| ops.to_vec()).collect(),
            programs: programs.to_vec(),
            leaps: Vec::new(),
            crashes: 0,
            faults: 0,
            elsewhere: 0,
            keeps_results: true,
            setup: Setup::default(),
            delays: false,
            revives: false,
            is_wide: false,
            bug: None,
        }
    }

    fn leaps(mut self, leaps: &[i32]) -> Scenario {
        self.leaps = leaps.to_vec();
        self
    }

    fn elsewhere(mut self) -> Scenario {
        self.elsewhere = 1;
        self
    }

    fn forgets_results(mut self) -> Scenario {
        self.keeps_results = false;
        self
    }

    fn wide(mut self) -> Scenario {
        self.is_wide = true;
        self
    }

    /// Swaps may arrive late, or twice.
    fn delays(mut self) -> Scenario {
        self.delays = true;
        self
    }

    /// A cancelled run may end with an answer all the same.
    fn revives(mut self) -> Scenario {
        self.revives = true;
        self
    }

    /// Every process draws the same uuids.
    fn collides(mut self) -> Scenario {
        self.setup.collides = true;
        self
    }

    /// Another conversation of the same owner, which has waited for so many seconds longer.
    fn beside(mut self, (mut row, runs): (Row, Vec<Run>), longer: u32) -> Scenario {
        let of = self.rows.len() as u8;
        row.conversation.uid = Uid::from(f64::from(of) + 1.0);
        row.conversation.updated_at -= f64::from(longer);
        let begun = decision(&row.conversation);
        for decided in [&mut row.decided, &mut row.line] {
            *decided = if *decided == 0 { 0 } else { begun };
        }
        self.rows.push(row);
        self.runs.extend(runs.into_iter().map(|run| Run { of, ..run }));
        self
    }

    /// Which conversation the requests of each actor are about.
    fn homes(mut self, homes: &[u8]) -> Scenario {
        self.homes = homes.to_vec();
        self
    }

    /// Nobody can load the first conversation.
    fn unreadable(mut self) -> Scenario {
        self.unreadable = Some(0);
        self
    }

    /// `maxActivePerOwner` is 1.
    fn limited(mut self) -> Scenario {
        self.setup.limit = 1;
        self
    }

    fn without_pauses(mut self) -> Scenario {
        self.setup.rule_set = RuleSet::WithoutPauses;
        self
    }

    fn removes(mut self) -> Scenario {
        self.setup.days = 1.0;
        let row = &mut self.rows[0].conversation;
        row.archived = true;
        row.updated_at = f64::from(BEGIN - 100_000);
        self
    }

    /// The same with a planted bug, and with other actors where it is one of them that is broken.
    pub fn planted(mut self, bug: Bug, actors: &[&[Op]]) -> Scenario {
        self.bug = Some(bug);
        if !actors.is_empty() {
            self.actors = actors.iter().map(|ops| ops.to_vec()).collect();
        }
        self
    }

    pub fn within(mut self, bounds: Bounds) -> Scenario {
        self.crashes = bounds.crashes;
        self.faults = bounds.faults;
        self.setup.asides = bounds.faults > 0;
        self
    }
}

// Where scenarios begin.

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

fn idle() -> (Row, Vec<Run>) {
    (row(Status::Idle, &[said("user", "Hello."), said("assistant", "Hello!")]), Vec::new())
}

fn queued() -> (Row, Vec<Run>) {
    (row(Status::Processing, &[said("user", "Please change it.")]), Vec::new())
}

/// Waiting on run `u0` at the first step of its program.
fn waiting(pause: Pause, program: &'static [Step]) -> (Row, Vec<Run>) {
    waiting_on("u0", pause, program)
}

fn waiting_on(uuid: &str, pause: Pause, program: &'static [Step]) -> (Row, Vec<Run>) {
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
fn decided(decision: Decision, digest: &str, program: &'static [Step]) -> (Row, Vec<Run>) {
    decided_on("u0", decision, digest, program)
}

fn decided_on(uuid: &str, word: Decision, digest: &str, program: &'static [Step]) -> (Row, Vec<Run>) {
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

fn card() -> (Row, Vec<Run>) {
    waiting(Pause::Approval, ONE_WRITE)
}

fn question() -> (Row, Vec<Run>) {
    waiting(Pause::Input, ONE_QUESTION)
}

const NEW: Op = Send("Something else.", "c1");
const NO: Op = Deny("d1", "No, the other one.");
const CHANGED: Op = Edit("Please change that.", "Please change it.", 2);

/// A turn that cleanup has failed while its run lives on.
fn given_up() -> (Row, Vec<Run>) {
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

/// The smallest that shows what happens while the runtime cannot be asked.
pub fn unreachable() -> Scenario {
    Scenario::new("the runtime cannot be asked", given_up(), &[PLAIN], &[&[Retry, Consume]])
}

/// Every program of a run.
pub const PROGRAMS: &[&[Step]] = &[PLAIN, TALK, ONE_WRITE, TWO_WRITES, BOUNCE, WRITE_AND_FAIL, ONE_QUESTION, QUESTION_THEN_CARD];

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

/// A scenario that somebody else drew.
pub fn drawn(start: (Row, Vec<Run>), programs: &[&'static [Step]], actors: &[Vec<Op>]) -> Scenario {
    let actors: Vec<&[Op]> = actors.iter().map(Vec::as_slice).collect();
    Scenario::new("drawn", start, programs, &actors)
}

/// The scenario of this name.
pub fn named(name: &str) -> Scenario {
    let all = all().into_iter().chain([unreachable()]);
    all.into_iter()
        .find(|scenario| scenario.name == name)
        .unwrap_or_else(|| panic!("no scenario {name:?}"))
}

/// Every scenario: three actors, misbehaving platforms, several conversations, then four actors.
pub fn all() -> Vec<Scenario> {
    let mut all = three_actors();
    all.extend(faulty_platforms());
    all.extend(several_conversations());
    all.extend(four_actors());
    all
}

fn three_actors() -> Vec<Scenario> {
    let new = Scenario::new;
    vec![
        new("two consumers claim one turn", queued(), &[TALK], &[&[Consume], &[Consume], &[Cleanup]]).leaps(&[STUCK]),
        new("decided twice at once", card(), &[PLAIN], &[&[Approve("d1")], &[NO], &[Consume]]),
        new("decide and send at once", card(), &[PLAIN], &[&[Approve("d1")], &[NEW], &[Consume, Consume]]),
        new(
            "decide while reconcile runs",
            card(),
            &[PLAIN],
            &[&[Approve("d1")], &[Reconcile, Reconcile], &[Consume]],
        )
        .leaps(&[GRACE])
        .elsewhere()
        .wide(),
        new(
            "answer and edit at once",
            question(),
            &[PLAIN],
            &[&[Answer("q1")], &[CHANGED], &[Consume, Consume]],
        ),
        new(
            "hand-back racing a new message",
            decided(Decision::Deny, "d0", ONE_WRITE),
            &[PLAIN],
            &[&[Consume, Consume], &[NEW], &[Poll(0)]],
        ),
        new("cleanup racing a settle", queued(), &[TALK], &[&[Consume], &[Cleanup], &[Poll(1)]]).leaps(&[STUCK]),
        new("cleanup racing a pause", queued(), &[ONE_WRITE], &[&[Consume], &[Cleanup], &[Approve("d1")]]).leaps(&[STUCK]),
        new("retry racing a slow consumer", queued(), &[PLAIN], &[&[Consume], &[Cleanup, Retry], &[Consume]])
            .leaps(&[STUCK])
            .wide(),
        new(
            "two tabs with one client id",
            idle(),
            &[PLAIN],
            &[&[Send("Hi.", "c1")], &[Send("Hi.", "c1")], &[Consume]],
        ),
        new(
            "an approved write, and the answer lost",
            decided(Decision::Approve, "d1", ONE_WRITE),
            &[PLAIN],
            &[&[Consume], &[Cleanup], &[Retry, Consume]],
        )
        .leaps(&[STUCK]),
        new(
            "the same with a runtime that keeps no results",
            decided(Decision::Approve, "d1", WRITE_AND_FAIL),
            &[PLAIN],
            &[&[Consume], &[Cleanup], &[Retry, Consume]],
        )
        .leaps(&[STUCK])
        .wide()
        .forgets_results(),
        new(
            "the end of a process racing an approval",
            card(),
            &[PLAIN],
            &[&[End], &[Approve("d1")], &[Consume]],
        ),
        new("removal racing a message", idle(), &[PLAIN], &[&[Cleanup], &[NEW], &[Consume]]).removes(),
        new(
            "a denial, a second card, a crash",
            waiting(Pause::Approval, TWO_WRITES),
            &[PLAIN],
            &[&[NO], &[Consume], &[Cleanup]],
        )
        .leaps(&[STUCK]),
        new(
            "go on at a card decided elsewhere",
            card(),
            &[PLAIN],
            &[&[Send("go on", "c1")], &[Reconcile], &[Approve("d1"), Consume]],
        )
        .elsewhere(),
        new(
            "the preview moved on",
            waiting(Pause::Approval, BOUNCE),
            &[PLAIN],
            &[&[Approve("d1"), Approve("d1")], &[Consume, Consume], &[Poll(2)]],
        ),
        new(
            "a question becomes a card elsewhere",
            waiting(Pause::Input, QUESTION_THEN_CARD),
            &[PLAIN],
            &[&[Answer("q1")], &[Reconcile], &[Consume]],
        )
        .leaps(&[GRACE])
        .elsewhere(),
        new("the clock jumps back", queued(), &[TALK], &[&[Consume], &[Cleanup], &[Retry]])
            .leaps(&[STUCK, -600])
            .wide(),
        new("a runtime that hangs", queued(), &[TALK], &[&[Consume], &[Cleanup], &[Retry]]).leaps(&[ABANDONED]),
        new(
            "a run that counts as dead comes back",
            queued(),
            &[ONE_WRITE],
            &[&[Consume], &[Cleanup, Retry], &[Consume]],
        )
        .leaps(&[ABANDONED])
        .wide(),
    ]
}

/// Platforms that misbehave: storage that answers late and twice, clocks that jump back, uuids that collide, runs that end after they were
/// cancelled, and the rule set without pauses.
fn faulty_platforms() -> Vec<Scenario> {
    let new = Scenario::new;
    vec![
        new("a swap arrives late: two consumers", queued(), &[PLAIN], &[&[Consume], &[Consume], &[Retry]]).delays(),
        new("a swap arrives late: a decision", card(), &[PLAIN], &[&[Approve("d1")], &[NO], &[Consume]]).delays(),
        new(
            "a swap arrives late: a message",
            idle(),
            &[PLAIN],
            &[&[Send("Hi.", "c1")], &[Send("Hi.", "c1")], &[Consume]],
        )
        .delays(),
        new(
            "the clock jumps back on an approval",
            decided(Decision::Approve, "d1", TWO_WRITES),
            &[PLAIN],
            &[&[Consume], &[Cleanup], &[Reconcile]],
        )
        .leaps(&[STUCK, -600]),
        new(
            "a run ends after it was cancelled: a new message",
            card(),
            &[PLAIN],
            &[&[NEW], &[Approve("d1")], &[Consume, Consume]],
        )
        .revives(),
        new(
            "a run ends after it was cancelled: the end of a process",
            card(),
            &[PLAIN],
            &[&[End], &[Approve("d1"), Consume], &[Reconcile]],
        )
        .leaps(&[GRACE])
        .revives(),
        new("uuids collide", queued(), &[TALK], &[&[Consume], &[Consume], &[Cleanup, Retry]])
            .leaps(&[STUCK])
            .collides()
            .wide(),
        new("without pauses", queued(), &[ONE_WRITE], &[&[Consume], &[Cleanup, Retry], &[NEW]])
            .leaps(&[ABANDONED])
            .without_pauses(),
    ]
}

/// Locked by a consumer that is gone, its run still at work; `u0` or another.
fn orphaned(uuid: &str) -> (Row, Vec<Run>) {
    let (mut row, mut runs) = waiting_on(uuid, Pause::Approval, ONE_WRITE);
    row.conversation.status = Status::Locked;
    row.conversation.claim_id = format!("dead-{uuid}");
    row.conversation.run_uuid = String::new();
    row.messages.0.truncate(1);
    runs[0].stand = Stand::Running;
    runs[0].ends.clear();
    (row, runs)
}

/// Conversations of one owner, which meet in the queue (C3), in cleanup (G1, G3), in the limit of active ones (N6), and nowhere else.
fn several_conversations() -> Vec<Scenario> {
    let new = Scenario::new;
    vec![
        new(
            "one consumer, two conversations",
            queued(),
            &[PLAIN],
            &[&[Consume, Consume], &[Cleanup], &[Retry]],
        )
        .beside(queued(), 10)
        .homes(&[0, 0, 1])
        .leaps(&[STUCK])
        .wide(),
        new("two consumers, two conversations", queued(), &[PLAIN], &[&[Consume], &[Consume], &[Poll(0)]])
            .beside(queued(), 10)
            .homes(&[0, 0, 1]),
        new("heartbeats of two conversations", queued(), &[TALK], &[&[Consume], &[Consume], &[Cleanup]])
            .beside(queued(), 10)
            .homes(&[0, 0, 0])
            .wide(),
        new("two cards with one digest", card(), &[PLAIN], &[&[Approve("d1")], &[NO], &[Consume, Consume]])
            .beside(waiting_on("w0", Pause::Approval, ONE_WRITE), 0)
            .homes(&[0, 1, 0]),
        new(
            "two messages at the limit",
            idle(),
            &[PLAIN],
            &[&[Send("Hi.", "c1")], &[Send("Hi.", "c1")], &[Consume]],
        )
        .beside(idle(), 0)
        .homes(&[0, 1, 0])
        .limited(),
        new(
            "a message at the limit while a turn goes on",
            queued(),
            &[PLAIN],
            &[&[Consume], &[NEW], &[Cleanup]],
        )
        .beside(idle(), 0)
        .homes(&[0, 1, 0])
        .leaps(&[STUCK])
        .limited(),
        new(
            "cleanup of two conversations, twice at once",
            orphaned("u0"),
            &[PLAIN],
            &[&[Cleanup], &[Cleanup], &[Retry]],
        )
        .beside(decided_on("w0", Decision::Deny, "d1", TWO_WRITES), 10)
        .homes(&[0, 0, 1])
        .leaps(&[STUCK]),
        new(
            "a conversation that cannot be loaded stands before another",
            queued(),
            &[PLAIN],
            &[&[Consume], &[Cleanup], &[Consume]],
        )
        .beside(queued(), 0)
        .homes(&[1, 1, 1])
        .leaps(&[STUCK])
        .unreadable(),
    ]
}

fn four_actors() -> Vec<Scenario> {
    let new = Scenario::new;
    let four = vec![
        new(
            "a consumer dies, cleanup, retry, the late result",
            queued(),
            &[TALK],
            &[&[Consume], &[Cleanup], &[Retry], &[Consume]],
        )
        .leaps(&[STUCK]),
        new(
            "approve, send, consume and clean up at once",
            card(),
            &[PLAIN],
            &[&[Approve("d1")], &[NEW], &[Consume], &[Cleanup]],
        )
        .leaps(&[STUCK]),
        new(
            "answer, end, consume and reconcile at once",
            question(),
            &[PLAIN],
            &[&[Answer("q1")], &[End], &[Consume], &[Reconcile]],
        )
        .leaps(&[GRACE])
        .elsewhere(),
        new(
            "two persons decide, two consumers carry it out",
            card(),
            &[PLAIN],
            &[&[Approve("d1")], &[NO], &[Consume], &[Consume]],
        ),
        new(
            "an approval is carried out while it counts as stuck",
            decided(Decision::Approve, "d1", TWO_WRITES),
            &[PLAIN],
            &[&[Consume], &[Cleanup], &[Approve("d1")], &[Consume]],
        )
        .leaps(&[STUCK]),
    ];
    four.into_iter().map(Scenario::wide).collect()
}
