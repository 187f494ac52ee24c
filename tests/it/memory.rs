//! What the memory of recorded episodes cost.

use std::fs;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// The sum of the tokens in an object of parts.
fn sum(parts: &Value) -> u64 {
    parts.as_object().unwrap().values().map(|part| part["tokens"].as_u64().unwrap()).sum()
}

fn keys(parts: &Value) -> Vec<&str> {
    parts.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_parts_of_requests_have_all_tokens_that_the_server_counted() {
    let sandbox = Sandbox::new();
    let model = ["--agent", "demo", "--model", "demo", "--max-steps", "8", "--store", "runs"];
    let window = ["--am", "3", "--om", "2", "--set", "memory.keep=\"first\""];
    sandbox.run(&[&["run", "sokoban/full/4..7"], &model[..], &window].concat());
    let audit = sandbox.run(&["memory", "audit", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!((&audit["type"], &audit["model"]), (&"memory_audit".into(), &"demo".into()));
    assert_eq!(audit["uncounted"], 0);
    assert_eq!(sum(&audit["parts"]), audit["input"].as_u64().unwrap());
    assert_eq!(sum(&audit["frames"]), audit["parts"]["frame"]["tokens"].as_u64().unwrap());
    assert_eq!(sum(&audit["outputs"]), audit["parts"]["output"]["tokens"].as_u64().unwrap());
    // Frames of OM 2, and the first one, which is further back with each step.
    assert!(keys(&audit["frames"]).len() > 3, "{audit}");
    assert_eq!(audit["frames"]["1"]["again"], audit["frames"]["1"]["tokens"]);
    assert!(keys(&audit["outputs"]).iter().all(|back| ["0", "1", "2", "3"].contains(back)), "{audit}");
    assert!(audit["outputs"]["2"]["tokens"].as_u64() > Some(0));

    // As the report counts them.
    let report = sandbox.run(&["report", "last", "--format", "json", "--store", "runs"]).json_lines();
    let row = report.iter().find(|row| row["type"] == "report").unwrap();
    assert_eq!(row["tokens_in"], audit["input"], "{row}");
    let lines = sandbox.run(&["memory", "audit", "last", "--store", "runs"]).success();
    assert!(lines.contains("which a cache of prompts can hold"), "{}", lines);
    assert!(lines.contains("frame, 1 step back"), "{}", lines);
}

#[test]
fn agents_that_send_no_requests_have_nothing_to_pay_for() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/first/1", "--agent", "random", "--max-steps", "2", "--store", "runs"]);
    let audit = sandbox.run(&["memory", "audit", "--store", "runs"]).success();
    assert_eq!(audit, "no request was recorded: the agents of these sessions send none\n");
    sandbox.run(&["memory", "audit", "nothing", "--store", "runs"]).fails_with(2, &["nothing"]);
}

/// Eight levels played by a model with this skill that needs so many frames before the present one and makes no other mistakes.
fn played(skill: &str, frames: &str) -> Sandbox {
    played_levels(("sokoban/full/1..8", "12"), skill, frames)
}

/// The same on these levels with so many steps.
fn played_levels((levels, steps): (&str, &str), skill: &str, frames: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let run = ["run", levels, "--agent", "demo", "--model", "demo", "--max-steps", steps];
    let (skill, frames) = (format!("demo.skill={skill}"), format!("demo.frames={frames}"));
    let mut args = [&run[..], &["--am", "3", "--om", "3", "--store", "runs"]].concat();
    let others = ["parse_errors", "invalid_actions", "refusals", "cuts", "loops", "rate_limits"];
    let others = others.iter().chain(&["lost_connections"]).map(|name| format!("demo.{name}=0"));
    let settings: Vec<String> = [skill, frames].into_iter().chain(others).collect();
    args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    sandbox.run(&args);
    sandbox
}

/// The distances that matter by themselves.
fn matters(found: &[Value], left_out: &str) -> Vec<u64> {
    let of = found.iter().filter(|line| line["left_out"] == left_out && line["matters"] == true);
    of.map(|line| line["back"].as_u64().unwrap()).collect()
}

/// Frames, past steps, AM and OM of the line with the window.
fn window(found: &[Value]) -> [Option<u64>; 4] {
    let line = found.iter().find(|line| line["type"] == "memory_window").unwrap();
    ["frames", "rows", "am", "om"].map(|name| line[name].as_u64())
}

#[test]
fn a_study_finds_how_far_back_the_frames_are_that_decide() {
    let sandbox = played("1", "1");
    let study = ["memory", "study", "last", "--calls", "240", "--store", "runs"];
    let planned = sandbox.run(&[&study[..], &["--dry-run", "--json"]].concat()).json_lines();
    assert_eq!(planned.len(), 1, "{planned:?}");
    let calls = planned[0]["calls"].as_u64().unwrap();
    assert!((180..=240).contains(&calls), "{calls}");

    let found = sandbox.run(&[&study[..], &["--json"]].concat()).json_lines();
    assert_eq!((matters(&found, "frame"), matters(&found, "row")), (vec![0, 1], vec![1]), "{found:?}");
    assert_eq!(window(&found), [Some(1), Some(1), Some(2), Some(2)]);

    // Nothing is paid twice, and the text says the same.
    let again = sandbox.run(&study).success();
    assert!(again.contains("all calls were made before: nothing is sent"), "{again}");
    assert!(again.contains("frames: those up to 1 step back decide; no sign that older ones do"), "{again}");
    assert!(again.contains("the smallest window with all that decide here: AM=2 OM=2"), "{again}");
    // With pairs only their calls are missing, and each that has the frame of the step or the one before matters.
    let with_pairs = [&study[..], &["--pairs", "--json"]].concat();
    let planned = sandbox.run(&[&with_pairs[..], &["--dry-run"]].concat()).json_lines();
    let (replies, missing) = (planned[0]["replies"].as_u64().unwrap(), planned[0]["calls"].as_u64().unwrap());
    assert!(missing > 0 && missing < replies / 2, "{planned:?}");
    let found = sandbox.run(&with_pairs).json_lines();
    assert_eq!(matters(&found, "frame_pair"), [0, 1], "{found:?}");
    assert_eq!((matters(&found, "row_pair"), window(&found)[3]), (vec![1], Some(2)), "{found:?}");
    sandbox
        .run(&["memory", "study", "last", "--calls", "3", "--store", "runs"])
        .fails_with(2, &["more than 3 calls"]);
}

#[test]
fn a_study_of_a_model_that_needs_no_older_frame_says_so() {
    let sandbox = played("0.8", "0");
    let study = ["memory", "study", "last", "--calls", "300", "--pairs", "--store", "runs"];
    let text = sandbox.run(&study).success();
    assert!(text.contains("frames: the present one decides; no sign that older ones do"), "{text}");
    assert!(text.contains("past steps: no sign that leaving out any of them changes a decision"), "{text}");
    assert!(text.contains("the smallest window with all that decide here: AM=0 OM=1"), "{text}");
    assert!(!text.contains("decide together"), "a pair: {text}");
}

#[test]
fn whole_episodes_confirm_the_smallest_window_that_is_not_worse() {
    let sandbox = played_levels(("sokoban/full/1..20", "30"), "1", "1");
    let confirm = ["memory", "confirm", "last", "--margin", "25%", "--episodes", "20", "--store", "runs"];
    let candidates = ["--candidates", "am=0 om=1; am=2 om=2", "--looks", "2"];
    let both = [&confirm[..], &candidates].concat();
    let planned = sandbox.run(&[&both[..], &["--dry-run", "--json"]].concat()).json_lines().remove(0);
    assert_eq!((&planned["reference"], &planned["episodes"]), (&"AM=3 OM=3".into(), &60.into()), "{planned}");
    assert_eq!((&planned["margin"], &planned["levels"]), (&25.0.into(), &20.into()), "{planned}");
    assert_eq!(planned["looks"][0]["pairs"], 10, "{planned}");

    let found = sandbox.run(&[&both[..], &["--apply", "--json"]].concat()).json_lines();
    let verdict = |window: usize| (&found[window]["verdict"], &found[window]["pairs"]);
    // The one without memory is stopped after the first look.
    assert_eq!(verdict(1), (&"futile".into(), &10.into()), "{found:?}");
    assert_eq!(verdict(2), (&"not_worse".into(), &20.into()), "{found:?}");
    assert!(found[2]["tokens_saved"].as_f64() > Some(1000.0), "{found:?}");
    assert_eq!((&found[3]["smallest"], &found[3]["changed"]), (&"AM=2 OM=2".into(), &false.into()));
    assert_eq!(found[3]["episodes"], 50, "{found:?}");
    assert_eq!(fs::read_to_string(sandbox.path("work/mageyard.toml")).unwrap(), "[memory]\nam = 2\nom = 2\n");

    // Nothing is played twice, also by a plan with other looks, which says that it was changed.
    let again = sandbox.run(&both).success();
    assert!(again.contains("not worse by more than 25 points"), "{again}");
    assert!(again.contains("this comparison took 50 episodes"), "{again}");
    let other = [&confirm[..], &["--candidates", "am=0 om=1", "--looks", "1", "--json"]].concat();
    let found = sandbox.run(&other).json_lines();
    assert_eq!((&found[0]["played"], &found[1]["verdict"]), (&30.into(), &"worse".into()), "{found:?}");
    assert_eq!((&found[2]["smallest"], &found[2]["changed"]), (&Value::Null, &true.into()), "{found:?}");
}

#[test]
fn windows_are_confirmed_only_where_there_is_a_memory() {
    let sandbox = Sandbox::new();
    let confirm = ["memory", "confirm", "hanoi/first/1..2", "--margin", "5", "--store", "runs"];
    let refused = |more: &[&str], what: &str| {
        sandbox.run(&[&confirm[..], more].concat()).fails_with(2, &[what]);
    };
    let one = ["--candidates", "am=1 om=1"];
    refused(&[&one[..], &["--agent", "random"]].concat(), "the agent random sends no requests");
    let model = ["--agent", "demo", "--model", "demo"];
    refused(&[&one[..], &model, &["--setting", "global"]].concat(), "a memory window changes nothing");
    refused(&[&one[..], &model, &["--am", "3"]].concat(), "--am: the windows are those of --reference");
    refused(&[&one[..], &model, &["--reference", "am=1 om=1"]].concat(), "AM=1 OM=1 is the reference");
}
