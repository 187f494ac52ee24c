//! The agent `replay`: repeats a recording and stops at the first request that differs.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::{CommandResult, Sandbox};
use crate::server::{Behavior, Server};

/// Solved in two moves.
const TWO_STEP_LEVEL: &str = "######\n#@$ .#\n######\n";
/// The box is in a corner: the level is dead.
const DEAD_LEVEL: &str = "#####\n#$@ #\n#  .#\n#####\n";

const PROMPT: &str = include_str!("../../src/envs/sokoban/prompts/0s-CoT.md");

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/two.xsb", TWO_STEP_LEVEL);
    sandbox.write("work/lost.xsb", DEAD_LEVEL);
    sandbox
}

fn run(sandbox: &Sandbox, more: &[&str]) -> CommandResult {
    sandbox.run(&[&["run", "--json", "--store", "runs"], more].concat())
}

/// Records a model on a level.
fn record(sandbox: &Sandbox, server: &Server, more: &[&str]) {
    let url = server.url();
    let first = ["--agent", "model", "--model", "mock", "--base-url", &url];
    assert_eq!(run(sandbox, &[&first[..], more].concat()).code, Some(0));
}

fn replay(sandbox: &Sandbox, more: &[&str]) -> CommandResult {
    run(sandbox, &[&["--agent", "replay", "--from", "last"], more].concat())
}

/// The journals of all episodes, oldest first.
fn journals(sandbox: &Sandbox) -> Vec<PathBuf> {
    let sessions = sandbox.sessions("work/runs").into_iter();
    let mut paths: Vec<_> = sessions.map(|session| session.join("0001/journal.jsonl")).collect();
    paths.sort_by_key(|path| {
        // A number at the end distinguishes sessions of the same second.
        let name = path.iter().rev().nth(2).unwrap().to_string_lossy().into_owned();
        (name.len(), name)
    });
    paths
}

/// The events of these names, without numbers, times and seals.
fn events(journal: &PathBuf, names: &[&str]) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let wanted = lines.filter(|line| names.contains(&line["event"].as_str().unwrap()));
    wanted
        .map(|mut line| {
            for name in ["n", "at", "seal", "usage", "latency_ms"] {
                line.as_object_mut().unwrap().remove(name);
            }
            line
        })
        .collect()
}

const STORY_EVENTS: [&str; 8] =
    ["opened", "replied", "stood", "accepted", "planned", "refused", "passed", "acted"];

/// Asserts that both episodes have the same events.
fn assert_same_events(sandbox: &Sandbox) -> PathBuf {
    let journals = journals(sandbox);
    let [recorded, now] = journals.as_slice() else { panic!("{journals:?}") };
    let recorded = events(recorded, &STORY_EVENTS);
    let replayed = events(now, &STORY_EVENTS);
    assert!(!recorded.is_empty());
    assert_eq!(recorded, replayed);
    now.clone()
}

