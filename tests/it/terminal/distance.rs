//! How far the goal is, on the screen.

use super::start;
use super::world;

#[test]
fn the_screen_says_how_far_the_goal_is_now_and_at_the_step_looked_at() {
    let world = world();
    let mut screen = start(&world, &["play", "hall.xsb", "--agent", "human"]);
    screen.sees("3 to go · step 1 of").press("right").sees("2 to go · step 2 of");
    screen.press("left").sees("3 to go · step 3 of");
    screen.press("h").sees("2 to go · looking at step 2");
    screen.press("q");
    world.write("config/mageyard/config.toml", "[screen]\ndistance = false\n");
    let mut screen = start(&world, &["view", "last"]);
    screen.sees("RECORDED").settle().misses("to go");
    screen.press("q");
    world.write("config/mageyard/config.toml", "");
    start(&world, &["view", "last#2"]).sees("2 to go").press("q");
}

#[test]
fn a_run_stands_where_it_leaves_the_best_path() {
    let world = world();
    let play = ["play", "hall.xsb", "--agent", "random", "--seed", "1", "--max-steps", "500", "--pace", "20"];
    let mut screen = start(&world, &play);
    screen.sees("3 to go").press("b").sees("[ ] off_path").press("1").sees("[x] off_path").press("esc");
    // Esc and Space in one breath are one key: the sheet must be gone.
    screen
        .misses("[x] off_path")
        .sees("break off_path")
        .press("space")
        .sees("STOPPED")
        .sees("left the best path (");
    screen.command("break none").sees("breakpoints: none").press("space").sees("WON");
    screen.press("q");
}

#[test]
fn a_run_without_a_screen_is_parked_and_goes_on() {
    let world = world();
    let play =
        ["run", "hall.xsb", "--agent", "random", "--seed", "1", "--max-steps", "500", "--break", "off_path"];
    let ran = world.run(&play);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.contains("parked at a breakpoint: step ") && ran.err.contains("run --resume"),
        "{}",
        ran.err
    );
    world.run(&["run", "--resume", "last"]).done();
    world.run(&["run", "hall.xsb", "--break", "off_path,dead"]).done();
    let wrong = world.run(&["run", "hall.xsb", "--break", "off-path"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("did you mean off_path?"), "{wrong:?}");
}
