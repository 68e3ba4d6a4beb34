//! What must hold, as code that reads like the rules. Rows are checked once each, writes and states whenever they happen.

use std::rc::Rc;

use agent_turn::conversation::{Conversation, Decision, DenyReason, Head, Patch, Role, notice};
use agent_turn::host::Query;
use agent_turn::status::{RuleSet, Status, may_transition};
use agent_turn::value::Value;

use super::actor::Op;
use super::known::{Known, Ledger};
use super::tape::{Asking, Told, Word};
use super::world::{Row, Run, Stand, Step, World, index_of};

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Its number among the invariants of `docs/proof.md`.
    pub rule: u8,
    pub what: String,
}

pub type Checked = Result<(), Violation>;

fn must(holds: bool, rule: u8, what: impl FnOnce() -> String) -> Checked {
    match holds {
        true => Ok(()),
        false => Err(Violation { rule, what: what() }),
    }
}

/// The same for what is known: let pass, unless a test asks for it.
fn must_or(ledger: &Ledger, known: Known, holds: bool, rule: u8, what: impl FnOnce() -> String) -> Checked {
    must(holds || ledger.lets_pass(known), rule, what)
}

/// Seconds after which a run that says it is running is not believed any more (rule R2b).
const ABANDON_AFTER: u32 = 3600;

// Invariants of a stored row.

/// Invariants 5, 8 and 9 of one stored row.
pub fn row(ledger: &Ledger, row: &Row, rule_set: RuleSet) -> Checked {
    let conversation = &row.conversation;
    must(is_legal(conversation, rule_set), 5, || {
        format!("status and fields do not belong together: {conversation:?}")
    })?;
    must(is_one_event(conversation, rule_set), 8, || {
        format!("code {:?} beside message {:?}", conversation.error_code, conversation.error_message)
    })?;
    nothing_is_stored_twice(ledger, row)
}

/// Invariant 5 (rules S1, S5, D1, D2, C2): what each status may carry.
fn is_legal(row: &Conversation, rule_set: RuleSet) -> bool {
    let recorded = &row.decision;
    let clean = recorded.decision == Decision::None
        && recorded.decided_by.is_none()
        && recorded.turn_digest.is_empty()
        && recorded.deny_reason == DenyReason::None
        && recorded.pending_input.is_null();
    let complete = recorded.decided_by.is_some()
        && !recorded.turn_digest.is_empty()
        && (recorded.deny_reason == DenyReason::None || recorded.decision == Decision::Deny)
        && (recorded.decision == Decision::Input) != recorded.pending_input.is_null();
    let on_a_run = !row.run_uuid.is_empty();
    let faultless = row.error_code.is_empty() && row.error_message.is_empty();
    match row.status {
        Status::Idle => clean && !on_a_run,
        Status::Failed => clean && !on_a_run && !faultless,
        Status::AwaitingApproval | Status::AwaitingInput => clean && on_a_run && rule_set == RuleSet::Current,
        // Rule S7: the turn start writes `processing` there, and no pause is ever stored.
        Status::Processing if rule_set == RuleSet::WithoutPauses => faultless && clean && !on_a_run,
        // A busy row names the run that it waits on exactly where a decision is to be carried out.
        Status::Processing => faultless && row.claim_id.is_empty() && (clean && !on_a_run || complete && on_a_run),
        Status::Locked => faultless && !row.claim_id.is_empty() && (clean && !on_a_run || complete && on_a_run),
        Status::ToolLoop => false,
    }
}

/// Invariant 8 (rule S6): a message stands beside its own code only.
fn is_one_event(row: &Conversation, rule_set: RuleSet) -> bool {
    let message = row.error_message.as_str();
    match row.error_code.as_str() {
        // K2: a pause is a failure there.
        "timedOut" | "finishedOutside" if rule_set == RuleSet::WithoutPauses && message.starts_with("The run waits for a person") => true,
        "" => {
            message.is_empty()
                || row.status == Status::Failed && !message.starts_with("The turn gave no sign") && !message.starts_with("The run ended elsewhere")
        }
        "timedOut" => message.starts_with("The turn gave no sign of life"),
        "finishedOutside" => message.starts_with("The run ended elsewhere"),
        "cancelled" => message.contains("(cancelled)"),
        code if code.starts_with("handBack.") => message.is_empty() && row.status.is_waiting(),
        code if code.starts_with("stopped.") => message.is_empty() && row.status == Status::Idle,
        _ => false,
    }
}

