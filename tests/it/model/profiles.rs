//! Profiles of models over the whole program: chosen by name, recorded as resolved, listed, checked and saved.

use serde_json::Value;

use super::runs::sandbox;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

const SETTINGS: &str = "config/mageyard/config.toml";

/// A sandbox with the profile `local` of this server.
fn with_profile(server: &Server) -> Sandbox {
    let sandbox = sandbox();
    let url = server.url();
    let general = "[model]\nbase_url = \"http://127.0.0.1:9/v1\"\ntemperature = 0.9\n";
    let own = format!(
        "\n[models.local]\nname = \"mock\"\nbase_url = \"{url}\"\ntemperature = 0.25\nmax_tokens = 77\n\
         input = 1\noutput = 2\ncurrency = \"USD\"\n"
    );
    sandbox.write(SETTINGS, format!("{general}{own}"));
    sandbox
}

const RUN: [&str; 8] = ["run", "two.xsb", "--json", "--agent", "model", "--max-steps", "1", "--model"];

#[test]
fn a_profile_selects_server_model_and_parameters_and_a_replay_does_not_need_it() {
    let server = Server::start(Behavior::Normal);
    let sandbox = with_profile(&server);
    let rows = sandbox.run(&[&RUN[..], &["local"]].concat()).json_lines();
    let body = server.requests().pop().unwrap();
    assert_eq!(
        (&body["model"], &body["temperature"], &body["max_tokens"]),
        (&"mock".into(), &0.25.into(), &77.into())
    );
    let episode = rows.iter().find(|row| row["type"] == "episode").unwrap();
    assert_eq!(episode["model"], "mock", "{episode}");
    let journal =
        std::fs::read_to_string(sandbox.sessions("data/mageyard/sessions")[0].join("0001/journal.jsonl"));
    let head: Value = serde_json::from_str(journal.unwrap().lines().next().unwrap()).unwrap();
    assert!(head.to_string().contains("\"profile\":\"local\""), "{head}");
    let report = sandbox.run(&["report", "last", "--json"]).json_lines();
    assert!(report[0]["cost"].to_string().contains("USD"), "{}", report[0]);
    let flag = sandbox.run(&[&RUN[..], &["local", "--temperature", "0.5"]].concat());
    assert_eq!(flag.code, Some(0), "{}", flag.err);
    assert_eq!(server.requests().pop().unwrap()["temperature"], 0.5);
    let asked = server.requests().len();
    sandbox.write(SETTINGS, "");
    let replay = sandbox.run(&["replay", "last"]);
    assert_eq!((replay.code, server.requests().len()), (Some(0), asked), "{}", replay.err);
}

