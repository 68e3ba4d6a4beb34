//! How the vectors say what they expect (tests/vectors/README.md), as far as those of the transcript do, and the little of regular expressions
//! that they need: the crates for them know no lookahead.

use agent_turn::value::Value;

/// Where and why a value is not what was expected.
pub fn mismatch(expected: &Value, actual: &Value) -> Result<(), String> {
    differ(expected, actual, "$")
}

fn differ(expected: &Value, actual: &Value, path: &str) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{path}: {what}, got {actual:?}"));
    match expected {
        Value::Map(entries) => match special(entries) {
            Some(("$any", _)) => Ok(()),
            Some(("$absent", _)) => {
                if actual.is_null() {
                    Ok(())
                } else {
                    fail("expected nothing")
                }
            }
            Some(("$len", length)) => {
                let found = actual.as_list().map(|list| list.len() as f64);
                if found == length.as_number() { Ok(()) } else { fail("another length") }
            }
            Some(("$match", pattern)) => {
                let pattern = pattern.text_or_empty();
                let found = actual.as_text().is_some_and(|text| Pattern::parse(&pattern).finds(text));
                if found { Ok(()) } else { fail(&format!("no match of {pattern}")) }
            }
            Some(("$lacks", text)) => {
                let whole = serde_json::to_string(actual).expect("JSON");
                if whole.contains(&text.text_or_empty()) {
                    fail("it must not occur")
                } else {
                    Ok(())
                }
            }
            Some(("$exact", _)) => {
                let allowed = |key: &str| entries.iter().any(|(name, _)| name == key);
                match actual.as_map().unwrap_or_default().iter().find(|(key, _)| !allowed(key)) {
                    Some((key, _)) => fail(&format!("an extra key {key}")),
                    None => keys(entries, actual, path),
                }
            }
            Some((other, _)) => panic!("{other} is not known here"),
            None => keys(entries, actual, path),
        },
        Value::List(items) => {
            let list = actual.as_list().unwrap_or_default();
            if actual.as_list().is_none() || list.len() != items.len() {
                return fail(&format!("expected {} elements", items.len()));
            }
            let mut pairs = items.iter().zip(list).enumerate();
            pairs.try_for_each(|(at, (item, value))| differ(item, value, &format!("{path}[{at}]")))
        }
        _ if expected == actual => Ok(()),
        _ => fail(&format!("expected {expected:?}")),
    }
}

fn special(entries: &[(String, Value)]) -> Option<(&str, &Value)> {
    let found = entries.iter().find(|(key, _)| key.starts_with('$'))?;
    Some((found.0.as_str(), &found.1))
}

fn keys(entries: &[(String, Value)], actual: &Value, path: &str) -> Result<(), String> {
    if actual.as_map().is_none() {
        return Err(format!("{path}: expected an object, got {actual:?}"));
    }
    let mut named = entries.iter().filter(|(key, _)| !key.starts_with('$'));
    named.try_for_each(|(key, value)| differ(value, actual.get(key), &format!("{path}.{key}")))
}

/// A regular expression with the flags `su`.
#[derive(Debug)]
pub struct Pattern(Vec<Node>);

#[derive(Debug)]
enum Node {
    Char(char),
    Any,
    Space(bool),
    Class(Vec<Node>, bool),
    Start,
    End,
    Look(Vec<Node>, bool),
    Group(Vec<Node>),
    Repeat(Box<Node>, usize, usize),
}

impl Pattern {
    pub fn parse(pattern: &str) -> Pattern {
        let mut chars = pattern.chars().peekable();
        let nodes = parse(&mut chars);
        assert!(chars.next().is_none(), "{pattern}");
        Pattern(nodes)
    }

    pub fn finds(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        (0..=text.len()).any(|start| run(&self.0, &text, start, &mut |_| true))
    }
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Up to the end or a closing parenthesis.
fn parse(chars: &mut Chars) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some(c) = chars.next_if(|&c| c != ')') {
        let node = match c {
            '.' => Node::Any,
            '^' => Node::Start,
            '$' => Node::End,
            '\\' => escape(chars.next().expect("an escape")),
            '[' => class(chars),
            '(' => group(chars),
            '*' => repeat(&mut nodes, 0, usize::MAX),
            '+' => repeat(&mut nodes, 1, usize::MAX),
            '?' => repeat(&mut nodes, 0, 1),
            '|' | '{' => panic!("{c} is not known here"),
            c => Node::Char(c),
        };
        nodes.push(node);
    }
    nodes
}

