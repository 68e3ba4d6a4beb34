//! How it ends: whatever has happened, the conversation comes to rest (invariant 7).

use std::rc::Rc;

use super::actor::Op;
use super::explorer::{Explorer, GONE, State, fingerprint, is_ready};
use super::host::Call;
use super::rules::{self, Checked, Violation};
use super::world::{Stand, World};

/// Actors beyond the scenario's own, for the endings.
const STEWARDS: u8 = 100;

/// What happens after everything else has died (invariant 7): each is a process of its own.
const ENDING: [(u32, Op); 12] = [
    (0, Op::Consume),
    (46, Op::Reconcile),
    (0, Op::Consume),
    (301, Op::Cleanup),
    (0, Op::Consume),
    (3601, Op::Cleanup),
    (0, Op::Consume),
    (46, Op::Reconcile),
    (0, Op::Consume),
    (3601, Op::Cleanup),
    (0, Op::Send("Begin anew.", "anew")),
    (0, Op::Consume),
];

/// The operation of an actor beyond the scenario's own.
pub fn steward(actor: u8) -> Option<Op> {
    let index = usize::from(actor.checked_sub(STEWARDS)?);
    ENDING.get(index).map(|(_, op)| *op)
}

/// What becomes of runs that nobody listens to.
#[derive(Debug, Clone, Copy)]
enum Orphans {
    GoOn,
    Perish,
    /// They say "running" for ever.
    Hang,
}

impl Explorer {
    /// Everything is done and nothing went wrong.
    pub fn is_quiet(&self, state: &State) -> Checked {
        let world = &state.world;
        let undisturbed = world.crashes == self.scenario.crashes && world.faults == self.scenario.faults;
        if !undisturbed || self.scenario.bug.is_some() || state.places.iter().any(|place| *place != GONE) {
            return Ok(());
        }
        let row = world.row.map(|row| Rc::clone(self.rows.borrow().get(row)));
        rules::nobody_waits_unseen(&self.ledger, world, row.as_deref())
    }

    /// Invariant 7: if every process died here, the conversation would still come to rest, and would take a new message.
    pub fn ends_well(&mut self, world: &World) -> Checked {
        let calm = World {
            crashes: 0,
            faults: 0,
            leaps: 0,
            elsewhere: 0,
            in_flight: Vec::new(),
            ..world.clone()
        };
        if !self.endings.insert(fingerprint(&calm)) && self.story.is_none() {
            return Ok(());
        }
        let orphaned = calm.runs.iter().any(|run| run.stand == Stand::Running);
        let fates: &[Orphans] = match orphaned {
            true => &[Orphans::GoOn, Orphans::Perish, Orphans::Hang],
            false => &[Orphans::GoOn],
        };
        for orphans in fates {
            let told = self.story.as_ref().map_or(0, Vec::len);
            self.end(calm.clone(), *orphans)?;
            // A good end is no news.
            if let Some(story) = &mut self.story {
                story.truncate(told);
            }
        }
        Ok(())
    }

    fn end(&mut self, mut world: World, orphans: Orphans) -> Checked {
        self.say(|| format!("Here everything dies, and time passes; runs that nobody listens to: {orphans:?}"));
        for run in &mut world.runs {
            run.listener = None;
            while run.stand == Stand::Running {
                match orphans {
                    Orphans::GoOn => run.advance(),
                    Orphans::Perish => run.end(Stand::Failed),
                    Orphans::Hang => break,
                }
            }
        }
        let sound = self.scenario.bug.is_none();
        for (index, (leap, op)) in ENDING.iter().enumerate() {
            world.now += leap;
            let Some(id) = world.row else { return Ok(()) };
            if let Op::Send(..) = op {
                let row = Rc::clone(self.rows.borrow().get(id));
                let rests = !row.conversation.status.is_busy();
                if !rests {
                    return Err(Violation {
                        rule: 7,
                        what: format!("it stays {:?} for ever (orphans: {orphans:?})", row.conversation.status),
                    });
                }
                if !sound {
                    return Ok(());
                }
            }
            self.alone(&mut world, STEWARDS + index as u8)?;
        }
        let Some(id) = world.row else { return Ok(()) };
        let row = Rc::clone(self.rows.borrow().get(id));
        let fresh = row.texts().any(|text| text == "Begin anew.") && !row.conversation.status.is_busy();
        rules::takes_messages(&self.ledger, &world, &row, fresh)
    }

    /// One process, undisturbed.
    fn alone(&mut self, world: &mut World, steward: u8) -> Checked {
        let mut place = self.root(steward);
        while place != GONE {
            if let Call::Await { run, .. } = self.call(place).clone()
                && !is_ready(world, self.call(place))
            {
                world.run_mut(&run).expect("a run that began").advance();
                continue;
            }
            place = self.answer(world, steward, place, 0)?;
            self.checked_state(world)?;
        }
        Ok(())
    }
}
