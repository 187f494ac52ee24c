//! Questions about pictures: records of the user, both readers, measures of a set and the tables of the paper.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A PNG of 2x1 pixels.
const PICTURE: &[u8] = include_bytes!("data/two_pixels.png");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The objects `report`.
fn rows(sandbox: &Sandbox, args: &[&str]) -> Vec<Value> {
    let made = sandbox.run(&[&["report", "last", "--json"], args].concat()).success();
    lines(&made).into_iter().filter(|row| row["type"] == "report").collect()
}

#[test]
fn a_record_is_played_and_replayed_without_its_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("work/shots/a.png", PICTURE);
    let record = json!({
        "image": "shots/a.png", "instruction": "the right half", "bbox": [1, 0, 2, 1], "resolution": [2, 1],
    });
    sandbox.write("work/mine.jsonl", format!("{record}\n"));
    let played = sandbox.run(&["run", "mine.jsonl", "--agent", "oracle"]).success();
    assert!(played.contains("Hit: ") && played.contains("score 100.0"), "{played}");
    fs::remove_dir_all(sandbox.path("work/shots")).unwrap();
    sandbox.run(&["replay", "last"]).success();
    sandbox.run(&["run", "mine.jsonl", "--agent", "oracle"]).fails_with(2, &["shots/a.png"]);
}

#[test]
fn wrong_records_are_reported_with_their_field() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.png", PICTURE);
    let good = r#"{"image": "a.png", "instruction": "x", "bbox": [0, 0, 3, 1], "colour": 1}"#;
    let bad = r#"{"image": "a.png", "instruction": "x", "bbox": [0, 0]}"#;
    sandbox.write("work/bad.jsonl", format!("{good}\n{bad}\n"));
    sandbox
        .run(&["levels", "list", "bad.jsonl"])
        .fails_with(2, &["bad.jsonl:2", "bbox: is not a list of four numbers"]);
    sandbox.write("work/outside.jsonl", format!("{good}\n"));
    let checked = sandbox.run(&["levels", "check", "outside.jsonl"]);
    let said = format!("{}{}", checked.out, checked.err);
    assert!(said.contains("is not within the picture \"a.png\" of 2 x 1"), "{said}");
    assert!(said.contains("colour: is not a known field"), "{said}");
}

#[test]
fn measures_are_of_the_whole_set_and_of_its_platforms() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "critic", "--agent", "oracle"]).success();
    let all = rows(&sandbox, &[]);
    let value = |row: &Value, name: &str| row["set_measures"][name]["value"].clone();
    for name in ["accuracy", "precision", "recall", "f1"] {
        assert_eq!(value(&all[0], name), json!(100.0), "{name}");
    }
    let platforms = rows(&sandbox, &["--by", "platform"]);
    let episodes: u64 = platforms.iter().map(|row| row["episodes"].as_u64().unwrap()).sum();
    assert_eq!((platforms.len(), episodes), (3, 20));
    let paper = sandbox.run(&["report", "last", "--paper"]).success();
    for words in ["CriticBench, F1 in % (AgentStudio, table 10)", "69.7", "here", "quotients of sums"] {
        assert!(paper.contains(words), "{words}: {paper}");
    }
    sandbox.run(&["report", "last", "--by", "colour"]).fails_with(2, &["--by colour: no episode has it"]);
}

/// An agent that never says true has no precision, and its recall is 0.
#[test]
fn what_cannot_be_divided_is_undefined_and_not_zero() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "critic/drawn/2", "--agent", "oracle"]).success();
    let row = &rows(&sandbox, &[])[0];
    let measures = &row["set_measures"];
    assert_eq!(measures["accuracy"]["value"], 100.0);
    for name in ["precision", "recall", "f1"] {
        assert_eq!(measures[name]["value"], Value::Null, "{name}: one class, and no positive answer");
    }
    let text = sandbox.run(&["report", "last"]).success();
    assert!(text.contains("undefined"), "{text}");
}

#[test]
fn lists_have_an_edit_distance_and_single_actions_have_none() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "idm/multiple", "--agent", "faulty"]).success();
    let many = rows(&sandbox, &[])[0]["set_measures"]["edit_distance"]["value"].as_f64().unwrap();
    assert!(many >= 1.0, "{many}");
    sandbox.run(&["run", "idm/single", "--agent", "oracle"]).success();
    assert_eq!(rows(&sandbox, &[])[0]["set_measures"]["edit_distance"], Value::Null);
}

#[test]
fn stored_replies_are_read_by_the_rules_of_the_released_code() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "ground", "--agent", "oracle"]).success();
    let read = sandbox.run(&["reparse", "last", "--reader", "looks-code"]).success();
    assert!(read.contains("20 replies") && read.contains("changed steps 0"), "{read}");
}

