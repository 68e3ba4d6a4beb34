//! The stored conversation, its messages and what one write changes: plain values (rules S5, S6, O11).

use crate::error::Error;
use crate::status::Status;
use crate::text;
use crate::text::platform::number_text;
use crate::value::Value;

/// An identifier of the host: a number or a text, compared as text (rule C8).
#[derive(Debug, Clone)]
pub struct Uid(Value);

impl Uid {
    /// The uid in a value, if it can be one: a text that is not empty or a number.
    pub fn from_value(value: &Value) -> Option<Uid> {
        match value {
            Value::Text(text) if !text.is_empty() => Some(Uid(value.clone())),
            Value::Number(number) if number.is_finite() => Some(Uid(value.clone())),
            Value::Integer(_) => Some(Uid(value.clone())),
            _ => None,
        }
    }

    /// As text: 7 and "7" are one.
    pub fn text(&self) -> String {
        match &self.0 {
            Value::Text(text) => text.clone(),
            Value::Number(number) => number_text(*number),
            Value::Integer(number) => number.to_string(),
            _ => String::new(),
        }
    }

    /// As the host gave it.
    pub fn value(&self) -> &Value {
        &self.0
    }
}

impl PartialEq for Uid {
    fn eq(&self, other: &Uid) -> bool {
        self.text() == other.text()
    }
}

impl From<f64> for Uid {
    fn from(number: f64) -> Uid {
        Uid(Value::Number(number))
    }
}

impl From<&str> for Uid {
    fn from(text: &str) -> Uid {
        Uid(Value::from(text))
    }
}

/// What a person decided, as recorded until a consumer carries it out (rules D1, D2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decision {
    /// None is recorded.
    #[default]
    None,
    /// The pending calls may run.
    Approve,
    /// They may not.
    Deny,
    /// The question was answered.
    Input,
}

impl Decision {
    /// The name as it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Decision::None => "",
            Decision::Approve => "approve",
            Decision::Deny => "deny",
            Decision::Input => "input",
        }
    }

    fn parse(name: &str) -> Option<Decision> {
        [Decision::None, Decision::Approve, Decision::Deny, Decision::Input]
            .into_iter()
            .find(|decision| decision.name() == name)
    }
}

/// Why a proposal was denied (rule D1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DenyReason {
    /// No reason.
    #[default]
    None,
    /// Another one, please.
    Variant,
    /// Leave it.
    Skip,
}

impl DenyReason {
    /// The name as it is stored and passed to the runtime.
    pub fn name(self) -> &'static str {
        match self {
            DenyReason::None => "",
            DenyReason::Variant => "variant",
            DenyReason::Skip => "skip",
        }
    }

    /// The reason of a name.
    pub fn parse(name: &str) -> Option<DenyReason> {
        [DenyReason::None, DenyReason::Variant, DenyReason::Skip]
            .into_iter()
            .find(|reason| reason.name() == name)
    }
}

/// The decision fields: set and cleared together (rule S5).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecisionFields {
    /// What was decided.
    pub decision: Decision,
    /// Who decided; `None` in older rows and while nothing is recorded.
    pub decided_by: Option<Uid>,
    /// The digest exactly as the reader's card carried it.
    pub turn_digest: String,
    /// Why it was denied.
    pub deny_reason: DenyReason,
    /// The submitted values of an answer; `Null` without one.
    pub pending_input: Value,
}

impl DecisionFields {
    /// Whether a decision or an answer waits to be carried out.
    pub fn is_recorded(&self) -> bool {
        self.decision != Decision::None
    }
}

/// What kind of step an entry of the activity list stands for (rule V6).
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityEntry {
    /// `llm`, `tool`, `approval` or `input`.
    pub kind: &'static str,
    /// The round of the model.
    pub round: f64,
    /// Milliseconds.
    pub ms: f64,
    /// The tool's name.
    pub tool: Option<String>,
    /// Whether the tool failed; written only where it did.
    pub error: bool,
    /// What was decided.
    pub approved: Option<bool>,
}

impl ActivityEntry {
    /// As it is stored.
    pub fn to_value(&self) -> Value {
        let mut entries = vec![
            ("kind".to_owned(), Value::from(self.kind)),
            ("round".to_owned(), Value::Number(self.round)),
            ("ms".to_owned(), Value::Number(self.ms)),
        ];
        if let Some(tool) = &self.tool {
            entries.push(("tool".to_owned(), Value::from(tool.as_str())));
        }
        if self.error {
            entries.push(("error".to_owned(), Value::Bool(true)));
        }
        if let Some(approved) = self.approved {
            entries.push(("approved".to_owned(), Value::Bool(approved)));
        }
        Value::Map(entries)
    }
}

