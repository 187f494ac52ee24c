//! The program over recordings that our own simulator made (three episodes of teams of three), and with a shell script in
//! place of the real engine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const SCENE: &str = "scene alone\nball 0 0\nleft GK -0.98 0\nleft CF -0.015 0.004\nright GK -0.98 0\n";

/// A game in which the ball moves 0.005 a frame to the right, until the opponents have it after frame 30.
const ENGINE: &str = r#"#!/bin/sh
echo '{"ready":{"version":"2.10.2","python":"3.11.2"}}'
n=0
team='"movements":[[0,0],[0,0]],"roles":[0,9],"tired":[0,0]'
while read -r order; do
  case $order in
    *load*) n=0 ;;
    *step*) n=$((n + 1)) ;;
    *quit*) exit 0 ;;
  esac
  owner=0
  [ $n -ge 30 ] && owner=1
  x=$(printf '0.%03d' $((n * 5)))
  echo '{"state":{"ball":['$x',0,0.1],"ball_direction":[0.005,0,0],"ball_rotation":[0,0,0],"owner":['$owner',1],"active":1,' \
    '"mode":0,"score":[0,0],"sticky":[0,0,0,0,0,0,0,0,0,0,0,0,0],"left":{"places":[[-0.99,0],['$x',0]],'"$team"'},' \
    '"right":{"places":[[0.99,0],[0.9,0.3]],'"$team"'},"steps_left":'$((401 - n))'}}'
done
"#;

/// A folder with the recordings below `recordings`, and a scene.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let recordings = folder.path().join("recordings");
        fs::create_dir(&recordings).unwrap();
        for entry in
            fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings")).unwrap()
        {
            let entry = entry.unwrap();
            fs::copy(entry.path(), recordings.join(entry.file_name())).unwrap();
        }
        fs::write(folder.path().join("alone.football"), SCENE).unwrap();
        Self(folder)
    }

    /// Puts one text of a recording in place of another, which it has.
    fn change(&self, name: &str, from: &str, to: &str) {
        let path = self.0.path().join("recordings").join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from));
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    /// The script that plays in place of the real engine.
    fn engine(&self) -> String {
        let path = self.0.path().join("engine");
        // Closed before it runs: another test may start a process in between, which inherits open files.
        let mut write = Command::new("sh");
        write.args(["-c", "cat > engine && chmod 700 engine"]).current_dir(self.0.path());
        pipe(&mut write, ENGINE);
        path.to_str().unwrap().to_owned()
    }

    fn run(&self, args: &[&str]) -> Run {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mageyard-football-validation"));
        let program = program.args(args).current_dir(self.0.path()).env_remove("MAGEYARD_FOOTBALL_PYTHON");
        Run::new(&program.output().unwrap())
    }
}

fn pipe(command: &mut Command, text: &str) {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn rows(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn recordings_pass_through_the_rules_unchanged() {
    let result = Folder::new().run(&["validate", "recordings", "--only", "rules", "--json"]);
    let rows = result.rows();
    assert_eq!((result.code, rows.len()), (Some(0), 6), "{}", result.err);
    assert!(rows[..5].iter().all(|row| row["passes"] == true), "{rows:?}");
    let values: Vec<&Value> = rows[..3].iter().map(|row| &row["value"]).collect();
    assert_eq!(values, [3.0, 3.0, 3.0]);
    assert_eq!((&rows[5]["failed"], &rows[5]["engine"]), (&Value::from(0), &Value::from("football/lite")));
}

#[test]
fn a_wrong_reward_fails_and_names_its_place() {
    let folder = Folder::new();
    folder.change("sprintright__small__1.json", "\"rw\":0.0}", "\"rw\":0.5}");
    let result = folder.run(&["validate", "recordings", "--only", "rules"]);
    assert_eq!(result.code, Some(3), "{}", result.err);
    let failed: Vec<&str> = result.out.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert_eq!(failed.len(), 1, "{}", result.out);
    assert!(failed[0].contains("sprintright__small__1.json, frame "), "{failed:?}");
    assert!(result.out.contains("5 checks, 1 failed"), "{}", result.out);
}

#[test]
fn behaviour_is_simulated_once_for_each_seed() {
    let result = Folder::new().run(&["validate", "recordings", "--seeds", "1", "--json"]);
    let rows = result.rows();
    let last = rows.last().unwrap();
    assert_eq!((&last["type"], &last["seeds"]), (&"football_validation".into(), &1.into()), "{}", result.err);
    assert!(
        last["episodes"].as_u64() > Some(0) && last["frames"].as_u64() > last["episodes"].as_u64(),
        "{last}"
    );
    assert!(rows.iter().any(|row| row["level"] == "behaviour"), "{rows:?}");
}

#[test]
fn a_damaged_recording_is_refused_with_file_and_field() {
    let folder = Folder::new();
    folder.change("random16__small__20.json", "\"g\":0", "\"g\":9");
    let result = folder.run(&["validate", "recordings"]);
    assert_eq!(result.code, Some(2));
    let says = "random16__small__20.json: initial.g: needs a game mode, 0 to 6";
    assert!(result.err.contains(says), "{}", result.err);
}

#[test]
fn a_folder_without_recordings_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.0.path().join("empty")).unwrap();
    fs::write(folder.0.path().join("empty/notes.txt"), "none").unwrap();
    for (name, says) in [("empty", "empty: has no recordings"), ("missing", "missing: cannot be read")] {
        let result = folder.run(&["validate", name]);
        assert_eq!(result.code, Some(2));
        assert!(result.err.contains(says), "{}", result.err);
    }
}

#[test]
fn baselines_have_a_row_for_each_policy_that_does_not_depend_on_the_threads() {
    let folder = Folder::new();
    let run = |jobs: &str| {
        let args = ["baselines", "football/mini/1", "--seeds", "2", "--jobs", jobs, "--json"];
        folder.run(&args).rows()
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
    let result = Folder::new().run(&["baselines", "hanoi/first"]);
    assert_eq!(result.code, Some(2));
    assert!(result.err.contains("hanoi/first is not a Football level"), "{}", result.err);
}

#[test]
fn baselines_of_the_real_engine_name_it() {
    let folder = Folder::new();
    let engine = folder.engine();
    let args = ["baselines", "alone.football", "--engine", "grf", "--python", &engine];
    let rows = folder.run(&[&args[..], &["--seeds", "2", "--json", "--jobs", "1"]].concat()).rows();
    assert_eq!(
        (rows.len(), &rows[0]["engine"], &rows[0]["frames"]),
        (5, &"football/grf".into(), &30.0.into())
    );
}

#[test]
fn an_engine_that_is_not_installed_is_one_sentence() {
    let result = Folder::new().run(&["baselines", "alone.football", "--engine", "grf", "--python", "./none"]);
    assert_eq!(result.code, Some(1));
    for says in ["the real engine of football is not there", "gfootball==2.10.2"] {
        assert!(result.err.contains(says), "{}", result.err);
    }
}
