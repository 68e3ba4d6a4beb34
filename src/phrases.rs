//! What people say to go on and models to claim a change: word lists in English and German (rules N2, V7, V8).

mod marks;
pub(crate) mod ranges;

use crate::text::{self, platform};

/// Whole messages that ask to go on, one a line.
const CONTINUE: &str = include_str!("phrases/continue.txt");
/// Participles that claim a change, one a line, sorted.
const PARTICIPLES: &str = include_str!("phrases/participles.txt");
/// Words that take a claim back, one a line, sorted.
const NEGATIONS: &str = include_str!("phrases/negations.txt");

/// The longest word to go on, in code points (rule V8).
const LONGEST: usize = 60;

/// Words that change nothing about what is asked (rule V8).
const COURTESIES: [&str; 6] = ["please", "bitte", "ok", "okay", "now", "jetzt"];

/// How many words before a participle a negation reaches it (rule V7).
const REACH: usize = 3;

/// Whether a message is nothing but a word to go on, or that it was approved (rules N2, V8).
///
/// ```
/// use agent_turn::phrases::is_continue_intent;
///
/// assert!(is_continue_intent("Ok, weiter bitte!"));
/// assert!(!is_continue_intent("Weiter mit Kapitel drei"));
/// ```
pub fn is_continue_intent(message: &str) -> bool {
    let message = text::trim(message);
    if message.chars().nth(LONGEST).is_some() {
        return false;
    }
    let folded = text::collapse(&folded(message));
    let phrase = bare(&folded);
    CONTINUE.lines().any(|line| line == phrase)
}

/// Without punctuation at the end and courtesies at both ends, repeated until nothing changes.
fn bare(phrase: &str) -> &str {
    let mut phrase = phrase;
    loop {
        let shorter = text::trim(phrase).trim_end_matches(['.', '!', '…']);
        let shorter = without_courtesy(text::trim(shorter));
        if shorter == phrase {
            return phrase;
        }
        phrase = shorter;
    }
}

/// Without one courtesy at either end, and a comma beside it.
fn without_courtesy(phrase: &str) -> &str {
    for courtesy in COURTESIES {
        if let Some(rest) = phrase.strip_prefix(courtesy)
            && is_apart(rest.chars().next())
        {
            let rest = rest.trim_start();
            return rest.strip_prefix(',').unwrap_or(rest);
        }
        if let Some(rest) = phrase.strip_suffix(courtesy)
            && is_apart(rest.chars().next_back())
        {
            let rest = rest.trim_end();
            return rest.strip_suffix(',').unwrap_or(rest);
        }
    }
    phrase
}

/// Whether what stands beside a courtesy makes it a word of its own.
fn is_apart(neighbour: Option<char>) -> bool {
    neighbour.is_none_or(|c| c.is_whitespace() || c == ',')
}

/// Whether an answer claims a change: a participle with no negation shortly before it in its sentence (rules V7, V8).
///
/// ```
/// use agent_turn::phrases::claims_change;
///
/// assert!(claims_change("Nothing else: the page was renamed."));
/// assert!(!claims_change("Es wurde nichts gespeichert."));
/// ```
pub fn claims_change(answer: &str) -> bool {
    let words = ClaimWords::read();
    // Split first, folded in one go: a line break separates before and after (V8).
    folded(&one_sentence_a_line(answer)).split('\n').any(|sentence| words.claim(sentence))
}

/// The text with a newline behind every sentence. It ends at `. ! ? : ;` followed by white space or the end, and at a line break, of the text as it
/// stands: what only becomes such a character by folding ends nothing.
fn one_sentence_a_line(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => lines.push('\n'),
            '.' | '!' | '?' | ':' | ';' => {
                lines.push(c);
                if chars.peek().is_none_or(|next| next.is_whitespace()) {
                    lines.push('\n');
                }
            }
            c => lines.push(c),
        }
    }
    lines
}

/// The lists that make or take back a claim, to be searched by halves.
struct ClaimWords {
    participles: Vec<&'static str>,
    negations: Vec<&'static str>,
}

impl ClaimWords {
    fn read() -> ClaimWords {
        ClaimWords {
            participles: PARTICIPLES.lines().collect(),
            negations: NEGATIONS.lines().collect(),
        }
    }

    /// Whether one folded sentence claims a change.
    fn claim(&self, sentence: &str) -> bool {
        let mut since_negation = REACH;
        for word in sentence.split(|c| !is_word_char(c)).filter(|word| !word.is_empty()) {
            if since_negation >= REACH && self.participles.binary_search(&word).is_ok() {
                return true;
            }
            since_negation = match self.is_negation(word) {
                true => 0,
                false => since_negation.saturating_add(1),
            };
        }
        false
    }

    /// The entry `n't` stands for every word that ends so.
    fn is_negation(&self, word: &str) -> bool {
        word.ends_with("n't") || self.negations.binary_search(&word).is_ok()
    }
}

/// Letters, marks, digits and ' (rule V8).
fn is_word_char(c: char) -> bool {
    match c {
        '\'' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => c.is_alphanumeric() || marks::MARKS.contains(c) || matches!(c, '\u{E0100}'..='\u{E01EF}'),
    }
}

/// NFKC, lower case, typographic apostrophes as ' (rule V8). An acute that stands alone is taken before NFKC makes a space and an accent of it.
fn folded(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => platform::lower(&platform::nfkc(&text.replace('´', "'"))).replace(['\u{2018}', '\u{2019}', '\u{201B}', '\u{2BC}'], "'"),
    }
}