/// Invariant 9 (rules N5, C6, K2): no message of a client and no text of a run is stored twice.
fn nothing_is_stored_twice(ledger: &Ledger, row: &Row) -> Checked {
    let clients = row.heads().map(|head| head.client_id).filter(|id| !id.is_empty());
    let answers = row.texts().filter(|text| text.starts_with("The answer of"));
    let pauses = row.texts().filter(|text| text.starts_with("I propose") || text.starts_with("I have to ask"));
    let twice = repeated(clients.collect()).or(repeated(answers.collect()));
    must(twice.is_none(), 9, || format!("stored twice: {}", twice.unwrap_or_default()))?;
    let twice = repeated(pauses.collect());
    must_or(ledger, Known::SaidTwice, twice.is_none(), 9, || {
        format!("stored twice: {}", twice.unwrap_or_default())
    })
}

fn repeated(mut texts: Vec<String>) -> Option<String> {
    texts.sort();
    texts.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone())
}

// Invariants of a write.

/// A swap as it was asked for.
pub struct Swap<'a> {
    pub rule_set: RuleSet,
    /// `maxActivePerOwner`.
    pub limit: u8,
    /// The row that was read, and its messages from `offset` on.
    pub read: &'a Conversation,
    pub offset: usize,
    pub tail: &'a [Value],
    pub patch: &'a Patch,
    /// What the operation was told by `find`.
    pub asked: Asking,
    pub op: Op,
}

/// Invariants 4 and 6 of an applied swap, and rule S4.
pub fn swap(ledger: &Ledger, before: &Row, after: &Row, swap: &Swap) -> Checked {
    let (old, new) = (&before.conversation, &after.conversation);
    must(new.revision == old.revision + 1.0, 6, || {
        format!("the revision went from {} to {}", old.revision, new.revision)
    })?;
    must(was_read(before, swap), 6, || {
        format!("a swap from revision {} was applied to revision {}", swap.read.revision, old.revision)
    })?;
    must(swap.patch.updated_at.is_some(), 6, || "a patch without updatedAt".to_owned())?;
    let (from, to) = (old.status.name(), new.status.name());
    let allowed = swap.patch.status.is_none() || may_transition(from, to, swap.rule_set);
    let late = (old.status, new.status) == (Status::Failed, Status::Failed) && old.error_code == "timedOut" && swap.op == Op::Consume;
    must(allowed || late, 5, || format!("{from} -> {to} is no transition of rule S4"))?;
    must_or(ledger, Known::LateFailure, allowed, 5, || format!("{from} -> {to} is no transition of rule S4"))?;
    let gives_up = swap.op == Op::Cleanup && new.status == Status::Failed;
    must_or(ledger, Known::HeartbeatUnseen, !gives_up || swap.read.updated_at == old.updated_at, 6, || {
        "a turn is given up that has given a sign of life since it was read".to_owned()
    })?;
    let count = swap.patch.messages.as_ref().map(|messages| messages.keep + messages.append.len());
    must(after.messages.0.len() == count.unwrap_or(before.messages.0.len()), 4, || {
        "messages and fields of one patch did not commit together".to_owned()
    })?;
    let claims = (swap.read.status, swap.patch.status) == (Status::Processing, Some(Status::Locked));
    must(!claims || swap.asked.skipped == 0, 11, || {
        format!("{} conversation(s) that wait longer were passed over by a claim", swap.asked.skipped)
    })?;
    messages_stay(before, after, swap.op)
}

/// A heartbeat may have come between (rule C5), nothing else.
fn was_read(before: &Row, swap: &Swap) -> bool {
    let stored = before.messages.0.get(swap.offset..);
    content(swap.read) == content(&before.conversation) && stored == Some(swap.tail)
}

fn content(row: &Conversation) -> String {
    let still = Conversation {
        updated_at: 0.0,
        activity: Vec::new(),
        ..row.clone()
    };
    format!("{still:?}")
}

/// Invariant 4 (rules O11, D3, N3): a stored message stays as it is, unknown fields too; it goes only by an edit or with the decision
/// that is handed back.
fn messages_stay(before: &Row, after: &Row, op: Op) -> Checked {
    let pairs = before.messages.0.iter().zip(&after.messages.0);
    let same = pairs.take_while(|(old, new)| old == new).count();
    let gone = before.messages.0.len() - same;
    let allowed = gone == 0 || matches!(op, Op::Edit(..)) || gone == 1 && ends_with_its_line(before, op);
    must(allowed, 4, || format!("{gone} message(s) went with {op:?}"))
}

