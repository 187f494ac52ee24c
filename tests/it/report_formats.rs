//! `report`: differences from a reference, maps, curves, examples of errors, sweeps, and the formats.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// Two levels that random play can solve.
const LEVELS: &str = "#######\n#@ $ .#\n#######\n\n#######\n#@ $. #\n#######\n";

/// A store with a model at three windows, three repeats each.
fn windows() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", LEVELS);
    let server = Server::start(Behavior::Normal);
    for (am, om) in [("1", "1"), ("2", "1"), ("2", "2")] {
        ask(&sandbox, &server, &["two.xsb", "--repeats", "3", "--am", am, "--om", om]);
    }
    sandbox
}

/// Plays these levels with a model of this server.
fn ask(sandbox: &Sandbox, server: &Server, args: &[&str]) {
    // It always answers "Up".
    server.decides_by("no request has this");
    let url = server.url();
    let run = ["run", "--agent", "model", "--model", "mock", "--base-url", &url, "--store", "runs"];
    sandbox.run(&[&run[..], &["--max-steps", "4"], args].concat()).success();
}

/// A store with three repeats of the random agent.
fn repeats() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", LEVELS);
    sandbox.run(&["run", "two.xsb", "--agent", "random", "--repeats", "3", "--store", "runs"]).success();
    sandbox
}

fn report(sandbox: &Sandbox, args: &[&str]) -> String {
    sandbox.run(&[&["report", "runs", "--store", "runs"], args].concat()).success()
}

fn rows(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let json = [&["report", "runs", "--store", "runs", "--json"], args].concat();
    let mut rows = sandbox.run(&json).json_lines();
    rows.retain(|row| row["type"] == "report");
    rows
}

