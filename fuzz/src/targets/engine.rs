//! Sequences of events of the real engine, with crashes and faults: a walk through the explorer (`tests/explore`), with its invariants.

use crate::bytes::Bytes;
use crate::explore::actor::Op;
use crate::explore::explorer::Explorer;
use crate::explore::scenario::Bounds;
use crate::explore::scenarios;
use crate::explore::schedule::Action;
use crate::explore::starts::{PROGRAMS, STARTS};

const OPS: &[Op] = &[
    Op::Consume,
    Op::Consume,
    Op::Cleanup,
    Op::Reconcile,
    Op::Retry,
    Op::End,
    Op::Approve("d1"),
    Op::Approve("d2"),
    Op::Deny("d1", "No, the other one."),
    Op::Deny("d2", "Not that."),
    Op::Answer("q1"),
    Op::Poll(0),
    Op::Poll(1),
    Op::Send("Something else.", "c1"),
    Op::Send("And one more.", "c2"),
    Op::Send("go on", "c3"),
    Op::Edit("Please change that.", "Please change it.", 2),
    Op::Edit("Hello again.", "Hello.", 2),
];

/// Past grace period, stuck time, the time for which a run is believed; and a clock that jumps back.
const LEAPS: &[i32] = &[46, 301, 3601, -600];

/// A longer walk shows nothing that a short one does not.
const STEPS: usize = 120;

/// Any operations, any order of events: no invariant breaks, and the conversation comes to rest.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let (start_name, start) = bytes.one_of(STARTS);
    let programs: Vec<_> = (0..1 + bytes.below(3)).map(|_| bytes.one_of(PROGRAMS)).collect();
    let actors: Vec<Vec<Op>> = (0..2 + bytes.below(4))
        .map(|_| (0..1 + bytes.below(3)).map(|_| bytes.one_of(OPS)).collect())
        .collect();
    let leaps = bytes.some(3, |bytes| bytes.one_of(LEAPS));
    let bounds = Bounds {
        crashes: bytes.below(3) as u8,
        faults: bytes.below(4) as u8,
    };
    let mut scenario = scenarios::drawn(start(), &programs, &actors).within(bounds);
    scenario.leaps.clone_from(&leaps);
    scenario.elsewhere = bytes.below(2) as u8;
    scenario.keeps_results = !bytes.once_in(4);
    let mut schedule: Vec<Action> = Vec::new();
    let walked = Explorer::new(scenario).walk(STEPS, |count| bytes.below(count), &mut schedule);
    if let Err(violation) = walked {
        let shown: Vec<String> = schedule.iter().map(Action::to_string).collect();
        panic!(
            "invariant {}: {}\nfrom {start_name}, programs {programs:?}, actors {actors:?}, leaps {leaps:?}, {bounds:?}\n{}",
            violation.rule,
            violation.what,
            shown.join(" ")
        );
    }
}
