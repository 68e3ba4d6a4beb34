//! What a run wrote, read from its events (rules V7, R2a, N2).

use crate::conversation::{ELLIPSIS, NewMessage, notice};
use crate::run::{RunEvent, RunStep, WriteTarget};
use crate::text::{self, platform::number_text};
use crate::value::MAX_SAFE_INTEGER;

/// The writes of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Writes {
    /// There are no events, or they cannot be read: an empty stream cannot be told from a forbidden one.
    #[default]
    Unknown,
    /// The events can be read. `any` is whether something was written at all; `records` are those that can be named, once each, in
    /// the order of their first write.
    Known {
        /// A nameless write still counts as one.
        any: bool,
        /// As `table:uid`.
        records: Vec<String>,
    },
}

impl Writes {
    /// What the events of a run say. A write is a `tool_write`, or a `tool` without error in the unbroken row of tool events behind an
    /// approved `approval` (rule V7).
    pub fn of_events(events: Option<&[RunEvent]>) -> Writes {
        let Some(events) = events.filter(|events| !events.is_empty()) else {
            return Writes::Unknown;
        };
        let mut any = false;
        let mut records = Vec::new();
        let mut approved_row = false;
        for event in events {
            match event.kind.as_str() {
                "approval" => approved_row = event.approved,
                "tool" => any |= approved_row && !event.tool_is_error,
                "tool_write" => {
                    any = true;
                    name(&event.write_target, &mut records);
                }
                _ => approved_row = false,
            }
        }
        Writes::Known { any, records }
    }

    /// What the steps of a run without a uuid say: nobody can be asked about it later.
    pub fn of_steps(steps: &[RunStep]) -> Writes {
        if steps.is_empty() {
            return Writes::Unknown;
        }
        let mut any = false;
        let mut records = Vec::new();
        for step in steps.iter().filter(|step| step.kind == "tool_write") {
            any = true;
            name(&step.write_target, &mut records);
        }
        Writes::Known { any, records }
    }

    /// Whether it is certain that nothing was written.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Writes::Known { any: false, .. })
    }

    /// The records that can be named.
    pub fn records(&self) -> &[String] {
        match self {
            Writes::Unknown => &[],
            Writes::Known { records, .. } => records,
        }
    }

    /// The line that tells the model, before it runs again, what was already written (rule R2a): none where it is certain that nothing
    /// was; one without records where that is unknown or cannot be named.
    pub fn already_written(&self, now: f64) -> Option<NewMessage> {
        (!self.is_nothing()).then(|| self.line(notice::ALREADY_WRITTEN, now))
    }

    /// The line that stands for a run decided and ended elsewhere (rule N2).
    pub fn finished_outside(&self, now: f64) -> NewMessage {
        self.line(notice::RUN_FINISHED_OUTSIDE, now)
    }

    fn line(&self, notice: &str, now: f64) -> NewMessage {
        let records = self.records();
        let content = match records {
            [] => ELLIPSIS.to_owned(),
            records => records.join(", "),
        };
        NewMessage::new("assistant", &content).noticed(notice, records).at(Some(now))
    }
}

fn name(target: &WriteTarget, records: &mut Vec<String>) {
    let uid = target.uid;
    if target.table.is_empty() || uid.fract() != 0.0 || !(1.0..=MAX_SAFE_INTEGER).contains(&uid) {
        return;
    }
    let record = format!("{}:{}", text::storable(&target.table), number_text(uid)); // N4
    if !records.contains(&record) {
        records.push(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str) -> RunEvent {
        RunEvent {
            kind: kind.to_owned(),
            ..RunEvent::default()
        }
    }

    fn write(table: &str, uid: f64) -> RunEvent {
        RunEvent {
            write_target: WriteTarget { table: table.to_owned(), uid },
            ..event("tool_write")
        }
    }

    fn approval(approved: bool) -> RunEvent {
        RunEvent { approved, ..event("approval") }
    }

    #[test]
    fn an_empty_or_unreadable_stream_says_nothing() {
        // V7
        assert_eq!(Writes::of_events(None), Writes::Unknown);
        assert_eq!(Writes::of_events(Some(&[])), Writes::Unknown);
        assert!(!Writes::Unknown.is_nothing());
    }

    #[test]
    fn records_are_named_once_in_order_and_nameless_writes_count() {
        // V7
        let events = [
            write("pages", 12.0),
            write("tt_content", 3.0),
            write("pages", 12.0),
            write("", 8.0),
            write("pages", 0.0),
            write("pages", 1.5),
        ];
        assert_eq!(
            Writes::of_events(Some(&events)),
            Writes::Known {
                any: true,
                records: vec!["pages:12".to_owned(), "tt_content:3".to_owned()]
            }
        );
        assert!(!Writes::of_events(Some(&[write("", 8.0)])).is_nothing());
    }

    #[test]
    fn a_tool_counts_only_in_the_row_behind_an_approval() {
        // V7
        let row = [approval(true), event("tool")];
        assert!(!Writes::of_events(Some(&row)).is_nothing());
        let broken = [approval(true), event("llm"), event("tool")];
        assert!(Writes::of_events(Some(&broken)).is_nothing());
        let denied = [approval(false), event("tool")];
        assert!(Writes::of_events(Some(&denied)).is_nothing());
    }
}