#[test]
fn windows_form_a_map_with_differences_from_the_smallest() {
    let sandbox = windows();
    let rows = rows(&sandbox, &[]);
    let windows: Vec<_> = rows.iter().map(|row| json!([row["am"], row["om"], row["reference"]])).collect();
    assert_eq!(windows, [json!([1, 1, true]), json!([2, 1, false]), json!([2, 2, false])]);
    // All replies are the same, so all windows give equal episodes.
    let found = &rows[1]["difference"];
    assert_eq!(
        json!([
            found["difference"],
            found["verdict"],
            found["p"],
            found["p_corrected"],
            found["pairs"],
            found["levels"],
            found["unpaired_levels"]
        ]),
        json!([0.0, "too few pairs", 1.0, 1.0, 6, 2, []])
    );
    let measures: Vec<_> = found["measures"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(measures, ["success_rate", "ia", "ra", "parse"], "the random agent costs nothing");
    assert_eq!(json!([found["reference"]["am"], rows[0]["difference"]]), json!([1, null]));
    let text = report(&sandbox, &[]);
    for part in [
        "Score by AM and OM: mock\n",
        "compared with AM 1, OM 1\n",
        "◇",
        "? too few pairs",
        "× struck out",
        "× AM 1, OM 2: OM=2 is more than AM=1",
        "Paired differences of scores\n",
        "too few pairs",
        "Paired differences of success, errors and cost\n",
        "Produced by\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_named_reference_replaces_the_smallest_window() {
    let sandbox = windows();
    let found = rows(&sandbox, &["--reference", "memory.am=2, memory.om=2", "--difference", "5"]);
    let verdicts: Vec<_> = found.iter().map(|row| &row["difference"]["reference"]["om"]).collect();
    assert_eq!(verdicts, [&json!(2), &json!(2), &json!(null)]);
    assert!(found[0]["difference"]["repeats_needed"].is_u64(), "{}", found[0]);
    let fails = |args: &[&str], parts: &[&str]| {
        sandbox.run(&[&["report", "runs", "--store", "runs"], args].concat()).fails_with(2, parts);
    };
    fails(&["--reference", "memory.am"], &["--reference", "has no value"]);
    fails(&["--reference", "memory.amm=1"], &["memory.amm", "the rows differ in: AM, OM"]);
    fails(&["--reference", "memory.am=9"], &["no row has these values"]);
    fails(&["--difference", "0"], &["--difference 0 is not possible", "more than 0"]);
    fails(&["--paper", "--format", "csv"], &["--paper has no effect", "html"]);
    // The rows with these values are references themselves; the other one is compared with the one of its own OM.
    let found = rows(&sandbox, &["--reference", "memory.am=2"]);
    let verdicts: Vec<_> =
        found.iter().map(|row| json!([row["reference"], row["difference"]["reference"]["om"]])).collect();
    assert_eq!(verdicts, [json!([false, 1]), json!([true, null]), json!([false, null])]);
}

#[test]
fn the_best_of_n_rises_and_begins_at_the_mean() {
    let sandbox = repeats();
    let row = &rows(&sandbox, &[])[0];
    let curve: Vec<f64> =
        row["best_of"].as_array().unwrap().iter().map(|point| point["score"].as_f64().unwrap()).collect();
    assert!(curve.len() == 3 && curve.is_sorted(), "{curve:?}");
    assert!((curve[0] - row["score"].as_f64().unwrap()).abs() < 1e-9);
    assert!(report(&sandbox, &[]).contains("Best of n: two.xsb\n"));
}

#[test]
fn levels_are_grouped_by_size() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/full/1", "--agent", "idle", "--store", "runs"]).success();
    sandbox.run(&["run", "sokoban/full/71", "--agent", "idle", "--store", "runs"]).success();
    let row = &rows(&sandbox, &[])[0];
    let groups: Vec<_> = row["level_groups"].as_array().unwrap().iter().map(|group| &group["name"]).collect();
    assert_eq!(groups, ["small-v0", "v0"]);
    assert!(report(&sandbox, &["--paper"]).contains("from the paper"));
    let published = report(&sandbox, &["--paper"]);
    for part in ["GPT-4o", "53.508", "IA/RA in %", "Claude-3.5-Sonnet", "47.46 ± 0.5", "this report"] {
        assert!(published.contains(part), "{part}: {published}");
    }
}

#[test]
fn the_first_example_of_each_error_can_be_viewed() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/full/1", "--agent", "faulty", "--store", "runs"]).success();
    let errors = rows(&sandbox, &[])[0]["errors"].as_array().unwrap().clone();
    let names: Vec<&str> = errors.iter().map(|error| error["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"parse") && names.iter().any(|name| name.starts_with("rule ")), "{names:?}");
    for error in &errors {
        let address = error["first"].as_str().unwrap();
        assert!(address.contains('#'), "{error}");
        let found = sandbox.run(&["view", address, "--json", "--store", "runs"]);
        assert_eq!(found.code, Some(0), "{address}: {}", found.err);
    }
    let text = report(&sandbox, &[]);
    assert!(text.contains("Errors by kind\n") && text.contains("/0001#"), "{text}");
}

#[test]
fn a_sweep_is_reported_by_name_and_by_folder() {
    let sandbox = windows();
    fs::create_dir_all(sandbox.path("work/runs/sweeps/memory/.sweep")).unwrap();
    for (session, cell) in sandbox.sessions("work/runs").iter().zip(["am1-0a", "am2-0b", "am2-0c"]) {
        fs::rename(session, sandbox.path("work/runs/sweeps/memory").join(cell)).unwrap();
    }
    let scores = |reference: &str| -> Vec<Value> {
        let rows = sandbox.run(&["report", reference, "--store", "runs", "--json"]).json_lines();
        let rows = rows.iter().filter(|row| row["type"] == "report");
        rows.map(|row| json!([row["am"], row["om"], row["scored"], row["score"]])).collect()
    };
    let by_name = scores("memory");
    assert_eq!(by_name.len(), 3, "{by_name:?}");
    assert_eq!(scores("runs/sweeps/memory"), by_name);
}

#[test]
fn a_page_needs_no_network_and_hostile_names_are_no_markup() {
    let sandbox = Sandbox::new();
    let name = "a<script>alert(1)</script|>.xsb".replace('/', "");
    sandbox.write(format!("work/{name}"), LEVELS);
    let server = Server::start(Behavior::Normal);
    for am in ["1", "3"] {
        ask(&sandbox, &server, &[&name, "--repeats", "2", "--am", am]);
    }
    let page = report(&sandbox, &["--format", "html"]);
    assert!(page.starts_with("<!doctype html>") && page.matches("<svg").count() == 4, "{page}");
    assert!(page.contains("a&lt;script&gt;") && !page.contains("<script"), "{page}");
    let outside = page.replace("http://www.w3.org/2000/svg", "").replace(&server.url(), "");
    for part in ["http:", "https:", "src=", "href=", "@import"] {
        assert!(!outside.contains(part), "{part}: {page}");
    }
    let markdown = report(&sandbox, &["--format", "md"]);
    assert!(markdown.contains("\n## Scores\n\n| agent | AM |"), "{markdown}");
    assert!(markdown.contains("a&lt;script&gt;") && !markdown.contains("<script"), "{markdown}");
}

#[test]
fn a_csv_has_a_row_per_combination() {
    let sandbox = windows();
    let csv = report(&sandbox, &["--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4, "{csv}");
    let columns: Vec<&str> = lines[0].split(',').collect();
    for column in [
        "agent",
        "am",
        "score",
        "score_se",
        "score_interval.low",
        "score_interval.high",
        "best_of.3.score",
        "difference.verdict",
    ] {
        assert!(columns.contains(&column), "{column}: {}", lines[0]);
    }
}
