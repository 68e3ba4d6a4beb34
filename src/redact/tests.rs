#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use super::bytes::{is_stop_word, look, work};
use super::{MARKER, cut, one_line, sanitize};

fn whole(text: &str) -> String {
    sanitize(text, usize::MAX, &|_, index| index)
}

/// Each text with what must come out.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(whole(text), *expected, "{text}");
    }
}

/// Each text must come out as it is.
fn check_kept(cases: &[&str]) {
    for text in cases {
        assert_eq!(whole(text), *text);
    }
}

#[test]
fn white_space_and_control_characters_become_one_space() {
    assert_eq!(one_line(" a\t\r\n b\u{0}\u{7}\u{85}c\u{a0}\u{2028}d \u{feff}"), "a b c d");
    assert_eq!(one_line("\u{feff} a"), "a");
    assert_eq!(one_line("\u{feff}\n \u{0}"), "");
    assert_eq!(one_line("a\u{feff}b"), "a\u{feff}b");
}

#[test]
fn source_lines_of_a_python_trace_go_and_the_message_stays() {
    assert_eq!(
        one_line("  File \"x.py\", line 3, in f\n    g()\n    ^^^\nE: bad\n    detail"),
        "File \"x.py\", line 3, in f E: bad detail"
    );
    assert_eq!(one_line("File \"x.pdf\" is missing\n    indented"), "File \"x.pdf\" is missing indented");
}

#[test]
fn cut_counts_code_points_and_the_ellipsis() {
    let index = |_: &str, index: usize| index;
    assert_eq!(cut("äöü", 3, &index), "äöü");
    assert_eq!(cut("äöüß", 3, &index), "äö…");
    assert_eq!(cut("ab cd", 4, &index), "ab…");
    assert_eq!(cut("abcd", 1, &index), "…");
    assert_eq!(sanitize("abcd", 0, &index), "");
}

#[test]
fn cut_never_leaves_half_a_marker_or_half_a_character() {
    let index = |_: &str, index: usize| index;
    assert_eq!(cut("ab [redacted] cd", 10, &index), "ab…");
    assert_eq!(cut("ab [redacted] cd", 14, &index), "ab [redacted]…");
    assert_eq!(cut("ab [redacted]cd", 14, &index), "ab [redacted]…");
    assert_eq!(cut("ääää", 3, &|_, index| index - 1), "ä…", "an answer inside of a character is moved");
    assert_eq!(cut("abcd", 3, &|_, _| usize::MAX), "ab…", "an answer beyond the limit is not followed");
}

#[test]
fn cut_hands_over_no_more_than_the_boundary_needs() {
    let text = "é".repeat(1000);
    let seen = std::cell::Cell::new(0);
    let answer = |window: &str, index: usize| {
        seen.set(window.len());
        index
    };
    assert_eq!(sanitize(&text, 10, &answer).chars().count(), 10);
    assert_eq!(seen.get(), 20);
}

#[test]
fn markers_in_a_row_become_one_and_given_ones_stay() {
    check(&[
        ("[redacted] [redacted][redacted] x", "[redacted] x"),
        ("https://a.example/ \n ftp://b.example/ x", "[redacted] x"),
        ("https://a.example/, https://b.example/", "[redacted], [redacted]"),
        ("password=[redacted] token=[redacted]", "password=[redacted] token=[redacted]"),
        ("\"password\": \"[redacted]\"", "\"password\": \"[redacted]\""),
        ("Authorization: Bearer [redacted] x", "Authorization: [redacted] x"),
    ]);
}

#[test]
fn what_a_cut_leaves_behind_a_name_is_kept() {
    check_kept(&["password=…", "password=\"…", "Authorization: …", "token: …"]);
}

