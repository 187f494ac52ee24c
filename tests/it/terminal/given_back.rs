//! The terminal is given back, however the screen ends.

use rustix::process::Signal;

use super::breaking::breaking;
use super::hall;
use super::journals_are_whole;
use super::running;
use super::world;
use crate::pty::Pty;

#[test]
fn on_q() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.press("q");
    let ended = screen.ends().gave_back(0);
    assert!(ended.said().starts_with("left; `mageyard play --resume "), "{}", ended.said());
}

#[test]
fn on_a_panic_and_its_message_is_there_to_read() {
    let world = world();
    let mut screen = breaking(&world);
    screen.command("open panic");
    let ended = screen.ends().gave_back(101);
    assert!(ended.said().contains("the house fell down"), "{}", ended.said());
    journals_are_whole(&world, 1);
}

#[test]
fn on_an_error_and_its_message_is_there_to_read() {
    let world = world();
    let mut screen = breaking(&world);
    screen.press("enter");
    let ended = screen.ends().gave_back(1);
    assert!(ended.said().contains("the agent fell down"), "{}", ended.said());
    assert!(ended.said().contains("sessions are kept up to their last event"), "{}", ended.said());
    journals_are_whole(&world, 1);
}

#[test]
fn on_signals_in_the_middle_of_a_run() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let world = world();
        let mut screen = running(&world);
        screen.signal(signal);
        screen.ends().gave_back(code);
        journals_are_whole(&world, 1);
    }
}

#[test]
fn on_a_signal_while_it_is_suspended() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.press("ctrl-z").stops().signal(Signal::TERM).signal(Signal::CONT);
    screen.ends().gave_back(143);
    journals_are_whole(&world, 1);
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let world = world();
    assert_eq!(running(&world).hang_up(), 129);
    journals_are_whole(&world, 1);
}

#[test]
fn on_the_second_control_c() {
    let world = world();
    let mut screen = running(&world);
    screen.press("ctrl-c").sees("Ctrl-C again leaves").sees("STANDING");
    screen.press("ctrl-c");
    screen.ends().gave_back(0);
}

#[test]
fn to_the_shell_and_taken_again() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.press("enter").sees("Enter applies Right").drawn();
    let before = screen.text();
    for by_key in [true, false, true] {
        if by_key {
            screen.press("ctrl-z").stops();
        } else {
            screen.signal(Signal::TSTP).stops();
        }
        let mark = screen.count();
        screen.signal(Signal::CONT);
        screen.poll("a screen drawn whole", |screen| {
            let mut fresh = vt100::Parser::new(40.try_into().unwrap(), 120.try_into().unwrap(), 0);
            fresh.process(&screen.since(mark));
            fresh.screen().alternate_screen() && fresh.screen().contents() == before
        });
    }
    screen.press("enter").sees("step 2 of").press("q");
    screen.ends().gave_back(0);
}

#[test]
fn a_terminal_may_change_its_size_meanwhile() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.press("ctrl-z").stops().resize(80, 24).signal(Signal::CONT);
    screen.sees("[Agent]").until("hints in the last line", |screen| {
        screen.rows(0, 80).nth(23).is_some_and(|row| row.contains("? help"))
    });
    screen.press("q");
    screen.ends().gave_back(0);
}

#[test]
fn a_stop_that_nobody_announced_is_mended() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.signal(Signal::STOP).poll("a stopped program", Pty::is_stopped);
    let mark = screen.count();
    screen.signal(Signal::CONT);
    screen.poll("a screen drawn whole", |screen| {
        String::from_utf8_lossy(&screen.since(mark)).contains("Enter asks the agent")
    });
    screen.press("q");
    screen.ends().gave_back(0);
}
