//! The view of a television camera: a part of the pitch in perspective, players as small figures, and a map of the
//! whole pitch.

use super::super::{FrameState, Team};
use super::camera::{Camera, GroundRow};
use super::canvas::{Canvas, mix};
use super::letters::Letters;
use super::markings::Metres;
use super::palette::{Ink, faded};
use super::players::{Player, ball_place, players};
use super::point::Point;
use super::shown::Shown;
use super::{figure, map, markings, palette, panel};

/// Width and height in pixels.
pub(super) const SIZE: [u32; 2] = [1280, 720];
const WIDE: f64 = 1280.0;
const HIGH: f64 = 720.0;
const BAR: f64 = 46.0;
/// The far boards stand here; behind them is the stand.
const BOARDS: f64 = -41.0;
const BOARD_HEIGHT: f64 = 0.9;

/// A line of the pitch as quadrilaterals in metres.
pub(super) type Quad = [Metres; 4];

/// The drawn state; `None` only if the canvas has no size. `minimal` leaves out the lines on the pitch and what is written of the controlled player and the
/// ball.
pub(super) fn drawn(
    (letters, chalk): (&Letters, &[Quad]),
    state: &FrameState,
    shown: &Shown,
    minimal: bool,
) -> Option<Canvas> {
    let camera = Camera::new(shown.focus, [WIDE, HIGH]);
    let mut drawn = Canvas::of(grass(&camera), SIZE)?;
    let canvas = &mut drawn;
    lines(canvas, &camera, chalk);
    boards(canvas, &camera);
    goals(canvas, &camera);
    let mut all = players(state);
    all.sort_by(|one, other| one.place[1].total_cmp(&other.place[1]));
    let near: Vec<Player> = all.iter().copied().filter(|player| figure::is_near(&camera, player)).collect();
    for player in &near {
        figure::ground(canvas, &camera, player, minimal);
    }
    if !minimal {
        figure::connections(canvas, &camera, state, shown);
    }
    figures(canvas, letters, &camera, state, &near, minimal);
    names(canvas, letters, &camera, state, &all);
    map::draw(canvas, &camera, state, &all);
    bar(canvas, letters, state, shown);
    if !minimal {
        panel::note(canvas, letters, state, &all, [14.0, HIGH - 60.0]);
    }
    Some(drawn)
}

/// The grass row by row: all pixels of a row are equally far away.
fn grass(camera: &Camera) -> Vec<Ink> {
    let [width, height] = SIZE.map(|side| side as usize);
    let mut all = Vec::with_capacity(width * height);
    let mut pixels = vec![palette::STAND; width];
    for row in (0_u16..).take(height) {
        let line = camera.ground_row(f64::from(row) + 0.5);
        // Slightly lighter in the distance.
        let light = 268 - u32::from(row) / 24;
        if line.y < BOARDS {
            pixels.fill(palette::STAND);
        } else {
            pixels.fill(lit(palette::RUNOFF, light));
            if line.y.abs() <= markings::HALF[1] {
                stripes(&mut pixels, line, light);
            }
        }
        all.extend_from_slice(&pixels);
    }
    all
}

/// The mown stripes of a row of the pitch.
fn stripes(pixels: &mut [Ink], line: GroundRow, light: u32) {
    let inks = palette::GRASS.map(|ink| lit(ink, light));
    let width = pixels.len();
    let edge = |stripe: u8| {
        let edge = f64::from(stripe) * markings::STRIPE - markings::HALF[0] - line.left;
        column(edge / line.step, width)
    };
    let mut from = edge(0);
    for stripe in 0..20_u8 {
        let to = edge(stripe + 1);
        let ink = inks[usize::from(stripe % 2)];
        if let Some(pixel) = from.0.checked_sub(1).and_then(|at| pixels.get_mut(at)) {
            mix(&mut pixel[..3], ink, from.1);
        }
        pixels[from.0..to.0].fill(ink);
        from = to;
    }
}

/// The first pixel of a row right of an edge, and how much of the pixel before it is right of the edge, 255 for all.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the row")]
fn column(edge: f64, width: usize) -> (usize, u8) {
    let first = edge.ceil().max(0.0) as usize;
    if edge <= 0.0 || first > width {
        return (first.min(width), 0);
    }
    (first, ((edge.ceil() - edge) * 255.0) as u8)
}

/// A colour with its light changed: 256 is no change.
fn lit(ink: Ink, light: u32) -> Ink {
    let channel = |value: u8| u8::try_from(u32::from(value) * light / 256).unwrap_or(u8::MAX);
    [channel(ink[0]), channel(ink[1]), channel(ink[2]), 255]
}