#[test]
fn pairs_keep_the_name_and_lose_the_value() {
    check(&[
        ("DB_PASSWORD=geheim", "DB_PASSWORD=[redacted]"),
        ("user[password]=geheim&x=1", "user[password]=[redacted]&x=1"),
        ("password => geheim", "password => [redacted]"),
        ("password := geheim", "password := [redacted]"),
        ("'password' => 'a\\'b', 'x' => 1", "'password' => '[redacted]', 'x' => 1"),
        ("{\"password\":\"cut off here", "{\"password\":\"[redacted]"),
        ("{password:geheim,user:bob}", "{password:[redacted],user:bob}"),
        ("(password=geheim)", "(password=[redacted])"),
        ("Pwd=a,b;Encrypt=true", "Pwd=[redacted];Encrypt=true"),
        ("Passwort: „geheim“ falsch", "Passwort: „[redacted]“ falsch"),
        ("access token: geheim", "access token: [redacted]"),
        ("secret=1234", "secret=[redacted]"),
        ("?key=abc failed", "?key=[redacted] failed"),
        ("curl -u admin:geheim host", "curl -u [redacted] host"),
    ]);
    check_kept(&[
        "token: abc",
        "max_token=500",
        "\"token\":5",
        "sort_key: title",
        "compass=north",
        "password: is wrong",
        "Token::create",
        "password: {",
        "user 1000:1000",
    ]);
}

#[test]
fn urls_and_paths_end_where_the_sentence_goes_on() {
    check(&[
        ("(https://a.example/x_(y)), z", "([redacted]), z"),
        ("see https://a.example/x?y=1. Then", "see [redacted]. Then"),
        ("„https://a.example/x“", "„[redacted]“"),
        ("<b>/var/www/x.php</b>", "<b>[redacted]</b>"),
        ("打开/var/www/x.php", "打开[redacted]"),
        ("redirect=https%3A%2F%2Fa.example%2Fx", "redirect=[redacted]"),
        ("C:\\Documents and Settings\\x.txt fehlt", "[redacted] fehlt"),
        ("C:\\a b\\c d\\e.txt f", "[redacted] f"),
        ("/var/log/x.log und/oder", "[redacted] und/oder"),
        ("www.example.org?x=1", "[redacted]"),
    ]);
    check_kept(&[
        "和/或/与",
        "www.example.org?",
        "3/4/5",
        "/1/2",
        "</a>",
        "pattern /a/i fails",
        "x://",
        "\\d+",
        "foo:bar@sha256:12",
    ]);
}

#[test]
fn frames_become_one_marker_and_sentences_with_at_stay() {
    check(&[
        (
            "E: x\n  at f [as g] (a.js:1:2)\n  at eval (eval at f (a.js:1:1), <anonymous>:1:1)\n  at App.<anonymous> (native)",
            "E: x [redacted]",
        ),
        ("E: x at A.b(String s) in C:\\x y.cs:line 7 end", "E: x [redacted] end"),
        ("E #0 /x/y.php(3): f('cut off", "E [redacted]"),
        ("E #0 /x/y.php(3): f('cut (off #1 {main} end", "E [redacted] end"),
        ("from /a/b.rb:3:in `c' end", "from [redacted] end"),
    ]);
    check_kept(&[
        "look at x (y)",
        "at noon (3:15)",
        "at src/main.rs:10:5",
        "#1 item (12): x",
        "... 3 more",
        "goroutine 7 left",
    ]);
}

#[test]
fn words_of_a_language_are_told_from_keys() {
    assert!(is_stop_word(b"required.") && is_stop_word(b"YES)") && is_stop_word("ungültig".as_bytes()));
    assert!(!is_stop_word(b"hunter2") && !is_stop_word(b"is2") && !is_stop_word(b"") && !is_stop_word(b"..."));
    assert!(look(b"AbCdEfGhIjKlMn12").is_key() && look(b"d41d8cd98f00b204e9800998ecf8427e").is_key());
    assert!(!look(b"claude-3-5-sonnet-20241022").is_key() && !look(b"Konfiguration").is_random());
}

