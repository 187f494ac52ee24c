//! Tests of actions with parameters: written and stored forms, checks, hostile text.

use proptest::prelude::*;

use super::*;

fn space() -> ActionSpace {
    ActionSpace::from_iter([
        ActionSpec::new("Left", "walk left").with_key("left"),
        ActionSpec::new("(A -> B)", "move"),
        ActionSpec::new("click", "click a point")
            .with_param(ParamSpec::new("at", "where", ParamKind::Point { width: 1280, height: 720 }))
            .with_param(
                ParamSpec::new("button", "which", ParamKind::choice(["left", "right", "3"])).optional(),
            ),
        ActionSpec::new("type", "type a text")
            .with_param(ParamSpec::new("text", "what", ParamKind::Text { max_chars: Some(20) }))
            .with_param(ParamSpec::new("into", "where", ParamKind::text()).optional()),
        ActionSpec::new("scroll", "scroll").with_param(
            ParamSpec::new("by", "how far", ParamKind::Number { min: -10.0, max: 10.0, integer: true })
                .optional(),
        ),
        ActionSpec::new("zoom", "zoom").with_param(ParamSpec::new(
            "factor",
            "how much",
            ParamKind::Number { min: 0.1, max: 8.0, integer: false },
        )),
        ActionSpec::new("write", "write a file").with_param(ParamSpec::new(
            "html",
            "the page",
            ParamKind::Code { language: "html".into() },
        )),
    ])
}

fn text(text: &str) -> Arg {
    Arg::Text(text.to_owned())
}

fn point(x: i64, y: i64) -> Arg {
    Arg::Point { x, y }
}

#[test]
fn an_action_is_found_only_by_its_exact_name() {
    let space = ActionSpace::new(&[("Left", "walk left"), ("Up", "walk up")]);
    assert_eq!(space.find("Left"), Some(Action::plain("Left")));
    for other in ["left", "", "Left()", "Left ()", "Left(1)"] {
        assert_eq!(space.find(other), None, "{other}");
    }
    assert!(space.allows(&Action::plain("Up")));
    assert!(!space.allows(&Action::plain("Down")));
}

