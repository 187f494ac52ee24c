//! The screen in a real terminal: stories of keys, signals and files.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mageyard::config::Problem;
use mageyard::dialog::Layout;
use mageyard::dialog::Rules;
use mageyard::domain::Setting;
use mageyard::domain::Window;
use mageyard::engine::Episode;
use mageyard::engine::Head;
use mageyard::engine::Mode;
use mageyard::engine::Session;
use mageyard::engine::Snapshot;
use mageyard::engine::Waiting;
use mageyard::tui;
use mageyard::tui::Keymap;
use mageyard::tui::Look;
use mageyard::tui::Settings;
use mageyard::tui::Sitting;
use mageyard::tui::Theme;
use rustix::process::Signal;
use tokio::sync::mpsc;
use tokio::sync::watch;

use crate::pty::Pty;
use crate::world::World;

const LEVEL: &str = "sokoban/mini/1";

/// The screen on a level, ready for keys.
fn playing(world: &World, args: &[&str]) -> Pty {
    let args = [&["play", LEVEL], args].concat();
    let pty = Pty::start(&world.command(&args), 120, 40);
    pty.see("STANDING");
    assert!(pty.is_taken());
    pty
}

#[test]
fn a_level_is_played_to_its_end_by_hand_and_alone() {
    let world = World::new();
    let mut pty = playing(&world, &["--pace", "0"]);
    pty.see("Enter asks the agent");
    pty.press("\r");
    pty.see("Enter applies");
    pty.press("\r");
    pty.see("step 2 of 50");
    pty.press("2\r");
    pty.see("step 3 of 50");
    pty.press(" ");
    pty.see("WON");
    pty.see("the end: won");
    pty.press("0");
    pty.see("looking at step 1 of");
    pty.press("$");
    pty.miss("looking at");
    pty.press("q");
    assert_eq!(pty.exit(), 0);
    pty.is_as_before();
}

#[test]
fn a_person_plays_with_the_arrows() {
    let world = World::new();
    let mut pty = playing(&world, &["--agent", "human"]);
    pty.see("your move");
    pty.press("\u{1b}[D");
    pty.see("step 2 of 50");
    pty.press(":act Right\r");
    pty.see("step 3 of 50");
    // Faster than any reader: keys held down.
    pty.press(&"\u{1b}[D\u{1b}[C".repeat(5));
    pty.see("step 13 of 50");
    pty.press("4\u{1b}[A");
    pty.see("step 17 of 50");
    pty.press("q");
    assert_eq!(pty.exit(), 0);
}

#[test]
fn another_level_is_opened_from_the_palette() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.press(":open mini/8");
    pty.see("sokoban/mini/8");
    pty.press("\r");
    pty.see("sokoban/mini/8 · oracle");
    pty.press("H");
    pty.see("sokoban/mini/1 · oracle");
    pty.press("q");
    assert_eq!(pty.exit(), 0);
}

#[test]
fn an_idle_screen_writes_nothing_and_sleeps() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.press("\r");
    pty.see("Enter applies");
    pty.settle();
    let (bytes, sleeps) = (pty.bytes(), pty.sleeps());
    thread::sleep(Duration::from_secs(2));
    assert_eq!(pty.bytes(), bytes, "bytes written while idle");
    assert_eq!(pty.sleeps(), sleeps, "threads woken while idle");
}

#[test]
fn a_step_costs_few_bytes() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.settle();
    let first = pty.bytes();
    pty.press("2\r");
    pty.see("step 2 of 50");
    pty.settle();
    let step = pty.bytes() - first;
    println!("the first screen: {first} bytes; a step: {step} bytes");
    assert!(first < 64_000 && step < 8_000, "the first screen: {first} bytes; a step: {step} bytes");
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    for (how, code) in [("q", 0), ("\u{3}", 0)] {
        let world = World::new();
        let mut pty = playing(&world, &[]);
        pty.press(how);
        assert_eq!(pty.exit(), code, "{how:?}");
        pty.is_as_before();
    }
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let world = World::new();
        let mut pty = playing(&world, &[]);
        pty.signal(signal);
        assert_eq!(pty.exit(), code, "{signal:?}");
        pty.is_as_before();
    }
}

#[test]
fn control_c_first_cancels_a_run() {
    let world = World::new();
    let mut pty = playing(&world, &["--pace", "5000"]);
    pty.press(" ");
    pty.see("RUNNING");
    pty.press("\u{3}");
    pty.see("STANDING");
    pty.press("\u{3}");
    assert_eq!(pty.exit(), 0);
    pty.is_as_before();
}

#[test]
fn suspending_gives_the_terminal_back_and_going_on_takes_it_again() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.press("\u{1a}");
    stopped_and_continued(&mut pty);
    pty.signal(Signal::TSTP);
    stopped_and_continued(&mut pty);
    pty.press("q");
    assert_eq!(pty.exit(), 0);
    pty.is_as_before();
}

