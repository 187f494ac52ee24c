//! Differences of requests: what is removed, added and changed, and nothing else; and where repeats part.

use serde_json::Value;

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// An episode of a model of eight steps with this prompt.
fn play(sandbox: &Sandbox, server: &Server, prompt: &str) {
    sandbox.write("work/lost.xsb", "#####\n#$@ #\n#  .#\n#####\n");
    let url = server.url();
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url];
    let settings = ["--prompt", prompt, "--am", "5", "--om", "1", "--max-steps", "8"];
    assert_eq!(sandbox.run(&[&["run", "lost.xsb"][..], &model, &settings].concat()).code, Some(0));
}

fn diff(sandbox: &Sandbox, args: &[&str]) -> Value {
    let result = sandbox.run(&[&["diff"], args, &["--json"]].concat());
    assert_eq!(result.code, Some(0), "{args:?}: {}", result.err);
    result.json_lines().remove(0)
}

/// The changes of all turns: the change and the part, without equal ones.
fn changes(diff: &Value) -> Vec<String> {
    let parts = diff["turns"].as_array().unwrap().iter().flat_map(|turn| turn["parts"].as_array().unwrap());
    let words = |part: &Value| {
        let name = part["part"].as_str().unwrap();
        format!("{} {}", part["change"].as_str().unwrap(), name.split(' ').next().unwrap())
    };
    parts.filter(|part| part["change"] != "same").map(words).collect()
}

#[test]
fn a_request_against_itself_has_no_difference() {
    let server = Server::start(Behavior::Normal);
    let sandbox = Sandbox::new();
    play(&sandbox, &server, "HD-CoT");
    for step in ["last#1", "last#8"] {
        let diff = diff(&sandbox, &[step, step]);
        assert_eq!((&diff["equal"], changes(&diff)), (&true.into(), Vec::new()), "{diff}");
        assert_eq!(diff["tokens_in"][0], diff["tokens_in"][1], "{diff}");
        assert_eq!(diff["parameters"], Value::Array(Vec::new()));
    }
}

#[test]
fn between_a_prompt_with_and_without_images_only_the_images_and_the_changed_segments_differ() {
    let server = Server::start(Behavior::Normal);
    let sandbox = Sandbox::new();
    play(&sandbox, &server, "HD-CoT");
    play(&sandbox, &server, "HD-CoT-NoIMG");
    let sessions = sandbox.sessions("data/mageyard/sessions");
    let names: Vec<_> = sessions.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let diff = diff(&sandbox, &[&format!("{}#1", names[0]), &format!("{}#1", names[1])]);
    let found = changes(&diff);
    assert_eq!(found, ["changed system", "removed image", "added board"]);
    assert_eq!(diff["images"], serde_json::json!([1, 0]));
    let sent = |prompt: usize| server.requests()[prompt * 8]["messages"].to_string();
    assert!(sent(0) != sent(1));
}

#[test]
fn from_one_step_to_the_next_one_turn_goes_one_comes_and_one_frame_becomes_a_placeholder() {
    let server = Server::start(Behavior::Normal);
    let sandbox = Sandbox::new();
    play(&sandbox, &server, "HD-CoT");
    let diff = diff(&sandbox, &["last#7", "last#8"]);
    assert_eq!(diff["images"], serde_json::json!([1, 1]), "OM is 1");
    let turns = diff["turns"].as_array().unwrap();
    let roles = |side: &str, other: &str| {
        let only = turns.iter().filter(|turn| !turn[side].is_null() && turn[other].is_null());
        only.map(|turn| turn["role"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(roles("old", "new").iter().filter(|role| **role == "assistant").count(), 1, "{diff}");
    assert_eq!(roles("new", "old").iter().filter(|role| **role == "assistant").count(), 1, "{diff}");
    let both = turns.iter().filter(|turn| !turn["old"].is_null() && !turn["new"].is_null());
    let replaced = both.filter(|turn| {
        let parts = turn["parts"].as_array().unwrap();
        let has = |change: &str, name: &str| {
            parts
                .iter()
                .any(|part| part["change"] == change && part["part"].as_str().unwrap().starts_with(name))
        };
        has("removed", "image") && has("added", "placeholder")
    });
    assert_eq!(replaced.count(), 1, "{diff}");
}

#[test]
fn repeats_are_compared_up_to_the_state_at_which_they_part() {
    let sandbox = Sandbox::new();
    let run = ["run", "sokoban/full/1", "--agent", "random", "--repeats", "4", "--max-steps", "6"];
    sandbox.run(&run).success();
    let diff = diff(&sandbox, &["last"]);
    assert_eq!(diff["repeats"], 4);
    let choices = diff["choices"].as_array().unwrap();
    let count: u64 = choices.iter().map(|choice| choice["count"].as_u64().unwrap()).sum();
    assert_eq!((count, &diff["same_state"]), (4, &true.into()), "{diff}");
    assert!(choices.len() > 1 && diff["step"].as_u64().unwrap() >= 1, "{diff}");
    // The runs of a choice did what it says.
    for choice in choices {
        for run in choice["runs"].as_array().unwrap() {
            let step = sandbox.run(&["view", run.as_str().unwrap(), "--json"]).json_lines().remove(0);
            assert_eq!(step["action"], choice["action"], "{run}");
        }
    }
    let text = sandbox.run(&["diff", "last"]).success();
    assert!(text.contains("4 repeats: they part at step") && text.contains("solved 0 of"), "{text}");
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "3"]).success();
    sandbox.run(&["diff", "last"]).fails_with(2, &["no two episodes of the same level and settings"]);
    sandbox
        .run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "3", "--repeats", "2"])
        .success();
    let equal = sandbox.run(&["diff", "last"]).success();
    assert!(equal.contains("every state and every action is equal"), "{equal}");
}
