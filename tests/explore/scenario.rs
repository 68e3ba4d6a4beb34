//! How a scenario is put together, and how much may go wrong in it.

use agent_turn::conversation::Uid;
use agent_turn::status::RuleSet;

use super::actor::{Op, Setup};
use super::explorer::Scenario;
use super::planted::Bug;
use super::world::{BEGIN, Row, Run, Step, decision};

/// How much may go wrong: in `cargo test`, and with `EXPLORE=full`.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub crashes: u8,
    pub faults: u8,
}

impl Scenario {
    pub fn new(name: &'static str, (row, runs): (Row, Vec<Run>), programs: &[&'static [Step]], actors: &[&[Op]]) -> Scenario {
        Scenario {
            name,
            rows: vec![row],
            runs,
            homes: Vec::new(),
            unreadable: None,
            actors: actors.iter().map(|ops| ops.to_vec()).collect(),
            programs: programs.to_vec(),
            leaps: Vec::new(),
            crashes: 0,
            faults: 0,
            elsewhere: 0,
            keeps_results: true,
            setup: Setup::default(),
            delays: false,
            revives: false,
            is_wide: false,
            bug: None,
        }
    }

    pub fn leaps(mut self, leaps: &[i32]) -> Scenario {
        self.leaps = leaps.to_vec();
        self
    }

    pub fn elsewhere(mut self) -> Scenario {
        self.elsewhere = 1;
        self
    }

    pub fn forgets_results(mut self) -> Scenario {
        self.keeps_results = false;
        self
    }

    pub fn wide(mut self) -> Scenario {
        self.is_wide = true;
        self
    }

    /// Swaps may arrive late, or twice.
    pub fn delays(mut self) -> Scenario {
        self.delays = true;
        self
    }

    /// A cancelled run may end with an answer all the same.
    pub fn revives(mut self) -> Scenario {
        self.revives = true;
        self
    }

    /// Every process draws the same uuids.
    pub fn collides(mut self) -> Scenario {
        self.setup.collides = true;
        self
    }

    /// Another conversation of the same owner, which has waited for so many seconds longer.
    pub fn beside(mut self, (mut row, runs): (Row, Vec<Run>), longer: u32) -> Scenario {
        let of = self.rows.len() as u8;
        row.conversation.uid = Uid::from(f64::from(of) + 1.0);
        row.conversation.updated_at -= f64::from(longer);
        let begun = decision(&row.conversation);
        for decided in [&mut row.decided, &mut row.line] {
            *decided = if *decided == 0 { 0 } else { begun };
        }
        self.rows.push(row);
        self.runs.extend(runs.into_iter().map(|run| Run { of, ..run }));
        self
    }

    /// Which conversation the requests of each actor are about.
    pub fn homes(mut self, homes: &[u8]) -> Scenario {
        self.homes = homes.to_vec();
        self
    }

    /// Nobody can load the first conversation.
    pub fn unreadable(mut self) -> Scenario {
        self.unreadable = Some(0);
        self
    }

    /// `maxActivePerOwner` is 1.
    pub fn limited(mut self) -> Scenario {
        self.setup.limit = 1;
        self
    }

    pub fn without_pauses(mut self) -> Scenario {
        self.setup.rule_set = RuleSet::WithoutPauses;
        self
    }

    pub fn removes(mut self) -> Scenario {
        self.setup.days = 1.0;
        let row = &mut self.rows[0].conversation;
        row.archived = true;
        row.updated_at = f64::from(BEGIN - 100_000);
        self
    }

    /// The same with a planted bug, and with other actors where it is one of them that is broken.
    pub fn planted(mut self, bug: Bug, actors: &[&[Op]]) -> Scenario {
        self.bug = Some(bug);
        if !actors.is_empty() {
            self.actors = actors.iter().map(|ops| ops.to_vec()).collect();
        }
        self
    }

    pub fn within(mut self, bounds: Bounds) -> Scenario {
        self.crashes = bounds.crashes;
        self.faults = bounds.faults;
        self.setup.asides = bounds.faults > 0;
        self
    }
}
