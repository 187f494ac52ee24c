//! Pictures in terminals that answer, answer late, answer wrongly or not at all.

use std::time::Duration;

use super::{sandbox, start_hall};
use crate::pty::Pty;

/// The answers of a terminal with Sixel and cells of 10x20 pixels.
const SIXEL: &[u8] = b"\x1bP>|XTerm(379)\x1b\\\x1b[6;20;10t\x1b[?2026;2$y\x1b[?62;4;22c";
/// The answers of a terminal with Kitty's protocol.
const KITTY: &[u8] = b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.36.4)\x1b\\\x1b[6;20;10t\x1b[?2026;2$y\x1b[?62;c";
/// The answers of a terminal with iTerm2's pictures.
const ITERM2: &[u8] = b"\x1bP>|WezTerm 20240203\x1b\\\x1b[6;20;10t\x1b[?62;4;22c";
/// The last question.
const LAST_QUESTION: &[u8] = b"\x1b[c";

/// The screen on the hall in a terminal that gives these answers after this time.
fn start_answering(answers: &[u8], after: Duration) -> Pty {
    let sandbox = sandbox();
    let mut screen = Pty::start_silent(&sandbox.command(&["play", "hall.xsb"]), 120, 40);
    screen.wrote(LAST_QUESTION);
    std::thread::sleep(after);
    screen.send(answers).sees("step 1 of").settle();
    screen
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn a_terminal_with_graphics_gets_pixels() {
    for (answers, form, sequence) in [
        (SIXEL, "sixel", "\x1bP9;1;0q"),
        (KITTY, "kitty", "\x1b_Ga=T,U=1,q=2,f=100,i=1,"),
        (ITERM2, "iterm2", "\x1b]1337;File=inline=1;"),
    ] {
        let mut screen = start_answering(answers, Duration::ZERO);
        screen.command("pictures").sees(&format!("pictures: {form}; the terminal"));
        screen.press("q");
        let exited = screen.wait_for_exit();
        assert!(contains(&exited.bytes, sequence), "{form}");
        assert_eq!(
            (exited.code, contains(&exited.bytes, "i=1\x1b\\")),
            (0, form == "kitty"),
            "freed at the end"
        );
    }
}

#[test]
fn kitty_cells_are_text_with_the_place_of_their_part() {
    let mut screen = start_answering(KITTY, Duration::ZERO);
    screen.until("placeholder cells", |screen| screen.contents().contains('\u{10eeee}'));
    screen.press("?").misses("\u{10eeee}");
    screen.press("esc").sees("\u{10eeee}").press("q");
    let exited = screen.wait_for_exit();
    let sent = exited.bytes.windows(5).filter(|part| part == b"\x1b_Ga=").count();
    assert_eq!(sent, 2, "sent once and deleted at the end, whatever covered it");
}

#[test]
fn a_terminal_without_an_answer_shows_half_blocks_soon() {
    let sandbox = sandbox();
    let mut screen = Pty::start_silent(&sandbox.command(&["play", "hall.xsb"]), 120, 40);
    screen
        .sees("▀")
        .command("pictures")
        .sees("pictures: half-blocks; the terminal did not answer")
        .press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
}

#[test]
fn no_byte_of_a_late_or_wrong_answer_is_a_key() {
    let wrong = b"\x1b_Gi=q;q\x1b\\\x1bP>|q:q\x1b\\\x1b[?q\x1b[6;:;t\x1b]10;rgb:q\x07\x1b[?2026;0$y";
    for answers in [SIXEL, KITTY, ITERM2, &wrong[..]] {
        let mut screen = start_answering(b"", Duration::from_millis(300));
        for part in answers.chunks(3) {
            screen.send(part);
            std::thread::sleep(Duration::from_millis(10));
        }
        // Quit, the palette and the help would be keys within the answers.
        screen.press("?").sees("╭ Keys ").press("esc");
        // Where there are pixels now, the cells below them keep their text.
        screen.settle().press("enter").sees("parsed by").press("q");
        assert_eq!(screen.wait_for_exit().code, 0);
    }
}

#[test]
fn a_form_can_be_chosen_and_changed() {
    let sandbox = sandbox();
    let braille =
        |screen: &vt100::Screen| screen.contents().chars().any(|letter| ('⠁'..='⣿').contains(&letter));
    let mut screen = start_hall(&sandbox, &["--pictures", "braille"]);
    screen
        .until("Braille", braille)
        .command("pictures")
        .sees("pictures: braille; the setting screen.pictures");
    screen
        .command("pictures ascii")
        .sees("pictures: ascii; chosen with a command")
        .until("no Braille", |screen| !braille(screen));
    screen.command("pictures text").sees("#######");
    screen.command("pictures tubes").sees("there is no form \"tubes\"; the forms are auto, kitty").press("q");
    assert_eq!(screen.wait_for_exit().code, 0);
    sandbox.run(&["play", "hall.xsb", "--pictures", "tubes"]).fails_with(2, &["tubes", "screen.pictures"]);
}
