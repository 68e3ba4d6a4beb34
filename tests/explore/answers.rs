//! What the world answers: a store with compare-and-swap, and an agent runtime.

use std::rc::Rc;

use agent_turn::conversation::Patch;
use agent_turn::host::Query;
use agent_turn::status::Status;

use super::actor::Op;
use super::explorer::Explorer;
use super::planted::Bug;
use super::rules::{self, Checked, Violation};
use super::tape::{Call, Reply, Word};
use super::world::{Row, RowId, Run, Stand, Step, World, index_of};

impl Explorer {
    pub fn reply(&mut self, world: &mut World, actor: u8, place: u32, op: Op, call: &Call, fault: u8) -> Result<Reply, Violation> {
        Ok(match call {
            Call::Begin => Reply::Yes,
            Call::Swap { .. } => {
                let swap = self.asked_for(call, op);
                let applied = !matches!(fault, 1 | 4) && self.swap(world, place, &swap, false)?;
                if fault > 3 {
                    world.in_flight.push((actor, place));
                }
                match fault {
                    0 | 5 if applied => Reply::Yes,
                    0 | 3 | 5 => Reply::No,
                    _ => Reply::Fault,
                }
            }
            Call::Start { run, of, turn, claim, decided } => {
                // Whatever draws uuids twice: a runtime has each of them once.
                if fault == 1 || world.run(run).is_some() {
                    return Ok(Reply::Fault);
                }
                self.start(world, actor, run, (*of, *turn), claim, *decided)?;
                if fault == 0 { Reply::Began(0) } else { Reply::Fault }
            }
            Call::Deliver {
                run,
                of,
                word,
                digest,
                decided,
            } => {
                let row = self.row(world, *of);
                rules::deliver(&self.ledger, world, row.as_deref(), *decided, *word)?;
                world.delivered.push(*decided);
                if fault == 1 {
                    return Ok(Reply::Fault);
                }
                let reply = self.deliver(world, actor, run, *word, digest, *decided);
                if fault == 0 { reply } else { Reply::Fault }
            }
            Call::Await { run, segment, heard } => {
                let run = world.run_mut(run).expect("a run that began");
                let end = run.ends.get(usize::from(*segment)).copied();
                match (fault, end) {
                    (0, None) if run.thought > *heard => return Ok(Reply::Thought),
                    (0, end) => {
                        run.listener = run.listener.filter(|listener| *listener != actor);
                        Reply::Ended(end.unwrap_or(Stand::Running))
                    }
                    (1, _) => {
                        run.listener = None;
                        Reply::Fault
                    }
                    (_, _) => {
                        run.listener = None;
                        Reply::Ended(Stand::Running)
                    }
                }
            }
            Call::Cancel { run, read } => {
                let read = read.map(|read| Rc::clone(self.rows.borrow().get(read)));
                rules::cancel(read.as_deref(), run, op)?;
                let stand = match world.run_mut(run) {
                    Some(run) if run.stand.is_waiting() && fault != 1 => {
                        run.end(Stand::Cancelled);
                        Some(run.stand)
                    }
                    run => run.map(|run| run.stand),
                };
                if fault == 0 { Reply::Stand(stand) } else { Reply::Fault }
            }
            Call::Status(run) if fault > 0 => {
                if let Some(run) = world.run_mut(run) {
                    run.is_doubted = true;
                }
                Reply::Fault
            }
            _ if fault > 0 => Reply::Fault,
            Call::Aside => Reply::Yes,
            Call::Load(of) | Call::LoadSince(of) if self.scenario.unreadable == Some(*of) => Reply::Fault,
            Call::Load(of) | Call::LoadSince(of) => Reply::Row(world.row(*of)),
            Call::Find(query) => {
                let found = self.find(world, query);
                rules::find(&self.stored(world), query, &found)?;
                Reply::Found(found)
            }
            Call::Remove(of, revision) => {
                if self.row(world, *of).map(|row| row.conversation.revision) != Some(*revision) {
                    return Ok(Reply::No);
                }
                world.rows[usize::from(*of)] = None;
                Reply::Yes
            }
            Call::Status(_) if self.scenario.bug == Some(Bug::KnowsNoRun) => Reply::Stand(None),
            Call::Status(run) => Reply::Stand(world.run(run).map(|run| run.stand)),
            Call::Result(_) if !self.scenario.keeps_results => Reply::Run(None),
            Call::Result(run) if self.scenario.bug == Some(Bug::MixesResults) => {
                Reply::Run(world.runs.iter().find(|other| *other.uuid != **run).cloned().map(Rc::new))
            }
            Call::Result(run) | Call::View(run) | Call::Events(run) => Reply::Run(world.run(run).cloned().map(Rc::new)),
        })
    }

