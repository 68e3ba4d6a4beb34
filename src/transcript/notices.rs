//! What the model reads of a notice; never stored (rule M5).

/// Behind an answer that claims a change which no tool made.
pub(super) const CORRECTION: &str =
    "(Correction by the system: nothing was saved in this turn. No tool wrote anything, so the change this answer speaks of was not made.)";

/// What an earlier run of the turn wrote (rule R2a); without records it is unknown whether it wrote anything.
pub(super) fn already_written(records: &[String]) -> String {
    match records {
        [] => "(Note by the system: an earlier attempt at this request stopped before it could answer. It is unknown what it wrote. Check the present \
            state before you write anything.)"
            .to_owned(),
        _ => format!(
            "(Note by the system: an earlier attempt at this request stopped before it could answer, but it had already written {}. Do not write \
            that again; look at what is there and go on from it.)",
            records.join(", ")
        ),
    }
}

/// The run was decided and ended elsewhere (rule N2).
pub(super) fn finished_outside(records: &[String]) -> String {
    match records {
        [] => "(The pending step was decided and finished outside of this chat; no record that it wrote is known.)".to_owned(),
        _ => format!(
            "(The pending step was decided and finished outside of this chat; it wrote {}.)",
            records.join(", ")
        ),
    }
}
