//! The engine from outside: every scenario vector, played natively over a scripted host.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod scenario;
#[allow(dead_code, reason = "the pure functions are played elsewhere")]
#[path = "rules/vectors.rs"]
mod vectors;

use std::fs;
use std::io::{Write, stderr};
use std::path::Path;

use agent_turn::value::Value;

/// What only the boundary can be asked about, with the reason.
const BOUNDARY: &[(&str, &str)] = &[
    ("decision-015", "an approval with a reason is no argument"),
    ("decision-024", "no such reason"),
    ("decision-026", "an empty digest"),
    ("faults-026", "files, an index and an input of a wrong type"),
    ("faults-028", "an argument that is too deep"),
    ("faults-030", "a result that is too deep"),
    ("faults-032", "an argument that is too deep, and one that is not"),
    ("faults-034", "a view that is too deep"),
    ("faults-035", "a stored row that is too deep"),
    ("intake-027", "a content that is no text"),
    ("intake-055", "arguments of a wrong type"),
    ("intake-070", "an empty digest"),
    ("own-decide-012", "decisions and answers of a wrong type"),
    ("own-edit-008", "an edit of a wrong type"),
    ("own-late-002", "view contexts of a wrong type"),
    ("own-limits-008", "arguments that are too deep"),
    ("own-limits-009", "optional answers that are too deep"),
    ("own-limits-010", "a task that is too deep"),
    ("own-limits-011", "a result that is too deep"),
    ("own-limits-012", "a stored row that is too deep"),
    ("own-limits-017", "an argument that is too large"),
    ("own-poll-001", "an index that is not whole"),
    ("own-storable-007", "a title and an actor of a wrong type"),
];

/// The scenarios of a folder by file name and line.
fn scenarios(folder: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let lines = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<_>>();
    let vectors = lines
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.trim().is_empty())
        .map(scenario::read);
    vectors.filter(|vector| vector.has("steps")).collect()
}

/// Plays a folder; how many scenarios it has beside those of the boundary, which are returned.
fn play(folder: &str) -> (usize, Vec<String>) {
    let (mut failures, mut played, mut left) = (Vec::new(), 0, Vec::new());
    for vector in scenarios(folder) {
        let id = vector.get("id").text_or_empty();
        if BOUNDARY.iter().any(|(boundary, _)| *boundary == id) {
            left.push(id);
            continue;
        }
        if let Err(problem) = scenario::play(&vector) {
            let why = vector.get("why").text_or_empty();
            failures.push(format!("FAIL {id} {:?}\n     {problem}\n     {why}", vector.get("rules")));
        }
        played += 1;
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
    (played, left)
}

#[test]
fn every_scenario_holds() {
    let (public, mut left) = play("vectors");
    let (own, left_of_own) = play("vectors-own");
    left.extend(left_of_own);
    left.sort();
    let listed: Vec<&str> = BOUNDARY.iter().map(|(id, _)| *id).collect();
    assert_eq!(left, listed, "the list is sorted and names scenarios that are there");
    assert!(public >= 263 && own >= 233, "{public} and {own} scenarios");
    // Past the capture of the test harness.
    writeln!(stderr(), "{} scenarios played, {} left to the boundary", public + own, left.len()).unwrap();
}

/// What `find` answered may have changed since: every row is looked at again where it is loaded (rules G1, G2). `findsAll` is known to this host alone.
#[test]
fn what_was_found_is_looked_at_again() {
    let scenario = r#"{"id":"found","settings":{"autoArchiveDays":1,"deleteAfterDays":1},"now":1700000000,
        "given":{"storage":{"findsAll":true},"conversations":[
            {"uid":1,"updatedAt":1699913599},
            {"uid":2,"updatedAt":1699913600},
            {"uid":3,"updatedAt":1699913599,"pinned":true},
            {"uid":4,"updatedAt":1699913599,"status":"failed"},
            {"uid":5,"updatedAt":1699913600,"archived":true},
            {"uid":6,"updatedAt":1699913599,"archived":true,"pinned":true},
            {"uid":7,"updatedAt":1699913599,"archived":true,"status":"awaiting_input","runUuid":"r"},
            {"uid":8,"updatedAt":1699999700,"archived":true,"status":"locked","claimId":"c"},
            {"uid":9,"updatedAt":1699913599,"archived":true,"status":"failed"},
            {"uid":10,"updatedAt":1699913599,"archived":true}]},
        "steps":[{"call":"cleanup","args":[],"expect":{"timedOut":0,"archived":1,"removed":2}}],
        "then":{"conversations":[
            {"uid":1,"archived":true,"updatedAt":1700000000},
            {"uid":2,"archived":false,"revision":3},
            {"uid":3,"archived":false,"revision":3},
            {"uid":4,"archived":false,"status":"failed","revision":3},
            {"uid":5,"revision":3},{"uid":6,"revision":3},{"uid":7,"revision":3},{"uid":8,"revision":3},
            {"uid":9,"$gone":true},{"uid":10,"$gone":true}]}}"#;
    scenario::play(&vectors::json(scenario)).unwrap();
}
