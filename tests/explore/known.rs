//! What the explorer found and what is not a surprise any more. Each has a test that it is still found (`tests/explore.rs`): one that has been
//! repaired fails there, and goes.

use std::cell::Cell;

/// A finding, or a limit of what the rules can promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// S4 knows no failed -> failed, but C6 lets a late failure land on a row that cleanup has failed.
    LateFailure,
    /// K2 hands a decision back as "not carried out", and takes its line out, although the run accepted it and waits at its next card.
    DeliveredAndHandedBack,
    /// K2 and R2a map a paused result again that was mapped before: its texts and its question are stored a second time.
    SaidTwice,
    /// Limit: a consumer that was held up between turn start and `run` starts a second run. Only a fence in the runtime could prevent it.
    HeldUpRun,
    /// Limit: a consumer that was held up between turn start and `approve` delivers a decision that has been handed back meanwhile.
    HeldUpDelivery,
    /// Limit: the run accepted a decision between cleanup's question and cleanup's write, which hands it back; the next look at the run repairs it.
    DeliveredMeanwhile,
    /// Limit: a heartbeat raises no revision (rule C5), so cleanup does not see the one that comes between its reading and its writing.
    HeartbeatUnseen,
    /// Limit, by rule R2b: a run that said "running" for `abandonAfterSeconds` counts as dead, and lives.
    CountedAsDead,
    /// Limit, by rule R2a: the runtime could not be asked, twice, and the turn is run again.
    Unreachable,
    /// Limit, by rule N6: the owner's active conversations are counted before the write, and no store can do both at once: two messages that are
    /// sent together pass both, and so does one beside a decision or a retry, which are not counted.
    CountedTogether,
    /// Limit, by rule N2: a waiting row whose run says "running" for ever takes no message.
    HangsForEver,
}

impl Known {
    pub const ALL: [Known; 11] = [
        Known::LateFailure,
        Known::DeliveredAndHandedBack,
        Known::SaidTwice,
        Known::HeldUpRun,
        Known::HeldUpDelivery,
        Known::DeliveredMeanwhile,
        Known::HeartbeatUnseen,
        Known::CountedAsDead,
        Known::Unreachable,
        Known::CountedTogether,
        Known::HangsForEver,
    ];
}

/// Which of them are let pass, and how often each was met.
#[derive(Debug, Default)]
pub struct Ledger {
    met: [Cell<usize>; Known::ALL.len()],
    /// The one that is a violation like any other.
    pub strict: Option<Known>,
}

impl Ledger {
    /// Whether this is let pass.
    pub fn lets_pass(&self, known: Known) -> bool {
        let met = &self.met[known as usize];
        met.set(met.get() + 1);
        self.strict != Some(known)
    }

    pub fn met(&self) -> Vec<(Known, usize)> {
        let met = Known::ALL.into_iter().map(|known| (known, self.met[known as usize].get()));
        met.filter(|(_, count)| *count > 0).collect()
    }
}
