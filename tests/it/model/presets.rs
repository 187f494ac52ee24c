//! Presets of model families over complete episodes.

use serde_json::{Value, json};

use super::runs::sandbox;
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

fn play(sandbox: &Sandbox, server: &Server, model: &str, more: &[&str]) -> CommandResult {
    let url = server.url();
    let first = ["run", "two.xsb", "--json", "--store", "runs", "--agent", "model", "--model", model];
    sandbox.run(&[&first[..], &["--base-url", &url, "--max-steps", "1"], more].concat())
}

/// Which of these fields the last request had, with their values.
fn fields(server: &Server) -> Value {
    let body = server.requests().pop().unwrap();
    let names = ["temperature", "top_p", "frequency_penalty", "max_tokens", "max_completion_tokens"];
    names.iter().map(|name| body[*name].clone()).collect()
}

#[test]
fn the_fields_that_a_family_refuses_are_not_sent() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    assert_eq!(play(&sandbox, &server, "openai/gpt-5-mini", &[]).code, Some(0));
    assert_eq!(fields(&server), json!([null, null, null, null, 4000]));
    assert_eq!(play(&sandbox, &server, "qwen2.5-vl", &[]).code, Some(0));
    assert_eq!(fields(&server), json!([0.1, 0.95, 1.0, 4000, null]));
}

#[test]
fn a_given_setting_wins_and_a_preset_can_be_switched_off() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    assert_eq!(play(&sandbox, &server, "o3", &["--temperature", "0.5"]).code, Some(0));
    assert_eq!(fields(&server), json!([0.5, null, null, null, 4000]));
    let url = server.url();
    sandbox.write("work/mageyard.toml", "[model]\ntemperature = 0.5\n");
    let doctor = ["doctor", "--json", "--base-url", &url, "--model", "o3"];
    let rows = sandbox.run(&doctor).json_lines();
    let preset = rows.iter().find(|row| row["name"] == "model, preset").unwrap();
    assert!(
        preset["detail"].as_str().unwrap().contains("keeps temperature, which your settings give"),
        "{preset}"
    );
    sandbox.write("work/mageyard.toml", "[model]\npreset = \"none\"\n");
    assert_eq!(play(&sandbox, &server, "o3", &[]).code, Some(0));
    assert_eq!(fields(&server), json!([0.1, 0.95, 1.0, 4000, null]));
    sandbox.write("work/mageyard.toml", "[model]\npreset = \"gemni\"\n");
    play(&sandbox, &server, "o3", &[])
        .fails_with(2, &["mageyard.toml:2", "there is no preset", "did you mean gemini?"]);
}

#[test]
fn a_replay_uses_the_preset_of_the_recording() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox
        .write("config/mageyard/models.toml", "[presets.mine]\nmodels = [\"mock*\"]\nset = { seed = 7 }\n");
    assert_eq!(play(&sandbox, &server, "mock-2", &[]).code, Some(0));
    assert_eq!(server.requests()[0]["seed"], 7);
    sandbox.write("config/mageyard/models.toml", "");
    let replayed = sandbox.run(&["replay", "last", "--json", "--store", "runs"]).json_lines();
    assert_eq!(replayed[0]["identical"], true, "{replayed:?}");
}

#[test]
fn presets_are_listed_and_mistakes_reported_with_their_line() {
    let sandbox = sandbox();
    let listed = sandbox.run(&["config", "models", "list"]).success();
    assert!(
        listed.contains("models.toml (does not exist)") && listed.contains("openai-reasoning"),
        "{listed}"
    );
    let example = sandbox.run(&["config", "models", "example"]).success();
    sandbox.write("config/mageyard/models.toml", &example);
    let rows = sandbox.run(&["config", "models", "list", "--json"]).json_lines();
    assert!(rows.iter().all(|row| row["type"] == "preset" && row["source"] == "own"), "{rows:?}");
    sandbox.run(&["config", "models", "check"]).success();
    sandbox.write("config/mageyard/models.toml", "[presets.a]\nmodel = []\n");
    sandbox.run(&["config", "models", "check"]).fails_with(2, &["models.toml:2", "unknown field `model`"]);
}
