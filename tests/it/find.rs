//! `find`: marked steps over sessions, each with the reference that `view` opens; and the same on the screen.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// One push down and the box can never reach its target.
const EDGE_LEVEL: &str = "#######\n# @   #\n# $ . #\n#     #\n#######\n";

fn played() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/edge.xsb", EDGE_LEVEL);
    let faulty =
        ["--agent", "faulty", "--seed", "2", "--repeats", "2", "--max-steps", "25", "--store", "runs"];
    sandbox.run(&[&["run", "edge.xsb"][..], &faulty].concat()).success();
    sandbox
}

fn find(sandbox: &Sandbox, marks: &str) -> Vec<Value> {
    let mut rows = sandbox.run(&["find", marks, "last", "--json", "--store", "runs"]).json_lines();
    // What makes the condition true depends on the condition.
    for row in &mut rows {
        row.as_object_mut().unwrap().remove("facts").unwrap();
    }
    rows
}

fn has_mark(row: &Value, mark: &str) -> bool {
    row["marks"].as_array().unwrap().iter().any(|found| found == mark)
}

#[test]
fn every_mark_is_found_in_all_episodes_and_its_reference_opens() {
    let sandbox = played();
    let all = find(&sandbox, "any");
    for mark in ["parse", "ia", "ra", "same", "dead"] {
        let rows = find(&sandbox, mark);
        assert!(!rows.is_empty(), "{mark} was never found in\n{all:#?}");
        let expected: Vec<&Value> = all.iter().filter(|row| has_mark(row, mark)).collect();
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{mark}");
    }
    for (spelling, mark) in [
        ("IA", "ia"),
        ("RA", "ra"),
        ("Parse_Error", "parse"),
        ("parse error", "parse"),
        ("repeating-action", "ra"),
    ] {
        assert_eq!(find(&sandbox, spelling), find(&sandbox, mark), "{spelling}");
    }
    assert_eq!(find(&sandbox, "ALL"), all);
    let both = find(&sandbox, "ia,dead");
    assert!(both.iter().all(|row| has_mark(row, "ia") || has_mark(row, "dead")));
    let mut dead: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in find(&sandbox, "dead") {
        dead.entry(row["run"].as_str().unwrap().split('#').next().unwrap().to_owned()).or_default().push(row);
    }
    assert_eq!(dead.len(), 2, "the level is dead in both episodes");
    for rows in dead.values() {
        assert!(rows[0]["note"].as_str().unwrap().contains("can never"), "{}", rows[0]);
        let steps: Vec<u64> = rows.iter().map(|row| row["step"].as_u64().unwrap()).collect();
        assert_eq!(steps, (steps[0]..=25).collect::<Vec<_>>(), "a dead level stays dead");
        let run = rows[0]["run"].as_str().unwrap();
        let step = sandbox.run(&["view", run, "--json", "--store", "runs"]).json_lines().remove(0);
        assert_eq!(json!([step["step"], step["action"]]), json!([rows[0]["step"], rows[0]["action"]]));
    }
}

#[test]
fn the_text_output_has_one_line_per_step_and_reports_no_matches() {
    let sandbox = played();
    let text = sandbox.run(&["find", "ia", "last", "--store", "runs"]).success();
    assert!(
        text.lines().all(|line| line.contains("/000") && line.contains('#') && line.contains("(none)")),
        "{text}"
    );
    sandbox.run(&["run", "sokoban/full/1", "--store", "good"]).success();
    let result = sandbox.run(&["find", "ia,ra", "last", "--store", "good"]);
    assert_eq!((result.code, result.out.as_str()), (Some(0), ""));
    assert!(result.err.contains("no step has the mark ia,ra"), "{}", result.err);
    let result = sandbox.run(&["find", "any", "last", "--store", "good"]);
    assert!(result.err.contains("no step has a mark"), "{}", result.err);
    let result = sandbox.run(&["find", "deed", "last", "--store", "good"]);
    assert_eq!((result.code, result.err.contains("did you mean dead")), (Some(2), true), "{}", result.err);
    sandbox.run(&["find", "ia", "last/7", "--store", "good"]).fails_with(2, &["0007", "no journal"]);
}

#[test]
fn marks_on_the_screen_can_be_found_filtered_and_explained() {
    let sandbox = played().with("TERM", "xterm-256color");
    let dead = find(&sandbox, "dead");
    let run = dead[0]["run"].as_str().unwrap().split('#').next().unwrap().to_owned();
    let first = dead[0]["step"].as_u64().unwrap();
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut screen = Pty::start(&sandbox.command(&["view", &run, "--store", "runs"]), columns, rows);
        screen.sees("RECORDED").drawing_ends().command("marked dead").sees(&format!("step {first}: "));
        screen.sees("marked dead").press("n").sees(&format!("step {}: ", first + 1));
        screen.press("N").sees(&format!("step {first}: ")).command("marked ia").sees("invalid action (IA)");
        if columns == 80 {
            screen.press("tab tab tab tab").sees("▸Steps◂");
        }
        screen.sees("†").sees("×").press("M").sees("only ia: ").press("M").sees("█ gain");
        screen.press("V").sees("Verdict").sees("ended without a legal action").press("esc").misses("Verdict");
        screen.command("marked nothing").sees("there is no mark").press("q");
        screen.wait_for_exit().assert_restored(0);
        // The other episode repeats its first action.
        let mut screen = Pty::start(&sandbox.command(&["view", "last/2", "--store", "runs"]), columns, rows);
        screen.sees("RECORDED").drawing_ends().press("tab tab tab tab").sees("≡≡≡≡≡≡≡≡≡≡≡≡");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}