#[test]
fn a_recorded_model_is_replayed_without_server_or_cost() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    record(&sandbox, &server, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    let asked = server.requests().len();
    drop(server);
    let result = replay(&sandbox, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    assert_eq!((result.code, result.err.as_str(), asked), (Some(0), "", 6));
    let now = assert_same_events(&sandbox);
    assert!(events(&now, &["sent"]).is_empty(), "nothing was sent");
    assert!(!fs::read_to_string(now).unwrap().contains("usage"), "and no usage");
}

#[test]
fn built_in_agents_are_replayed_with_their_mistakes() {
    for (agent, setting) in [
        ("oracle", "online"),
        ("oracle", "global"),
        ("faulty", "online"),
        ("faulty", "global"),
        ("idle", "online"),
    ] {
        let sandbox = sandbox();
        let level = ["sokoban/full/1", "--setting", setting, "--max-steps", "12", "--seed", "4"];
        assert_eq!(run(&sandbox, &[&["--agent", agent][..], &level].concat()).code, Some(0));
        let result = replay(&sandbox, &level);
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{agent} {setting}");
        assert_same_events(&sandbox);
    }
}

#[test]
fn every_repeat_of_every_level_uses_its_own_recording() {
    let sandbox = sandbox();
    let levels = ["sokoban/mini", "--repeats", "2", "--max-steps", "5"];
    assert_eq!(run(&sandbox, &[&["--agent", "random"][..], &levels].concat()).code, Some(0));
    let (recorded, replayed) = {
        let replayed = replay(&sandbox, &levels);
        let recorded = run(&sandbox, &[&["--agent", "random"][..], &levels].concat());
        (recorded.json_lines(), replayed.json_lines())
    };
    let steps = |objects: &[Value]| {
        let mut steps: Vec<_> = objects.iter().filter(|object| object["type"] == "step").cloned().collect();
        for step in &mut steps {
            // The agent and its session differ by design.
            for field in ["session", "folder", "agent"] {
                step.as_object_mut().unwrap().shift_remove(field).unwrap();
            }
        }
        steps
    };
    assert!(steps(&recorded).len() > 50);
    assert_eq!(steps(&recorded), steps(&replayed));
}

/// Replays a recording made with AM 3 and OM 2 after a change.
fn replay_with_change(more: &[&str], change: impl FnOnce(&Sandbox)) -> (Sandbox, CommandResult) {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    record(&sandbox, &server, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    change(&sandbox);
    let window = if more.is_empty() { &["--am", "3", "--om", "2"][..] } else { more };
    let result = replay(&sandbox, &[&["lost.xsb", "--max-steps", "6"], window].concat());
    (sandbox, result)
}

#[test]
fn another_memory_window_stops_at_the_first_different_turn() {
    // At step 4 AM 2 no longer has the first output, which AM 3 has.
    let (_, result) = replay_with_change(&["--am", "2", "--om", "2"], |_| {});
    result.fails_with(5, &["step 4, attempt 1, turn 3 of the request: the text differs: recorded “"]);
    assert_eq!(result.json_lines().len(), 3, "three steps had the same request: {}", result.out);
    // At step 2 OM 1 drops the frame of the first step.
    let (_, result) = replay_with_change(&["--am", "3", "--om", "1"], |_| {});
    result.fails_with(5, &["lost.xsb#1: step 2, attempt 1, turn 2 of the request: the text differs"]);
}

#[test]
fn another_prompt_stops_the_replay_until_it_is_corrected() {
    let (sandbox, result) = replay_with_change(&[], |sandbox| {
        assert!(PROMPT.contains("## turn"), "the prompt has a turn segment");
        let text = PROMPT.replacen("## turn\n", "## turn\n\u{1b}[2JLook again.\n", 1);
        sandbox.write("config/mageyard/prompts/sokoban/0s-CoT.md", text);
    });
    result.fails_with(5, &["step 2, attempt 1, turn 4 of the request: the text differs", "␛[2JLook again."]);
    assert!(!result.err.contains("\u{1b}[2J"), "{:?}", result.err);
    fs::remove_file(sandbox.path("config/mageyard/prompts/sokoban/0s-CoT.md")).unwrap();
    let result = run(&sandbox, &["--resume", "last"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_same_events(&sandbox);
}

#[test]
fn environment_settings_come_from_the_recording() {
    let (sandbox, result) = replay_with_change(&[], |sandbox| {
        sandbox.write(
            "work/mageyard.toml",
            "[sokoban]\ntile = 24\n[memory]\nam = 1\nom = 1\n[play]\nseed = 9\n",
        );
    });
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_same_events(&sandbox);
}

#[test]
fn without_a_level_everything_comes_from_the_recording() {
    let sandbox = sandbox();
    let random = ["two.xsb", "--agent", "random", "--seed", "7", "--max-steps", "3", "--repeats", "2"];
    assert_eq!(run(&sandbox, &random).code, Some(0));
    fs::remove_file(sandbox.path("work/two.xsb")).unwrap();
    let steps = |result: &CommandResult| {
        let actions = result.json_lines().into_iter().filter(|object| object["type"] == "step");
        actions.map(|object| object["action"].clone()).collect::<Vec<_>>()
    };
    let replayed = replay(&sandbox, &[]);
    assert_eq!((replayed.code, replayed.err.as_str()), (Some(0), ""));
    let viewed = sandbox.run(&["view", "last", "--json", "--store", "runs"]);
    assert_eq!(steps(&replayed), steps(&viewed));
    assert_eq!(replayed.json_lines().iter().filter(|object| object["type"] == "episode").count(), 2);
    let mut pty = Pty::start(
        &sandbox.command(&["play", "--store", "runs", "--agent", "replay", "--from", "last"]),
        120,
        40,
    );
    pty.sees("two.xsb#1").press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    let nothing = sandbox.run(&["run"]);
    assert_eq!((nothing.code, nothing.err.contains("LEVELS")), (Some(2), true), "{}", nothing.err);
}

fn verify(sandbox: &Sandbox, more: &[&str]) -> CommandResult {
    sandbox.run(&[&["replay"], more, &["--json", "--store", "runs"]].concat())
}

#[test]
fn the_verb_verifies_a_session_by_itself() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    record(&sandbox, &server, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2", "--seed", "4"]);
    drop(server);
    sandbox.write("work/mageyard.toml", "[sokoban]\ntile = 24\n[play]\nprompt = \"none\"\n");
    fs::remove_file(sandbox.path("work/lost.xsb")).unwrap();
    let result = verify(&sandbox, &["last"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let row = result.json_lines().remove(0);
    let facts =
        json!([row["type"], row["steps"], row["requests"], row["identical"], row["difference"], row["seed"]]);
    assert_eq!(facts, json!(["replay", 6, 6, true, null, 4]), "{row}");
    let part = verify(&sandbox, &["last#2"]).json_lines().remove(0);
    assert_eq!(json!([part["steps"], part["requests"]]), json!([2, 2]), "{part}");
    assert_eq!(journals(&sandbox).len(), 1, "nothing is stored");
    let text = sandbox.run(&["replay", "last", "--store", "runs"]).success();
    assert!(text.contains("/0001  lost.xsb#1  mock  6 steps, 6 requests, 6 replies: identical"), "{text}");
    verify(&sandbox, &["last#7"]).fails_with(2, &["there is no step 7", "the episode has steps 1 to 6"]);
    verify(&sandbox, &["last/2"]).fails_with(2, &["0002", "no journal"]);
    let other = verify(&sandbox, &["last", "--am", "2", "--om", "2"]);
    other.fails_with(5, &["/0001: ", "step 4, attempt 1, turn 3 of the request: the text differs"]);
    let row = other.json_lines().remove(0);
    assert_eq!(json!([row["identical"], row["steps"]]), json!([false, 3]), "{row}");
    assert!(row["difference"].as_str().unwrap().contains("step 4"), "{row}");
    sandbox.run(&["replay", "last", "--om", "1", "--store", "runs"]).fails_with(5, &["step 2, attempt 1"]);
}

#[test]
fn the_verb_verifies_mistakes_edits_and_plans() {
    for (agent, setting) in [
        ("oracle", "online"),
        ("oracle", "global"),
        ("faulty", "online"),
        ("faulty", "global"),
        ("idle", "online"),
    ] {
        let sandbox = sandbox();
        let more = ["--setting", setting, "--max-steps", "12", "--seed", "4", "--repeats", "2"];
        run(&sandbox, &[&["sokoban/full/1", "--agent", agent][..], &more].concat());
        let result = verify(&sandbox, &["last"]);
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{agent} {setting}");
        assert!(
            result.json_lines().iter().all(|row| row["identical"] == true),
            "{agent} {setting}: {}",
            result.out
        );
        assert_eq!(result.json_lines().len(), 2);
        assert_eq!(verify(&sandbox, &["last/2"]).json_lines().len(), 1);
    }
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let url = server.url();
    let args =
        ["play", "lost.xsb", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    let mut pty = Pty::start(&sandbox.command(&args), 120, 40);
    pty.sees("Enter asks").press("enter").sees("Enter applies").press("enter").sees("step 2 of 50");
    pty.sees("Enter asks")
        .press("[")
        .sees("AM 4")
        .press("}")
        .sees("OM 2")
        .press("enter")
        .sees("Enter applies");
    pty.press("enter").sees("step 3 of 50").press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    let row = verify(&sandbox, &["last"]).json_lines().remove(0);
    assert_eq!(json!([row["identical"], row["steps"], row["requests"]]), json!([true, 2, 2]), "{row}");
    verify(&sandbox, &["last", "--reader", "json"]).fails_with(5, &["step 1, attempt 1", "of the request"]);
    assert_eq!(run(&sandbox, &["two.xsb"]).code, Some(0));
    let reading = verify(&sandbox, &["last", "--reader", "json"]);
    reading.fails_with(5, &["step 1: the reply is read as a parse error, the recording has Right"]);
}

#[test]
fn the_verb_opens_the_screen_on_request() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["two.xsb", "--seed", "3"]).code, Some(0));
    fs::remove_file(sandbox.path("work/two.xsb")).unwrap();
    let mut pty = Pty::start(&sandbox.command(&["replay", "last", "--screen", "--store", "runs"]), 120, 40);
    pty.sees("two.xsb#1").sees("Enter asks").press("enter").sees("Enter applies").press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    assert_eq!(journals(&sandbox).len(), 2, "the screen stores a new session");
    sandbox
        .run(&["replay", "last#1", "--screen", "--store", "runs"])
        .fails_with(2, &["--screen always begins at the first step"]);
}

#[test]
fn a_manual_change_in_the_recording_is_named_with_the_difference() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let url = server.url();
    let args =
        ["play", "lost.xsb", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    let mut pty = Pty::start(&sandbox.command(&args), 120, 40);
    pty.sees("asks the agent").press("enter").sees("applies").press("enter").sees("step 2 of 50");
    pty.sees("asks the agent").press("[").sees("AM 4").press("[").sees("AM 3");
    pty.press("}").sees("OM 2").press("enter").sees("applies").press("enter").sees("step 3 of 50").press("q");
    let ended = pty.wait_for_exit();
    assert_eq!(ended.code, 0, "{}", ended.text);
    let result = replay(&sandbox, &["lost.xsb"]);
    result.fails_with(
        5,
        &[
            "step 2, attempt 1, turn 2",
            "a person intervened in the recording: the window was set to AM 3, OM 2 at step 2",
        ],
    );
}

#[test]
fn a_cancelled_request_is_skipped() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Flaky);
    let url = server.url();
    for _ in 0..3 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url, "--max-retries", "0", "two.xsb"];
    assert_eq!(run(&sandbox, &model).code, Some(1), "the first request fails");
    assert_eq!(run(&sandbox, &["--resume", "last"]).code, Some(0));
    assert_eq!(events(&journals(&sandbox)[0], &["cut"]).len(), 1);
    let result = replay(&sandbox, &["two.xsb"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert_same_events(&sandbox);
}

#[test]
fn a_replay_gives_up_at_the_end_of_its_recording() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["sokoban/full/1", "--agent", "random", "--max-steps", "2"]).code, Some(0));
    let result = replay(&sandbox, &["sokoban/full/1", "--max-steps", "4"]);
    result.fails_with(1, &["has no reply for step 3, attempt 1: its last reply is for step 2, attempt 1"]);
}

