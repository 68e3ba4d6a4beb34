//! Nothing is lost and nothing happens twice: every interleaving of bounded scenarios of the real engine, with crashes and faults (`docs/proof.md`).
//!
//! `EXPLORE=full cargo test --release --test explore` explores the full bounds, `EXPLORE=deep` more.
//! `EXPLORE_REPLAY="<scenario> | <crashes> <faults> | a0 a1 x0" cargo test --test explore replay` tells the story of one schedule.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a proof may fail loudly"
)]

#[path = "explore/actor.rs"]
mod actor;
#[path = "explore/answers.rs"]
mod answers;
#[path = "explore/ending.rs"]
mod ending;
#[path = "explore/explorer.rs"]
mod explorer;
#[path = "explore/host.rs"]
mod host;
#[path = "explore/known.rs"]
mod known;
#[path = "explore/planted.rs"]
mod planted;
#[path = "explore/rules.rs"]
mod rules;
#[path = "explore/scenario.rs"]
mod scenario;
#[path = "explore/scenarios.rs"]
mod scenarios;
#[path = "explore/schedule.rs"]
mod schedule;
#[path = "explore/starts.rs"]
mod starts;
#[path = "explore/steps.rs"]
mod steps;
#[path = "explore/tape.rs"]
mod tape;
#[path = "explore/world.rs"]
mod world;

use std::io::Write;
use std::time::Instant;

use actor::Op;
use explorer::{Explorer, Scenario};
use known::Known;
use planted::Bug;
use scenario::Bounds;
use schedule::{Action, Counterexample};

/// Past the capture of the test harness: these lines are what the proof says.
fn say(line: &str) {
    let mut stderr = std::io::stderr();
    writeln!(stderr, "{line}").unwrap();
}

/// What may go wrong in a scenario.
fn bounds(scenario: &Scenario) -> Bounds {
    let (crashes, faults) = match std::env::var("EXPLORE").as_deref() {
        Ok("deep") => (3, 3),
        Ok("full") => (2, 2),
        _ => (1, u8::from(!scenario.is_wide)),
    };
    Bounds { crashes, faults }
}

/// A schedule as `EXPLORE_REPLAY` takes it.
fn replayable(scenario: &Scenario, found: &Counterexample) -> String {
    let schedule: Vec<String> = found.schedule.iter().map(Action::to_string).collect();
    format!("{} | {} {} | {}", scenario.name, scenario.crashes, scenario.faults, schedule.join(" "))
}

/// Explores a scenario to its end: nothing is found, and there was something to be seen.
fn holds(name: &str) {
    let scenario = scenarios::named(name);
    let within = bounds(&scenario);
    let scenario = scenario.within(within);
    let started = Instant::now();
    let mut explorer = Explorer::new(scenario.clone());
    let explored = explorer.explore();
    say(&format!(
        "{name} ({} actors, {} crashes, {} faults): {} states, {} transitions, depth {}, {} endings, {} actor states, {:.1} s; left {:?}; known {:?}",
        scenario.actors.len(),
        within.crashes,
        within.faults,
        explored.states,
        explored.transitions,
        explored.depth,
        explored.endings,
        explored.actor_states,
        started.elapsed().as_secs_f32(),
        explored.left,
        explorer.ledger.met(),
    ));
    for found in &explored.found {
        say(&format!(
            "  invariant {}: {}\n  EXPLORE_REPLAY={:?}",
            found.violation.rule,
            found.violation.what,
            replayable(&scenario, found)
        ));
    }
    assert!(explored.found.is_empty(), "{name}: {} counterexample(s)", explored.found.len());
    assert!(explored.left.len() > 1 || explored.states > 100, "{name} shows nothing");
}

/// The first violation of a scenario, which is the shortest.
fn first(explorer: &mut Explorer) -> Option<Counterexample> {
    explorer.only_first = true;
    explorer.explore().found.into_iter().next()
}

