//! Requests that bring text: create, send, edit (rules N0-N5, N8).

use super::inquiry::Fate;
use super::{Clock, Engine};
use crate::conversation::{Conversation, FileReference, MessagePatch, Messages, NewMessage, Patch, Role, Uid, flag, notice};
use crate::error::Error;
use crate::host::{Action, Asked, Host, Query, Stored};
use crate::outcome;
use crate::phrases;
use crate::reply::{Refusal, Reply, Stop, reply};
use crate::run::{Actor, RunStatus};
use crate::status::{BUSY, Status};
use crate::text;
use crate::transcript::{FileInfo, Files};
use crate::value::Value;

/// The longest instructions of a conversation, in code points (rule N0).
const PROMPT_LENGTH: usize = 10_000;

/// What a conversation is created with.
#[derive(Debug, Clone, Default)]
pub struct NewConversation {
    /// A title of one's own, or "".
    pub title: String,
    /// Its own instructions, or "".
    pub system_prompt: String,
    /// The view it was opened from.
    pub view_context: Value,
}

/// A message that is sent.
#[derive(Debug, Clone)]
pub struct NewText {
    /// The text.
    pub content: String,
    /// The client's id of this message (rule N5), or "".
    pub client_id: String,
    /// Files that hang on it.
    pub files: Vec<FileReference>,
    /// `None` keeps the stored context, `Null` clears it (rule N8).
    pub view_context: Option<Value>,
}

/// A message that is replaced.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Its place.
    pub index: f64,
    /// The new text.
    pub content: String,
    /// The text that the client saw.
    pub expected_content: String,
    /// How many messages the client saw.
    pub message_count: f64,
}