#[test]
fn a_damaged_recording_is_refused_with_its_line() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["sokoban/full/1"]).code, Some(0));
    let journal = journals(&sandbox).remove(0);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("# action", "# Action", 1)).unwrap();
    replay(&sandbox, &["sokoban/full/1"]).fails_with(5, &["journal.jsonl:", "seal"]);
    assert_eq!(journals(&sandbox).len(), 1, "no session was started");
}

#[test]
fn a_recording_that_does_not_match_is_refused() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["sokoban/full/1", "--seed", "3"]).code, Some(0));
    let there = "it has: sokoban/full/1, seed 3, Online";
    replay(&sandbox, &["sokoban/full/1", "--seed", "0"])
        .fails_with(2, &["there is no recording of sokoban/full/1, seed 0", there]);
    replay(&sandbox, &["sokoban/full/2", "--seed", "3"]).fails_with(2, &["sokoban/full/2, seed 3", there]);
    let global = ["sokoban/full/1", "--seed", "3", "--setting", "global"];
    replay(&sandbox, &global).fails_with(2, &["seed 3, Global", there]);
    run(&sandbox, &["sokoban/full/1", "--agent", "replay"])
        .fails_with(2, &["none is given", "--from SESSION"]);
    run(&sandbox, &["sokoban/full/1", "--agent", "replay", "--from", "nothing"])
        .fails_with(2, &["there is no session \"nothing\""]);
    run(&sandbox, &["sokoban/full/1", "--from", "last"])
        .fails_with(2, &["--from has no effect: the agent oracle does not use a recording"]);
    assert_eq!(journals(&sandbox).len(), 1, "no session was started");
    let variable = sandbox.with("MAGEYARD_FROM", "last").with("MAGEYARD_AGENT", "replay");
    assert_eq!(run(&variable, &["sokoban/full/1", "--seed", "3"]).code, Some(0));
    let head: Value = serde_json::from_str(
        fs::read_to_string(assert_same_events(&variable)).unwrap().lines().next().unwrap(),
    )
    .unwrap();
    assert_eq!(json!([head["head"]["agent"]]), json!(["replay"]));
    assert!(head["head"]["recording"].as_str().unwrap().starts_with('/'), "{head}");
}

