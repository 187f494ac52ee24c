//! The lessons of the tutor: all are played in the program, one after the other, with the keys that they ask for.

use std::thread;

use mageyard::screen::Lesson;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// A program in which the simulated model makes no pauses.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    sandbox.write("config/mageyard/config.toml", "[demo]\npace = 0\n");
    sandbox
}

/// Waits for a part of a lesson. Its strip is below the panes and dialogs, and a pane has room above it. The screen may be seen
/// while it is drawn.
fn shows_part(screen: &mut Pty, lesson: &Lesson, part: usize) {
    let heading = format!("Tutor · {} · {} of {}", lesson.title(), part + 1, lesson.len());
    // A key before the first step is there does nothing.
    let step = if part == 0 { "step 1 of" } else { "" };
    screen.until(&format!("{heading} below a pane"), |screen| {
        let text = screen.contents();
        let rows: Vec<&str> = text.lines().collect();
        let at = rows.iter().position(|row| row.contains(&heading)).unwrap_or_default();
        let below = rows.get(at + 1).is_some_and(|row| !row.trim().is_empty());
        text.contains(step) && at >= 6 && rows[at - 1].contains('╯') && below
    });
}

fn play_all(columns: u16, rows: u16) {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["tutor"]), columns, rows);
    let lessons = Lesson::all().unwrap();
    for lesson in &lessons {
        for part in 0..lesson.len() {
            shows_part(&mut screen, lesson, part);
            screen.press(lesson.keys(part).unwrap());
        }
        screen.sees(&format!("Tutor · {} · complete", lesson.title())).press("enter");
    }
    // The last Enter leaves the tutor, which was not opened from anywhere.
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn every_lesson_is_completed_by_its_keys_at_all_sizes() {
    let sizes = [(120, 40), (80, 24), (60, 16), (200, 60)];
    let played = sizes.map(|(columns, rows)| thread::spawn(move || play_all(columns, rows)));
    for one in played {
        one.join().unwrap();
    }
}

#[test]
fn enter_steps_the_agent_only_where_a_lesson_asks_for_it() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["tutor"]), 120, 40);
    screen.sees("Tutor · Steps · 1 of").press("enter").sees("Enter does nothing here");
    assert!(screen.text().contains("no reply yet"));
    screen.press("tab").sees("2 of").press("enter").sees("3 of").sees("parsed by strict/1");
    screen.press("enter").sees("4 of").press("enter").sees("Enter does nothing here");
    screen.press("a").sees("1 of").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_verb_opens_a_lesson_without_a_key_or_a_network() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["tutor", "memory"]), 80, 24);
    screen.sees("Tutor · The memory window · 1 of").command("tutor prompts").sees("Tutor · Prompts · 1 of");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    sandbox
        .run(&["tutor", "memroy"])
        .fails_with(2, &["there is no lesson \"memroy\"", "did you mean memory"]);
    let listed = sandbox.run(&["tutor", "--list"]).success();
    assert!(listed.lines().count() == Lesson::names().len() && listed.starts_with("stepping"), "{listed}");
    assert!(!sandbox.path("data/mageyard/sessions").exists(), "lessons are not among the recordings");
}

#[test]
fn a_lesson_is_left_to_where_it_was_opened_from_and_gone_on_with() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&["play", "hanoi/first/1"]), 120, 40);
    screen.sees("Enter asks the agent").command("tutor").sees("Tutor · Steps · 1 of");
    screen
        .press("tab")
        .sees("2 of")
        .press("enter")
        .sees("3 of")
        .press("q")
        .sees("hanoi/first/1")
        .misses("Tutor ·");
    screen.command("tutor").sees("Tutor · Steps · 3 of").press("esc").misses("Tutor ·").sees("hanoi/first/1");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_first_start_and_home_lead_to_a_lesson_and_back() {
    let sandbox = sandbox();
    let mut screen = Pty::start(&sandbox.command(&[]), 80, 24);
    screen
        .sees("Welcome")
        .press("t")
        .sees("Tutor · Steps · 1 of")
        .press("esc")
        .sees("▸ Learn")
        .misses("Tutor ·");
    screen.press("/ window enter").sees("Home /window").sees("a lesson: Enter starts it").press("enter");
    screen.sees("Tutor · The memory window · 1 of").press("q").sees("Home /window").press("q");
    screen.wait_for_exit().assert_restored(0);
}