/// The line of the decision or answer that the row carries (rule D3); for the consumer that carries it out also where cleanup has cleared the
/// decision meanwhile (rule C6).
fn ends_with_its_line(row: &Row, op: Op) -> bool {
    let recorded = &row.conversation.decision;
    let last: Option<Head> = row.heads().last();
    last.is_some_and(|last| {
        let of_this = recorded.decision != Decision::None && last.decision_line == recorded.turn_digest;
        last.role == Role::User && !last.decision_line.is_empty() && (of_this || op == Op::Consume)
    })
}

/// Invariants 3 and 4 of a swap, as far as the runtime has a say in them.
pub fn decision_stays(ledger: &Ledger, world: &World, before: &Row, after: &Row, op: Op) -> Checked {
    let (old, new) = (&before.conversation, &after.conversation);
    let edits = matches!(op, Op::Edit(..));
    let line_went = !edits && before.line != 0 && after.messages.0.len() < before.messages.0.len();
    if line_went && world.accepted.contains(&before.line) {
        let digest = before.heads().last().map(|line| line.decision_line).unwrap_or_default();
        handed_back_after_all(ledger, world, &new.run_uuid, &digest, 4, "its line is taken out")?;
    }
    if before.decided == 0 || before.decided == after.decided {
        return Ok(());
    }
    let delivered = world.delivered.contains(&before.decided);
    let accepted = world.accepted.contains(&before.decided);
    let moved_on = world.run(&old.run_uuid).is_some_and(|run| !stands_at(run, &old.decision.turn_digest));
    let kept = match new.status {
        Status::Failed => true, // invariant 5: with a code or a message
        Status::AwaitingApproval | Status::AwaitingInput => delivered || !new.error_code.is_empty(),
        Status::Idle => delivered || moved_on,
        Status::Processing | Status::Locked | Status::ToolLoop => false,
    };
    must(kept, 3, || {
        format!("the decision of revision {} is forgotten: {:?} -> {:?}", before.decided, old.status, new.status)
    })?;
    match accepted && new.error_code == "handBack.notCarriedOut" {
        true => handed_back_after_all(ledger, world, &old.run_uuid, &old.decision.turn_digest, 3, "it is said to be not carried out"),
        false => Ok(()),
    }
}

/// The run accepted a decision about this digest, and the conversation says otherwise. Where it stands at that card again, it wrote nothing.
fn handed_back_after_all(ledger: &Ledger, world: &World, run_uuid: &str, digest: &str, rule: u8, what: &str) -> Checked {
    let run = world.run(run_uuid);
    let again = run.is_some_and(|run| stands_at(run, digest));
    let known = match run.is_some_and(|run| run.stand.is_waiting()) {
        true => Known::DeliveredAndHandedBack,
        false => Known::DeliveredMeanwhile,
    };
    must_or(ledger, known, again, rule, || format!("the run accepted a decision, and {what}"))
}

fn stands_at(run: &Run, digest: &str) -> bool {
    matches!(run.stand, Stand::AtCard(at) | Stand::AtQuestion(at) if at == digest)
}

/// The runs that a swap gives up by rule R2b, or leaves behind by rule N2: only after `abandonAfterSeconds`.
pub fn gives_up(world: &World, before: &Row, after: &Row, read: &Conversation) -> Option<String> {
    let (old, new) = (&before.conversation, &after.conversation);
    let forgets = !old.last_run_uuid.is_empty() && old.last_run_uuid != new.last_run_uuid;
    let late = f64::from(world.now) - read.updated_at >= f64::from(ABANDON_AFTER);
    (forgets && late).then(|| old.last_run_uuid.clone())
}

/// Rule C5: a heartbeat reaches the row of its own claim only.
pub fn touch(before: &Row, of: u8, claim: &str) -> Checked {
    must(index_of(&before.conversation.uid) == of, 11, || {
        format!("a heartbeat of conversation {} reached conversation {}", of + 1, before.conversation.uid.text())
    })?;
    let own = before.conversation.status == Status::Locked && before.conversation.claim_id == claim;
    must(own, 6, || {
        format!("a heartbeat of claim {claim:?} reached a row of claim {:?}", before.conversation.claim_id)
    })
}

// Invariants of several conversations.

/// A stored conversation; `None`: removed.
pub type Stored = Option<Rc<Row>>;

