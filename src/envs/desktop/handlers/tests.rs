use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::scripted::{Scripted, call, error, fail, process};
use super::*;

const STANDARD: Rules = Rules::Standard;

#[test]
fn every_handler_has_a_name_of_its_own() {
    let mut names: Vec<(&str, &str)> = all().map(|handler| (handler.evaluator, handler.function)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for handler in all().filter(|handler| handler.destroys) {
        assert!(handler.phase.includes(Phase::Reset), "{} only judges", handler.function);
    }
}

#[test]
fn a_process_matches_from_the_start_of_its_name_or_program() {
    let office = process(7, "soffice.bin", "/usr/lib/libreoffice/program/soffice.bin");
    let mut computer = Scripted { processes: vec![vec![office]], ..Scripted::default() };
    let matches = |computer: &mut Scripted, name: &str| {
        call(computer, "process.match_process", &json!({"name": name}), STANDARD)
    };
    assert_eq!(matches(&mut computer, "soffice.*"), Ok(()));
    assert_eq!(matches(&mut computer, "gimp|soff"), Ok(()));
    assert_eq!(fail(matches(&mut computer, "office")), "no process with the name office runs");
    assert_eq!(error(matches(&mut computer, "(")), "the parameter name must be a regular expression");
    computer.processes.clear();
    assert_eq!(error(matches(&mut computer, "a")), "processes cannot be judged here");
}

#[test]
fn a_started_program_is_awaited_at_most_30_s() {
    let mut computer = Scripted::default();
    let office = process(7, "soffice.bin", "/usr/lib/libreoffice/program/soffice.bin");
    computer.processes = vec![vec![], vec![], vec![office]];
    let params = json!({"cmd": ["libreoffice", "a b"], "wait_for": "libreoffice"});
    call(&mut computer, "process.create_process", &params, STANDARD).unwrap();
    assert_eq!(computer.log, ["start [\"libreoffice\", \"a b\"]", "sleep 250", "sleep 250"]);

    let mut computer = Scripted { processes: vec![vec![]], ..Scripted::default() };
    call(&mut computer, "process.create_process", &params, STANDARD).unwrap();
    assert_eq!(computer.log.len(), 1 + 120);

    let mut computer = Scripted::default();
    call(&mut computer, "process.create_process", &json!({"cmd": "gimp -n", "wait_for": null}), STANDARD)
        .unwrap();
    assert_eq!(computer.log, ["start [\"/bin/sh\", \"-c\", \"gimp -n\"]"]);
}

#[test]
fn matching_processes_are_ended() {
    let running = vec![process(1, "code", ""), process(2, "bash", "/opt/code"), process(3, "barcode", "")];
    let mut computer = Scripted { processes: vec![running], ..Scripted::default() };
    call(&mut computer, "process.pkill_by_name", &json!({"name": "code"}), STANDARD).unwrap();
    call(&mut computer, "process.pkill_by_name", &json!({"name": "gimp"}), STANDARD).unwrap();
    assert_eq!(computer.log, ["end [1, 2]"]);
}

#[test]
fn commands_run_whatever_their_exit_code_and_waits_are_limited() {
    let mut computer = Scripted::default();
    let run = |computer: &mut Scripted| call(computer, "system.exec", &json!({"command": "false"}), STANDARD);
    assert_eq!(error(run(&mut computer)), "the command \"false\" commands cannot be judged here");
    computer.ran = Some(Ran { code: Some(1), output: String::new() });
    assert_eq!(run(&mut computer), Ok(()));
    computer.log.clear();
    let sleep = |computer: &mut Scripted, seconds: f64| {
        call(computer, "system.sleep", &json!({"seconds": seconds}), STANDARD)
    };
    assert_eq!(sleep(&mut computer, 1.5), Ok(()));
    for seconds in [-1.0, 121.0, 1e300] {
        assert_eq!(error(sleep(&mut computer, seconds)), "the parameter seconds must be from 0 to 120");
    }
    assert_eq!(computer.log, ["sleep 1500"]);
}

#[test]
fn two_files_differ_or_not_and_trouble_passes_only_in_the_released_code() {
    let mut computer = Scripted::with(&[("/a", b"x"), ("/b", b"x"), ("/c", b"y"), ("/d/e", b"")]);
    computer.denied.push("/secret".to_owned());
    let mut diff = |one: &str, other: &str, rules| {
        call(&mut computer, "system.diff", &json!({"file1": one, "file2": other}), rules)
    };
    assert_eq!(diff("/a", "/b", STANDARD), Ok(()));
    assert_eq!(fail(diff("/a", "/c", STANDARD)), "/a differs from /c");
    for rules in [STANDARD, Rules::Code] {
        assert_eq!(fail(diff("/a", "/none", rules)), "/none does not exist");
    }
    assert_eq!(diff("/a", "/secret", Rules::Code), Ok(()));
    assert_eq!(fail(diff("/a", "/secret", STANDARD)), "/secret is not allowed");
    assert_eq!(fail(diff("/a", "/d", STANDARD)), "/d is not a file");
    assert_eq!(error(diff("/a", "/d", Rules::Code)), "/d is not a file");
}

#[test]
fn an_answer_is_the_first_marked_text_of_the_last_reply() {
    let mut computer = Scripted::default();
    let handler = find("qa", "string_match").unwrap();
    let mut answer = |reply, rules| {
        let params = json!({"answer": "42"});
        let mut case = Case { computer: &mut computer, rules, reply, answer: None };
        (handler.call)(&Params(params.as_object().unwrap()), &mut case)
    };
    assert_eq!(answer(Some("It is [[[42]]], not [[[7]]]."), STANDARD), Ok(()));
    assert!(fail(answer(Some("[[[ 42]]]"), STANDARD)).contains("expected is \"42\""));
    assert!(fail(answer(Some("42"), STANDARD)).contains("has no [[[answer]]]"));
    assert!(fail(answer(None, STANDARD)).contains("has no [[[answer]]]"));
    assert!(error(answer(Some("[[[42]]]"), Rules::Code)).contains("cannot judge answers"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop_oneof![
            "\\PC{0,12}",
            Just("/a".to_owned()),
            Just("~/b".to_owned()),
            Just("2024-01-01T00:00:00".to_owned())
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let key = prop_oneof![
            "\\PC{0,4}",
            Just("/a".to_owned()),
            Just("last_modified".to_owned()),
            Just("width".to_owned())
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_handler_panics_on_any_parameters_and_files(
        values in prop::collection::vec(any_json(), 6),
        bytes in prop::collection::vec(any::<u8>(), 0..64),
        text in "[\\[\\]=:%a-c(); \\r\\n\\t{}\",0-9]{0,40}",
    ) {
        for handler in all() {
            let mut params = Map::new();
            for (param, value) in handler.params.iter().zip(&values) {
                params.insert(param.name.to_owned(), value.clone());
            }
            for content in [bytes.as_slice(), text.as_bytes()] {
                let mut computer = Scripted::with(&[("/a", content), ("/home/ada/b", content)]);
                computer.processes = vec![vec![process(1, "a", "/a")]];
                computer.ran = Some(Ran { code: Some(0), output: text.clone() });
                for rules in [Rules::Standard, Rules::Code] {
                    let mut case = Case { computer: &mut computer, rules, reply: Some(&text), answer: Some(&text) };
                    let _ = (handler.call)(&Params(&params), &mut case);
                }
            }
        }
    }
}