/// A stored row without its messages.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// Its identifier.
    pub uid: Uid,
    /// Whose conversation it is.
    pub owner: Uid,
    /// Shown in lists; "" until the first message.
    pub title: String,
    /// Its status.
    pub status: Status,
    /// 0 when inserted, raised by one at every swap.
    pub revision: f64,
    /// The claim of a consumer.
    pub claim_id: String,
    /// The sanitized technical message (rule E1).
    pub error_message: String,
    /// Its code (rules D7, E2).
    pub error_code: String,
    /// The run a waiting conversation waits on.
    pub run_uuid: String,
    /// The run of this turn that was started last.
    pub last_run_uuid: String,
    /// What a person decided.
    pub decision: DecisionFields,
    /// The conversation's own instructions.
    pub system_prompt: String,
    /// The stored activity entries, as they are.
    pub activity: Vec<Value>,
    /// Whether it is in the archive.
    pub archived: bool,
    /// Whether it is pinned.
    pub pinned: bool,
    /// Unix seconds of the last write or heartbeat.
    pub updated_at: f64,
}

impl Conversation {
    /// The row in a value; absent fields are taken as empty.
    ///
    /// # Errors
    /// `UnknownStatus` (rule S3); `InvalidArgument` where `uid`, `status`, `revision` or a decision field cannot be what the contract says.
    pub fn from_value(row: &Value) -> Result<Conversation, Error> {
        let text = |key: &str| row.get(key).text_or_empty();
        let number = |key: &str| row.get(key).as_number().unwrap_or_default();
        let flag = |key: &str| row.get(key).as_bool().unwrap_or_default();
        const SHAPE: Error = Error::InvalidArgument("a conversation as the contract describes it");
        let status = row.get("status").as_text().ok_or(SHAPE)?;
        let revision = match row.get("revision") {
            Value::Null => 0.0,
            value => value.as_number().ok_or(SHAPE)?,
        };
        Ok(Conversation {
            uid: Uid::from_value(row.get("uid")).unwrap_or(Uid(Value::Null)),
            owner: Uid::from_value(row.get("owner")).unwrap_or(Uid(Value::Null)),
            title: text("title"),
            status: Status::parse(status)?,
            revision,
            claim_id: text("claimId"),
            error_message: text("errorMessage"),
            error_code: text("errorCode"),
            run_uuid: text("runUuid"),
            last_run_uuid: text("lastRunUuid"),
            decision: DecisionFields {
                decision: Decision::parse(&text("decision")).ok_or(SHAPE)?,
                decided_by: Uid::from_value(row.get("decidedBy")),
                turn_digest: text("turnDigest"),
                deny_reason: DenyReason::parse(&text("denyReason")).unwrap_or_default(),
                pending_input: row.get("pendingInput").clone(),
            },
            system_prompt: text("systemPrompt"),
            activity: row.get("activity").as_list().unwrap_or_default().to_vec(),
            archived: flag("archived"),
            pinned: flag("pinned"),
            updated_at: number("updatedAt"),
        })
    }

    /// What this row is after a patch was swapped in.
    pub fn patched(&self, patch: &Patch) -> Conversation {
        let mut row = self.clone();
        let patch = patch.clone();
        row.revision += 1.0;
        row.status = patch.status.unwrap_or(row.status);
        row.title = patch.title.unwrap_or(row.title);
        row.claim_id = patch.claim_id.unwrap_or(row.claim_id);
        if let Some(failure) = patch.failure {
            row.error_message = failure.message;
            row.error_code = failure.code;
        }
        row.run_uuid = patch.run_uuid.unwrap_or(row.run_uuid);
        row.last_run_uuid = patch.last_run_uuid.unwrap_or(row.last_run_uuid);
        row.decision = patch.decision.unwrap_or(row.decision);
        row.activity = patch.activity.unwrap_or(row.activity);
        row.archived = patch.archived.unwrap_or(row.archived);
        row.updated_at = patch.updated_at.unwrap_or(row.updated_at);
        row
    }
}

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
}

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
