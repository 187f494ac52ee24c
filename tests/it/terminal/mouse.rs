//! The mouse: where it is used by default, and what a click, a drag and the wheel do in the real program.

use super::{sandbox, start, start_hall};
use crate::sandbox::Sandbox;

const MOUSE_ON: &[u8] = b"\x1b[?1000h";

/// Whether the program asked the terminal for reports of the mouse.
fn uses_mouse(sandbox: &Sandbox) -> bool {
    let mut screen = start_hall(sandbox, &[]);
    screen.press("q");
    let bytes = screen.wait_for_exit().bytes;
    bytes.windows(MOUSE_ON.len()).any(|part| part == MOUSE_ON)
}

#[test]
fn the_mouse_is_off_in_multiplexers_and_over_ssh_unless_it_is_set() {
    assert!(uses_mouse(&sandbox()));
    let variables = [
        ("TMUX", "/tmp/tmux-0/default,1,0"),
        ("STY", "1.pts-0"),
        ("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22"),
        ("SSH_TTY", "/dev/pts/1"),
    ];
    for (name, value) in variables {
        assert!(!uses_mouse(&sandbox().with(name, value)), "{name}");
    }
    let set = sandbox().with("SSH_TTY", "/dev/pts/1");
    set.write("config/mageyard/config.toml", "[screen]\nmouse = \"on\"\n");
    assert!(uses_mouse(&set));
    set.write("config/mageyard/config.toml", "[screen]\nmouse = \"off\"\n");
    assert!(!uses_mouse(&set));
}

#[test]
fn it_is_switched_while_the_screen_runs() {
    let sandbox = sandbox().with("SSH_TTY", "/dev/pts/1");
    let mut screen = start_hall(&sandbox, &[]);
    screen.command("mouse").sees("the mouse is on").wrote(MOUSE_ON);
    screen.command("mouse").sees("the mouse is off").wrote(b"\x1b[?1000l").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_border_is_dragged_and_a_tab_is_clicked() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    let frame = |screen: &vt100::Screen| screen.contents().lines().next().unwrap_or_default().find('╮');
    let before = frame(&screen.screen()).unwrap();
    let column = screen.screen().contents().lines().next().unwrap()[..before].chars().count() + 1;
    let report = |code: u8, column: usize, end: char| format!("\x1b[<{code};{column};6{end}").into_bytes();
    screen.send(&report(0, column, 'M')).send(&report(32, column + 6, 'M')).send(&report(0, column + 6, 'm'));
    screen.until("the wider frame", |screen| frame(screen).is_some_and(|at| at > before));
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    let mut small = crate::pty::Pty::start(&sandbox.command(&["play", "hall.xsb"]), 80, 24);
    small.sees("[Agent] Memory").drawing_ends();
    let top = small.screen().contents().lines().next().unwrap().to_owned();
    let tab = top[..top.find("Memory").unwrap()].chars().count() + 2;
    small.send(format!("\x1b[<0;{tab};1M").as_bytes()).sees("▸Memory◂").press("q");
    small.wait_for_exit().assert_restored(0);
}

#[test]
fn a_sequence_of_keys_works_in_the_real_program() {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/keys.toml", "[keys]\n\"g x\" = \"zoom\"\n");
    let mut screen = start(&sandbox, &["play", "hall.xsb"]);
    screen.sees("step 1 of").press("g").sees("x zoom").press("x").misses(" Memory ").press("q");
    screen.wait_for_exit().assert_restored(0);
    sandbox.write("config/mageyard/keys.toml", "[keys]\n\"Z x\" = \"zoom\"\nZ = \"help\"\n");
    sandbox.run(&["keys"]).fails_with(2, &["Z is bound, and also begins \"Z x\" (lines 2 and 3)"]);
}
