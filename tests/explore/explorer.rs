//! All interleavings of a scenario, breadth first, each state once.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::actor::{Op, Setup, Standing};
use super::ending::{self, Steward};
use super::known::Ledger;
use super::planted::Bug;
use super::rules::{Checked, Violation};
use super::schedule::{Action, Counterexample};
use super::tape::{Call, Reply};
use super::world::{BEGIN, Row, RowId, Rows, Run, Stand, Step, World};

/// A bounded scenario.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub name: &'static str,
    /// The stored conversations.
    pub rows: Vec<Row>,
    pub runs: Vec<Run>,
    pub actors: Vec<Vec<Op>>,
    /// Which conversation the requests of each actor are about; the first, where nothing is said.
    pub homes: Vec<u8>,
    /// The conversation that nobody can load (rule S3).
    pub unreadable: Option<u8>,
    /// What the runs do, in the order in which they start; the last one stands for all that follow.
    pub programs: Vec<&'static [Step]>,
    /// How far the clock may leap, one after the other.
    pub leaps: Vec<i32>,
    pub crashes: u8,
    pub faults: u8,
    pub elsewhere: u8,
    /// Whether the runtime keeps results.
    pub keeps_results: bool,
    /// How hosts and settings are.
    pub setup: Setup,
    /// Whether a swap may arrive after its answer, or a second time.
    pub delays: bool,
    /// Whether a cancelled run may end with an answer all the same.
    pub revives: bool,
    /// So many states that a build without optimization explores it without faults.
    pub is_wide: bool,
    pub bug: Option<Bug>,
}

/// What an exploration came to.
#[derive(Debug, Default)]
pub struct Explored {
    pub states: usize,
    pub transitions: usize,
    pub depth: usize,
    /// Every world was asked whether its conversation comes to rest: how many.
    pub endings: usize,
    pub actor_states: usize,
    /// In which statuses the conversation was left when all actors had ended or died.
    pub left: BTreeMap<String, usize>,
    /// The shortest for each kind of violation.
    pub found: Vec<Counterexample>,
}

/// The state of an actor: its answers so far, as a place in a tree. Equal answers lead to one place.
pub struct Place {
    pub parent: Option<u32>,
    pub answer: (Reply, u32),
    pub standing: Rc<Standing>,
}

/// An actor that has ended or died.
pub const GONE: u32 = u32::MAX;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub world: World,
    pub places: Vec<u32>,
}

pub struct Explorer {
    pub scenario: Scenario,
    pub rows: Rc<RefCell<Rows>>,
    pub places: Vec<Place>,
    pub edges: HashMap<(u32, Reply, u32), u32>,
    pub roots: HashMap<u8, u32>,
    /// What a swap makes of a row.
    pub swapped: HashMap<(RowId, u32), Result<RowId, Violation>>,
    /// Worlds whose ending is known.
    pub endings: HashSet<u128>,
    /// Who brings everything to rest.
    pub stewards: Rc<[Steward]>,
    pub ledger: Ledger,
    /// Whether one counterexample is enough.
    pub only_first: bool,
    pub story: Option<Vec<String>>,
}

impl Explorer {
    pub fn new(scenario: Scenario) -> Explorer {
        Explorer {
            stewards: ending::stewards(scenario.rows.len() as u8),
            scenario,
            rows: Rc::default(),
            places: Vec::new(),
            edges: HashMap::new(),
            roots: HashMap::new(),
            swapped: HashMap::new(),
            endings: HashSet::new(),
            ledger: Ledger::default(),
            only_first: false,
            story: None,
        }
    }

