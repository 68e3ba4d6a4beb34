//! A stored row: plain messages, and the fields beside them as they are stored.

use agent_turn::conversation::{Conversation, Head, MessagePatch, Messages, Patch};
use agent_turn::error::{Error, Fault};
use agent_turn::host::Stored;
use agent_turn::plain::PlainMessages;
use agent_turn::transcript::Source;
use agent_turn::value::Value;

use super::values::put;

/// A row as the host has read it.
#[derive(Clone)]
pub struct Row {
    /// Without messages.
    pub fields: Value,
    pub messages: PlainMessages,
}

impl Row {
    /// The row in what a callback answered (rule W4).
    pub fn stored(callback: &'static str, row: &Value) -> Result<Option<Stored<Row>>, Error> {
        if row.is_null() {
            return Ok(None);
        }
        let is_row = row.get("status").as_text().is_some() && row.get("revision").as_number().is_some();
        let messages = row.get("messages").as_list().filter(|_| is_row).ok_or(Fault::nonsense(callback))?;
        let conversation = Conversation::from_value(row).map_err(|error| match error {
            Error::InvalidArgument(_) => Fault::nonsense(callback).into(),
            other => other,
        })?;
        let count = row.get("messageCount").as_safe_integer();
        let fields = row.as_map().unwrap_or_default().iter();
        Ok(Some(Stored {
            conversation: Box::new(conversation),
            offset: count.map_or(0, |count| (count as usize).saturating_sub(messages.len())),
            row: Row {
                fields: Value::Map(fields.filter(|(key, _)| key != "messages").cloned().collect()),
                messages: PlainMessages(messages.to_vec()),
            },
        }))
    }

    /// What is appended by a patch, where `offset` messages were not read.
    pub fn appended(&self, offset: usize, change: &MessagePatch) -> Vec<Value> {
        self.all(offset).patched(change).0.split_off(change.keep)
    }

    /// The row as it is after a patch.
    pub fn patched(&self, offset: usize, patch: &Patch) -> Row {
        let mut row = self.clone();
        for (key, value) in patch.fields() {
            put(&mut row.fields, key, value);
        }
        if let Some(change) = &patch.messages {
            let messages = self.all(offset).patched(change).0;
            row.messages = PlainMessages(messages.into_iter().skip(offset).collect());
        }
        row
    }

    /// The messages at their places; those that were not read are empty.
    fn all(&self, offset: usize) -> PlainMessages {
        let unread = std::iter::repeat_n(Value::Null, offset);
        PlainMessages(unread.chain(self.messages.0.iter().cloned()).collect())
    }
}

impl Messages for Row {
    fn len(&self) -> usize {
        self.messages.len()
    }

    fn head(&self, index: usize) -> Result<Head, Error> {
        self.messages.head(index)
    }

    fn text(&self, index: usize) -> Result<Option<String>, Error> {
        self.messages.text(index)
    }

    fn scan(&self) -> Result<Vec<u8>, Error> {
        self.messages.scan()
    }
}

impl Source for Row {
    fn provider(&self, index: usize) -> Result<Value, Error> {
        self.messages.provider(index)
    }

    fn has_parts(&self, index: usize) -> Result<bool, Error> {
        self.messages.has_parts(index)
    }
}
