//! The screen by the real binary in a real pseudo-terminal: keys in, what is on the screen out.

mod breaking;
mod copied;
mod distance;
mod editing;
mod files;
mod given_back;
mod kept;
mod manners;
mod played;
mod sent;
mod sizes;

use crate::pty::Pty;
use crate::world::World;

/// Three steps to the right solve it.
const HALL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";

/// A world with a terminal of all colours and a level of three steps, `hall.xsb`.
fn world() -> World {
    let world = World::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    world.write("work/hall.xsb", HALL);
    world
}

/// The binary in a terminal of 120x40.
fn start(world: &World, args: &[&str]) -> Pty {
    Pty::start(&world.command(args), 120, 40)
}

/// The screen on the hall, drawn and waiting for the first key.
fn hall(world: &World, args: &[&str]) -> Pty {
    let mut screen = start(world, &[&["play", "hall.xsb"], args].concat());
    screen.sees("step 1 of").drawn();
    screen
}

/// A random player under way on a level that it never solves, so it runs as long as it is let.
fn running(world: &World) -> Pty {
    let play = ["play", "sokoban/mini/20", "--agent", "random", "--max-steps", "5000", "--pace", "20"];
    let mut screen = start(world, &play);
    screen.sees("Enter asks the agent").press("space").gets_to(5);
    screen
}

/// Fails unless every journal of this world is whole and leads back, and there are so many.
fn journals_are_whole(world: &World, count: usize) {
    let ran = world.run(&["log", "check", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = ran.objects();
    assert!(rows.iter().all(|row| row["whole"] == true && row["torn"].is_null()), "{rows:?}");
    assert_eq!(rows.len(), count);
}