fn active<'a>(rows: &'a [Stored], owner: &'a Conversation) -> impl Iterator<Item = &'a Rc<Row>> {
    let rows = rows.iter().flatten();
    rows.filter(|row| row.conversation.owner == owner.owner && row.conversation.status.is_busy())
}

/// Invariant 11 (rule N6): who asks for the active conversations of an owner is told of all of them, as far as the limit goes.
pub fn find(rows: &[Stored], query: &Query, found: &[u8]) -> Checked {
    let Some(row) = rows.iter().flatten().find(|row| Some(&row.conversation.owner) == query.owner.as_ref()) else {
        return Ok(());
    };
    let there = active(rows, &row.conversation).count().min(query.limit);
    must(found.len() == there, 11, || {
        format!("{there} active conversation(s), and {} were counted", found.len())
    })
}

/// Invariant 11 (rule N6): a message begins a turn only where its owner has fewer active conversations than the limit.
pub fn active_ones(ledger: &Ledger, rows: &[Stored], swap: &Swap) -> Checked {
    let begins = matches!(swap.op, Op::Send(..) | Op::Edit(..) | Op::SendBeyond) && swap.patch.status == Some(Status::Processing);
    if !begins || swap.limit == 0 {
        return Ok(());
    }
    let others = active(rows, swap.read).filter(|row| row.conversation.uid != swap.read.uid).count();
    must(swap.asked.active.is_some_and(|active| active < swap.limit), 11, || {
        format!("a turn begins beside {others} active conversation(s), and nobody asked")
    })?;
    must_or(ledger, Known::CountedTogether, others < usize::from(swap.limit), 11, || {
        format!("a turn begins beside {others} active conversation(s)")
    })
}

/// Invariant 11: a conversation names its own runs only, and says only what they said.
pub fn own_affairs(world: &World, row: &Row) -> Checked {
    let of = index_of(&row.conversation.uid);
    let named = |uuid: &str| row.conversation.run_uuid == uuid || row.conversation.last_run_uuid == uuid;
    let said = |uuid: &str| {
        row.texts()
            .any(|text| text.contains(&format!("of {uuid}.")) || text.contains(&format!(", {uuid}, ")))
    };
    let foreign = world.runs.iter().find(|run| run.of != of && (named(&run.uuid) || said(&run.uuid)));
    must(foreign.is_none(), 11, || {
        let uuid = foreign.map(|run| Rc::clone(&run.uuid)).unwrap_or_default();
        format!("conversation {} knows run {uuid} of another one", of + 1)
    })
}

/// Rule S3: a conversation that nobody can load stays as it is.
pub fn untouched(as_it_was: bool) -> Checked {
    must(as_it_was, 11, || "a conversation that cannot be loaded was written".to_owned())
}

// Invariants of a call of the runtime.

/// A run starts: never for a recorded decision (rule T1), and never ignorant of what an earlier run of this turn wrote (rules R2a, R2b).
pub fn start(ledger: &Ledger, world: &World, row: &Row, turn: u8, decided: u16) -> Checked {
    must(decided == 0, 3, || "a run over the transcript was started for a recorded decision".to_owned())?;
    let told = row.turn != turn || row.heads().any(|head| head.notice == notice::ALREADY_WRITTEN);
    let of = index_of(&row.conversation.uid);
    let wrote = |run: &&Run| run.of == of && run.turn == turn && run.writes > 0 && !run.is_stray && !run.is_given_up;
    let what = || "a turn is run again and does not know what was written".to_owned();
    let known = world.runs.iter().filter(|run| !run.is_doubted).any(|run| wrote(&run));
    must(told || !known, 2, what)?;
    let doubted = world.runs.iter().filter(|run| run.is_doubted).any(|run| wrote(&run));
    must_or(ledger, Known::Unreachable, told || !doubted, 2, what)
}

/// Invariant 3: nobody but a person's own request withdraws a run that a recorded decision is about. `read`: the row as the caller knew it.
pub fn cancel(read: Option<&Row>, run_uuid: &str, op: Op) -> Checked {
    let decided = read.is_some_and(|row| row.decided != 0 && row.conversation.run_uuid == run_uuid);
    let of_a_person = matches!(op, Op::Send(..) | Op::Edit(..) | Op::End);
    must(!decided || of_a_person, 3, || {
        format!("run {run_uuid} is withdrawn although a decision about it is recorded")
    })
}

