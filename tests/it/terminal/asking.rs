//! Asking again on the screen: the plan, the table, a branch that begins with a reply, candidates, and the lines of the linear
//! mode.

use std::fs;
use std::time::Duration;

use super::{sandbox, start};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, ServerState};

/// A session of nine steps that the solver played, and a server that answers so often with this action.
fn recorded(action: &str, replies: usize) -> (Sandbox, Server) {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "9"]).success();
    queue(&server, action, replies);
    (sandbox, server)
}

fn queue(server: &Server, action: &str, replies: usize) {
    for number in 0..replies {
        server.queue_reply(&format!("# analyze\nreason {number}\n\n# action\n{action}\n"));
    }
}

#[test]
fn a_table_grows_from_the_plan_and_one_of_its_replies_begins_a_branch() {
    let (sandbox, server) = recorded("Left", 6);
    let journal = sandbox.sessions("data/mageyard/sessions").remove(0).join("0001/journal.jsonl");
    let before = fs::read(&journal).unwrap();
    let address = format!("model.base_url={}", server.url());
    let mut screen = start(&sandbox, &["view", "last#7", "--set", &address, "--set", "model.name=mock"]);
    screen
        .sees("step 7 of 9")
        .press("x")
        .sees("Ask again at step 7")
        .press("s")
        .sees("Nothing was asked at this step yet");
    screen
        .press("esc")
        .sees("Ask again at step 7")
        .press("esc")
        .misses("Ask again")
        .command("ask prompts=0s-CoT,HD-CoT am=1,5 om=1,3 samples=1 target=Left");
    screen.sees("OM=3 is more than AM=1").sees("6 calls to make").sees("Enter asks");
    assert!(server.requests().is_empty(), "no call before Enter");
    screen.press("enter").sees("6 of 6 replies").press("t").sees("0 of 15 pairs differ");
    screen
        .sees("100 % (21–100)  target")
        .press("space")
        .sees("unchanged; recording unchanged")
        .sees("asks ")
        .settle();
    assert_eq!(server.requests().len(), 6);
    let idle = screen.byte_count();
    screen.settle();
    assert_eq!(screen.byte_count(), idle, "an ask that is over writes nothing");
    screen.press("esc").sees("▸ 1 Left ✓").press("right").sees("Reply 1 of variant 2: Left").sees("reason");
    screen.press("+").sees("▸ 1 Left ✓ +");
    screen.press("enter").sees("rated good").press("f").sees("Branch at step 7").sees("variant 2, sample 1");
    screen
        .sees("Enter makes it")
        .press("enter")
        .sees("Enter applies Left")
        .sees("picked by a person from ask");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(fs::read(&journal).unwrap(), before);

    let shown = sandbox.run(&["ask", "last#7", "--show", "--json"]).json_lines();
    let rated: Vec<_> = shown.iter().filter(|object| object["rating"] == "good").collect();
    assert_eq!((rated.len(), &rated[0]["variant"]), (1, &2.into()));
    let steps = sandbox.run(&["view", "last#b1", "--json"]).json_lines();
    let step = steps.iter().find(|object| object["step"] == 7 && object["type"] == "step");
    assert!(step.is_none(), "its step is not over");
    // The verb makes the same branch, and the recording of it is verified.
    let answer = format!("{}:2/1", rated[0]["ask"].as_str().unwrap());
    let fork = ["fork", "last#7", "--answer", &answer, "--set", &address, "--json"];
    let made = sandbox.run(&fork).json_lines().remove(0);
    let changes = made["changes"].to_string();
    assert!(changes.contains("variant 2, sample 1") && changes.contains("\"model\""), "{changes}");
    queue(&server, "Down", 2);
    sandbox.run(&["run", "--resume", "last#b2"]).success();
    let steps = sandbox.run(&["view", "last#b2", "--json"]).json_lines();
    let step = steps.iter().find(|object| object["step"] == 7 && object["type"] == "step").expect("step 7");
    assert!(step["replies"][0]["picked_from"].as_str().unwrap().ends_with("variant 2, sample 1"), "{step}");
    assert_eq!((&step["action"], &step["edited"]), (&"Left".into(), &true.into()));
    assert_eq!(sandbox.run(&["replay", "last#b2"]).code, Some(0));
    sandbox
        .run(&["fork", "last#7", "--answer", "ffff:1/1"])
        .fails_with(2, &["no ask of step 7 has this name"]);
}

