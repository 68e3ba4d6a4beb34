//! Tool calls and their results, repaired on the way out (rule M8).

use super::{Source, json, role_of};
use crate::conversation::{Role, flag};
use crate::error::Error;
use crate::lists::Places;
use crate::value::Value;

/// The provider fields of one message.
#[derive(Debug, Default)]
pub(super) struct Provider {
    pub(super) calls: Vec<Call>,
    pub(super) tool_call_id: String,
    pub(super) name: Option<String>,
}

/// A stored tool call.
#[derive(Debug)]
pub(super) struct Call {
    /// "" where it has none, so that no result fits.
    pub(super) id: String,
    /// The arguments as JSON text, where they were none.
    pub(super) arguments: Option<String>,
}

impl Provider {
    /// The fields in a value as [`provider_view`] makes it; whatever has a wrong type counts as absent.
    pub(super) fn from_value(value: &Value) -> Provider {
        let calls = value.get("tool_calls").as_list().unwrap_or_default();
        let name = value.get("name").text_or_empty();
        Provider {
            calls: calls.iter().map(Call::from_value).collect(),
            tool_call_id: value.get("tool_call_id").text_or_empty(),
            name: Some(name).filter(|name| !name.is_empty()),
        }
    }
}

impl Call {
    fn from_value(call: &Value) -> Call {
        Call {
            id: call.get("id").text_or_empty(),
            arguments: match call.get("arguments") {
                Value::Text(_) => None, // byte for byte
                Value::Null if call.has("arguments") => Some("{}".to_owned()),
                Value::Null => None,
                value => Some(json::text(value)),
            },
        }
    }
}

/// The provider fields of a message as [`Source::provider`] gives them: ids, and arguments only where they are no text, so that no text is copied.
pub fn provider_view(message: &Value) -> Value {
    let calls = message.get("tool_calls").as_list().unwrap_or_default();
    Value::map([
        ("tool_calls", Value::List(calls.iter().map(call_view).collect())),
        ("tool_call_id", message.get("tool_call_id").clone()),
        ("name", message.get("name").clone()),
    ])
}

fn call_view(call: &Value) -> Value {
    if call.as_map().is_none() {
        return Value::Null;
    }
    let holder = match call.get("function") {
        function @ Value::Map(_) => function,
        _ => call,
    };
    let mut view = vec![("id".to_owned(), call.get("id").clone())];
    if holder.has("arguments") && holder.get("arguments").as_text().is_none() {
        view.push(("arguments".to_owned(), holder.get("arguments").clone()));
    }
    Value::Map(view)
}

/// A tool message that answers a call.
#[derive(Debug)]
pub(super) struct Answered {
    /// Its place.
    pub(super) at: usize,
    /// Its name, where it has one.
    pub(super) name: Option<String>,
    /// Whether its call is sent.
    pub(super) is_sent: bool,
}

/// The results in the unbroken row of tool messages behind a message, the first one of each id, and where the ids are among them.
pub(super) fn results_behind(messages: &dyn Source, flags: &[u8], index: usize) -> Result<(Places, Vec<Answered>), Error> {
    let mut ids = Places::default();
    let mut results = Vec::new();
    for (at, &flags) in flags.iter().enumerate().skip(index + 1) {
        match role_of(flags) {
            None => {}
            Some(Role::Tool) if flags & flag::PROVIDER != 0 => {
                let result = Provider::from_value(&messages.provider(at)?);
                if !result.tool_call_id.is_empty() && ids.add(&result.tool_call_id, results.len()) {
                    results.push(Answered {
                        at,
                        name: result.name,
                        is_sent: false,
                    });
                }
            }
            Some(Role::Tool) => {}
            Some(_) => break,
        }
    }
    Ok((ids, results))
}
