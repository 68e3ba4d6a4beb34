//! What one swap changes: fields that belong together are written together (rules C1, S5, S6).

use super::{DecisionFields, Uid};
use crate::status::Status;
use crate::text;
use crate::value::Value;

/// A message that a patch appends.
#[derive(Debug, Clone, PartialEq)]
pub enum NewMessage {
    /// A message made of these fields.
    Fresh(Vec<(&'static str, Value)>),
    /// The stored message at `index` with fields set and removed; everything else of it stays as it is, unknown fields too.
    Changed {
        /// Its place in the stored transcript.
        index: usize,
        /// Fields that are set.
        set: Vec<(&'static str, Value)>,
        /// Fields that go.
        remove: &'static [&'static str],
    },
}

impl NewMessage {
    /// A message of a role with text, made storable (rule N4).
    pub fn new(role: &str, content: &str) -> NewMessage {
        NewMessage::Fresh(vec![("role", Value::from(role)), ("content", Value::Text(text::storable(content)))])
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> NewMessage {
        match &mut self {
            NewMessage::Fresh(fields) | NewMessage::Changed { set: fields, .. } => {
                fields.push((key, value.into()));
            }
        }
        self
    }

    /// The same with the time it was written, where a clock is given in Unix milliseconds (rule O11).
    #[must_use]
    pub fn at(self, now: Option<f64>) -> NewMessage {
        match now {
            Some(now) => self.with("createdAt", text::timestamp(now)),
            None => self,
        }
    }

    /// As `wasm/flat.js` reads it: `{set}`, or `{index, set, remove}`.
    fn to_value(&self) -> Value {
        let (index, set, remove) = match self {
            NewMessage::Fresh(set) => return Value::map([("set", map(set))]),
            NewMessage::Changed { index, set, remove } => (*index, set, *remove),
        };
        Value::map([
            ("index", Value::Number(index as f64)),
            ("set", map(set)),
            ("remove", Value::texts(remove.iter().copied())),
        ])
    }

    /// The same with a notice and its arguments.
    #[must_use]
    pub fn noticed(self, notice: &str, args: &[String]) -> NewMessage {
        self.with("notice", notice).with("noticeArgs", Value::texts(args.iter().cloned()))
    }
}

/// What happens to the messages: the first `keep` stay, then these follow.
#[derive(Debug, Clone, PartialEq)]
pub struct MessagePatch {
    /// How many stored messages stay.
    pub keep: usize,
    /// What is appended.
    pub append: Vec<NewMessage>,
}

/// The message for administrators and the code: always written together, so that neither outlives the other (rule S6).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// Sanitized (rule E1).
    pub message: String,
    /// At most 32 characters of `[A-Za-z.]` (rule D12).
    pub code: String,
}

impl Failure {
    /// A code without a message.
    pub fn code(code: &str) -> Failure {
        Failure {
            message: String::new(),
            code: code.to_owned(),
        }
    }
}

/// What one swap changes; absent fields stay as they are stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Patch {
    /// The new status.
    pub status: Option<Status>,
    /// The new title.
    pub title: Option<String>,
    /// The new claim, "" to clear it.
    pub claim_id: Option<String>,
    /// Error message and code.
    pub failure: Option<Failure>,
    /// The run that is waited on.
    pub run_uuid: Option<String>,
    /// The run of this turn.
    pub last_run_uuid: Option<String>,
    /// All decision fields (rule S5).
    pub decision: Option<DecisionFields>,
    /// The context of the view the message was sent from (rule N8).
    pub view_context: Option<Value>,
    /// The whole activity list.
    pub activity: Option<Vec<Value>>,
    /// In or out of the archive.
    pub archived: Option<bool>,
    /// Unix seconds.
    pub updated_at: Option<f64>,
    /// What happens to the messages.
    pub messages: Option<MessagePatch>,
}

impl Patch {
    /// The fields in the words of the contract, without `messages`.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        let mut put = |key: &'static str, value: Option<Value>| {
            if let Some(value) = value {
                fields.push((key, value));
            }
        };
        let text = |text: &Option<String>| text.clone().map(Value::Text);
        put("status", self.status.map(|status| status.name().into()));
        put("title", text(&self.title));
        put("claimId", text(&self.claim_id));
        if let Some(failure) = &self.failure {
            put("errorMessage", Some(failure.message.as_str().into()));
            put("errorCode", Some(failure.code.as_str().into()));
        }
        put("runUuid", text(&self.run_uuid));
        put("lastRunUuid", text(&self.last_run_uuid));
        if let Some(fields) = &self.decision {
            let decided_by = fields.decided_by.as_ref().map(Uid::value);
            put("decision", Some(fields.decision.name().into()));
            put("decidedBy", Some(decided_by.cloned().unwrap_or_default()));
            put("turnDigest", Some(fields.turn_digest.as_str().into()));
            put("denyReason", Some(fields.deny_reason.name().into()));
            put("pendingInput", Some(fields.pending_input.clone()));
        }
        put("viewContext", self.view_context.clone());
        put("activity", self.activity.clone().map(Value::List));
        put("archived", self.archived.map(Value::Bool));
        put("updatedAt", self.updated_at.map(Value::Number));
        fields
    }

    /// As `wasm/flat.js` reads it: the fields, and `messages: {keep, append}`.
    pub fn to_value(&self) -> Value {
        let mut fields = self.fields();
        if let Some(messages) = &self.messages {
            let append = messages.append.iter().map(NewMessage::to_value).collect();
            let keep = Value::Number(messages.keep as f64);
            fields.push(("messages", Value::map([("keep", keep), ("append", Value::List(append))])));
        }
        map(&fields)
    }
}

fn map(fields: &[(&'static str, Value)]) -> Value {
    Value::Map(fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_crosses_the_boundary_as_it_is() {
        // C1, O11
        let changed = NewMessage::Changed {
            index: 1,
            set: vec![("content", "b".into())],
            remove: &["notice"],
        };
        let patch = Patch {
            title: Some("t".to_owned()),
            messages: Some(MessagePatch {
                keep: 1,
                append: vec![NewMessage::new("user", "a"), changed],
            }),
            ..Patch::default()
        };
        let fresh = Value::map([("set", Value::map([("role", "user".into()), ("content", "a".into())]))]);
        let changed = Value::map([
            ("index", 1.0.into()),
            ("set", Value::map([("content", "b".into())])),
            ("remove", Value::texts(["notice"])),
        ]);
        let messages = Value::map([("keep", 1.0.into()), ("append", Value::List(vec![fresh, changed]))]);
        assert_eq!(patch.to_value(), Value::map([("title", "t".into()), ("messages", messages)]));
    }
}
