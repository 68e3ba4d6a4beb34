//! What the reader sees of a conversation (rules V1-V5, V3a, E3).

mod emoji;
mod escape;

use crate::conversation::{Conversation, Uid};
use crate::form::{self, InputForm, Kind};
use crate::outcome::code;
use crate::run::{ViewMode, WaitingView};
use crate::status::Status;
use crate::text;
use crate::value::Value;

/// Keys of notices: the sentences live in the language files of the host or the chat (rule V4).
pub mod key {
    /// A card waits for this reader.
    pub const APPROVAL_PENDING: &str = "chat.approvalPending";
    /// A card waits for somebody else.
    pub const APPROVAL_PENDING_ELSEWHERE: &str = "chat.approvalPendingElsewhere";
    /// A question waits for this reader.
    pub const INPUT_PENDING: &str = "chat.inputPending";
    /// A question waits for somebody else.
    pub const INPUT_PENDING_ELSEWHERE: &str = "chat.inputPendingElsewhere";
    /// A question that the chat cannot show (rule F4).
    pub const QUESTION_UNSUPPORTED: &str = "chat.questionUnsupported";
    /// The turn ended without an answer, for no reason that has a code.
    pub const FAILED: &str = "chat.failed";
    /// Before an error code.
    pub const ERROR: &str = "error.";
}

/// Codes for which the run itself is where to look (rule V5).
const POINTS_TO_RUN: [&str; 5] = [
    "handBack.alreadyResuming",
    "handBack.inputAlreadyResuming",
    "handBack.notAwaitingApproval",
    "handBack.notAwaitingInput",
    code::FINISHED_OUTSIDE,
];

/// The reason of a view that says nothing about why it cannot be read (rule V3).
const UNREADABLE: &str = "unreadable";

/// Milliseconds until the next poll (rule V1).
mod poll {
    pub(super) const BUSY: f64 = 1500.0;
    pub(super) const WAITING: f64 = 10_000.0;
    pub(super) const SETTLED: f64 = 0.0;
}

/// Who looks, and what the host lets them do.
#[derive(Debug, Clone)]
pub struct Reader {
    /// Who.
    pub uid: Uid,
    /// Whether they see technical messages (rule E3).
    pub is_admin: bool,
    /// Whether they may decide about a card (rule D4).
    pub may_decide: bool,
    /// Whether they may answer a question; `None`: the owner may.
    pub may_write: Option<bool>,
}

impl Reader {
    /// The reader in a value; `None` where there is no uid.
    pub fn from_value(value: &Value) -> Option<Reader> {
        Some(Reader {
            uid: Uid::from_value(value.get("uid"))?,
            is_admin: value.get("isAdmin") == &Value::Bool(true),
            may_decide: value.get("mayDecide") == &Value::Bool(true),
            may_write: value.get("mayWrite").as_bool(),
        })
    }

    fn may_answer(&self, conversation: &Conversation) -> bool {
        self.may_write.unwrap_or_else(|| self.uid == conversation.owner)
    }
}

/// A sentence to show: the key of a label and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Of the language file (rule V4).
    pub key: String,
    /// In the order in which the sentence names them.
    pub args: Vec<String>,
}

/// Pending calls that this reader may decide about.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// What a decision carries back.
    pub turn_digest: String,
    /// As the runtime gave them, with deceptive characters escaped (rule V3a).
    pub calls: Vec<Value>,
    /// Whether what they would change has moved on.
    pub stale: bool,
    /// Whether the time to decide is over.
    pub expired: bool,
    /// Why the calls cannot be shown.
    pub unreadable: Option<String>,
}

/// A question that this reader may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// How it is shown.
    pub form: InputForm,
    /// What an answer carries back.
    pub turn_digest: String,
}

/// Everything that a reader sees besides the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationView {
    /// Rule S2.
    pub busy: bool,
    /// Whether a message can be sent.
    pub may_send: bool,
    /// Whether Retry is offered; the runtime was not asked (rule R1).
    pub may_retry: bool,
    /// In the order in which they are shown (rule V2).
    pub notices: Vec<Notice>,
    /// The card (rule V3).
    pub card: Option<Card>,
    /// The question (rule V3).
    pub form: Option<Question>,
    /// Whether the run itself is where to look (rule V5).
    pub points_to_run: bool,
    /// Milliseconds until the next poll; 0: nothing changes by itself.
    pub poll_after: f64,
}

/// What a reader sees of a conversation, with the view of the run it waits on. `now` is Unix milliseconds; without it no card has expired.
pub fn present(conversation: &Conversation, reader: &Reader, waiting: Option<&WaitingView>, now: Option<f64>) -> ConversationView {
    let status = conversation.status;
    let form = question(conversation, reader, waiting);
    ConversationView {
        busy: status.is_busy(),
        may_send: !status.is_busy(),
        may_retry: may_retry(conversation),
        notices: notices(conversation, reader, form.as_ref()),
        card: card(conversation, reader, waiting, now),
        form,
        points_to_run: POINTS_TO_RUN.contains(&conversation.error_code.as_str()),
        poll_after: match (status.is_busy(), status.is_waiting()) {
            (true, _) => poll::BUSY,
            (_, true) => poll::WAITING,
            _ => poll::SETTLED,
        },
    }
}

