//! Suites on the screen: a step that is kept as a state, a report that grows, the frame and the replies of a state, and the
//! lines of the linear mode.

use std::time::Duration;

use super::{sandbox, start};
use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, ServerState};

/// A text that only one of the two prompts has: the server answers `Left` to it, and `Up` to the other one.
const COT: &str = "Look at the image carefully and think step by step";

/// A session of nine steps that the solver played, and a server that answers to one prompt `Left`, to the other `Up`.
fn recorded(delay: Duration) -> (Sandbox, Server) {
    let sandbox = sandbox();
    let server = Server::with(ServerState::new(Behavior::OwnReplies, delay));
    server.decides_by(COT);
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "9"]).success();
    (sandbox, server)
}

fn view(sandbox: &Sandbox, server: &Server, more: &[&str]) -> Pty {
    let address = format!("model.base_url={}", server.url());
    let settings = ["--set", &address, "--set", "model.name=mock"];
    start(sandbox, &[&["view", "last#7"], &settings[..], more].concat())
}

#[test]
fn a_mistake_becomes_a_state_and_the_report_leads_to_its_frame_and_both_replies() {
    let (sandbox, server) = recorded(Duration::ZERO);
    let mut screen = view(&sandbox, &server, &[]);
    screen.sees("step 7 of 9").command("suite add walls pushes into the corner");
    screen.sees("1 state added to the suite walls, which has 1 state now");
    screen.command("suite add walls").sees("is state 1 of walls already");
    screen.command("suite add mistakes").sees("choose another name, such as my-mistakes");
    screen.command("3").sees("step 3 of 9").command("suite add walls").sees("which has 2 states now");
    screen.press("X").sees("walls  your own").sees("2 states of sokoban").sees("50 states of sokoban");
    screen
        .press("down enter")
        .sees("Ask about the suite walls")
        .sees("Nothing was asked about this suite yet");
    screen.send(b"prompts=0s-CoT,HD-CoT samples=2").press("enter").sees("8 calls to make");
    assert!(server.requests().is_empty(), "no call before the second Enter");
    screen.press("enter").sees("8 of 8 replies").sees("variant 2: HD-CoT").sees("0 of 1 pair differ");
    assert_eq!(server.requests().len(), 8);
    screen.sees("The answers differ in 2 states").misses("asking").drawing_ends();
    let idle = screen.byte_count();
    screen.settle();
    assert_eq!(screen.byte_count(), idle, "a report that is over writes nothing");
    screen.press("enter").sees("State 1 of walls").sees("1 of 2: 0s-CoT").sees("2 of 2: HD-CoT");
    screen.sees("1: Left").sees("1: Up").press("right").sees("State 2 of walls").press("enter");
    screen
        .sees("step 3 of 9")
        .misses("State 2")
        .press("esc")
        .sees("State 2 of walls")
        .press("esc")
        .sees("The answers differ");
    screen.press("esc").misses("The answers differ").press("X");
    screen.sees("walls  your own").press("esc").misses("your own").command("suites walls");
    screen.sees("Stored about this suite").press("down enter").sees("8 of 8 replies");
    screen.press("esc").misses("8 of 8 replies").sees("Stored about this suite");
    screen.press("esc").misses("Stored about this suite").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(server.requests().len(), 8, "no further call");

    // The verb has the same suite, the same report and the same calls.
    let states = sandbox.run(&["suite", "show", "walls", "--json"]).json_lines();
    assert_eq!((states.len(), &states[0]["why"]), (2, &"pushes into the corner".into()));
    let checked = sandbox.run(&["suite", "check", "walls"]).success();
    assert_eq!(checked.matches("recorded and played").count(), 2, "{checked}");
    let shown = sandbox.run(&["ask", "walls", "--show", "--json"]).json_lines();
    let variants: Vec<_> = shown.iter().filter(|object| object["type"] == "suite_variant").collect();
    assert_eq!((variants.len(), &variants[0]["replies"]), (2, &4.into()));
}

#[test]
fn escape_stops_the_calls_of_a_suite_and_the_same_ask_completes_them() {
    let (sandbox, server) = recorded(Duration::from_millis(40));
    sandbox.run(&["suite", "add", "walls", "last#7", "last#3", "--category", "wall"]).success();
    let mut screen = view(&sandbox, &server, &[]);
    screen.sees("step 7 of 9").command("suites walls samples=200 concurrency=2").sees("400 calls to make");
    screen.press("enter");
    screen.poll("some replies", |_| server.requests().len() > 4);
    screen.sees("asking … ").press("esc").until("stopped", |screen| {
        let text = screen.contents();
        text.contains(" of 400 replies") && !text.contains("asking") && !text.contains("stopping")
    });
    screen.sees("incomplete:").press("esc").misses(" of 400 replies");
    screen.command("suites walls samples=200").sees("Stored about this suite").sees("were made before");
    screen.press("esc").misses("Ask about").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_linear_mode_asks_about_a_suite_line_by_line() {
    let (sandbox, server) = recorded(Duration::ZERO);
    let mut lines = view(&sandbox, &server, &["--linear"]);
    lines.sees("Step 7 of 9").send(b"suite add walls a wall\r").sees("1 state added to the suite walls");
    lines.send(b"suites\r").sees("which suite?").send(b"walls\r").sees("ask about the suite walls");
    lines.send(b"prompts=0s-CoT,HD-CoT samples=2\r").sees("Plan: 4 calls to make").send(b"\r");
    lines.sees("4 of 4 replies").sees("The answers differ in 1 of 1 states").send(b"1\r");
    lines
        .sees("State 1: a wall")
        .sees("Observation: ")
        .sees("Variant 2: HD-CoT")
        .sees("Reply of variant 2: 2: Up");
    lines.send(b"\r").send(b"\r").send(b"q\r");
    assert_eq!(lines.wait_for_exit().code, 0);
}