/// What a hostile provider might send: every way to make a rule look far ahead or back and then give up, over and over.
const SHAPES: &[&str] = &[
    "a",
    " ",
    "ä",
    "\n",
    "a.",
    "a-",
    "a:",
    "a/",
    "/a",
    "/1",
    ":/1",
    "(/1",
    "//",
    ",//a",
    "\\",
    "\\\\",
    "\\\\a",
    "C:\\a ",
    "C:\\a a\\a ",
    "/Users/a b/c/d ",
    "~/",
    "=",
    "a=",
    "token=",
    "password=",
    "password:",
    "a_key=",
    "a_key=\"",
    "a_key=\\\"",
    "password='",
    "password=\"",
    "password=[",
    "token={",
    "token=is,",
    "token \"",
    "token \\\"",
    "password ' ",
    "password '\\' ",
    "Cookie:",
    "Cookie: a=b; ",
    "Authorization:",
    "authorization:basic is ",
    "Authorization: Digest a=\"",
    "Bearer ",
    "--token ",
    "sk-",
    "sk-a",
    "sk-ab-",
    "eyJ",
    "eyJa.",
    "SG.",
    "M.",
    "0",
    "0:AA",
    "AKIA",
    "-----BEGIN ",
    "-----BEGIN A-----",
    "-----BEGIN A-----\nMIIEpAIBAAKCAQEA",
    "at ",
    "at a(",
    "at a (",
    "at a:1:1 ",
    "1: a at ",
    "File \"",
    "File \"a\", line ",
    "#0 ",
    "#0 a(",
    "#0 a.b(1): f(",
    "goroutine 1 [",
    "... 1 more ",
    "a@",
    "a:b@",
    "a:b@c",
    "a:b@c:",
    "www.",
    "www.a.b?",
    "://",
    "a://",
    "a:\\/\\/",
    "data:a/",
    "[redacted]",
    "[redacted] ",
    "[",
    "(",
    ")",
    "'",
    "`",
    "<",
    "%3D",
    "token%3D",
    "%3A%2F%2F",
    "a\\n",
    "e\u{301}",
    "👨‍👩‍👧",
    "/a/b.go:1 +0x1 ",
    "f() /a/b.go:1 +0x1 ",
    "created by ",
    "/a/b:1:in `",
];

#[test]
fn work_grows_with_the_length_of_the_text_and_no_faster() {
    let count = |shape: &str, size: usize| {
        let text = shape.repeat(size / shape.len());
        work::of(|| drop(whole(&text)))
    };
    let mut faster = Vec::new();
    for shape in SHAPES {
        let (once, twice) = (count(shape, 4_000), count(shape, 8_000));
        if twice > once * 9 / 4 + 1000 || twice > 8_000 * 1500 {
            faster.push(format!("{shape:?}: {once} steps for 4 000 bytes, {twice} for 8 000"));
        }
    }
    assert!(faster.is_empty(), "{faster:#?}");
}

#[test]
fn rising_runs_of_backslashes_stay_linear() {
    // Quotes that are each escaped once more than the last never close one another.
    let text = |levels: usize| (1..levels).map(|level| format!("a_key={}\"", "\\".repeat(level))).collect::<String>();
    let (small, large) = (text(200), text(400));
    let (once, twice) = (work::of(|| drop(whole(&small))), work::of(|| drop(whole(&large))));
    assert!(
        twice / large.len() < 4 * once / small.len() + 100,
        "{once} for {}, {twice} for {}",
        small.len(),
        large.len()
    );
}

#[test]
fn the_walk_ends_when_enough_is_written() {
    let text = "word ".repeat(200_000);
    let steps = work::of(|| assert_eq!(sanitize(&text, 500, &|_, index| index).chars().count(), 500));
    assert!(steps < 2_000_000, "{steps}");
}

#[test]
fn a_text_that_is_nothing_but_secrets_is_one_marker() {
    assert_eq!(whole(&"https://a.example/ /var/www/x.php C:\\x\\y ".repeat(50)), MARKER);
}
