//! Copying parts of a step to the terminal's clipboard or into a file of the session.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::sent::{episode, record_model_run, view_step};
use super::{sandbox, start};
use crate::pty::Pty;

/// The clipboard texts written from this byte on, each once.
fn clipboard_offers(screen: &Pty, start: usize) -> Vec<String> {
    let bytes = String::from_utf8_lossy(&screen.bytes_from(start)).into_owned();
    let offers = bytes.split("\x1b]52;c;").skip(1);
    offers
        .map(|rest| String::from_utf8(STANDARD.decode(rest.split('\x07').next().unwrap()).unwrap()).unwrap())
        .collect()
}

#[test]
fn a_step_is_copied_to_the_terminal_clipboard() {
    let sandbox = record_model_run();
    let mut screen = view_step(&sandbox, "last#2");
    let start = screen.byte_count();
    screen.press("y").sees("Copy to the clipboard").sees("1 curl").sees("OSC 52");
    screen.press("3").sees("copied the reply (32 bytes)").press("4").sees("copied the action (5 bytes)");
    screen.press("5").sees("copied the board (").press("esc").misses("Copy to").command("copy curl");
    screen.sees("copied the curl (").press("esc").misses("Copy to");
    screen.press("R").press(",").sees("as sent (1 of 2)").press("y").press("2").sees("copied the request (");
    screen.press("esc").sees("as sent (1 of 2)").press("q").misses("as sent (").press(":copy enter");
    screen.sees(":copy █").press("nonsense enter").sees("cannot copy \"nonsense\"");
    let [reply, action, board, curl, request] = clipboard_offers(&screen, start).try_into().unwrap();
    assert_eq!((reply.as_str(), action.as_str()), ("# analyze\nEasy.\n\n# action\nRight\n", "Right"));
    assert!(board.starts_with("#######\n# @$ .#\n"), "{board}");
    assert!(curl.starts_with("curl -sSN http") || curl.starts_with("curl -sSN 'http"), "{curl}");
    assert!(
        curl.contains("-H \"Authorization: Bearer $OPENAI_API_KEY\"") && curl.contains("no idea"),
        "{curl}"
    );
    let request: Value = serde_json::from_str(&request).unwrap();
    let body = request.to_string();
    assert!(request["model"] == "mock" && body.contains("data:image/png;base64,"), "{body}");
    assert!(!body.contains("no idea"), "the first attempt was looked at: {body}");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    assert!(!episode(&sandbox).join("copies").exists());
}

#[test]
fn a_step_is_saved_to_its_session_folder_without_overwriting() {
    let sandbox = record_model_run();
    let mut screen = view_step(&sandbox, "last#2");
    screen.press("y").press("w").sees("Save to the session folder").press("4").sees("saved the action");
    screen.press("3").sees("saved the reply").press("1").sees("saved the curl").press("q").misses("Save to");
    let files = episode(&sandbox).join("copies");
    let read = |name: &str| fs::read_to_string(files.join(name)).unwrap();
    assert_eq!(read("step-2.action.txt"), "Right");
    assert!(read("step-2-attempt-2.curl.sh").contains("--data-binary '{"));
    fs::write(files.join("step-2.action.txt"), "mine").unwrap();
    screen
        .press("y")
        .press("w")
        .press("4")
        .sees("step-2-2.action.txt")
        .press("q")
        .misses("Save to")
        .press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!((read("step-2.action.txt"), read("step-2-2.action.txt")), ("mine".into(), "Right".into()));
    sandbox.run(&["log", "check", "last"]).success();
}

#[test]
fn inside_tmux_the_clipboard_sequence_is_wrapped() {
    let sandbox = record_model_run().with("TMUX", "/tmp/tmux-0/default,1,0");
    let mut screen = view_step(&sandbox, "last#1");
    let start = screen.byte_count();
    screen.press("y").sees("set-clipboard on").press("4").sees("copied the action");
    assert_eq!(clipboard_offers(&screen, start), ["Right", "Right"]);
    let bytes = screen.bytes_from(start);
    // What has come so far may end within a character.
    let bytes = String::from_utf8_lossy(&bytes);
    assert!(bytes.contains("\x1bPtmux;\x1b\x1b]52;c;UmlnaHQ=\x07\x1b\\"), "{bytes:?}");
    screen.press("q").misses("Copy to").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_missing_part_is_reported() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "hall.xsb"]);
    screen
        .sees("step 1 of 50")
        .press("y")
        .press("1")
        .sees("the agent oracle sends no requests, so there is none to copy");
    screen.press("3").sees("this step has no reply").press("4").sees("this step has no action");
    screen.press("q").misses("Copy to").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn inside_gnu_screen_the_clipboard_sequence_is_wrapped() {
    let sandbox = record_model_run().with("STY", "1.pts-0");
    let mut screen = view_step(&sandbox, "last#1");
    let start = screen.byte_count();
    screen.press("y").press("4").sees("copied the action");
    let bytes = screen.bytes_from(start);
    // What has come so far may end within a character.
    let bytes = String::from_utf8_lossy(&bytes);
    assert!(bytes.contains("\x1bP\x1b]52;c;UmlnaHQ=\x07\x1b\\"), "{bytes:?}");
    screen.press("q").misses("Copy to").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn with_the_setting_every_copy_goes_to_a_file_whose_path_is_shown() {
    let sandbox = record_model_run();
    sandbox.write("config/mageyard/config.toml", "[screen]\nclipboard = \"file\"\n");
    let mut screen = view_step(&sandbox, "last#1");
    let start = screen.byte_count();
    screen.press("y").sees("Save to the session folder").press("4").sees("saved the action (5 bytes)");
    assert!(clipboard_offers(&screen, start).is_empty());
    screen.press("q").misses("Save to").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(fs::read_to_string(episode(&sandbox).join("copies/step-1.action.txt")).unwrap(), "Right");
}
