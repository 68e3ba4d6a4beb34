//! Rule E1 from outside: the corpus of secrets and of ordinary text, the public vectors, and what holds for every text.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "rules/seed.rs"]
mod seed;

use std::collections::BTreeSet;
use std::path::Path;

use agent_turn::redact::{MARKER, sanitize};
use proptest::prelude::*;
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

/// Stored error texts have at most this many code points.
const MOST: usize = 500;

/// What the platform answers in the component: the last boundary at or before `index`.
fn grapheme_start(text: &str, index: usize) -> usize {
    text.grapheme_indices(true)
        .map(|(start, _)| start)
        .chain([text.len()])
        .take_while(|start| *start <= index)
        .last()
        .unwrap_or(0)
}

fn clean(text: &str, most: usize) -> String {
    let once = sanitize(text, most, &grapheme_start);
    assert_eq!(sanitize(&once, most, &grapheme_start), once, "sanitizing {text:?} twice changes it");
    assert!(once.chars().count() <= most, "{once:?} is longer than {most}");
    once
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)).unwrap()
}

fn json_lines(path: &str) -> Vec<Value> {
    read(path).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is missing in {value}"))
}

#[test]
fn every_kind_of_secret_is_taken_out_and_the_rest_stays() {
    let corpus = json_lines("corpus/secrets.jsonl");
    let kinds: BTreeSet<&str> = corpus.iter().map(|case| field(case, "kind")).collect();
    assert!(kinds.len() >= 200, "{} kinds", kinds.len());
    for case in &corpus {
        let (kind, text, secret, result) = (field(case, "kind"), field(case, "text"), field(case, "secret"), field(case, "result"));
        assert!(
            text.contains(secret) && !secret.is_empty() && !result.contains(secret) && result.contains(MARKER),
            "{kind}: the case is ill-formed"
        );
        assert_eq!(clean(text, MOST), result, "{kind}");
    }
    println!("{} secrets of {} kinds", corpus.len(), kinds.len());
}

#[test]
fn secrets_go_wherever_they_stand() {
    let frames = [
        ("", ""),
        ("(", ")"),
        ("\"", "\""),
        ("x: ", "."),
        ("„", "“"),
        ("line\\n", ""),
        ("<b>", "</b>"),
        ("a\u{0}\n\t", "\r\nb"),
        ("令牌 ", " 无效"),
        ("[redacted] ", " [redacted]"),
    ];
    for case in &json_lines("corpus/secrets.jsonl") {
        for (before, after) in frames {
            let out = clean(&format!("{before}{}{after}", field(case, "text")), usize::MAX);
            assert!(!out.contains(field(case, "secret")), "{}: {out}", field(case, "kind"));
        }
    }
}

#[test]
fn ordinary_text_stays_as_it_is() {
    let corpus = read("corpus/ordinary.txt");
    let lines: BTreeSet<&str> = corpus.lines().collect();
    assert!(lines.len() >= 250, "{} lines", lines.len());
    for line in &lines {
        assert_eq!(clean(line, MOST), *line);
    }
    println!("{} ordinary lines", lines.len());
}

/// Where each rule begins and ends: texts that differ by a character from one with another answer (docs/mutation.md). `null`: it stays as it is.
#[test]
fn rules_begin_and_end_at_their_edges() {
    let edges = json_lines("corpus/edges.jsonl");
    assert!(edges.len() >= 200, "{} edges", edges.len());
    for edge in &edges {
        let text = edge[0].as_str().unwrap();
        assert_eq!(clean(text, MOST), edge[1].as_str().unwrap_or(text), "{text}");
    }
}

/// A value is looked for within a window, so that the work stays linear: where the window ends (E1).
#[test]
fn what_is_looked_at_is_bounded() {
    let quoted = |between: usize| format!("password=\"x\"{}\" y", "a".repeat(between));
    assert_eq!(clean(&quoted(127), MOST), "password=\"[redacted]\" y");
    assert_eq!(clean(&quoted(128), MOST), format!("password=\"[redacted]\"{}\" y", "a".repeat(128)));
    // a frame that was cut off ends with the window, at a whole character
    for length in 150..160 {
        let call = format!("#0 /x/y.php(3): f('a{}", "ä".repeat(length));
        assert!(clean(&call, MOST).starts_with(MARKER), "{length}");
    }
}

