//! Files on messages (rules M6, M6a, M7, N8).

use super::*;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";

fn attached(messages: &str, accepts: Accepts, budget: Option<f64>) -> Result<Vec<Value>, Error> {
    let files = format!(
        r#"{{"1":{{"name":"a\nb.png","identifier":"1:/a.png","mimeType":"image/png","base64":"{PNG}"}},
            "2":{{"name":"p.pdf","identifier":"1:/p.pdf","mimeType":"application/pdf","base64":"JVBERi0xLjQK","extractedText":"PLAN"}},
            "3":{{"name":"e.txt","identifier":"","mimeType":"text/plain","base64":""}},
            "4":{{"name":"s.pdf","identifier":"","mimeType":"application/pdf","base64":"JVBERi0xLjQK","extractedText":" \n"}},
            "5":null,"__proto__":{{"name":"h.png","identifier":"","mimeType":"image/png","base64":"{PNG}"}}}}"#
    );
    let input = Input {
        task: TaskPrompts {
            accepts,
            ..TaskPrompts::default()
        },
        attachment_budget: budget,
        ..quiet()
    };
    let wire = sent(&stored(messages), &PlainFiles::from_value(&parsed(&files)), &input)?;
    Ok(wire.as_list().expect("a list").to_vec())
}

const ALL: Accepts = Accepts {
    images: true,
    documents: true,
    repeated_roles: true,
};

#[test]
fn files_become_lines_and_parts() {
    // M6, M7
    let wire = attached(
        r#"[{"role":"user","content":"Look","files":[{"fileUid":1},{"fileUid":"2"},{"fileUid":3},{"fileUid":5,"fileName":"g.png"},{"fileUid":"__proto__"}]}]"#,
        ALL,
        None,
    )
    .expect("a transcript");
    let parts = wire[0].get("content").as_list().expect("parts").to_vec();
    assert_eq!(
        parts[0].get("text").text_or_empty(),
        "Look\n[File a b.png (uid 1, path 1:/a.png)]\n[File p.pdf (uid 2, path 1:/p.pdf)]\n[File e.txt (uid 3) is not attached: it is empty]\n\
         [File g.png (uid 5) is no longer available]\n[File h.png (uid __proto__)]"
    );
    let kinds: Vec<String> = parts.iter().map(|part| part.get("type").text_or_empty()).collect();
    assert_eq!(kinds, ["text", "image_url", "document", "image_url"]);
    assert_eq!(parts[2].get("source").get("media_type"), &Value::from("application/pdf"));

    // no text: the lines are the text; an array keeps its parts
    let blank = attached(r#"[{"role":"user","content":" ","fileUid":2}]"#, Accepts::default(), None).expect("a transcript");
    let parts = blank[0].get("content").as_list().expect("parts").to_vec();
    assert_eq!(parts[0].get("text").text_or_empty(), "[File p.pdf (uid 2, path 1:/p.pdf)]");
    assert_eq!(parts[1].get("text").text_or_empty(), "PLAN");
    let gone = attached(r#"[{"role":"user","fileUid":5,"name":"n"}]"#, ALL, None).expect("a transcript");
    assert_eq!(gone[0].get("content").text_or_empty(), "[File without a name (uid 5) is no longer available]");
    let array = attached(
        r#"[{"role":"user","content":[{"type":"text","text":"T"}],"files":[{"fileUid":5},{"fileUid":1}]}]"#,
        ALL,
        None,
    )
    .expect("a transcript");
    let kinds: Vec<String> = array[0]
        .get("content")
        .as_list()
        .expect("parts")
        .iter()
        .map(|part| part.get("type").text_or_empty())
        .collect();
    assert_eq!(kinds, ["text", "text", "image_url"]);
}

#[test]
fn what_the_provider_does_not_take_fails_only_the_newest_message() {
    // M6, E2
    let file = |uid: &str| format!(r#"{{"role":"user","content":"x","fileUid":{uid}}}"#);
    let only = |uid: &str, accepts: Accepts| attached(&format!("[{}]", file(uid)), accepts, None);
    let unsupported = |result: Result<Vec<Value>, Error>| match result {
        Err(Error::AttachmentUnsupported(mime)) => mime,
        other => panic!("{other:?}"),
    };
    assert_eq!(unsupported(only("1", Accepts::default())), "image/png");
    assert_eq!(unsupported(only("4", Accepts::default())), "application/pdf"); // a blank text is no extraction
    assert!(only("2", Accepts::default()).is_ok());
    // also where it would not fit
    assert_eq!(unsupported(attached(&format!("[{}]", file("1")), Accepts::default(), Some(0.0))), "image/png");
    let older = attached(&format!(r#"[{},{{"role":"user","content":"y"}}]"#, file("1")), Accepts::default(), None).expect("a transcript");
    assert!(older[0].get("content").text_or_empty().contains("files of type image/png are not supported"));
    // a blocked message is not sent, and neither are its files
    let blocked = attached(r#"[{"role":"user","content":"x","fileUid":1,"notice":"guardrail"}]"#, Accepts::default(), None);
    assert_eq!(blocked.expect("a transcript"), []);
}

#[test]
fn the_budget_goes_to_the_newest_files() {
    // M6a
    let messages = r#"[{"role":"user","content":"1","fileUid":2},{"role":"user","content":"2","files":[{"fileUid":1},{"fileUid":2}]},{"role":"user","content":"3","fileUid":2}]"#;
    let size = PNG.len() as f64;
    for (budget, parts) in [
        (0.0, [0, 0, 0]),
        (11.0, [0, 0, 0]),
        (12.0, [0, 0, 2]),
        (24.0, [0, 2, 2]),
        (23.0 + size, [0, 2, 2]),
        (24.0 + size, [0, 3, 2]),
        (35.0 + size, [0, 3, 2]),
        (36.0 + size, [2, 3, 2]),
    ] {
        let wire = attached(messages, ALL, Some(budget)).expect("a transcript");
        let counts: Vec<usize> = wire.iter().map(|m| m.get("content").as_list().map_or(0, <[Value]>::len)).collect();
        assert_eq!(counts, parts, "{budget}");
    }
    let extracted = attached(r#"[{"role":"user","content":"1","fileUid":2}]"#, Accepts::default(), Some(4.0));
    assert!(extracted.expect("a transcript")[0].get("content").as_list().is_some());
}

#[test]
fn the_files_to_read_are_those_of_messages_that_are_sent() {
    // M6a, M8a, C8
    let messages = stored(
        r#"[{"role":"user","files":[{"fileUid":1},{"fileUid":2}]},{"role":"assistant","content":"x","fileUid":9},{"role":"user","content":"b","fileUid":8,"notice":"guardrail"},{"role":"user","files":[{"fileUid":"2"},{"fileUid":"f"},{"fileUid":""}]}]"#,
    );
    let uids: Vec<String> = files_to_read(&messages).expect("uids").iter().map(|uid| uid.text()).collect();
    assert_eq!(uids, ["f", "2", "1"]);
}
