//! The stored conversation, its messages and what one write changes: plain values (rules S5, S6, O11).

mod message;
mod patch;

use crate::error::Error;
use crate::status::Status;
use crate::text::platform::number_text;
use crate::value::Value;

pub use message::{ELLIPSIS, FileReference, Head, Messages, Role, flag, notice};
pub use patch::{Failure, MessagePatch, NewMessage, Patch};

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
