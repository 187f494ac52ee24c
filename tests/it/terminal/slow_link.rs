//! The screen in a terminal at the other end of a slow link.

use std::time::{Duration, Instant};

use super::sandbox;
use crate::pty::{Far, Pty};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The last question of the start.
const LAST_QUESTION: &[u8] = b"\x1b[c";
/// The question at the end of a frame.
const READY_QUESTION: &[u8] = b"\x1b[5n";
/// A terminal without graphics that repeats characters.
const REPEATING: &[u8] = b"\x1b[2;5R\x1b[?2026;2$y\x1b[?62;22c";
/// One that does not.
const PLAIN: &[u8] = b"\x1b[2;2R\x1b[?2026;2$y\x1b[?62;22c";

/// A sandbox whose terminal is on another machine.
fn far_sandbox() -> Sandbox {
    sandbox().with("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
}

fn start(sandbox: &Sandbox, far: Far, answers: &[u8], args: &[&str]) -> Pty {
    let command = sandbox.command(&[&["play", "sokoban/full/1"], args].concat());
    let mut screen = Pty::start_far(&command, 120, 40, far);
    screen.wrote(LAST_QUESTION).send(answers);
    screen
}

#[test]
fn a_slow_link_gets_few_bytes() {
    for answers in [REPEATING, PLAIN] {
        let far = Far { rate: 1_000_000, round_trip: Duration::from_millis(2) };
        let sandbox = far_sandbox();
        let mut screen = start(&sandbox, far, answers, &["--link", "slow"]);
        screen.wrote(READY_QUESTION).settle();
        assert!(screen.byte_count() < 6_000, "the first screen: {}", screen.byte_count());
        let mut steps = [0; 3];
        for bytes in &mut steps {
            let before = screen.byte_count();
            screen.press("enter").sees("parsed by").settle().press("enter").settle();
            *bytes = screen.byte_count() - before;
        }
        // On a busy machine the wait for a reply is drawn too, and the rest of the first screen may come late.
        let both_halves = |bytes: &usize| *bytes > 200 && *bytes < 1_000;
        let later = &steps[1..];
        assert!(steps.iter().any(both_halves) && later.iter().all(|bytes| *bytes < 1_400), "{steps:?}");
        for (key, dialog) in [("?", "the help"), (":", "the palette")] {
            screen.press(key).settle();
            let before = screen.byte_count();
            screen.press("esc").settle();
            let bytes = screen.byte_count() - before;
            assert!(bytes < 4_000, "closing {dialog}: {bytes}");
        }
        screen.press("q");
        assert_eq!(screen.wait_for_exit().code, 0);
    }
}

#[test]
fn the_next_frame_waits_until_the_last_one_has_arrived() {
    let sandbox = far_sandbox();
    let mut screen = Pty::start_silent(&sandbox.command(&["play", "hall.xsb"]), 120, 40);
    screen.wrote(LAST_QUESTION).send(b"\x1b[0n").send(PLAIN).sees("step 1 of").settle();
    let sent = screen.bytes_from(0);
    assert!(sent.ends_with(READY_QUESTION));
    screen.press("?").settle();
    assert_eq!(screen.byte_count(), sent.len(), "the terminal is not ready");
    screen.send(b"\x1b[0n").sees("╭ Keys ").send(b"\x1b[0n").press("esc").misses("╭ Keys ");
    screen.send(b"\x1b[0n").command("link").sees("link: fast: measured");
    screen.send(b"\x1b[0n").press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
}

#[test]
fn a_near_terminal_is_asked_nothing() {
    let mut screen = super::start_hall(&sandbox(), &[]);
    screen.press("enter").sees("Right").command("bandwidth").sees("KB this step").settle();
    let sent = screen.bytes_from(0);
    assert!(!sent.windows(READY_QUESTION.len()).any(|part| part == READY_QUESTION));
    screen.command("link").sees("link: fast: the terminal is on this machine").press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
}

#[test]
fn a_key_does_not_wait_behind_a_picture() {
    let far = Far { rate: 3_000, round_trip: Duration::from_millis(150) };
    let sandbox = far_sandbox();
    let mut screen = start(&sandbox, far, PLAIN, &[]);
    screen.sees("step 1 of").sees("the link is slow").press("v").sees("▀");
    let before = screen.byte_count();
    let began = Instant::now();
    screen.press(":").sees("next half step");
    let took = began.elapsed();
    let bytes = screen.byte_count() - before;
    assert!(bytes < 9_000 && took < Duration::from_secs(5), "{bytes} bytes, {took:?}");
    screen.press("esc").misses("next half step").command("link slow").sees("link: slow");
    screen.command("link").sees("link: slow: as it is set").press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
}

#[test]
fn a_step_arrives_within_two_round_trips_and_its_bytes() {
    let far = Far { rate: 50_000, round_trip: Duration::from_millis(150) };
    let sandbox = far_sandbox();
    let mut screen = start(&sandbox, far, PLAIN, &[]);
    screen.sees("step 1 of").sees("▀").settle();
    let before = screen.byte_count();
    let began = Instant::now();
    screen.press("enter").sees("parsed by").press("enter").sees("step 2 of");
    let bytes = screen.byte_count() - before;
    // Two frames; the time of a busy machine is added.
    let most = 2 * (2 * far.round_trip + Duration::from_secs(1));
    assert!(bytes < 6_000 && began.elapsed() < most, "{bytes} bytes, {:?}", began.elapsed());
    screen.press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
}

#[test]
fn a_table_that_grows_gets_few_bytes() {
    let sandbox = far_sandbox();
    let server = Server::start(Behavior::Normal);
    sandbox.run(&["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "9"]).success();
    for number in 0..60 {
        let action = ["Left", "Down", "Up"][number % 3];
        server.queue_reply(&format!("# analyze\nreason {number}\n\n# action\n{action}\n"));
    }
    let url = format!("model.base_url={}", server.url());
    let far = Far { rate: 3_000, round_trip: Duration::from_millis(150) };
    let args = ["view", "last#7", "--link", "slow", "--set", &url, "--set", "model.name=mock"];
    let mut screen = Pty::start_far(&sandbox.command(&args), 120, 40, far);
    screen.wrote(LAST_QUESTION).send(PLAIN).sees("step 7 of 9");
    let words = "ask prompts=0s-CoT,HD-CoT am=1,5 samples=15 concurrency=2 target=Left";
    screen.command(words).sees("60 calls to make").settle();
    let before = screen.byte_count();
    screen.press("enter").sees("60 of 60 replies").settle();
    let bytes = screen.byte_count() - before;
    assert!(bytes < 12_000, "{bytes} bytes for the table and its 60 replies");
    screen
        .press("t")
        .sees("of 6 pairs differ")
        .settle()
        .press("esc")
        .sees("Enter reply")
        .settle()
        .press("esc")
        .misses("Ask again at step")
        .press("q");
    screen.wait_for_exit();
}
