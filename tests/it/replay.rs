//! The agent `replay`: repeats a recording and stops at the first request that differs.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;

use crate::pty::Pty;
use crate::sandbox::CommandResult;
use crate::sandbox::Sandbox;
use crate::server::Behavior;
use crate::server::Server;

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
    let sessions = fs::read_dir(sandbox.path("work/runs")).unwrap();
    let mut paths: Vec<_> =
        sessions.map(|session| session.unwrap().path().join("0001/journal.jsonl")).collect();
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
            for name in ["n", "at", "seal", "usage"] {
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
    let (recorded, replayed) = (events(recorded, &STORY_EVENTS), events(now, &STORY_EVENTS));
    assert!(!recorded.is_empty());
    assert_eq!(recorded, replayed);
    now.clone()
}

#[test]
fn a_recorded_model_is_replayed_without_server_or_cost() {
    let (sandbox, server) = (sandbox(), Server::start(Behavior::Normal));
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
        let level = ["sokoban/mini/1", "--setting", setting, "--max-steps", "12", "--seed", "4"];
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
        let steps = objects.iter().filter(|object| object["type"] == "step").cloned();
        steps.collect::<Vec<_>>()
    };
    assert!(steps(&recorded).len() > 50);
    assert_eq!(steps(&recorded), steps(&replayed));
}

/// Replays a recording made with AM 3 and OM 2 after a change.
fn replay_with_change(more: &[&str], change: impl FnOnce(&Sandbox)) -> (Sandbox, CommandResult) {
    let (sandbox, server) = (sandbox(), Server::start(Behavior::Normal));
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
fn another_image_stops_the_replay() {
    let (_, result) = replay_with_change(&[], |sandbox| {
        sandbox.write("work/mageyard.toml", "[sokoban]\ntile = 24\n");
    });
    result.fails_with(5, &["step 1, attempt 1, turn 2 of the request: its picture 1 differs"]);
}

#[test]
fn a_manual_change_in_the_recording_is_named_with_the_difference() {
    let (sandbox, server) = (sandbox(), Server::start(Behavior::Normal));
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
    let (sandbox, server) = (sandbox(), Server::start(Behavior::Flaky));
    let url = server.url();
    (0..3).for_each(|_| server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n"));
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
    assert_eq!(run(&sandbox, &["sokoban/mini/1", "--agent", "random", "--max-steps", "2"]).code, Some(0));
    let result = replay(&sandbox, &["sokoban/mini/1", "--max-steps", "4"]);
    result.fails_with(1, &["has no reply for step 3, attempt 1: its last reply is for step 2, attempt 1"]);
}

#[test]
fn a_damaged_recording_is_refused_with_its_line() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["sokoban/mini/1"]).code, Some(0));
    let journal = journals(&sandbox).remove(0);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("# action", "# Action", 1)).unwrap();
    replay(&sandbox, &["sokoban/mini/1"]).fails_with(5, &["journal.jsonl:", "seal"]);
    assert_eq!(journals(&sandbox).len(), 1, "no session was started");
}

#[test]
fn a_recording_that_does_not_match_is_refused() {
    let sandbox = sandbox();
    assert_eq!(run(&sandbox, &["sokoban/mini/1", "--seed", "3"]).code, Some(0));
    let there = "it has: sokoban/mini/1, seed 3, Online";
    replay(&sandbox, &["sokoban/mini/1"])
        .fails_with(2, &["there is no recording of sokoban/mini/1, seed 0", there]);
    replay(&sandbox, &["sokoban/mini/2", "--seed", "3"]).fails_with(2, &["sokoban/mini/2, seed 3", there]);
    let global = ["sokoban/mini/1", "--seed", "3", "--setting", "global"];
    replay(&sandbox, &global).fails_with(2, &["seed 3, Global", there]);
    run(&sandbox, &["sokoban/mini/1", "--agent", "replay"])
        .fails_with(2, &["none is given", "--from SESSION"]);
    run(&sandbox, &["sokoban/mini/1", "--agent", "replay", "--from", "nothing"])
        .fails_with(2, &["there is no session \"nothing\""]);
    run(&sandbox, &["sokoban/mini/1", "--from", "last"])
        .fails_with(2, &["--from has no effect: the agent oracle does not use a recording"]);
    assert_eq!(journals(&sandbox).len(), 1, "no session was started");
    let variable = sandbox.with("MAGEYARD_FROM", "last").with("MAGEYARD_AGENT", "replay");
    assert_eq!(run(&variable, &["sokoban/mini/1", "--seed", "3"]).code, Some(0));
    let head: Value = serde_json::from_str(
        fs::read_to_string(assert_same_events(&variable)).unwrap().lines().next().unwrap(),
    )
    .unwrap();
    assert_eq!(json!([head["head"]["agent"]]), json!(["replay"]));
    assert!(head["head"]["seated"]["from"].as_str().unwrap().starts_with('/'), "{head}");
}

#[test]
fn on_the_screen_a_difference_opens_a_dialog() {
    let (sandbox, server) = (sandbox(), Server::start(Behavior::Normal));
    (0..2).for_each(|_| server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n"));
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