/// The lines of a file of results.
fn results(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    lines(&fs::read_to_string(sandbox.path("work/out").join(name)).unwrap())
}

#[test]
fn results_are_written_in_the_files_of_the_released_scripts() {
    let sandbox = Sandbox::new();
    for levels in ["ground/drawn/1", "idm/single/1", "idm/multiple/1", "critic/drawn/1"] {
        sandbox.run(&["run", levels, "--agent", "oracle", "--store", "runs"]).success();
    }
    let sessions = sandbox.sessions("work/runs");
    let names: Vec<&str> = sessions.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let args = [&["export"], &names[..], &["--format", "agentstudio", "--out", "out", "--store", "runs"]];
    let said = sandbox.run(&args.concat()).success();
    assert!(said.starts_with("4 episodes in out: gui_grounding_oracle.jsonl, "), "{said}");
    let one = |name: &str| results(&sandbox, name).remove(0);
    let ground = one("gui_grounding_oracle.jsonl");
    assert_eq!(json!([ground["score"], ground["resolution"]]), json!([1.0, [640, 400]]));
    let [x, y] = [0, 1].map(|index| ground["parsed_action"][index].as_f64().unwrap());
    let side = |index: usize| ground["bbox"][index].as_f64().unwrap();
    assert!(side(0) < x && x < side(2) && side(1) < y && y < side(3), "in pixels: {ground}");
    let pictures: Vec<&Value> = ground["prompt"].as_array().unwrap().iter().collect();
    assert!(pictures.contains(&&json!({"role": "user", "content": "web-shop-1.png"})), "{pictures:?}");
    let single = one("idm_oracle.jsonl");
    assert_eq!(
        json!([single["parsed_answer"], single["edit_distance"]]),
        json!([single["ref_answer"], null])
    );
    let many = one("idmn2n_oracle.jsonl");
    assert!(many["ref_answer"].is_array() && many["parsed_answer"] == many["ref_answer"], "{many}");
    assert_eq!(many["edit_distance"], 0);
    assert!(one("success_detection_oracle.jsonl")["ref_answer"].is_boolean());
}

#[test]
fn results_of_another_form_or_environment_are_refused_by_name() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "oracle"]).success();
    let export = |format: &str| sandbox.run(&["export", "last", "--format", format, "--out", "out"]);
    export("papers").fails_with(2, &["papers", "formats: agentstudio"]);
    export("agentstudio").fails_with(2, &["sokoban", "ground, idm, critic"]);
    assert!(!sandbox.path("work/out").exists());
    let neither = sandbox.run(&["export", "last", "--out", "out"]);
    assert_eq!(neither.code, Some(2));
    assert!(neither.err.contains("--rl|--format"), "{}", neither.err);
}

/// Two variants answer alike, and the environment says of which state their answer is right.
#[test]
fn the_answers_of_a_suite_are_judged_by_the_environment() {
    let sandbox = Sandbox::new();
    sandbox.write("work/shots/a.png", PICTURE);
    let record = |instruction: &str, left: u32| json!({"image": "shots/a.png", "instruction": instruction, "bbox": [left, 0, left + 1, 1]});
    let records = format!("{}\n{}\n", record("the left half", 0), record("the right half", 1));
    sandbox.write("work/mine.jsonl", records);
    sandbox.run(&["run", "mine.jsonl", "--agent", "random", "--store", "runs"]).success();
    fs::remove_dir_all(sandbox.path("work/shots")).unwrap();
    let session = sandbox.sessions("work/runs").remove(0);
    let session = session.file_name().unwrap().to_str().unwrap().to_owned();
    for episode in ["0001", "0002"] {
        let step = format!("{session}/{episode}#1");
        sandbox.run(&["suite", "add", "halves", &step, "--store", "runs"]).success();
    }
    let server = Server::start(Behavior::OwnReplies);
    for _ in 0..4 {
        server.queue_reply("Answer: (0.75, 0.5)");
    }
    let url = server.url();
    let args = ["ask", "halves", "--prompts", "0s", "--models", "mock", "--samples", "2"];
    let place = ["--store", "runs", "--json", "--base-url", &url];
    let asked = sandbox.run(&[&args[..], &place].concat());
    assert_eq!((asked.code, asked.err.as_str()), (Some(0), ""));
    let objects = asked.json_lines();
    let variant = objects.iter().find(|object| object["type"] == "suite_variant").unwrap();
    let shares = variant["shares"].as_array().unwrap();
    let accepted = shares.iter().find(|share| share["measure"] == "accepted").unwrap();
    assert_eq!(json!([accepted["count"], accepted["of"]]), json!([2, 4]), "{variant}");
    let states: Vec<&Value> = objects.iter().filter(|object| object["type"] == "suite_answers").collect();
    assert_eq!(states.len(), 2);
    assert!(states.iter().all(|state| state["accepted_by"] == "environment"), "{states:?}");
}
