//! What only the boundary can get wrong: decoding, errors, overlapping calls, freeing in flight, hosts that misbehave. One suite for Node and browsers.

use agent_turn::wasm::engine::Engine;
use agent_turn::wasm::{page, rules};
use js_sys::Promise;
use js_sys::futures::JsFuture;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen(module = "/tests/common/host.js")]
extern "C" {
    #[wasm_bindgen(js_name = createHost)]
    fn create_host(callback: &str, fault: &str) -> JsValue;
    fn settings() -> JsValue;
    fn actor() -> JsValue;
    fn get(value: &JsValue, path: &str) -> JsValue;
    #[wasm_bindgen(js_name = isCauseOf)]
    fn is_cause_of(host: &JsValue, thrown: &JsValue) -> bool;
    fn nested(levels: f64) -> JsValue;
}

fn engine(host: &JsValue) -> Engine {
    Engine::new(host.clone(), settings()).expect("a host with storage and runtime")
}

async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}

fn text(value: &JsValue, path: &str) -> String {
    get(value, path).as_string().unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_turn_settles_and_touches_nothing_else() {
    // T4, T5, C5, W6
    let host = create_host("storage.load", "");
    let report = settled(engine(&host).run_next("w".into())).await.unwrap();
    assert_eq!(text(&report, "outcome"), "settled");
    assert_eq!(text(&host, "row.status"), "idle");
    assert_eq!(text(&host, "row.messages.1.content"), "Guten Tag");
    assert!(get(&host, "row.messages.0.x_host.n").is_bigint());
    assert_eq!(text(&host, "row.activity.0.tool"), "list_pages");
}

#[wasm_bindgen_test]
async fn calls_overlap_and_freeing_in_flight_is_safe() {
    // W3, W7, C2
    let host = create_host("storage.load", "");
    let engine = engine(&host);
    let calls: Vec<_> = (0..4).map(|_| engine.process(1.into(), JsValue::NULL, false)).collect();
    drop(engine);
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(text(&settled(call).await.unwrap(), "outcome"));
    }
    outcomes.sort();
    assert_eq!(outcomes, ["notClaimed", "notClaimed", "notClaimed", "settled"]);
    assert_eq!(get(&host, "runs").as_f64(), Some(1.0));
}

#[wasm_bindgen_test]
async fn a_storage_that_misbehaves_is_named_whatever_it_does() {
    // W4
    for callback in ["storage.load", "storage.swap", "storage.find"] {
        for fault in ["throws", "rejects", "nonsense", "missing"] {
            let host = create_host(callback, fault);
            let thrown = settled(engine(&host).run_next("w".into())).await.unwrap_err();
            assert_eq!(text(&thrown, "code"), format!("host.{callback}"), "{fault}");
            if fault == "throws" {
                assert!(is_cause_of(&host, &thrown), "the host's own error, by identity");
            }
            assert_eq!(text(&host, "row.status"), "processing");
        }
    }
}

#[wasm_bindgen_test]
async fn a_runtime_that_misbehaves_fails_the_turn() {
    // T6, W4
    for callback in ["runtime.run", "resolveTask", "actorOf"] {
        for fault in ["throws", "rejects", "nonsense"] {
            let host = create_host(callback, fault);
            let report = settled(engine(&host).run_next("w".into())).await.unwrap();
            assert_eq!(text(&report, "status"), "failed", "{callback} {fault}");
            assert_ne!(text(&host, "row.errorMessage"), "");
        }
    }
}

#[wasm_bindgen_test]
async fn quiet_callbacks_cost_nothing() {
    // W4
    for callback in ["storage.touch", "runtime.status", "log"] {
        for fault in ["throws", "rejects", "nonsense", "missing"] {
            let host = create_host(callback, fault);
            let report = settled(engine(&host).run_next("w".into())).await.unwrap();
            assert_eq!(text(&report, "status"), "idle", "{callback} {fault}");
        }
    }
}

#[wasm_bindgen_test]
async fn a_getter_that_throws_costs_an_error_and_nothing_else() {
    // W6; 3000 is past the depth of the stack that a lost exception would leave unpopped
    let broken = create_host("title", "getter");
    let good = create_host("storage.load", "");
    for _ in 0..3000 {
        let thrown = settled(engine(&broken).poll(1.into(), actor(), 0.into())).await.unwrap_err();
        assert_eq!(text(&thrown, "code"), "host.storage.load");
    }
    let reply = settled(engine(&good).poll(1.into(), actor(), 0.into())).await.unwrap();
    assert_eq!(text(&reply, "conversation.status"), "processing");
}

#[wasm_bindgen_test]
async fn malformed_arguments_reject_before_anything_is_loaded() {
    // N6, W4
    let host = create_host("storage.load", "throws");
    let engine = engine(&host);
    let cases = [
        engine.send_message(1.into(), actor(), JsValue::NULL),
        engine.edit_message(1.into(), actor(), "0".into(), JsValue::NULL),
        engine.record_decision(1.into(), actor(), JsValue::NULL),
        engine.poll(1.into(), actor(), "all".into()),
        engine.poll(JsValue::NULL, actor(), 0.into()),
        engine.retry(1.into(), JsValue::NULL),
    ];
    for case in cases {
        let thrown = settled(case).await.unwrap_err();
        assert_eq!(text(&thrown, "code"), "invalidArgument");
    }
}

#[wasm_bindgen_test]
fn pure_rules_throw_errors_with_a_code() {
    // W4, S3
    let thrown = rules::map_outcome(&JsValue::NULL, &JsValue::NULL, &JsValue::UNDEFINED).unwrap_err();
    assert_eq!(text(&thrown, "code"), "invalidArgument");
    let thrown = page::input_form(&nested(65.0)).unwrap_err();
    assert_eq!(text(&thrown, "code"), "tooDeep");
    assert!(page::input_form(&nested(64.0)).is_ok());
}

#[wasm_bindgen_test]
fn the_platform_knows_graphemes_and_compositions() {
    // E1, N1, V8: what native tests take from crates comes from the platform here
    let flags = "🇩🇪".repeat(300);
    let cut = rules::sanitize_error(&flags, Some(10.0));
    assert_eq!(cut.chars().count() % 2, 1, "whole flags and the ellipsis: {cut}");
    assert!(rules::is_continue_intent("ｇｏ ｏｎ"));
}
