//! The terminal is restored, however the screen ends.

use rustix::process::Signal;

use super::{assert_journals_valid, sandbox, start_hall, start_random_run};
use crate::pty::Pty;

#[test]
fn on_q() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("q");
    let ended = screen.wait_for_exit().assert_restored(0);
    assert!(
        ended.text_after_screen().starts_with("unfinished: resume it with `mageyard play --resume "),
        "{}",
        ended.text_after_screen()
    );
}

#[test]
fn on_signals_during_a_run() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let sandbox = sandbox();
        let mut screen = start_random_run(&sandbox);
        screen.signal(signal);
        screen.wait_for_exit().assert_restored(code);
        assert_journals_valid(&sandbox, 1);
    }
}

#[test]
fn on_a_signal_while_suspended() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("ctrl-z").stops().signal(Signal::TERM).signal(Signal::CONT);
    screen.wait_for_exit().assert_restored(143);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn a_closed_terminal_ends_the_program() {
    let sandbox = sandbox();
    assert_eq!(start_random_run(&sandbox).hang_up(), 129);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn on_the_second_ctrl_c() {
    let sandbox = sandbox();
    let mut screen = start_random_run(&sandbox);
    screen.press("ctrl-c").sees("Ctrl-C again quits").sees("PAUSED");
    screen.press("ctrl-c");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn on_suspend_and_taken_back_on_resume() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("enter").sees("Enter applies Right").drawing_ends();
    let before = screen.text();
    for by_key in [true, false, true] {
        if by_key {
            screen.press("ctrl-z").stops();
        } else {
            screen.signal(Signal::TSTP).stops();
        }
        let mark = screen.byte_count();
        screen.signal(Signal::CONT);
        screen.poll("a complete drawing", |screen| {
            let mut fresh = vt100::Parser::new(40.try_into().unwrap(), 120.try_into().unwrap(), 0);
            fresh.process(&screen.bytes_from(mark));
            fresh.screen().alternate_screen() && fresh.screen().contents() == before
        });
    }
    screen.press("enter").sees("step 2 of").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_resize_while_suspended_is_noticed() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("ctrl-z").stops().resize(80, 24).signal(Signal::CONT);
    screen.sees("[Agent]").until("hints in the last line", |screen| {
        screen.rows(0, 80).nth(23).is_some_and(|row| row.contains("? help"))
    });
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_screen_is_redrawn_after_sigstop() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.signal(Signal::STOP).poll("a stopped program", Pty::is_stopped);
    let mark = screen.byte_count();
    screen.signal(Signal::CONT);
    screen.poll("a complete drawing", |screen| {
        String::from_utf8_lossy(&screen.bytes_from(mark)).contains("Enter asks the agent")
    });
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}