#[test]
fn on_the_screen_a_difference_opens_a_dialog() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    for _ in 0..2 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    record(&sandbox, &server, &["two.xsb"]);
    let args = ["play", "two.xsb", "--store", "runs", "--agent", "replay", "--from", "last"];
    let mut pty = Pty::start(&sandbox.command(&args), 120, 40);
    pty.sees("asks the agent").press("enter").sees("Easy.").press("enter").sees("step 2 of 50");
    let nothing = "the agent replay replays a recording";
    pty.press("R").sees("Request of step 2, never sent").sees(nothing).sees("compared with the recorded");
    pty.press("esc").misses(nothing).press("enter").sees("applies").press("enter").sees("WON");
    pty.press("0").sees("viewing step 1").press("R").sees("Request of step 1, never sent").sees(nothing);
    pty.press("q").misses(nothing).press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    let mut pty = Pty::start(&sandbox.command(&["view", "last#1", "--store", "runs"]), 120, 40);
    pty.sees("viewing step 1").press("R").sees(nothing).sees("this is what a model would receive");
    pty.press("q").misses(nothing).press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    let session = journals(&sandbox)[0].ancestors().nth(2).unwrap().to_string_lossy().into_owned();
    let args = ["play", "two.xsb", "--store", "runs", "--agent", "replay", "--from", &session, "--am", "0"];
    let mut pty = Pty::start(&sandbox.command(&args), 80, 24);
    pty.sees("asks the agent").press("enter").sees("applies").press("enter").sees("step 2 of 50");
    pty.press("enter").sees("The session is paused by an error").sees("turn 2 of the request");
    pty.press("q").misses("The session is paused by an error").press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
}

