//! The distance to the goal on the screen.

use super::{sandbox, start};
use crate::pty::Pty;

#[test]
fn the_screen_shows_the_distance_now_and_at_the_viewed_step() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "hall.xsb", "--agent", "human", "--solver-visible"]);
    screen.sees("distance 3 · step 1 of").press("right").sees("distance 2 · step 2 of");
    screen.press("left").sees("distance 3 · step 3 of");
    screen.press("h").sees("distance 2 · viewing step 2");
    screen.press("q");
    sandbox.write("config/mageyard/config.toml", "[screen]\ndistance = false\n");
    let mut screen = start(&sandbox, &["view", "last"]);
    screen.sees("RECORDED").settle().misses("distance");
    screen.press("q");
    sandbox.write("config/mageyard/config.toml", "");
    start(&sandbox, &["view", "last#2"]).sees("distance 2").press("q");
}

#[test]
fn a_run_pauses_where_it_leaves_the_shortest_path() {
    let sandbox = sandbox();
    let play = ["play", "hall.xsb", "--agent", "random", "--seed", "1", "--max-steps", "500", "--pace", "20"];
    let mut screen = start(&sandbox, &play);
    screen
        .sees("Enter asks the agent")
        .press("b")
        .sees("[ ] off_path")
        .press("1")
        .sees("[x] off_path")
        .press("esc");
    // Esc and Space sent together are Alt-Space, so wait until the dialog is closed.
    screen
        .misses("[x] off_path")
        .sees("break on off_path")
        .press("space")
        .sees("BREAKPOINT")
        .sees("left the shortest path (");
    screen.command("break none").sees("breakpoints: none").press("space").sees("WON");
    screen.press("q");
}

#[test]
fn a_headless_run_is_parked_and_resumed() {
    let sandbox = sandbox();
    let play =
        ["run", "hall.xsb", "--agent", "random", "--seed", "1", "--max-steps", "500", "--break", "off_path"];
    let result = sandbox.run(&play);
    assert_eq!(result.code, Some(3), "{result:?}");
    assert!(
        result.err.contains("parked at a breakpoint: step ") && result.err.contains("run --resume"),
        "{}",
        result.err
    );
    sandbox.run(&["run", "--resume", "last"]).success();
    sandbox.run(&["run", "hall.xsb", "--break", "off_path,dead"]).success();
    let wrong = sandbox.run(&["run", "hall.xsb", "--break", "off_pth"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("did you mean off_path"), "{wrong:?}");
}

#[test]
fn a_step_off_the_shortest_path_is_marked_counted_and_found() {
    let sandbox = sandbox();
    for (columns, rows) in [(120, 40), (80, 24)] {
        let play = sandbox.command(&["play", "hall.xsb", "--agent", "human", "--solver-visible"]);
        let mut screen = Pty::start(&play, columns, rows);
        screen.sees("step 1 of").press("right").sees("step 2 of").press("left").sees("step 3 of");
        // Focus order: frame, agent, memory, score, steps.
        screen.press("tab tab tab").sees("distance          3").sees("extra moves       2 so far");
        // The distances of earlier states may be searched later.
        screen.press("h").sees("distance          2").press("l").sees("distance          3");
        screen.command("marked off_path").sees("step 2: 2 extra moves (1 of 1");
        screen.sees("distance          2").sees("extra moves       0 so far");
        screen.press("tab").sees("~").press("M").sees("only off_path: 1 of ");
        screen.press("V").sees("2 extra moves at 1 step").press("esc").misses("Verdict");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
    }
    sandbox.write("config/mageyard/config.toml", "[screen]\ndistance = false\n");
    let mut screen = start(&sandbox, &["view", "last"]);
    screen.sees("RECORDED").drawing_ends().misses("extra moves").command("marked off_path");
    screen.sees("no distances are computed here").press("q");
}

#[test]
fn the_step_that_lost_the_level_differs_from_a_detour() {
    let sandbox = sandbox();
    // Pushing the box to the right wall goes one square too far.
    sandbox.write("work/edge.xsb", "########\n#@ $.  #\n########\n");
    let mut screen = start(&sandbox, &["play", "edge.xsb", "--agent", "human", "--solver-visible"]);
    screen.sees("distance 2").press("right").sees("distance 1").press("left").sees("distance 2");
    screen.command("abandon").press("y").sees("ABANDONED").press("q");
    sandbox.write("work/lost.xsb", "########\n#@ $ . #\n#    $.#\n########\n");
    let mut screen = start(&sandbox, &["play", "lost.xsb", "--agent", "human", "--solver-visible"]);
    screen.sees("distance ").press("right").sees("step 2 of");
    for _ in 0..3 {
        screen.press("right");
    }
    screen.sees("dead since").sees("step 4").sees("extra moves       0 before").sees("† dead");
    screen.command("marked off_path").sees("step 4: made the level unsolvable").misses("~ off").press("q");
}

#[test]
fn a_counted_run_checks_breakpoints_up_to_its_last_step() {
    let sandbox = sandbox();
    let random = ["hall.xsb", "--agent", "random", "--seed", "1", "--max-steps", "500"];
    let parked = sandbox.run(&[&["run"][..], &random, &["--break", "off_path"]].concat());
    let step = parked.err.split("parked at a breakpoint: step ").nth(1).expect("the run is parked");
    let step = step.split(' ').next().unwrap();
    let mut screen = start(&sandbox, &[&["play"][..], &random, &["--pace", "20"]].concat());
    screen.sees("Enter asks the agent").command("break off_path").sees("breakpoints: off_path");
    let count: Vec<String> = step.chars().map(String::from).collect();
    screen.press(&count.join(" ")).press("space").sees("BREAKPOINT").sees(&format!("stopped: step {step} "));
    screen.press("q");
}

#[test]
fn an_unreadable_reply_opens_in_the_raw_view() {
    let sandbox = sandbox();
    let play = ["run", "sokoban/full/3", "--agent", "faulty", "--seed", "2", "--max-steps", "12"];
    sandbox.run(&play).success();
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut screen = Pty::start(&sandbox.command(&["view", "last"]), columns, rows);
        screen.sees("RECORDED").drawing_ends().command("marked parse").sees("parse error in reply 1 of ");
        if columns == 80 {
            screen.press("tab").sees("▸Agent◂");
        }
        screen.press("r").sees("raw reply 1 of ").sees("✗ rejected by rule ").press("q");
    }
}
