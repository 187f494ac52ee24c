//! An agent that speaks from a recording: it says again what was said, and stops with a word at the first
//! request that is not the one that was answered.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;

use crate::pty::Pty;
use crate::server::Mood;
use crate::server::Server;
use crate::world::Ran;
use crate::world::World;

/// Solved in two moves.
const TWO: &str = "######\n#@$ .#\n######\n";
/// The box stands in a corner: nobody ever wins.
const LOST: &str = "#####\n#$@ #\n#  .#\n#####\n";

const PROMPT: &str = include_str!("../../src/envs/sokoban/prompts/0s-CoT.md");

fn world() -> World {
    let world = World::new();
    world.write("work/two.xsb", TWO);
    world.write("work/lost.xsb", LOST);
    world
}

fn run(world: &World, more: &[&str]) -> Ran {
    world.run(&[&["run", "--json", "--store", "runs"], more].concat())
}

/// Records a model on a level.
fn record(world: &World, server: &Server, more: &[&str]) {
    let url = server.url();
    let first = ["--agent", "model", "--model", "mock", "--base-url", &url];
    assert_eq!(run(world, &[&first[..], more].concat()).code, Some(0));
}

fn replay(world: &World, more: &[&str]) -> Ran {
    run(world, &[&["--agent", "replay", "--from", "last"], more].concat())
}

/// The journals of all episodes, oldest first.
fn journals(world: &World) -> Vec<PathBuf> {
    let sessions = fs::read_dir(world.path("work/runs")).unwrap();
    let mut paths: Vec<_> =
        sessions.map(|session| session.unwrap().path().join("0001/journal.jsonl")).collect();
    paths.sort_by_key(|path| {
        // Two sessions of the same second are told apart by the number at the end.
        let name = path.iter().rev().nth(2).unwrap().to_string_lossy().into_owned();
        (name.len(), name)
    });
    paths
}

/// What happened, by event; numbers, times and seals aside.
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

const STORY: [&str; 8] = ["opened", "replied", "stood", "accepted", "planned", "refused", "passed", "acted"];

/// The two episodes there are tell the same story.
fn same_story(world: &World) -> PathBuf {
    let journals = journals(world);
    let [recorded, now] = journals.as_slice() else { panic!("{journals:?}") };
    let (recorded, replayed) = (events(recorded, &STORY), events(now, &STORY));
    assert!(!recorded.is_empty());
    assert_eq!(recorded, replayed);
    now.clone()
}

