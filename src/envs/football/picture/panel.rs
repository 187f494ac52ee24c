//! Score, time, flags and the direction of play, as both views show them in a bar.

use super::super::{EngineAction, FrameState, GameMode, Team};
use super::canvas::{Align, Canvas, Label};
use super::letters::{Letters, Size};
use super::markings::length;
use super::palette;
use super::palette::Ink;
use super::players::{Player, ball_velocity, frames, name};
use super::point::Point;
use super::shown::Shown;

/// A text without a halo.
pub(super) fn plain(text: &str, size: Size, align: Align, ink: Ink) -> Label<'_> {
    Label { text, size, align, ink, halo: None }
}

/// A text with a white halo, legible on grass.
pub(super) fn haloed(text: &str, size: Size, ink: Ink) -> Label<'_> {
    Label { text, size, align: Align::Middle, ink, halo: Some(palette::WHITE) }
}

/// The content of a bar of 1280 pixels with this middle: direction of play, flags, score, time.
pub(super) fn content(canvas: &mut Canvas, letters: &Letters, y: f64, state: &FrameState, shown: &Shown) {
    attack(canvas, letters, [18.0, y]);
    flags(canvas, letters, [180.0, y], state);
    score(canvas, letters, [670.0, y], state);
    time(canvas, letters, [1262.0, y], state, shown);
    if let Some((word, ink)) = shown.scorer.map(goal).or_else(|| stoppage(state.mode)) {
        canvas.write(letters, [880.0, y], plain(word, Size::Body, Align::Left, ink));
    }
}

/// The score between the colours of the teams, in the middle of a bar.
fn score(canvas: &mut Canvas, letters: &Letters, [x, y]: Point, state: &FrameState) {
    let [own, other] = state.score.map(|goals| goals.to_string());
    let write = |canvas: &mut Canvas, text: &str, at: Point, align| {
        canvas.write(letters, at, plain(text, Size::Large, align, palette::PANEL_TEXT));
    };
    write(canvas, ":", [x, y], Align::Middle);
    write(canvas, &own, [x - 14.0, y], Align::Right);
    write(canvas, &other, [x + 14.0, y], Align::Left);
    let [left, right] = [x - 66.0, x + 66.0];
    canvas.disc([left, y], 12.0, palette::OWN);
    canvas.disc([right, y], 12.0, palette::OPPONENT_RIM);
    canvas.disc([right, y], 9.5, palette::OPPONENT);
    canvas.write(letters, [left - 20.0, y], plain("YOU", Size::Body, Align::Right, palette::OWN));
    let them = plain("OPPONENT", Size::Body, Align::Left, palette::PANEL_TEXT);
    canvas.write(letters, [right + 20.0, y], them);
}

/// The frames played and the number of the decision, up to the right end of a bar.
fn time(canvas: &mut Canvas, letters: &Letters, [x, y]: Point, state: &FrameState, shown: &Shown) {
    let played = format!("{}/{}", frames(state), shown.limit);
    canvas.write(letters, [x, y], plain(&played, Size::Large, Align::Right, palette::PANEL_TEXT));
    let left = x - letters.width(Size::Large, &played) - 10.0;
    let decision = format!("decision {}  frame", shown.decision);
    canvas.write(letters, [left, y], plain(&decision, Size::Small, Align::Right, palette::PANEL_DIM));
}

/// An arrow to the right with a word before it: where the agent's team attacks.
fn attack(canvas: &mut Canvas, letters: &Letters, [x, y]: Point) {
    canvas.write(letters, [x, y], plain("ATTACK", Size::Body, Align::Left, palette::OWN));
    let start = x + letters.width(Size::Body, "ATTACK") + 12.0;
    arrow(canvas, [start, y], [start + 52.0, y], 6.0, palette::OWN);
}

/// An arrow with a shaft of this width.
pub(super) fn arrow(canvas: &mut Canvas, from: Point, to: Point, width: f64, ink: Ink) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    if length < 1.0 {
        return;
    }
    let [ux, uy] = along.map(|part| part / length);
    let at = |ahead: f64, aside: f64| [from[0] + ux * ahead - uy * aside, from[1] + uy * ahead + ux * aside];
    let head = (width * 2.2).min(length);
    let half = width / 2.0;
    let neck = length - head;
    canvas.polygon(
        &[
            at(0.0, -half),
            at(neck, -half),
            at(neck, -width * 1.3),
            at(length, 0.0),
            at(neck, width * 1.3),
            at(neck, half),
            at(0.0, half),
        ],
        ink,
    );
}

/// The flags of the controlled player: the held direction, sprint and dribble.
fn flags(canvas: &mut Canvas, letters: &Letters, [x, y]: Point, state: &FrameState) {
    let held = state.sticky.direction();
    let next = compass(canvas, letters, [x, y], held);
    let next = chip(canvas, letters, [next + 10.0, y], "SPRINT", state.sticky.sprint());
    chip(canvas, letters, [next + 10.0, y], "DRIBBLE", state.sticky.dribble());
}

