//! Plain data and identifiers: nothing changes on the way in and out (rules W6, C8).
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use agent_turn::conversation::{Conversation, Uid};
use agent_turn::error::{Error, ErrorInfo, Fault};
use agent_turn::run::{RunResult, RunStatus};
use agent_turn::settings::{ATTACHMENT_BUDGET, Settings};
use agent_turn::status::RuleSet;
use agent_turn::value::Value;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{BytesDeserializer, Error as DecodingError, StringDeserializer};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn json_comes_back_as_it_was() {
    // W6: integers beyond 2^53, unknown keys and their order
    let text = r#"{"b":[null,true,false,-1.5,9007199254740993,-9223372036854775808,"ä"],"__proto__":{},"a":{"x":[]}}"#;
    assert_eq!(serde_json::to_string(&json(text)).unwrap(), text);
}

#[test]
fn a_number_is_one_that_javascript_holds_or_an_integer() {
    // W6
    assert_eq!(json("9007199254740991"), Value::Number(9_007_199_254_740_991.0));
    assert_eq!(json("-9007199254740991"), Value::Number(-9_007_199_254_740_991.0));
    assert_eq!(json("9007199254740992"), Value::Integer(9_007_199_254_740_992));
    assert_eq!(json("18446744073709551615"), Value::Number(18_446_744_073_709_551_615.0));
    assert_eq!(json("9007199254740991").as_safe_integer(), Some(9_007_199_254_740_991.0));
    assert_eq!(Value::Number(9_007_199_254_740_992.0).as_safe_integer(), None);
    assert_eq!(Value::Number(-9_007_199_254_740_992.0).as_safe_integer(), None);
    assert_eq!(Value::Number(0.5).as_safe_integer(), None);
    assert_eq!(Value::Number(f64::NAN).as_safe_integer(), None);
}

#[test]
fn what_other_formats_have_is_taken_in() {
    let bytes: BytesDeserializer<'_, DecodingError> = [1_u8, 255].as_slice().into_deserializer();
    assert_eq!(Value::deserialize(bytes).unwrap(), json("[1,255]"));
    let text: StringDeserializer<DecodingError> = "ä".to_owned().into_deserializer();
    assert_eq!(Value::deserialize(text).unwrap(), Value::from("ä"));
}