#[test]
fn written_forms_are_parsed_with_and_without_names() {
    for (written, expected) in [
        ("Left", Action::plain("Left")),
        ("(A -> B)", Action::plain("(A -> B)")),
        ("click(at=(120, 40))", Action::plain("click").with("at", point(120, 40))),
        (
            "click((120,40),right)",
            Action::plain("click").with("at", point(120, 40)).with("button", text("right")),
        ),
        ("click ( [0, 719] , button = \"left\" , )", {
            Action::plain("click").with("at", point(0, 719)).with("button", text("left"))
        }),
        (
            "click(button=3, at=(1, 2.0))",
            Action::plain("click").with("at", point(1, 2)).with("button", text("3")),
        ),
        (r#"type("a, \"b\" (c)\n\u001b")"#, Action::plain("type").with("text", text("a, \"b\" (c)\n\u{1b}"))),
        ("type(text=hello, into=\"name\")", {
            Action::plain("type").with("text", text("hello")).with("into", text("name"))
        }),
        ("scroll", Action::plain("scroll")),
        ("scroll()", Action::plain("scroll")),
        ("scroll(-3)", Action::plain("scroll").with("by", Arg::Number(Number::from(-3)))),
        ("zoom(1.5e0)", Action::plain("zoom").with("factor", Arg::Number(Number::new(1.5).unwrap()))),
        ("write(\"<p>\")", Action::plain("write").with("html", Arg::Code("<p>".into()))),
    ] {
        assert_eq!(space().parse(written), Ok(expected), "{written}");
    }
}

#[test]
fn a_line_has_its_arguments_with_or_without_parentheses() {
    let hello = Action::plain("type").with("text", text("hello"));
    for (line, expected) in [
        (" type text=hello ", Ok(hello.clone())),
        ("type \"hello\"", Ok(hello.clone())),
        ("type(hello)", Ok(hello.clone())),
        ("type text=\"hello\", into = a", Ok(hello.with("into", text("a")))),
        (
            "click (1, 2) button=left",
            Ok(Action::plain("click").with("at", point(1, 2)).with("button", text("left"))),
        ),
        ("click at=[1,2],", Ok(Action::plain("click").with("at", point(1, 2)))),
        ("(A -> B)", Ok(Action::plain("(A -> B)"))),
        ("type", Err("type needs the parameter text: a text of at most 20 characters")),
        ("click at=(1, 2) x=3", Err("click has no parameter \"x\"; its parameters are at, button")),
        (
            "Left now",
            Err(
                "\"Left now\" is not an action here; the actions are Left, (A -> B), click, type, scroll, zoom, write",
            ),
        ),
    ] {
        assert_eq!(
            space().parse_line(line).map_err(|error| error.to_string()),
            expected.map_err(str::to_owned),
            "{line}"
        );
    }
    assert_eq!(space().parse_incomplete_line("click"), Some(Action::plain("click")));
    let given = Action::plain("click").with("button", text("left"));
    assert_eq!(space().parse_incomplete_line("click button=left"), Some(given));
    for line in ["click button=middle", "click at=(1, 2)", "zoom 9", "Jump", "click ("] {
        assert_eq!(space().parse_incomplete_line(line), None, "{line}");
    }
}

#[test]
fn a_list_is_split_outside_of_calls() {
    let names = |list: &str| {
        space().parse_list(list).map(|actions| actions.iter().map(Action::to_string).collect::<Vec<_>>())
    };
    let expected = ["click(at=(1, 2))", "type(text=\", )(\")", "Left"].map(str::to_owned).to_vec();
    assert_eq!(names("click((1, 2)), type(\", )(\")\n\nLeft,"), Ok(expected));
    assert!(names("Left, Jump").is_err() && names("") == Ok(vec![]));
    let plain = ActionSpace::new(&[("Up", ""), ("Left", "")]);
    assert_eq!(plain.parse_list("Up Left,Up\nLeft").map(|actions| actions.len()), Ok(4));
}

#[test]
fn every_error_names_the_action_the_parameter_what_was_given_and_what_is_allowed() {
    let point = "a point (x, y) from (0, 0) to (1279, 719)";
    for (written, message, at) in [
        ("Jump", "\"Jump\" is not an action here; the actions are Left, (A -> B), click, type, scroll, zoom, write".to_owned(), "Jump"),
        ("click", format!("click needs the parameter at: {point}"), "click"),
        ("click(button=left)", format!("click needs the parameter at: {point}"), "button=left"),
        ("click(at=(1280, 0))", format!("click: at must be {point}, not (1280, 0)"), "(1280, 0)"),
        ("click(at=\"here\")", format!("click: at must be {point}, not \"here\""), "\"here\""),
        ("click((1, 2), \"middle\")", "click: button must be one of \"left\", \"right\", \"3\", not \"middle\"".into(), "\"middle\""),
        ("click((1, 2), x=3)", "click has no parameter \"x\"; its parameters are at, button".into(), "x=3"),
        ("zoom(1, 2)", "zoom: it has too many arguments; write zoom(factor: number 0.1 to 8)".into(), "2"),
        ("Left(x=1)", "Left has no parameter \"x\"; it takes no parameters".into(), "x=1"),
        ("zoom(9)", "zoom: factor must be a number from 0.1 to 8, not 9".into(), "9"),
        ("scroll(0.5)", "scroll: by must be a whole number from -10 to 10, not 0.5".into(), "0.5"),
        ("type(\"a\", text=\"b\")", "type: text is given twice".into(), "text=\"b\""),
        ("type(\"123456789012345678901\")", "type: text must be a text of at most 20 characters, not \"123456789012345678901\"".into(), "\"123456789012345678901\""),
        ("type(\"a", "type: a string has no closing quote; write type(text: text of at most 20 characters, into?: text)".into(), "\""),
        ("click((1; 2))", "click: a point is two whole numbers: (x, y); write click(at: point (0, 0) to (1279, 719), button?: \"left\" | \"right\" | \"3\")".into(), "(1;"),
        ("zoom(1) now", "zoom: there is text after the closing parenthesis; write zoom(factor: number 0.1 to 8)".into(), " now"),
        ("zoom(1 2)", "zoom: expected a comma or a closing parenthesis; write zoom(factor: number 0.1 to 8)".into(), "2"),
    ] {
        let misread = space().read(written).unwrap_err();
        assert_eq!((misread.error.to_string(), &written[misread.at]), (message, at), "{written}");
    }
}

#[test]
fn hostile_text_in_an_error_is_short_and_visible() {
    let bad = format!("{}\u{1b}[31m\u{202e}", "x".repeat(50));
    for action in [
        Action::plain(&*bad),
        Action::plain("click").with("at", text(&bad)),
        Action::plain("scroll").with(bad.repeat(3), text("x")),
        Action::plain("click").with("at", point(1, 1)).with("button", text(&bad.repeat(1000))),
    ] {
        let said = space().check(&action).unwrap_err().to_string();
        assert!(!said.contains(crate::is_hidden) && said.chars().count() < 400, "{said}");
        assert!(!action.args.values().any(|arg| arg.to_string().contains(crate::is_hidden)));
    }
}

#[test]
fn the_stored_form_is_plain_json_and_stays_readable() {
    let action = Action::plain("x")
        .with("a", text("hi"))
        .with("b", Arg::Number(Number::from(3)))
        .with("c", Arg::Number(Number::new(0.1).unwrap()))
        .with("d", point(-1, 40))
        .with("e", Arg::Code("<p>\n".into()));
    let json = r#"{"name":"x","args":{"a":"hi","b":3,"c":0.1,"d":[-1,40],"e":{"code":"<p>\n"}}}"#;
    assert_eq!(serde_json::to_string(&action).unwrap(), json);
    assert_eq!(serde_json::from_str::<Action>(json).unwrap(), action);
    assert_eq!(serde_json::to_string(&Action::plain("Up")).unwrap(), r#"{"name":"Up"}"#);
    assert_eq!(action.to_string(), r#"x(a="hi", b=3, c=0.1, d=(-1, 40), e="<p>\n")"#);
}

#[test]
fn a_field_is_typed_without_quotes() {
    for (kind, typed, arg) in [
        (ParamKind::text(), "a \"b\"", Some(text("a \"b\""))),
        (ParamKind::Point { width: 9, height: 9 }, " (3, 4)", Some(point(3, 4))),
        (ParamKind::Point { width: 9, height: 9 }, "3 40", Some(point(3, 40))),
        (ParamKind::Point { width: 9, height: 9 }, "3", None),
        (
            ParamKind::Number { min: 0.0, max: 1.0, integer: false },
            " 0.5 ",
            Some(Arg::Number(Number::new(0.5).unwrap())),
        ),
        (ParamKind::Number { min: 0.0, max: 1.0, integer: false }, "half", None),
        (ParamKind::Number { min: 0.0, max: 1.0, integer: false }, "inf", None),
        (ParamKind::choice(["a"]), " a", Some(text("a"))),
    ] {
        assert_eq!(kind.parse_field(typed), arg, "{typed}");
    }
}

/// Any argument that this parameter allows.
fn allowed_arg(param: &ParamSpec) -> BoxedStrategy<Arg> {
    match &param.kind {
        ParamKind::Text { max_chars } => proptest::collection::vec(any::<char>(), 0..max_chars.unwrap_or(50))
            .prop_map(|chars| Arg::Text(chars.into_iter().collect()))
            .boxed(),
        ParamKind::Number { min, max, integer: false } => {
            (*min..=*max).prop_map(|value| Arg::Number(Number::new(value).unwrap())).boxed()
        }
        ParamKind::Number { .. } => (-10..=10_i32).prop_map(|value| Arg::Number(value.into())).boxed(),
        ParamKind::Point { width, height } => {
            (0..i64::from(*width), 0..i64::from(*height)).prop_map(|(x, y)| Arg::Point { x, y }).boxed()
        }
        ParamKind::Choice { values } => proptest::sample::select(values.clone()).prop_map(Arg::Text).boxed(),
        ParamKind::Code { .. } => any::<String>().prop_map(Arg::Code).boxed(),
    }
}

/// Any action that the space allows.
fn allowed_action() -> impl Strategy<Value = Action> {
    proptest::sample::select(space().specs().to_vec()).prop_flat_map(|spec| {
        let one = |param: &ParamSpec| {
            let name = param.name.clone();
            let pair = allowed_arg(param).prop_map(move |arg| (name.clone(), arg));
            if param.required { pair.prop_map(Some).boxed() } else { proptest::option::of(pair).boxed() }
        };
        let args: Vec<_> = spec.params.iter().map(one).collect();
        args.prop_map(move |args| Action {
            name: spec.name.clone(),
            args: args.into_iter().flatten().collect(),
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_parsed_back(action in allowed_action()) {
        let written = action.to_string();
        prop_assert_eq!(space().check(&action), Ok(()));
        let read = space().read(&written);
        prop_assert_eq!(read.as_ref().map(|read| &read.action), Ok(&action), "{}", written);
        let spans = read.unwrap().args;
        prop_assert!(spans.iter().all(|(name, span)| written[span.clone()] == action.args[name].to_string()));
        let stored = serde_json::to_string(&action).unwrap();
        prop_assert_eq!(serde_json::from_str::<Action>(&stored).unwrap(), action);
    }

    #[test]
    fn no_text_makes_the_parser_panic(
        pieces in proptest::collection::vec(
            prop_oneof![
                any::<String>(),
                proptest::sample::select(vec!["click", "type", "(", ")", "=", ",", "\"", "\\", "at", "(1, 2)", "-", "1e9", "é", " "])
                    .prop_map(str::to_owned),
            ],
            0..12,
        )
    ) {
        let written = pieces.concat();
        match space().read(&written) {
            Ok(read) => prop_assert!(space().allows(&read.action) && written.get(..read.length).is_some()),
            Err(misread) => prop_assert!(written.get(misread.at).is_some()),
        }
    }
}
