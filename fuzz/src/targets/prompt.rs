//! The system prompt: nothing that a user or a site wrote leaves its place (rules M1, M2).

use agent_turn::plain::{PlainFiles, PlainMessages};
use agent_turn::transcript::{Input, PromptContext, plan};
use agent_turn::value::Value;
use unicode_normalization::UnicodeNormalization;

use crate::bytes::Bytes;

const OPEN: &str = "<user_instructions>\n";
const CLOSE: &str = "\n</user_instructions>";

/// Pieces of markers and what may stand between them.
const PIECES: &[&str] = &[
    "<",
    "＜",
    "</",
    "< /",
    ">",
    "＞",
    "user_instructions",
    "USER_Instructions",
    "ｕｓｅｒ_instructions",
    "user",
    "_",
    "instructions",
    "\u{200b}",
    " ",
    "\n",
    "x='>'",
    "<user_instructions",
    "</user_instructions>",
    "<user_instructions a>",
    "!",
    "\\",
    "ſ",
    "ı",
    "\u{ad}",
    "\t",
    "text",
    "<<",
    "<user_<user_instructions>instructions>",
];

/// The fence holds whatever the text is, and a title never becomes a line of its own.
pub fn run(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let text = match bytes.flag() {
        true => bytes.some(14, |bytes| bytes.one_of(PIECES)).concat(),
        false => bytes
            .some(6, |bytes| if bytes.flag() { bytes.one_of(PIECES).to_owned() } else { bytes.text() })
            .concat(),
    };
    fenced(&text);
    context(bytes);
}

fn system(input: &Input) -> Option<String> {
    let plan = plan(&PlainMessages::default(), &PlainFiles::default(), input).expect("a prompt");
    let wire = PlainMessages::default().weave(&PlainFiles::default(), &plan);
    Some(wire.first()?.get("content").text_or_empty())
}

fn fenced(text: &str) {
    let given = |text: &str| Input {
        identity: Some("I".to_owned()),
        system_prompt: text.to_owned(),
        ..Input::default()
    };
    let prompt = system(&given(text)).expect("the identity at least");
    let Some((before, rest)) = prompt.split_once(OPEN) else {
        assert_eq!(prompt, "I", "M2: something that is not fenced");
        return;
    };
    let inside = rest.strip_suffix(CLOSE).expect("M2: the fence is closed at the end");
    assert!(!before.contains('<'), "M2: {before:?}");
    assert!(!has_marker(inside), "M2: a marker within the fence: {inside:?}");
    assert_eq!(system(&given(inside)).as_deref(), Some(prompt.as_str()), "M2: what is inside stays inside");
    if !text.contains(['<', '＜']) {
        assert_eq!(inside, agent_turn::text::trim(text), "M2: ordinary instructions stay as they are");
    }
}

/// Whether a reader that ignores case, width, white space and invisible characters sees a marker.
fn has_marker(text: &str) -> bool {
    let unseen = |c: &char| !(c.is_whitespace() || c.is_control() || agent_turn::text::is_invisible(*c));
    let read: String = text.nfkc().filter(unseen).flat_map(char::to_lowercase).collect();
    read.contains("<user_instructions") || read.contains("</user_instructions")
}

/// What the host says about site and user, one line each.
fn context(bytes: &mut Bytes) {
    let title = |bytes: &mut Bytes| Value::Text(bytes.text());
    let uid = |bytes: &mut Bytes| bytes.one_of(&[Value::Number(3.0), "3\n- 4".into(), Value::Number(f64::NAN), Value::Null]);
    let language = |bytes: &mut Bytes| {
        bytes.map([
            ("uid", &uid),
            ("title", &title),
            ("isoCode", &title),
            ("isDefault", &|bytes| bytes.flag().into()),
        ])
    };
    let tool = |bytes: &mut Bytes| bytes.map([("name", &title), ("reason", &title)]);
    let page = |bytes: &mut Bytes| bytes.map([("uid", &uid), ("title", &title)]);
    let user = |bytes: &mut Bytes| bytes.map([("language", &title), ("module", &title), ("page", &page)]);
    let value = bytes.map([
        ("siteLanguages", &|bytes| Value::List(bytes.some(3, language))),
        ("unavailableTools", &|bytes| Value::List(bytes.some(3, tool))),
        ("user", &user),
    ]);
    let input = Input {
        identity: Some(String::new()),
        context: PromptContext::from_value(&value),
        ..Input::default()
    };
    let Some(prompt) = system(&input) else { return };
    let sections = prompt.split("\n\n").count();
    assert!(sections <= 3, "M2: a value became a section: {prompt:?}");
    for section in prompt.split("\n\n") {
        let mut lines = section.split('\n');
        let heading = lines.next().unwrap_or_default();
        assert!(heading.ends_with(':') && !heading.starts_with("- "), "M2: {prompt:?}");
        assert!(lines.all(|line| line.starts_with("- ")), "M2: a value became a line: {prompt:?}");
    }
}
