//! The transcript of a turn: what of the stored messages goes to the runtime, and how (rules M1-M11).
//!
//! Scan, plan, weave: texts, files and message objects stay with the host. [`plan`] reads one byte per message, looks closer where that byte
//! says so, and answers with the few operations that make the wire messages; whoever holds the messages carries them out (`wasm/row.js`, and
//! `plain.rs` natively). So nothing that does not change is copied (rule M10), and nothing is stored (rule M9).

mod attachments;
mod fence;
mod json;
pub mod mark;
mod mime;
mod notices;
mod ops;
mod prompt;
mod repair;

use crate::conversation::{Messages, Role, flag};
use crate::error::Error;
use crate::lists::Places;
use crate::text;
use crate::value::Value;

pub use attachments::{FileInfo, Files, StoredFile, files_to_read};
pub use ops::{Fields, Op, Part, PartKind, Plan, SentCall};
pub use prompt::{Accepts, PromptContext, TaskPrompts, default_identity};
pub use repair::provider_view;

use attachments::Attached;
use repair::{Answered, Provider};

/// The messages of a conversation as a transcript needs them.
pub trait Source: Messages {
    /// The provider fields of one message, as far as the rules look at them: a map with `tool_calls`, a list of `{id, arguments}` (a call that is
    /// no object is `null`; `arguments` only where the stored ones are there and no text), `tool_call_id` and `name`. See [`provider_view`].
    ///
    /// # Errors
    /// A fault of the host where its object cannot be read, `TooDeep` and `TooLarge`.
    fn provider(&self, index: usize) -> Result<Value, Error>;

    /// Whether the content is an array that is not empty.
    ///
    /// # Errors
    /// A fault of the host where its object cannot be read.
    fn has_parts(&self, index: usize) -> Result<bool, Error>;

    /// The mark of one message (see [`mark`]); asked for where the scan says `MARKED`. `mark` in `wasm/row.js` gives it without a head.
    ///
    /// # Errors
    /// A fault of the host where its object cannot be read.
    fn mark(&self, index: usize) -> Result<u8, Error> {
        Ok(mark::of(&self.head(index)?))
    }
}

/// What a transcript is made of beside messages and files.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Input {
    /// The conversation's own instructions.
    pub system_prompt: String,
    /// What the task and its configuration say.
    pub task: TaskPrompts,
    /// The identity and behaviour contract; `None`: the built-in one.
    pub identity: Option<String>,
    /// What the host knows about site and user.
    pub context: PromptContext,
    /// What the attachments of one turn may weigh, as sent (rule M6a); `None`: 20 MiB.
    pub attachment_budget: Option<f64>,
}

/// The default of `attachmentBudget` (rule M6a).
const ATTACHMENT_BUDGET: f64 = 20.0 * 1024.0 * 1024.0;

/// Decides what is sent. The stored messages are only read.
///
/// # Errors
/// `AttachmentUnsupported` for a file of the last user message that the provider does not take (rule M6); faults of the host.
pub fn plan(messages: &dyn Source, files: &dyn Files, input: &Input) -> Result<Plan, Error> {
    let flags = messages.scan()?;
    let accepts = &input.task.accepts;
    let budget = input.attachment_budget.unwrap_or(ATTACHMENT_BUDGET);
    let mut planner = Planner {
        messages,
        flags: &flags,
        attached: attachments::plan(messages, files, &flags, accepts, budget)?,
        repeated_roles: accepts.repeated_roles,
        plan: Plan::default(),
        last: None,
        in_row: false,
        used_ids: Places::default(),
        results: Vec::new(),
    };
    let prompt = prompt::system(input);
    if !prompt.is_empty() {
        planner.add(Piece::made(Role::System, prompt), false); // M1
    }
    for (index, &flags) in flags.iter().enumerate() {
        planner.message(index, flags)?;
    }
    Ok(planner.plan)
}

/// The role of a message in its flags; `None` for what is no message or has a role the contract does not know, which counts as not there.
fn role_of(flags: u8) -> Option<Role> {
    match flags & flag::ROLE {
        0 => Some(Role::User),
        1 => Some(Role::Assistant),
        2 => Some(Role::System),
        3 => Some(Role::Tool),
        _ => None,
    }
}

/// What there is to see in a stored message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Text,
    Parts,
    /// Blank, or nothing that the contract knows (rules M8, M11).
    Nothing,
}

/// Where the content of a piece comes from.
enum Body {
    Stored(usize),
    Made(String),
}

