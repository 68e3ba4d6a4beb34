//! The pure rules of host and engine as functions (contract, "pure rules").

use wasm_bindgen::prelude::*;

use super::convert::{argument, argument_fault, decoded, encoded};
use super::files::JsFiles;
use super::page::{CONVERSATION, conversation_fields, fails};
use super::row::JsRow;
use crate::conversation::Conversation;
use crate::error::{Error, ErrorInfo, MESSAGE_LENGTH};
use crate::host::Stored;
use crate::outcome::{self, Context};
use crate::phrases;
use crate::redact;
use crate::refusal;
use crate::run::{Pause, RunResult};
use crate::status::{self, RuleSet};
use crate::text::platform;
use crate::transcript::{self, Input, PromptContext, TaskPrompts};
use crate::value::Value;
use crate::writes::Writes;

#[wasm_bindgen(module = "/src/wasm/shim.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = result)]
    fn read_result(value: &JsValue) -> Result<Option<String>, JsValue>;
    #[wasm_bindgen(catch)]
    fn part(owner: &JsValue, name: &str) -> Result<Option<JsValue>, JsValue>;
    #[wasm_bindgen(catch, js_name = transcriptInput)]
    fn transcript_input(input: &JsValue) -> Result<Option<String>, JsValue>;
}

/// A conversation with its messages that was passed as an argument.
fn stored(value: &JsValue) -> Result<Stored<JsRow>, Error> {
    Ok(Stored {
        conversation: Box::new(Conversation::from_value(&conversation_fields(value, true)?)?),
        row: JsRow::new(value.clone())?,
        offset: 0,
    })
}

/// Options with a rule set and a clock.
fn context(options: &JsValue, result: &RunResult) -> Result<Context, Error> {
    let options = argument(options)?;
    let writes = match result.run_uuid.as_str() {
        "" => Writes::of_steps(&result.steps), // V7
        _ => Writes::Unknown,
    };
    Ok(Context {
        rule_set: RuleSet::parse(options.get("ruleSet").as_text())?,
        now: options.get("now").as_number(),
        writes,
    })
}

/// Section 4.
#[wasm_bindgen(js_name = mapOutcome)]
pub fn map_outcome(conversation: &JsValue, result: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    fails((|| {
        let stored = stored(conversation)?;
        let fields = decoded(read_result(result).map_err(|thrown| argument_fault(&thrown))?);
        let result = RunResult::from_value(&fields).unwrap_or_default();
        let context = context(options, &result)?;
        let patch = outcome::map_outcome(&stored.conversation, &stored.transcript()?, &result, &context);
        stored.row.patch(0, &patch)
    })())
}

/// Section 5, table D7.
#[wasm_bindgen(js_name = mapRefusal)]
pub fn map_refusal(conversation: &JsValue, refusal: &JsValue, kind: &JsValue) -> Result<JsValue, JsValue> {
    fails((|| {
        let stored = stored(conversation)?;
        let refused = ErrorInfo::from_value(&argument(refusal)?);
        let kind = argument(kind)?;
        let kind = kind.as_text().and_then(Pause::parse);
        let kind = kind.ok_or(Error::InvalidArgument("kind is approval or input"))?;
        let patch = refusal::map_refused(&stored.conversation, &stored.transcript()?, &refused, kind)?;
        stored.row.patch(0, &patch)
    })())
}

/// Section 7.
#[wasm_bindgen(js_name = buildTranscript)]
pub fn build_transcript(input: &JsValue) -> Result<JsValue, JsValue> {
    fails((|| {
        const SHAPE: Error = Error::InvalidArgument("input is an object with conversation and task");
        let fault = |thrown: JsValue| argument_fault(&thrown);
        let fields = decoded(Some(transcript_input(input).map_err(fault)?.ok_or(SHAPE)?));
        if fields.get("messages") != &Value::Bool(true) {
            return Err(CONVERSATION);
        }
        let planned = Input {
            system_prompt: fields.get("systemPrompt").text_or_empty(),
            task: TaskPrompts::from_value(fields.get("task")),
            identity: fields.get("identityPrompt").as_text().map(str::to_owned),
            context: PromptContext::from_value(fields.get("context")),
            attachment_budget: fields.get("attachmentBudget").as_number(),
        };
        let row = JsRow::new(part(input, "conversation").map_err(fault)?.ok_or(SHAPE)?)?;
        let files = JsFiles::of(part(input, "files").map_err(fault)?);
        let plan = transcript::plan(&row, &files, &planned)?;
        row.weave(&files, &plan)
    })())
}

/// Rules S2, S3.
#[wasm_bindgen(js_name = statusRules)]
pub fn status_rules(name: &str) -> JsValue {
    let groups = status::groups(name);
    encoded(&Value::map([
        ("known", groups.known.into()),
        ("busy", groups.busy.into()),
        ("waiting", groups.waiting.into()),
        ("resumable", groups.resumable.into()),
    ]))
}

/// Rules S4, S7.
#[wasm_bindgen(js_name = mayTransition)]
pub fn may_transition(from: &str, to: &str, rule_set: Option<String>) -> Result<bool, JsValue> {
    let rule_set = fails(RuleSet::parse(rule_set.as_deref()))?;
    Ok(status::may_transition(from, to, rule_set))
}

/// Rule E1.
#[wasm_bindgen(js_name = sanitizeError)]
pub fn sanitize_error(text: &str, max_length: Option<f64>) -> String {
    let max = max_length.map_or(MESSAGE_LENGTH, |max| max as usize);
    redact::sanitize(text, max, &platform::grapheme_start)
}

/// Rules N2, V8.
#[wasm_bindgen(js_name = isContinueIntent)]
pub fn is_continue_intent(text: &str) -> bool {
    phrases::is_continue_intent(text)
}

/// Rules V7, V8.
#[wasm_bindgen(js_name = claimsChange)]
pub fn claims_change(text: &str) -> bool {
    phrases::claims_change(text)
}
