//! The scenarios: who acts at once, from which state, and what may go wrong.

use agent_turn::conversation::Decision;
use agent_turn::run::Pause;

use super::actor::Op::{self, Answer, Approve, Cleanup, Consume, Deny, Edit, End, Poll, Reconcile, Retry, Send};
use super::explorer::Scenario;
use super::starts::{
    BOUNCE, ONE_WRITE, PLAIN, QUESTION_THEN_CARD, TALK, TWO_WRITES, WRITE_AND_FAIL, card, decided, decided_on, given_up, idle, orphaned, question, queued,
    waiting, waiting_on,
};
use super::world::{Row, Run, Step};

/// Past the grace period of rule K1.
const GRACE: i32 = 46;
/// Past the time after which a turn counts as stuck (rule G1).
const STUCK: i32 = 301;
/// Past the time for which a run that says "running" is believed (rule R2b).
const ABANDONED: i32 = 3601;

const NEW: Op = Send("Something else.", "c1");
const NO: Op = Deny("d1", "No, the other one.");
const CHANGED: Op = Edit("Please change that.", "Please change it.", 2);

/// The smallest that shows what happens while the runtime cannot be asked.
pub fn unreachable() -> Scenario {
    Scenario::new("the runtime cannot be asked", given_up(), &[PLAIN], &[&[Retry, Consume]])
}

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