/// One message on its way out.
struct Piece {
    role: Role,
    body: Body,
    /// Text and nothing else: only this joins (rules M4, M8).
    is_text: bool,
    name: Option<String>,
    fields: Fields,
    tail: Tail,
}

/// What follows the content.
enum Tail {
    Nothing,
    Text(String),
    Parts(String, Vec<Part>),
}

impl Piece {
    fn stored(role: Role, index: usize, content: Content) -> Piece {
        Piece {
            role,
            body: Body::Stored(index),
            is_text: content == Content::Text && role != Role::Tool,
            name: None,
            fields: Fields::default(),
            tail: Tail::Nothing,
        }
    }

    fn made(role: Role, text: String) -> Piece {
        Piece {
            body: Body::Made(text),
            ..Piece::stored(role, 0, Content::Text)
        }
    }

    fn named(mut self, name: Option<String>) -> Piece {
        self.fields.name = name.is_some();
        self.name = name;
        self
    }
}

/// The message that was planned last.
struct Last {
    role: Role,
    is_text: bool,
    name: Option<String>,
    /// The operation that made it.
    op: usize,
}

struct Planner<'a> {
    messages: &'a dyn Source,
    flags: &'a [u8],
    /// By message, the first one last.
    attached: Vec<(usize, Attached)>,
    repeated_roles: bool,
    plan: Plan,
    last: Option<Last>,
    /// Whether the last planned message belongs to a row of texts beside tool calls that goes on (rule M4).
    in_row: bool,
    /// The ids of the calls that are sent (rule M8).
    used_ids: Places,
    /// The results behind the calls that were sent last, the next one last.
    results: Vec<Answered>,
}

