//! The screen by the real binary in a real pseudo-terminal: keys in, what is on the screen out.

mod arguments;
mod asking;
mod copying;
mod diagnosis;
mod distance;
mod drawings;
mod durability;
mod editing;
mod home;
mod late_answers;
mod linear;
mod mouse;
mod pictures;
mod playing;
mod reloading;
mod restored;
mod sent;
mod sizes;
mod slow_link;
mod suites;
mod terminal_behavior;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";

/// A sandbox with a terminal of all colours and a level of three steps, `hall.xsb`.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    sandbox.write("work/hall.xsb", HALL_LEVEL);
    sandbox
}

/// The binary in a terminal of 120x40.
fn start(sandbox: &Sandbox, args: &[&str]) -> Pty {
    Pty::start(&sandbox.command(args), 120, 40)
}

/// The screen on the hall, drawn and waiting for the first key.
fn start_hall(sandbox: &Sandbox, args: &[&str]) -> Pty {
    let mut screen = start(sandbox, &[&["play", "hall.xsb"], args].concat());
    screen.sees("step 1 of").drawing_ends();
    screen
}

/// A random player under way on a level that it never solves, so it runs as long as it is let.
fn start_random_run(sandbox: &Sandbox) -> Pty {
    let play = ["play", "sokoban/full/165", "--agent", "random", "--max-steps", "5000", "--pace", "20"];
    let mut screen = start(sandbox, &play);
    screen.sees("Enter asks the agent").press("space").gets_to(5);
    screen
}

/// Fails unless the sandbox has this number of journals, all complete and valid.
fn assert_journals_valid(sandbox: &Sandbox, count: usize) {
    let result = sandbox.run(&["log", "check", "--json"]);
    assert_eq!(result.code, Some(0), "{result:?}");
    let rows = result.json_lines();
    assert!(rows.iter().all(|row| row["whole"] == true && row["torn"].is_null()), "{rows:?}");
    assert_eq!(rows.len(), count);
}
