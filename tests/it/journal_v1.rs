//! Sessions of version 1 of the journal format, written by the program of that time, in `data/journal-v1`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A store with the sessions.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/data/journal-v1");
    copy(&from, &sandbox.path("work/runs"));
    sandbox
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else if path.extension().is_some_and(|extension| extension != "py") {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The objects of this type that a verb prints.
fn objects(sandbox: &Sandbox, args: &[&str], kind: &str) -> Vec<Value> {
    let result = sandbox.run(&[args, &["--json", "--store", "runs"]].concat());
    assert_eq!(result.code, Some(0), "{args:?}: {}", result.err);
    result.json_lines().into_iter().filter(|object| object["type"] == kind).collect()
}

/// These fields of an object.
fn fields(object: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| object[*name].clone()).collect()
}

#[test]
fn old_episodes_are_viewed_with_their_results() {
    let sandbox = sandbox();
    for (session, expected) in [
        ("model", json!([46.5, -1.5, 4, "step_limit", false, 7, 0, 700])),
        ("global", json!([46.5, -1.5, 3, "plan_ended", false, 1, 0, 100])),
        ("budget", json!([null, -1.0, 2, "budget", false, 2, 0, 200])),
        ("expired", json!([46.5, -0.5, 1, "time_limit", false, 2, 1, 100])),
        ("hanoi", json!([100.0, 68.5, 3, "won", false, 0, 0, 0])),
        ("idle", json!([46.5, 0.0, 0, "stood", false, 0, 0, 0])),
        ("cancelled", json!([46.5, -0.5, 1, "abandoned", true, 2, 1, 100])),
        ("unreadable", json!([46.5, 0.0, 0, "unreadable", false, 3, 0, 300])),
    ] {
        let episode = &objects(&sandbox, &["view", session], "episode")[0];
        let names = ["score", "sum", "steps", "ending", "mixed", "requests", "unmetered", "tokens_in"];
        assert_eq!(fields(episode, &names), expected, "{session}");
    }
    let steps = objects(&sandbox, &["view", "model"], "step");
    let actions: Vec<_> = steps.iter().map(|step| fields(step, &["action", "requests"])).collect();
    let expected = [json!(["Right", 1]), json!(["Left", 2]), json!([null, 3]), json!(["Right", 1])];
    assert_eq!(actions, expected);
    assert_eq!(objects(&sandbox, &["view", "cancelled"], "step")[0]["edited"], true);
}

#[test]
fn old_sessions_are_listed_and_checked() {
    let sandbox = sandbox();
    let listed = objects(&sandbox, &["log", "list"], "session");
    assert_eq!(listed.len(), 11);
    let unfinished: Vec<_> = listed.iter().filter(|session| !session["resume"].is_null()).collect();
    let names: Vec<_> = unfinished.iter().map(|session| fields(session, &["session", "episodes"])).collect();
    assert_eq!(names, [json!(["person", 1]), json!(["unfinished", 2])]);
    let checked = objects(&sandbox, &["log", "check"], "journal");
    assert!(checked.iter().all(|journal| journal["whole"] == true), "{checked:?}");
    let lines: Vec<_> = checked.iter().map(|journal| journal["lines"].as_u64().unwrap()).collect();
    assert_eq!(lines, [13, 12, 11, 9, 14, 4, 34, 12, 50, 26, 26, 21, 14]);
    assert_eq!(checked[11]["torn"], 133);
    assert_eq!(checked[1]["edits"], 1);
}

#[test]
fn old_sessions_are_reported_and_searched() {
    let sandbox = sandbox();
    let rows = objects(&sandbox, &["report", "model", "hanoi", "idle", "repeating"], "report");
    let row = |agent: &str| rows.iter().find(|row| row["agent"] == agent).unwrap();
    assert_eq!(fields(row("oracle"), &["score", "episodes"]), json!([100.0, 1]));
    assert_eq!(fields(row("idle"), &["score", "endings"]), json!([46.5, { "false finish": 1 }]));
    let endings = json!({ "repetition limit": 1, "step limit": 1 });
    assert_eq!(fields(row("random"), &["episodes", "endings"]), json!([2, endings]));
    assert_eq!(fields(row("model"), &["requests", "tokens_in", "tokens_out"]), json!([7, 700, 140]));
    let found = objects(&sandbox, &["find", "any", "model", "repeating", "cancelled", "unreadable"], "found");
    assert_eq!(found.len(), 22);
    assert_eq!(fields(&found[1], &["session", "step", "marks"]), json!(["model", 3, ["parse", "ia"]]));
    assert_eq!(
        fields(&found[20], &["session", "step", "marks"]),
        json!(["cancelled", 1, ["same", "edited"]])
    );
    let repeated = objects(&sandbox, &["find", "ra", "repeating"], "found");
    assert_eq!(repeated.len(), 5);
}

#[test]
fn old_sessions_are_replayed_reparsed_and_exported() {
    let sandbox = sandbox();
    for (session, expected) in [
        ("model", json!([4, 7, 7, true])),
        ("global", json!([3, 1, 1, true])),
        ("hanoi", json!([3, 0, 3, true])),
    ] {
        let replayed = &objects(&sandbox, &["replay", session], "replay")[0];
        assert_eq!(fields(replayed, &["steps", "requests", "replies", "identical"]), expected, "{session}");
    }
    let total = &objects(&sandbox, &["reparse", "model"], "reparse_total")[0];
    let names = ["replies", "changed_steps", "parse_errors_before", "parse_errors_after"];
    assert_eq!(fields(total, &names), json!([7, 0, 4, 4]));
    let exported = sandbox.run(&["export", "--rl", "--out", "data", "model", "--store", "runs"]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let images = walk(&sandbox.path("work/data"))
        .into_iter()
        .filter(|path| Path::new(path).extension().is_some_and(|end| end == "png"))
        .count();
    assert_eq!(images, 2, "the pictures of the episode are exported from its own folder");
}

/// The paths of all files below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] })
        .collect()
}

#[test]
fn an_old_unfinished_session_is_resumed_in_its_own_format() {
    let sandbox = sandbox();
    let result = sandbox.run(&["run", "--json", "--resume", "unfinished", "--store", "runs"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    assert!(result.err.contains("is incomplete"), "{}", result.err);
    let finished = objects(&sandbox, &["view", "unfinished"], "episode");
    let results: Vec<_> = finished.iter().map(|episode| fields(episode, &["steps", "ending"])).collect();
    assert_eq!(results, [json!([6, "step_limit"]), json!([6, "step_limit"])]);
    let journal = fs::read_to_string(sandbox.path("work/runs/unfinished/0002/journal.jsonl")).unwrap();
    assert!(journal.starts_with(r#"{"n":0,"at":0,"event":"head","format":1,"#), "the format stays");
    assert!(sandbox.path("work/runs/unfinished/0002/summary.json").is_file());
    let checked = objects(&sandbox, &["log", "check", "unfinished"], "journal");
    assert!(
        checked.iter().all(|journal| journal["whole"] == true && journal["torn"].is_null()),
        "{checked:?}"
    );
}
