//! Rules M11, N1, N4 and E1 for any text: what is trimmed, stored, cut and collapsed stays so, and nothing that can be read is lost.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "rules/seed.rs"]
mod seed;

use agent_turn::text::{collapse, cut, is_blank, length, storable, title, trim};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// Texts full of what matters here: controls, blanks of every kind, and graphemes of several code points.
fn tricky() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "ß",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\0",
        "\u{85}",
        "\u{A0}",
        "\u{FEFF}",
        "\u{200B}",
        "\u{AD}",
        "\u{E0041}",
        "\u{2028}",
        "e\u{301}",
        "🇩🇪",
        "👩\u{200D}👩\u{200D}👧",
        "각",
        "\u{FFFD}",
        "क्षि",
    ];
    prop_oneof![
        prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat()),
        any::<String>()
    ]
}

/// The characters that are neither white space nor taken out.
fn read(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{FEFF}' && !c.is_control()).collect()
}

proptest! {
    #![proptest_config(seed::seeded(600))]

    /// N4: storing twice changes nothing, and only control characters go.
    #[test]
    fn a_storable_text_is_stored_as_it_is(text in tricky()) {
        let stored = storable(&text);
        prop_assert_eq!(&storable(&stored), &stored);
        prop_assert!(stored.chars().all(|c| !c.is_control() || c == '\t' || c == '\n'));
        prop_assert_eq!(read(&stored), read(&text));
    }

    /// M11: trimming takes from the ends alone, and a text of nothing else becomes empty.
    #[test]
    fn trimming_takes_from_the_ends_alone(text in tricky()) {
        let trimmed = trim(&text);
        prop_assert_eq!(trim(trimmed), trimmed);
        prop_assert!(text.contains(trimmed));
        prop_assert_eq!(read(trimmed), read(&text));
        prop_assert_eq!(is_blank(trimmed), is_blank(&text));
        prop_assert!(!is_blank(&text) || read(&text).chars().all(agent_turn::text::is_invisible));
    }

    /// E1, N1: a cut is the longest beginning that fits and splits no grapheme.
    #[test]
    fn a_cut_is_the_longest_beginning_that_fits(text in tricky(), most in 0..50_usize) {
        let kept = cut(&text, most);
        prop_assert!(text.starts_with(kept) && length(kept) <= most);
        let graphemes: Vec<&str> = text.graphemes(true).collect();
        let fit = (0..=graphemes.len()).rev().find(|n| length(&graphemes[..*n].concat()) <= most).unwrap();
        prop_assert_eq!(kept, graphemes[..fit].concat());
        prop_assert_eq!(cut(kept, most), kept);
    }

    /// N1: a title is one line of at most 255 code points, and is its own title.
    #[test]
    fn a_title_is_its_own_title(text in prop_oneof![tricky(), tricky().prop_map(|text| text.repeat(40))]) {
        let made = title(&text);
        prop_assert_eq!(&title(&made), &made);
        prop_assert!(length(&made) <= 255 && !made.chars().any(char::is_control) && !made.contains("  "));
        prop_assert_eq!(&collapse(&made), &made);
        prop_assert!(read(&text).starts_with(&read(&made)));
    }
}
