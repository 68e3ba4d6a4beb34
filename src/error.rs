//! What goes wrong, with codes that are part of the interface (rule W4).

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use crate::redact;
use crate::text::platform;

/// An error of the component. Refusals of a request are values, not errors (rule N6): see [`crate::reply::Refusal`].
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A malformed argument; nothing was loaded or written.
    #[error("invalid argument: {0}")]
    InvalidArgument(&'static str),
    /// A stored status that the component does not know (rule S3).
    #[error("unknown status: {0}")]
    UnknownStatus(String),
    /// The provider does not take a file of this MIME type (rule M6).
    #[error("attachments of type {0} are not supported by the configured provider")]
    AttachmentUnsupported(String),
    /// A callback of the host failed, is missing, or returned nonsense.
    #[error("{0}")]
    Host(Box<Fault>),
    /// A value is nested deeper than 64 levels.
    #[error("a value is nested deeper than 64 levels")]
    TooDeep,
    /// A value holds more than 64 MiB of text.
    #[error("a value holds more than 64 MiB of text")]
    TooLarge,
}

impl Error {
    /// The stable code, as `AgentTurnError.code` carries it.
    pub fn code(&self) -> String {
        match self {
            Error::InvalidArgument(_) => "invalidArgument".to_owned(),
            Error::UnknownStatus(_) => "unknownStatus".to_owned(),
            Error::AttachmentUnsupported(_) => "attachmentUnsupported".to_owned(),
            Error::Host(fault) => format!("host.{}", fault.callback),
            Error::TooDeep => "tooDeep".to_owned(),
            Error::TooLarge => "tooLarge".to_owned(),
        }
    }
}

/// What a callback of the host threw, as far as the rules look at it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ErrorInfo {
    /// The message of the error itself.
    pub message: String,
    /// The `code` of the error and of its causes, outermost first, at most 16 (rule E2).
    pub codes: Vec<String>,
    /// Its `reason`, where it has one: what makes a refusal of the runtime (rule D7).
    pub reason: Option<String>,
}

impl ErrorInfo {
    /// An error that only has a message.
    pub fn message(message: &str) -> Self {
        ErrorInfo {
            message: message.to_owned(),
            ..ErrorInfo::default()
        }
    }
}

/// A failed callback of the host.
#[derive(Clone)]
pub struct Fault {
    /// Which callback, as in `host.storage.swap` without the first word.
    pub callback: &'static str,
    /// What it threw.
    pub info: ErrorInfo,
    /// The host's own error value, by identity; only the boundary knows what it is.
    pub cause: Option<Rc<dyn Any>>,
}

impl Fault {
    /// The callback returned something that is not in its contract.
    pub fn nonsense(callback: &'static str) -> Self {
        Fault {
            callback,
            info: ErrorInfo::message("the callback returned a value that is not in its contract"),
            cause: None,
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Fault({}: {})", self.callback, self.info.message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} failed: {}", self.callback, self.info.message)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::Host(Box::new(fault))
    }
}

/// The most that is stored of an error message, in code points (rule E1).
pub const MESSAGE_LENGTH: usize = 500;

/// An error message that a person may read (rule E1).
pub fn for_people(message: &str) -> String {
    redact::sanitize(message, MESSAGE_LENGTH, &platform::grapheme_start)
}
