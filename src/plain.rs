//! Messages and files as plain values: the native counterpart of `wasm/row.js`, for tests and the exploration of interleavings.

use crate::conversation::{FileReference, Head, MessagePatch, Messages, NewMessage, Role, flag};
use crate::error::Error;
use crate::text;
use crate::transcript::{Fields, FileInfo, Files, Op, Part, PartKind, Plan, Source, StoredFile, provider_view};
use crate::value::Value;

/// Stored messages as plain values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlainMessages(pub Vec<Value>);

impl PlainMessages {
    /// What is stored after a patch was swapped in: unchanged messages stay as they are (rule O11).
    #[must_use]
    pub fn patched(&self, patch: &MessagePatch) -> PlainMessages {
        let kept = self.0.iter().take(patch.keep).cloned();
        let appended = patch.append.iter().map(|message| self.made(message));
        PlainMessages(kept.chain(appended).collect())
    }

    fn made(&self, message: &NewMessage) -> Value {
        let (mut entries, set, remove): (Vec<(String, Value)>, _, &[&str]) = match message {
            NewMessage::Fresh(set) => (Vec::new(), set, &[]),
            NewMessage::Changed { index, set, remove } => {
                let stored = self.0.get(*index).and_then(Value::as_map);
                (stored.unwrap_or_default().to_vec(), set, remove)
            }
        };
        entries.retain(|(key, _)| !remove.contains(&key.as_str()));
        for (key, value) in set {
            match entries.iter_mut().find(|(name, _)| name == key) {
                Some((_, stored)) => stored.clone_from(value),
                None => entries.push(((*key).to_owned(), value.clone())),
            }
        }
        Value::Map(entries)
    }

    /// The wire messages of a plan.
    pub fn weave(&self, files: &PlainFiles, plan: &Plan) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for op in &plan.ops {
            match op {
                Op::Copy { start, count } => out.extend((*start..start + count).map(|index| self.copy(index))),
                Op::Insert(role, text) => out.push(Value::map([("role", role_name(*role).into()), ("content", text.as_str().into())])),
                Op::Fields(index, fields) => out.push(self.with_fields(*index, fields)),
                Op::Join(index) => append(&mut out, &format!("\n\n{}", self.get(*index).get("content").text_or_empty())),
                Op::Text(text) => append(&mut out, text),
                Op::Parts(text, parts) => add_parts(&mut out, text, parts, files),
            }
        }
        out
    }

    /// A message that a rule asks for: one that is not there is a fault of the rule, never an empty message.
    fn stored(&self, index: usize) -> Result<&Value, Error> {
        self.0.get(index).ok_or(Error::InvalidArgument("the index of a stored message"))
    }

    fn get(&self, index: usize) -> &Value {
        const NULL: &Value = &Value::Null;
        self.0.get(index).unwrap_or(NULL)
    }

    fn copy(&self, index: usize) -> Value {
        let message = self.get(index);
        Value::map([("role", message.get("role").clone()), ("content", message.get("content").clone())])
    }

    fn with_fields(&self, index: usize, fields: &Fields) -> Value {
        let message = self.get(index);
        let content = match message.get("content") {
            Value::List(parts) if parts.is_empty() => "".into(),
            content @ (Value::Text(_) | Value::List(_)) => content.clone(),
            _ => "".into(),
        };
        let mut wire = vec![("role".to_owned(), message.get("role").clone()), ("content".to_owned(), content)];
        let stored = message.get("tool_calls").as_list().unwrap_or_default();
        let calls: Vec<Value> = fields
            .calls
            .iter()
            .filter_map(|call| Some(with_arguments(stored.get(call.at)?, call.arguments.as_deref())))
            .collect();
        if !calls.is_empty() {
            wire.push(("tool_calls".to_owned(), Value::List(calls)));
        }
        for (sent, key) in [(fields.tool_call_id, "tool_call_id"), (fields.name, "name")] {
            if sent {
                wire.push((key.to_owned(), message.get(key).clone()));
            }
        }
        Value::Map(wire)
    }
}

impl Messages for PlainMessages {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn head(&self, index: usize) -> Result<Head, Error> {
        Ok(Head::from_value(self.stored(index)?))
    }

    fn text(&self, index: usize) -> Result<Option<String>, Error> {
        Ok(self.stored(index)?.get("content").as_text().map(str::to_owned))
    }

    fn scan(&self) -> Result<Vec<u8>, Error> {
        Ok(self.0.iter().map(flags).collect())
    }
}

impl Source for PlainMessages {
    fn provider(&self, index: usize) -> Result<Value, Error> {
        Ok(provider_view(self.stored(index)?))
    }

    fn has_parts(&self, index: usize) -> Result<bool, Error> {
        let content = self.stored(index)?.get("content");
        Ok(content.as_list().is_some_and(|parts| !parts.is_empty()))
    }
}