#[test]
fn a_candidate_becomes_the_reply_of_the_pending_step() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let (url, play) =
        (server.url(), ["play", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url"]);
    let mut screen = start(&sandbox, &[&play[..], &[&url]].concat());
    screen.sees("Enter asks the agent");
    queue(&server, "Right", 3);
    screen
        .press("c")
        .sees("Candidates at step 1")
        .sees("3 calls to make")
        .press("enter")
        .sees("3 of 3 replies");
    screen.press("2").sees("Enter applies Right").sees("picked by a person from ask").press("enter");
    screen.sees("step 2 of").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(server.requests().len(), 3, "the agent was not asked");
    let steps = sandbox.run(&["view", "last", "--json"]).json_lines();
    let step = steps.iter().find(|object| object["type"] == "step").expect("a step");
    assert!(step["replies"][0]["picked_from"].as_str().unwrap().ends_with("variant 1, sample 2"), "{step}");
    assert_eq!(sandbox.run(&["replay", "last"]).code, Some(0));
}

#[test]
fn escape_stops_the_calls_and_the_same_ask_completes_them() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::from_millis(40)));
    let sandbox = sandbox();
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "9"]).success();
    let address = format!("model.base_url={}", server.url());
    let mut screen = start(&sandbox, &["view", "last#7", "--set", &address, "--set", "model.name=mock"]);
    screen
        .sees("step 7 of 9")
        .command("ask samples=400 concurrency=2")
        .sees("400 calls to make")
        .press("enter");
    screen.poll("some replies", |_| server.requests().len() > 4);
    screen.sees("asking … ").press("esc").until("stopped", |screen| {
        let text = screen.contents();
        text.contains(" of 400 replies") && !text.contains("asking") && !text.contains("stopping")
    });
    screen.sees("calls to make").press("t").sees("incomplete:").press("esc").misses("incomplete:");
    screen.press("s").sees("1 variant with 400 samples each").press("esc").sees("Ask again at step 7");
    screen.press("esc").misses("Ask again").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn variants_are_played_to_the_end_and_a_branch_is_shown() {
    let (sandbox, _) = recorded("Left", 0);
    let journal = sandbox.sessions("data/mageyard/sessions").remove(0).join("0001/journal.jsonl");
    let before = fs::read(&journal).unwrap();
    let folder = journal.parent().unwrap().to_owned();
    let files = || fs::read_dir(&folder).unwrap().count();
    let at_first = files();
    let mut screen = start(&sandbox, &["view", "last#7"]);
    screen.sees("step 7 of 9").command("ask to-end=3 prompts=0s-CoT,HD-CoT agent=oracle max-steps=40");
    screen.sees("restore: exact").sees("without a request to a model");
    screen.sees("6 branches to play").sees("Enter plays the branches");
    assert_eq!(files(), at_first, "nothing is made");
    screen.press("enter").sees("6 of 6 branches are over").sees("goal reached").sees("100 % (44–100)");
    screen.sees("0 of 1 pair differ").press("down enter").sees("variant 2: HD-CoT").sees("b6 · 12 steps");
    screen
        .press("enter")
        .sees("the end, after 18 steps")
        .misses("variant 2: HD-CoT")
        .press("H")
        .sees("step 7 of 9");
    // The same words play nothing again, and more of them only what is missing.
    screen.command("ask to-end=3 prompts=0s-CoT,HD-CoT agent=oracle max-steps=40");
    screen.sees("all branches are over: nothing is played").press("esc").misses("Ask again");
    screen.command("ask to-end=4 prompts=0s-CoT,HD-CoT agent=oracle max-steps=40");
    screen
        .sees("2 branches to play (6 are over)")
        .press("enter")
        .sees("8 of 8 branches are over")
        .press("esc")
        .sees("Ask again")
        .press("esc");
    screen.misses("Ask again").command("ask to-end=2 samples=2");
    screen.sees("! the argument '--samples").press("esc").misses("Ask again").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(fs::read(&journal).unwrap(), before);
    let branches = sandbox.run(&["fork", "last", "--json"]).json_lines();
    assert_eq!(branches.len(), 9, "the episode and its branches");
}

