//! Stored messages: what the rules look at, and how they are read where they are (rules M10, N8, W6).

use super::Uid;
use crate::error::Error;
use crate::text;
use crate::value::Value;

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A person.
    User,
    /// The model, or the chat in its name.
    Assistant,
    /// Instructions.
    System,
    /// A tool result.
    Tool,
    /// Nothing the contract knows.
    Other,
}

impl Role {
    /// The role of a stored name.
    pub fn parse(name: &str) -> Role {
        match name {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            "tool" => Role::Tool,
            _ => Role::Other,
        }
    }
}

/// A reference to a file of the host (rule N8).
#[derive(Debug, Clone, PartialEq)]
pub struct FileReference {
    /// The file's identifier.
    pub uid: Uid,
    /// Its name when it was sent.
    pub name: String,
    /// Its declared MIME type.
    pub mime_type: String,
}

impl FileReference {
    /// A reference with a uid; missing texts are "".
    pub fn from_value(value: &Value) -> Option<FileReference> {
        Some(FileReference {
            uid: Uid::from_value(value.get("fileUid"))?,
            name: value.get("fileName").text_or_empty(),
            mime_type: value.get("fileMimeType").text_or_empty(),
        })
    }

    /// The same with names that may be stored (rule N4).
    #[must_use]
    pub fn storable(self) -> FileReference {
        FileReference {
            name: text::storable(&self.name),
            mime_type: text::storable(&self.mime_type),
            ..self
        }
    }

    /// As it is stored.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("fileUid", self.uid.value().clone()),
            ("fileName", Value::from(self.name.as_str())),
            ("fileMimeType", Value::from(self.mime_type.as_str())),
        ])
    }
}

/// The fields of a stored message that the rules look at, without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// Who wrote it.
    pub role: Role,
    /// Its notice, or "".
    pub notice: String,
    /// The arguments of the notice.
    pub notice_args: Vec<String>,
    /// Whether it was said beside a tool call (rule O6).
    pub beside_tool_call: bool,
    /// The client's id of the message (rule N5), or "".
    pub client_id: String,
    /// The digest of the decision this line belongs to (rule D3), or "".
    pub decision_line: String,
    /// The files that hang on it, in either form (rule N8).
    pub files: Vec<FileReference>,
}

impl Head {
    /// The head of a message; whatever has a wrong type counts as absent.
    pub fn from_value(message: &Value) -> Head {
        let text = |key: &str| message.get(key).text_or_empty();
        let files = match message.get("files").as_list() {
            Some(files) => files.iter().filter_map(FileReference::from_value).collect(),
            None => FileReference::from_value(message).into_iter().collect(),
        };
        Head {
            role: Role::parse(&text("role")),
            notice: text("notice"),
            notice_args: message
                .get("noticeArgs")
                .as_list()
                .unwrap_or_default()
                .iter()
                .filter_map(|arg| arg.as_text().map(str::to_owned))
                .collect(),
            beside_tool_call: message.get("besideToolCall") == &Value::Bool(true),
            client_id: text("clientId"),
            decision_line: text("decisionLine"),
            files,
        }
    }
}

/// Notices that the component writes.
pub mod notice {
    /// An answer claims a change of a run that wrote nothing (rule V7).
    pub const NOTHING_SAVED: &str = "nothingSaved";
    /// A completed run gave no text (rule O2).
    pub const NO_ANSWER: &str = "noAnswer";
    /// The run was decided and ended elsewhere (rule N2).
    pub const RUN_FINISHED_OUTSIDE: &str = "runFinishedOutside";
    /// What an earlier run of the turn wrote (rule R2a).
    pub const ALREADY_WRITTEN: &str = "alreadyWritten";
    /// A guardrail stopped this message (rule O8).
    pub const GUARDRAIL: &str = "guardrail";
}

/// The content of a line that only its notice explains.
pub const ELLIPSIS: &str = "…";

/// The messages of a stored conversation, which stay where they are: a rule reads what it needs (rules M10, W6).
pub trait Messages {
    /// How many are stored.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The head of one.
    ///
    /// # Errors
    /// A fault of the host where its object cannot be read.
    fn head(&self, index: usize) -> Result<Head, Error>;

    /// The content of one where it is a text.
    ///
    /// # Errors
    /// As `head`.
    fn text(&self, index: usize) -> Result<Option<String>, Error>;

    /// One byte of flags for each message: what makes a rule look closer (see [`flag`]).
    ///
    /// # Errors
    /// As `head`.
    fn scan(&self) -> Result<Vec<u8>, Error>;

    /// The head of the last one.
    ///
    /// # Errors
    /// As `head`.
    fn last(&self) -> Result<Option<Head>, Error> {
        match self.len().checked_sub(1) {
            Some(index) => self.head(index).map(Some),
            None => Ok(None),
        }
    }
}

/// The flags of [`Messages::scan`].
pub mod flag {
    /// Bits 0-2: 0 user, 1 assistant, 2 system, 3 tool, 4 any other role, 7 not a message at all.
    pub const ROLE: u8 = 0b0000_0111;
    /// The content is a text whose first character behind ASCII blanks is one that everybody sees.
    pub const PLAIN: u8 = 0b0000_1000;
    /// It has a notice or is marked `besideToolCall`.
    pub const MARKED: u8 = 0b0001_0000;
    /// It has `tool_calls`, `tool_call_id` or `name` that is not null.
    pub const PROVIDER: u8 = 0b0010_0000;
    /// Files hang on it.
    pub const FILES: u8 = 0b0100_0000;
    /// It has a `clientId`.
    pub const CLIENT_ID: u8 = 0b1000_0000;
}
