//! Replies with their answers under both sets of rules.

use mageyard_domain::{ActionSpace, ActionSpec, ParamKind, ParamSpec, ReplyFormat};

use crate::{ReaderRules, parse_reply};

/// What each set of rules reads: the action, or the rule that failed.
fn read(space: &ActionSpace, reply: &str) -> [String; 2] {
    ["looks", "looks-code"].map(|name| {
        let rules = ReaderRules::named(name).unwrap();
        let format = rules.reply_format(&ReplyFormat::answer());
        let outcome = parse_reply(&rules, &format, reply, space);
        match outcome.result {
            Ok(actions) => {
                let at = outcome.spans.action.clone().unwrap();
                assert!(reply.get(at).is_some());
                actions[0].to_string()
            }
            Err(error) => format!("{}!", error.rule),
        }
    })
}

fn assert_table(space: &ActionSpace, rows: &[(&str, &str, &str)]) {
    for (reply, standard, released) in rows {
        assert_eq!(read(space, reply), [*standard, *released], "{reply:?}");
    }
}

fn letters() -> ActionSpace {
    ActionSpace::new(&[("A", "click"), ("B", "type"), ("C", "press back")])
}

fn one(name: &str, params: &[(&str, ParamKind)]) -> ActionSpace {
    let spec = params.iter().fold(ActionSpec::new(name, ""), |spec, (name, kind)| {
        spec.with_param(ParamSpec::new(*name, "", kind.clone()))
    });
    ActionSpace::from_iter([spec])
}

#[test]
fn a_letter_is_read_under_both_rules() {
    assert_table(
        &letters(),
        &[
            ("Answer: B", "B", "B"),
            ("It is a click.\n\nAnswer: A\n", "A", "A"),
            ("answer: b", "B", "action!"),
            ("**Answer:** B", "B", "B"),
            ("**Answer: B**", "B", "B"),
            ("Answer: **B**", "B", "heading!"),
            ("Answer: B. type", "B", "B"),
            ("Answer: A. a click on B", "A", "A"),
            ("Answer:\r\nC\r\n  ", "C", "C"),
            ("Answer: A\nAnswer: C", "C", "C"),
            ("Answer: A or B", "action!", "A"),
            ("Answer: A, B", "action!", "A"),
            ("Answer: None", "action!", "action!"),
            ("Answer: Because of B", "action!", "B"),
            ("B", "B", "heading!"),
            ("I choose B.", "heading!", "heading!"),
            ("Answer:", "action!", "heading!"),
            ("", "heading!", "heading!"),
        ],
    );
}

#[test]
fn a_word_is_read_at_the_last_answer_or_anywhere() {
    let words = ActionSpace::new(&[("True", ""), ("False", "")]);
    assert_table(
        &words,
        &[
            ("Answer: True", "True", "True"),
            ("answer: false.", "False", "heading_or_action!"),
            ("Answer: False\nAnswer: True", "True", "action!"),
            ("That would be False at first. Answer: True", "True", "action!"),
            ("True", "True", "True"),
            ("**false**", "False", "heading_or_action!"),
            ("It is Trueish", "heading!", "True"),
            ("Answer: True or False", "action!", "action!"),
        ]
        .map(|(reply, standard, released)| {
            (reply, standard, if released == "heading_or_action!" { "action!" } else { released })
        }),
    );
    let both = ActionSpace::new(&[("True", ""), ("False", ""), ("True and False", "")]);
    assert_eq!(read(&both, "Not False. Answer: True")[1], "True and False");
    assert_eq!(read(&both, "Answer: True and False")[1], "True and False");
}

#[test]
fn a_point_is_the_last_pair() {
    let number = || ParamKind::Number { min: 0.0, max: 1.0, integer: false };
    let space = one("point", &[("x", number()), ("y", number())]);
    let half = "point(x=0.5, y=0.25)";
    assert_table(
        &space,
        &[
            ("Answer: (0.5, 0.25)", half, half),
            ("(0.1, 0.1) no. (0.5,0.25)", half, half),
            (
                "Answer: (0.5, 0.25) and not (0.1, 0.1) of before",
                "point(x=0.1, y=0.1)",
                "point(x=0.1, y=0.1)",
            ),
            ("Seen at (0.1, 0.1). **Answer:** [0.5, 0.25]", half, "point(x=0.1, y=0.1)"),
            ("Answer: 0.5, 0.25", half, "action!"),
            ("Answer: (x=0.5, y=0.25)", half, "action!"),
            ("Answer: (.5, 2.5e-1)", half, "action!"),
            ("Answer: (640, 360)", "argument!", "argument!"),
            ("Answer: (1, 0)", "point(x=1, y=0)", "point(x=1, y=0)"),
            ("Answer: the button", "action!", "action!"),
        ],
    );
}

#[test]
fn a_list_has_a_letter_on_each_line() {
    let space = one("answer", &[("letters", ParamKind::text())]);
    let list = |letters: &str| format!("answer(letters=\"{letters}\")");
    for (reply, standard, released) in [
        ("Answer:\nA\nB\nA", list("A B A"), list("A B A")),
        ("Answer: A\nB", list("A B"), list("A B")),
        ("Answer: a\r\nb\r\n", list("A B"), list("a b")),
        ("Answer:\nA\n\nB", list("A B"), list("A")),
        ("Answer:\n1. A\n2. B. type", list("A B"), "list!".to_owned()),
        ("Answer: A, B, C", list("A B C"), list("A")),
        ("Answer:\nA\nBut I may be wrong.", list("A"), list("A B")),
        ("Answer: A\nAnswer:\nB. click\nC) type\n", list("B C"), list("B C")),
        ("Answer:\n- A\n- B", list("A B"), "list!".to_owned()),
        ("Answer: none", "list!".to_owned(), list("n")),
        ("A\nB", "heading!".to_owned(), "heading!".to_owned()),
    ] {
        assert_eq!(read(&space, reply), [standard, released], "{reply:?}");
    }
}

#[test]
fn another_action_is_the_last_call() {
    let number = ParamKind::Number { min: 0.0, max: 640.0, integer: false };
    let button = ParamKind::choice(["left", "right"]);
    let space = one("click", &[("x", number.clone()), ("y", number), ("button", button)]);
    let call = "click(button=\"right\", x=10, y=20)";
    let code = "```python\nmouse.click(10, 20, button='right')\n```";
    assert_eq!(read(&space, code), [call, call]);
    assert_eq!(read(&space, "click(1, 2) is wrong, click(10, 20, \"right\")"), [call, call]);
    assert_eq!(read(&space, "mouse.click(10, 900, button='right')"), ["argument!", "argument!"]);
    assert_eq!(read(&space, "I click it."), ["action!", "action!"]);
}

#[test]
fn the_rule_and_its_characters_are_recorded() {
    let rules = ReaderRules::named("looks-code").unwrap();
    let format = rules.reply_format(&ReplyFormat::answer());
    let reply = "First (0.1, 0.2), so\nAnswer: B";
    let outcome = parse_reply(&rules, &format, reply, &letters());
    let found = outcome.spans.fallback.unwrap();
    assert_eq!((found.rule.as_str(), &reply[found.span]), ("last answer with a letter", "Answer: B"));
    assert_eq!(&reply[outcome.spans.analysis.unwrap()], "First (0.1, 0.2), so");
}
