//! The explorer of interleavings (`tests/explore`), to walk through it at random: longer and wider than it can be explored to the end.

#![allow(missing_docs, dead_code, clippy::unwrap_used, reason = "the explorer's own files, used in part")]

#[path = "../../tests/explore/actor.rs"]
pub mod actor;
#[path = "../../tests/explore/answers.rs"]
mod answers;
#[path = "../../tests/explore/ending.rs"]
mod ending;
#[path = "../../tests/explore/explorer.rs"]
pub mod explorer;
#[path = "../../tests/explore/host.rs"]
mod host;
#[path = "../../tests/explore/known.rs"]
mod known;
#[path = "../../tests/explore/planted.rs"]
mod planted;
#[path = "../../tests/explore/rules.rs"]
mod rules;
#[path = "../../tests/explore/scenario.rs"]
pub mod scenario;
#[path = "../../tests/explore/scenarios.rs"]
pub mod scenarios;
#[path = "../../tests/explore/schedule.rs"]
pub mod schedule;
#[path = "../../tests/explore/starts.rs"]
pub mod starts;
#[path = "../../tests/explore/steps.rs"]
mod steps;
#[path = "../../tests/explore/tape.rs"]
mod tape;
#[path = "../../tests/explore/world.rs"]
pub mod world;