/// Writes the receipt of the last recording.
fn receipt(sandbox: &Sandbox, name: &str) -> CommandResult {
    sandbox.run(&["replay", "last", "--store", "runs", "--receipt", name])
}

fn against(sandbox: &Sandbox, name: &str) -> CommandResult {
    sandbox.run(&["replay", "last", "--store", "runs", "--against", name])
}

#[test]
fn a_receipt_is_compared_by_others_down_to_a_pixel() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    record(&sandbox, &server, &["lost.xsb", "--max-steps", "3"]);
    assert_eq!(receipt(&sandbox, "r.jsonl").code, Some(0));
    assert_eq!(receipt(&sandbox, "r.jsonl").code, Some(2), "a file is not overwritten");
    assert_eq!(against(&sandbox, "r.jsonl").code, Some(0));
    let text = fs::read_to_string(sandbox.path("work/r.jsonl")).unwrap();
    let line: Value = serde_json::from_str(&text).unwrap();
    let steps = line["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 4, "three steps and the final observation");
    assert!(steps[..3].iter().all(|step| step["requests"].as_array().unwrap().len() == 1));
    // Pictures as they would be if one pixel were another one, and everything else in turn.
    for (field, value, what) in [
        ("pictures", json!(["00000000000000a1"]), "pixels of a picture"),
        ("state", json!("00000000000000a1"), "state"),
        ("requests", json!([]), "request"),
        ("replies", json!(["00000000000000a1"]), "reply"),
        ("reward", json!(7.0), "reward"),
        ("action", json!("Wait"), "action"),
    ] {
        let mut other = line.clone();
        other["steps"][1][field] = value;
        sandbox.write("work/other.jsonl", other.to_string());
        let compared = against(&sandbox, "other.jsonl");
        compared.fails_with(5, &[&format!("step 2: the receipt has another {what}")]);
    }
    sandbox.write("work/other.jsonl", "{}");
    against(&sandbox, "other.jsonl").fails_with(2, &["not a receipt", "other.jsonl"]);
}