/// Invariant 2 (rule D6): one delivery for each recorded decision.
pub fn deliver(ledger: &Ledger, world: &World, row: Option<&Row>, decided: u16, word: Word) -> Checked {
    let current = row.is_some_and(|row| row.decided == decided);
    must_or(ledger, Known::HeldUpDelivery, current, 3, || {
        format!("the decision of revision {decided} is delivered after it was handed back")
    })?;
    must(decided != 0, 2, || format!("{word:?} was delivered without a recorded decision"))?;
    must(!world.delivered.contains(&decided), 2, || {
        format!("the decision of revision {decided} was delivered twice")
    })
}

// Invariants of a state.

/// Invariants 1 and 2.
pub fn state(ledger: &Ledger, world: &World, rows: &[Stored]) -> Checked {
    for row in rows.iter().flatten() {
        one_live_run(ledger, world, row)?;
    }
    for run in &world.runs {
        let writes = run.program.iter().take(run.at.into()).filter(|step| **step == Step::Write).count();
        must(usize::from(run.writes) <= writes && run.writes <= run.approvals, 2, || {
            format!("run {} started {} writes, {} were approved", run.uuid, run.writes, run.approvals)
        })?;
    }
    Ok(())
}

fn one_live_run(ledger: &Ledger, world: &World, row: &Row) -> Checked {
    let of = index_of(&row.conversation.uid);
    let live = || {
        let runs = world.runs.iter();
        runs.filter(|run| run.stand.is_live() && run.of == of && run.turn == row.turn)
    };
    // What is known of a run beyond the first, from the strictest count to the one that has no excuse left.
    let excused = [
        (Known::HeldUpRun, live().filter(|run| !run.is_given_up && !run.is_doubted).count()),
        (Known::CountedAsDead, live().filter(|run| !run.is_stray && !run.is_doubted).count()),
        (Known::Unreachable, live().filter(|run| !run.is_stray && !run.is_given_up).count()),
    ];
    for (known, runs) in excused {
        must_or(ledger, known, runs <= 1, 1, || format!("{runs} live runs in one turn"))?;
    }
    let runs = live().filter(|run| !run.is_stray && !run.is_given_up && !run.is_doubted).count();
    must(runs <= 1, 1, || format!("{runs} live runs in one turn"))
}

/// Rules C6, N2: when all is done and nothing went wrong, no run waits for a person where no person can find it.
pub fn nobody_waits_unseen(ledger: &Ledger, world: &World, rows: &[Stored]) -> Checked {
    let seen = |run: &Run| {
        rows[usize::from(run.of)].as_ref().is_some_and(|row| {
            [&row.conversation.run_uuid, &row.conversation.last_run_uuid]
                .iter()
                .any(|uuid| **uuid == *run.uuid)
        })
    };
    let unseen = || world.runs.iter().filter(|run| run.stand.is_waiting() && !seen(run));
    let what = || "a run waits and the conversation does not know it".to_owned();
    must(unseen().all(|run| run.is_given_up), 7, what)?;
    must_or(ledger, Known::CountedAsDead, unseen().next().is_none(), 7, what)
}

/// Invariant 10: a request that was accepted was written once, one that was refused wrote nothing. Retry may bring a card back (rule R2a).
pub fn told(row: Option<&Row>, op: Op, told: &Told, swaps: u8) -> Checked {
    let repeated = |client: &str| row.is_some_and(|row| row.heads().any(|head| head.client_id == client));
    let honest = match told {
        Told::Accepted => swaps == 1 || matches!(op, Op::Send(_, client) if repeated(client)),
        Told::Refused(code) => swaps == 0 || *code == "runStillActive",
        Told::Cleaned(said, wrote) => said == wrote, // G3
        Told::Other(_) | Told::Broken(_) => true,
    };
    must(honest, 10, || format!("{op:?} was told {told:?} after {swaps} swap(s)"))
}

/// Invariant 7: whoever waits may say something new, unless the run says that it is at work (rule N2).
pub fn takes_messages(ledger: &Ledger, world: &World, row: &Row, takes: bool) -> Checked {
    let run = world.run(&row.conversation.run_uuid);
    let hangs = row.conversation.status.is_waiting() && run.is_some_and(|run| run.stand == Stand::Running);
    let what = || format!("it takes no new message: {:?} {}", row.conversation.status, row.conversation.error_code);
    must(takes || hangs, 7, what)?;
    must_or(ledger, Known::HangsForEver, takes, 7, what)
}