impl<H: Host + 'static> Engine<H> {
    /// Creates a conversation at rest (rule N0).
    ///
    /// # Errors
    /// `host.storage.insert`, `host.now`.
    pub async fn create_conversation(&self, actor: &Actor, input: NewConversation) -> Result<Reply<Uid>, Error> {
        let system_prompt = text::storable(&input.system_prompt);
        if text::length(&system_prompt) > PROMPT_LENGTH {
            return Ok(Err(Refusal::PromptTooLong));
        }
        let now = self.clock()?.seconds;
        let empty = || Value::from("");
        let fields = vec![
            ("owner", actor.uid.value().clone()),
            ("title", Value::Text(text::title(&input.title))),
            ("messages", Value::List(Vec::new())),
            ("status", Status::Idle.name().into()),
            ("revision", Value::Number(0.0)),
            ("claimId", empty()),
            ("errorMessage", empty()),
            ("errorCode", empty()),
            ("runUuid", empty()),
            ("lastRunUuid", empty()),
            ("decision", empty()),
            ("decidedBy", Value::Null),
            ("turnDigest", empty()),
            ("denyReason", empty()),
            ("pendingInput", Value::Null),
            ("systemPrompt", Value::Text(system_prompt)),
            ("viewContext", input.view_context),
            ("activity", Value::List(Vec::new())),
            ("archived", Value::Bool(false)),
            ("pinned", Value::Bool(false)),
            ("createdAt", Value::Number(now)),
            ("updatedAt", Value::Number(now)),
        ];
        self.host.insert(fields).await.map(Ok)
    }

    /// Stores a message and queues a turn (rules N1, N2).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn send_message(&self, uid: &Uid, actor: &Actor, input: NewText) -> Result<Reply<Status>, Error> {
        reply(self.send(uid, actor, input).await)
    }

    async fn send(&self, uid: &Uid, actor: &Actor, input: NewText) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Write).await?;
        if let Some(first_reply) = first_reply(&stored.row, &input.client_id)? {
            return Ok(first_reply); // N5
        }
        let content = self.checked_content(&input.content)?;
        let owner = self.owner_of(&stored.conversation).await?;
        self.check_files(&stored.row, &input.files, &owner).await?;
        if stored.conversation.status.is_busy() {
            return Err(Refusal::Busy.into());
        }
        let now = self.clock()?;
        let message = user_message(&content, &input, now);
        let patch = match self.going_on(&stored, &owner, &content, &input, now).await? {
            Some(finished) => finished,
            None => {
                self.check_active(&stored.conversation).await?;
                self.leave_run_behind(&stored.conversation, &owner, now).await?;
                new_turn()
            }
        };
        let patch = now.stamp(Patch {
            title: first_title(&stored, &content)?,
            activity: Some(Vec::new()), // V6
            view_context: input.view_context,
            archived: Some(false), // G2
            ..with_message_first(patch, message, &stored)
        });
        let status = patch.status.unwrap_or(Status::Processing);
        if self.host.swap(&stored, &patch).await? {
            return Ok(status);
        }
        self.lost(uid, &input.client_id).await
    }

    /// Replaces one of the user's own messages and drops what follows (rule N3).
    ///
    /// # Errors
    /// `host.*` of a callback that a request needs.
    pub async fn edit_message(&self, uid: &Uid, actor: &Actor, edit: Edit) -> Result<Reply<Status>, Error> {
        reply(self.edit(uid, actor, edit).await)
    }

    async fn edit(&self, uid: &Uid, actor: &Actor, edit: Edit) -> Result<Status, Stop> {
        let stored = self.open(uid, actor, Action::Write).await?;
        let conversation = &stored.conversation;
        let content = self.checked_content(&edit.content)?;
        if conversation.status.is_busy() {
            return Err(Refusal::Busy.into());
        }
        self.check_active(conversation).await?;
        let count = stored.count() as f64;
        if edit.message_count != count || !(0.0..count).contains(&edit.index) {
            return Err(Refusal::EditStale.into());
        }
        let index = edit.index as usize;
        let own = stored.row.head(index)?.role == Role::User;
        let before = stored.row.text(index)?.filter(|_| own);
        let before = before.ok_or(Refusal::NotEditable)?;
        if before != edit.expected_content {
            return Err(Refusal::EditStale.into());
        }
        let now = self.clock()?;
        let owner = self.owner_of(conversation).await?;
        self.leave_run_behind(conversation, &owner, now).await?;
        let automatic = conversation.title == text::title(&before);
        let retitled = automatic && first_of_the_user(&stored.row)? == Some(index);
        let changed = NewMessage::Changed {
            index,
            set: vec![("content", Value::from(content.as_str())), ("createdAt", Value::Text(text::timestamp(now.ms)))],
            remove: &["notice", "noticeArgs", "decisionLine", "clientId"],
        };
        let patch = now.stamp(Patch {
            messages: Some(MessagePatch {
                keep: index,
                append: vec![changed],
            }),
            title: retitled.then(|| text::title(&content)),
            archived: Some(false), // G2
            ..new_turn()
        });
        match self.host.swap(&stored, &patch).await? {
            true => Ok(Status::Processing),
            false => Err(Refusal::Conflict.into()),
        }
    }

    /// Storable, trimmed, neither blank nor too long (rules N1, N4, N6).
    fn checked_content(&self, content: &str) -> Result<String, Refusal> {
        let content = text::storable(content);
        let content = text::trim(&content);
        if text::is_blank(content) {
            return Err(Refusal::MessageEmpty);
        }
        if text::length(content) as f64 > self.settings.max_message_length {
            return Err(Refusal::MessageTooLong);
        }
        Ok(content.to_owned())
    }

    async fn check_files(&self, messages: &H::Row, sent: &[FileReference], owner: &Actor) -> Result<(), Stop> {
        if sent.is_empty() {
            return Ok(());
        }
        let stored = stored_files(messages)?;
        if (stored + sent.len()) as f64 > self.settings.max_files_per_conversation {
            return Err(Refusal::TooManyFiles.into());
        }
        if self.host.reads_files() {
            let uids: Vec<Uid> = sent.iter().map(|file| file.uid.clone()).collect();
            let files = self.host.read_files(&uids, owner).await;
            for uid in &uids {
                if files.info(&uid.text())? == FileInfo::Gone {
                    return Err(Refusal::FileUnavailable.into());
                }
            }
        }
        Ok(())
    }

    async fn check_active(&self, conversation: &Conversation) -> Result<(), Stop> {
        let limit = self.settings.max_active_per_owner;
        if limit == 0.0 {
            return Ok(());
        }
        let busy = self
            .host
            .find(&Query {
                statuses: BUSY.to_vec(),
                owner: Some(conversation.owner.clone()),
                limit: limit as usize,
                ..Query::default()
            })
            .await?;
        match busy.len() as f64 >= limit {
            true => Err(Refusal::TooManyActive.into()),
            false => Ok(()),
        }
    }

    /// "Go on" at a card is neither a request nor a decision: the run is asked (rule N2). The patch, if the run has ended elsewhere.
    async fn going_on(&self, stored: &Stored<H::Row>, owner: &Actor, content: &str, input: &NewText, now: Clock) -> Result<Option<Patch>, Stop> {
        let conversation = &stored.conversation;
        let asks = conversation.status == Status::AwaitingApproval
            && !conversation.run_uuid.is_empty()
            && input.files.is_empty()
            && phrases::is_continue_intent(content);
        if !asks {
            return Ok(None);
        }
        let run_uuid = &conversation.run_uuid;
        let Asked::Status(status) = self.host.status(owner, run_uuid).await else {
            return Ok(None);
        };
        if status.is_waiting() {
            return Err(Refusal::ApprovalStillPending.into());
        }
        if status.is_active() {
            return Err(Refusal::Busy.into());
        }
        let writes = self.writes(owner, run_uuid).await;
        let line = writes.finished_outside(now.ms);
        let mut patch = match self.fate_of(owner, run_uuid, status).await {
            Fate::Completed(result) => {
                // V7 is about the run that the answer is of, whichever was asked.
                let writes = match result.run_uuid == *run_uuid {
                    true => writes,
                    false => self.claimed_writes(owner, &result, "").await,
                };
                let context = self.context(now, writes);
                outcome::map_outcome(conversation, &stored.transcript()?, &result, &context)
            }
            _ => outcome::idle(),
        };
        if patch.status != Some(Status::Idle) {
            // Completed, but without an answer to read (rule O3): a result that names its run still does (rule T7).
            patch = Patch {
                last_run_uuid: patch.last_run_uuid,
                ..outcome::idle()
            };
        }
        let mut append = vec![line];
        append.extend(patch.messages.take().map(|m| m.append).unwrap_or_default());
        patch.messages = Some(MessagePatch { keep: stored.count(), append });
        Ok(Some(patch))
    }

    /// A run that is left behind is withdrawn, so that nobody approves it later (rule N2).
    async fn leave_run_behind(&self, conversation: &Conversation, owner: &Actor, now: Clock) -> Result<(), Stop> {
        let (run_uuid, is_believed) = match conversation.status {
            status if status.is_waiting() => (&conversation.run_uuid, true),
            Status::Failed => (&conversation.last_run_uuid, now.age(conversation) < self.settings.abandon_after_seconds),
            _ => return Ok(()),
        };
        if run_uuid.is_empty() {
            return Ok(());
        }
        let status = self.host.cancel_if_waiting(owner, run_uuid).await;
        match status.is_some_and(RunStatus::is_active) && is_believed {
            true => Err(Refusal::Busy.into()),
            false => Ok(()),
        }
    }

    /// A lost swap: the own message is there already, or somebody else was faster (rules C1, N5).
    async fn lost(&self, uid: &Uid, client_id: &str) -> Result<Status, Stop> {
        let stored = self.host.load(uid).await?.ok_or(Refusal::Conflict)?;
        first_reply(&stored.row, client_id)?.ok_or_else(|| Refusal::Conflict.into())
    }
}

