//! The dashboard of a sweep that is finished: from the map to a cell, to an episode, to its steps, and back.

use std::time::Duration;

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::Behavior;
use crate::server::Server;
use crate::server::ServerState;

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
        screen.sees("Score by AM and OM").sees("◇").sees("inside noise").sees("× cannot be played");
        screen.press("right").sees("struck out: ").press("left");
        screen.press("x").sees("Cell am 1 · om 1").sees("sokoban/first/2");
        screen.press("enter").sees("Memory").sees("AM 1").press("q").sees("Cell am 1 · om 1");
        screen.press("esc").sees("Score by AM and OM").press("tab").sees("✓ done");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}

#[test]
fn a_sweep_on_the_screen_that_does_not_exist_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(&["view", "nothing", "--store=runs"]).fails_with(2, &["nothing"]);
}
