//! What was really sent, looked at: the request and the frame as they went out.

use super::start;
use super::world;
use crate::pty::Pty;
use crate::server::Mood;
use crate::server::Server;
use crate::world::World;

/// A world in which a model has solved the hall in three steps, the second after a reply that could not
/// be read.
fn recorded() -> World {
    let (world, server) = (world(), Server::start(Mood::Normal));
    let right = "# analyze\nEasy.\n\n# action\nRight\n";
    for reply in [right, "no idea", right, right] {
        server.say(reply);
    }
    let ran =
        world.run(&["run", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url", &server.url()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    world
}

fn look(world: &World, step: &str) -> Pty {
    let mut screen = start(world, &["view", step]);
    screen.sees("RECORDED").drawn();
    screen
}

#[test]
fn the_request_of_a_recorded_step_is_shown_as_it_was_sent_attempt_by_attempt() {
    let world = recorded();
    let mut screen = look(&world, "last#2");
    screen
        .press("R")
        .sees("Request of step 2, as sent (2 of 2)")
        .sees("1 image, ")
        .sees("by the prompt 0s-CoT");
    screen.press("G").sees("beside the turns").sees("model \"mock\"").sees("[retry]").sees("no idea");
    screen.press(",").sees("as sent (1 of 2)").sees("1 system").sees("[system]");
    screen.press(",").sees("this is the first request of the step");
    screen.press("G").sees("×").sees("image: the frame of step 2").misses("[retry]").sees("image/png");
    screen.press("esc").misses("Request of").press("h R").sees("Request of step 1, as sent").misses(" of 2)");
    screen.press("q q");
    screen.ends().gave_back(0);
}

#[test]
fn an_agent_without_requests_says_so_in_a_recording_too() {
    let world = world();
    assert_eq!(world.run(&["run", "hall.xsb"]).code, Some(0));
    let mut screen = look(&world, "last#2");
    screen.press("R").sees("Request of step 2, never sent").sees("oracle reads no request and none was sent");
    screen.sees("[system]").press("q q");
    screen.ends().gave_back(0);
}