/// R1, as far as the row says.
fn may_retry(conversation: &Conversation) -> bool {
    let in_flight = !conversation.run_uuid.is_empty() && conversation.decision.is_recorded();
    let guarded = conversation.status == Status::Failed && conversation.error_code == code::GUARDRAIL;
    conversation.status.is_resumable() && !in_flight && !guarded
}

/// V2.
fn notices(conversation: &Conversation, reader: &Reader, form: Option<&Question>) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut say = |key: &str, args: Vec<String>| {
        notices.push(Notice { key: key.to_owned(), args });
    };
    let code = conversation.error_code.as_str();
    let mut args = Vec::new();
    match conversation.status {
        Status::Processing | Status::Locked | Status::ToolLoop => return notices,
        Status::Idle => {}
        Status::AwaitingApproval => match reader.may_decide {
            true => say(key::APPROVAL_PENDING, Vec::new()),
            false => say(key::APPROVAL_PENDING_ELSEWHERE, Vec::new()),
        },
        Status::AwaitingInput => {
            match reader.may_answer(conversation) {
                true => say(key::INPUT_PENDING, Vec::new()),
                false => say(key::INPUT_PENDING_ELSEWHERE, Vec::new()),
            }
            if form.is_some_and(|question| question.form.kind == Kind::Unsupported) {
                say(key::QUESTION_UNSUPPORTED, Vec::new());
            }
        }
        Status::Failed => {
            if reader.is_admin && !conversation.error_message.is_empty() {
                args.push(conversation.error_message.clone()); // E3
            }
            if code.is_empty() {
                say(key::FAILED, std::mem::take(&mut args));
            }
        }
    }
    if !code.is_empty() {
        say(&[key::ERROR, code].concat(), args);
    }
    notices
}

/// V3.
fn card(conversation: &Conversation, reader: &Reader, waiting: Option<&WaitingView>, now: Option<f64>) -> Option<Card> {
    let view = waiting.filter(|view| view.mode != ViewMode::Input)?;
    if conversation.status != Status::AwaitingApproval || !reader.may_decide {
        return None;
    }
    let calls = &view.pending_calls;
    let is_stale = |call: &Value| call.get("previewStale") == &Value::Bool(true);
    let reason = view.unreadable_reason.as_deref();
    let reason = reason.filter(|reason| !text::is_blank(reason)).unwrap_or(UNREADABLE);
    Some(Card {
        turn_digest: view.turn_digest.clone().unwrap_or_default(),
        stale: conversation.error_code == code::PREVIEW_CHANGED || calls.iter().any(is_stale),
        calls: calls.iter().map(escape::value).collect(),
        expired: now.is_some_and(|now| view.is_expired(now)),
        unreadable: (view.mode == ViewMode::Unreadable).then(|| reason.to_owned()),
    })
}

/// V3.
fn question(conversation: &Conversation, reader: &Reader, waiting: Option<&WaitingView>) -> Option<Question> {
    let view = waiting.filter(|view| view.mode == ViewMode::Input)?;
    if conversation.status != Status::AwaitingInput || !reader.may_answer(conversation) {
        return None;
    }
    let digest = view.turn_digest.as_deref().filter(|digest| !digest.is_empty())?; // D1 refuses an empty one
    Some(Question {
        form: form::input_form(&view.input_schema),
        turn_digest: digest.to_owned(),
    })
}

impl ConversationView {
    /// In the words of the contract.
    pub fn to_value(&self) -> Value {
        Value::map([
            ("busy", self.busy.into()),
            ("maySend", self.may_send.into()),
            ("mayRetry", self.may_retry.into()),
            ("notices", Value::List(self.notices.iter().map(Notice::to_value).collect())),
            ("card", self.card.as_ref().map_or(Value::Null, Card::to_value)),
            ("form", self.form.as_ref().map_or(Value::Null, Question::to_value)),
            ("pointsToRun", self.points_to_run.into()),
            ("pollAfter", self.poll_after.into()),
        ])
    }
}

impl Notice {
    fn to_value(&self) -> Value {
        Value::map([("key", self.key.as_str().into()), ("args", Value::texts(self.args.iter().cloned()))])
    }
}

impl Card {
    fn to_value(&self) -> Value {
        Value::map([
            ("turnDigest", self.turn_digest.as_str().into()),
            ("calls", Value::List(self.calls.clone())),
            ("stale", self.stale.into()),
            ("expired", self.expired.into()),
            ("unreadable", self.unreadable.as_deref().map_or(Value::Null, Value::from)),
        ])
    }
}

impl Question {
    fn to_value(&self) -> Value {
        let [kind, question, options, free_text, fields] = self.form.entries();
        let digest = ("turnDigest", self.turn_digest.as_str().into());
        Value::map([kind, question, options, free_text, fields, digest])
    }
}
