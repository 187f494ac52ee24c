//! The state in words, for agents without eyes and for terminals: a map of letters, then who has the ball, what is held,
//! and where opponents and teammates are, seen from the controlled player.

use std::fmt::Write;

use super::facts::player_name;
use super::map;
use super::note::ending_text;
use super::seen::Seen;
use crate::{FRAME_LIMIT, FrameState, GameMode, Owner, Sticky, Team};

/// How many opponents and teammates are listed.
const LISTED: usize = 5;
/// The longest pass that is worth a line, in metres.
const PASS: f64 = 40.0;
/// Below this speed a player or the ball stands, in metres a second.
const STILL: f64 = 0.3;

/// A place or a way in metres, x right, y down.
type Metres = [f64; 2];

/// The text of a state.
pub(super) fn text(seen: &Seen) -> String {
    let state = &seen.state;
    let mut text = map::PitchMap::of(state).text();
    let [own, theirs] = state.score;
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "\nScene {}, decision {}, frame {} of {FRAME_LIMIT}, score {own}:{theirs}.",
        seen.scene, seen.decision, seen.frames
    );
    if let Some(ending) = seen.ending {
        let _ = writeln!(text, "The episode is over: {}.", ending_text(ending));
    }
    let _ = writeln!(text, "Held: {}.", held(state.sticky));
    let _ = writeln!(text, "{}", controlled(state));
    let _ = writeln!(text, "{}", ball(state));
    let _ = writeln!(text, "The opponents' goal: {}.", way_text(between(position(state), [55.0, 0.0])));
    text + &list("Nearest opponents", &opponents(state)) + &list("Teammates in reach", &teammates(state))
}

fn list(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return format!("{title}: none.\n");
    }
    lines.iter().fold(format!("{title}:\n"), |text, line| text + "- " + line + "\n")
}

/// The place of the controlled player.
fn position(state: &FrameState) -> Metres {
    metres(state.left.positions().get(state.active).copied().unwrap_or_default())
}

fn controlled(state: &FrameState) -> String {
    let slot = state.active;
    let name = state.left.roles.get(slot).map_or_else(String::new, |role| player_name(*role, slot));
    let gap = length(between(position(state), metres([state.ball[0], state.ball[1]])));
    let going = going(state.left.movements.get(slot).copied().unwrap_or_default());
    format!("You control {name} (@), {going}, {gap:.1} m from the ball.")
}

fn ball(state: &FrameState) -> String {
    let going = going([state.ball_movement[0], state.ball_movement[1]]);
    let height = state.ball[2];
    match state.owner {
        Some(Owner { team, player }) => {
            let role = state.squad(team).roles.get(player).copied();
            let name = role.map_or_else(String::new, |role| player_name(role, player));
            match team {
                Team::Left if player == state.active => format!("The ball: at your feet ({name}), {going}."),
                Team::Left => format!("The ball: with your teammate {name}, {going}."),
                Team::Right => format!("The ball: with the opponent {name}, {going}."),
            }
        }
        None => format!("The ball: with no player, {height:.1} m high, {going}."),
    }
}

/// Why play is stopped, if it is.
pub(super) fn stoppage(mode: GameMode) -> Option<&'static str> {
    match mode {
        GameMode::Normal => None,
        GameMode::KickOff => Some("kick-off"),
        GameMode::GoalKick => Some("goal kick"),
        GameMode::FreeKick => Some("free kick"),
        GameMode::Corner => Some("corner"),
        GameMode::ThrowIn => Some("throw-in"),
        GameMode::Penalty => Some("penalty"),
    }
}

/// The flags that are held.
pub(super) fn held(sticky: Sticky) -> String {
    let direction = sticky.direction().map(|action| format!("direction {}", words(action.name())));
    let flag = |on: bool, name: &str| on.then(|| name.to_owned());
    let all = [direction, flag(sticky.sprint(), "sprint"), flag(sticky.dribble(), "dribble")];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

/// The name of a direction without its prefix: `top right`.
fn words(action: &str) -> String {
    action.trim_start_matches("action_").replace('_', " ")
}

fn opponents(state: &FrameState) -> Vec<String> {
    let from = position(state);
    let mut all: Vec<(Metres, String)> = Vec::new();
    for (slot, place) in state.right.positions().iter().enumerate() {
        let name = player_name(state.right.roles[slot], slot);
        let going = going(state.right.movements[slot]);
        let way = between(from, metres(*place));
        all.push((way, format!("{} {name}: {}, {going}", map::letter(Team::Right, slot), way_text(way))));
    }
    nearest(all)
}

/// Teammates whom a pass can reach, with the room that each has.
fn teammates(state: &FrameState) -> Vec<String> {
    let from = position(state);
    let mut all: Vec<(Metres, String)> = Vec::new();
    for (slot, place) in state.left.positions().iter().enumerate().filter(|(slot, _)| *slot != state.active) {
        let place = metres(*place);
        let name = player_name(state.left.roles[slot], slot);
        let way = between(from, place);
        let gaps = state.right.positions().iter().map(|other| length(between(place, metres(*other))));
        let room = gaps.fold(f64::INFINITY, f64::min);
        if length(way) <= PASS {
            let letter = map::letter(Team::Left, slot);
            all.push((
                way,
                format!("{letter} {name}: {}, nearest opponent to him {room:.0} m", way_text(way)),
            ));
        }
    }
    nearest(all)
}

fn nearest(mut all: Vec<(Metres, String)>) -> Vec<String> {
    all.sort_by(|(one, _), (other, _)| length(*one).total_cmp(&length(*other)));
    all.into_iter().take(LISTED).map(|(_, line)| line).collect()
}

/// A way in metres with its direction and its angle: 0° is right, 90° is up.
fn way_text(way: Metres) -> String {
    let angle = libm::atan2(-way[1], way[0]).to_degrees();
    format!("{:.1} m {} ({:.0}°)", length(way), direction(way), angle + 0.0)
}

/// A movement per frame in words.
fn going(movement: [f64; 2]) -> String {
    let velocity = metres(movement).map(|part| part * 10.0);
    let speed = length(velocity);
    if speed < STILL {
        "not moving".to_owned()
    } else {
        format!("moving {} at {speed:.1} m/s", direction(velocity))
    }
}

/// The nearest of the eight directions.
fn direction([x, y]: Metres) -> &'static str {
    // The tangent of half of an eighth.
    const SPLIT: f64 = 0.414_213_562_373_095_1;
    let across =
        if x > 0.0 { ["right", "top right", "bottom right"] } else { ["left", "top left", "bottom left"] };
    let down = usize::from(y > 0.0);
    if y.abs() <= SPLIT * x.abs() {
        across[0]
    } else if x.abs() <= SPLIT * y.abs() {
        ["top", "bottom"][down]
    } else {
        across[1 + down]
    }
}

/// A place or a movement in metres from the centre.
pub(super) fn metres([x, y]: [f64; 2]) -> Metres {
    [x * 54.4, y * 83.6]
}

fn between(from: Metres, to: Metres) -> Metres {
    [to[0] - from[0], to[1] - from[1]]
}

/// The length of a way in metres.
pub(super) fn length([x, y]: Metres) -> f64 {
    (x * x + y * y).sqrt()
}