impl Planner<'_> {
    fn message(&mut self, index: usize, flags: u8) -> Result<(), Error> {
        let Some(role) = role_of(flags) else {
            return Ok(());
        };
        let is_plain = flags & !(flag::ROLE | flag::CLIENT_ID) == flag::PLAIN;
        if is_plain && self.repeated_roles && !self.in_row && role != Role::Tool {
            self.plan.copy(index); // most messages: a text by itself, and nothing to look closer at
            self.last = Some(Last {
                role,
                is_text: true,
                name: None,
                op: self.plan.ops.len().saturating_sub(1),
            });
            return Ok(());
        }
        let mark = match flags & flag::MARKED {
            0 => 0,
            _ => self.messages.mark(index)?,
        };
        let in_row = std::mem::take(&mut self.in_row) && role == Role::Assistant;
        match role {
            Role::Assistant => self.assistant(index, flags, mark, in_row),
            Role::Tool => {
                if self.results.last().is_some_and(|result| result.at == index)
                    && let Some(result) = self.results.pop()
                    && result.is_sent
                {
                    let mut piece = Piece::stored(role, index, Content::Nothing).named(result.name);
                    piece.fields.tool_call_id = true;
                    self.add(piece, false);
                }
                Ok(())
            }
            Role::User if mark & mark::NOTICE == mark::GUARDRAIL => Ok(()), // M8a
            _ => self.said(role, index, flags),
        }
    }

    /// A message of the model, or of the chat in its name (rules M4, M5, M8).
    fn assistant(&mut self, index: usize, flags: u8, mark: u8, in_row: bool) -> Result<(), Error> {
        let notice = mark & mark::NOTICE;
        let sent = match notice {
            mark::NO_ANSWER => false,
            mark::ALREADY_WRITTEN => {
                let text = notices::already_written(&self.messages.head(index)?.notice_args);
                // as the user: several providers continue a transcript that ends with the assistant
                self.add(Piece::made(Role::User, text), false);
                return Ok(());
            }
            mark::RUN_FINISHED_OUTSIDE => {
                let text = notices::finished_outside(&self.messages.head(index)?.notice_args);
                self.add(Piece::made(Role::Assistant, text), in_row);
                true
            }
            _ => self.answer(index, flags, notice == mark::NOTHING_SAVED, in_row)?,
        };
        self.in_row = mark & mark::BESIDE != 0 && (sent || in_row);
        Ok(())
    }

    /// The model's own message; whether anything of it is sent.
    fn answer(&mut self, index: usize, flags: u8, nothing_saved: bool, in_row: bool) -> Result<bool, Error> {
        let content = self.content(index, flags)?;
        let provider = self.provider(index, flags)?;
        let calls = self.paired(index, provider.calls)?;
        if content == Content::Nothing && calls.is_empty() {
            return Ok(false); // M8
        }
        let mut piece = Piece::stored(Role::Assistant, index, content).named(provider.name);
        piece.is_text &= calls.is_empty();
        piece.fields.calls = calls;
        piece.tail = match content {
            Content::Text if nothing_saved => Tail::Text(format!("\n\n{}", notices::CORRECTION)),
            Content::Parts if nothing_saved => Tail::Parts(notices::CORRECTION.to_owned(), Vec::new()),
            _ => Tail::Nothing,
        };
        self.add(piece, in_row);
        Ok(true)
    }

    /// A message of a person or of the system, with its files (rule M6).
    fn said(&mut self, role: Role, index: usize, flags: u8) -> Result<(), Error> {
        let content = self.content(index, flags)?;
        let attached = match self.attached.last() {
            Some((at, _)) if *at == index => self.attached.pop().map(|(_, attached)| attached),
            _ => None,
        };
        let mut piece = Piece::stored(role, index, content).named(self.provider(index, flags)?.name);
        match (content, attached) {
            (Content::Nothing, None) => return Ok(()), // M8
            (_, None) => {}
            (Content::Text, Some(Attached { lines, files })) if files.is_empty() => {
                piece.tail = Tail::Text(format!("\n{lines}")); // M7
            }
            (Content::Text, Some(Attached { lines, files })) => {
                piece.tail = Tail::Parts(format!("\n{lines}"), files);
            }
            (Content::Parts, Some(Attached { lines, files })) => {
                piece.tail = Tail::Parts(lines, files);
            }
            (Content::Nothing, Some(Attached { lines, files })) => {
                piece = Piece::made(role, String::new()); // the lines are the text
                piece.tail = match files.is_empty() {
                    true => Tail::Text(lines),
                    false => Tail::Parts(lines, files),
                };
            }
        }
        piece.is_text &= !matches!(piece.tail, Tail::Parts(..));
        self.add(piece, false);
        Ok(())
    }

    fn content(&self, index: usize, flags: u8) -> Result<Content, Error> {
        if flags & flag::PLAIN != 0 {
            return Ok(Content::Text);
        }
        Ok(match self.messages.text(index)? {
            Some(text) if text::is_blank(&text) => Content::Nothing,
            Some(_) => Content::Text,
            None if self.messages.has_parts(index)? => Content::Parts,
            None => Content::Nothing,
        })
    }

    fn provider(&self, index: usize, flags: u8) -> Result<Provider, Error> {
        match flags & flag::PROVIDER {
            0 => Ok(Provider::default()),
            _ => Ok(Provider::from_value(&self.messages.provider(index)?)),
        }
    }

    /// The calls that have their result; that is remembered, and their ids are used up (rule M8).
    fn paired(&mut self, index: usize, calls: Vec<repair::Call>) -> Result<Vec<SentCall>, Error> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let (ids, mut results) = repair::results_behind(self.messages, self.flags, index)?;
        let mut sent = Vec::new();
        for (at, call) in calls.into_iter().enumerate() {
            if let Some(result) = ids.get(&call.id).and_then(|place| results.get_mut(place))
                && self.used_ids.add(&call.id, at)
            {
                result.is_sent = true;
                sent.push(SentCall { at, arguments: call.arguments });
            }
        }
        results.reverse();
        self.results = results;
        Ok(sent)
    }

    /// Plans a piece: as a message of its own, or joined to the last one (rules M4, M8).
    fn add(&mut self, piece: Piece, in_row: bool) {
        let may_join = piece.is_text && (in_row || !self.repeated_roles);
        match &mut self.last {
            Some(last) if may_join && last.is_text && last.role == piece.role => {
                if last.name != piece.name && last.name.take().is_some() {
                    self.plan.without_fields(last.op); // nobody's name stands over what two said
                }
                self.plan.ops.push(match piece.body {
                    Body::Stored(index) => Op::Join(index),
                    Body::Made(text) => Op::Text(format!("\n\n{text}")),
                });
            }
            _ => {
                match piece.body {
                    Body::Stored(index) if piece.fields == Fields::default() => self.plan.copy(index),
                    Body::Stored(index) => self.plan.ops.push(Op::Fields(index, piece.fields)),
                    Body::Made(text) => self.plan.ops.push(Op::Insert(piece.role, text)),
                }
                self.last = Some(Last {
                    role: piece.role,
                    is_text: piece.is_text,
                    name: piece.name,
                    op: self.plan.ops.len().saturating_sub(1),
                });
            }
        }
        match piece.tail {
            Tail::Nothing => {}
            Tail::Text(text) => self.plan.ops.push(Op::Text(text)),
            Tail::Parts(text, files) => self.plan.ops.push(Op::Parts(text, files)),
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
