//! The screen in all sizes, and while they change.

use super::{sandbox, start_hall, start_random_run};
use crate::pty::Pty;

#[test]
fn at_80x24_panes_are_tabs() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["play", "hall.xsb"]), 80, 24);
    screen.sees("[Agent] Memory  Score  Steps").sees("Enter asks the agent").sees("▸Frame◂");
    for tab in ["▸Agent◂", "▸Memory◂", "▸Score◂", "▸Steps◂"] {
        screen.press("tab").sees(tab).sees(" Frame ");
    }
}

#[test]
fn at_60x16_one_pane_is_shown() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["play", "hall.xsb"]), 60, 16);
    screen.sees("▸Frame◂ Agent  Memory  Score  Steps").sees("Enter asks the agent");
    screen.press("enter tab").sees("▸Agent◂").sees("▶ Right");
}

#[test]
fn below_that_a_message_is_shown_and_q_quits() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["play", "hall.xsb"]), 59, 15);
    screen.sees("The screen needs 60x16 cells; this terminal has 59x15.").sees("press q to quit");
    assert_eq!(screen.drawing_ends().text().trim_end().lines().count(), 2);
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn q_quits_a_small_terminal_with_a_dialog_open() {
    for open in ["?", ":"] {
        let sandbox = sandbox();
        let mut screen = start_hall(&sandbox, &[]);
        screen.press(open).sees("Esc closes").resize(40, 10).sees("The screen needs").press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}

#[test]
fn many_resizes_end_with_a_correct_screen() {
    let sandbox = sandbox();
    let mut screen = start_random_run(&sandbox);
    let sizes = [(80, 24), (60, 16), (59, 15), (2, 40), (300, 3), (200, 60), (1, 1), (7, 7), (110, 30)];
    for (columns, rows) in sizes.into_iter().cycle().take(180) {
        let mark = screen.byte_count();
        screen.resize(columns, rows);
        // Let it draw sometimes; mostly resize faster.
        if (columns + rows) % 7 == 1 {
            screen.poll("a drawing", |screen| screen.byte_count() > mark);
        }
    }
    screen.resize(120, 40).press("esc").sees("PAUSED").settle();
    let settled = screen.text();
    for part in ["╭▸Frame◂", "╭ Agent ", "╭ Memory ", "╭ Score ", "╭ Steps ", " PAUSED  Enter ", "? help"]
    {
        assert!(settled.contains(part), "{part}:\n{settled}");
    }
    screen.press("ctrl-l").settle();
    assert_eq!(screen.text(), settled, "a redraw changes nothing");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}