#[test]
fn accessors_answer_for_their_own_kind_alone() {
    let map = json(r#"{"a":null,"b":1}"#);
    assert!(map.has("a") && !map.has("c") && !json("[]").has("a"));
    assert!(map.get("a").is_null() && map.get("c").is_null() && json("[1]").get("0").is_null());
    assert_eq!((map.as_bool(), map.as_text(), map.as_number(), map.as_list()), (None, None, None, None));
    assert_eq!(map.as_map().unwrap().len(), 2);
    assert_eq!((json("true").as_bool(), json("false").as_bool()), (Some(true), Some(false)));
    assert_eq!(json("\"x\"").text_or_empty() + &json("7").text_or_empty(), "x");
    assert!(json("0").as_map().is_none() && !json("0").is_null() && json("null").is_null());
    assert_eq!(Value::texts(["a", "b"]), json(r#"["a","b"]"#));
    assert_eq!(
        (Value::from(true), Value::from(2.0), Value::from("x".to_owned())),
        (json("true"), json("2"), json("\"x\""))
    );
}

#[test]
fn a_uid_is_compared_as_text() {
    // C8
    let uid = |text: &str| Uid::from_value(&json(text));
    for nothing in ["null", "\"\"", "true", "[]", "{}"] {
        assert!(uid(nothing).is_none(), "{nothing}");
    }
    for nothing in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Uid::from_value(&Value::Number(nothing)).is_none());
    }
    for (one, other) in [
        ("7", "\"7\""),
        ("9007199254740993", "\"9007199254740993\""),
        ("0.5", "\"0.5\""),
        ("-0", "\"0\""),
    ] {
        assert_eq!(uid(one), uid(other));
        assert_eq!(uid(one).unwrap().value(), &json(one), "as the host gave it");
    }
    assert_ne!(uid("7"), uid("\"07\""));
    assert_ne!(uid("9007199254740993"), uid("9007199254740992"));
    assert_eq!(Uid::from(7.0), Uid::from("7"));
    assert_eq!(uid("9007199254740993").unwrap().text(), "9007199254740993");
    // A row without a usable uid still has one that is equal to nothing a host could mean.
    let row = Conversation::from_value(&json(r#"{"status":"idle"}"#)).unwrap();
    assert_eq!(row.owner.text(), "");
}

#[test]
fn a_row_that_is_none_is_an_argument_error() {
    // S3, W4
    let code = |row: &str| Conversation::from_value(&json(row)).unwrap_err().code();
    assert_eq!(code("{}"), "invalidArgument");
    assert_eq!(code(r#"{"status":7}"#), "invalidArgument");
    assert_eq!(code(r#"{"status":"idle","revision":"3"}"#), "invalidArgument");
    assert_eq!(code(r#"{"status":"idle","decision":"perhaps"}"#), "invalidArgument");
    assert_eq!(code(r#"{"status":"asleep"}"#), "unknownStatus");
}

#[test]
fn settings_have_their_defaults_and_their_limits() {
    // Contract, Settings; C8, S7, F7
    let settings = |text: &str| Settings::from_value(&json(text));
    let plain = settings("{}").unwrap();
    assert_eq!((plain.task_uid, plain.extension_key, plain.identity_prompt), (None, String::new(), None));
    assert_eq!(
        (plain.max_message_length, plain.max_files_per_conversation, plain.max_active_per_owner),
        (10_000.0, 5.0, 3.0)
    );
    assert_eq!(
        (plain.grace_seconds, plain.stuck_after_seconds, plain.queue_timeout_seconds),
        (45.0, 300.0, 3600.0)
    );
    assert_eq!(
        (plain.abandon_after_seconds, plain.auto_archive_days, plain.delete_after_days),
        (3600.0, 0.0, 0.0)
    );
    assert_eq!((plain.attachment_budget, ATTACHMENT_BUDGET), (20_971_520.0, 20_971_520.0));
    assert_eq!(
        (plain.rule_set, plain.words.yes.as_str(), plain.words.no.as_str()),
        (RuleSet::Current, "yes", "no")
    );
    for none in ["0", "\"0\"", "-0", "null", "\"\""] {
        assert!(settings(&format!(r#"{{"taskUid":{none}}}"#)).unwrap().task_uid.is_none(), "{none}");
    }
    let german = settings(r#"{"taskUid":"5","locale":"DE-at","ruleSet":"withoutPauses","maxActivePerOwner":0,"identityPrompt":"I"}"#).unwrap();
    assert_eq!(
        (german.words.yes.as_str(), german.words.no.as_str(), german.max_active_per_owner),
        ("ja", "nein", 0.0)
    );
    assert_eq!(
        (german.task_uid, german.rule_set, german.identity_prompt.as_deref()),
        (Some(Uid::from(5.0)), RuleSet::WithoutPauses, Some("I"))
    );
    assert_eq!(settings(r#"{"locale":"en"}"#).unwrap().words.yes, "yes");
    for bad in [
        "null",
        "[]",
        r#"{"graceSeconds":-1}"#,
        r#"{"graceSeconds":"1"}"#,
        r#"{"locale":1}"#,
        r#"{"ruleSet":"none"}"#,
        r#"{"extensionKey":{}}"#,
    ] {
        assert_eq!(settings(bad).unwrap_err().code(), "invalidArgument", "{bad}");
    }
    assert_eq!(
        Settings::from_value(&Value::map([("graceSeconds", Value::Number(f64::NAN))]))
            .unwrap_err()
            .code(),
        "invalidArgument"
    );
}

#[test]
fn a_status_of_a_run_is_one_of_seven() {
    // K2
    let active = ["queued", "running"];
    let waiting = ["waiting_for_approval", "waiting_for_input"];
    for name in active.into_iter().chain(waiting).chain(["completed", "failed", "cancelled"]) {
        let status = RunStatus::parse(name).unwrap();
        assert_eq!(
            (status.is_active(), status.is_waiting()),
            (active.contains(&name), waiting.contains(&name)),
            "{name}"
        );
    }
    assert!(RunStatus::parse("paused").is_none() && RunStatus::parse("").is_none());
}

#[test]
fn sixteen_links_of_an_error_are_looked_at() {
    // E2
    let chain = |links: usize| {
        let innermost = json(r#"{"message":"m","code":"providerNotConfigured"}"#);
        (1..links).fold(innermost, |cause, _| Value::map([("message", "x".into()), ("cause", cause)]))
    };
    assert_eq!(ErrorInfo::from_value(&chain(16)).codes, ["providerNotConfigured"]);
    assert!(ErrorInfo::from_value(&chain(17)).codes.is_empty());
    assert!(RunResult::from_value(&json(r#"{"outcome":7}"#)).is_none());
}

#[test]
fn every_error_has_its_code_and_says_what_happened() {
    // W4
    let fault = Fault {
        info: ErrorInfo::message("no connection"),
        ..Fault::nonsense("storage.swap")
    };
    assert_eq!(format!("{fault:?}"), "Fault(storage.swap: no connection)");
    assert_eq!(fault.to_string(), "storage.swap failed: no connection");
    assert!(Fault::nonsense("now").to_string().starts_with("now failed: the callback returned"));
    let codes = [
        (Error::from(fault), "host.storage.swap"),
        (Error::InvalidArgument("x"), "invalidArgument"),
        (Error::UnknownStatus("x".to_owned()), "unknownStatus"),
        (Error::AttachmentUnsupported("x".to_owned()), "attachmentUnsupported"),
        (Error::TooDeep, "tooDeep"),
        (Error::TooLarge, "tooLarge"),
    ];
    for (error, code) in codes {
        assert_eq!(error.code(), code);
    }
}
