//! Tests of actions with parameters, in every notation and with every shipped rule set.

use proptest::prelude::*;

use super::*;
use crate::domain::ActionSpec;
use crate::domain::Arg;
use crate::domain::Delimiter;
use crate::domain::ParamKind;
use crate::domain::ParamSpec;

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);
const GLOBAL: ReplyFormat = ReplyFormat::headings("### Analyze", "### Actions", true);
const NOTATIONS: [Notation; 3] = [Notation::Call, Notation::Json, Notation::CodeBlocks];

fn code(name: &str, language: &str) -> ParamSpec {
    ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
}

fn action_space() -> ActionSpace {
    ActionSpace::from_iter([
        ActionSpec::new("Left", "walk left"),
        ActionSpec::new("click", "click a point")
            .with_param(ParamSpec::new("at", "where", ParamKind::Point { width: 1280, height: 720 }))
            .with_param(ParamSpec::new("button", "which", ParamKind::choice(["left", "right"])).optional()),
        ActionSpec::new("type", "type a text")
            .with_param(ParamSpec::new("text", "what", ParamKind::text()))
            .with_param(ParamSpec::new("into", "where", ParamKind::text()).optional()),
        ActionSpec::new("write", "write the files of the page")
            .with_param(code("html", "html"))
            .with_param(code("css", "css"))
            .with_param(code("script", "javascript")),
        ActionSpec::new("run", "run a program")
            .with_param(ParamSpec::new("name", "its name", ParamKind::text()))
            .with_param(ParamSpec::new("program", "its text", ParamKind::Code { language: "python".into() })),
    ])
}

fn rules(name: &str) -> ReaderRules {
    ReaderRules::named(name).unwrap()
}

fn parse(name: &str, own: &ReplyFormat, reply: &str) -> ParseOutcome {
    let rules = rules(name);
    let outcome = parse_reply(&rules, &rules.reply_format(own), reply, &action_space());
    for range in outcome.spans.args.iter().map(|arg| &arg.at).chain(&outcome.spans.action) {
        assert!(reply.get(range.clone()).is_some(), "{range:?} of {reply:?}");
    }
    if let Err(error) = &outcome.result {
        assert!(!error.why.is_empty() && error.why.chars().count() < 600, "{}", error.why);
        assert!(error.at.clone().is_none_or(|at| reply.get(at).is_some()), "{error:?} of {reply:?}");
    }
    if let Ok(actions) = &outcome.result {
        assert!(actions.iter().all(|action| action_space().allows(action)), "{actions:?}");
    }
    outcome
}

/// The actions in written form, or the rule, the message and the place of the error.
fn describe(outcome: &ParseOutcome, reply: &str) -> String {
    match &outcome.result {
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("; "),
        Err(error) => {
            let at = error.at.clone().map_or("-", |at| &reply[at]);
            format!("!{}: {} @{at} ~{}", error.rule, error.why, error.near.join(","))
        }
    }
}

fn arguments<'a>(outcome: &ParseOutcome, reply: &'a str) -> Vec<(String, &'a str)> {
    outcome.spans.args.iter().map(|arg| (arg.parameter.clone(), &reply[arg.at.clone()])).collect()
}

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
                if !reads_code(reader, notation, std::slice::from_ref(action)) {
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
fn a_flood_of_calls_is_parsed_quickly() {
    for unit in [
        "click(",
        "type(\"",
        "click((1, 2)),",
        "(",
        "\"",
        "\\\"",
        "```css\n",
        "run(\"a\")\n",
        "{\"name\": ",
        "~~~",
    ] {
        let flood = unit.repeat(30_000 / unit.len());
        for (reader, _) in ReaderRules::shipped() {
            for (own, notation) in
                [ONLINE, GLOBAL].iter().flat_map(|own| NOTATIONS.map(|notation| (own, notation)))
            {
                let own = own.clone().with_notation(notation);
                let format = rules(reader).reply_format(&own);
                let formatted = match format.delimiter {
                    Delimiter::Headings => format!("{}\n{flood}", format.action),
                    Delimiter::Tags => format!("<think>x</think><answer>{flood}</answer>"),
                    Delimiter::Json => format!("{{\"action\": [{flood}]}}"),
                    Delimiter::Whole => flood.clone(),
                };
                parse(reader, &own, &flood);
                parse(reader, &own, &formatted);
            }
        }
    }
}

/// Whether a reader reads what the format writes: not if longer fences are needed that it does not accept, and `parity`
/// has its own rules for code blocks.
fn reads_code(reader: &str, notation: Notation, actions: &[Action]) -> bool {
    let rules = rules(reader);
    let plain = |arg: &Arg| !matches!(arg, Arg::Code(code) if code.contains("```"));
    let is_plain = actions.iter().all(|action| action.args.values().all(plain));
    let is_blocks =
        notation == Notation::CodeBlocks && rules.reply_format(&ONLINE).delimiter != Delimiter::Json;
    !is_blocks || rules.blocks.fences || reader != "parity" && is_plain
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        proptest::sample::select(vec![
            "click(",
            "at=(1, 2)",
            ")",
            "type(",
            "\"",
            "\\",
            ",",
            "\n",
            "```css\n",
            "```",
            "# action\n",
            "<answer>",
            "</answer>",
            "{\"name\": \"",
            "\"args\": {",
            "}",
            "run(\"a\")\n",
            "`",
            "Left",
            "~~~html\n",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn any_action() -> impl Strategy<Value = Action> {
    let text = || any_text().prop_map(Arg::Text);
    let code = || any_text().prop_map(Arg::Code);
    prop_oneof![
        Just(Action::plain("Left")),
        ((0..1280_i64), (0..720_i64))
            .prop_map(|(x, y)| Action::plain("click").with("at", Arg::Point { x, y })),
        text().prop_map(|text| Action::plain("type").with("text", text)),
        (text(), text()).prop_map(|(text, into)| Action::plain("type").with("text", text).with("into", into)),
        (code(), code()).prop_map(|(html, css)| Action::plain("write").with("html", html).with("css", css)),
        (text(), code())
            .prop_map(|(name, code)| Action::plain("run").with("name", name).with("program", code)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_the_format_writes_is_parsed_back(reason in any_text(), actions in proptest::collection::vec(any_action(), 1..4)) {
        for (reader, _) in ReaderRules::shipped() {
            for (own, notation) in [ONLINE, GLOBAL].iter().flat_map(|own| NOTATIONS.map(|notation| (own, notation))) {
                let own = own.clone().with_notation(notation);
                let actions = if own.list { actions.clone() } else { actions[..1].to_vec() };
                if !reads_code(reader, notation, &actions) {
                    continue;
                }
                let reply = rules(reader).reply_format(&own).write(&reason, &actions, &action_space());
                let outcome = parse(reader, &own, &reply);
                prop_assert_eq!(outcome.result, Ok(actions), "by {} {:?}: {:?}", reader, notation, reply);
                prop_assert_eq!(outcome.spans.liberties, vec![]);
            }
        }
    }

    #[test]
    fn no_reply_makes_the_reader_panic(reply in any_text()) {
        for (reader, _) in ReaderRules::shipped() {
            for (own, notation) in [ONLINE, GLOBAL].iter().flat_map(|own| NOTATIONS.map(|notation| (own, notation))) {
                let own = own.clone().with_notation(notation);
                parse(reader, &own, &reply);
                parse(reader, &own, &format!("{}\n{reply}", rules(reader).reply_format(&own).action));
                parse(reader, &own, &format!("<think>x</think><answer>{reply}</answer>"));
            }
        }
    }
}
