//! `report`: errors as in the paper, endings caused by the agent, and the thresholds that apply.
//! thresholds that hold.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// After one push the box is at the right wall and the level is dead.
const CORNER_LEVEL: &str = "######\n#@$  #\n# .  #\n######\n";

fn faulty(sandbox: &Sandbox, args: &[&str]) {
    let result =
        sandbox.run(&[&["run", "sokoban/full/1", "--agent", "faulty", "--store", "runs"], args].concat());
    assert_eq!(result.code, Some(0), "{}", result.err);
}

#[test]
fn endings_caused_by_the_agent_have_their_own_table() {
    let sandbox = Sandbox::new();
    faulty(&sandbox, &["--on-unreadable", "end"]);
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(json!([row["ia"], row["endings"]]), json!([100.0, { "parse error": 1 }]), "{row}");
    let text = sandbox.run(&["report", "last", "--store", "runs"]).success();
    let titles = ["false finish", "parse error", "reply cut", "refusal", "step limit", "time limit"];
    let titles = titles.into_iter().chain(["repetition limit", "total"]);
    let head = text.lines().find(|line| line.starts_with("stopped in % of episodes")).expect("the table");
    let places: Vec<_> = titles.map(|title| head.find(title)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{head}");
    let row = text.lines().skip_while(|line| *line != head).nth(1).unwrap();
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!(cells, ["faulty", "0.0", "100.0", "0.0", "0.0", "0.0", "0.0", "0.0", "100.0"]);
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
    sandbox.run(&["run", "sokoban/full/1", "--store", "runs"]).success();
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
    let row = report(&["--json", "--current-thresholds"]).json_lines().remove(0);
    assert_eq!(json!([row["ra"], row["thresholds"]]), json!([0.0, [{ "unchanged": 5, "same": 10 }]]));
    let text = report(&[]).success();
    assert!(
        text.contains("the same reply 2 times in a row with the state unchanged, or 2 times in a row"),
        "{text}"
    );
    faulty(&sandbox, &[]);
    let runs = sandbox.sessions("work/runs");
    let runs: Vec<&str> = runs.iter().map(|run| run.to_str().unwrap()).collect();
    let text = sandbox.run(&[&["report", "--store", "runs"], &runs[..]].concat()).success();
    assert!(text.contains("have different thresholds"), "{text}");
}

#[test]
fn the_rules_of_an_episode_cannot_change_on_resume() {
    let sandbox = Sandbox::new();
    faulty(&sandbox, &["--max-steps", "3"]);
    let result = sandbox.run(&["run", "--resume", "last", "--on-repeating", "end", "--store", "runs"]);
    result.fails_with(2, &["--on-repeating has no effect with --resume"]);
    let result = sandbox.run(&["run", "sokoban/full/1", "--on-unreadable", "stop"]);
    result.fails_with(2, &["skip", "end", "--on-unreadable"]);
}

#[test]
fn extra_moves_and_the_losing_step_are_exact() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/full/1", "--store", "runs"]).success();
    let report = |args: &[&str]| sandbox.run(&[&["report", "last", "--store", "runs"], args].concat());
    let row = report(&["--json", "--distance"]).json_lines().remove(0);
    let best = json!([{ "level": "sokoban/full/1", "wasted": 0 }]);
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

/// The rows of a report over all sessions of the store `runs`.
fn report_all(sandbox: &Sandbox, more: &[&str]) -> String {
    let sessions = sandbox.sessions("work/runs");
    let names: Vec<&str> = sessions.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    sandbox.run(&[&["report", "--store", "runs"], more, &names[..]].concat()).success()
}

#[test]
fn recordings_of_the_old_mini_set_are_not_beside_published_scores() {
    let sandbox = Sandbox::new();
    let old = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../levels/sokoban/mini-v1.xsb"));
    let own = sandbox.write("config/mageyard/levels/sokoban/mini.xsb", old.unwrap());
    let run = || {
        for level in ["sokoban/mini/4", "sokoban/mini/5"] {
            sandbox.run(&["run", level, "--agent", "idle", "--store", "runs"]).success();
        }
    };
    run();
    fs::remove_file(own).unwrap();
    run();
    let rows: Vec<Value> =
        report_all(&sandbox, &["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> = rows.iter().map(|row| json!([row["level_set"], row["episodes"]])).collect();
    assert_eq!(shown, [json!(["sokoban/mini", 2]), json!(["sokoban/mini-v1", 2])]);
}

#[test]
fn a_report_has_one_row_per_combination_and_columns_for_what_differs() {
    let sandbox = Sandbox::new();
    sandbox.write("work/corner.xsb", CORNER_LEVEL);
    let run = |more: &[&str]| {
        let args = ["run", "--store", "runs", "--agent", "random", "--max-steps", "3"];
        sandbox.run(&[&args[..], more].concat()).success();
    };
    run(&["sokoban/full/1"]);
    run(&["sokoban/full/2", "--seed", "5"]);
    let objects =
        |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let rows = objects(&report_all(&sandbox, &["--json"]));
    assert_eq!(
        json!([rows.len(), rows[0]["episodes"], rows[0]["levels"], rows[0]["differs"]]),
        json!([1, 2, 2, []])
    );
    assert_eq!(
        json!([rows[0]["type"], rows[0]["am"], rows[0]["level_set"]]),
        json!(["report", null, "sokoban/full"])
    );
    let text = report_all(&sandbox, &[]);
    let common = "All episodes: agent random · environment sokoban · level set sokoban/full · setting Online · \
        reader strict";
    assert!(text.starts_with(common), "{text}");
    assert!(text.contains(" · play.max_steps 3 · levels 2\n"), "{text}");
    run(&["sokoban/full/1", "--max-tokens", "9"]);
    let text = report_all(&sandbox, &[]);
    let (first, table) = text.split_once("\n\n").unwrap();
    assert!(first.starts_with("In every row: agent random ") && !first.contains("max_tokens"), "{text}");
    let table: Vec<&str> = table.lines().take(3).collect();
    assert!(table[0].starts_with("agent   play.max_tokens  n  levels  score ± SE"), "{text}");
    assert!(table[1].starts_with("random  0                2  2 "), "{text}");
    assert!(table[2].starts_with("random  9                1  1 "), "{text}");
    for more in [
        &["sokoban/full/1", "--reader", "lenient"][..],
        &["sokoban/full/1", "--setting", "global"],
        &["corner.xsb"],
        &["sokoban/full/1", "--on-unreadable", "end"],
        &["sokoban/full/1", "--agent", "idle"],
    ] {
        let before = objects(&report_all(&sandbox, &["--json"])).len();
        let agent = if more.contains(&"--agent") { &[][..] } else { &["--agent", "random"] };
        sandbox.run(&[&["run", "--store", "runs", "--max-steps", "3"], agent, more].concat()).success();
        assert_eq!(objects(&report_all(&sandbox, &["--json"])).len(), before + 1, "{more:?}");
    }
    sandbox.write("work/mageyard.toml", "[sokoban]\ntile = 24\n");
    run(&["sokoban/full/1"]);
    let rows = objects(&report_all(&sandbox, &["--json"]));
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().any(|row| row["settings"]["sokoban.tile"] == 24), "{rows:?}");
    let differs: Vec<&str> =
        rows[0]["differs"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let expected =
        ["agent", "level set", "setting", "reader", "play.max_tokens", "play.on_unreadable", "sokoban.tile"];
    assert_eq!(differs, expected);
    let text = report_all(&sandbox, &[]);
    let legend = text.split_once("\n\n").unwrap().1;
    assert!(legend.starts_with("row  agent   level set     setting"), "{text}");
    assert!(text.contains("\nrow  agent   n ") && text.contains("\n8    random  "), "{text}");
    let ended = Pty::start(&sandbox.command(&["report", "--store", "runs", "last"]), 80, 40).wait_for_exit();
    assert_eq!(ended.code, 0, "{}", ended.text);
}

#[test]
fn a_report_states_success_rates_and_standard_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", "#######\n#@ $ .#\n#######\n\n######\n#@$  #\n# .  #\n######\n");
    sandbox.run(&["run", "two.xsb", "--agent", "idle", "--store", "runs", "--repeats", "2"]).success();
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(
        json!([row["episodes"], row["success_rate"], row["success_rate_se"]]),
        json!([4, 0.0, 0.0]),
        "{row}"
    );
    sandbox.run(&["run", "sokoban/full/1", "--store", "runs"]).success();
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(
        json!([row["success_rate"], row["success_rate_se"], row["score_se"]]),
        json!([100.0, null, null])
    );
    // One of two levels is solved: a rate of 50 % with a standard error of 50 points.
    let solved =
        ["run", "two.xsb", "--agent", "random", "--seed", "2", "--max-steps", "200", "--store", "runs"];
    sandbox.run(&solved).success();
    let row = sandbox.run(&["report", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!(json!([row["success_rate"], row["success_rate_se"]]), json!([50.0, 50.0]), "{row}");
    let text = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(text.contains("50.0 ± 50.0 %") && text.contains("± SE: standard error of the mean"), "{text}");
}

/// The objects of a report without times, which a replay knows only to the last event.
fn without_times(report: &str) -> Vec<Value> {
    let object = |line: &str| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        object.as_object_mut().unwrap().retain(|name, _| !name.starts_with("per_"));
        object
    };
    report.lines().map(object).collect()
}

#[test]
fn reports_and_finds_are_the_same_with_and_without_summaries() {
    let sandbox = Sandbox::new();
    let run = ["run", "sokoban/full/1", "--store", "runs", "--max-steps", "12", "--agent"];
    for agent in ["random", "oracle", "faulty"] {
        sandbox.run(&[&run[..], &[agent]].concat()).success();
    }
    let summarized = report_all(&sandbox, &["--json"]);
    let found = |marks| sandbox.run(&["find", marks, "last", "--json", "--store", "runs"]).success();
    let same = found("same");
    let edited = found("edited");
    assert!(same.contains("\"same\"") && edited.is_empty(), "{same}{edited}");
    let episodes: Vec<_> = sandbox.sessions("work/runs").iter().map(|session| session.join("0001")).collect();
    for episode in &episodes {
        fs::remove_file(episode.join("summary.json")).expect("each finished episode has a summary");
    }
    assert_eq!(without_times(&report_all(&sandbox, &["--json"])), without_times(&summarized));
    assert_eq!((found("same"), found("edited")), (same, edited));
}
