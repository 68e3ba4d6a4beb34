//! What a marked message is marked as, in one byte: cheap to ask for, however many there are (rule M10).

use crate::conversation::{Head, notice};

/// The bits that name the notice; 0: none that the rules of the transcript know.
pub const NOTICE: u8 = 0b0111;
/// [`notice::NOTHING_SAVED`].
pub const NOTHING_SAVED: u8 = 1;
/// [`notice::NO_ANSWER`].
pub const NO_ANSWER: u8 = 2;
/// [`notice::RUN_FINISHED_OUTSIDE`].
pub const RUN_FINISHED_OUTSIDE: u8 = 3;
/// [`notice::ALREADY_WRITTEN`].
pub const ALREADY_WRITTEN: u8 = 4;
/// [`notice::GUARDRAIL`].
pub const GUARDRAIL: u8 = 5;
/// Marked `besideToolCall` (rule O6).
pub const BESIDE: u8 = 0b1000;

/// The mark of a message with this head.
pub(super) fn of(head: &Head) -> u8 {
    let known = match head.notice.as_str() {
        notice::NOTHING_SAVED => NOTHING_SAVED,
        notice::NO_ANSWER => NO_ANSWER,
        notice::RUN_FINISHED_OUTSIDE => RUN_FINISHED_OUTSIDE,
        notice::ALREADY_WRITTEN => ALREADY_WRITTEN,
        notice::GUARDRAIL => GUARDRAIL,
        _ => 0,
    };
    known | if head.beside_tool_call { BESIDE } else { 0 }
}
