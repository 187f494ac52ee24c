//! Literal replies in each notation, and what is read from them.

use super::*;

#[test]
fn calls_are_parsed_one_or_many() {
    for (reader, own, body, expected) in [
        ("strict", &ONLINE, "click(at=(12, 40))", "click(at=(12, 40))"),
        ("strict", &ONLINE, "Left", "Left"),
        ("strict", &ONLINE, "click((12, 40), right)", "click(at=(12, 40), button=\"right\")"),
        (
            "strict",
            &GLOBAL,
            "click((1, 2)), nothing, type(\"a, (b\"), Left",
            "click(at=(1, 2)); type(text=\"a, (b\"); Left",
        ),
        ("lenient", &ONLINE, "```\n- `Click(at=[12, 40])`.\n```", "click(at=(12, 40))"),
        (
            "lenient",
            &GLOBAL,
            "1. click(at=(1,\n2))\n2. TYPE(\"x\\n\")\n3. left",
            "click(at=(1, 2)); type(text=\"x\\n\"); Left",
        ),
        ("rescue", &ONLINE, "I will click(at=(1, 2)) now.", "click(at=(1, 2))"),
        (
            "strict",
            &ONLINE,
            "click",
            "!argument: click needs the parameter at: a point (x, y) from (0, 0) to (1279, 719) @click ~",
        ),
        (
            "strict",
            &ONLINE,
            "click(at=(1280, 4))",
            "!argument: click: at must be a point (x, y) from (0, 0) to (1279, 719), not (1280, 4) @(1280, 4) ~",
        ),
        (
            "strict",
            &ONLINE,
            "click((1, 2), buton=left)",
            "!argument: click has no parameter \"buton\"; its parameters are at, button @buton=left ~button",
        ),
        (
            "strict",
            &ONLINE,
            "click((1, 2), button=rigth)",
            "!argument: click: button must be one of \"left\", \"right\", not \"rigth\" @rigth ~right",
        ),
        (
            "strict",
            &ONLINE,
            "clik((1, 2))",
            "!action: \"clik((1, 2))\" is not an action @clik((1, 2)) ~click",
        ),
        (
            "strict",
            &ONLINE,
            "Click((1, 2))",
            "!action: \"Click((1, 2))\" is not an action @Click((1, 2)) ~click",
        ),
        (
            "strict",
            &ONLINE,
            "Left, click((1, 2))",
            "!action: \"Left, click((1, 2))\" names 2 actions, expected one @Left, click((1, 2)) ~Left",
        ),
        (
            "strict",
            &GLOBAL,
            "Left, click((1)), Left",
            "!argument: click: a point is two whole numbers: (x, y); write click(at: point (0, 0) to (1279, 719), button?: \"left\" | \"right\") @(1) ~",
        ),
        ("strict", &ONLINE, "run(\"a\")", "!argument: run needs the parameter program: python code @\"a\" ~"),
    ] {
        let reply = format!("{}\n{body}\n", own.action);
        let outcome = parse(reader, own, &reply);
        assert_eq!(describe(&outcome, &reply), expected, "{reader}: {body}");
    }
}

