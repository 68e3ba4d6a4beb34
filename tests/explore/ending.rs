//! How it ends: whatever has happened, every conversation comes to rest (invariant 7).

use std::rc::Rc;

use super::actor::Op;
use super::explorer::{Explorer, GONE, State, fingerprint, is_ready};
use super::rules::{self, Checked, Violation};
use super::tape::Call;
use super::world::{Stand, World};

/// Actors beyond the scenario's own, for the endings.
const STEWARDS: u8 = 100;

/// What happens after everything else has died (invariant 7): time passes, and then each conversation is taken care of by a process of its own.
const CARE: [(u32, Op); 10] = [
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
];

/// And whether each of them takes a message.
const ANEW: [Op; 2] = [Op::Send("Begin anew.", "anew"), Op::Consume];

/// An actor beyond the scenario's own.
#[derive(Debug, Clone, Copy)]
pub struct Steward {
    /// How much time passes before it acts.
    leap: u32,
    pub op: Op,
    pub home: u8,
}

/// Those that bring so many conversations to rest.
pub fn stewards(conversations: u8) -> Rc<[Steward]> {
    let care = CARE.iter().flat_map(|(leap, op)| {
        (0..conversations).map(move |home| Steward {
            leap: if home == 0 { *leap } else { 0 },
            op: *op,
            home,
        })
    });
    let anew = (0..conversations).flat_map(|home| ANEW.map(|op| Steward { leap: 0, op, home }));
    care.chain(anew).collect()
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
    pub fn steward(&self, actor: u8) -> Option<Steward> {
        let index = usize::from(actor.checked_sub(STEWARDS)?);
        self.stewards.get(index).copied()
    }

    /// Everything is done and nothing went wrong.
    pub fn is_quiet(&self, state: &State) -> Checked {
        let world = &state.world;
        let undisturbed = world.crashes == self.scenario.crashes && world.faults == self.scenario.faults;
        if !undisturbed || self.scenario.bug.is_some() || state.places.iter().any(|place| *place != GONE) {
            return Ok(());
        }
        rules::nobody_waits_unseen(&self.ledger, world, &self.stored(world))
    }

    /// Invariant 7: if every process died here, each conversation would still come to rest, and would take a new message.
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
        let stewards = Rc::clone(&self.stewards);
        for (index, Steward { leap, op, home }) in stewards.iter().enumerate() {
            world.now += leap;
            let Some(row) = self.row(&world, *home) else { continue };
            if self.scenario.unreadable == Some(*home) && matches!(op, Op::Send(..) | Op::Reconcile) {
                continue; // rule S3: it is left as it is
            }
            if let Op::Send(..) = op {
                if row.conversation.status.is_busy() {
                    return Err(Violation {
                        rule: 7,
                        what: format!("it stays {:?} for ever (orphans: {orphans:?})", row.conversation.status),
                    });
                }
                if !sound {
                    continue;
                }
            }
            self.alone(&mut world, STEWARDS + index as u8)?;
        }
        for home in (0..world.rows.len() as u8).filter(|_| sound) {
            let Some(row) = self.row(&world, home) else { continue };
            if self.scenario.unreadable == Some(home) {
                let as_it_was = row.conversation.revision == self.scenario.rows[usize::from(home)].conversation.revision;
                rules::untouched(as_it_was)?;
                continue;
            }
            let fresh = row.texts().any(|text| text == "Begin anew.") && !row.conversation.status.is_busy();
            rules::takes_messages(&self.ledger, &world, &row, fresh)?;
        }
        Ok(())
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
