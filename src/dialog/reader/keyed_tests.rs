//! Tests of replies with a key for each part of an action.

use super::*;
use mageyard_domain::{ActionSpec, Arg, Number, ParamKind, ParamSpec};

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);

fn number(name: &str) -> ParamSpec {
    ParamSpec::new(name, "a number", ParamKind::Number { min: 0.0, max: 99_999.0, integer: true })
}

fn text(name: &str) -> ParamSpec {
    ParamSpec::new(name, "a text", ParamKind::text())
}

fn action_space() -> ActionSpace {
    ActionSpace::from_iter([
        ActionSpec::new("goto", "open a page").with_param(text("url")),
        ActionSpec::new("click", "click an element").with_param(number("id")),
        ActionSpec::new("fill_form", "fill a field").with_param(number("id")).with_param(text("text")),
        ActionSpec::new("switch_tab", "show a tab").with_param(number("n")),
        ActionSpec::new("go_back", "go back"),
        ActionSpec::new("drag", "drag from point to point")
            .with_param(ParamSpec::new("from", "where", ParamKind::Point { width: 9, height: 9 }))
            .with_param(ParamSpec::new("to", "where", ParamKind::Point { width: 9, height: 9 })),
    ])
}

fn parse(reply: &str) -> ParseOutcome {
    let rules = ReaderRules::named("webcanvas").unwrap();
    let outcome = parse_reply(&rules, &rules.reply_format(&ONLINE), reply, &action_space());
    let Spans { action, args, analysis, .. } = &outcome.spans;
    for arg in args {
        let action = action.as_ref().unwrap();
        assert!(action.start <= arg.at.start && arg.at.end <= action.end, "{:?}", outcome.spans);
    }
    if let (Some(analysis), Some(action)) = (analysis, action) {
        assert!(analysis.end <= action.start || action.end <= analysis.start, "{:?}", outcome.spans);
    }
    outcome
}

/// The action in its written form, or the rule and the message.
fn read(reply: &str) -> String {
    match parse(reply).result {
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("; "),
        Err(error) => format!("!{}: {}", error.rule, error.why),
    }
}

/// A reply with these values.
fn reply(action: &str, input: &str, element: &str) -> String {
    format!(
        "{{\"thought\": \"I see\", \"action\": {action}, \"action_input\": {input}, \"element_id\": {element}, \"description\": \"d\"}}"
    )
}

#[test]
fn arguments_are_under_keys_of_their_own() {
    for (action, input, element, expected) in [
        ("\"goto\"", "\"a.test\"", "null", "goto(url=\"a.test\")"),
        ("\"click\"", "\"\"", "12", "click(id=12)"),
        ("\"CLICK\"", "\"x\"", "\"12\"", "click(id=12)"),
        ("\"fill_form\"", "\"blue \\\"tea\\\"\"", "3", "fill_form(id=3, text=\"blue \\\"tea\\\"\")"),
        ("\"fill_form\"", "2024", "3", "fill_form(id=3, text=\"2024\")"),
        ("\"switch_tab\"", "\"2\"", "null", "switch_tab(n=2)"),
        ("\"switch_tab\"", "2", "7", "switch_tab(n=2)"),
        ("\"go_back\"", "\"\"", "null", "go_back"),
        ("\"Go_Back\"", "\"now\"", "true", "go_back"),
        ("\"drag((1, 2), (3, 4))\"", "\"\"", "null", "drag(from=(1, 2), to=(3, 4))"),
        ("\"click(5)\"", "\"\"", "null", "click(id=5)"),
    ] {
        assert_eq!(read(&reply(action, input, element)), expected);
    }
}

#[test]
fn what_is_not_the_number_of_an_element_is_refused_with_the_reason() {
    for given in ["2.9", "true", "\"２\"", "\"-1\"", "-1", "[2]", "\"two\"", "99999999999"] {
        let expected =
            format!("!argument: \"element_id\" must be a whole number or its digits, found {given}");
        assert_eq!(read(&reply("\"click\"", "\"\"", given)), expected);
    }
    for given in ["null", "\"\""] {
        let said = read(&reply("\"click\"", "\"\"", given));
        assert!(said.starts_with("!argument: ") && said.ends_with("(the key \"element_id\")"), "{said}");
    }
    assert!(read(&reply("\"goto\"", "null", "null")).ends_with("(the key \"action_input\")"));
    let said = read(&reply("\"goto\"", "{\"a\": 1}", "null"));
    assert_eq!(said, "!argument: \"action_input\" must be a text, a number or null, found {\"a\": 1}");
    let error = parse(&reply("\"clik\"", "\"\"", "1")).result.unwrap_err();
    assert_eq!((error.rule.as_str(), error.near), ("action", vec!["click".to_owned()]));
}

