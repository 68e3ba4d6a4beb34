//! Lists that rules look into: where texts stand, and order. One kind of index for all rules, so that its machinery is in the binary once.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Items in order, equal ones as they came. What comes is short or nearly in order already; the standard library's sorts are eight times as large.
pub(crate) fn ordered<T>(items: impl Iterator<Item = T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut ordered = Vec::new();
    for item in items {
        let place = ordered.partition_point(|before| compare(before, &item).is_le());
        ordered.insert(place, item);
    }
    ordered
}

/// Places by text, so that many of them cost no more than near-linear time.
#[derive(Debug, Default)]
pub(crate) struct Places(BTreeMap<String, usize>);

impl Places {
    /// The places of texts in their order; of equal ones the last.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Places {
        let mut places = Places::default();
        for (place, text) in texts.enumerate() {
            places.0.insert(text.to_owned(), place);
        }
        places
    }

    /// The place of a text.
    pub(crate) fn get(&self, text: &str) -> Option<usize> {
        self.0.get(text).copied()
    }

    /// Whether a text is there.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.0.contains_key(text)
    }

    /// Puts a text at a place unless it is there already; whether it was put.
    pub(crate) fn add(&mut self, text: &str, place: usize) -> bool {
        let is_new = !self.has(text);
        if is_new {
            self.0.insert(text.to_owned(), place);
        }
        is_new
    }
}
