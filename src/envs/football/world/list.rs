//! The state as a list of places: all that a picture shows, in metres from the upper left corner of the pitch.

use std::fmt::Write;

use super::facts::player_name;
use super::text::{held, length, metres, stoppage};
use crate::picture::Shown;
use crate::{FRAME_LIMIT, FrameState, Owner, Team};

/// Half of the length and of the width of the pitch in metres.
const HALF: [f64; 2] = [55.0, 36.0];
/// Below this speed a player or the ball does not move, in metres per second.
const STILL: f64 = 0.3;

const HEADING: &str = "The pitch is 110 m long and 72 m wide. A place is (x, y) in metres: x from the goal line of your team \
                       on the left, y from the upper side line. The middle of the opponents' goal is at (110.0, 36.0). \
                       Directions are angles: 0° is right, 90° is up.";

/// The list of a state and what is shown beside it. A minimal one has no speeds, and not the receiver of a pass.
pub(crate) fn list(state: &FrameState, shown: &Shown, minimal: bool) -> String {
    let [own, theirs] = state.score;
    let frames = (FRAME_LIMIT + 1).saturating_sub(state.steps_left);
    let decision = shown.decision;
    let mut text = format!(
        "{HEADING}\n\nDecision {decision}, frame {frames} of {}. Score: your team {own}, opponents {theirs}.\n",
        shown.limit
    );
    // Writing to a string does not fail.
    if let Some(team) = shown.scorer {
        let who = if team == Team::Left { "your team" } else { "the opponents" };
        let _ = writeln!(text, "Goal of {who}.");
    } else if let Some(why) = stoppage(state.mode) {
        let _ = writeln!(text, "Play is stopped: {why}.");
    }
    let _ = writeln!(text, "Held: {}.", held(state.sticky));
    let _ = writeln!(text, "You control {}.", named(state, Team::Left, state.active));
    let height = state.ball[2];
    let [x, y, _] = state.ball;
    let speed =
        if minimal { String::new() } else { moving([state.ball_movement[0], state.ball_movement[1]], false) };
    let _ = writeln!(text, "The ball is {} at {}, {height:.1} m high{speed}.", owner(state), place([x, y]));
    if let Some(slot) = shown.receiver.filter(|_| !minimal) {
        let _ = writeln!(text, "The ball was passed to {}.", named(state, Team::Left, slot));
    }
    text + &players(state, Team::Left, minimal) + &players(state, Team::Right, minimal)
}

/// Who has the ball, as `with ...`.
fn owner(state: &FrameState) -> String {
    match state.owner {
        None => "with no player".to_owned(),
        Some(Owner { team: Team::Left, player }) => format!("with your {}", named(state, Team::Left, player)),
        Some(Owner { team, player }) => format!("with the opponent {}", named(state, team, player)),
    }
}

fn named(state: &FrameState, team: Team, slot: usize) -> String {
    state.squad(team).roles.get(slot).map_or_else(String::new, |role| player_name(*role, slot))
}

fn players(state: &FrameState, team: Team, minimal: bool) -> String {
    let squad = state.squad(team);
    let title = if team == Team::Left { "Your team" } else { "Opponents" };
    let line = |(slot, at): (usize, &[f64; 2])| {
        let moving = moving(squad.movements[slot], minimal);
        format!("- {} at {}{moving}\n", named(state, team, slot), place(*at))
    };
    squad.positions().iter().enumerate().map(line).fold(format!("{title}:\n"), |text, line| text + &line)
}

/// A place in metres from the upper left corner.
fn place(at: [f64; 2]) -> String {
    let [x, y] = metres(at);
    // No negative zero.
    let [x, y] = [x + HALF[0], y + HALF[1]].map(|value| (value * 10.0).round() / 10.0 + 0.0);
    format!("({x:.1}, {y:.1})")
}

/// A movement per frame in words; without the speed if that is not shown.
fn moving(movement: [f64; 2], only_direction: bool) -> String {
    let velocity = metres(movement).map(|part| part * 10.0);
    let speed = length(velocity);
    if speed < STILL {
        return ", not moving".to_owned();
    }
    let angle = (libm::atan2(-velocity[1], velocity[0]).to_degrees().round() + 360.0) % 360.0;
    let speed = if only_direction { String::new() } else { format!(" at {speed:.1} m/s") };
    format!(", moving{speed} to {angle:.0}°")
}
