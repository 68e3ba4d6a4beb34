//! One step of a schedule: an actor gets an answer and goes on, a run moves, time passes, somebody dies.

use std::rc::Rc;

use agent_turn::run::RunStatus;
use agent_turn::status::{RuleSet, Status};

use super::actor::{self, Op, Setup};
use super::explorer::{Explorer, GONE, Place, State};
use super::planted::Bug;
use super::rules::{self, Checked, Violation};
use super::schedule::Action;
use super::tape::{Call, Effect, Reply, Told};
use super::world::{BEGIN, RowId, Stand, World};

impl Explorer {
    pub fn step(&mut self, state: &State, action: Action) -> Result<State, Violation> {
        let mut next = state.clone();
        let world = &mut next.world;
        match action {
            Action::Answer(actor, fault) => {
                let index = usize::from(actor);
                let place = state.places[index];
                world.faults -= u8::from(fault > 0);
                next.places[index] = self.answer(world, actor, place, fault)?;
                self.checked_state(world)?;
                return Ok(next);
            }
            Action::Crash(actor) => {
                world.crashes -= 1;
                next.places[usize::from(actor)] = GONE;
                for run in &mut world.runs {
                    run.listener = run.listener.filter(|listener| *listener != actor);
                }
            }
            Action::Advance(index) => world.runs[usize::from(index)].advance(),
            Action::Perish(index) => world.runs[usize::from(index)].end(Stand::Failed),
            Action::Elsewhere(index) => {
                world.elsewhere -= 1;
                world.runs[usize::from(index)].go_on(true, None);
            }
            Action::Revive(index) => world.runs[usize::from(index)].end(Stand::Completed),
            Action::Arrive(index) => {
                let (actor, place) = world.in_flight.remove(usize::from(index));
                self.arrive(world, actor, place)?;
            }
            Action::Leap => {
                world.now = world.now.wrapping_add_signed(self.scenario.leaps[usize::from(world.leaps)]);
                world.leaps += 1;
            }
        }
        let told = format!("{action:<5} {}", described(action, &next.world));
        self.say(|| told);
        self.checked_state(&next.world)?;
        Ok(next)
    }

    pub fn checked_state(&self, world: &World) -> Checked {
        rules::state(&self.ledger, world, &self.stored(world))
    }

    /// Answers an actor's call, and lets it go on to the next one.
    pub fn answer(&mut self, world: &mut World, actor: u8, place: u32, fault: u8) -> Result<u32, Violation> {
        let standing = Rc::clone(&self.places[place as usize].standing);
        let call = standing.call.as_ref().expect("an actor that has ended is gone");
        let op = self.ops(actor)[standing.op];
        let reply = self.reply(world, actor, place, op, call, fault)?;
        if self.story.is_some() {
            let rows: Vec<String> = world.rows.iter().flatten().map(|row| self.shown(*row)).collect();
            let action = Action::Answer(actor, fault);
            self.say(|| format!("{action:<5} {op:?}: {} -> {reply:?}\n        {}", named(call), rows.join("\n        ")));
        }
        let next = self.place(actor, place, reply, world.now);
        let standing = Rc::clone(&self.places[next as usize].standing);
        for effect in &standing.effects {
            self.take_effect(world, (actor, op), effect)?;
        }
        Ok(if standing.call.is_some() { next } else { GONE })
    }

    fn take_effect(&mut self, world: &mut World, (actor, op): (u8, Op), effect: &Effect) -> Checked {
        match effect {
            Effect::Touch { of, claim, at, activity } => {
                let reached = match self.scenario.bug {
                    Some(Bug::TouchesNextRow) => (of + 1) % world.rows.len() as u8,
                    _ => *of,
                };
                let Some(row) = self.row(world, reached) else { return Ok(()) };
                let own = row.conversation.status == Status::Locked && row.conversation.claim_id == *claim;
                if own || matches!(self.scenario.bug, Some(Bug::TouchesAnyClaim | Bug::TouchesNextRow)) {
                    rules::touch(&row, *of, claim)?;
                    let mut touched = (*row).clone();
                    touched.conversation.updated_at = f64::from(*at);
                    touched.conversation.activity.clone_from(activity);
                    world.rows[usize::from(reached)] = Some(self.rows.borrow_mut().number(touched));
                }
                Ok(())
            }
            Effect::Told(told, swaps) => {
                self.say(|| format!("        {op:?} was told: {told:?}"));
                let row = self.row(world, self.home(actor));
                // A fault may have hidden from the actor what it wrote.
                let blind = world.faults < self.scenario.faults || !matches!(self.scenario.bug, None | Some(Bug::InAnActor));
                match blind || matches!(told, Told::Broken(_)) {
                    true => Ok(()),
                    false => rules::told(row.as_deref(), op, told, *swaps),
                }
            }
        }
    }

