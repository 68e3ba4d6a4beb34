//! Sets of characters as ranges, 4 bytes each.

/// A set of characters below U+20000.
pub(crate) struct Ranges {
    /// First and last of each range below U+10000, in order.
    pub(crate) bmp: &'static [(u16, u16)],
    /// The same for U+10000 to U+1FFFF, without the leading 1.
    pub(crate) smp: &'static [(u16, u16)],
}

impl Ranges {
    /// Whether a character is in the set.
    pub(crate) fn contains(&self, c: char) -> bool {
        let code = u32::from(c);
        let ranges = match code >> 16 {
            0 => self.bmp,
            1 => self.smp,
            _ => return false,
        };
        let unit = (code & 0xFFFF) as u16;
        let behind = ranges.partition_point(|&(first, _)| first <= unit);
        behind.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|&(_, last)| unit <= last)
    }
}