/// A chip with a word, filled while the flag is on. Returns its right end.
fn chip(canvas: &mut Canvas, letters: &Letters, [x, y]: Point, word: &str, on: bool) -> f64 {
    let width = letters.width(Size::Small, word) + 20.0;
    let ground = if on { palette::FLAG } else { palette::PANEL_DIM };
    canvas.pill([x, y - 12.0], [width, 24.0], 8.0, ground);
    if !on {
        canvas.pill([x + 1.5, y - 10.5], [width - 3.0, 21.0], 7.0, palette::PANEL);
    }
    let ink = if on { palette::BLACK } else { palette::PANEL_DIM };
    canvas.write(letters, [x + width / 2.0, y], plain(word, Size::Small, Align::Middle, ink));
    x + width
}

/// The held direction as an arrow in a circle; a dot while none is held. Returns the right end.
fn compass(canvas: &mut Canvas, letters: &Letters, [x, y]: Point, held: Option<EngineAction>) -> f64 {
    let word = "HELD";
    canvas.write(letters, [x, y], plain(word, Size::Small, Align::Left, palette::PANEL_DIM));
    let middle = [x + letters.width(Size::Small, word) + 24.0, y];
    let direction = held.and_then(EngineAction::direction);
    let ink = if direction.is_some() { palette::FLAG } else { palette::PANEL_DIM };
    canvas.ring(middle, 16.0, 2.0, ink);
    match direction {
        Some([dx, dy]) => {
            let end = |by: f64| [middle[0] + dx * by, middle[1] + dy * by];
            arrow(canvas, end(-11.0), end(12.0), 4.5, ink);
        }
        None => canvas.disc(middle, 2.5, ink),
    }
    middle[0] + 17.0
}

/// The word for a goal of this team.
fn goal(scorer: Team) -> (&'static str, Ink) {
    match scorer {
        Team::Left => ("GOAL", palette::OWN),
        Team::Right => ("GOAL AGAINST", palette::ALERT),
    }
}

/// The word for a stoppage; `None` while play goes on.
fn stoppage(mode: GameMode) -> Option<(&'static str, Ink)> {
    let word = match mode {
        GameMode::Normal => return None,
        GameMode::KickOff => "KICK-OFF",
        GameMode::GoalKick => "GOAL KICK",
        GameMode::FreeKick => "FREE KICK",
        GameMode::Corner => "CORNER",
        GameMode::ThrowIn => "THROW-IN",
        GameMode::Penalty => "PENALTY",
    };
    Some((word, palette::ALERT))
}

/// Writes the speed of the controlled player, and owner, speed and height of the ball, in a line.
pub(super) fn words(canvas: &mut Canvas, letters: &Letters, state: &FrameState, all: &[Player], at: Point) {
    let end = write_all(canvas, letters, &controlled_facts(state, all), at);
    write_all(canvas, letters, &ball_facts(state), [end + 6.0, at[1]]);
}

/// The same in two lines of a chip, from its upper left corner.
pub(super) fn note(
    canvas: &mut Canvas,
    letters: &Letters,
    state: &FrameState,
    all: &[Player],
    [x, y]: Point,
) {
    let lines = [controlled_facts(state, all), ball_facts(state)];
    let width = |line: &Line| line.iter().map(|(text, _)| letters.width(Size::Small, text) + GAP).sum();
    let widest = lines.iter().map(width).fold(0.0, f64::max);
    canvas.pill([x, y], [widest + 16.0, 50.0], 8.0, palette::PANEL);
    for (line, down) in lines.iter().zip([15.0, 35.0]) {
        write_all(canvas, letters, line, [x + 12.0, y + down]);
    }
}

/// Words with their colours.
type Line = [(String, Ink); 2];

/// Pixels between two words of a line.
const GAP: f64 = 10.0;

/// Writes words one after the other; returns the right end.
fn write_all(canvas: &mut Canvas, letters: &Letters, line: &Line, [mut x, y]: Point) -> f64 {
    for (text, ink) in line {
        canvas.write(letters, [x, y], plain(text, Size::Small, Align::Left, *ink));
        x += letters.width(Size::Small, text) + GAP;
    }
    x
}

fn controlled_facts(state: &FrameState, all: &[Player]) -> Line {
    let text = all
        .iter()
        .find(|player| player.is_controlled)
        .map(|player| format!("{}  {:.1} m/s", name(state, player.team, player.slot), player.speed()));
    fact("controlled", text.unwrap_or_default())
}

fn ball_facts(state: &FrameState) -> Line {
    let owner = match state.owner {
        None => "loose".to_owned(),
        Some(owner) if owner.team == Team::Left => {
            format!("yours: {}", name(state, owner.team, owner.player))
        }
        Some(owner) => format!("opponent: {}", name(state, owner.team, owner.player)),
    };
    let speed = length(ball_velocity(state));
    let height = state.ball[2];
    fact("ball", format!("{owner}  {speed:.1} m/s  {height:.1} m high"))
}

fn fact(what: &str, text: String) -> Line {
    [(what.to_owned(), palette::PANEL_DIM), (text, palette::PANEL_TEXT)]
}
