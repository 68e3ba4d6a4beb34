//! Schedules: what happens, step by step, as it is printed and replayed.

use std::fmt;

use super::rules::Violation;

/// One step of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// An actor gets the answer to its call; a number above 0 is a way in which the call fails.
    Answer(u8, u8),
    /// An actor dies.
    Crash(u8),
    /// A run takes its next step.
    Advance(u8),
    /// A run that nobody listens to dies.
    Perish(u8),
    /// A waiting run is approved or answered elsewhere.
    Elsewhere(u8),
    /// A run that was cancelled ends with an answer after all.
    Revive(u8),
    /// A swap arrives at the store that was reported long ago.
    Arrive(u8),
    /// Time passes.
    Leap,
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Answer(actor, 0) => write!(formatter, "a{actor}"),
            Action::Answer(actor, fault) => write!(formatter, "a{actor}!{fault}"),
            Action::Crash(actor) => write!(formatter, "x{actor}"),
            Action::Advance(run) => write!(formatter, "r{run}"),
            Action::Perish(run) => write!(formatter, "d{run}"),
            Action::Elsewhere(run) => write!(formatter, "e{run}"),
            Action::Revive(run) => write!(formatter, "v{run}"),
            Action::Arrive(swap) => write!(formatter, "s{swap}"),
            Action::Leap => write!(formatter, "t"),
        }
    }
}

impl Action {
    /// The action of a printed schedule.
    pub fn parse(text: &str) -> Option<Action> {
        let (kind, rest) = text.split_at_checked(1)?;
        let (index, fault) = rest.split_once('!').unwrap_or((rest, "0"));
        let index = || index.parse().ok();
        Some(match kind {
            "a" => Action::Answer(index()?, fault.parse().ok()?),
            "x" => Action::Crash(index()?),
            "r" => Action::Advance(index()?),
            "d" => Action::Perish(index()?),
            "e" => Action::Elsewhere(index()?),
            "v" => Action::Revive(index()?),
            "s" => Action::Arrive(index()?),
            "t" => Action::Leap,
            _ => return None,
        })
    }
}

/// A rule that does not hold, and the shortest way there.
#[derive(Debug, Clone)]
pub struct Counterexample {
    pub violation: Violation,
    pub schedule: Vec<Action>,
}
