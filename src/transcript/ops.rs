//! The operations that make wire messages out of stored ones, and how they cross the boundary.

use crate::conversation::Role;
use crate::lists::Places;
use crate::value::Value;

/// One operation. All but the first three make a message; `Join`, `Text` and `Parts` change the one that was made last.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// The stored messages from `start` on, role and content as they are.
    Copy {
        /// The first one.
        start: usize,
        /// How many.
        count: usize,
    },
    /// The text of this stored message behind a blank line.
    Join(usize),
    /// This text, as it is.
    Text(String),
    /// A message made of a role and a text.
    Insert(Role, String),
    /// One stored message with provider fields; content that is no text and no part becomes "".
    Fields(usize, Fields),
    /// A text content becomes an array: one text part of it and this text, then one part per file. An array keeps its parts and gets these behind.
    Parts(String, Vec<Part>),
}

/// The provider fields that are sent with a message (rule M3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields {
    /// The calls that are sent; none: no `tool_calls`.
    pub calls: Vec<SentCall>,
    /// Whether the stored `tool_call_id` is sent.
    pub tool_call_id: bool,
    /// Whether the stored `name` is sent.
    pub name: bool,
}

/// A tool call that is sent (rule M8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentCall {
    /// Its place in the stored list.
    pub at: usize,
    /// Its arguments as JSON text; `None`: the call is sent as it is.
    pub arguments: Option<String>,
}

/// A file that is sent (rule M6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The file's uid as text.
    pub uid: String,
    /// How it is sent.
    pub kind: PartKind,
}

/// How a file is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// As `image_url` with a data URI of this type.
    Image(String),
    /// As `document` of this type.
    Document(String),
    /// As a text part with the extracted text.
    Extracted,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The operations.
    pub ops: Vec<Op>,
}

impl Plan {
    /// Plans one stored message as it is; runs of them are one operation.
    pub(super) fn copy(&mut self, index: usize) {
        match self.ops.last_mut() {
            Some(Op::Copy { start, count }) if *start + *count == index => *count += 1,
            _ => self.ops.push(Op::Copy { start: index, count: 1 }),
        }
    }

    /// Takes the fields from a message that was planned with some.
    pub(super) fn without_fields(&mut self, op: usize) {
        if let Some(op) = self.ops.get_mut(op)
            && let Op::Fields(index, _) = op
        {
            *op = Op::Copy { start: *index, count: 1 };
        }
    }

    /// The plan as `weave` in `wasm/row.js` reads it: one word per operation, its code in the low three bits and its operand above, where it has
    /// two the second in a word of its own; and the values that words name by their place.
    pub fn encode(&self) -> (Vec<u32>, Vec<Value>) {
        let mut words = Vec::new();
        let mut values = Vec::new();
        let mut texts = Places::default(); // the same correction stands behind many answers
        let mut value = |value: Value| {
            values.push(value);
            values.len() - 1
        };
        for op in &self.ops {
            let (code, operand, second) = match op {
                Op::Copy { start, count } => (0, *count, Some(*start)),
                Op::Join(index) => (1, *index, None),
                Op::Text(text) => {
                    let place = texts.get(text).unwrap_or_else(|| value(text.as_str().into()));
                    texts.add(text, place);
                    (2, place, None)
                }
                Op::Insert(role, text) => (3, value(message(*role, text)), None),
                Op::Fields(index, fields) => (4, *index, Some(value(fields.to_value()))),
                Op::Parts(text, files) => (5, value(parts(text, files)), None),
            };
            words.push((operand as u32) << 3 | code);
            words.extend(second.map(|second| second as u32));
        }
        (words, values)
    }
}

fn message(role: Role, text: &str) -> Value {
    let role = match role {
        Role::System => "system",
        Role::Assistant => "assistant",
        _ => "user",
    };
    Value::map([("role", role.into()), ("content", text.into())])
}

fn parts(text: &str, files: &[Part]) -> Value {
    let files = files.iter().map(Part::to_value).collect();
    Value::map([("text", text.into()), ("files", Value::List(files))])
}

impl Fields {
    fn to_value(&self) -> Value {
        let calls = self.calls.iter().map(SentCall::to_value).collect();
        Value::map([
            ("calls", Value::List(calls)),
            ("toolCallId", self.tool_call_id.into()),
            ("name", self.name.into()),
        ])
    }
}

impl SentCall {
    fn to_value(&self) -> Value {
        let arguments = self.arguments.clone().map_or(Value::Null, Value::Text);
        Value::map([("at", (self.at as f64).into()), ("arguments", arguments)])
    }
}

impl Part {
    fn to_value(&self) -> Value {
        let (kind, mime) = match &self.kind {
            PartKind::Image(mime) => ("image", mime.as_str()),
            PartKind::Document(mime) => ("document", mime.as_str()),
            PartKind::Extracted => ("extracted", ""),
        };
        Value::map([("uid", self.uid.as_str().into()), ("kind", kind.into()), ("mime", mime.into())])
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[allow(clippy::indexing_slicing, clippy::expect_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_messages_is_one_operation() {
        // M10
        let mut plan = Plan::default();
        for index in [0, 1, 2, 5, 6] {
            plan.copy(index);
        }
        assert_eq!(plan.encode(), (vec![3 << 3, 0, 2 << 3, 5], vec![]));
    }

    #[test]
    fn words_name_their_values_by_place() {
        let fields = Fields {
            name: true,
            ..Fields::default()
        };
        let plan = Plan {
            ops: vec![
                Op::Insert(Role::System, "s".into()),
                Op::Fields(7, fields),
                Op::Text("t".into()),
                Op::Join(8),
                Op::Text("t".into()),
            ],
        };
        let (words, values) = plan.encode();
        assert_eq!(words, [3, 7 << 3 | 4, 1, 2 << 3 | 2, 8 << 3 | 1, 2 << 3 | 2]);
        assert_eq!(values.len(), 3);
        assert_eq!(values[0].get("role"), &Value::from("system"));
        assert_eq!(values[1].get("name"), &Value::Bool(true));
        assert_eq!(values[2], Value::from("t"));
    }

    #[test]
    fn values_say_what_weave_needs() {
        let part = |uid: &str, kind| Part { uid: uid.into(), kind };
        let files = vec![
            part("1", PartKind::Image("image/png".into())),
            part("2", PartKind::Document("application/pdf".into())),
            part("3", PartKind::Extracted),
        ];
        let calls = vec![
            SentCall { at: 2, arguments: None },
            SentCall {
                at: 3,
                arguments: Some("{}".into()),
            },
        ];
        let fields = Fields {
            calls,
            tool_call_id: true,
            ..Fields::default()
        };
        let ops = vec![
            Op::Insert(Role::Assistant, "a".into()),
            Op::Insert(Role::User, "u".into()),
            Op::Parts("p".into(), files),
            Op::Fields(0, fields),
        ];
        let expected = r#"[{"role":"assistant","content":"a"},{"role":"user","content":"u"},
            {"text":"p","files":[{"uid":"1","kind":"image","mime":"image/png"},{"uid":"2","kind":"document","mime":"application/pdf"},
                {"uid":"3","kind":"extracted","mime":""}]},
            {"calls":[{"at":2,"arguments":null},{"at":3,"arguments":"{}"}],"toolCallId":true,"name":false}]"#;
        assert_eq!(Value::List(Plan { ops }.encode().1), serde_json::from_str(expected).expect("values"));
    }
}