    pub fn ops(&self, actor: u8) -> Vec<Op> {
        match self.steward(actor) {
            Some(steward) => vec![steward.op],
            None => self.scenario.actors[usize::from(actor)].clone(),
        }
    }

    /// The conversation that an actor's requests are about.
    fn home(&self, actor: u8) -> u8 {
        match self.steward(actor) {
            Some(steward) => steward.home,
            None => self.scenario.homes.get(usize::from(actor)).copied().unwrap_or_default(),
        }
    }

    pub fn root(&mut self, actor: u8) -> u32 {
        if let Some(root) = self.roots.get(&actor) {
            return *root;
        }
        let root = self.executed(actor, None, (Reply::Yes, BEGIN));
        self.roots.insert(actor, root);
        root
    }

    fn place(&mut self, actor: u8, parent: u32, reply: Reply, now: u32) -> u32 {
        let edge = (parent, reply, now);
        if let Some(place) = self.edges.get(&edge) {
            return *place;
        }
        let place = self.executed(actor, Some(parent), (edge.1.clone(), now));
        self.edges.insert(edge, place);
        place
    }

    fn executed(&mut self, actor: u8, parent: Option<u32>, answer: (Reply, u32)) -> u32 {
        let mut answers = Vec::new();
        let mut at = parent;
        if parent.is_some() {
            answers.push(answer.clone());
        }
        while let Some(place) = at {
            let place = &self.places[place as usize];
            at = place.parent;
            if at.is_some() {
                answers.push(place.answer.clone());
            }
        }
        answers.reverse();
        let setup = match self.scenario.bug {
            Some(Bug::KeepsPauses) => Setup {
                rule_set: RuleSet::Current,
                ..self.scenario.setup
            },
            _ => self.scenario.setup,
        };
        let setup = Setup {
            home: self.home(actor),
            ..setup
        };
        let standing = actor::stand(actor, &self.ops(actor), answers, &self.rows, setup);
        self.places.push(Place {
            parent,
            answer,
            standing: Rc::new(standing),
        });
        self.places.len() as u32 - 1
    }

    fn shown(&self, row: RowId) -> String {
        let row = Rc::clone(self.rows.borrow().get(row));
        let conversation = &row.conversation;
        let texts: Vec<String> = row.texts().collect();
        format!(
            "[{} rev {} claim {:?} run {:?} last {:?} decision {:?} code {:?} messages {texts:?}]",
            conversation.status.name(),
            conversation.revision,
            conversation.claim_id,
            conversation.run_uuid,
            conversation.last_run_uuid,
            conversation.decision.decision.name(),
            conversation.error_code
        )
    }
}

fn named(call: &Call) -> String {
    match call {
        Call::Swap { read, patch, .. } => format!("swap from {} to {:?}", read.revision, patch.status.map(Status::name)),
        call => format!("{call:?}"),
    }
}

fn described(action: Action, world: &World) -> String {
    let run = |index: u8| {
        let run = &world.runs[usize::from(index)];
        let status: RunStatus = run.stand.status();
        format!("run {} is {status:?}, {} write(s)", run.uuid, run.writes)
    };
    match action {
        Action::Answer(..) => String::new(),
        Action::Crash(actor) => format!("actor {actor} dies"),
        Action::Advance(index) | Action::Perish(index) | Action::Revive(index) => run(index),
        Action::Arrive(_) => "a swap arrives at the store".to_owned(),
        Action::Elsewhere(index) => format!("decided elsewhere: {}", run(index)),
        Action::Leap => format!("the clock shows {} s", i64::from(world.now) - i64::from(BEGIN)),
    }
}
