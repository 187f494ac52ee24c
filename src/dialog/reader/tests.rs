//! Stored replies with their expected results, and invariants of every reply.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use mageyard_domain::Delimiter;

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);
const GLOBAL: ReplyFormat = ReplyFormat::headings("### Analyze", "### Actions", true);

fn action_space() -> ActionSpace {
    ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
}

fn shipped_rules(name: &str) -> ReaderRules {
    ReaderRules::named(name).unwrap()
}

fn all_rules() -> impl Iterator<Item = ReaderRules> {
    ReaderRules::shipped().iter().map(|row| shipped_rules(row.0))
}

fn parse_with(rules: &ReaderRules, own: &ReplyFormat, reply: &str) -> ParseOutcome {
    parse_reply(rules, &rules.reply_format(own), reply, &action_space())
}

/// The text of a stored reply. Words in braces are replaced with characters that editors spoil, or with long texts.
fn expand_placeholders(body: &str) -> String {
    let mut reply = body.to_owned();
    for (word, text) in [
        ("{CR}", "\r"),
        ("{ESC}", "\u{1b}"),
        ("{NUL}", "\0"),
        ("{RTL}", "\u{202e}"),
        ("{ZWSP}", "\u{200b}"),
        ("{BOM}", "\u{feff}"),
        ("{100K}", &"blah, \"Up\". ".repeat(10_000)),
        ("{HASHES}", &"#*-`".repeat(25_000)),
        ("{NEST}", &"[{\"a\":".repeat(20_000)),
        ("{5000}", &"Up, Left, ".repeat(2_500)),
    ] {
        reply = reply.replace(word, text);
    }
    reply
}