/// The public vectors and our own whose expectation is an exact text or has one of the three shapes of patterns they use; the player runs all of them on the package.
#[test]
fn the_vectors_hold() {
    let mut vectors = json_lines("vectors/redact.jsonl");
    let own = read("vectors-own/mutants.jsonl");
    let own = own.lines().filter(|line| line.contains(r#""call":"sanitizeError""#));
    vectors.extend(own.map(|line| serde_json::from_str(line).unwrap()));
    for vector in &vectors {
        let (id, args) = (field(vector, "id"), &vector["args"]);
        let text = match &args[0] {
            Value::String(text) => text.clone(),
            repeat => repeat["$repeat"][0]
                .as_str()
                .unwrap()
                .repeat(usize::try_from(repeat["$repeat"][1].as_u64().unwrap()).unwrap()),
        };
        let most = args.get(1).and_then(Value::as_u64).map_or(MOST, |most| usize::try_from(most).unwrap());
        let out = clean(&text, most);
        match &vector["expect"] {
            Value::String(exact) => assert_eq!(&out, exact, "{id}"),
            pattern => assert!(matches(field(pattern, "$match"), &text, &out), "{id}: {out}"),
        }
    }
    assert!(vectors.len() >= 66);
}

fn matches(pattern: &str, text: &str, out: &str) -> bool {
    const MARKED: &str = r"))(?=[\s\S]*\[redacted\])[\s\S]*";
    let literal = |part: &str| part.replace('\\', "");
    if let Some(rest) = pattern.strip_prefix(r"^(?![\s\S]*(?:") {
        let (lost, kept) = rest.split_once(MARKED).expect("a pattern of this shape names what stays");
        let mut at = 0;
        let in_order = kept.split(".*").all(|part| out[at..].find(&literal(part)).map(|start| at += start).is_some());
        return in_order && out.contains(MARKER) && lost.split('|').all(|part| !out.contains(&literal(part)));
    }
    if let Some(exact) = pattern
        .strip_prefix('^')
        .and_then(|rest| rest.strip_suffix('$'))
        .filter(|rest| !rest.contains('('))
    {
        return out == literal(exact);
    }
    // A long text: cut, and what is left is its beginning.
    out.strip_suffix('…').is_some_and(|start| !start.is_empty() && text.starts_with(start))
}

#[test]
fn a_cut_keeps_grapheme_clusters_whole() {
    for cluster in ["👨‍👩‍👧‍👦", "e\u{301}\u{323}", "🇩🇪", "👋🏽", "각", "नि", "\u{600}a"] {
        let text = cluster.repeat(40);
        for most in 0..60 {
            let out = clean(&text, most);
            let body = out.strip_suffix('…').unwrap_or(&out);
            assert_eq!(body, cluster.repeat(body.len() / cluster.len()), "{most}");
            assert_eq!(out.is_empty(), most == 0);
        }
    }
}

#[test]
fn four_megabytes_of_anything_have_a_result() {
    // That the work grows no faster than the text is counted by the unit tests; here anything else would not come back in minutes.
    for shape in ["https://a.example/", "token=\"", "at a (b.js:1:2) ", "/", "ä", "-----BEGIN KEY-----"] {
        let out = clean(&shape.repeat((4 << 20) / shape.len()), MOST);
        assert!(!out.is_empty());
    }
}

/// Prefix, alphabet and length of generated keys. The prefixes are put together here so that no scanner takes this file for a leak.
const KEYS: &[(&[&str], &str, usize)] = &[
    (&["s", "k-"], ALNUM, 40),
    (&["s", "k-ant-api03-"], TOKEN, 60),
    (&["s", "k_live_"], ALNUM, 24),
    (&["A", "Iza"], TOKEN, 35),
    (&["A", "KIA"], UPPER, 16),
    (&["g", "hp_"], ALNUM, 36),
    (&["g", "ithub_pat_"], ALNUM, 60),
    (&["g", "lpat-"], TOKEN, 20),
    (&["x", "oxb-"], TOKEN, 40),
    (&["n", "pm_"], ALNUM, 36),
    (&["h", "f_"], ALNUM, 34),
    (&["d", "op_v1_"], HEX, 64),
    (&["S", "G."], ALNUM, 60),
    (&["k", "ey-"], HEX, 32),
    (&["e", "yJ"], TOKEN, 60),
    (&["pass", "word="], PASSWORD, 16),
    (&["Pass", "wort: "], PASSWORD, 16),
    (&["client", "_secret\":\""], PASSWORD, 20),
    (&["X-API", "-Key: "], TOKEN, 30),
    (&["Author", "ization: Bearer "], TOKEN, 30),
    (&["Author", "ization: Basic "], ALNUM, 30),
    (&["Cook", "ie: sid="], ALNUM, 30),
    (&["https", "://user:"], PASSWORD, 20),
    (&["/var", "/www/"], ALNUM, 20),
    (&["C:", "\\x\\"], ALNUM, 20),
];
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TOKEN: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";
const PASSWORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$%*+-_~^";

/// A key of a known kind: what stands in the text, and its secret part. The digit makes it one (a key of letters of one case is a word).
fn key() -> impl Strategy<Value = (String, String)> {
    (0..KEYS.len(), proptest::collection::vec(any::<prop::sample::Index>(), 64)).prop_map(|(kind, picks)| {
        let (prefix, alphabet, length) = KEYS[kind];
        let body: String = picks
            .iter()
            .take(length - 2)
            .map(|pick| char::from(alphabet.as_bytes()[pick.index(alphabet.len())]))
            .collect();
        let body = format!("A{body}7").replace("%3", "%x").replace("%26", "%xx");
        let body = if alphabet == HEX { body.to_lowercase() } else { body };
        (format!("{}{body}", prefix.concat()), body)
    })
}

/// Pieces that rules begin or end with, among words.
fn fragments() -> impl Strategy<Value = String> {
    let mut pieces: Vec<String> = [
        MARKER,
        "[",
        "]",
        "\"",
        "'",
        "`",
        "\\",
        "\\\"",
        "/",
        "//",
        "://",
        ":",
        "=",
        "=>",
        "?",
        "#",
        "@",
        "…",
        " ",
        "\n",
        "\t",
        "(",
        ")",
        "{",
        "}",
        "%3D",
        "&",
        ",",
        ";",
        "\u{feff}",
        "\u{301}",
        "👨‍👩‍👧",
        "ä",
        "---",
        "at ",
        "File \"",
        "#0 ",
        "(12)",
        "C:",
        "~/",
        "\\\\",
        "password",
        "token",
        "Bearer",
        "--",
        "<",
        ">",
        "www.a.de",
        ".",
        "...",
    ]
    .map(str::to_owned)
    .to_vec();
    pieces.extend(json_lines("corpus/secrets.jsonl").iter().map(|case| field(case, "text").to_owned()));
    pieces.extend(read("corpus/ordinary.txt").split_whitespace().map(str::to_owned));
    proptest::collection::vec(prop::sample::select(pieces), 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(seed::seeded(256))]

    #[test]
    fn any_text_has_a_short_clean_stable_result(text in any::<String>(), most in 0usize..600) {
        let out = clean(&text, most);
        prop_assert!(!out.chars().any(char::is_control) && !out.contains("  ") && out.trim() == out);
    }

    #[test]
    fn any_mixture_of_what_rules_look_for_has_a_stable_result(text in fragments(), most in prop_oneof![Just(500usize), Just(usize::MAX), 1usize..80]) {
        let out = clean(&text, most);
        prop_assert!(!out.contains("[redacted] [redacted]") && !out.contains("[redacted][redacted]"));
    }

    #[test]
    fn no_part_of_a_secret_survives((text, secret) in key(), before in "([a-z]{1,8}[ ,:(\"]){0,3}", after in "([ )\",.][a-z]{1,8}){0,3}") {
        let out = clean(&format!("{before} {text}{after}"), usize::MAX);
        for start in 0..secret.len().saturating_sub(5) {
            prop_assert!(!out.contains(&secret[start..start + 6]), "{} of {secret} is left in {out}", &secret[start..start + 6]);
        }
    }

    #[test]
    fn ordinary_sentences_in_a_row_neither_grow_nor_change(picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..8)) {
        let corpus = read("corpus/ordinary.txt");
        let lines: Vec<&str> = corpus.lines().filter(|line| !line.contains(MARKER)).collect();
        let text = picks.iter().map(|pick| lines[pick.index(lines.len())]).collect::<Vec<_>>().join(" · ");
        prop_assert_eq!(clean(&text, usize::MAX), text);
    }
}

/// A key that is known by its shape alone is one from a certain length on: one character less is ordinary text (E1).
#[test]
fn a_shape_is_a_key_from_its_length_on() {
    let hex = "0123456789abcdef0123456789abcdef";
    let aws = "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE1";
    let discord = |one: usize, two: usize, three: usize| {
        format!(
            "M{}.{}.{}",
            "Tk4".repeat(9).split_at(one - 1).0,
            "Xy1z2Ab".split_at(two).0,
            "aB3".repeat(10).split_at(three).0
        )
    };
    let telegram = |digits: usize, rest: usize| format!("{}:AA{}", "1234567".split_at(digits).0, "Bc4dE".repeat(7).split_at(rest).0);
    let keys = [
        format!("{hex}-us1"),
        format!("{hex}-us21"),
        aws.to_owned(),
        discord(24, 6, 27),
        discord(26, 7, 30),
        telegram(6, 26),
        telegram(7, 33),
    ];
    for key in keys {
        let out = clean(&format!("Mit {key} ging es nicht"), usize::MAX);
        assert_eq!(out, format!("Mit {MARKER} ging es nicht"), "{key}");
    }
    let ordinary = [
        format!("{hex}-us"),
        format!("{hex}-eu1"),
        discord(22, 6, 27),
        discord(24, 4, 27),
        discord(24, 6, 25),
        telegram(5, 33),
    ];
    for text in ordinary {
        let text = format!("Mit {text} ging es nicht");
        assert_eq!(clean(&text, usize::MAX), text);
    }
}
