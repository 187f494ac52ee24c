//! Durability: full disks, kills, and viewing what was recorded.

use std::process::Command;

use rustix::process::Signal;
use serde_json::Value;

use super::{assert_journals_valid, sandbox, start, start_hall};
use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// The actions of the newest session.
fn journaled_actions(sandbox: &Sandbox) -> Vec<Value> {
    let rows = sandbox.run(&["view", "last", "--json"]).json_lines();
    rows.into_iter().filter(|row| row["type"] == "step").map(|row| row["action"].clone()).collect()
}

/// Starts the binary with a limit on file size, in blocks of 512 bytes.
fn with_disk_limit(sandbox: &Sandbox, blocks: u32, args: &[&str]) -> Pty {
    let usual = sandbox.command(args);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    shell.arg(usual.get_program()).args(usual.get_args());
    shell.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Pty::start(shell.current_dir(usual.get_current_dir().unwrap()), 120, 40)
}

#[test]
fn a_full_disk_pauses_the_session_and_leaves_no_partial_line() {
    let sandbox = sandbox();
    let play = ["play", "hall.xsb", "--agent", "random", "--seed", "5", "--pace", "0"];
    let mut screen = with_disk_limit(&sandbox, 8, &play);
    screen.sees("Enter asks").press("space").sees("The session is paused by an error").sees("File too large");
    screen.press("esc").misses("paused by an error").press("h").sees("viewing step");
    screen
        .press("$ enter")
        .sees("The session is paused by an error")
        .press("esc")
        .misses("paused by an error");
    screen.press("?").sees("╭ Keys ").press("esc").misses("╭ Keys ").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
    let stood = journaled_actions(&sandbox);
    let mut again = start(&sandbox, &["play", "--resume", "last", "--pace", "0"]);
    again.sees("PAUSED").press("space").sees("the end, after").press("q");
    again.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
    assert!(!stood.is_empty() && journaled_actions(&sandbox).starts_with(&stood));
}

#[test]
fn a_kill_during_a_run_loses_nothing() {
    let args = ["sokoban/full/165", "--agent", "random", "--seed", "9", "--max-steps", "300"];
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &[&["play"], &args[..], &["--pace", "20"]].concat());
    screen.sees("PAUSED").press("space").gets_to(8).signal(Signal::KILL);
    screen.wait_for_exit();
    let left = journaled_actions(&sandbox).len();
    assert!((7..300).contains(&left));
    let mut again = start(&sandbox, &["play", "--resume", "last", "--pace", "20"]);
    again.gets_to(left + 1).press("space").gets_to(left + 5).signal(Signal::KILL);
    again.wait_for_exit();
    let result = sandbox.run(&["run", "--resume", "last", "--json"]);
    assert_eq!(result.code, Some(0), "{result:?}");
    assert_journals_valid(&sandbox, 1);
    let uninterrupted = journaled_actions(&sandbox);
    assert_eq!(uninterrupted.len(), 300);
    sandbox.run(&[&["run"], &args[..]].concat());
    assert_eq!(journaled_actions(&sandbox), uninterrupted, "as without the kill");
}

#[test]
fn a_recording_can_be_viewed_but_not_run() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "hall.xsb"]).code, Some(0));
    let mut screen = start(&sandbox, &["view", "last"]);
    screen.sees("RECORDED").sees("the end, after 3 steps").press("enter").sees("this is a recording");
    screen.press("h").sees("viewing step 3 of 3").press("q");
    screen.wait_for_exit().assert_restored(0);
    let mut screen = start(&sandbox, &["view", "last#2"]);
    screen.sees("viewing step 2 of 3").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn an_episode_resumes_without_its_level_file() {
    let sandbox = sandbox();
    sandbox.write("work/mageyard.toml", "[play]\nlevel = \"hall.xsb\"\n");
    let mut screen = start(&sandbox, &["play", "--store", "my runs"]);
    screen.sees("step 1 of").press("enter").sees("Enter applies").press("q");
    let output = screen.wait_for_exit().assert_restored(0).text_after_screen();
    assert!(output.trim_end().ends_with(" --store 'my runs'`"), "{output}");
    std::fs::remove_file(sandbox.path("work/hall.xsb")).unwrap();
    let mut again = start(&sandbox, &["play", "--resume", "last", "--store", "my runs"]);
    again.sees("PAUSED").press("space").sees("the end, after 3 steps").press("q");
    again.wait_for_exit().assert_restored(0);
}