    /// Explores everything; never more than one counterexample of a kind.
    pub fn explore(&mut self) -> Explored {
        let mut explored = Explored::default();
        let mut kinds = HashSet::new();
        let begin = self.begin();
        let mut seen = HashSet::from([fingerprint(&begin)]);
        let mut trail = vec![(0_u32, Action::Leap)];
        let mut level = vec![(begin, 0_u32)];
        while !level.is_empty() && (!self.only_first || explored.found.is_empty()) {
            let mut next = Vec::new();
            for (state, number) in &level {
                if let Err(violation) = self.ends_well(&state.world) {
                    self.note(&mut explored, &mut kinds, violation, &trail, *number, None);
                    continue;
                }
                let actions = self.actions(state);
                if actions.is_empty() {
                    *explored.left.entry(self.status(&state.world)).or_default() += 1;
                    if let Err(violation) = self.is_quiet(state) {
                        self.note(&mut explored, &mut kinds, violation, &trail, *number, None);
                    }
                }
                for action in actions {
                    explored.transitions += 1;
                    match self.step(state, action) {
                        Ok(state) => {
                            if seen.insert(fingerprint(&state)) {
                                trail.push((*number, action));
                                next.push((state, trail.len() as u32 - 1));
                            }
                        }
                        Err(violation) => self.note(&mut explored, &mut kinds, violation, &trail, *number, Some(action)),
                    }
                }
            }
            explored.depth += usize::from(!next.is_empty());
            level = next;
        }
        explored.states = seen.len();
        explored.endings = self.endings.len();
        explored.actor_states = self.places.len();
        explored
    }

    /// Walks at most so many steps, each chosen among the possible ones. The violation it meets; `schedule` says how it came there.
    pub fn walk(&mut self, steps: usize, mut choose: impl FnMut(usize) -> usize, schedule: &mut Vec<Action>) -> Checked {
        let mut state = self.begin();
        for step in 0..steps {
            let actions = self.actions(&state);
            if actions.is_empty() {
                self.is_quiet(&state)?;
                break;
            }
            let action = actions[choose(actions.len())];
            schedule.push(action);
            state = self.step(&state, action)?;
            if step % 16 == 15 {
                self.ends_well(&state.world)?;
            }
        }
        self.ends_well(&state.world)
    }

    fn note(&self, explored: &mut Explored, kinds: &mut HashSet<String>, violation: Violation, trail: &[(u32, Action)], at: u32, last: Option<Action>) {
        // Uuids and numbers differ, the kind does not.
        let kind = format!("{} {}", violation.rule, violation.what.replace(|c: char| c.is_ascii_digit(), ""));
        if !kinds.insert(kind) {
            return;
        }
        let mut schedule: Vec<Action> = last.into_iter().collect();
        let mut at = at;
        while at != 0 {
            let (parent, action) = trail[at as usize];
            schedule.push(action);
            at = parent;
        }
        schedule.reverse();
        explored.found.push(Counterexample { violation, schedule });
    }

    /// Follows a schedule and tells what happens; the violation it ends with, if any.
    pub fn replay(&mut self, schedule: &[Action]) -> (Vec<String>, Checked) {
        self.story = Some(Vec::new());
        let mut state = self.begin();
        let mut result = Ok(());
        for action in schedule {
            match self.step(&state, *action) {
                Ok(next) => state = next,
                Err(violation) => {
                    result = Err(violation);
                    break;
                }
            }
        }
        if result.is_ok() {
            result = self.ends_well(&state.world);
        }
        if result.is_ok() && self.actions(&state).is_empty() {
            result = self.is_quiet(&state);
        }
        (self.story.take().unwrap_or_default(), result)
    }

    pub fn say(&mut self, line: impl FnOnce() -> String) {
        if let Some(story) = &mut self.story {
            story.push(line());
        }
    }

    fn begin(&mut self) -> State {
        let rows = self.scenario.rows.iter();
        let rows = rows.map(|row| Some(self.rows.borrow_mut().number(row.clone()))).collect();
        let count = self.scenario.actors.len() as u8;
        State {
            world: World {
                rows,
                runs: self.scenario.runs.clone(),
                now: BEGIN,
                delivered: Vec::new(),
                accepted: Vec::new(),
                crashes: self.scenario.crashes,
                faults: self.scenario.faults,
                leaps: 0,
                elsewhere: self.scenario.elsewhere,
                in_flight: Vec::new(),
            },
            places: (0..count).map(|actor| self.root(actor)).collect(),
        }
    }

