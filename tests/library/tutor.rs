//! The lessons of the tutor: each is played with the keys that it asks for, through the real update of the screen, and
//! its instruction is visible beside what it speaks of.

use mageyard::lab::{open_recorded, write_tutorial};
use std::sync::Arc;
use std::time::Duration;

use mageyard::agents;
use mageyard::agents::request_reader;
use mageyard::config::{Folders, PictureForm, Sources};
use mageyard::domain::Prices;
use mageyard::engine::Snapshot;
use mageyard::lab::Lab;
use mageyard::screen::{Appearance, DisplaySettings, FrameView, Keymap, Lesson, OffscreenScreen};
use mageyard::terminal::{ColorDepth, CopyRoute, Proportions, Theme};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

fn look() -> Appearance {
    let settings = DisplaySettings {
        link: mageyard::config::LinkSetting::Fast,
        remote: false,
        pictures: Some(PictureForm::HalfBlocks),
        passthrough: false,
        outside: mageyard::terminal::OutsideTerminal::default(),
        known: None,
        assumed_size: mageyard::terminal::USUAL_SIZE,
        can_ask: false,
        depth: ColorDepth::TrueColor,
        view: FrameView::Auto,
        mouse: false,
        linear: false,
        motion: mageyard::screen::Motion::Full,
        layout: Proportions::default(),
        copy_route: CopyRoute::Terminal,
        pace: Duration::ZERO,
        tmux: false,
        console: false,
    };
    let theme = Theme::named("dark").unwrap();
    Appearance { theme, keys: Keymap::default(), settings, prices: Prices::default() }
}

/// The recording of the tutor.
fn recording() -> Arc<Snapshot> {
    let folder = tempfile::tempdir().unwrap();
    let sources =
        Sources { folders: Folders::under(folder.path()), user_file_override: None, overrides: Vec::new() };
    let lab = Lab::new(mageyard::envs::environments(), agents::AGENTS, Arc::new(|_| None));
    let journal = write_tutorial(&lab, &folder.path().join("tutor")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let session = runtime.block_on(open_recorded(&lab, &journal, false, &sources.read().unwrap())).unwrap();
    session.snapshots.borrow().clone()
}

/// The rows of the screen as text.
fn rows(screen: &mut OffscreenScreen) -> Vec<String> {
    let buffer = screen.draw();
    let width = usize::from(buffer.area.width);
    buffer.content.chunks(width).map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect()
}

#[test]
fn the_keys_of_every_lesson_complete_its_parts_one_by_one() {
    let recording = recording();
    for (width, height) in [(120, 40), (80, 24), (60, 16), (200, 60)] {
        for lesson in Lesson::all().unwrap() {
            let mut screen =
                OffscreenScreen::new(recording.clone(), &look(), request_reader(), (width, height));
            screen.start_lesson(&lesson);
            let place = format!("{} at {width}x{height}", lesson.name());
            for part in 0..lesson.len() {
                assert_eq!(screen.lesson_part(), Some(part), "{place}");
                let shown = rows(&mut screen);
                let heading = format!("Tutor · {} · {} of {}", lesson.title(), part + 1, lesson.len());
                let at = shown.iter().position(|row| row.contains(&heading));
                let at = at.unwrap_or_else(|| panic!("{place}, {part}: {shown:#?}"));
                assert!(shown[at - 1].contains('╯'), "the strip is below the panes and dialogs: {shown:#?}");
                assert!(at >= 6, "{place}: no room for a pane above {at}");
                let keys = lesson.keys(part).unwrap();
                screen.press(keys).unwrap_or_else(|why| panic!("{place}, {keys}: {why}"));
            }
            assert_eq!(screen.lesson_part(), Some(lesson.len()), "{place}: it is complete");
            assert!(rows(&mut screen).iter().any(|row| row.contains("· complete")), "{place}");
        }
    }
}

#[test]
fn an_instruction_waits_for_its_keys() {
    let mut screen = OffscreenScreen::new(recording(), &look(), request_reader(), (120, 40));
    screen.start_lesson(&Lesson::named("stepping").unwrap());
    screen.press("tab tab z z").unwrap();
    assert_eq!(screen.lesson_part(), Some(0));
    screen.press("l").unwrap();
    assert_eq!(screen.lesson_part(), Some(1));
}

#[test]
fn the_verb_opens_a_lesson_without_a_key_or_a_network() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let mut screen = Pty::start(&sandbox.command(&["tutor", "memory"]), 80, 24);
    screen.sees("Tutor · The memory window · 1 of 7").sees("Press gm to focus it");
    screen.press("g m").sees("2 of 7");
    screen.command("tutor off").misses("Tutor ·").command("tutor failure").sees("Tutor · A failure · 1 of");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    sandbox
        .run(&["tutor", "memroy"])
        .fails_with(2, &["there is no lesson \"memroy\"", "did you mean memory"]);
    let listed = sandbox.run(&["tutor", "--list"]).success();
    assert!(listed.lines().count() == Lesson::names().len() && listed.starts_with("stepping"), "{listed}");
}

#[test]
fn a_lesson_starts_from_an_episode_of_ones_own() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let mut screen = Pty::start(&sandbox.command(&["play", "sokoban/first/1"]), 120, 40);
    screen.sees("Enter asks the agent").command("tutor").sees("Tutor · Steps · 1 of 8").sees("RECORDED");
    screen.press("l").sees("2 of 8").press("H").sees("Enter asks the agent").sees("2 of 8").press("q");
    screen.wait_for_exit().assert_restored(0);
}
