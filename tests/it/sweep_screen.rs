//! The dashboard of a sweep that is finished: from the map to a cell, to an episode, to its steps, and back.

use std::time::Duration;

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, ServerState};

/// A sandbox with a finished sweep over three windows, of which one cannot be played.
fn finished(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    let sweep = format!(
        "levels = \"sokoban/first/1..2\"\nreference = {{ memory.am = 1 }}\n[settings]\nplay.agent = \"model\"\n\
         play.max_steps = 3\nmodel.name = \"mock\"\nmodel.base_url = \"{}\"\n\
         [[grid]]\nmemory.am = [1, 2]\nmemory.om = [1, 2]\n",
        server.url()
    );
    sandbox.write("work/small.toml", sweep);
    sandbox.run(&["sweep", "run", "small.toml", "--store=runs", "--plain"]).success();
    sandbox
}

#[test]
fn a_finished_sweep_is_a_map_then_a_cell_then_an_episode_then_its_steps() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::ZERO));
    let sandbox = finished(&server);
    sandbox.write("config/mageyard/keys.toml", "[sweep]\nx = \"open\"\n");
    for verb in [&["view", "small"][..], &["sweep", "attach", "small"][..]] {
        let command = sandbox.command(&[verb, &["--store=runs"]].concat());
        let mut screen = Pty::start(&command, 100, 30);
        screen.sees("Score by AM and OM").sees("◇").sees("too few pairs").sees("× cannot be played");
        screen.press("right").sees("struck out: ").press("left");
        screen.press("x").sees("Cell am 1 · om 1").sees("sokoban/first/2");
        screen.press("enter").sees("Memory").sees("AM 1").press("q").sees("Cell am 1 · om 1");
        screen.press("esc").sees("Score by AM and OM").press("tab").sees("✓ done");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}

#[test]
fn a_finished_sweep_is_read_in_lines_from_a_pipe() {
    let server = Server::with(ServerState::new(Behavior::Normal, Duration::ZERO));
    let sandbox = finished(&server);
    sandbox.write("work/script", "cells\n1\n2\ncancel\nback\n9\nmap\nquit\n");
    for args in [&["sweep", "attach", "small", "--linear"][..], &["view", "small", "--linear"]] {
        let script = std::fs::File::open(sandbox.path("work/script")).unwrap();
        let read = sandbox.run_with(&[args, &["--store=runs"]].concat(), script);
        assert_eq!(read.code, Some(0), "{}", read.err);
        let lines: Vec<&str> = read.out.lines().collect();
        let has =
            |start: &str| assert!(lines.iter().any(|line| line.starts_with(start)), "{start}\n{}", read.out);
        has("Commands: ");
        has("Sweep small: 3 cells, 3 done; 6 of 6 episodes");
        has("1: done, am 1, om 1, 2 of 2 episodes");
        has("Cell 1: done, am 1, om 1");
        has("2: step limit, sokoban/first/2, repeat 1, 3 steps");
        has("Episode: 1 of 1: sokoban/first/2");
        has("Note: cancel goes back to the sweep");
        has("Error: there is no cell 9");
        has("AM 1, OM 2: cannot be played");
        assert!(!read.out.contains('\u{1b}'));
    }
    let command = sandbox.with("TERM", "dumb");
    let mut lines = Pty::start(&command.command(&["sweep", "attach", "small", "--store=runs"]), 80, 24);
    lines.sees("3 done").press("1 enter").sees("A number shows").press("1 enter").sees("State: recorded");
    lines.press("q u i t enter").until("the sweep again", |screen| {
        let text = screen.contents();
        text.split_once("State: recorded").is_some_and(|(_, after)| after.contains("Sweep small: 3 cells"))
    });
    lines.press("q enter");
    lines.wait_for_exit().assert_plain(0);
}

#[test]
fn a_sweep_on_the_screen_that_does_not_exist_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(&["view", "nothing", "--store=runs"]).fails_with(2, &["nothing"]);
}
