//! Bytes as decisions: which value, which text, how many. When they run out, everything is the first of its kind, so that every input means something.

use agent_turn::value::Value;
use arbitrary::Unstructured;

/// A field of an object, and what makes its value.
pub type Field<'f, 'a> = (&'f str, &'f dyn Fn(&mut Bytes<'a>) -> Value);

/// The bytes that are left.
pub struct Bytes<'a>(Unstructured<'a>);

/// Texts that have once made a difference somewhere: keys, roles, markers, odd characters.
const WORDS: &[&str] = &[
    "",
    "a",
    "b",
    "c",
    "id",
    "role",
    "content",
    "user",
    "assistant",
    "tool",
    "system",
    "notice",
    "guardrail",
    "d1",
    "d2",
    "r-1",
    "r-2",
    "pages",
    "\n",
    " ",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{ad}",
    "\u{fffd}",
    "\u{e0041}",
    "\u{301}",
    "e\u{301}",
    "ß",
    "İ",
    "ﬁ",
    "Ｕ",
    "👩\u{200d}👩\u{200d}👧",
    "🇩🇪",
    "👍🏽",
    "…",
    "\\u{",
    "}",
    "__proto__",
    "constructor",
    "-0",
    "1e999",
    "9007199254740993",
    " 12 ",
    "-7",
    "0.5",
    "true",
    "null",
    "http://x.de/y",
    "/etc/passwd",
    "password=",
    "Bearer ",
    "Sommer2024!",
    "[redacted]",
    "<",
    ">",
    "</",
    "/",
    "user_instructions",
    "USER_",
    "instructions",
    "The page was renamed.",
    "nothing",
    "not",
    "saved",
    "go on",
    "weiter",
    "please",
    "ok",
    ",",
    ".",
    "!",
];

impl<'a> Bytes<'a> {
    /// Nothing was read yet.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes(Unstructured::new(bytes))
    }

    /// Whether there is nothing left to decide.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below `count`; 0 where there is none.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.int_in_range(0..=count.saturating_sub(1)).unwrap_or_default()
    }

    /// True once in `times`, never when the bytes have run out.
    pub fn once_in(&mut self, times: usize) -> bool {
        !self.is_empty() && self.below(times) == 0
    }

    /// Yes or no.
    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// One of these.
    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A text: words that have a meaning somewhere, and any characters.
    pub fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(8) {
            match self.below(8) {
                0 => text.extend(self.0.arbitrary::<char>().ok()),
                1 => text.extend(char::from_u32(0x20 + self.below(95) as u32)),
                _ => text.push_str(self.one_of(WORDS)),
            }
        }
        text
    }

    /// A text of one word, so that two of them are often the same.
    pub fn word(&mut self) -> String {
        match self.once_in(12) {
            true => self.text(),
            false => self.one_of(WORDS).to_owned(),
        }
    }

    /// One of these, or once in a while any text.
    pub fn near(&mut self, choices: &[&str]) -> String {
        match self.once_in(10) {
            true => self.text(),
            false => self.one_of(choices).to_owned(),
        }
    }

    /// A number as JavaScript may hold it.
    pub fn number(&mut self) -> f64 {
        match self.below(4) {
            0 => self.below(20) as f64,
            1 => self.one_of(&[
                -1.0,
                0.5,
                -0.0,
                1e15,
                9_007_199_254_740_993.0,
                1e21,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MIN_POSITIVE,
            ]),
            2 => f64::from(self.0.arbitrary::<i32>().unwrap_or_default()),
            _ => self.0.arbitrary().unwrap_or_default(),
        }
    }

    /// Any value, at most `depth` levels deep.
    pub fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => self.flag().into(),
            2 => self.number().into(),
            3 => Value::Integer(self.one_of(&[1, -1]) * (1 << 53 | self.0.arbitrary::<i64>().unwrap_or_default() >> 2 & i64::MAX)),
            4 | 5 => self.word().into(),
            6 => Value::List(self.some(4, |bytes| bytes.value(depth - 1))),
            _ => object(self.some(5, |bytes| (bytes.word(), bytes.value(depth - 1)))),
        }
    }

    /// Up to `most` of something.
    pub fn some<T>(&mut self, most: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| one(self)).collect()
    }

    /// A map of the fields that are there: each is left out once in four, and nonsense once in sixteen.
    pub fn map<const N: usize>(&mut self, fields: [Field<'_, 'a>; N]) -> Value {
        let mut entries = Vec::new();
        for (key, field) in fields {
            match self.below(16) {
                0 => entries.push((key.to_owned(), self.value(2))),
                1..=4 => {}
                _ => entries.push((key.to_owned(), field(self))),
            }
        }
        if self.once_in(4) {
            entries.push((self.word(), self.value(2)));
        }
        object(entries)
    }
}

/// An object has each key once; the first one counts.
pub fn object(entries: Vec<(String, Value)>) -> Value {
    let mut once: Vec<(String, Value)> = Vec::new();
    for (key, value) in entries {
        if !once.iter().any(|(known, _)| *known == key) {
            once.push((key, value));
        }
    }
    Value::Map(once)
}

/// Whether two values are one: also where they hold what no number is.
pub fn same(one: &Value, other: &Value) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}
