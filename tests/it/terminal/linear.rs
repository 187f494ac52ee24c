//! The linear mode: lines in place of the full screen, for screen readers, logs and terminals without cursor movement.

use std::io::Write;
use std::process::Stdio;

use super::{sandbox, start};
use crate::pty::Pty;
use crate::sandbox::{Sandbox, wait_with_output};

/// The linear mode on the hall, in a terminal of this type.
fn start_lines(sandbox: &Sandbox, args: &[&str]) -> Pty {
    let mut lines = start(sandbox, &[&["play", "hall.xsb", "--linear"], args].concat());
    lines.sees("State: paused");
    lines
}

/// What is printed for these lines of input, without a terminal on either side.
fn script(sandbox: &Sandbox, args: &[&str], input: &str) -> String {
    let mut command = sandbox.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let result = wait_with_output(&mut child);
    assert_eq!(result.code, Some(0), "{result:?}");
    result.out
}

/// Fails unless the text has these lines in this order.
fn has_in_order(text: &str, lines: &[&str]) {
    let mut rest = text.lines();
    for line in lines {
        assert!(rest.any(|one| one.starts_with(line)), "{line:?} is missing, or not in this place:\n{text}");
    }
}

/// Episodes are read when they are shown, so a damaged one hides no other.
#[test]
fn a_session_opens_at_its_first_episode_and_reads_the_next_ones_when_they_are_shown() {
    let sandbox = sandbox();
    sandbox.run(&["run", "hall.xsb", "--agent", "oracle", "--repeats", "3", "--store", "runs"]).success();
    let session = sandbox.sessions("work/runs").remove(0);
    let damaged = session.join("0003/journal.jsonl");
    let text = std::fs::read_to_string(&damaged).unwrap();
    std::fs::write(&damaged, text.replacen("Right", "Wrong", 1)).unwrap();
    let view = ["view", "last", "--linear", "--store", "runs"];
    let shown = script(&sandbox, &view, "\nnext-episode\nnext-episode\n\nprevious-episode\nquit\n");
    has_in_order(
        &shown,
        &["Question: which episode or session?", "Episode: 2 of 3: ", "Error: ", "Episode: 1 of 3: "],
    );
    assert!(shown.contains("reading episode 3 of 3"), "{shown}");
}

#[test]
fn every_event_of_a_step_is_a_line_with_a_label() {
    let sandbox = sandbox();
    let text = script(&sandbox, &["play", "hall.xsb", "--linear"], "\n\nrun\nquit\n");
    has_in_order(
        &text,
        &[
            "Episode: 1 of 1: hall.xsb",
            "Step 1 of 50",
            "Frame: 3 rows of 7 squares: player at row 2, column 2; box at row 2, column 4",
            "Memory: 0 outputs, 1 frame, 1 image in the request; AM 5, OM 1",
            "State: paused; Enter asks the agent",
            "Analysis: ",
            "Action: Right",
            "State: paused; Enter applies Right",
            "Reward: −0.5",
            "Step 2 of 50",
            "Memory: 1 output, 1 frame, 1 image in the request",
            "State: running",
            "Reward: +54.5",
            "The end: won, after 3 of 50 steps",
            "State: won",
        ],
    );
    assert!(!text.contains('\u{1b}') && !text.contains('│') && !text.contains('\r'), "{text}");
}

#[test]
fn questions_are_numbered_and_answered_with_numbers() {
    let sandbox = sandbox();
    let input = "prompt\n2\nbreak\n5\n\nact\n1\nLeft\nrestart\nno\nedit prompt\n:cancel\ncopy board\nhelp\n";
    let text = script(&sandbox, &["play", "sokoban/full/2", "--agent", "human", "--linear"], input);
    has_in_order(
        &text,
        &[
            "Question: which prompt for the next request?",
            "1: 0s-CoT, the present one",
            "2: HD-CoT",
            "Note: HD-CoT is used from the next request on",
            "Question: which breakpoint",
            "5: parse, off",
            "5: parse, on",
            "Question: which value for act?",
            "1: Left",
            "Action: Left",
            "Action: Left",
            "Question: play the level again?",
            "Note: the episode continues",
            "Question: edit the prompt",
            "Note: nothing was changed",
            "Saved: saved the board",
            "Question: which command?",
            "1: step (key Enter)",
        ],
    );
}

#[test]
fn errors_of_replies_are_told_with_their_rule() {
    let sandbox = sandbox();
    let text = script(
        &sandbox,
        &["play", "sokoban/full/1", "--agent", "faulty", "--seed", "3", "--linear"],
        "8 run\nverdict\nmarked any\n",
    );
    has_in_order(&text, &["Reply: 1 of up to 3", "Reply text: ", "Parse error: rejected by rule"]);
    has_in_order(&text, &["Verdict: ", "Step "]);
}

#[test]
fn the_terminal_keeps_its_modes_and_ctrl_c_cancels_then_quits() {
    let sandbox = sandbox().with("TERM", "vt52");
    let mut lines = start(
        &sandbox,
        &["play", "sokoban/full/165", "--agent", "random", "--max-steps", "5000", "--linear"],
    );
    lines.sees("State: paused").press("run enter").sees("State: running").sees("Step 3 of");
    lines.press("ctrl-c").sees("cancelled; Ctrl-C again quits").press("ctrl-c");
    lines.wait_for_exit().assert_plain(130);
}

#[test]
fn a_recording_is_read_step_by_step() {
    let sandbox = sandbox();
    sandbox.run(&["run", "hall.xsb"]).success();
    let text = script(
        &sandbox,
        &["view", "last", "--linear"],
        "first\nforward\nraw\nrequest\nscore\nsteps\nfocus-next\nquit\n",
    );
    has_in_order(
        &text,
        &[
            "The end: won",
            "Step 1 of 50",
            "Step 2 of 50",
            "Agent: step 2 of 50",
            "  action: Right",
            "Request of step 2",
        ],
    );
    has_in_order(
        &text,
        &[
            "Score: this step −0.5",
            "Steps: 1 to 4 of 4",
            "Step 2: Right, reward −0.5, shown",
            "Shown: step 2 of 50",
        ],
    );
}

#[test]
fn an_idle_mode_writes_nothing_and_the_end_of_the_input_quits() {
    let sandbox = sandbox();
    let mut lines = start_lines(&sandbox, &[]);
    let before = lines.settle().byte_count();
    lines.settle();
    assert_eq!(lines.byte_count(), before);
    lines.press("ctrl-d");
    lines.wait_for_exit().assert_plain(0);
}

#[test]
fn the_tutor_teaches_in_lines() {
    let sandbox = sandbox();
    let text = script(&sandbox, &["play", "hall.xsb", "--linear"], "tutor\ntab\n\n\nquit\n");
    has_in_order(
        &text,
        &[
            "Tutor: Steps · 1 of",
            "Tutor: Steps · 2 of",
            "Action: Right",
            "Tutor: Steps · 3 of",
            "Tutor: Steps · 4 of",
        ],
    );
}