    fn status(&self, world: &World) -> String {
        let stored = self.stored(world);
        let names = stored.iter().map(|row| row.as_ref().map_or("removed", |row| row.conversation.status.name()));
        names.collect::<Vec<_>>().join(", ")
    }

    fn actions(&self, state: &State) -> Vec<Action> {
        let world = &state.world;
        let live = || state.places.iter().enumerate().filter(|(_, place)| **place != GONE);
        // A call aside reads nothing that is shared: whoever is at one goes first (it commutes with every step of the others).
        let aside = live().find(|(_, place)| matches!(self.call(**place), Call::Aside));
        if let Some((actor, place)) = aside {
            return self.answers(world, actor as u8, *place);
        }
        let mut actions = Vec::new();
        for (actor, place) in live() {
            actions.extend(self.answers(world, actor as u8, *place));
            let has_begun = self.places[*place as usize].parent.is_some();
            if world.crashes > 0 && has_begun {
                actions.push(Action::Crash(actor as u8));
            }
        }
        for (index, run) in world.runs.iter().enumerate() {
            let index = index as u8;
            if run.stand == Stand::Running {
                actions.push(Action::Advance(index));
                if run.listener.is_none() {
                    actions.push(Action::Perish(index));
                }
            }
            if self.scenario.revives && run.stand == Stand::Cancelled {
                actions.push(Action::Revive(index));
            }
            if run.stand.is_waiting() && world.elsewhere > 0 {
                actions.push(Action::Elsewhere(index));
            }
        }
        actions.extend((0..world.in_flight.len()).map(|index| Action::Arrive(index as u8)));
        if usize::from(world.leaps) < self.scenario.leaps.len() && live().next().is_some() {
            actions.push(Action::Leap);
        }
        actions
    }

    fn answers(&self, world: &World, actor: u8, place: u32) -> Vec<Action> {
        let call = self.call(place);
        let mut actions = Vec::new();
        if is_ready(world, call) {
            actions.push(Action::Answer(actor, 0));
        }
        if world.faults > 0 {
            actions.extend((1..=self.ways_to_fail(call)).map(|fault| Action::Answer(actor, fault)));
        }
        actions
    }

    /// In how many ways a call may fail (see `Explorer::reply`).
    fn ways_to_fail(&self, call: &Call) -> u8 {
        match call {
            Call::Begin => 0,
            // Not applied and an error; applied and an error; applied and reported lost. And where the way to the store is long: an error, and applied
            // later; applied, and delivered once more later.
            Call::Swap { .. } => 3 + 2 * u8::from(self.scenario.delays),
            // Without effect, with effect.
            Call::Start { .. } | Call::Deliver { .. } | Call::Cancel { .. } => 2,
            // The answer is lost; the lease is lost.
            Call::Await { .. } => 2,
            _ => 1,
        }
    }

    pub fn call(&self, place: u32) -> &Call {
        let standing = &self.places[place as usize].standing;
        standing.call.as_ref().expect("an actor that has ended is gone")
    }
}

/// Whether a call can be answered now: only who listens to a run has to wait for it.
pub fn is_ready(world: &World, call: &Call) -> bool {
    let Call::Await { run, segment, heard } = call else {
        return true;
    };
    let run = world.run(run).expect("a run that began");
    run.ends.len() > usize::from(*segment) || run.thought > *heard && run.ends.len() == usize::from(*segment)
}

/// 128 bits of a state: two runs of the standard hasher.
pub fn fingerprint(state: &impl Hash) -> u128 {
    let mut low = DefaultHasher::new();
    state.hash(&mut low);
    let mut high = DefaultHasher::new();
    0x5EED_u16.hash(&mut high);
    state.hash(&mut high);
    u128::from(high.finish()) << 64 | u128::from(low.finish())
}