    /// A swap that was answered already, and only now arrives.
    pub fn arrive(&mut self, world: &mut World, actor: u8, place: u32) -> Checked {
        let standing = Rc::clone(&self.places[place as usize].standing);
        let op = self.ops(actor)[standing.op];
        if let Some(call @ Call::Swap { .. }) = &standing.call {
            let swap = self.asked_for(call, op);
            self.swap(world, place, &swap, self.scenario.bug == Some(Bug::AppliesLate))?;
        }
        Ok(())
    }

    fn asked_for<'a>(&self, call: &'a Call, op: Op) -> rules::Swap<'a> {
        let Call::Swap {
            read,
            offset,
            tail,
            patch,
            asked,
        } = call
        else {
            panic!("no swap: {call:?}");
        };
        rules::Swap {
            rule_set: self.scenario.setup.rule_set,
            limit: self.scenario.setup.limit,
            read,
            offset: *offset,
            tail,
            patch,
            asked: *asked,
            op,
        }
    }

    /// A conversation as it is stored, `None` where it was removed.
    pub fn row(&self, world: &World, of: u8) -> Option<Rc<Row>> {
        world.row(of).map(|row| Rc::clone(self.rows.borrow().get(row)))
    }

    /// All of them.
    pub fn stored(&self, world: &World) -> Vec<Option<Rc<Row>>> {
        (0..world.rows.len()).map(|of| self.row(world, of as u8)).collect()
    }

    /// Who waits longest comes first.
    fn find(&self, world: &World, query: &Query) -> Vec<u8> {
        let mut found: Vec<(f64, u8)> = (0..world.rows.len() as u8)
            .filter_map(|of| {
                let row = world.row(of).filter(|row| self.matches(*row, query))?;
                Some((self.rows.borrow().get(row).conversation.updated_at, of))
            })
            .collect();
        found.sort_by(|a, b| a.partial_cmp(b).expect("times can be compared"));
        found.truncate(match self.scenario.bug {
            Some(Bug::FindsOne) => 1,
            _ => query.limit,
        });
        found.into_iter().map(|(_, of)| of).collect()
    }

    fn matches(&self, row: RowId, query: &Query) -> bool {
        let rows = self.rows.borrow();
        let row = &rows.get(row).conversation;
        let hidden = row.status == Status::Locked
            && match self.scenario.bug {
                Some(Bug::HidesLocked) => true,
                Some(Bug::CountsQueue) => query.owner.is_some(),
                _ => false,
            };
        !hidden
            && (query.statuses.is_empty() || query.statuses.contains(&row.status))
            && query.owner.as_ref().is_none_or(|owner| *owner == row.owner)
            && query.archived.is_none_or(|archived| archived == row.archived)
            && query.pinned.is_none_or(|pinned| pinned == row.pinned)
            && query.updated_before.is_none_or(|before| row.updated_at < before)
    }

    fn swap(&mut self, world: &mut World, place: u32, swap: &rules::Swap, anyway: bool) -> Result<bool, Violation> {
        let of = match self.scenario.bug {
            Some(Bug::WrongRow) => self.at_revision(world, swap.read.revision),
            _ => index_of(&swap.read.uid),
        };
        let Some(id) = world.row(of) else { return Ok(false) };
        let before = Rc::clone(self.rows.borrow().get(id));
        let anyway = match self.scenario.bug {
            Some(Bug::IgnoresRevision) => true,
            Some(Bug::TrustsClaims) => !swap.read.claim_id.is_empty() && before.conversation.claim_id == swap.read.claim_id,
            _ => anyway,
        };
        if before.conversation.revision != swap.read.revision && !anyway {
            return Ok(false);
        }
        let after = match self.swapped.get(&(id, place)) {
            Some(after) => after.clone(),
            None => {
                let after = self.written(&before, swap);
                self.swapped.insert((id, place), after.clone());
                after
            }
        }?;
        let written = Rc::clone(self.rows.borrow().get(after));
        rules::decision_stays(&self.ledger, world, &before, &written, swap.op)?;
        if let Some(uuid) = rules::gives_up(world, &before, &written, swap.read)
            && let Some(run) = world.run_mut(&uuid)
        {
            run.is_given_up = true;
        }
        rules::own_affairs(world, &written)?;
        rules::active_ones(&self.ledger, &self.stored(world), swap)?;
        world.rows[usize::from(of)] = Some(after);
        Ok(true)
    }

    /// The first conversation at this revision, whichever it is.
    fn at_revision(&self, world: &World, revision: f64) -> u8 {
        let stored = self.stored(world);
        let found = stored
            .iter()
            .position(|row| row.as_ref().is_some_and(|row| row.conversation.revision == revision));
        found.unwrap_or_default() as u8
    }

    fn written(&mut self, before: &Row, swap: &rules::Swap) -> Result<RowId, Violation> {
        let mut after = match self.scenario.bug {
            Some(bug) => bug.write(before, swap.patch),
            None => before.swapped(swap.patch),
        };
        after.turn += u8::from(begins_turn(swap.op, swap.patch));
        rules::swap(&self.ledger, before, &after, swap)?;
        rules::row(&self.ledger, &after, swap.rule_set)?;
        Ok(self.rows.borrow_mut().number(after))
    }

    fn start(&mut self, world: &mut World, actor: u8, uuid: &Rc<str>, (of, turn): (u8, u8), claim: &str, decided: u16) -> Checked {
        let row = self.row(world, of);
        let held = |row: &&Rc<Row>| row.conversation.status == Status::Locked && row.conversation.claim_id == claim;
        let is_stray = row.as_ref().filter(held).is_none();
        if let (false, Some(row)) = (is_stray, row) {
            rules::start(&self.ledger, world, &row, turn, decided)?;
        }
        let programs = &self.scenario.programs;
        let program = programs.get(world.runs.len()).or(programs.last()).copied().unwrap_or(&[Step::Answer]);
        world.runs.push(Run {
            uuid: Rc::clone(uuid),
            program,
            at: 0,
            stand: Stand::Running,
            ends: Vec::new(),
            thought: 0,
            approved: false,
            approvals: 0,
            writes: 0,
            of,
            turn,
            listener: Some(actor),
            is_stray,
            is_given_up: false,
            is_doubted: false,
        });
        Ok(())
    }

    /// What a runtime does with a person's word: claims the run, then compares the digest (rule D5).
    fn deliver(&self, world: &mut World, actor: u8, uuid: &str, word: Word, digest: &str, decided: u16) -> Reply {
        let credulous = self.scenario.bug == Some(Bug::ExecutesTwice);
        let Some(run) = world.run_mut(uuid) else {
            return Reply::Refused("notAwaiting");
        };
        let refusal = match (run.stand, word) {
            (Stand::AtCard(at), Word::Approved | Word::Denied) if at == digest => None,
            (Stand::AtQuestion(at), Word::Answered) if at == digest => None,
            (Stand::AtCard(_), Word::Approved | Word::Denied) | (Stand::AtQuestion(_), Word::Answered) => Some("staleTurn"),
            (Stand::Running, _) => Some("alreadyResuming"),
            _ => Some("notAwaiting"),
        };
        match refusal {
            Some(_) if credulous && word == Word::Approved => {
                run.writes += 1;
                Reply::Began(run.ends.len() as u8 - 1)
            }
            Some(reason) => Reply::Refused(reason),
            None => {
                let segment = run.ends.len() as u8;
                run.go_on(word != Word::Denied, Some(actor));
                world.accepted.push(decided);
                Reply::Began(segment)
            }
        }
    }
}

/// A message that is sent or edited begins a turn; one that only found its run finished does not (rule N2).
fn begins_turn(op: Op, patch: &Patch) -> bool {
    matches!(op, Op::Send(..) | Op::Edit(..)) && patch.status == Some(Status::Processing)
}
