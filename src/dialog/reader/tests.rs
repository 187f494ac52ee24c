//! A folder of replies with their verdicts, and what holds for every reply.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::domain::Marking;

const ONLINE: Form = Form::headings("# analyze", "# action", false);
const GLOBAL: Form = Form::headings("### Analyze", "### Actions", true);

fn space() -> ActionSpace {
    ActionSpace::of(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
}

fn rules(name: &str) -> Rules {
    Rules::named(name).unwrap()
}

fn all() -> impl Iterator<Item = Rules> {
    Rules::shipped().iter().map(|row| rules(row.0))
}

fn by(rules: &Rules, own: &Form, reply: &str) -> Reading {
    read(rules, &rules.form(own), reply, &space())
}

/// A reply of the folder: the words in braces stand for what an editor would spoil.
fn unfolded(body: &str) -> String {
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

fn told(verdict: &Result<Vec<Action>, Failure>) -> String {
    match verdict {
        Err(failure) => format!("!{}", failure.rule),
        Ok(actions) if actions.len() > 100 => format!("*{}", actions.len()),
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the replies lie in files")]
fn every_reply_of_the_folder_gets_its_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replies");
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
        let reply = unfolded(body);
        for rules in all() {
            let reading = by(&rules, &own, &reply);
            sound(&reply, &reading);
            let (said, wanted) = (told(&reading.verdict), field(rules.name()));
            if said != wanted {
                wrong.push(format!(
                    "{} by {rules}: {said}, not {wanted}",
                    file.file_stem().unwrap().display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Marks lie within the reply and apart, and a failure has words.
fn sound(reply: &str, reading: &Reading) {
    let Marks { analysis, action, dropped, .. } = &reading.marks;
    for range in analysis.iter().chain(action).chain(dropped) {
        assert!(reply.get(range.clone()).is_some(), "{range:?}");
    }
    if let (Some(analysis), Some(action)) = (analysis, action) {
        assert!(analysis.end <= action.start || action.end <= analysis.start, "{:?}", reading.marks);
    }
    if let Err(failure) = &reading.verdict {
        assert!(!failure.why.is_empty() && failure.why.chars().count() < 400, "{}", failure.why);
        assert!(failure.at.clone().is_none_or(|at| reply.get(at).is_some()), "{failure:?}");
    }
}

#[test]
fn a_failure_says_what_where_and_what_is_near() {
    let reply = "# analyze\nx\n\n# action\nleft\n";
    let failure = by(&rules("strict"), &ONLINE, reply).verdict.unwrap_err();
    assert_eq!(failure.why, "\"left\" is no action");
    assert_eq!(&reply[failure.at.unwrap()], "left");
    assert_eq!(failure.near, ["Left"]);
    let failure = by(&rules("strict"), &ONLINE, "# action\nUp, Left").verdict.unwrap_err();
    assert_eq!(failure.why, "\"Up, Left\" names 2 actions, and one is wanted");
    let failure = by(&rules("strict"), &ONLINE, "Up").verdict.unwrap_err();
    assert_eq!(
        (failure.why.as_str(), failure.at),
        ("the reply has no line that begins with \"# action\"", None)
    );
}

#[test]
fn what_was_let_pass_is_marked() {
    let reading = by(&rules("lenient"), &ONLINE, "## Action\n```\n- **up**.\n```");
    assert_eq!(reading.verdict, Ok(vec![Action::plain("Up")]));
    let mut liberties = reading.marks.liberties;
    liberties.sort_by_key(|liberty| *liberty as usize);
    let expected = [
        Liberty::Heading,
        Liberty::Fence,
        Liberty::Marker,
        Liberty::Around,
        Liberty::Ending,
        Liberty::Capitals,
    ];
    assert_eq!(liberties, expected);
    let reply = "### Actions\nUp, Jump, Left";
    let marks = by(&rules("strict"), &GLOBAL, reply).marks;
    assert_eq!(marks.dropped.iter().map(|at| &reply[at.clone()]).collect::<Vec<_>>(), ["Jump"]);
    assert!(marks.liberties.is_empty());
}

#[test]
fn two_actions_that_differ_in_capitals_only_are_not_guessed_between() {
    let space = ActionSpace::of(&[("go", ""), ("GO", "")]);
    let lenient = rules("lenient");
    let said = |written: &str| read(&lenient, &ONLINE, &format!("# action\n{written}"), &space).verdict;
    assert_eq!(said("GO"), Ok(vec![Action::plain("GO")]));
    assert_eq!(said("Go").unwrap_err().rule, "action");
}

#[test]
fn other_names_text_outside_and_the_last_heading_come_from_a_file() {
    let head = "version = 3\nabout = \"mine\"\n";
    let mine = |text: &str| Rules::parse("mine", &format!("{head}{text}")).unwrap();
    let up = Ok(vec![Action::plain("Up")]);
    let tags = mine("[tags]\nanalysis = \"why\"\naction = \"move\"\noutside = true");
    let reading = by(&tags, &ONLINE, "Well. <why>x</why> So <move>Up</move> it is.");
    assert_eq!((reading.verdict, reading.marks.liberties), (up.clone(), vec![Liberty::Outside]));
    let json = mine("[json]\nanalysis = \"why\"\naction = \"move\"\noutside = true");
    assert_eq!(by(&json, &ONLINE, "So: {\"move\": \"Up\"}.").verdict, up);
    let last = mine("[headings]\naction = \"Final:\"\nlast = true\ncapitals = true");
    let reply = "Final: Left\nno, wait\nFINAL: Down\nFinal: Up";
    assert_eq!(by(&last, &ONLINE, reply).verdict, up);
    let strict = mine("requires_analysis = true\n[headings]");
    assert_eq!(by(&strict, &ONLINE, "# action\nUp").verdict.unwrap_err().rule, "analysis");
}

#[test]
fn a_hundred_kilobytes_of_anything_are_read_at_once() {
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
        for (rules, own) in all().flat_map(|rules| [(rules.clone(), ONLINE), (rules, GLOBAL)]) {
            let form = rules.form(&own);
            let framed = match form.marking {
                Marking::Headings => format!("{}\n{flood}", form.action),
                Marking::Tags => format!("<think>x</think><answer>{flood}</answer>"),
                Marking::Json => format!("{{\"action\": \"{flood}\", \"actions\": [{flood}]}}"),
            };
            for reply in [&flood, &framed] {
                sound(reply, &by(&rules, &own, reply));
            }
        }
    }
}

/// Text that is often nearly a reply.
fn nearly() -> impl Strategy<Value = String> {
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
    fn no_reply_makes_the_reader_panic(reply in nearly()) {
        for rules in all() {
            for own in [&ONLINE, &GLOBAL] {
                sound(&reply, &by(&rules, own, &reply));
            }
        }
    }

    #[test]
    fn what_is_written_is_read(reason in nearly(), picks in proptest::collection::vec(0..4_usize, 1..6)) {
        for rules in all() {
            for own in [&ONLINE, &GLOBAL] {
                let actions: Vec<Action> =
                    picks.iter().map(|pick| Action::plain(&*space().verbs()[*pick].name)).collect();
                let actions = if own.list { actions } else { actions[..1].to_vec() };
                let reply = rules.form(own).write(&reason, &actions);
                let reading = by(&rules, own, &reply);
                prop_assert_eq!(reading.verdict, Ok(actions), "by {}: {:?}", rules, reply);
                prop_assert_eq!(reading.marks.liberties, vec![]);
            }
        }
    }

    /// Leniency only adds: what the benchmark's rules read, the lenient ones read alike.
    #[test]
    fn lenient_reads_whatever_strict_reads(reply in nearly()) {
        if let Ok(actions) = by(&rules("strict"), &ONLINE, &reply).verdict {
            prop_assert_eq!(by(&rules("lenient"), &ONLINE, &reply).verdict, Ok(actions), "{:?}", reply);
        }
    }
}
