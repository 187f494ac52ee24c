//! Episodes of the real engine with the real binary and a shell script in place of the engine: labels, failures, and an
//! episode that comes back.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const SCENE: &str = "scene alone\nball 0 0\nleft GK -0.98 0\nleft CF -0.015 0.004\nright GK -0.98 0\n";

/// A game in which the ball moves 0.005 a frame to the right, until the opponents have it after frame 30. What stands in
/// place of BEFORE is run before each order.
const ENGINE: &str = r#"#!/bin/sh
echo '{"ready":{"version":"2.10.2","python":"3.11.2"}}'
n=0
team='"movements":[[0,0],[0,0]],"roles":[0,9],"tired":[0,0]'
while read -r order; do
  BEFORE
  case $order in
    *load*) n=0 ;;
    *step*) n=$((n + 1)) ;;
    *save*) echo '{"saved":0}'; continue ;;
    *usage*) echo '{"cpu":0.5,"memory":150000}'; continue ;;
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

/// A sandbox with a scene, and the settings that choose the script.
fn sandbox(before: &str) -> (Sandbox, [String; 4]) {
    let sandbox = Sandbox::new();
    sandbox.write("work/alone.football", SCENE);
    let python = write_engine(&sandbox, before);
    let python = format!("football.python={}", serde_json::to_string(python.to_str().unwrap()).unwrap());
    (sandbox, ["--set".to_owned(), "football.engine=\"grf\"".to_owned(), "--set".to_owned(), python])
}

fn write_engine(sandbox: &Sandbox, before: &str) -> PathBuf {
    sandbox.write_program("work/engine", ENGINE.replace("BEFORE", before))
}

fn with<'a>(args: &[&'a str], settings: &'a [String; 4]) -> Vec<&'a str> {
    args.iter().copied().chain(settings.iter().map(String::as_str)).collect()
}

fn of_kind(rows: Vec<Value>, kind: &str) -> Vec<Value> {
    rows.into_iter().filter(|row| row["type"] == kind).collect()
}

#[test]
fn results_of_two_engines_are_labelled_and_never_in_one_row() {
    let (sandbox, grf) = sandbox(":");
    let run = ["run", "alone.football", "--agent", "sprint", "--json"];
    let real = of_kind(sandbox.run(&with(&run, &grf)).json_lines(), "episode");
    let lite = of_kind(sandbox.run(&run).json_lines(), "episode");
    assert_eq!(
        json!([real[0]["engine"], real[0]["metrics"]["frames"], real[0]["ending"], lite[0]["engine"]]),
        json!(["football/grf", 30, "lost", "football/lite"])
    );
    let sessions = sandbox.sessions("data/mageyard/sessions");
    let names: Vec<&str> = sessions.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let report = [&["report", "--json"][..], &names].concat();
    let rows = of_kind(sandbox.run(&report).json_lines(), "report");
    let engines: Vec<&Value> = rows.iter().map(|row| &row["engine"]).collect();
    assert_eq!(engines, ["football/grf", "football/lite"]);
    assert_eq!(rows[0]["differs"], json!(["engine"]), "where the engine is does not matter");
    for args in [&["log", "list"][..], &["report", names[0]]] {
        let shown = sandbox.run(args).success();
        assert!(shown.contains("football/grf"), "{args:?}: {shown}");
    }
    let journal = sessions[0].join("0001/journal.jsonl");
    let head = fs::read_to_string(journal).unwrap().lines().next().unwrap().to_owned();
    assert!(head.contains("\"engine\":\"football/grf\""), "{head}");
}

/// The process ends in the middle of a decision; the episode goes on when the engine is there again, from the state before it.
#[test]
fn an_episode_comes_back_after_its_process_has_ended() {
    let die = "[ \"$n\" = 12 ] && { echo 'no memory left' >&2; exit 1; }";
    let (sandbox, grf) = sandbox(die);
    let run = sandbox.run(&with(&["run", "alone.football", "--agent", "sprint"], &grf));
    run.fails_with(1, &["the process of the real engine has ended: no memory left"]);
    write_engine(&sandbox, ":");
    let rows = of_kind(sandbox.run(&["run", "--resume", "last", "--json"]).json_lines(), "episode");
    assert_eq!(json!([rows[0]["metrics"]["frames"], rows[0]["ending"]]), json!([30, "lost"]));
}

#[test]
fn an_engine_that_is_not_installed_is_one_sentence() {
    let (sandbox, grf) = sandbox(":");
    fs::remove_file(sandbox.path("work/engine")).unwrap();
    let run = ["run", "alone.football", "--agent", "sprint"];
    let says = ["the real engine of football is not there", "gfootball==2.10.2", "football.engine=lite"];
    sandbox.run(&with(&run, &grf)).fails_with(1, &says);
    let found = sandbox.run(&with(&["doctor"], &grf));
    assert!(
        found.code == Some(2) && found.out.contains("the real engine of football is not there"),
        "{found:?}"
    );
    let shown = sandbox.run(&["doctor"]).out;
    assert!(shown.contains("football engine"), "{shown}");
}

#[test]
fn speeds_name_the_engine() {
    let (sandbox, grf) = sandbox(":");
    let bench = ["bench", "football", "alone.football", "--only", "engines", "--seconds", "1", "--json"];
    let rows = of_kind(sandbox.run(&with(&bench, &grf)).json_lines(), "engine_speed");
    let names: Vec<&Value> = rows.iter().map(|row| &row["engine"]).collect();
    assert_eq!(names, ["football/lite", "football/grf"]);
    assert_eq!(rows[1]["memory_bytes"], 150_000 * 1024);
    assert!(rows[0]["frames_per_second"].as_f64() > rows[1]["frames_per_second"].as_f64(), "{rows:?}");
    let without = of_kind(sandbox.run(&bench).json_lines(), "engine_speed");
    assert!(without[1]["reason"].as_str().unwrap().starts_with("not compared"), "{without:?}");
}
