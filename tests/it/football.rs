//! `football validate` over recordings that our own simulator made (three episodes of teams of three), and `football
//! baselines`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Writes the recordings to the folder `recordings`.
pub(crate) fn write_recordings(sandbox: &Sandbox) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/data/football");
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("work/recordings/{}", entry.file_name().to_str().unwrap());
        sandbox.write(&name, fs::read_to_string(entry.path()).unwrap());
    }
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    write_recordings(&sandbox);
    sandbox
}

/// A recording with one text in place of another, which it has.
fn change(sandbox: &Sandbox, name: &str, from: &str, to: &str) {
    let path = sandbox.path(format!("work/recordings/{name}"));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn recordings_pass_through_the_rules_unchanged() {
    let sandbox = sandbox();
    let result = sandbox.run(&["football", "validate", "recordings", "--only", "rules", "--json"]);
    let rows = result.json_lines();
    assert_eq!((result.code, rows.len()), (Some(0), 6), "{}", result.err);
    assert!(rows[..5].iter().all(|row| row["passes"] == true), "{rows:?}");
    let values: Vec<&Value> = rows[..3].iter().map(|row| &row["value"]).collect();
    assert_eq!(values, [3.0, 3.0, 3.0]);
    assert_eq!((&rows[5]["failed"], &rows[5]["engine"]), (&Value::from(0), &Value::from("football/lite")));
}

#[test]
fn a_wrong_reward_fails_and_names_its_place() {
    let sandbox = sandbox();
    change(&sandbox, "sprintright__small__1.json", "\"rw\":0.0}", "\"rw\":0.5}");
    let result = sandbox.run(&["football", "validate", "recordings", "--only", "rules"]);
    assert_eq!(result.code, Some(3), "{}", result.err);
    let failed: Vec<&str> = result.out.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert_eq!(failed.len(), 1, "{}", result.out);
    assert!(failed[0].contains("sprintright__small__1.json, frame "), "{failed:?}");
    assert!(result.out.contains("5 checks, 1 failed"), "{}", result.out);
}

#[test]
fn a_damaged_recording_is_refused_with_file_and_field() {
    let sandbox = sandbox();
    change(&sandbox, "random16__small__20.json", "\"g\":0", "\"g\":9");
    let result = sandbox.run(&["football", "validate", "recordings"]);
    assert_eq!(result.code, Some(2));
    assert!(result.err.contains("random16__small__20.json"), "{}", result.err);
    assert!(result.err.contains("initial.g: needs a game mode, 0 to 6"), "{}", result.err);
}

#[test]
fn a_folder_without_recordings_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("work/empty/notes.txt", "none");
    for folder in ["empty", "missing"] {
        let result = sandbox.run(&["football", "validate", folder]);
        assert_eq!(result.code, Some(2));
        assert!(result.err.contains(folder), "{}", result.err);
    }
}

#[test]
fn baselines_have_a_row_for_each_policy_that_does_not_depend_on_the_threads() {
    let run = |jobs: &str| {
        let args = ["football", "baselines", "football/mini/1", "--seeds", "2", "--jobs", jobs, "--json"];
        Sandbox::new().run(&args).json_lines()
    };
    let rows = run("1");
    let names: Vec<&Value> = rows.iter().map(|row| &row["policy"]).collect();
    assert_eq!(names, ["idle", "random19", "random16", "sprint", "builtin"]);
    for row in &rows {
        let sum: f64 = row["terms"].as_array().unwrap().iter().map(|term| term.as_f64().unwrap()).sum();
        assert!((sum - row["mean"].as_f64().unwrap()).abs() < 1e-9, "{row}");
        assert_eq!((&row["scenes"], &row["episodes"]), (&Value::from(1), &Value::from(2)));
    }
    assert_eq!(rows, run("2"));
}

#[test]
fn baselines_refuse_levels_of_another_environment() {
    Sandbox::new()
        .run(&["football", "baselines", "hanoi/first"])
        .fails_with(2, &["hanoi/first/1 is not a Football level"]);
}