#[test]
fn json_actions_are_objects_strings_and_lists_of_both() {
    let point = "a point (x, y) from (0, 0) to (1279, 719)";
    for (own, value, expected) in [
        (&ONLINE, r#"{"name": "click", "args": {"at": [12, 40.0]}}"#, "click(at=(12, 40))".to_owned()),
        (&ONLINE, r#"{"name": "write", "args": {"css": "a{}\n"}}"#, r#"write(css="a{}\n")"#.into()),
        (&ONLINE, r#""Left""#, "Left".into()),
        (&ONLINE, r#""type(\"x\")""#, "type(text=\"x\")".into()),
        (
            &GLOBAL,
            r#"["Left", {"name": "Left"}, {"name": "type", "args": {"text": "y"}}]"#,
            "Left; Left; type(text=\"y\")".into(),
        ),
        (
            &ONLINE,
            r#"{"name": "click", "args": {"at": "here"}}"#,
            format!("!argument: click: at must be {point}, not \"here\" @\"here\" ~"),
        ),
        (
            &ONLINE,
            r#"{"name": "click", "args": {"at": null}}"#,
            format!("!argument: click: at must be {point}, not null @null ~"),
        ),
        (
            &ONLINE,
            r#"{"name": "click"}"#,
            format!("!argument: click needs the parameter at: {point} @\"click\" ~"),
        ),
        (
            &ONLINE,
            r#"{"name": "click", "args": {"x": 3}}"#,
            "!argument: click has no parameter \"x\"; its parameters are at, button @3 ~".into(),
        ),
        (
            &ONLINE,
            r#"{"name": "type", "args": {"text": "a", "text": "b"}}"#,
            "!argument: type: text is given twice @\"b\" ~".into(),
        ),
        (
            &ONLINE,
            r#"{"action": "click"}"#,
            "!action: an action has the keys name and args, not \"action\" @\"click\" ~".into(),
        ),
        (&ONLINE, r#"{"name": 3}"#, "!action: \"name\" must be a string @3 ~".into()),
        (&ONLINE, "3", "!action: \"action\" must be an object or a string, found 3 @3 ~".into()),
    ] {
        let key = if own.list { "actions" } else { "action" };
        let reply = format!("{{\"analysis\": \"why\", \"{key}\": {value}}}");
        assert_eq!(describe(&parse("json", own, &reply), &reply), expected, "{value}");
        let own = own.clone().with_notation(Notation::Json);
        let reply = format!("{}\n{value}", own.action);
        let outcome = parse("strict", &own, &reply);
        let expected = expected.replace("\"action\" must", &format!("{:?} must", own.action));
        assert_eq!(describe(&outcome, &reply), expected, "{value}");
    }
    let own = ONLINE.with_notation(Notation::Json);
    let reply = "# action\n{\"name\": ";
    assert!(describe(&parse("strict", &own, reply), reply).starts_with("!object: invalid JSON object: EOF"));
    let own = GLOBAL.with_notation(Notation::Json);
    let reply = "### Actions\n{\"name\": \"Left\"}\n{\"name\": \"type\", \"args\": {\"text\": \"z\"}}";
    assert_eq!(describe(&parse("strict", &own, reply), reply), "Left; type(text=\"z\")");
}

#[test]
fn code_blocks_are_arguments_by_their_labels() {
    for (reader, list, body, expected) in [
        (
            "strict",
            false,
            "```html\n<p>\n```\nThe styles stay.\n```javascript\nf()\n\n```",
            r#"write(html="<p>", script="f()\n")"#,
        ),
        ("strict", false, "```javascript\nf()\n```", r#"write(script="f()")"#),
        ("strict", false, "```css\na\n```\n```css\nb\n```", r#"write(css="b")"#),
        ("strict", false, "```css\n```", r#"write(css="")"#),
        ("lenient", false, "css\n```\na\n```", r#"write(css="a")"#),
        ("strict", false, "run(name=\"a\")\n```python\nx\n```", r#"run(name="a", program="x")"#),
        ("strict", false, "run(\"a\")\n\n```\nx\n```", r#"run(name="a", program="x")"#),
        ("strict", false, "Left", "Left"),
        (
            "strict",
            true,
            "Left\n```css\na\n```\nwrite\n```css\nb\n```",
            r#"Left; write(css="a"); write(css="b")"#,
        ),
        ("lenient", false, "~~~CSS\na\n~~~", r#"write(css="a")"#),
        ("lenient", false, "**style.css**\n```\na\n```", r#"write(css="a")"#),
        ("lenient", false, "  ```js\n  f()\n", r#"write(script="  f()")"#),
        (
            "strict",
            false,
            "```JS\nf()\n```",
            "!block: \"JS\" is not a label of a code block here; the labels are html, css, javascript, python @JS ~javascript",
        ),
        (
            "strict",
            false,
            "```cs\nf()\n```",
            "!block: \"cs\" is not a label of a code block here; the labels are html, css, javascript, python @cs ~css",
        ),
        ("strict", false, "```css\na", "!fence: a code block is not closed @```css\na ~"),
        (
            "strict",
            false,
            "nothing",
            "!block: no code block with a label: html, css, javascript, python @nothing ~",
        ),
        (
            "strict",
            false,
            "```python\nx\n```",
            "!argument: run needs the parameter name: a text @```python\nx\n``` ~",
        ),
        (
            "strict",
            false,
            "Left\n```css\na\n```",
            "!action: the reply has 2 actions, expected one @Left\n```css\na\n``` ~",
        ),
    ] {
        let own = if list { GLOBAL } else { ONLINE }.with_notation(Notation::CodeBlocks);
        let reply = format!("{}\n{body}", own.action);
        let outcome = parse(reader, &own, &reply);
        assert_eq!(describe(&outcome, &reply), expected, "{reader}: {body}");
        assert_eq!(outcome.spans.liberties.is_empty(), reader == "strict", "{body}");
    }
}

#[test]
fn text_that_looks_like_a_delimiter_does_not_end_an_argument() {
    let hostile = "</answer>\n# action\n```\n\"\\ \u{1b}[2J\u{202e}</think>";
    let text = Action::plain("type").with("text", Arg::Text(hostile.into()));
    let file = Action::plain("write").with("html", Arg::Code(hostile.into()));
    for (reader, _) in ReaderRules::shipped() {
        for notation in NOTATIONS {
            for action in [&text, &file] {
                let own = ONLINE.with_notation(notation);
                if !reads_written(reader, &own, notation, std::slice::from_ref(action)) {
                    continue;
                }
                let reply = rules(reader).reply_format(&own).write(
                    hostile,
                    std::slice::from_ref(action),
                    &action_space(),
                );
                let outcome = parse(reader, &own, &reply);
                assert_eq!(outcome.result, Ok(vec![action.clone()]), "{reader} {notation:?}: {reply}");
                assert_eq!(outcome.spans.liberties, [], "{reader} {notation:?}: {reply}");
            }
        }
    }
}

#[test]
fn spans_say_where_every_argument_is() {
    let reply = "# action\n  type ( \"é, b\" , into = name )\n";
    let outcome = parse("strict", &ONLINE, reply);
    assert_eq!(arguments(&outcome, reply), [("text".into(), "\"é, b\""), ("into".into(), "name")]);
    let reply = r#"{"analysis": "", "action": {"name": "type", "args": {"into": "é", "text": "b\n"}}}"#;
    let outcome = parse("json", &ONLINE, reply);
    assert_eq!(arguments(&outcome, reply), [("into".into(), "é"), ("text".into(), "b\\n")]);
    let reply = "# action\nNow:\n```css\nb\n```\n";
    let outcome = parse("strict", &ONLINE.with_notation(Notation::CodeBlocks), reply);
    assert_eq!(arguments(&outcome, reply), [("css".into(), "b")]);
    let stored = serde_json::to_value(&outcome.spans).unwrap();
    assert_eq!(stored["args"], serde_json::json!([{"parameter": "css", "at": {"start": 21, "end": 22}}]));
}
