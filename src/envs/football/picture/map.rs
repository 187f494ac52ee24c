//! The small map of the broadcast view: the whole pitch, every player, the ball, and what the camera sees.

use super::super::{FrameState, Team};
use super::camera::Camera;
use super::canvas::Canvas;
use super::markings::{HALF, Metres};
use super::palette;
use super::palette::faded;
use super::players::{Player, ball_place};
use super::point::Point;

/// Its place: 24 % of the width and 18 % of the height of the picture, at the bottom.
const CORNER: Point = [486.0, 580.0];
const SIZE: Point = [308.0, 130.0];
/// Pixels around the pitch.
const EDGE: f64 = 7.0;

/// The pixel of a place, kept inside of the map.
pub(super) fn pixel(place: Metres) -> Point {
    [0, 1].map(|axis| {
        let share = (place[axis] / HALF[axis]).clamp(-1.04, 1.04);
        CORNER[axis] + SIZE[axis] / 2.0 + share * (SIZE[axis] / 2.0 - EDGE)
    })
}

/// Draws the map.
pub(super) fn draw(canvas: &mut Canvas, camera: &Camera, state: &FrameState, all: &[Player]) {
    canvas.pill(CORNER, SIZE, 8.0, palette::PANEL);
    let [left, top] = pixel([-HALF[0], -HALF[1]]);
    let [right, bottom] = pixel(HALF);
    canvas.rectangle([left, top], [right - left, bottom - top], palette::RUNOFF);
    let chalk = faded(palette::WHITE, 170);
    canvas.polyline(&[[left, top], [right, top], [right, bottom], [left, bottom], [left, top]], 1.5, chalk);
    canvas.line(pixel([0.0, -HALF[1]]), pixel([0.0, HALF[1]]), 1.5, chalk);
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64| pixel([side * x, y]);
        let area =
            [at(HALF[0], -20.15), at(HALF[0] - 16.5, -20.15), at(HALF[0] - 16.5, 20.15), at(HALF[0], 20.15)];
        canvas.polyline(&area, 1.5, chalk);
    }
    seen(canvas, camera);
    for player in all {
        dot(canvas, player);
    }
    let ball = pixel(ball_place(state));
    canvas.disc(ball, 4.5, palette::BLACK);
    canvas.disc(ball, 3.3, palette::BALL);
}

/// The outline of what the camera sees.
fn seen(canvas: &mut Canvas, camera: &Camera) {
    let corners =
        [(0.0, 0.0), (0.0, 1280.0), (720.0, 1280.0), (720.0, 0.0), (0.0, 0.0)].map(|(row, column)| {
            let row = camera.ground_row(row);
            pixel([row.left + column * row.step, row.y])
        });
    canvas.polyline(&corners, 1.5, faded(palette::FLAG, 230));
}

fn dot(canvas: &mut Canvas, player: &Player) {
    let at = pixel(player.place);
    let (face, rim) = match player.team {
        Team::Left => (palette::OWN, palette::OWN_RIM),
        Team::Right => (palette::OPPONENT, palette::OPPONENT_RIM),
    };
    if player.is_controlled {
        canvas.disc(at, 8.5, palette::WHITE);
        canvas.disc(at, 7.5, palette::CONTROLLED);
    }
    canvas.disc(at, 5.2, rim);
    canvas.disc(at, 4.0, face);
}