fn lines(canvas: &mut Canvas, camera: &Camera, chalk: &[Quad]) {
    let seen = chalk.iter().filter_map(|quad| {
        let corners = project(camera, *quad)?;
        is_in_view(&corners).then_some(corners)
    });
    let seen: Vec<[Point; 4]> = seen.collect();
    canvas.quads(&seen, palette::CHALK);
    for spot in markings::spots() {
        if let Some((at, scale)) = camera.project(spot, 0.0) {
            canvas.ellipse(at, [0.2 * scale, 0.2 * scale * camera.flatness()], palette::CHALK);
        }
    }
}

/// The pixels of four places on the ground.
fn project(camera: &Camera, quad: Quad) -> Option<[Point; 4]> {
    let [a, b, c, d] = quad.map(|corner| camera.project(corner, 0.0).map(|(at, _)| at));
    Some([a?, b?, c?, d?])
}

/// Whether the corners are not all on one side of the picture.
fn is_in_view(corners: &[Point; 4]) -> bool {
    let some = |test: &dyn Fn(&Point) -> bool| corners.iter().any(test);
    some(&|at| at[0] > 0.0) && some(&|at| at[0] < WIDE) && some(&|at| at[1] > 0.0) && some(&|at| at[1] < HIGH)
}

fn boards(canvas: &mut Canvas, camera: &Camera) {
    let at = |x: f64, height: f64| camera.project([x, BOARDS], height).map(|(at, _)| at);
    for (index, left) in (-7..7_i32).enumerate() {
        let left = f64::from(left) * 10.0;
        let corners =
            [at(left, 0.0), at(left + 10.0, 0.0), at(left + 10.0, BOARD_HEIGHT), at(left, BOARD_HEIGHT)];
        let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
        if is_in_view(&[a, b, c, d]) {
            let ink = if index % 2 == 0 { palette::BOARD } else { lit(palette::BOARD, 236) };
            canvas.convex(&[a, b, c, d], ink);
        }
    }
}

fn goals(canvas: &mut Canvas, camera: &Camera) {
    let [half, height, depth] = markings::GOAL;
    for side in [-1.0, 1.0] {
        let at = |ahead: f64, aside: f64, up: f64| {
            camera.project([side * (markings::HALF[0] + ahead), aside], up).map(|(at, _)| at)
        };
        let frame = [at(0.0, -half, 0.0), at(0.0, -half, height), at(0.0, half, height), at(0.0, half, 0.0)];
        let back = [at(depth, -half, 0.0), at(depth, half, 0.0)];
        let ([Some(foot), Some(top), Some(near_top), Some(near_foot)], [Some(far), Some(near)]) =
            (frame, back)
        else {
            continue;
        };
        let sides =
            [[foot, top, far, foot], [near_foot, near_top, near, near_foot], [top, near_top, near, far]];
        if !sides.iter().any(is_in_view) {
            continue;
        }
        for side in &sides {
            canvas.polygon(side, palette::NET);
        }
        canvas.polyline(&[top, far, near, near_top], 1.5, faded(palette::WHITE, 150));
        canvas.polyline(&[foot, top, near_top, near_foot], 5.0, palette::WHITE);
    }
}

/// The figures from far to near, with the ball among them.
fn figures(
    canvas: &mut Canvas,
    letters: &Letters,
    camera: &Camera,
    state: &FrameState,
    all: &[Player],
    minimal: bool,
) {
    let ball = ball_place(state)[1];
    let nearer = all.partition_point(|player| player.place[1].total_cmp(&ball).is_le());
    let (far, near) = all.split_at(nearer);
    for player in far {
        figure::body(canvas, letters, camera, player);
    }
    figure::ball(canvas, letters, camera, state, minimal);
    for player in near {
        figure::body(canvas, letters, camera, player);
    }
}

/// The name of the controlled player, and in grey that of the opponent nearest to the ball.
fn names(canvas: &mut Canvas, letters: &Letters, camera: &Camera, state: &FrameState, all: &[Player]) {
    let ball = ball_place(state);
    let distance = |player: &Player| markings::length([player.place[0] - ball[0], player.place[1] - ball[1]]);
    let opponents = all.iter().filter(|player| player.team == Team::Right);
    let nearest = opponents.min_by(|one, other| distance(one).total_cmp(&distance(other)));
    if let Some(player) = nearest {
        figure::name(canvas, letters, camera, state, player, palette::GREY);
    }
    if let Some(player) = all.iter().find(|player| player.is_controlled) {
        let shown = figure::name(canvas, letters, camera, state, player, palette::CONTROLLED);
        if !shown {
            figure::outside(canvas, letters, camera, state, player, [WIDE, HIGH, BAR]);
        }
    }
}

fn bar(canvas: &mut Canvas, letters: &Letters, state: &FrameState, shown: &Shown) {
    let y = BAR / 2.0;
    canvas.rectangle([0.0, 0.0], [WIDE, BAR], palette::PANEL);
    panel::content(canvas, letters, y, state, shown);
}
