//! Properties of any reply: what the format writes is read back, nothing makes the reader panic, and parsing is fast.

use proptest::prelude::*;

use super::*;

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
                    Delimiter::Answer => format!("Answer: {flood}"),
                    Delimiter::Keys => format!("{{\"action\": {flood}, \"element_id\": 1}}"),
                    Delimiter::Cell => format!("```\n{flood}\n```"),
                };
                parse(reader, &own, &flood);
                parse(reader, &own, &formatted);
            }
        }
    }
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

fn assert_written_actions_are_read(reason: &str, actions: &[Action]) {
    for (reader, _) in ReaderRules::shipped() {
        for (own, notation) in
            [ONLINE, GLOBAL].iter().flat_map(|own| NOTATIONS.map(|notation| (own, notation)))
        {
            let own = own.clone().with_notation(notation);
            let actions = if own.list { actions.to_vec() } else { actions[..1].to_vec() };
            if !reads_written(reader, &own, notation, &actions) {
                continue;
            }
            let reply = rules(reader).reply_format(&own).write(reason, &actions, &action_space());
            let outcome = parse(reader, &own, &reply);
            assert_eq!(outcome.result, Ok(actions), "by {reader} {notation:?}: {reply:?}");
            assert_eq!(outcome.spans.liberties, vec![]);
        }
    }
}

#[test]
fn empty_code_after_another_action_is_parsed_back() {
    let code = || Arg::Code(String::new());
    let write = Action::plain("write").with("html", code()).with("css", code());
    assert_written_actions_are_read("", &[Action::plain("Left"), write]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_the_format_writes_is_parsed_back(reason in any_text(), actions in proptest::collection::vec(any_action(), 1..4)) {
        assert_written_actions_are_read(&reason, &actions);
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
