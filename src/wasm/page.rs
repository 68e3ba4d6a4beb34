//! The rules that a reader's page asks, as functions (contract, "pure rules"): all there is in the build without the feature `engine`.

use wasm_bindgen::prelude::*;

use super::convert::{argument, argument_fault, decoded, encoded, thrown};
use crate::conversation::Conversation;
use crate::error::Error;
use crate::form::{self, Words};
use crate::present::{self, Reader};
use crate::run::WaitingView;
use crate::value::Value;

#[wasm_bindgen(module = "/src/wasm/flat.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = conversation)]
    fn read_conversation(value: &JsValue, needs_messages: bool) -> Result<Option<String>, JsValue>;
}

/// What is said where an argument should be a conversation.
pub const CONVERSATION: Error = Error::InvalidArgument("conversation is an object with its messages");

/// The answer of a rule, or what the package turns into an `AgentTurnError`.
pub fn fails<T>(result: Result<T, Error>) -> Result<T, JsValue> {
    result.map_err(|error| thrown(&error))
}

/// The fields of a conversation that was passed as an argument, without its messages.
///
/// # Errors
/// `InvalidArgument` where it is none or cannot be read, `TooDeep`, `TooLarge`.
pub fn conversation_fields(value: &JsValue, needs_messages: bool) -> Result<Value, Error> {
    let fields = read_conversation(value, needs_messages).map_err(|thrown| argument_fault(&thrown))?;
    Ok(decoded(Some(fields.ok_or(CONVERSATION)?)))
}

/// Section 6.
#[wasm_bindgen(js_name = inputForm)]
pub fn input_form(schema: &JsValue) -> Result<JsValue, JsValue> {
    let schema = fails(argument(schema))?;
    Ok(encoded(&form::input_form(&schema).to_value()))
}

/// Rules F6, F7.
#[wasm_bindgen(js_name = answerForm)]
pub fn answer_form(schema: &JsValue, answer: &JsValue, words: &JsValue) -> Result<JsValue, JsValue> {
    fails((|| {
        let words = argument(words)?;
        let mut chosen = Words::default();
        if let Some(yes) = words.get("yes").as_text() {
            yes.clone_into(&mut chosen.yes);
        }
        if let Some(no) = words.get("no").as_text() {
            no.clone_into(&mut chosen.no);
        }
        let answered = form::answer_form(&argument(schema)?, &argument(answer)?, &chosen);
        Ok(match answered {
            None => JsValue::NULL,
            Some(answered) => encoded(&Value::map([("data", Value::Map(answered.data)), ("display", answered.display.into())])),
        })
    })())
}

/// Section 11.
#[wasm_bindgen(js_name = present)]
pub fn present(conversation: &JsValue, reader: &JsValue, waiting: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    fails((|| {
        let conversation = Conversation::from_value(&conversation_fields(conversation, false)?)?;
        const READER: Error = Error::InvalidArgument("reader is an object with a uid");
        let reader = Reader::from_value(&argument(reader)?).ok_or(READER)?;
        let waiting = WaitingView::from_value(&argument(waiting)?);
        let now = argument(options)?.get("now").as_number();
        let view = present::present(&conversation, &reader, waiting.as_ref(), now);
        Ok(encoded(&view.to_value()))
    })())
}

/// The version of the component.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
