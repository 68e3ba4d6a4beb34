//! Texts, titles, times, words to go on, claims, statuses (rules N1, N4, M11, O11, V7, V8, S1-S4, S7).

use agent_turn::phrases::{claims_change, is_continue_intent};
use agent_turn::status::{RuleSet, Status, groups, may_transition};
use agent_turn::text;

use crate::bytes::Bytes;

/// What holds for every text, and for every name of a status.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let one = bytes.some(5, Bytes::text).concat();
    let other = bytes.text();
    let most = bytes.below(300);
    texts(&one, most);
    phrases(&one, &other);
    times(bytes.number());
    statuses(bytes);
}

fn texts(given: &str, most: usize) {
    let stored = text::storable(given);
    assert_eq!(text::storable(&stored), stored, "N4");
    assert!(!stored.chars().any(|c| c.is_control() && c != '\t' && c != '\n'), "N4");
    let mut rest = given.chars();
    assert!(stored.chars().all(|kept| rest.any(|c| c == kept)), "N4: only control characters go");
    assert_eq!(text::is_blank(given), text::is_blank(&stored), "M11: control characters are blank");
    let trimmed = text::trim(given);
    assert!(given.contains(trimmed) && text::trim(trimmed) == trimmed, "M11");
    assert_eq!(text::length(given), given.chars().count());
    let cut = text::cut(given, most);
    assert!(given.starts_with(cut) && text::length(cut) <= most, "N1");
    assert!(text::length(given) > most || cut == given, "N1: nothing is cut without need");
    let title = text::title(given);
    assert!(text::length(&title) <= 255 && text::storable(&title) == title, "N1");
    assert!(!title.contains(['\n', '\t']) && !title.contains("  ") && title.trim() == title, "N1: {title:?}");
    assert_eq!(text::title(&title), title, "N1: a title is its own title");
}

fn phrases(one: &str, other: &str) {
    let trimmed = text::trim(one);
    if is_continue_intent(one) {
        assert!(text::length(trimmed) <= 60, "V8: more than 60 code points");
        assert!(is_continue_intent(&format!("\n {one}\u{feff} ")), "V8: white space");
        assert!(is_continue_intent(&one.to_uppercase()) || !one.is_ascii(), "V8: case");
        for polite in [
            format!("{trimmed}!"),
            format!("please {trimmed}"),
            format!("{trimmed}, bitte"),
            format!("Ok, {trimmed}"),
        ] {
            assert!(text::length(&polite) > 60 || is_continue_intent(&polite), "V8: {polite:?}");
        }
    }
    if claims_change(one) {
        assert!(
            claims_change(&format!("{one}\n{other}")) && claims_change(&format!("{other}\n{one}")),
            "V8: a sentence of its own"
        );
        assert!(claims_change(&format!(" {one}")), "V8");
    }
    if !claims_change(one) && !claims_change(other) {
        assert!(!claims_change(&format!("{one}\n{other}")), "V8: two sentences that claim nothing");
    }
}

/// O11: RFC 3339 in UTC, whole seconds, in the order of time.
fn times(ms: f64) {
    let ms = ms.clamp(0.0, 253_402_300_799_000.0);
    let ms = if ms.is_nan() { 0.0 } else { ms };
    let shown = text::timestamp(ms);
    assert!(shown.len() == 20 && shown.ends_with('Z') && shown.as_bytes()[10] == b'T', "O11: {shown}");
    if ms + 1000.0 <= 253_402_300_799_000.0 {
        assert!(text::timestamp(ms + 1000.0) > shown, "O11: {ms}");
    }
}

fn statuses(bytes: &mut Bytes) {
    const NAMES: &[&str] = &["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed"];
    let (from, to) = (bytes.near(NAMES), bytes.near(NAMES));
    let groups = groups(&from);
    assert_eq!(groups.known, NAMES.contains(&from.as_str()), "S3");
    assert_eq!(Status::parse(&from).is_ok(), groups.known, "S3");
    assert!(!groups.waiting || !(groups.busy || groups.resumable), "S2");
    assert!(groups.known || !(groups.busy || groups.waiting || groups.resumable), "S3");
    for rule_set in [RuleSet::Current, RuleSet::WithoutPauses] {
        let may = may_transition(&from, &to, rule_set);
        assert!(!may || (groups.known && NAMES.contains(&to.as_str())), "S3");
        assert!(!may || to != "tool_loop", "S1: never written");
        assert!(!may || rule_set == RuleSet::Current || !to.starts_with("awaiting"), "S7");
    }
}
