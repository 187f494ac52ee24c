//! `report`: errors as in the paper, endings caused by the agent, and the thresholds that apply.
//! thresholds that hold.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// After one push the box is at the right wall and the level is dead.
const CORNER_LEVEL: &str = "######\n#@$  #\n# .  #\n######\n";

fn faulty(sandbox: &Sandbox, args: &[&str]) {
    let result =
        sandbox.run(&[&["run", "sokoban/mini/1", "--agent", "faulty", "--store", "runs"], args].concat());
    assert_eq!(result.code, Some(0), "{}", result.err);
}

#[test]
fn endings_caused_by_the_agent_have_their_own_table() {
    let sandbox = Sandbox::new();
    faulty(&sandbox, &["--on-unreadable", "end"]);
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(json!([row["ia"], row["endings"]]), json!([100.0, { "parse error": 1 }]), "{row}");
    let text = sandbox.run(&["report", "last", "--store", "runs"]).success();
    let titles = ["false finish", "parse error", "step limit", "time limit", "repetition limit", "total"];
    let head = text.lines().find(|line| line.starts_with("stopped in % of episodes")).expect("the table");
    let places: Vec<_> = titles.map(|title| head.find(title)).into_iter().collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{head}");
    let row = text.lines().find(|line| line.starts_with("faulty") && line.contains("sokoban-O")).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!(cells, ["faulty", "sokoban-O", "0.0", "100.0", "0.0", "0.0", "0.0", "100.0"]);
}

#[test]
fn a_terminal_wraps_rows_and_a_pipe_does_not() {
    let sandbox = Sandbox::new();
    faulty(&sandbox, &[]);
    for verb in [&["report", "last", "--distance"][..], &["log", "list", "--distance"]] {
        let args = [verb, &["--store", "runs"]].concat();
        let piped = sandbox.run(&args).success();
        assert!(piped.lines().any(|line| line.chars().count() > 80), "{piped}");
        let ended = Pty::start(&sandbox.command(&args), 80, 40).wait_for_exit();
        assert_eq!(ended.code, 0, "{}", ended.text);
        let output = String::from_utf8(ended.bytes).unwrap();
        assert!(output.lines().all(|line| line.chars().count() <= 80), "{output}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(words(&output), words(&piped));
    }
}

#[test]
fn a_lost_level_counts_as_dead() {
    let sandbox = Sandbox::new();
    sandbox.write("work/corner.xsb", CORNER_LEVEL);
    sandbox.run(&["run", "corner.xsb", "--agent", "random", "--seed", "2", "--store", "runs"]).success();
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(json!([row["dead"], row["parse"], row["same"]]), json!([100.0, 0.0, 100.0]), "{row}");
    sandbox.run(&["run", "sokoban/mini/1", "--store", "runs"]).success();
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(row["dead"], json!(0.0), "{row}");
}

#[test]
fn an_episode_is_judged_by_its_own_or_the_current_thresholds() {
    let sandbox = Sandbox::new();
    let setting = sandbox.write("work/mageyard.toml", "[faults]\nsame_unchanged = 2\nsame = 2\n");
    faulty(&sandbox, &["--on-repeating", "end", "--seed", "4"]);
    let report = |args: &[&str]| sandbox.run(&[&["report", "last", "--store", "runs"], args].concat());
    let row = report(&["--json"]).json_lines().remove(0);
    let strict = json!([{ "unchanged": 2, "same": 2 }]);
    assert_eq!(json!([row["endings"], row["ra"]]), json!([{ "repetition limit": 1 }, 100.0]));
    assert_eq!(row["thresholds"], strict);
    fs::remove_file(setting).unwrap();
    let row = report(&["--json"]).json_lines().remove(0);
    assert_eq!(json!([row["ra"], row["thresholds"]]), json!([100.0, strict]), "by its own thresholds");
    let row = report(&["--json", "--anew"]).json_lines().remove(0);
    assert_eq!(json!([row["ra"], row["thresholds"]]), json!([0.0, [{ "unchanged": 5, "same": 10 }]]));
    let text = report(&[]).success();
    assert!(
        text.contains("the same reply 2 times in a row with the state unchanged, or 2 times in a row"),
        "{text}"
    );
    faulty(&sandbox, &[]);
    let runs = fs::read_dir(sandbox.path("work/runs")).unwrap().map(|run| run.unwrap().path());
    let runs: Vec<String> = runs.map(|run| run.to_str().unwrap().to_owned()).collect();
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    let text = sandbox.run(&[&["report", "--store", "runs"], &runs[..]].concat()).success();
    assert!(text.contains("have different thresholds"), "{text}");
}

#[test]
fn the_rules_of_an_episode_cannot_change_on_resume() {
    let sandbox = Sandbox::new();
    faulty(&sandbox, &["--max-steps", "3"]);
    let result = sandbox.run(&["run", "--resume", "last", "--on-repeating", "end", "--store", "runs"]);
    result.fails_with(2, &["--on-repeating has no effect with --resume"]);
    let result = sandbox.run(&["run", "sokoban/mini/1", "--on-unreadable", "stop"]);
    result.fails_with(2, &["skip", "end", "--on-unreadable"]);
}

#[test]
fn extra_moves_and_the_losing_step_are_exact() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/mini/1", "--store", "runs"]).success();
    let report = |args: &[&str]| sandbox.run(&[&["report", "last", "--store", "runs"], args].concat());
    let row = report(&["--json", "--distance"]).json_lines().remove(0);
    let best = json!([{ "level": "sokoban/mini/1", "wasted": 0 }]);
    assert_eq!(
        json!([row["distance"]["solved"], row["distance"]["wasted_mean"]]),
        json!([best, 0.0]),
        "{row}"
    );
    assert_eq!(report(&["--json"]).json_lines().remove(0)["distance"], json!(null));
    sandbox.write("work/hall.xsb", "#######\n#@ $ .#\n#######\n");
    sandbox.write("work/corner.xsb", CORNER_LEVEL);
    let random = |level: &str, store: &str| {
        sandbox
            .run(&["run", level, "--agent", "random", "--seed", "2", "--max-steps", "200", "--store", store])
            .success();
        sandbox.run(&["report", "last", "--json", "--distance", "--store", store]).json_lines().remove(0)
    };
    // A level with an optimum of 3 moves.
    let row = random("hall.xsb", "hall");
    let wasted = json!([{ "level": "hall.xsb#1", "wasted": row["steps"].as_u64().unwrap() - 3 }]);
    assert_eq!(json!([row["distance"]["solved"], row["distance"]["lost"]]), json!([wasted, []]), "{row}");
    let row = random("corner.xsb", "corner");
    let lost = json!([{ "level": "corner.xsb#1", "step": 0 }]);
    assert_eq!(json!([row["distance"]["lost"], row["distance"]["solved"]]), json!([lost, []]), "{row}");
    let text = sandbox.run(&["report", "last", "--distance", "--store", "corner"]).success();
    assert!(text.contains("1 from the start"), "{text}");
}
