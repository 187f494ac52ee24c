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