/// What the first message with this id was answered (rule N5).
fn first_reply<M: Messages>(messages: &M, client_id: &str) -> Result<Option<Status>, Error> {
    if client_id.is_empty() {
        return Ok(None);
    }
    for (index, flags) in messages.scan()?.into_iter().enumerate() {
        if flags & flag::CLIENT_ID == 0 || messages.head(index)?.client_id != client_id {
            continue;
        }
        let is_answered_at_once = index + 1 < messages.len() && messages.head(index + 1)?.notice == notice::RUN_FINISHED_OUTSIDE;
        return Ok(Some(match is_answered_at_once {
            true => Status::Idle,
            false => Status::Processing,
        }));
    }
    Ok(None)
}

fn stored_files<M: Messages>(messages: &M) -> Result<usize, Error> {
    let mut count = 0;
    for (index, flags) in messages.scan()?.into_iter().enumerate() {
        if flags & flag::FILES != 0 {
            count += messages.head(index)?.files.len();
        }
    }
    Ok(count)
}

/// Where the user's first message stands.
fn first_of_the_user<M: Messages>(messages: &M) -> Result<Option<usize>, Error> {
    let flags = messages.scan()?;
    Ok(flags.iter().position(|flags| flags & flag::ROLE == 0))
}

/// The title that the first message gives a conversation without one (rule N1).
fn first_title<R: Messages>(stored: &Stored<R>, content: &str) -> Result<Option<String>, Error> {
    let untitled = text::is_blank(&stored.conversation.title);
    let first = untitled && first_of_the_user(&stored.row)?.is_none();
    Ok(first.then(|| text::title(content)))
}

fn user_message(content: &str, input: &NewText, now: Clock) -> NewMessage {
    let mut message = NewMessage::new("user", content).at(Some(now.ms));
    if !input.client_id.is_empty() {
        message = message.with("clientId", input.client_id.as_str());
    }
    if !input.files.is_empty() {
        let files = input.files.iter().map(FileReference::to_value).collect();
        message = message.with("files", Value::List(files));
    }
    message
}

/// The message that asked comes before the lines that answer it.
fn with_message_first<R: Messages>(mut patch: Patch, message: NewMessage, stored: &Stored<R>) -> Patch {
    let rest = patch.messages.take().map(|m| m.append).unwrap_or_default();
    patch.messages = Some(MessagePatch {
        keep: stored.count(),
        append: std::iter::once(message).chain(rest).collect(),
    });
    patch
}

/// A new message starts a new turn (rule S5): nothing of the last one stays.
fn new_turn() -> Patch {
    Patch {
        last_run_uuid: Some(String::new()),
        ..super::queued()
    }
}