fn stopped_and_continued(pty: &mut Pty) {
    pty.wait_until_stopped();
    pty.is_as_before();
    let bytes = pty.bytes();
    pty.signal(Signal::CONT);
    pty.see("STANDING");
    pty.settle();
    assert!(pty.is_taken());
    assert!(pty.bytes() > bytes + 2_000, "the whole screen is drawn again");
}

#[test]
fn a_stop_that_nobody_announced_is_mended_too() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.signal(Signal::STOP);
    pty.wait_until_stopped();
    let bytes = pty.bytes();
    pty.signal(Signal::CONT);
    pty.settle();
    assert!(pty.bytes() > bytes + 2_000 && pty.is_taken());
    pty.press("q");
    assert_eq!(pty.exit(), 0);
}

#[test]
fn a_terminal_may_have_any_size_at_any_time() {
    let world = World::new();
    let mut pty = playing(&world, &["--pace", "0"]);
    pty.press(" ");
    for (columns, rows) in
        [(1, 1), (80, 24), (60, 16), (59, 15), (2, 40), (200, 3), (200, 60), (110, 30), (7, 7)]
    {
        pty.resize(columns, rows);
        thread::sleep(Duration::from_millis(15));
    }
    pty.resize(40, 10);
    pty.see("The screen needs 60x16");
    pty.resize(80, 24);
    pty.see("[Agent]");
    pty.press("q");
    assert_eq!(pty.exit(), 0);
    pty.is_as_before();
}

#[test]
fn a_paste_presses_no_keys() {
    let world = World::new();
    let mut pty = playing(&world, &[]);
    pty.press("\u{1b}[200~qqq\r\u{1b}[201~");
    pty.press("?");
    pty.see("Help: Frame");
    pty.press("\u{1b}");
    pty.miss("Help: Frame");
    pty.press("q");
    assert_eq!(pty.exit(), 0);
}

#[test]
fn a_bad_file_is_shown_and_a_good_one_taken_up() {
    let world = World::new();
    world.write("config/mageyard/keys.toml", "[keys]\n");
    let mut pty = playing(&world, &[]);
    world.write("config/mageyard/keys.toml", "[keys]\nx = \"leaev\"\n");
    pty.see("A file is wrong; the old settings are kept");
    pty.see("did you mean leave?");
    world.write("config/mageyard/keys.toml", "[keys]\nx = \"leave\"\n");
    pty.miss("A file is wrong");
    pty.press("x");
    assert_eq!(pty.exit(), 0);
}

#[test]
fn without_colour_the_terminal_is_told_no_colour() {
    let world = World::new().with("NO_COLOR", "1");
    let pty = playing(&world, &[]);
    pty.see("#####");
    pty.settle();
    assert!(pty.is_colourless());
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let world = World::new();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "screen::a_screen_that_breaks_down", "--ignored", "--nocapture"]);
    command.current_dir(world.path("work")).env("HOME", world.path("home"));
    let mut pty = Pty::start(&command, 120, 40);
    pty.see("OPENING");
    assert!(pty.is_taken());
    pty.press(":theme dark\r");
    pty.see("the house fell down");
    assert_ne!(pty.exit(), 0);
    pty.is_as_before();
}

/// The child of the story above; by itself it has no terminal and so nothing to do.
#[test]
#[ignore = "runs in the terminal of another test"]
fn a_screen_that_breaks_down() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (_sender, snapshots) = watch::channel(Arc::new(opening()));
    let (_files, changes) = mpsc::unbounded_channel();
    let sitting = Sitting::of(Session { orders: None, snapshots });
    let look =
        Look { theme: Theme::named("dark").unwrap(), keys: Keymap::default(), settings: Settings::default() };
    let ended = runtime.block_on(tui::run(&mut Ruin, sitting, look, changes));
    panic!("it should have broken down before: {ended:?}");
}

struct Ruin;

impl tui::House for Ruin {
    fn open(&mut self, reference: &str) -> Result<Session, Problem> {
        Err(Problem::new(reference))
    }

    fn levels(&self) -> Vec<String> {
        Vec::new()
    }

    fn themes(&self) -> Vec<String> {
        vec!["dark".into()]
    }

    fn theme(&mut self, _: &str) -> Result<Theme, Problem> {
        panic!("the house fell down")
    }

    fn reload(&mut self) -> Result<Look, Problem> {
        Err(Problem::new("nothing to read"))
    }
}

/// A session at which nothing has happened yet.
fn opening() -> Snapshot {
    let head = Head {
        program: "a test".into(),
        started: 0,
        environment: "sokoban".into(),
        reference: LEVEL.into(),
        title: None,
        number: 1,
        level: String::new(),
        options: mageyard::domain::Options::new(),
        agent: "idle".into(),
        seed: 0,
        setting: Setting::Online,
        window: Window::new(1, 1).unwrap(),
        prompt: "0s-CoT".into(),
        layout: Layout::default(),
        rules: Rules::Strict,
        max_steps: 1,
        max_time: None,
    };
    let kind = mageyard::envs::kind("sokoban").unwrap();
    let seen = Snapshot::of(&Episode::new(head.into()), kind, Path::new("nowhere"));
    seen.with(Mode::Standing, Waiting::Opening, Duration::ZERO, None)
}
