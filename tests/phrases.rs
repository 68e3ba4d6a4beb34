//! Rules V7, V8 and N2 from outside: the public vectors, the lists, and what holds for any text.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

#[path = "rules/seed.rs"]
mod seed;
#[path = "rules/vectors.rs"]
#[allow(dead_code, reason = "shared with the tests of other rules")]
mod vectors;

use std::collections::BTreeSet;

use agent_turn::phrases::{claims_change, is_continue_intent};
use agent_turn::value::Value;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

const CONTINUE: &str = include_str!("../src/phrases/continue.txt");
const PARTICIPLES: &str = include_str!("../src/phrases/participles.txt");
const NEGATIONS: &str = include_str!("../src/phrases/negations.txt");

#[test]
fn the_vectors_hold() {
    let text = |args: &[Value]| args[0].as_text().map(str::to_owned).ok_or_else(|| "invalidArgument".to_owned());
    let intents = vectors::play("isContinueIntent", |args| Ok(is_continue_intent(&text(args)?).into()));
    let claims = vectors::play("claimsChange", |args| Ok(claims_change(&text(args)?).into()));
    assert!(intents >= 14 && claims >= 14, "{intents} intents, {claims} claims");
}

#[test]
fn the_lists_are_folded_and_every_entry_counts() {
    // V8
    for list in [CONTINUE, PARTICIPLES, NEGATIONS] {
        let lines: Vec<&str> = list.lines().collect();
        assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), lines.len(), "each entry once");
        for line in lines {
            assert_eq!(line.nfkc().collect::<String>().to_lowercase(), line);
            assert!(!line.is_empty() && line.trim() == line);
        }
    }
    for list in [PARTICIPLES, NEGATIONS] {
        assert!(list.lines().is_sorted(), "they are searched by halves");
    }
    for phrase in CONTINUE.lines() {
        for message in [
            phrase.to_owned(),
            phrase.to_uppercase(),
            format!(" Okay, {phrase} ! …"),
            phrase.replace('\'', "’"),
        ] {
            assert!(is_continue_intent(&message), "{message}");
        }
        assert!(!is_continue_intent(&format!("{phrase} mit Kapitel drei")), "{phrase}");
    }
    for participle in PARTICIPLES.lines() {
        assert!(claims_change(&format!("Es {} –", participle.to_uppercase())), "{participle}");
        assert!(!claims_change(&format!("Es {participle}bar vor{participle}")), "{participle}");
        for negation in NEGATIONS.lines() {
            assert!(!claims_change(&format!("{negation} a b {participle}")), "{negation} {participle}");
        }
    }
    for negation in NEGATIONS.lines() {
        assert!(claims_change(&format!("{negation} a b c saved")), "{negation}");
    }
}

#[test]
fn a_word_to_go_on_stands_alone() {
    // V8, N2
    let cases = [
        ("jetzt bitte weiter jetzt", true),
        ("ok,weiter", true),
        ("ok , weiter", true),
        ("OK! weiter", false),
        ("okweiter", false),
        ("weiter ok ok.", true),
        ("weiter! bitte…", true),
        ("weiter\u{a0}geht´s", true),
        ("Ｗｅｉｔｅｒ！", true),
        ("geneh\u{6d}igt", true),
        ("besta\u{308}tigt", true),
        ("\u{feff}weiter\u{2003}", true),
        ("go\n on", true),
        ("weiter,", false),
        ("bitte", false),
        ("ok", false),
        ("", false),
        ("...", false),
        ("weiter weiter", false),
        ("nicht weiter", false),
        ("done, approved", true),
    ];
    for (message, expected) in cases {
        assert_eq!(is_continue_intent(message), expected, "{message:?}");
    }
}

#[test]
fn a_claim_is_a_word_of_its_own_that_nothing_near_takes_back() {
    // V7, V8
    let cases = [
        ("Saved", true),
        ("I couldn’t get it saved", false),
        ("It mustn't be saved", false),
        ("It mustn’t… saved", false),
        ("I couldn't do all of it; saved is page 3", true),
        ("Nicht: gespeichert", true),
        ("Nicht:gespeichert", false),
        ("v1.2 nicht.gespeichert", false),
        ("nicht. gespeichert", true),
        ("nicht.\u{a0}gespeichert", true),
        ("nicht\u{2028}gespeichert", true),
        ("nicht\u{2029}gespeichert", true),
        ("nicht\rgespeichert", true),
        ("nicht\u{b}gespeichert", false),
        ("nicht．　gespeichert", false),
        ("nicht gespeichert. Aber gelöscht.", true),
        ("gespeichert, nicht gelöscht", true),
        ("„gespeichert“", true),
        ("**saved** `page`", true),
        ("'saved'", false),
        ("gelo\u{308}scht", true),
        ("gelo\u{308}\u{301}scht", false),
        ("ﬁnished and ｓａｖｅｄ", true),
        ("saved2", false),
        ("re-saved", true),
        ("save_d", false),
        ("", false),
    ];
    for (answer, expected) in cases {
        assert_eq!(claims_change(answer), expected, "{answer:?}");
    }
}

#[test]
fn hostile_texts_cost_linear_time() {
    // V8
    let long = "nicht gespeichert. ".repeat(20_000);
    assert!(!claims_change(&long));
    assert!(claims_change(&format!("{long}Doch gespeichert")));
    for text in [
        ". ".repeat(100_000),
        "'".repeat(200_000),
        "\u{301}".repeat(100_000),
        "!".repeat(200_000),
        " ".repeat(200_000),
    ] {
        assert!(!claims_change(&text));
        assert!(!is_continue_intent(&text));
    }
}

/// Words, some of them of the lists, and what stands between words.
fn prose() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["saved", "gelöscht", "not", "kein", "can't", "die", "Seite", "3", "weiter", "ok"]);
    let between = prop::sample::select(vec![" ", ". ", ", ", "\n", ": ", "… ", " „", "-"]);
    prop::collection::vec((word, between), 0..12).prop_map(|words| words.into_iter().fold(String::new(), |text, (word, between)| text + word + between))
}

proptest! {
    #![proptest_config(seed::seeded(256))]

    #[test]
    fn any_text_has_an_answer(text in any::<String>()) {
        // a phrase that is too long is none
        prop_assert!(text.trim().chars().count() <= 60 || !is_continue_intent(&text));
        claims_change(&text);
    }

    #[test]
    fn a_sentence_more_takes_no_claim_back(text in prose(), other in prose()) {
        // V7: a negation reaches no further than its sentence
        let joined = format!("{other}\n{text}");
        prop_assert_eq!(claims_change(&joined), claims_change(&other) || claims_change(&text));
    }

    #[test]
    fn case_and_the_form_of_letters_do_not_matter(text in prose()) {
        // V8
        prop_assert_eq!(claims_change(&text.to_uppercase()), claims_change(&text));
        prop_assert_eq!(claims_change(&text.nfd().collect::<String>()), claims_change(&text));
    }

    #[test]
    fn courtesies_change_nothing(phrase in prop::sample::select(CONTINUE.lines().collect::<Vec<_>>()), before in "((bitte|ok|now),? ){0,2}", behind in "(,? (please|jetzt)){0,2}[.!]{0,2}") {
        // V8
        let message = [before.as_str(), phrase, behind.as_str()].concat();
        prop_assert!(is_continue_intent(&message), "{}", message);
    }
}
