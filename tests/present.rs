//! Rules V from outside: the public vectors, every status, and what holds for any card.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "rules/seed.rs"]
mod seed;
#[path = "rules/vectors.rs"]
mod vectors;

use agent_turn::conversation::Conversation;
use agent_turn::error::Error;
use agent_turn::present::{ConversationView, Reader, present};
use agent_turn::run::WaitingView;
use agent_turn::text::is_invisible;
use agent_turn::value::Value;
use proptest::prelude::*;
use vectors::json;

fn play(args: &[Value]) -> Result<ConversationView, Error> {
    let arg = |at: usize| args.get(at).unwrap_or(&Value::Null);
    let conversation = Conversation::from_value(arg(0))?;
    let reader = Reader::from_value(arg(1)).ok_or(Error::InvalidArgument("a reader"))?;
    let waiting = WaitingView::from_value(arg(2));
    Ok(present(&conversation, &reader, waiting.as_ref(), arg(3).get("now").as_number()))
}

#[test]
fn the_vectors_hold() {
    let played = vectors::play("present", |args| play(args).map(|view| view.to_value()).map_err(|error| error.code()));
    assert!(played >= 24, "{played} vectors");
}

/// What a reader sees of a row, as JSON.
fn view(row: &str, reader: &str, waiting: &str) -> Value {
    let reader = match reader {
        "" => json(r#"{"uid":7,"isAdmin":false,"mayDecide":true}"#),
        reader => json(reader),
    };
    let waiting = match waiting {
        "" => Value::Null,
        waiting => json(waiting),
    };
    play(&[vectors::conversation(&json(row)), reader, waiting]).unwrap().to_value()
}

/// The keys of the notices with their arguments.
fn notices(view: &Value) -> Vec<String> {
    let notice = |notice: &Value| {
        let args = notice.get("args").as_list().unwrap().iter();
        args.fold(notice.get("key").text_or_empty(), |line, arg| line + "|" + arg.as_text().unwrap())
    };
    view.get("notices").as_list().unwrap().iter().map(notice).collect()
}

#[test]
fn every_status_has_its_flags() {
    // V1, S2, R1: busy, maySend, mayRetry, pollAfter
    let cases = [
        ("idle", false, true, false, 0.0),
        ("processing", true, false, true, 1500.0),
        ("locked", true, false, false, 1500.0),
        ("tool_loop", true, false, true, 1500.0),
        ("awaiting_approval", false, true, false, 10_000.0),
        ("awaiting_input", false, true, false, 10_000.0),
        ("failed", false, true, true, 0.0),
    ];
    for (status, busy, may_send, may_retry, poll_after) in cases {
        let view = view(&format!(r#"{{"status":"{status}","runUuid":"r"}}"#), "", "");
        assert_eq!(view.get("busy"), &busy.into(), "{status}");
        assert_eq!(view.get("maySend"), &may_send.into(), "{status}");
        assert_eq!(view.get("mayRetry"), &may_retry.into(), "{status}");
        assert_eq!(view.get("pollAfter"), &poll_after.into(), "{status}");
        assert!(view.get("card").is_null() && view.get("form").is_null(), "{status}");
    }
}

#[test]
fn retry_is_not_offered_where_it_would_be_refused() {
    // R1, R3
    let cases = [
        (r#"{"status":"processing","runUuid":"r","decision":"approve"}"#, false),
        (r#"{"status":"failed","runUuid":"r","decision":"input"}"#, false),
        (r#"{"status":"processing","decision":"deny"}"#, true),
        (r#"{"status":"failed","errorCode":"guardrail"}"#, false),
        (r#"{"status":"processing","errorCode":"guardrail"}"#, true),
        (r#"{"status":"idle","errorCode":"stopped.secondApprover"}"#, false),
    ];
    for (row, expected) in cases {
        assert_eq!(view(row, "", "").get("mayRetry"), &expected.into(), "{row}");
    }
}

const QUESTION: &str = r#"{"mode":"input","turnDigest":"i","pendingCalls":[],"inputSchema":{"properties":{"a":{"enum":["x"]}}}}"#;
const PUZZLE: &str = r#"{"mode":"input","turnDigest":"i","pendingCalls":[],"inputSchema":{"title":"Wo?","properties":{"a":{"type":"array"}}}}"#;
const CARD: &str = r#"{"mode":"approval","turnDigest":"d","pendingCalls":[{"name":"w","arguments":{}}]}"#;

#[test]
fn notices_say_what_a_reader_may_know() {
    // V2, E3
    let admin = r#"{"uid":1,"isAdmin":true,"mayDecide":false}"#;
    let stranger = r#"{"uid":1,"isAdmin":false,"mayDecide":false}"#;
    let cases: [(&str, &str, &str, &[&str]); 14] = [
        (r#"{"status":"processing","errorCode":"timedOut","errorMessage":"x"}"#, admin, "", &[]),
        (
            r#"{"status":"idle","errorCode":"stopped.secondApprover","errorMessage":"x"}"#,
            admin,
            "",
            &["error.stopped.secondApprover"],
        ),
        (r#"{"status":"failed"}"#, "", "", &["chat.failed"]),
        (r#"{"status":"failed","errorMessage":"x"}"#, admin, "", &["chat.failed|x"]),
        (r#"{"status":"failed","errorMessage":"x"}"#, stranger, "", &["chat.failed"]),
        (
            r#"{"status":"failed","errorMessage":"x","errorCode":"timedOut"}"#,
            admin,
            "",
            &["error.timedOut|x"],
        ),
        (r#"{"status":"failed","errorMessage":"x","errorCode":"timedOut"}"#, "", "", &["error.timedOut"]),
        (r#"{"status":"awaiting_approval"}"#, stranger, CARD, &["chat.approvalPendingElsewhere"]),
        (
            r#"{"status":"awaiting_approval","errorCode":"handBack.staleTurn"}"#,
            stranger,
            "",
            &["chat.approvalPendingElsewhere", "error.handBack.staleTurn"],
        ),
        (r#"{"status":"awaiting_input"}"#, "", QUESTION, &["chat.inputPending"]),
        (
            r#"{"status":"awaiting_input","errorCode":"handBack.inputStale"}"#,
            "",
            PUZZLE,
            &["chat.inputPending", "chat.questionUnsupported", "error.handBack.inputStale"],
        ),
        (r#"{"status":"awaiting_input"}"#, stranger, PUZZLE, &["chat.inputPendingElsewhere"]),
        (r#"{"status":"awaiting_input","owner":"7"}"#, "", "", &["chat.inputPending"]),
        (
            r#"{"status":"awaiting_input"}"#,
            r#"{"uid":7,"mayWrite":false}"#,
            QUESTION,
            &["chat.inputPendingElsewhere"],
        ),
    ];
    for (row, reader, waiting, expected) in cases {
        assert_eq!(notices(&view(row, reader, waiting)), expected, "{row} {reader}");
    }
}

#[test]
fn a_card_is_for_who_may_decide_and_a_form_for_who_may_answer() {
    // V3
    let unreadable = r#"{"mode":"unreadable","turnDigest":null,"pendingCalls":[],"unreadableReason":"state-unreadable"}"#;
    let blind = r#"{"mode":"input","turnDigest":null,"pendingCalls":[],"inputSchema":{"properties":{"a":{"enum":["x"]}}}}"#;
    let cases = [
        ("awaiting_approval", "", CARD, "card"),
        ("awaiting_approval", "", unreadable, "card"),
        ("awaiting_approval", "", QUESTION, ""),
        ("awaiting_approval", r#"{"uid":7,"isAdmin":true,"mayDecide":false}"#, CARD, ""),
        ("awaiting_approval", r#"{"uid":3,"isAdmin":false,"mayDecide":true}"#, CARD, "card"),
        ("awaiting_input", "", CARD, ""),
        ("awaiting_input", "", unreadable, ""),
        ("awaiting_input", "", QUESTION, "form"),
        ("awaiting_input", "", PUZZLE, "form"),
        ("awaiting_input", "", blind, ""),
        ("awaiting_input", r#"{"uid":3,"mayWrite":true}"#, QUESTION, "form"),
        ("awaiting_input", r#"{"uid":3}"#, QUESTION, ""),
        ("processing", "", CARD, ""),
        ("idle", "", QUESTION, ""),
        ("failed", "", CARD, ""),
    ];
    for (status, reader, waiting, expected) in cases {
        let view = view(&format!(r#"{{"status":"{status}"}}"#), reader, waiting);
        let shown = ["card", "form"].into_iter().filter(|part| !view.get(part).is_null());
        assert_eq!(shown.collect::<String>(), expected, "{status} {reader} {waiting}");
    }
    let form = view(r#"{"status":"awaiting_input"}"#, "", PUZZLE).get("form").clone();
    assert_eq!(
        form,
        json(r#"{"kind":"unsupported","question":"Wo?","options":[],"freeText":false,"fields":[],"turnDigest":"i"}"#)
    );
    let card = view(r#"{"status":"awaiting_approval"}"#, "", unreadable).get("card").clone();
    assert_eq!(
        card,
        json(r#"{"turnDigest":"","calls":[],"stale":false,"expired":false,"unreadable":"state-unreadable"}"#)
    );
    let card = view(
        r#"{"status":"awaiting_approval"}"#,
        "",
        r#"{"mode":"approval","turnDigest":null,"pendingCalls":[{"previewStale":false},{"previewStale":true},null],"unreadableReason":"x"}"#,
    );
    assert_eq!(
        card.get("card"),
        &json(r#"{"turnDigest":"","calls":[{"previewStale":false},{"previewStale":true},null],"stale":true,"expired":false,"unreadable":null}"#)
    );
}

#[test]
fn a_card_expires_after_its_last_second() {
    // V3, D4
    let waiting = WaitingView::from_value(&json(r#"{"mode":"approval","turnDigest":"d","pendingCalls":[],"expiresAt":1700000000}"#));
    let conversation = Conversation::from_value(&json(r#"{"uid":1,"owner":7,"status":"awaiting_approval"}"#)).unwrap();
    let reader = Reader::from_value(&json(r#"{"uid":7,"mayDecide":true}"#)).unwrap();
    let expired = |now| present(&conversation, &reader, waiting.as_ref(), now).card.unwrap().expired;
    assert!(!expired(None));
    assert!(!expired(Some(1_700_000_000_000.0)));
    assert!(expired(Some(1_700_000_000_001.0)));
}

#[test]
fn some_codes_point_to_the_run() {
    // V5
    for (code, expected) in [
        ("handBack.alreadyResuming", true),
        ("handBack.inputAlreadyResuming", true),
        ("handBack.notAwaitingApproval", true),
        ("handBack.notAwaitingInput", true),
        ("finishedOutside", true),
        ("handBack.notCarriedOut", false),
        ("timedOut", false),
        ("", false),
    ] {
        let view = view(&format!(r#"{{"status":"failed","errorCode":"{code}"}}"#), "", "");
        assert_eq!(view.get("pointsToRun"), &expected.into(), "{code}");
    }
}

#[test]
fn a_reader_is_an_object_with_a_uid() {
    for value in ["null", "7", "{}", r#"{"uid":null}"#, r#"{"uid":""}"#, r#"{"isAdmin":true}"#] {
        assert!(Reader::from_value(&json(value)).is_none(), "{value}");
    }
    let reader = Reader::from_value(&json(r#"{"uid":"u","isAdmin":1,"mayDecide":"yes","mayWrite":"yes"}"#)).unwrap();
    assert!(!reader.is_admin && !reader.may_decide && reader.may_write.is_none());
}

/// One value as a card shows it among the arguments of a call.
fn shown(value: &Value) -> Value {
    let call = Value::map([("arguments", value.clone())]);
    let waiting = Value::map([("mode", "approval".into()), ("pendingCalls", Value::List(vec![call]))]);
    let row = json(r#"{"uid":1,"owner":7,"status":"awaiting_approval"}"#);
    let reader = json(r#"{"uid":7,"mayDecide":true}"#);
    let card = play(&[row, reader, waiting]).unwrap().card.unwrap();
    card.calls[0].get("arguments").clone()
}

fn shown_text(text: &str) -> String {
    shown(&text.into()).text_or_empty()
}

#[test]
fn deceptive_characters_are_shown_and_ordinary_ones_stay() {
    // V3a, M11
    let cases = [
        ("a\0b\r\n\tc", r"a\u{0}b\u{D}".to_owned() + "\n\tc"),
        ("\u{85}\u{9F}\u{7F}", r"\u{85}\u{9F}\u{7F}".to_owned()),
        ("\u{FEFF}\u{AD}\u{61C}\u{180E}", r"\u{FEFF}\u{AD}\u{61C}\u{180E}".to_owned()),
        ("\u{E0001}\u{E007F}", r"\u{E0001}\u{E007F}".to_owned()),
        ("\u{202A}\u{2066}\u{2069}", r"\u{202A}\u{2066}\u{2069}".to_owned()),
        ("\u{2028}\u{A0}\u{3000}\u{3164}", "\u{2028}\u{A0}\u{3000}\u{3164}".to_owned()),
        (r"\u{41} \\u{41} \U{41} \u41", r"\u{5C}u{41} \\u{5C}u{41} \U{41} \u41".to_owned()),
        ("\\\u{202E}u{", r"\\u{202E}u{".to_owned()),
        ("äöü السلام 漢字", "äöü السلام 漢字".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(shown_text(text), expected, "{text:?}");
    }
    let value = json(r#"[1,true,null,{"k\u202e":[{"x":"\u200b"}]}]"#);
    assert_eq!(shown(&value), json(r#"[1,true,null,{"k\\u{202E}":[{"x":"\\u{200B}"}]}]"#));
}

#[test]
fn a_joiner_stays_between_two_emoji_only() {
    // V3a
    let stays = [
        "👩\u{200D}💻",
        "👩🏽\u{200D}💻",
        "🏳\u{FE0F}\u{200D}🌈",
        "❤\u{FE0F}\u{200D}🔥",
        "👨\u{200D}👩\u{200D}👧\u{200D}👦",
        "🏴\u{200D}☠\u{FE0F}",
        "🧑🏻\u{200D}🤝\u{200D}🧑🏿",
        "🙂\u{200D}↔\u{FE0F}",
    ];
    for text in stays {
        assert_eq!(shown_text(text), text);
    }
    let shown = [
        ("a\u{200D}👩", r"a\u{200D}👩"),
        ("👩\u{200D}a", r"👩\u{200D}a"),
        ("\u{200D}👩", r"\u{200D}👩"),
        ("👩\u{200D}", r"👩\u{200D}"),
        ("👩\u{200D}\u{200D}💻", r"👩\u{200D}\u{200D}💻"),
        ("\u{FE0F}\u{200D}💻", "\u{FE0F}\\u{200D}💻"),
        ("1\u{200D}2", r"1\u{200D}2"),
        ("क्\u{200D}ष", r"क्\u{200D}ष"),
    ];
    for (text, expected) in shown {
        assert_eq!(shown_text(text), expected);
    }
}

#[test]
fn long_texts_cost_linear_time_and_are_not_cut() {
    // V3a
    let family = "👩\u{FE0F}\u{200D}".repeat(50_000) + "👧";
    assert_eq!(shown_text(&family), family);
    let joiners = "\u{FE0F}\u{200D}".repeat(50_000);
    assert_eq!(shown_text(&joiners).len(), 50_000 * (3 + 8));
}

/// What an escaped text stands for.
fn decoded(shown: &str) -> String {
    let mut parts = shown.split("\\u{");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        assert_eq!(code, code.to_uppercase());
        assert!(code == "0" || !code.starts_with('0'));
        text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        text.push_str(rest);
    }
    text
}

/// Texts full of what matters here.
fn tricky() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "\\", "u{", "\\u{", "}", "5C", "202E", "\u{202E}", "\u{200D}", "👩", "💻", "🏽", "\u{FE0F}", "a", "\n", "\0", "\u{FEFF}",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(seed::seeded(256))]

    #[test]
    fn what_is_shown_hides_nothing_and_can_be_told_back(text in prop_oneof![tricky(), any::<String>()]) {
        // V3a: with a way back no two texts look the same
        let shown = shown_text(&text);
        prop_assert_eq!(decoded(&shown), text);
        for c in shown.chars().filter(|c| !matches!(c, '\t' | '\n' | '\u{200D}')) {
            prop_assert!(!c.is_control() && !is_invisible(c), "{:?}", c);
        }
        for beside in shown.split('\u{200D}').skip(1) {
            prop_assert!(!beside.is_empty() && !beside.starts_with(|c: char| c.is_ascii()));
        }
    }

    #[test]
    fn any_row_has_a_view(status in 0..7_usize, code in "[a-z.]{0,3}", may_decide in any::<bool>(), schema in any::<String>()) {
        let status = ["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed"][status];
        let row = Value::map([("uid", 1.0.into()), ("owner", 7.0.into()), ("status", status.into()), ("errorCode", code.into())]);
        let reader = Value::map([("uid", 7.0.into()), ("mayDecide", may_decide.into())]);
        for mode in ["approval", "input", "unreadable", "other"] {
            let waiting = Value::map([("mode", mode.into()), ("turnDigest", "d".into()), ("inputSchema", schema.as_str().into())]);
            let view = play(&[row.clone(), reader.clone(), waiting]).unwrap();
            prop_assert!(view.card.is_none() || view.form.is_none());
            prop_assert_eq!(view.busy, !view.may_send);
            prop_assert_eq!(view.busy, view.poll_after == 1500.0);
        }
    }
}