fn escape(c: char) -> Node {
    match c {
        'n' => Node::Char('\n'),
        's' => Node::Space(true),
        'S' => Node::Space(false),
        c => {
            assert!(!c.is_alphanumeric(), "\\{c} is not known here");
            Node::Char(c)
        }
    }
}

fn class(chars: &mut Chars) -> Node {
    let negated = chars.next_if_eq(&'^').is_some();
    let mut items = Vec::new();
    while let Some(c) = chars.next_if(|&c| c != ']') {
        items.push(match c {
            '\\' => escape(chars.next().expect("an escape")),
            '-' => panic!("ranges are not known here"),
            c => Node::Char(c),
        });
    }
    chars.next().expect("the end of a class");
    Node::Class(items, negated)
}

fn group(chars: &mut Chars) -> Node {
    let kind = match chars.next_if_eq(&'?') {
        None => ':',
        Some(_) => chars.next().expect("the kind of a group"),
    };
    let nodes = parse(chars);
    chars.next().expect("the end of a group");
    match kind {
        ':' => Node::Group(nodes),
        '=' => Node::Look(nodes, true),
        '!' => Node::Look(nodes, false),
        kind => panic!("(?{kind} is not known here"),
    }
}

fn repeat(nodes: &mut Vec<Node>, min: usize, max: usize) -> Node {
    Node::Repeat(Box::new(nodes.pop().expect("what repeats")), min, max)
}

fn one(node: &Node, c: char) -> bool {
    match node {
        Node::Char(expected) => *expected == c,
        Node::Any => true,
        Node::Space(expected) => (c.is_whitespace() || c == '\u{FEFF}') == *expected,
        Node::Class(items, negated) => items.iter().any(|item| one(item, c)) != *negated,
        other => panic!("{other:?} is not one character"),
    }
}

fn run(nodes: &[Node], text: &[char], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
    let Some((node, rest)) = nodes.split_first() else {
        return then(at);
    };
    match node {
        Node::Start => at == 0 && run(rest, text, at, then),
        Node::End => at == text.len() && run(rest, text, at, then),
        Node::Look(inner, wanted) => run(inner, text, at, &mut |_| true) == *wanted && run(rest, text, at, then),
        Node::Group(inner) => run(inner, text, at, &mut |end| run(rest, text, end, then)),
        Node::Repeat(inner, min, max) => times((inner, *min, *max), 0, text, at, &mut |end| run(rest, text, end, then)),
        node => text.get(at).is_some_and(|&c| one(node, c)) && run(rest, text, at + 1, then),
    }
}

fn times(repeat: (&Node, usize, usize), count: usize, text: &[char], at: usize, then: &mut dyn FnMut(usize) -> bool) -> bool {
    let (node, min, max) = repeat;
    let once = std::slice::from_ref(node);
    (count < max && run(once, text, at, &mut |end| end > at && times(repeat, count + 1, text, end, then))) || (count >= min && then(at))
}

#[test]
fn patterns_are_read_as_javascript_reads_them() {
    let cases = [
        ("^a.*b$", "a\nb", true),
        ("b+c?$", "abb", true),
        ("^(?=[\\s\\S]*x)(?=[\\s\\S]*y)[\\s\\S]* [\\s\\S]*$", "y x", true),
        ("^(?=[\\s\\S]*x)(?=[\\s\\S]*y)[\\s\\S]* [\\s\\S]*$", "y z", false),
        ("^[^\\n]*a\\.png[^\\n]*$", "1 a.png 2", true),
        ("^[^\\n]*a\\.png[^\\n]*$", "1 axpng 2", false),
        ("^(?:(?!<u)[\\s\\S])*$", "a<b", true),
        ("^(?:(?!<u)[\\s\\S])*$", "a<u", false),
    ];
    for (pattern, text, found) in cases {
        assert_eq!(Pattern::parse(pattern).finds(text), found, "{pattern} {text:?}");
    }
}
