//! The vectors of a pure rule, the public ones and our own, as far as these rules need their format (tests/vectors/README.md).

use agent_turn::value::Value;

/// Plays every vector of these calls and returns how many there are. `rule` gets the arguments and answers with a value, or the code of an error.
pub fn play(call: &str, rule: impl Fn(&[Value]) -> Result<Value, String>) -> usize {
    let mut failures = Vec::new();
    let mut played = 0;
    for vector in vectors(call) {
        let expected = match vector.get("throws").get("code").as_text() {
            Some("tooDeep" | "tooLarge") => continue, // the boundary's business (W4)
            Some(code) => Err(code.to_owned()),
            None => Ok(vector.get("expect")),
        };
        let args = expanded(vector.get("args"));
        let given = rule(args.as_list().unwrap());
        let result = match (&expected, &given) {
            (Ok(expected), Ok(given)) => differ(expected, given, "$"),
            (Err(expected), Err(given)) if expected == given => Ok(()),
            _ => Err(format!("expected {expected:?}, got {given:?}")),
        };
        if let Err(why) = result {
            failures.push(format!("{}: {why}", vector.get("id").text_or_empty()));
        }
        played += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    played
}

/// Plain data from JSON.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A conversation with the defaults of the vectors and these fields.
pub fn conversation(fields: &Value) -> Value {
    let defaults = json(
        r#"{"uid":1,"owner":7,"title":"","messages":[],"status":"idle","revision":3,"claimId":"","errorMessage":"","errorCode":"","runUuid":"",
            "lastRunUuid":"","decision":"","decidedBy":null,"turnDigest":"","denyReason":"","pendingInput":null,"systemPrompt":"","viewContext":null,
            "activity":[],"archived":false,"pinned":false,"createdAt":1700000000,"updatedAt":1700000000}"#,
    );
    let with_default = |(key, value): &(String, Value)| match fields.has(key) {
        true => (key.clone(), fields.get(key).clone()),
        false => (key.clone(), value.clone()),
    };
    Value::Map(defaults.as_map().unwrap().iter().map(with_default).collect())
}

/// Every vector of a call. The scenarios stay unread: some hold half characters, which only JavaScript knows.
pub fn vectors(call: &str) -> Vec<Value> {
    let call = format!(r#","call":"{call}","args":"#);
    let mut vectors = Vec::new();
    let folders = ["/tests/vectors", "/tests/vectors-own"].map(|folder| format!("{}{folder}", env!("CARGO_MANIFEST_DIR")));
    for entry in folders.into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let lines = std::fs::read_to_string(path).unwrap();
            vectors.extend(lines.lines().filter(|line| line.contains(&call)).map(json));
        }
    }
    vectors
}

/// Arguments with what the format abbreviates.
pub fn expanded(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(expanded).collect()),
        Value::Map(entries) => match entries.as_slice() {
            [(key, fields)] if key == "$conversation" => conversation(&expanded(fields)),
            [(key, pair)] if key == "$repeat" => {
                let [text, times] = pair.as_list().unwrap() else {
                    panic!("$repeat takes a text and a number");
                };
                text.as_text().unwrap().repeat(times.as_number().unwrap() as usize).into()
            }
            _ => Value::Map(entries.iter().map(|(key, item)| (key.clone(), expanded(item))).collect()),
        },
        value => value.clone(),
    }
}

/// The patterns are those of JavaScript with the flags `su`.
fn finds(pattern: &Value, text: &str) -> bool {
    let pattern = format!("(?s){}", pattern.as_text().unwrap());
    fancy_regex::Regex::new(&pattern).unwrap().is_match(text).unwrap()
}

/// Where and why a value is not what was expected.
pub fn differ(expected: &Value, given: &Value, path: &str) -> Result<(), String> {
    let holds = match expected {
        Value::Map(entries) => {
            for (key, operand) in entries.iter().filter(|(key, _)| key.starts_with('$') && key != "$ref") {
                if !holds(key, operand, entries, given) {
                    return Err(format!("{path}: {key} {operand:?} does not hold for {given:?}"));
                }
            }
            let named = entries.iter().filter(|(key, _)| !key.starts_with('$') || key == "$ref");
            for (key, value) in named.clone() {
                differ(value, given.get(key), &format!("{path}.{key}"))?;
            }
            given.as_map().is_some() || named.count() == 0
        }
        Value::List(items) => match given.as_list() {
            Some(list) if list.len() == items.len() => {
                for (at, (item, value)) in items.iter().zip(list).enumerate() {
                    differ(item, value, &format!("{path}[{at}]"))?;
                }
                true
            }
            _ => false,
        },
        scalar => scalar == given,
    };
    match holds {
        true => Ok(()),
        false => Err(format!("{path}: expected {expected:?}, got {given:?}")),
    }
}

/// The operators of the format.
fn holds(key: &str, operand: &Value, entries: &[(String, Value)], given: &Value) -> bool {
    match key {
        "$any" => true,
        "$absent" => given.is_null(),
        "$nonEmpty" => given.as_text().is_some_and(|text| !text.is_empty()) || given.as_list().is_some_and(|list| !list.is_empty()),
        "$len" => {
            let length = given.as_list().map(<[Value]>::len);
            let length = length.or_else(|| given.as_text().map(|text| text.chars().count()));
            length.map(|length| length as f64) == operand.as_number()
        }
        "$lacks" => !serde_json::to_string(given).unwrap().contains(operand.as_text().unwrap()),
        "$match" => given.as_text().is_some_and(|text| finds(operand, text)),
        "$not" => given.as_text().is_some_and(|text| !finds(operand, text)),
        "$exact" => {
            let named = |key: &str| entries.iter().any(|(name, _)| name == key);
            given.as_map().is_some_and(|entries| entries.iter().all(|(key, _)| named(key)))
        }
        "$anyOf" => operand.as_list().unwrap().iter().any(|one| differ(one, given, "$").is_ok()),
        "$contains" => {
            let list = given.as_list().unwrap_or_default();
            operand
                .as_list()
                .unwrap()
                .iter()
                .all(|one| list.iter().any(|value| differ(one, value, "$").is_ok()))
        }
        other => panic!("{other} is not known here"),
    }
}
