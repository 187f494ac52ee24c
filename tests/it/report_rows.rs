//! `report`: what a row is, what rows are compared with, and which episodes count.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A sandbox with the sweep `s`: two models with two windows each, and the agent `random`.
fn swept(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    let sweep = format!(
        "levels = \"sokoban/first/1..2\"\nrepeats = 2\nreference = {{ memory.am = 5, memory.om = 1 }}\n\
         [settings]\nplay.max_steps = 2\nmodel.base_url = \"{}\"\n\
         [[grid]]\nplay.agent = \"model\"\nmodel.name = [\"model-a\", \"model-b\"]\nmemory.am = [1, 5]\n\
         [[grid]]\nplay.agent = \"random\"\n",
        server.url()
    );
    sandbox.write("work/s.toml", sweep);
    let done = sandbox.run(&["sweep", "run", "s.toml", "--store", "runs", "--plain"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    sandbox
}

fn rows(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let mut rows = sandbox.run(&[&["report", "--store", "runs", "--json"], args].concat()).json_lines();
    rows.retain(|row| row["type"] == "report");
    rows
}

#[test]
fn a_baseline_in_a_sweep_leaves_the_comparison_as_it_is() {
    let server = Server::start(Behavior::Normal);
    let sandbox = swept(&server);
    let rows = rows(&sandbox, &["s"]);
    let shown: Vec<Value> = rows
        .iter()
        .filter(|row| row["type"] == "report")
        .map(|row| {
            let compared = &row["difference"]["reference"];
            json!([
                row["agent"],
                row["model"],
                row["prompt"],
                row["am"],
                row["reference"],
                compared["model"],
                compared["am"]
            ])
        })
        .collect();
    let expected = [
        json!(["model", "model-a", "0s-CoT", 1, false, "model-a", 5]),
        json!(["model", "model-a", "0s-CoT", 5, true, null, null]),
        json!(["model", "model-b", "0s-CoT", 1, false, "model-b", 5]),
        json!(["model", "model-b", "0s-CoT", 5, true, null, null]),
        json!(["random", null, null, null, false, null, null]),
    ];
    assert_eq!(shown, expected);
    assert_eq!(rows[0]["differs"], json!(["agent", "AM"]), "the prompts do not differ");
    let text = sandbox.run(&["report", "s", "--store", "runs"]).success();
    assert!(!text.contains('~'), "no name is split: {text}");
    assert!(text.contains("in rows that have it: prompt 0s-CoT, OM 1"), "{text}");
    assert_eq!(
        text.matches("compared with AM 5, OM 1\n").count(),
        2,
        "each map has its own reference: {text}"
    );
    assert!(text.contains("Paired differences of scores"), "{text}");
}

#[test]
fn a_reference_that_matches_nothing_is_an_error() {
    let server = Server::start(Behavior::Normal);
    let sandbox = swept(&server);
    for (reference, what) in [
        ("memory.am=7", "AM=7: no row has these values"),
        ("model.name=model-c", "model.name=model-c: no row has these values"),
        ("memory.amm=5", "no row has a setting memory.amm"),
    ] {
        let failed = sandbox.run(&["report", "s", "--store", "runs", "--reference", reference]);
        failed.fails_with(2, &[what, "the rows differ in: agent, AM"]);
    }
    let found = rows(&sandbox, &["s", "--reference", "play.agent=random"]);
    assert_eq!(found[0]["difference"]["reference"]["agent"], "random");
    let plan =
        "levels = \"sokoban/first\"\nreference = { memory.am = 5 }\nsettings.play.agent = \"random\"\n";
    sandbox.write("work/none.toml", plan);
    sandbox.run(&["sweep", "plan", "none.toml"]).fails_with(2, &["no cell that is run has all these values"]);
}

#[test]
fn counts_have_units_won_is_no_other_ending_and_addresses_are_short() {
    let sandbox = Sandbox::new();
    let sweep = "name = \"a-sweep-whose-name-is-as-long-as-the-names-of-sweeps-may-be-64-byte\"\n\
        levels = \"sokoban/first/1..2\"\n[settings]\nplay.agent = \"faulty\"\nplay.max_steps = 60\n";
    sandbox.write("work/long.toml", sweep.replace("-64-byte", ""));
    sandbox.run(&["sweep", "run", "long.toml", "--store", "runs", "--plain"]).success();
    let name = "a-sweep-whose-name-is-as-long-as-the-names-of-sweeps-may-be";
    let row = rows(&sandbox, &[name]).remove(0);
    let of = |name: &str| {
        let errors = row["errors"].as_array().unwrap();
        errors.iter().find(|error| error["name"] == name).unwrap().clone()
    };
    assert_eq!(json!([of("parse")["unit"], of("rule heading")["unit"]]), json!(["steps", "replies"]));
    let replies = row["parse_errors"].as_u64().unwrap();
    assert!(of("parse")["count"].as_u64().unwrap() < replies);
    let address = of("parse")["first"].as_str().unwrap().to_owned();
    assert!(address.len() < 120 && address.starts_with(name), "{address}");
    sandbox.run(&["view", &address, "--json", "--store", "runs"]).success();
    let text = sandbox.run(&["report", name, "--store", "runs"]).success();
    assert!(text.contains(&format!("{replies} replies in 100.0 %")), "{text}");
    assert!(text.contains(&format!("{} steps", of("parse")["count"])), "{text}");
    assert_eq!(json!([row["endings"]["won"], text.contains(" won")]), json!([2, false]), "{text}");
}

const FIRST: &str = "#######\n#@ $ .#\n#######\n";
const SECOND: &str = "#######\n#@ $. #\n#######\n";
const OTHER: &str = "########\n#@ $  .#\n########\n";

/// Plays these levels with an agent for three steps, as a session with this name.
fn play(sandbox: &Sandbox, levels: &str, agent: &str, name: &str) {
    let run = ["run", levels, "--agent", agent, "--max-steps", "3", "--store", "new"];
    sandbox.run(&run).success();
    fs::create_dir_all(sandbox.path("work/runs")).unwrap();
    let session = sandbox.sessions("work/new").remove(0);
    fs::rename(session, sandbox.path("work/runs").join(name)).unwrap();
}

/// Some fields of each row.
fn fields(rows: &[Value], names: &[&str]) -> Vec<Value> {
    rows.iter().map(|row| names.iter().map(|name| row[*name].clone()).collect()).collect()
}

#[test]
fn an_edited_file_is_another_level_set_and_shared_levels_are_paired() {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", format!("{FIRST}\n{SECOND}"));
    play(&sandbox, "two.xsb", "idle", "before");
    // The second level is another one, and the first is at the end too.
    sandbox.write("work/two.xsb", format!("{FIRST}\n{OTHER}"));
    play(&sandbox, "two.xsb", "idle", "after");
    play(&sandbox, "two.xsb", "random", "random");
    let found = rows(&sandbox, &["before", "after"]);
    let shown = fields(&found, &["level_set", "episodes", "levels", "left_out"]);
    assert_eq!(shown, [json!(["two.xsb", 2, 2, 0]), json!(["two.xsb", 2, 2, 0])]);
    assert_ne!(found[0]["level_set_digest"], found[1]["level_set_digest"]);
    let text = sandbox.run(&["report", "before", "after", "--store", "runs"]).success();
    let note = "levels with one name and different contents, which are kept apart: two.xsb#2\n";
    assert!(text.contains(note) && text.contains("two.xsb~"), "{text}");
    let found = rows(&sandbox, &["before", "random", "--reference", "play.agent=idle"]);
    let difference = &found[1]["difference"];
    assert_eq!(
        json!([difference["pairs"], difference["levels"]]),
        json!([1, 1]),
        "the first level is in both"
    );
    let unpaired = difference["unpaired_levels"].as_array().unwrap();
    assert_eq!(unpaired.len(), 2);
    assert!(unpaired.iter().all(|name| name.as_str().unwrap().starts_with("two.xsb#2~")), "{difference}");
}

#[test]
fn two_paths_of_a_file_and_a_copy_of_it_are_one_level_set() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("work/two.xsb", format!("{FIRST}\n{SECOND}"));
    sandbox.write("work/copy.xsb", format!("{SECOND}\n{FIRST}"));
    sandbox.write("work/other/two.xsb", OTHER);
    play(&sandbox, "two.xsb", "idle", "a");
    play(&sandbox, file.to_str().unwrap(), "idle", "b");
    play(&sandbox, "copy.xsb", "random", "c");
    play(&sandbox, "other/two.xsb", "idle", "d");
    let found = rows(&sandbox, &["a", "b", "c", "d", "--reference", "play.agent=idle"]);
    let shown = fields(&found, &["agent", "level_set", "episodes", "left_out", "mixed"]);
    let expected = [
        json!(["idle", "other/two.xsb", 1, 0, 0]),
        json!(["idle", "two.xsb", 2, 2, 0]),
        json!(["random", "two.xsb", 2, 0, 0]),
    ];
    assert_eq!(shown, expected);
    assert_eq!(json!([found[2]["difference"]["pairs"], found[2]["difference"]["levels"]]), json!([2, 2]));
    let text = sandbox.run(&["report", "a", "b", "--store", "runs"]).success();
    assert!(text.contains("2 (+2 left out)"), "{text}");
    assert!(
        text.contains("2 episodes are left out: one with the same level, repeat, seed and settings"),
        "{text}"
    );
}

#[test]
fn overlapping_references_count_an_episode_once_and_cells_of_their_own_are_rows() {
    let sandbox = Sandbox::new();
    play(&sandbox, "sokoban/first/1..3", "idle", "a");
    play(&sandbox, "sokoban/first/2", "idle", "b");
    let found = rows(&sandbox, &["a", "b", "a", "runs/a"]);
    assert_eq!(fields(&found, &["episodes", "levels", "left_out"]), [json!([3, 3, 1])], "a is read once");
    let sweep = "levels = [\"sokoban/first/1..2\", \"sokoban/first/2..3\"]\n[settings]\nplay.agent = \"idle\"\n\
        play.max_steps = 3\n";
    sandbox.write("work/own.toml", sweep);
    sandbox.run(&["sweep", "run", "own.toml", "--store", "runs", "--plain"]).success();
    let expected = [json!(["sokoban/first/1..2", 2, 0]), json!(["sokoban/first/2..3", 2, 0])];
    assert_eq!(fields(&rows(&sandbox, &["own"]), &["level_set", "episodes", "left_out"]), expected);
}

#[test]
fn a_sweep_with_more_repeats_plays_only_what_is_new() {
    let server = Server::start(Behavior::Normal);
    server.decides_by("no request has this");
    let sandbox = Sandbox::new();
    let sweep = format!(
        "levels = \"sokoban/mini/1..2\"\nrepeats = 1\n[settings]\nplay.agent = \"model\"\nmodel.name = \"mock\"\n\
         play.max_steps = 2\nmodel.base_url = \"{}\"\n",
        server.url()
    );
    sandbox.write("work/s.toml", &sweep);
    let run = ["sweep", "run", "s.toml", "--store", "runs", "--plain"];
    sandbox.run(&run).success();
    assert_eq!(server.requests().len(), 4);
    sandbox.write("work/s.toml", sweep.replace("repeats = 1", "repeats = 3"));
    sandbox.run(&run).success();
    assert_eq!(server.requests().len(), 12, "two levels, two steps, and only the new repeats again");
    let found = rows(&sandbox, &["s"]);
    let shown = fields(&found, &["episodes", "levels", "left_out", "requests", "unfinished"]);
    assert_eq!(shown, [json!([6, 2, 2, 12, 0])]);
    let status = sandbox.run(&["sweep", "status", "s", "--store", "runs"]).success();
    assert!(status.contains("12 requests"), "copies have spent nothing: {status}");
    assert_eq!(found[0]["best_of"].as_array().unwrap().len(), 3);
    assert_eq!(sandbox.run(&["replay", "s", "--store", "runs", "--json"]).json_lines().len(), 8);
}

#[test]
fn where_the_server_is_splits_no_row_and_rows_are_arranged_by_hand() {
    let servers = [Server::start(Behavior::Normal), Server::start(Behavior::Normal)];
    let sandbox = Sandbox::new();
    for (server, seed, am) in [(&servers[0], "1", "5"), (&servers[1], "2", "5"), (&servers[1], "3", "2")] {
        let url = server.url();
        let run = ["run", "sokoban/first/2", "--agent", "model", "--model", "mock", "--store", "runs"];
        let more = ["--max-steps", "2", "--base-url", &url, "--seed", seed, "--am", am];
        sandbox.run(&[&run[..], &more].concat()).success();
    }
    let report = |args: &[&str]| rows(&sandbox, &[&["runs"], args].concat());
    let found = report(&[]);
    assert_eq!(fields(&found, &["am", "episodes"]), [json!([2, 1]), json!([5, 2])]);
    assert_eq!(found[1]["produced_by"]["servers"].as_array().unwrap().len(), 2);
    assert!(found[1]["settings"]["model.base_url"].is_null());
    let by_server = report(&["--by", "model.base_url"]);
    assert_eq!(fields(&by_server, &["am", "episodes"]), [json!([2, 1]), json!([5, 1]), json!([5, 1])]);
    assert_eq!(fields(&report(&["--ignore", "memory.am"]), &["am", "episodes"]), [json!([null, 3])]);
    assert_eq!(report(&["--by", "seed", "--ignore", "memory.am"]).len(), 3);
    let fails = |args: &[&str], what: &str| {
        sandbox.run(&[&["report", "runs", "--store", "runs"], args].concat()).fails_with(2, &[what]);
    };
    fails(&["--ignore", "memory.amm"], "--ignore memory.amm: no episode has it");
    fails(&["--by", "webui.start"], "--by webui.start: no episode has it");
    fails(&["--ignore", "model.name"], "--ignore model.name: each row has its own");
    let text = sandbox.run(&["report", "runs", "--store", "runs"]).success();
    assert!(text.contains(&servers[0].url()) && text.contains(&servers[1].url()), "{text}");
}