fn describe_result(result: &Result<Vec<Action>, ParseError>) -> String {
    match result {
        Err(error) => format!("!{}", error.rule),
        Ok(actions) if actions.len() > 100 => format!("*{}", actions.len()),
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the replies are files")]
fn every_stored_reply_is_parsed_as_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reader/replies");
    let files: BTreeSet<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 95, "{}", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let (head, body) = text.split_once("---\n").unwrap();
        let field = |name: &str| {
            let row = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            row.unwrap_or_else(|| panic!("{}: no {name}", file.display())).to_owned()
        };
        let own = if field("setting") == "global" { GLOBAL } else { ONLINE };
        let reply = expand_placeholders(body);
        for rules in all_rules() {
            let outcome = parse_with(&rules, &own, &reply);
            assert_sound(&reply, &outcome);
            let result = describe_result(&outcome.result);
            let expected = field(rules.name());
            if result != expected {
                wrong.push(format!(
                    "{} by {rules}: {result}, expected {expected}",
                    file.file_stem().unwrap().display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Checks that spans are within the reply and do not overlap, and that errors have a message.
fn assert_sound(reply: &str, outcome: &ParseOutcome) {
    let Spans { analysis, action, dropped, fallback, .. } = &outcome.spans;
    let matched = fallback.as_ref().map(|found| &found.span);
    for range in analysis.iter().chain(action).chain(dropped).chain(matched) {
        assert!(reply.get(range.clone()).is_some(), "{range:?}");
    }
    if let (Some(matched), Some(action)) = (matched, action) {
        assert!(matched.start <= action.start && action.end <= matched.end, "{:?}", outcome.spans);
    }
    if let (Some(analysis), Some(action)) = (analysis, action) {
        assert!(analysis.end <= action.start || action.end <= analysis.start, "{:?}", outcome.spans);
    }
    if let Err(error) = &outcome.result {
        assert!(!error.why.is_empty() && error.why.chars().count() < 400, "{}", error.why);
        assert!(error.at.clone().is_none_or(|at| reply.get(at).is_some()), "{error:?}");
    }
}

#[test]
fn a_parse_error_has_a_message_a_span_and_near_actions() {
    let reply = "# analyze\nx\n\n# action\nleft\n";
    let error = parse_with(&shipped_rules("strict"), &ONLINE, reply).result.unwrap_err();
    assert_eq!(error.why, "\"left\" is not an action");
    assert_eq!(&reply[error.at.unwrap()], "left");
    assert_eq!(error.near, ["Left"]);
    let error = parse_with(&shipped_rules("strict"), &ONLINE, "# action\nUp, Left").result.unwrap_err();
    assert_eq!(error.why, "\"Up, Left\" names 2 actions, expected one");
    let error = parse_with(&shipped_rules("strict"), &ONLINE, "Up").result.unwrap_err();
    assert_eq!((error.why.as_str(), error.at), ("no line of the reply begins with \"# action\"", None));
}

#[test]
fn every_leniency_used_is_recorded() {
    let outcome = parse_with(&shipped_rules("lenient"), &ONLINE, "## Action\n```\n- **up**.\n```");
    assert_eq!(outcome.result, Ok(vec![Action::plain("Up")]));
    let mut leniencies = outcome.spans.liberties;
    leniencies.sort_by_key(|leniency| *leniency as usize);
    let expected = [
        Leniency::Heading,
        Leniency::Fence,
        Leniency::Marker,
        Leniency::Around,
        Leniency::Ending,
        Leniency::Capitals,
    ];
    assert_eq!(leniencies, expected);
    let reply = "### Actions\nUp, Jump, Left";
    let spans = parse_with(&shipped_rules("strict"), &GLOBAL, reply).spans;
    assert_eq!(spans.dropped.iter().map(|at| &reply[at.clone()]).collect::<Vec<_>>(), ["Jump"]);
    assert!(spans.liberties.is_empty());
}

#[test]
fn actions_that_differ_only_in_case_are_never_guessed() {
    let space = ActionSpace::new(&[("go", ""), ("GO", "")]);
    let lenient = shipped_rules("lenient");
    let result =
        |written: &str| parse_reply(&lenient, &ONLINE, &format!("# action\n{written}"), &space).result;
    assert_eq!(result("GO"), Ok(vec![Action::plain("GO")]));
    assert_eq!(result("Go").unwrap_err().rule, "action");
}

#[test]
fn a_file_sets_names_outside_text_and_last_heading() {
    let head = "version = 3\nabout = \"mine\"\n";
    let mine = |text: &str| ReaderRules::parse("mine", &format!("{head}{text}")).unwrap();
    let up = Ok(vec![Action::plain("Up")]);
    let tags = mine("[tags]\nanalysis = \"why\"\naction = \"move\"\noutside = true");
    let outcome = parse_with(&tags, &ONLINE, "Well. <why>x</why> So <move>Up</move> it is.");
    assert_eq!((outcome.result, outcome.spans.liberties), (up.clone(), [Leniency::Outside].into()));
    let json = mine("[json]\nanalysis = \"why\"\naction = \"move\"\noutside = true");
    assert_eq!(parse_with(&json, &ONLINE, "So: {\"move\": \"Up\"}.").result, up);
    let last = mine("[headings]\naction = \"Final:\"\nlast = true\ncapitals = true");
    let reply = "Final: Left\nno, wait\nFINAL: Down\nFinal: Up";
    assert_eq!(parse_with(&last, &ONLINE, reply).result, up);
    let strict = mine("requires_analysis = true\n[headings]");
    assert_eq!(parse_with(&strict, &ONLINE, "# action\nUp").result.unwrap_err().rule, "analysis");
}

/// Rules that find the action by fallback rules only.
fn with_fallbacks(fallbacks: &str) -> ReaderRules {
    let text = format!("version = 1\nabout = \"x\"\n[headings]\n[tolerate]\nmarkers = true\n{fallbacks}");
    ReaderRules::parse("mine", &text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The rule that found the actions, the text that it matched, and the analysis, the action and the actions.
fn found_by<'a>(rules: &ReaderRules, own: &ReplyFormat, reply: &'a str) -> [&'a str; 3] {
    let ParseOutcome { result, spans } = parse_with(rules, own, reply);
    assert!(result.is_ok(), "{result:?}");
    let text = |range: Option<Range<usize>>| range.map_or("-", |range| &reply[range]);
    [text(spans.fallback.map(|found| found.span)), text(spans.analysis), text(spans.action)]
}

#[test]
fn a_fallback_rule_is_used_only_when_the_delimiters_give_no_action() {
    let rules = with_fallbacks("[[fallback]]\nname = \"go\"\npattern = 'go (?<action>\\w+)'");
    let outcome = parse_with(&rules, &ONLINE, "go Left\n# action\nUp");
    assert_eq!((outcome.result, outcome.spans.fallback), (Ok(vec![Action::plain("Up")]), None));
    let reply = "Well, go Left or go Down now";
    assert_eq!(found_by(&rules, &ONLINE, reply), ["go Down", "Well, go Left or", "Down"]);
    let outcome = parse_with(&rules, &ONLINE, reply);
    assert_eq!(outcome.result, Ok(vec![Action::plain("Down")]));
    let rule = FallbackMatch { rule: "go".into(), span: 17..24 };
    assert_eq!(outcome.spans.fallback, Some(rule), "the rule and the bytes are recorded");
    let error = parse_with(&rules, &ONLINE, "go home").result.unwrap_err();
    let message = "no line of the reply begins with \"# action\"; no fallback rule found an action \
                   (go: no match gives an action)";
    assert_eq!((error.rule.as_str(), error.why.as_str()), ("heading", message));
    let error = parse_with(&rules, &ONLINE, "stay").result.unwrap_err();
    assert!(error.why.ends_with("; no fallback rule found an action"), "{}", error.why);
}

#[test]
fn a_fallback_rule_picks_one_of_several_matches() {
    let reply = "go Left; go nowhere; go Up; go Down";
    for (pick, expected) in [("first", "Left"), ("last", "Down"), ("longest", "Down")] {
        for search in ["pattern = 'go (?<action>\\w+)'", "anywhere = true"] {
            let rules = with_fallbacks(&format!("[[fallback]]\nname = \"x\"\npick = \"{pick}\"\n{search}"));
            assert_eq!(
                found_by(&rules, &ONLINE, &reply.replace(';', " now"))[2],
                expected,
                "{pick} {search}"
            );
        }
    }
    let rules = with_fallbacks("[[fallback]]\nname = \"x\"\npick = \"only\"\npattern = 'go (?<action>\\w+)'");
    assert_eq!(found_by(&rules, &ONLINE, "go Up, go where, go Up")[2], "Up");
    let error = parse_with(&rules, &ONLINE, reply).result.unwrap_err();
    assert!(error.why.contains("x: the matches give different actions"), "{}", error.why);
}

#[test]
fn a_fallback_rule_can_find_a_list() {
    let rules = with_fallbacks(
        "[[fallback]]\nname = \"plan\"\npattern = '(?s)plan:(?<analysis>.*?)=(?<action>[^;]*);'\n\
         [[fallback]]\nname = \"any\"\nanywhere = true\npick = \"longest\"",
    );
    let names = |reply: &str| parse_with(&rules, &GLOBAL, reply).result.map(|actions| actions.len());
    assert_eq!(
        found_by(&rules, &GLOBAL, "plan: why = 1. Up, Left;."),
        ["plan: why = 1. Up, Left;", "why", "1. Up, Left"]
    );
    assert_eq!(names("First Up, Left, Up. Or: Left and Up"), Ok(3), "the longest");
    assert_eq!(names("Only Up"), Ok(1), "a single match");
    assert!(names("Up is a wall, and Left is the box").is_err(), "names in prose are no plan");
    assert_eq!(
        parse_with(&rules, &ONLINE, "Up, Left").result.unwrap_err().rule,
        "heading",
        "a list is not one action"
    );
}

#[test]
fn a_required_analysis_is_required_of_fallback_rules_too() {
    let text = "version = 1\nabout = \"x\"\nrequires_analysis = true\n[headings]\n[[fallback]]\nname = \"x\"\nanywhere = true";
    let rules = ReaderRules::parse("mine", text).unwrap();
    assert!(parse_with(&rules, &ONLINE, "Up").result.is_err());
    assert_eq!(found_by(&rules, &ONLINE, "The box is above. Up"), ["Up", "The box is above.", "Up"]);
}

#[test]
fn a_pattern_with_too_many_matches_is_given_up() {
    let rules = with_fallbacks("[[fallback]]\nname = \"x\"\npattern = '(?<action>U)p?'");
    let error = parse_with(&rules, &ONLINE, &"U".repeat(1001)).result.unwrap_err();
    assert!(error.why.contains("x: more than 1000 matches"), "{}", error.why);
}

#[test]
fn a_hundred_kilobytes_of_anything_are_parsed_quickly() {
    for unit in [
        "#",
        "*",
        "\"",
        "`",
        "<think>",
        "</answer>",
        "{",
        "[",
        "- ",
        "1. ",
        ",",
        "Up,",
        "\n",
        "# action\n",
        "é",
    ] {
        let flood = unit.repeat(100_000 / unit.len());
        for (rules, own) in all_rules().flat_map(|rules| [(rules.clone(), ONLINE), (rules, GLOBAL)]) {
            let form = rules.reply_format(&own);
            let formatted = match form.delimiter {
                Delimiter::Headings => format!("{}\n{flood}", form.action),
                Delimiter::Tags => format!("<think>x</think><answer>{flood}</answer>"),
                Delimiter::Whole => flood.clone(),
                Delimiter::Json => format!("{{\"action\": \"{flood}\", \"actions\": [{flood}]}}"),
                Delimiter::Answer => format!("Answer: {flood}"),
                Delimiter::Keys => format!("{{\"action\": \"{flood}\", \"thought\": [{flood}]}}"),
                Delimiter::Cell => format!("```\n{flood}\n```"),
            };
            for reply in [&flood, &formatted] {
                assert_sound(reply, &parse_with(&rules, &own, reply));
            }
        }
    }
}

/// Text that is often almost a reply.
fn almost_a_reply() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        proptest::sample::select(vec![
            "# action\n",
            "### Actions\n",
            "# analyze\n",
            "**Action:** ",
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "{\"action\": ",
            "\"actions\": [",
            "]",
            "}",
            "\"",
            "```",
            "```json\n",
            "Up",
            "left.",
            ", ",
            "\n",
            "- ",
            "1. ",
            "\r\n",
            "“Up”",
            "\\u00",
            "#",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_reply_makes_the_reader_panic(reply in almost_a_reply()) {
        for rules in all_rules() {
            for own in [&ONLINE, &GLOBAL] {
                assert_sound(&reply, &parse_with(&rules, own, &reply));
            }
        }
    }

    #[test]
    fn what_the_format_writes_is_parsed_back(reason in almost_a_reply(), picks in proptest::collection::vec(0..4_usize, 1..6)) {
        for rules in all_rules() {
            for own in [&ONLINE, &GLOBAL] {
                let actions: Vec<Action> =
                    picks.iter().map(|pick| Action::plain(&*action_space().specs()[*pick].name)).collect();
                let actions = if own.list { actions } else { actions[..1].to_vec() };
                let reply = rules.reply_format(own).write(&reason, &actions, &action_space());
                let outcome = parse_with(&rules, own, &reply);
                prop_assert_eq!(outcome.result, Ok(actions), "by {}: {:?}", rules, reply);
                prop_assert_eq!(outcome.spans.liberties, vec![]);
            }
        }
    }

    /// The rescue rules give the same actions for every reply that the lenient rules accept.
    #[test]
    fn rescue_accepts_everything_that_lenient_accepts(reply in almost_a_reply()) {
        for own in [&ONLINE, &GLOBAL] {
            let lenient = parse_with(&shipped_rules("lenient"), own, &reply);
            if lenient.result.is_ok() {
                prop_assert_eq!(parse_with(&shipped_rules("rescue"), own, &reply), lenient, "{:?}", reply);
            }
        }
    }

    /// The lenient rules give the same actions for every reply that the strict rules accept.
    #[test]
    fn lenient_accepts_everything_that_strict_accepts(reply in almost_a_reply()) {
        if let Ok(actions) = parse_with(&shipped_rules("strict"), &ONLINE, &reply).result {
            prop_assert_eq!(parse_with(&shipped_rules("lenient"), &ONLINE, &reply).result, Ok(actions), "{:?}", reply);
        }
    }
}
