//! What a reader sees (rules V1-V5, V3a, E3, D4).

use agent_turn::present::{Reader, present};
use agent_turn::run::{ViewMode, WaitingView};
use agent_turn::status::Status;
use agent_turn::text;
use agent_turn::value::Value;

use crate::bytes::Bytes;
use crate::given;

/// Nobody is offered more than the host lets them do, technical messages are for administrators, and a card shows everything.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let conversation = given::conversation(bytes);
    let reader = bytes.map([
        ("uid", &|bytes| bytes.one_of(&[Value::Number(7.0), "7".into(), Value::Number(8.0)])),
        ("isAdmin", &|bytes| bytes.flag().into()),
        ("mayDecide", &|bytes| bytes.flag().into()),
        ("mayWrite", &|bytes| bytes.one_of(&[Value::Null, true.into(), false.into()])),
    ]);
    let waiting = WaitingView::from_value(&given::view(bytes));
    let now = bytes.one_of(&[None, Some(1_700_000_000_000.0)]);
    let Some(reader) = Reader::from_value(&reader) else { return };
    let view = present(&conversation, &reader, waiting.as_ref(), now);
    let status = conversation.status;

    assert_eq!((view.busy, view.may_send), (status.is_busy(), !status.is_busy()), "V1");
    assert!(!view.may_retry || status.is_resumable(), "R1");
    assert!(
        !(view.may_retry && conversation.decision.is_recorded() && !conversation.run_uuid.is_empty()),
        "R1"
    );
    assert_eq!(view.poll_after == 0.0, !status.is_busy() && !status.is_waiting(), "V1");
    assert!(!view.busy || view.notices.is_empty(), "V2");
    for notice in &view.notices {
        let key = notice.key.as_str();
        assert!(key.starts_with("chat.") || key == ["error.", &conversation.error_code].concat(), "V4: {key:?}");
        assert!(notice.args.is_empty() || reader.is_admin, "E3: {notice:?}");
    }
    assert!(view.card.is_none() || view.form.is_none(), "V3");
    let writes = reader.may_write.unwrap_or(reader.uid == conversation.owner);
    assert!(view.form.is_none() || (status == Status::AwaitingInput && writes), "V3");
    let shown = reader.may_decide && status == Status::AwaitingApproval && waiting.as_ref().is_some_and(|view| view.mode != ViewMode::Input);
    assert_eq!(view.card.is_some(), shown, "V3");
    if let (Some(card), Some(waiting)) = (&view.card, &waiting) {
        assert_eq!(card.turn_digest, waiting.turn_digest.clone().unwrap_or_default(), "D5: the digest as it came");
        assert_eq!(card.calls.len(), waiting.pending_calls.len(), "V3a: nothing is cut");
        for (shown, call) in card.calls.iter().zip(&waiting.pending_calls) {
            shows(shown, call);
        }
    }
    serde_json::to_string(&view.to_value()).expect("a view is plain data");
}

/// V3a: nothing deceives, and what is shown names exactly one call.
fn shows(shown: &Value, call: &Value) {
    match (shown, call) {
        (Value::Text(shown), Value::Text(text)) => reads(shown, text),
        (Value::List(shown), Value::List(items)) => {
            assert_eq!(shown.len(), items.len());
            shown.iter().zip(items).for_each(|(shown, item)| shows(shown, item));
        }
        (Value::Map(shown), Value::Map(entries)) => {
            assert_eq!(shown.len(), entries.len());
            for ((shown_key, shown), (key, item)) in shown.iter().zip(entries) {
                reads(shown_key, key);
                shows(shown, item);
            }
        }
        (shown, call) => assert_eq!(format!("{shown:?}"), format!("{call:?}")),
    }
}

fn reads(shown: &str, text: &str) {
    let joiner = '\u{200D}';
    let deceives = |c: char| c.is_control() && c != '\t' && c != '\n' || text::is_invisible(c) && c != joiner;
    assert!(!shown.chars().any(deceives), "V3a: {shown:?}");
    assert_eq!(unescaped(shown), text, "V3a: {shown:?} can be read in two ways");
}

/// What a careful reader makes of the escapes.
fn unescaped(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some(at) = rest.find("\\u{") {
        text.push_str(&rest[..at]);
        let (code, behind) = rest[at + 3..].split_once('}').expect("the end of an escape");
        text.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
        rest = behind;
    }
    text + rest
}
