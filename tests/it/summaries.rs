//! The summary beside a journal: an edited one is found, and not believed.

use std::fs;
use std::path::PathBuf;

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A sandbox with one finished episode, and its summary.
fn played() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/first/1", "--agent=oracle", "--store=runs"]).success();
    let file = sandbox.sessions("work/runs").remove(0).join("0001/summary.json");
    (sandbox, file)
}

fn score(sandbox: &Sandbox) -> f64 {
    let rows = sandbox.run(&["report", "runs", "--format", "json"]).json_lines();
    rows.iter().find_map(|row| row["score"].as_f64()).unwrap()
}

/// `log check` finds the summary of the newest session.
fn says_damaged(sandbox: &Sandbox) {
    let checked = sandbox.run(&["log", "check", "last", "--store=runs"]);
    assert_eq!(checked.code, Some(5), "{checked:?}");
    assert!(checked.out.contains("DAMAGED") && checked.out.contains("summary.json"), "{checked:?}");
}

#[test]
fn an_edited_summary_is_found_and_not_believed() {
    let (sandbox, file) = played();
    assert_eq!(sandbox.run(&["log", "check", "last", "--store=runs"]).code, Some(0));
    assert_eq!(score(&sandbox).to_string(), "100");
    let text = fs::read_to_string(&file).unwrap();
    let edits = [
        text.replace("\"score\":100.0", "\"score\":7.0"),
        text.replace("\"ending\":\"won\"", "\"ending\":\"lost\""),
        text.replace("\"steps\":", "\"steps\":9"),
        text[..text.len() - 9].to_owned(),
        String::new(),
    ];
    for edited in edits {
        assert_ne!(edited, text);
        fs::write(&file, &edited).unwrap();
        says_damaged(&sandbox);
        sandbox.run(&["replay", "last", "--store=runs"]).fails_with(5, &["summary.json", "remove it"]);
        assert_eq!(score(&sandbox).to_string(), "100", "{edited}");
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(sandbox.run(&["log", "check", "last", "--store=runs"]).code, Some(0));
    assert_eq!(sandbox.run(&["replay", "last", "--store=runs"]).code, Some(0));
}

#[test]
fn the_summary_of_another_episode_is_not_believed() {
    let (sandbox, file) = played();
    sandbox.run(&["run", "sokoban/first/1", "--agent=idle", "--max-steps=3", "--store=runs"]).success();
    let other = sandbox.sessions("work/runs").remove(1).join("0001/summary.json");
    fs::copy(&file, &other).unwrap();
    says_damaged(&sandbox);
    let rows = sandbox.run(&["report", "runs", "--format", "json"]).json_lines();
    let idle = rows.iter().find(|row| row["agent"] == "idle").unwrap();
    assert_ne!(idle["score"].as_f64(), Some(100.0), "{idle}");
}

#[test]
fn a_model_that_changes_during_an_episode_is_noted_there_and_in_the_report() {
    let server = Server::start(Behavior::SwitchesModel);
    let sandbox = Sandbox::new();
    let play = ["run", "sokoban/first/1", "--agent=model", "--model=mock", "--max-steps=5", "--store=runs"];
    let run = sandbox.run(&[&play[..], &["--base-url", &server.url()]].concat()).success();
    let said = "the model changed at step 4: other-2 (fp-2) in place of mock (fp-1)";
    assert!(run.contains(said), "{run}");
    let rows = sandbox.run(&["report", "runs", "--format", "json"]).json_lines();
    let produced = rows.iter().find_map(|row| row["produced_by"].as_object()).unwrap();
    assert_eq!(produced["fingerprints"], serde_json::json!(["fp-1", "fp-2"]));
    assert_eq!(
        produced["served_changes"][0]["changes"],
        serde_json::json!([{"step": 4, "before": "mock (fp-1)", "after": "other-2 (fp-2)"}])
    );
    let text = sandbox.run(&["report", "runs"]).success();
    assert!(text.replace('\n', " ").contains("the model changed at step 4"), "{text}");
    let quiet = Server::start(Behavior::OwnReplies);
    let run = sandbox.run(&[&play[..], &["--base-url", &quiet.url()]].concat()).success();
    assert!(!run.contains("the model changed"), "{run}");
}