#[test]
fn profiles_are_named_in_asks_branches_sweeps_and_changes_of_seat() {
    let server = Server::start(Behavior::Normal);
    let sandbox = with_profile(&server);
    let played = sandbox.run(&["run", "two.xsb", "--agent", "idle", "--max-steps", "1"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    let asked = sandbox.run(&["ask", "last#1", "--models", "local", "--json"]);
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    let body = server.requests().pop().unwrap();
    assert_eq!((&body["model"], &body["temperature"]), (&"mock".into(), &0.25.into()));
    assert!(asked.out.contains("\"USD\""), "its price is known: {}", asked.out);
    let fork = sandbox.run(&["fork", "last#1", "--agent", "model", "--model", "local"]);
    assert_eq!(fork.code, Some(0), "{}", fork.err);
    assert_eq!(server.requests().pop().unwrap()["max_tokens"], 77);
    let seat =
        ["run", "two.xsb", "--agent", "idle", "--max-steps", "2", "--break", "step=1 seat model:local"];
    let seat = sandbox.run(&seat);
    assert_eq!(server.requests().pop().unwrap()["temperature"], 0.25, "{}", seat.err);
    sandbox.write(
        "work/grid.toml",
        "levels = \"two.xsb\"\n[settings]\nplay.agent = \"model\"\nplay.max_steps = 1\n[[grid]]\nmodel.name = [\"local\", \"mock\"]\n",
    );
    let plan = sandbox.run(&["sweep", "plan", "grid.toml", "--json"]);
    let cells: Vec<Value> = plan.json_lines().into_iter().filter(|row| row["type"] == "cell").collect();
    assert_eq!(cells.len(), 2, "{}{}", plan.out, plan.err);
    assert!(cells[0].to_string().contains("\"local\""), "{}", cells[0]);
}

#[test]
fn profiles_are_listed_printed_and_checked() {
    let server = Server::start(Behavior::Seeing);
    let sandbox = with_profile(&server).with("OPENAI_API_KEY", "sk-never-shown-1");
    let listed = sandbox.run(&["models", "list", "--json"]);
    let rows = listed.json_lines();
    assert_eq!((&rows[0]["name"], &rows[0]["kind"]), (&"local".into(), &"profile".into()));
    assert_eq!((&rows[0]["url"], &rows[0]["key_is_set"]), (&server.url().into(), &true.into()));
    assert_eq!(rows[0]["line"], 5);
    assert!(rows.iter().any(|row| row["name"] == "demo-weak" && row["kind"] == "simulated"));
    let table = sandbox.run(&["models", "list"]).success();
    assert!(table.contains("OPENAI_API_KEY (set)"), "{table}");
    assert!(!format!("{table}{}", listed.out).contains("sk-never"), "{table}");
    assert!(server.requests().is_empty(), "a list asks nothing");
    let printed = sandbox.run(&["config", "print", "--model", "local"]).success();
    assert!(printed.contains("[models.local]") && printed.contains("max_tokens = 77"), "{printed}");
    let name = printed.lines().find(|line| line.starts_with("name = \"mock\"")).unwrap();
    assert!(name.ends_with("config.toml:6"), "{name}");
    let checked = sandbox.run(&["config", "check"]).success();
    assert!(checked.contains("profile local"), "{checked}");
    let doctor = sandbox.run(&["doctor", "--model", "local", "--json"]).json_lines();
    let image = doctor.iter().find(|row| row["name"] == "model, one image").unwrap();
    assert_eq!(image["ability"], "works", "{image}");
    sandbox.write(SETTINGS, "[models.hot]\ntemperature = 7.0\n");
    sandbox.run(&["config", "check"]).fails_with(2, &["config.toml:2", "temperature"]);
    sandbox.write(SETTINGS, "[models.hot]\ntemprature = 1\n");
    sandbox.run(&["config", "check"]).fails_with(2, &["config.toml:2", "did you mean temperature?"]);
}

#[test]
fn a_profile_is_found_saved_and_used() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox();
    let url = server.url();
    let found = sandbox.run(&["models", "find", &url]).success();
    assert!(found.contains("\n  mock\n"), "{found}");
    sandbox.write(SETTINGS, "# mine\n[play]\nseed = 3 # three\n");
    let save = ["models", "save", "here", "--model", "mock", "--base-url", &url, "--temperature", "0.3"];
    let saved = sandbox.run(&save).success();
    assert!(saved.contains("config.toml:5: added profile here"), "{saved}");
    sandbox.run(&save).fails_with(2, &["there is a profile here", "--overwrite"]);
    assert!(sandbox.run(&[&save[..], &["--overwrite"]].concat()).success().contains("replaced"));
    let text = std::fs::read_to_string(sandbox.path(SETTINGS)).unwrap();
    assert!(text.starts_with("# mine\n[play]\nseed = 3 # three\n"), "{text}");
    sandbox.run(&[&RUN[..], &["here"]].concat()).success();
    assert_eq!(server.requests().pop().unwrap()["temperature"], 0.3);
    sandbox.run(&["models", "save", "demo", "--model", "x"]).fails_with(2, &["simulated model"]);
}

#[test]
fn a_missing_name_is_answered_with_the_models_of_the_server() {
    let server = Server::start(Behavior::Normal);
    let sandbox = sandbox();
    let url = server.url();
    let run = ["run", "two.xsb", "--agent", "model", "--base-url", &url];
    sandbox.run(&run).fails_with(2, &["a model needs a name", &format!("{url} has "), "mock"]);
    let play = ["play", "two.xsb", "--agent", "model"];
    sandbox.run(&play).fails_with(2, &["a model needs a name", "mageyard models find"]);
}
