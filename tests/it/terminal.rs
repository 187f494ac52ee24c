//! The screen by the real binary in a real pseudo-terminal: keys in, what is on the screen out.

mod copying;
mod distance;
mod durability;
mod editing;
mod failing_screen;
mod playing;
mod reloading;
mod restored;
mod sent;
mod sizes;
mod terminal_behavior;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";

/// A world with a terminal of all colours and a level of three steps, `hall.xsb`.
fn world() -> Sandbox {
    let world = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    world.write("work/hall.xsb", HALL_LEVEL);
    world
}

/// The binary in a terminal of 120x40.
fn start(world: &Sandbox, args: &[&str]) -> Pty {
    Pty::start(&world.command(args), 120, 40)
}

/// The screen on the hall, drawn and waiting for the first key.
fn start_hall(world: &Sandbox, args: &[&str]) -> Pty {
    let mut screen = start(world, &[&["play", "hall.xsb"], args].concat());
    screen.sees("step 1 of").drawing_ends();
    screen
}

/// A random player under way on a level that it never solves, so it runs as long as it is let.
fn start_random_run(world: &Sandbox) -> Pty {
    let play = ["play", "sokoban/mini/20", "--agent", "random", "--max-steps", "5000", "--pace", "20"];
    let mut screen = start(world, &play);
    screen.sees("Enter asks the agent").press("space").gets_to(5);
    screen
}

/// Fails unless every journal of this world is whole and leads back, and there are so many.
fn assert_journals_valid(world: &Sandbox, count: usize) {
    let ran = world.run(&["log", "check", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = ran.json_lines();
    assert!(rows.iter().all(|row| row["whole"] == true && row["torn"].is_null()), "{rows:?}");
    assert_eq!(rows.len(), count);
}
