//! What a request answers: a value, or a refusal with a status and a code (rule N6).

use crate::error::Error;

/// Why a request was refused, in the order in which the checks are made (rule N6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No such conversation, or the actor may not read it.
    NotFound,
    /// The actor may not write, or not decide.
    Forbidden,
    /// Blank content.
    MessageEmpty,
    /// Longer than allowed.
    MessageTooLong,
    /// Instructions longer than allowed (rule N0).
    PromptTooLong,
    /// More files than allowed.
    TooManyFiles,
    /// A file that cannot be read.
    FileUnavailable,
    /// The conversation, or its run, is busy.
    Busy,
    /// "Go on" while the card is still there (rule N2).
    ApprovalStillPending,
    /// The owner has too many busy conversations.
    TooManyActive,
    /// What the client saw is not what is stored (rule N3).
    EditStale,
    /// Not one of the user's own text messages.
    NotEditable,
    /// Nothing waits for this.
    NotAwaiting,
    /// The card has expired (rule D4).
    ApprovalExpired,
    /// No question can be read.
    QuestionUnavailable,
    /// Not an answer that the form offers.
    AnswerInvalid,
    /// A recorded decision has not been carried out (rule R1).
    DecisionInFlight,
    /// There is nothing to retry (rule R1).
    NothingToRetry,
    /// The last run is still active (rule R2a).
    RunStillActive,
    /// The swap was lost (rule C1).
    Conflict,
}

impl Refusal {
    /// HTTP status and code.
    pub fn parts(self) -> (u16, &'static str) {
        match self {
            Refusal::NotFound => (404, "notFound"),
            Refusal::Forbidden => (403, "forbidden"),
            Refusal::MessageEmpty => (400, "messageEmpty"),
            Refusal::MessageTooLong => (400, "messageTooLong"),
            Refusal::PromptTooLong => (400, "promptTooLong"),
            Refusal::TooManyFiles => (400, "tooManyFiles"),
            Refusal::FileUnavailable => (404, "fileUnavailable"),
            Refusal::Busy => (409, "busy"),
            Refusal::ApprovalStillPending => (409, "approvalStillPending"),
            Refusal::TooManyActive => (429, "tooManyActive"),
            Refusal::EditStale => (409, "editStale"),
            Refusal::NotEditable => (400, "notEditable"),
            Refusal::NotAwaiting => (409, "notAwaiting"),
            Refusal::ApprovalExpired => (409, "approvalExpired"),
            Refusal::QuestionUnavailable => (409, "questionUnavailable"),
            Refusal::AnswerInvalid => (400, "answerInvalid"),
            Refusal::DecisionInFlight => (409, "decisionInFlight"),
            Refusal::NothingToRetry => (400, "nothingToRetry"),
            Refusal::RunStillActive => (409, "runStillActive"),
            Refusal::Conflict => (409, "conflict"),
        }
    }
}

/// The answer of a request.
pub type Reply<T> = Result<T, Refusal>;

/// Why a request ends early: refused, or broken.
pub(crate) enum Stop {
    Refused(Refusal),
    Broken(Error),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Broken(error)
    }
}

/// Refusals are values, faults are errors (rule N6).
pub(crate) fn reply<T>(result: Result<T, Stop>) -> Result<Reply<T>, Error> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Refused(refusal)) => Ok(Err(refusal)),
        Err(Stop::Broken(error)) => Err(error),
    }
}