macro_rules! scenarios_hold {
    ($($test:ident: $name:literal,)*) => {
        const TESTED: &[&str] = &[$($name),*];
        $(#[test] fn $test() { holds($name); })*
    };
}

scenarios_hold! {
    two_consumers: "two consumers claim one turn",
    decided_twice: "decided twice at once",
    decide_and_send: "decide and send at once",
    decide_and_reconcile: "decide while reconcile runs",
    answer_and_edit: "answer and edit at once",
    hand_back_and_message: "hand-back racing a new message",
    cleanup_and_settle: "cleanup racing a settle",
    cleanup_and_pause: "cleanup racing a pause",
    retry_and_slow_consumer: "retry racing a slow consumer",
    two_tabs: "two tabs with one client id",
    lost_answer: "an approved write, and the answer lost",
    lost_result: "the same with a runtime that keeps no results",
    end_and_approval: "the end of a process racing an approval",
    removal_and_message: "removal racing a message",
    second_card: "a denial, a second card, a crash",
    go_on: "go on at a card decided elsewhere",
    preview_moved: "the preview moved on",
    question_elsewhere: "a question becomes a card elsewhere",
    clock_jumps_back: "the clock jumps back",
    hanging_runtime: "a runtime that hangs",
    counted_as_dead: "a run that counts as dead comes back",
    late_consumers: "a swap arrives late: two consumers",
    late_decision: "a swap arrives late: a decision",
    late_message: "a swap arrives late: a message",
    clock_and_approval: "the clock jumps back on an approval",
    cancelled_and_message: "a run ends after it was cancelled: a new message",
    cancelled_and_end: "a run ends after it was cancelled: the end of a process",
    uuids_collide: "uuids collide",
    without_pauses: "without pauses",
    one_consumer_two_conversations: "one consumer, two conversations",
    two_consumers_two_conversations: "two consumers, two conversations",
    heartbeats_of_two: "heartbeats of two conversations",
    one_digest_twice: "two cards with one digest",
    messages_at_the_limit: "two messages at the limit",
    message_beside_a_turn: "a message at the limit while a turn goes on",
    cleanup_of_several: "cleanup of two conversations, twice at once",
    unreadable_row: "a conversation that cannot be loaded stands before another",
    four_late_result: "a consumer dies, cleanup, retry, the late result",
    four_card: "approve, send, consume and clean up at once",
    four_question: "answer, end, consume and reconcile at once",
    four_deciders: "two persons decide, two consumers carry it out",
    four_stuck_approval: "an approval is carried out while it counts as stuck",
}

#[test]
fn every_scenario_is_explored() {
    let all: Vec<&str> = scenarios::all().iter().map(|scenario| scenario.name).collect();
    assert_eq!(all, TESTED);
    let with = |actors: usize| scenarios::all().iter().filter(|scenario| scenario.actors.len() == actors).count();
    assert!(with(3) >= 12 && with(4) >= 4);
}

/// Each planted bug, the scenario that finds it, and the invariant that it breaks.
#[test]
fn planted_bugs_are_found() {
    let (none, in_an_actor): (&[&[Op]], _) = (&[], Bug::InAnActor);
    let again: &[&[Op]] = &[&[Op::Approve("d1")], &[Op::Consume], &[Op::ApproveAgain]];
    let anyway: &[&[Op]] = &[&[Op::Consume], &[Op::RetryAnyway], &[Op::Consume]];
    let forgets: &[&[Op]] = &[&[Op::Approve("d1")], &[Op::ForgetDecision], &[Op::Consume]];
    let accepts: &[&[Op]] = &[&[Op::AcceptAnyway], &[Op::Consume]];
    let blindly: &[&[Op]] = &[&[Op::SendBlindly], &[Op::SendBlindly], &[Op::Consume]];
    let withdraws: &[&[Op]] = &[&[Op::Approve("d1")], &[Op::WithdrawAnyway], &[Op::Consume]];
    let last: &[&[Op]] = &[&[Op::ConsumeLast], &[Op::Consume], &[Op::Poll(0)]];
    let beyond: &[&[Op]] = &[&[Op::Consume], &[Op::SendBeyond], &[Op::Cleanup]];
    let counts: &[&[Op]] = &[&[Op::CountFound], &[Op::Cleanup], &[Op::Retry]];
    let planted = [
        (Bug::IgnoresRevision, "two consumers claim one turn", none, 6),
        (Bug::SkipsRevision, "decided twice at once", none, 6),
        (Bug::TouchesAnyClaim, "a consumer dies, cleanup, retry, the late result", none, 6),
        (Bug::ClearsDecisionEarly, "decided twice at once", none, 3),
        (Bug::LosesMessages, "two tabs with one client id", none, 4),
        (Bug::ForgetsKeptMessages, "two tabs with one client id", none, 4),
        (Bug::AppendsTwice, "two tabs with one client id", none, 4),
        (Bug::KeepsOldMessage, "cleanup racing a settle", none, 8),
        (Bug::KeepsRun, "the end of a process racing an approval", none, 5),
        (Bug::KnowsNoRun, "retry racing a slow consumer", none, 1),
        (Bug::ExecutesTwice, "an approval is carried out while it counts as stuck", none, 2),
        (Bug::HidesLocked, "two consumers claim one turn", none, 7),
        (Bug::AppliesLate, "a swap arrives late: a decision", none, 6),
        (Bug::TrustsClaims, "uuids collide", none, 6),
        (Bug::KeepsPauses, "without pauses", none, 5),
        (Bug::CountsQueue, "a message at the limit while a turn goes on", none, 11),
        (Bug::FindsOne, "a conversation that cannot be loaded stands before another", none, 7),
        (in_an_actor, "two consumers, two conversations", last, 11),
        (in_an_actor, "a message at the limit while a turn goes on", beyond, 11),
        (in_an_actor, "cleanup of two conversations, twice at once", counts, 10),
        (in_an_actor, "decided twice at once", again, 2),
        (in_an_actor, "retry racing a slow consumer", anyway, 5),
        (in_an_actor, "decided twice at once", forgets, 3),
        (in_an_actor, "decided twice at once", withdraws, 3),
        (in_an_actor, "two tabs with one client id", blindly, 9),
        (in_an_actor, "two tabs with one client id", accepts, 10),
    ];
    find_planted(&planted);
}

/// The same for what reaches another conversation.
#[test]
fn planted_bugs_between_conversations_are_found() {
    let none: &[&[Op]] = &[];
    find_planted(&[
        (Bug::WrongRow, "two cards with one digest", none, 6),
        (Bug::TouchesNextRow, "heartbeats of two conversations", none, 11),
        (Bug::MixesResults, "heartbeats of two conversations", none, 11),
    ]);
}

/// Each is found by this invariant, and its schedule leads there again.
fn find_planted(planted: &[(Bug, &str, &[&[Op]], u8)]) {
    for (bug, name, actors, rule) in planted {
        let scenario = scenarios::named(name).planted(*bug, actors);
        let faults = u8::from(scenario.delays);
        let scenario = scenario.within(Bounds { crashes: 1, faults });
        let found = first(&mut Explorer::new(scenario.clone())).unwrap_or_else(|| panic!("{bug:?} is not found in {name:?}"));
        say(&format!(
            "planted {bug:?}: invariant {}: {} | {}",
            found.violation.rule,
            found.violation.what,
            replayable(&scenario, &found)
        ));
        assert_eq!(found.violation.rule, *rule, "{bug:?}: {}", found.violation.what);
        // The schedule leads there again.
        let (_, replayed) = Explorer::new(scenario).replay(&found.schedule);
        assert_eq!(replayed, Err(found.violation));
    }
}

/// What is known is still found where it is looked for: an entry of `known.rs` that is not met any more goes.
#[test]
fn what_is_known_is_found() {
    let places = [
        (Known::LateFailure, "the same with a runtime that keeps no results", 0),
        (Known::DeliveredAndHandedBack, "a denial, a second card, a crash", 0),
        (Known::SaidTwice, "an approved write, and the answer lost", 1),
        (Known::HeldUpRun, "retry racing a slow consumer", 0),
        (Known::HeldUpDelivery, "an approval is carried out while it counts as stuck", 0),
        (Known::DeliveredMeanwhile, "approve, send, consume and clean up at once", 0),
        (Known::HeartbeatUnseen, "a runtime that hangs", 0),
        (Known::CountedAsDead, "a run that counts as dead comes back", 0),
        (Known::Unreachable, "the runtime cannot be asked", 2),
        (Known::CountedTogether, "two messages at the limit", 0),
        (Known::HangsForEver, "decide while reconcile runs", 0),
    ];
    assert_eq!(places.map(|(known, ..)| known), Known::ALL);
    for (known, name, faults) in places {
        let scenario = scenarios::named(name).within(Bounds { crashes: 0, faults });
        let mut explorer = Explorer::new(scenario.clone());
        explorer.ledger.strict = Some(known);
        let found = first(&mut explorer).unwrap_or_else(|| panic!("{known:?} is repaired: take it out of known.rs and rules.rs"));
        say(&format!(
            "known {known:?}: invariant {}: {} | {}",
            found.violation.rule,
            found.violation.what,
            replayable(&scenario, &found)
        ));
    }
}

/// What the fuzzer of engine events draws from is there and sound: every state in which it begins comes to rest with every program.
#[test]
fn every_start_walks_to_its_end() {
    for (name, start) in starts::STARTS {
        for program in starts::PROGRAMS {
            let drawn = scenarios::drawn(start(), &[program], &[vec![Op::Consume], vec![Op::Cleanup, Op::Consume]]);
            let mut schedule = Vec::new();
            let walked = Explorer::new(drawn).walk(200, |count| count / 2, &mut schedule);
            assert!(walked.is_ok() && !schedule.is_empty(), "{name}: {walked:?}");
        }
    }
}

/// `EXPLORE_REPLAY` is told as a story; without it, a schedule that needs every kind of action.
#[test]
fn replay() {
    let asked = std::env::var("EXPLORE_REPLAY").ok();
    let example = "the same with a runtime that keeps no results | 1 1 | a0 a0 a0 a0 a0 a0 a0 r0 a0!1 x0 r0 t a1";
    let asked_or_example = asked.as_deref().unwrap_or(example);
    let [name, bounds, schedule] = asked_or_example.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
        panic!("<scenario> | <crashes> <faults> | <schedule>, not {asked_or_example:?}");
    };
    let [crashes, faults] = bounds.split(' ').map(|bound| bound.parse().unwrap()).collect::<Vec<u8>>()[..] else {
        panic!("<crashes> <faults>, not {bounds:?}");
    };
    let schedule: Vec<Action> = schedule
        .split_whitespace()
        .map(|action| Action::parse(action).unwrap_or_else(|| panic!("no action: {action}")))
        .collect();
    let scenario = scenarios::named(name).within(Bounds { crashes, faults });
    let (story, result) = Explorer::new(scenario).replay(&schedule);
    if asked.is_some() {
        say(&story.join("\n"));
        say(&format!("{result:?}"));
    }
    assert!(result.is_ok() && story.len() >= schedule.len(), "{result:?}");
}