#[test]
fn json5_and_text_around_the_object_are_read() {
    let said = "Well.\n```json\n{thought: 'it\\'s', // why\n action: 'click', 'element_id': 4, action_input: null,}\n```";
    let outcome = parse(said);
    let id = Arg::Number(Number::new(4.0).unwrap());
    assert_eq!(outcome.result, Ok(vec![Action::plain("click").with("id", id)]));
    assert_eq!(outcome.spans.liberties.as_slice(), [Leniency::Outside]);
    let text = |range: Option<Range<usize>>| range.map(|range| &said[range]);
    assert_eq!(text(outcome.spans.analysis), Some("it\\'s"));
    assert_eq!(text(outcome.spans.action), Some("click', 'element_id': 4"));
    assert_eq!(text(outcome.spans.args.first().map(|arg| arg.at.clone())), Some("4"));
    assert_eq!(outcome.spans.fallback, None);
}

#[test]
fn an_analysis_between_the_parts_of_an_action_is_left_out() {
    let outcome = parse("{\"action\": \"click\", \"thought\": \"so\", \"element_id\": 4}");
    assert!(outcome.result.is_ok() && outcome.spans.analysis.is_none(), "{:?}", outcome.spans);
}

#[test]
fn what_is_not_json5_is_searched_for_the_keys_in_their_order() {
    let broken = "{\"thought\": \"two\nlines\", \"action\": \"fill_form\", \"action_input\": \"a\n  b\", \"element_id\": 7, \"description\": \"\"}";
    let outcome = parse(broken);
    assert_eq!(read(broken), "fill_form(id=7, text=\"a b\")");
    let found = outcome.spans.fallback.unwrap();
    assert_eq!((found.rule.as_str(), found.span), ("keys in order", 1..broken.len() - 1));
    let nothing = broken.replace("fill_form", "go_back").replace(": 7", ": ");
    assert_eq!(read(&nothing), "go_back", "an empty element_id");
    assert_eq!(read(&broken.replace(": 7", ": null")).split(' ').next(), Some("!argument:"));
    for other in [
        broken.replace("\"a\n", "\"a \\\"\n"),
        broken.replace("\"action_input\"", "\"input\""),
        broken.replace(": 7", ": 7.5"),
    ] {
        let outcome = parse(&other);
        assert_eq!(outcome.result.unwrap_err().rule, "object", "{other}");
        assert_eq!(outcome.spans.fallback, None);
    }
    let unknown = parse(&broken.replace("fill_form", "jump"));
    assert_eq!((unknown.result.unwrap_err().rule.as_str(), unknown.spans.fallback), ("action", None));
}

#[test]
fn an_object_without_an_action_says_what_it_has() {
    assert_eq!(
        read("{\"thought\": \"x\"}"),
        "!key: the object has no key \"action\"; its keys are [\"thought\"]"
    );
    assert_eq!(read("{action: 'go_back', action: 'go_back'}"), "!key: duplicate key \"action\"");
    assert_eq!(read(""), "!object: the reply is empty, expected a JSON object");
    assert_eq!(read("go_back"), "!object: expected a JSON object, found \"go_back\"");
    assert_eq!(read("{action: 3}"), "!action: \"action\" must be an object or a string, found 3");
    assert!(read("{action: {name: 'drag'}}").starts_with("!action: \"action\" must be a text, or an object"));
}

#[test]
fn the_format_writes_what_is_read_back() {
    let rules = ReaderRules::named("webcanvas").unwrap();
    let format = rules.reply_format(&ONLINE);
    for spec in action_space().specs() {
        let action = spec.example();
        let written = format.write("why \"}{", std::slice::from_ref(&action), &action_space());
        let outcome = parse(&written);
        assert_eq!(outcome.result, Ok(vec![action]), "{written}");
        assert!(outcome.spans.liberties.is_empty() && outcome.spans.fallback.is_none());
    }
    let click = action_space().spec("click").unwrap().example().with("id", Arg::Number(2.into()));
    let expected = "{\"thought\": \"x\", \"action\": \"click\", \"action_input\": null, \"element_id\": 2, \"description\": \"click an element\"}\n";
    assert_eq!(format.write("x", &[click], &action_space()), expected);
}

#[test]
fn keys_that_are_the_same_are_refused() {
    let (_, text) = ReaderRules::shipped().iter().find(|(name, _)| *name == "webcanvas").unwrap();
    for (from, to, message) in [
        ("input = \"action_input\"", "input = \"action\"", "keys.input: \"action\" is also keys.action"),
        ("remark = \"description\"", "remark = \"\"", "keys.remark: \"\" is not a valid name"),
        ("[keys]", "[keys]\nextra = 1", "unknown key \"extra\" in [keys]"),
    ] {
        let error = ReaderRules::parse("mine", &text.replace(from, to)).unwrap_err();
        assert_eq!(error.message, message);
    }
}