/// A session that a random player lost, and the step that the solver names.
fn lost() -> (Sandbox, u64) {
    let sandbox = sandbox();
    for seed in 0..20 {
        let seed = seed.to_string();
        let run = ["run", "sokoban/full/1", "--agent", "random", "--max-steps", "40", "--seed", &seed];
        sandbox.run(&run).success();
        let verdict = sandbox.run(&["blame", "last", "--json"]).json_lines().remove(0);
        if let Some(step) = verdict["step"].as_u64() {
            return (sandbox, step);
        }
    }
    panic!("no episode was lost");
}

#[test]
fn the_step_that_lost_an_episode_is_named_by_the_solver_and_by_playing_on() {
    let (sandbox, step) = lost();
    let mut screen = start(&sandbox, &["view", "last#39"]);
    screen.sees("step 39 of 40").command("blame").sees("proven by the solver");
    screen.sees(&format!("Enter goes to step {step}")).press("enter").sees(&format!("step {step} of 40"));
    screen.misses("proven by the solver").command("39").sees("step 39 of 40");
    screen.command("blame play agent=oracle max-steps=200 samples=1").sees("from at most 7 of them");
    screen.sees("Enter plays the branches").press("enter").sees(&format!("step {step} is to blame"));
    screen.sees(&format!("▸ from step {step}")).sees("Enter goes to the step").press("right");
    screen.sees("Esc goes back").sees("won");
    screen.press("esc").sees("→ branches").press("enter").sees(&format!("step {step} of 40"));
    screen
        .misses("is to blame")
        .command("blame prompts=A")
        .sees("! prompts is neither an argument")
        .press("esc");
    screen.misses("prompts is neither").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_linear_mode_names_the_step_line_by_line() {
    let (sandbox, step) = lost();
    let mut lines = start(&sandbox, &["view", "last#39", "--linear"]);
    lines.sees("Step 39 of 40").send(b"blame\r").sees("proven by the solver");
    lines.sees(&format!("an empty line goes to step {step}")).send(b"\r").sees(&format!("Step {step} of 40"));
    lines.send(b"blame play agent=oracle max-steps=200 samples=1\r").sees("an empty line plays the branches");
    lines.send(b"\r").sees(&format!("step {step} is to blame")).sees("branches and a place").send(b"\r");
    lines.send(b"q\r");
    assert_eq!(lines.wait_for_exit().code, 0);
}

#[test]
fn the_linear_mode_plays_to_the_end_line_by_line() {
    let (sandbox, _) = recorded("Left", 0);
    let mut lines = start(&sandbox, &["view", "last#7", "--linear"]);
    lines
        .sees("Step 7 of 9")
        .send(b"ask to-end=2 agent=oracle max-steps=40\r")
        .sees("Plan: 2 branches to play");
    lines.send(b"\r").sees("2 of 2 branches are over").sees("goal reached 100 % (34").send(b"1\r");
    lines.sees("which branch?").send(b"2\r").sees("b2").send(b"q\r");
    assert_eq!(lines.wait_for_exit().code, 0);
}

#[test]
fn the_linear_mode_asks_line_by_line() {
    let (sandbox, server) = recorded("Down", 2);
    let address = format!("model.base_url={}", server.url());
    let view = ["view", "last#7", "--linear", "--set", &address, "--set", "model.name=mock"];
    let mut lines = start(&sandbox, &view);
    lines.sees("Step 7 of 9").send(b"ask samples=2 target=Down\r").sees("Plan: 2 calls to make");
    lines.send(b"\r").sees("2 of 2 replies").sees("Down 100 % (34").send(b"1\r").sees("which reply?");
    lines.send(b"good 2\r").sees("2 + Down").send(b"\r").send(b"\r").send(b"q\r");
    assert_eq!(lines.wait_for_exit().code, 0);
}
