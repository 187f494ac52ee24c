//! Terminals that answer late, over SSH without `COLORTERM`, or have no size.

use std::path::Path;
use std::time::Duration;

use super::HALL_LEVEL;
use crate::pty::Pty;
use crate::sandbox::{Sandbox, program};

/// The last question.
const LAST_QUESTION: &[u8] = b"\x1b[c";
/// The answers of a terminal with pictures and 24-bit colours.
const ANSWERS: &[u8] =
    b"\x1b_Gi=31;OK\x1b\\\x1bP>|ghostty 1.2.3\x1b\\\x1b[6;18;8t\x1b[?2026;2$y\x1bP1$r0;48:2::1:2:3m\x1b\\\x1b[?62;22c";
/// What the shell is typed after the program.
const TYPED: &str = "zzzzzzzzzzzz";

/// A sandbox with a terminal of 256 colours as far as its variables say.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("PATH", "/usr/bin:/bin");
    sandbox.write("work/hall.xsb", HALL_LEVEL);
    sandbox
}

fn start(sandbox: &Sandbox) -> Pty {
    Pty::start_silent(&sandbox.command(&["play", "hall.xsb"]), 120, 40)
}

/// A shell that runs a verb and then shows what it is typed.
fn start_in_shell(sandbox: &Sandbox, verb: &str) -> Pty {
    let count = TYPED.len();
    let program = program("mageyard");
    let script = format!(
        "{} {verb}; stty raw -echo; echo READY; dd bs=1 count={count} 2>/dev/null | od -An -c -w{count}",
        program.display()
    );
    Pty::start_silent(&sandbox.command_of(Path::new("/bin/sh"), &["-c", &script]), 160, 60)
}

/// Fails if the shell gets anything else than what is typed.
fn assert_shell_gets_keys_only(mut shell: Pty) {
    shell.sees("READY").send(TYPED.as_bytes()).sees("z   z");
    let got: Vec<String> = TYPED.chars().map(String::from).collect();
    shell.sees(&got.join("   "));
}

fn count(text: &[u8], part: &str) -> usize {
    String::from_utf8_lossy(text).matches(part).count()
}

#[test]
fn doctor_waits_for_late_answers_and_leaves_none_to_the_shell() {
    for delay in [400, 1500] {
        let sandbox = sandbox();
        let mut shell = start_in_shell(&sandbox, "doctor");
        shell.wrote(LAST_QUESTION);
        std::thread::sleep(Duration::from_millis(delay));
        shell.send(ANSWERS).sees("kitty: the terminal takes Kitty's pictures");
        shell.sees("24 bit: the terminal shows a 24-bit colour as it was set");
        assert_shell_gets_keys_only(shell);
    }
}

#[test]
fn a_screen_that_is_left_before_the_answers_leaves_none_to_the_shell() {
    let sandbox = sandbox();
    let mut shell = start_in_shell(&sandbox, "play hall.xsb");
    shell.sees("step 1 of").press("q");
    std::thread::sleep(Duration::from_millis(500));
    shell.send(ANSWERS);
    assert_shell_gets_keys_only(shell);
}

#[test]
fn late_answers_bring_pixels_and_colours_and_are_said_once() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox);
    screen.sees("step 1 of").settle();
    assert_eq!(count(&screen.bytes_from(0), "8;2;"), 1, "only the question has a 24-bit colour");
    for part in ANSWERS.chunks(20) {
        screen.send(part);
        std::thread::sleep(Duration::from_millis(20));
    }
    screen.sees("the terminal answered late; pictures: kitty").sees("colors: 24 bit");
    screen.until("placeholder cells", |screen| screen.contents().contains('\u{10eeee}'));
    screen.settle();
    assert!(count(&screen.bytes_from(0), "8;2;") > 1);
    screen.press("enter").sees("parsed by").misses("answered late");
    screen.send(ANSWERS).settle();
    assert!(!screen.text().contains("answered late"), "{}", screen.text());
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn without_colorterm_the_answers_decide_on_the_colours() {
    let rgb = b"\x1bP1+r524742=38\x1b\\\x1b[?62;22c";
    let known = b"\x1bP>|VTE(7600)\x1b\\\x1b[?62;22c";
    let plain = b"\x1bP0+r524742\x1b\\\x1bP0$r\x1b\\\x1b[?62;22c";
    let indexed = b"\x1bP1+r5463\x1b\\\x1bP1$r0;48:5:16m\x1b\\\x1b[?62;22c";
    for (answers, all) in [(&rgb[..], true), (known, true), (plain, false), (indexed, false)] {
        let sandbox = sandbox();
        let mut screen = start(&sandbox);
        screen.wrote(LAST_QUESTION).send(answers).sees("step 1 of").settle();
        let bytes = screen.bytes_from(0);
        assert_eq!(count(&bytes, "38;2;") > 0, all, "{answers:?}");
        assert_eq!(count(&bytes, "38;5;") > 0, !all, "{answers:?}");
    }
}

#[test]
fn a_terminal_without_a_size_has_that_of_the_variables_or_80x24() {
    for (variables, (columns, rows)) in [
        (&[][..], (80, 24)),
        (&[("COLUMNS", "100"), ("LINES", "30")], (100, 30)),
        (&[("LINES", "many")], (80, 24)),
    ] {
        let named = variables.iter().fold(sandbox(), |sandbox, (name, value)| sandbox.with(name, value));
        let mut screen = Pty::start_without_size(&named.command(&["play", "hall.xsb"]), columns, rows);
        let last = usize::from(rows) - 1;
        screen.sees("step 1 of").until("hints in the last line", |screen| {
            screen.rows(0, columns).nth(last).is_some_and(|row| row.contains("? help"))
        });
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
        let failed = Pty::start_without_size(&named.command(&["levels", "show", "nothing/1"]), columns, rows);
        let failed = failed.wait_for_exit();
        let lines = failed.text.trim().lines().count();
        assert!((1..8).contains(&lines), "{lines} lines: {}", failed.text);
    }
}