#[test]
fn a_recorded_model_says_the_same_again_without_a_server_and_for_nothing() {
    let (world, server) = (world(), Server::start(Mood::Normal));
    record(&world, &server, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    let asked = server.requests().len();
    drop(server);
    let ran = replay(&world, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    assert_eq!((ran.code, ran.err.as_str(), asked), (Some(0), "", 6));
    let now = same_story(&world);
    assert!(events(&now, &["sent"]).is_empty(), "nothing was sent");
    assert!(!fs::read_to_string(now).unwrap().contains("usage"), "and nothing used up");
}

#[test]
fn agents_without_a_model_are_repeated_with_their_mistakes_and_their_standing() {
    for (agent, setting) in [
        ("oracle", "online"),
        ("oracle", "global"),
        ("faulty", "online"),
        ("faulty", "global"),
        ("idle", "online"),
    ] {
        let world = world();
        let level = ["sokoban/mini/1", "--setting", setting, "--max-steps", "12", "--seed", "4"];
        assert_eq!(run(&world, &[&["--agent", agent][..], &level].concat()).code, Some(0));
        let ran = replay(&world, &level);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{agent} {setting}");
        same_story(&world);
    }
}

#[test]
fn every_repeat_of_every_level_finds_its_own_recording() {
    let world = world();
    let levels = ["sokoban/mini", "--repeats", "2", "--max-steps", "5"];
    assert_eq!(run(&world, &[&["--agent", "random"][..], &levels].concat()).code, Some(0));
    let (recorded, replayed) = {
        let replayed = replay(&world, &levels);
        let recorded = run(&world, &[&["--agent", "random"][..], &levels].concat());
        (recorded.objects(), replayed.objects())
    };
    let steps = |objects: &[Value]| {
        let steps = objects.iter().filter(|object| object["type"] == "step").cloned();
        steps.collect::<Vec<_>>()
    };
    assert!(steps(&recorded).len() > 50);
    assert_eq!(steps(&recorded), steps(&replayed));
}

/// What a replay says about a recording with AM 3 and OM 2.
fn changed(more: &[&str], change: impl FnOnce(&World)) -> (World, Ran) {
    let (world, server) = (world(), Server::start(Mood::Normal));
    record(&world, &server, &["lost.xsb", "--max-steps", "6", "--am", "3", "--om", "2"]);
    change(&world);
    let window = if more.is_empty() { &["--am", "3", "--om", "2"][..] } else { more };
    let ran = replay(&world, &[&["lost.xsb", "--max-steps", "6"], window].concat());
    (world, ran)
}

#[test]
fn another_memory_window_stops_it_at_the_first_turn_that_differs() {
    // At step 4 an AM of 2 has forgotten the first output, which an AM of 3 still says.
    let (_, ran) = changed(&["--am", "2", "--om", "2"], |_| {});
    ran.refused(
        5,
        &["step 4, attempt 1, turn 3 of the request: the text differs from the recording: then “"],
    );
    assert_eq!(ran.objects().len(), 3, "three steps had the same request: {}", ran.out);
    // At step 2 an OM of 1 drops the frame of the first step.
    let (_, ran) = changed(&["--am", "3", "--om", "1"], |_| {});
    ran.refused(5, &["lost.xsb#1: step 2, attempt 1, turn 2 of the request: the text differs"]);
}

#[test]
fn another_prompt_stops_it_and_putting_it_right_goes_on() {
    let (world, ran) = changed(&[], |world| {
        assert!(PROMPT.contains("## turn"), "the story needs it");
        let text = PROMPT.replacen("## turn\n", "## turn\n\u{1b}[2JLook again.\n", 1);
        world.write("config/mageyard/prompts/sokoban/0s-CoT.md", text);
    });
    ran.refused(5, &["step 2, attempt 1, turn 4 of the request: the text differs", "␛[2JLook again."]);
    assert!(!ran.err.contains("\u{1b}[2J"), "{:?}", ran.err);
    fs::remove_file(world.path("config/mageyard/prompts/sokoban/0s-CoT.md")).unwrap();
    let ran = run(&world, &["--resume", "last"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    same_story(&world);
}

#[test]
fn another_picture_stops_it_by_its_digest() {
    let (_, ran) = changed(&[], |world| {
        world.write("work/mageyard.toml", "[sokoban]\ntile = 24\n");
    });
    ran.refused(5, &["step 1, attempt 1, turn 2 of the request: its picture 1 differs from the recording"]);
}

#[test]
fn a_change_by_a_person_in_the_recording_is_named_beside_the_difference() {
    let (world, server) = (world(), Server::start(Mood::Normal));
    let url = server.url();
    let args =
        ["play", "lost.xsb", "--store", "runs", "--agent", "model", "--model", "mock", "--base-url", &url];
    let mut pty = Pty::start(&world.command(&args), 120, 40);
    pty.sees("asks the agent").press("enter").sees("applies").press("enter").sees("step 2 of 50");
    pty.sees("asks the agent").press("[").sees("AM 4").press("[").sees("AM 3");
    pty.press("}").sees("OM 2").press("enter").sees("applies").press("enter").sees("step 3 of 50").press("q");
    let ended = pty.ends();
    assert_eq!(ended.code, 0, "{}", ended.text);
    let ran = replay(&world, &["lost.xsb"]);
    ran.refused(
        5,
        &["step 2, attempt 1, turn 2", "a person had intervened: the window was set to AM 3, OM 2 at step 2"],
    );
}

#[test]
fn a_cut_request_is_passed_over() {
    let (world, server) = (world(), Server::start(Mood::Flaky));
    let url = server.url();
    (0..3).for_each(|_| server.say("# analyze\nEasy.\n\n# action\nRight\n"));
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url, "--max-retries", "0", "two.xsb"];
    assert_eq!(run(&world, &model).code, Some(1), "the first request fails");
    assert_eq!(run(&world, &["--resume", "last"]).code, Some(0));
    assert_eq!(events(&journals(&world)[0], &["cut"]).len(), 1);
    let ran = replay(&world, &["two.xsb"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    same_story(&world);
}

#[test]
fn beyond_its_end_a_recording_says_nothing() {
    let world = world();
    assert_eq!(run(&world, &["sokoban/mini/1", "--agent", "random", "--max-steps", "2"]).code, Some(0));
    let ran = replay(&world, &["sokoban/mini/1", "--max-steps", "4"]);
    ran.refused(1, &["has no answer for step 3, attempt 1: its last is for step 2, attempt 1"]);
}

#[test]
fn a_damaged_recording_is_refused_with_its_line() {
    let world = world();
    assert_eq!(run(&world, &["sokoban/mini/1"]).code, Some(0));
    let journal = journals(&world).remove(0);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("# action", "# Action", 1)).unwrap();
    replay(&world, &["sokoban/mini/1"]).refused(5, &["journal.jsonl:", "seal"]);
    assert_eq!(journals(&world).len(), 1, "nothing was begun");
}

#[test]
fn what_does_not_fit_is_refused_before_anything_begins() {
    let world = world();
    assert_eq!(run(&world, &["sokoban/mini/1", "--seed", "3"]).code, Some(0));
    let there = "there is: sokoban/mini/1, seed 3, Online";
    replay(&world, &["sokoban/mini/1"]).refused(2, &["nothing recorded is of sokoban/mini/1, seed 0", there]);
    replay(&world, &["sokoban/mini/2", "--seed", "3"]).refused(2, &["sokoban/mini/2, seed 3", there]);
    let global = ["sokoban/mini/1", "--seed", "3", "--setting", "global"];
    replay(&world, &global).refused(2, &["seed 3, Global", there]);
    run(&world, &["sokoban/mini/1", "--agent", "replay"]).refused(2, &["none is named", "--from RUN"]);
    run(&world, &["sokoban/mini/1", "--agent", "replay", "--from", "nothing"])
        .refused(2, &["there is no session \"nothing\""]);
    run(&world, &["sokoban/mini/1", "--from", "last"])
        .refused(2, &["--from has no effect: the agent is oracle"]);
    assert_eq!(journals(&world).len(), 1, "nothing was begun");
    let variable = world.with("MAGEYARD_FROM", "last").with("MAGEYARD_AGENT", "replay");
    assert_eq!(run(&variable, &["sokoban/mini/1", "--seed", "3"]).code, Some(0));
    let head: Value =
        serde_json::from_str(fs::read_to_string(same_story(&variable)).unwrap().lines().next().unwrap())
            .unwrap();
    assert_eq!(json!([head["head"]["agent"]]), json!(["replay"]));
    assert!(head["head"]["seated"]["from"].as_str().unwrap().starts_with('/'), "{head}");
}

#[test]
fn on_the_screen_it_plays_on_and_stops_with_a_sheet() {
    let (world, server) = (world(), Server::start(Mood::Normal));
    (0..2).for_each(|_| server.say("# analyze\nEasy.\n\n# action\nRight\n"));
    record(&world, &server, &["two.xsb"]);
    let args = ["play", "two.xsb", "--store", "runs", "--agent", "replay", "--from", "last"];
    let mut pty = Pty::start(&world.command(&args), 120, 40);
    pty.sees("asks the agent").press("enter").sees("Easy.").press("enter").sees("step 2 of 50");
    let nothing = "replay speaks from a recording and sends nothing";
    pty.press("R").sees("Request of step 2, never sent").sees(nothing).sees("held against the recorded");
    pty.press("esc").misses(nothing).press("enter").sees("applies").press("enter").sees("WON");
    pty.press("0").sees("looking at step 1").press("R").sees("Request of step 1, never sent").sees(nothing);
    pty.press("q").misses(nothing).press("q");
    assert_eq!(pty.ends().code, 0);
    let mut pty = Pty::start(&world.command(&["view", "last#1", "--store", "runs"]), 120, 40);
    pty.sees("looking at step 1").press("R").sees(nothing).sees("this is what a model would be asked");
    pty.press("q").misses(nothing).press("q");
    assert_eq!(pty.ends().code, 0);
    let session = journals(&world)[0].ancestors().nth(2).unwrap().to_string_lossy().into_owned();
    let args = ["play", "two.xsb", "--store", "runs", "--agent", "replay", "--from", &session, "--am", "0"];
    let mut pty = Pty::start(&world.command(&args), 80, 24);
    pty.sees("asks the agent").press("enter").sees("applies").press("enter").sees("step 2 of 50");
    pty.press("enter").sees("The session stands still").sees("turn 2 of the request");
    pty.press("q").misses("The session stands still").press("q");
    assert_eq!(pty.ends().code, 0);
}