/// The flags of one message (see [`flag`]).
fn flags(message: &Value) -> u8 {
    if message.as_map().is_none() {
        return flag::ROLE;
    }
    let filled = |key: &str| message.get(key).as_text().is_some_and(|text| !text.is_empty());
    let role = match Role::parse(&message.get("role").text_or_empty()) {
        Role::User => 0,
        Role::Assistant => 1,
        Role::System => 2,
        Role::Tool => 3,
        Role::Other => 4,
    };
    let starts_visible = message.get("content").as_text().is_some_and(|text| {
        let start = text.trim_start_matches(|c| c <= ' ').chars().next();
        start.is_some_and(|c| !text::is_blank(c.encode_utf8(&mut [0; 4])))
    });
    let has_files = match message.get("files").as_list() {
        Some(files) => !files.is_empty(),
        None => FileReference::from_value(message).is_some(),
    };
    let provider = ["tool_calls", "tool_call_id", "name"];
    [
        (starts_visible, flag::PLAIN),
        (filled("notice") || message.get("besideToolCall") == &Value::Bool(true), flag::MARKED),
        (provider.iter().any(|key| !message.get(key).is_null()), flag::PROVIDER),
        (has_files, flag::FILES),
        (filled("clientId"), flag::CLIENT_ID),
    ]
    .into_iter()
    .filter(|(set, _)| *set)
    .fold(role, |flags, (_, bit)| flags | bit)
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::Assistant => "assistant",
        _ => "user",
    }
}

/// The content of the message that was made last.
fn content(out: &mut [Value]) -> Option<&mut Value> {
    let Some(Value::Map(entries)) = out.last_mut() else {
        return None;
    };
    let entry = entries.iter_mut().find(|(key, _)| key == "content");
    entry.map(|(_, content)| content)
}

fn append(out: &mut [Value], more: &str) {
    if let Some(Value::Text(text)) = content(out) {
        text.push_str(more);
    }
}

fn add_parts(out: &mut [Value], more: &str, parts: &[Part], files: &PlainFiles) {
    let Some(content) = content(out) else { return };
    let (mut list, text) = match std::mem::take(content) {
        Value::List(list) => (list, more.to_owned()),
        content => (Vec::new(), content.text_or_empty() + more),
    };
    list.push(text_part(text));
    list.extend(parts.iter().map(|part| files.part(part)));
    *content = Value::List(list);
}

fn text_part(text: String) -> Value {
    Value::map([("type", "text".into()), ("text", text.into())])
}

fn with_arguments(call: &Value, arguments: Option<&str>) -> Value {
    let Some(arguments) = arguments else {
        return call.clone();
    };
    let arguments = Value::from(arguments);
    match call.get("function") {
        function @ Value::Map(_) => with(call, "function", with(function, "arguments", arguments)),
        _ => with(call, "arguments", arguments),
    }
}

fn with(map: &Value, key: &str, value: Value) -> Value {
    let entries = map.as_map().unwrap_or_default().iter();
    Value::Map(
        entries
            .map(|(name, stored)| match name == key {
                true => (name.clone(), value.clone()),
                false => (name.clone(), stored.clone()),
            })
            .collect(),
    )
}

/// What `readFile` gave, by uid: contents as base64.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlainFiles(pub Vec<(String, Value)>);

impl PlainFiles {
    /// The files of `buildTranscript`.
    pub fn from_value(files: &Value) -> PlainFiles {
        PlainFiles(files.as_map().unwrap_or_default().to_vec())
    }

    fn get(&self, uid: &str) -> &Value {
        const NULL: &Value = &Value::Null;
        let file = self.0.iter().find(|(key, _)| key == uid);
        file.map_or(NULL, |(_, file)| file)
    }

    fn part(&self, part: &Part) -> Value {
        let file = self.get(&part.uid);
        let data = file.get("base64").text_or_empty();
        match &part.kind {
            PartKind::Image(mime) => Value::map([
                ("type", "image_url".into()),
                ("image_url", Value::map([("url", format!("data:{mime};base64,{data}").into())])),
            ]),
            PartKind::Document(mime) => Value::map([
                ("type", "document".into()),
                (
                    "source",
                    Value::map([("type", "base64".into()), ("media_type", mime.as_str().into()), ("data", data.into())]),
                ),
            ]),
            PartKind::Extracted => text_part(file.get("extractedText").text_or_empty()),
        }
    }
}

impl Files for PlainFiles {
    fn info(&self, uid: &str) -> Result<FileInfo, Error> {
        let file = self.get(uid);
        let base64 = file.get("base64").as_text();
        let extracted = file.get("extractedText").as_text();
        let extracted = extracted.filter(|text| !text::trim(text).is_empty());
        if base64.is_none() && extracted.is_none() {
            return Ok(FileInfo::Gone);
        }
        let base64 = base64.unwrap_or_default();
        Ok(FileInfo::Stored(StoredFile {
            name: file.get("name").text_or_empty(),
            identifier: file.get("identifier").text_or_empty(),
            mime_type: file.get("mimeType").text_or_empty(),
            head: decoded(base64, 16),
            base64_length: base64.len() as f64,
            extracted_bytes: extracted.map(|text| text.len() as f64),
        }))
    }
}

/// The first bytes of base64 text.
fn decoded(base64: &str, max: usize) -> Vec<u8> {
    let sextets = base64.bytes().filter_map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    });
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for sextet in sextets {
        bits = (bits << 6 | u32::from(sextet)) & 0xFFFF;
        count += 6;
        if count >= 8 && bytes.len() < max {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        } else if bytes.len() == max {
            break;
        }
    }
    bytes
}