#[test]
fn viewing_a_missing_step_opens_no_screen() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "hall.xsb"]).code, Some(0));
    for more in [&[][..], &["--follow"]] {
        let ended = start(&sandbox, &[&["view", "last#5"], more].concat()).wait_for_exit();
        assert_eq!(ended.code, 2, "{}", ended.text);
        assert!(ended.text.contains("there is no step 5"), "{}", ended.text);
        assert!(ended.text.contains("the episode has steps 1 to 3, and #4 shows its end"), "{}", ended.text);
        assert!(!ended.bytes.windows(8).any(|bytes| bytes == b"\x1b[?1049h"), "{}", ended.text);
    }
}

#[test]
fn a_recording_is_followed_while_being_written() {
    let sandbox = sandbox();
    let mut played = start_hall(&sandbox, &["--pace", "20"]);
    let mut viewed = start(&sandbox, &["view", "last", "--follow"]);
    viewed.sees("RECORDED").sees("step 1 of 50").sees("no reply yet");
    played.press("enter").sees("Enter applies");
    viewed.sees("▶ Right").sees("step 1 of 50");
    played.press("enter");
    viewed.sees("step 2 of 50").press("h").sees("viewing step 1 of 2");
    played.press("space").sees("WON");
    viewed.sees("viewing step 1 of 3").press("$").sees("the end, after 3 steps").press("q");
    viewed.wait_for_exit().assert_restored(0);
    played.press("q");
    played.wait_for_exit().assert_restored(0);
}

#[test]
fn a_followed_session_continues_with_its_next_episode() {
    let sandbox = sandbox();
    let mut played = start_hall(&sandbox, &["--pace", "0"]);
    let mut viewed = start(&sandbox, &["view", "last", "--follow"]);
    viewed.sees("RECORDED").sees("step 1 of 50");
    played.press("space").sees("WON");
    viewed.sees("the end, after 3 steps");
    played.command("open hall.xsb").sees("PAUSED").sees("step 1 of 50");
    viewed.sees("episode 2 of 2").sees("step 1 of 50").press("H").sees("the end, after 3 steps");
    viewed.press("L").sees("step 1 of 50").press("H").sees("the end, after 3 steps").press("$");
    viewed.sees("step 1 of 50").press("q");
    viewed.wait_for_exit().assert_restored(0);
    played.press("q");
    played.wait_for_exit().assert_restored(0);
}

#[test]
fn recorded_sessions_are_listed_filtered_and_opened() {
    let sandbox = sandbox();
    sandbox.write("work/lane.xsb", "; the lane\n######\n#@$ .#\n######\n");
    assert_eq!(sandbox.run(&["run", "hall.xsb", "--repeats", "2"]).code, Some(0));
    assert_eq!(sandbox.run(&["run", "lane.xsb"]).code, Some(0));
    let mut screen = start(&sandbox, &["view"]);
    screen.sees("Episodes and sessions").sees("2 episodes · hall.xsb#1").sees("1 episode · lane.xsb#1");
    screen.press("lane").misses("hall.xsb#1").press("enter").misses("Episodes and sessions");
    screen.sees("lane.xsb#1").sees("the end, after 2 steps");
    screen.command("episodes").sees("● lane.xsb#1").press("hall enter").sees("✓ won  3 steps");
    screen.press("down enter").misses("Episodes and sessions").press("H").sees("episode 2 of 3").press("q");
    screen.wait_for_exit().assert_restored(0);
    // Several episodes open as a list; Esc shows the first one.
    let session = sandbox.run(&["log", "list", "--json"]).json_lines()[0]["session"].clone();
    let mut screen = Pty::start(&sandbox.command(&["view", session.as_str().unwrap()]), 80, 24);
    screen.sees("Episodes and sessions").sees("✓ won  3 steps").press("esc").misses("Episodes and sessions");
    screen.sees("H L episodes").press("q");
    screen.wait_for_exit().assert_restored(0);
    let bare = sandbox.run(&["view", "--json"]);
    assert_eq!(bare.code, Some(2), "{bare:?}");
}
