//! The view from above: the whole pitch at 10.4 pixels a metre in both axes, between a bar with score, time and flags
//! and a line with the controlled player, the ball and the legend.

use super::super::{FrameState, Team};
use super::canvas::{Align, Canvas, Label};
use super::letters::{Letters, Size};
use super::markings::{Metres, length};
use super::palette::faded;
use super::panel::{haloed, plain};
use super::players::{Player, ball_place, ball_velocity, name, players, shirt};
use super::point::Point;
use super::shown::Shown;
use super::{markings, palette, panel};

/// Width and height in pixels.
pub(super) const SIZE: [u32; 2] = [1280, 832];
/// Pixels in a metre.
const SCALE: f64 = 10.4;
/// The pixel of the centre of the pitch.
const CENTER: Point = [640.0, 424.4];
/// The bar above the pitch ends here, the line below begins there.
const BARS: [f64; 2] = [48.0, 801.0];
const WIDE: f64 = 1280.0;
const HIGH: f64 = 832.0;
/// The radius of a player's disc.
const DISC: f64 = 11.5;
const BALL: f64 = 5.5;

/// The pixel of a place.
pub(super) fn pixel(place: Metres) -> Point {
    [CENTER[0] + SCALE * place[0], CENTER[1] + SCALE * place[1]]
}

/// The pitch without players.
pub(super) fn ground() -> Option<Canvas> {
    let mut canvas = Canvas::filled(SIZE, palette::RUNOFF)?;
    let [x, y] = markings::HALF;
    for stripe in 0..20_u8 {
        let left = pixel([f64::from(stripe) * markings::STRIPE - x, -y]);
        let size = [markings::STRIPE * SCALE, 2.0 * y * SCALE];
        canvas.rectangle(left, size, palette::GRASS[usize::from(stripe % 2)]);
    }
    for line in markings::lines() {
        let points: Vec<Point> = line.into_iter().map(pixel).collect();
        canvas.polyline(&points, 2.0, palette::CHALK);
    }
    for spot in markings::spots() {
        canvas.disc(pixel(spot), 3.5, palette::CHALK);
    }
    goals(&mut canvas);
    Some(canvas)
}

fn goals(canvas: &mut Canvas) {
    let [half, _, depth] = markings::GOAL;
    for side in [-1.0, 1.0] {
        let at = |ahead: f64, aside: f64| pixel([side * (markings::HALF[0] + ahead), aside]);
        canvas.polygon(&[at(0.0, -half), at(depth, -half), at(depth, half), at(0.0, half)], palette::NET);
        for net in 1..8_u8 {
            let aside = half * (f64::from(net) / 4.0 - 1.0);
            canvas.polyline(&[at(0.0, aside), at(depth, aside)], 1.0, palette::NET);
        }
        canvas.polyline(
            &[at(0.0, -half), at(depth, -half), at(depth, half), at(0.0, half)],
            2.5,
            palette::WHITE,
        );
        canvas.polyline(&[at(0.0, -half), at(0.0, half)], 4.0, palette::WHITE);
    }
}

/// Draws the state over the ground. `minimal` leaves out the lines on the pitch and what is written of the ball, the
/// controlled player and the legend.
pub(super) fn draw(canvas: &mut Canvas, letters: &Letters, state: &FrameState, shown: &Shown, minimal: bool) {
    let all = players(state);
    if !minimal {
        for player in &all {
            course(canvas, player);
        }
        connections(canvas, state, shown);
    }
    let at = pixel(ball_place(state));
    let radius = ball_radius(state) + 8.0;
    canvas.disc(at, radius, faded(palette::WHITE, 90));
    for player in &all {
        disc(canvas, letters, player);
    }
    ball(canvas, letters, state, minimal);
    if let Some(player) = all.iter().find(|player| player.is_controlled) {
        controlled_name(canvas, letters, state, player);
    }
    bar(canvas, letters, state, shown);
    canvas.rectangle([0.0, BARS[1]], [WIDE, HIGH - BARS[1]], palette::PANEL);
    if !minimal {
        panel::words(canvas, letters, state, &all, [18.0, f64::midpoint(BARS[1], HIGH)]);
        legend(canvas, letters);
    }
}

/// Where a player is after a second at his present speed.
fn course(canvas: &mut Canvas, player: &Player) {
    if player.speed() < 0.3 {
        return;
    }
    let from = pixel(player.place);
    let to = pixel([player.place[0] + player.velocity[0], player.place[1] + player.velocity[1]]);
    match player.team {
        Team::Left => {
            canvas.line(from, to, 5.0, faded(palette::OWN_RIM, 150));
            canvas.line(from, to, 3.0, palette::OWN);
        }
        Team::Right => {
            canvas.line(from, to, 5.0, faded(palette::WHITE, 190));
            canvas.line(from, to, 3.0, palette::OPPONENT);
        }
    }
}

/// The ball's way of a second, a line to its owner, and dashes to the receiver of a pass.
fn connections(canvas: &mut Canvas, state: &FrameState, shown: &Shown) {
    let place = ball_place(state);
    let velocity = ball_velocity(state);
    let ball = pixel(place);
    let player = |team: Team, slot: usize| {
        let squad = state.squad(team);
        squad.positions.get(slot).filter(|_| slot < squad.count).map(|place| pixel(markings::metres(*place)))
    };
    if let Some(to) = shown.receiver.and_then(|slot| player(Team::Left, slot)) {
        canvas.dashes(ball, to, 3.0, palette::PASS);
        canvas.ring(to, DISC + 9.0, 3.0, palette::PASS);
    }
    if let Some(to) = state.owner.and_then(|owner| player(owner.team, owner.player)) {
        canvas.line(ball, to, 4.0, palette::OWNER);
    } else if length(velocity) >= 0.5 {
        let to = pixel([place[0] + velocity[0], place[1] + velocity[1]]);
        canvas.line(ball, to, 4.5, faded(palette::BLACK, 120));
        canvas.line(ball, to, 2.5, palette::WHITE);
    }
}

/// A player: a disc, for keepers a square, with his number and a nose where he runs.
fn disc(canvas: &mut Canvas, letters: &Letters, player: &Player) {
    let at = pixel(player.place);
    let (face, rim, ink) = match player.team {
        Team::Left => (palette::OWN, palette::OWN_RIM, palette::BLACK),
        Team::Right => (palette::OPPONENT, palette::OPPONENT_RIM, palette::WHITE),
    };
    canvas.disc([at[0] + 2.0, at[1] + 3.0], DISC + 1.0, palette::SHADOW);
    if player.is_owner {
        canvas.disc(at, DISC + 9.5, palette::OWNER);
    }
    if player.is_controlled {
        canvas.disc(at, DISC + 7.0, palette::WHITE);
        canvas.disc(at, DISC + 6.0, palette::CONTROLLED);
        canvas.disc(at, DISC + 1.5, palette::WHITE);
    }
    if let Some(heading) = player.heading() {
        nose(canvas, at, heading, player, rim, face);
    }
    if player.slot == 0 {
        let square = |half: f64| ([at[0] - half, at[1] - half], [2.0 * half; 2]);
        let outer = square(DISC);
        let inner = square(DISC - 2.0);
        canvas.rectangle(outer.0, outer.1, rim);
        canvas.rectangle(inner.0, inner.1, face);
    } else {
        canvas.disc(at, DISC, rim);
        canvas.disc(at, DISC - 2.0, face);
    }
    canvas.write(letters, at, plain(shirt(player.slot), Size::Small, Align::Middle, ink));
}

/// A triangle outside of the disc, or of the rings around it.
fn nose(
    canvas: &mut Canvas,
    at: Point,
    [ux, uy]: [f64; 2],
    player: &Player,
    rim: palette::Ink,
    face: palette::Ink,
) {
    let base = DISC + if player.is_controlled { 5.0 } else { -2.0 };
    let corner = |ahead: f64, aside: f64| [at[0] + ux * ahead - uy * aside, at[1] + uy * ahead + ux * aside];
    for (by, ink) in [(2.2, rim), (0.0, face)] {
        let half = 6.5 + by;
        let corners = [corner(base, -half), corner(base + 11.0 + by * 1.3, 0.0), corner(base, half)];
        canvas.convex(&corners, ink);
    }
}

/// The drawn radius: a high ball is nearer to the eye.
fn ball_radius(state: &FrameState) -> f64 {
    BALL + (state.ball[2].max(0.0) * 0.5).min(4.0)
}

/// The ball at its place over the ground, with a shadow that is farther away the higher it is.
fn ball(canvas: &mut Canvas, letters: &Letters, state: &FrameState, minimal: bool) {
    let at = pixel(ball_place(state));
    let height = state.ball[2].clamp(0.0, 40.0);
    let lift = (height - 0.11).max(0.0) * 5.0;
    let shadow = [at[0] + 2.0 + lift, at[1] + 3.0 + lift];
    if lift > 2.0 {
        canvas.line(at, shadow, 1.5, palette::SHADOW);
    }
    let radius = ball_radius(state);
    canvas.ring(at, radius + 8.0, 1.5, faded(palette::WHITE, 200));
    canvas.ellipse(shadow, [radius, radius * 0.8], palette::SHADOW);
    canvas.disc(at, radius, palette::BLACK);
    canvas.disc(at, radius - 1.8, palette::BALL);
    canvas.disc(at, radius * 0.3, palette::BLACK);
    if height >= 0.5 && !minimal {
        let text = format!("{height:.1} m high");
        canvas.write(letters, [at[0], at[1] + radius + 18.0], haloed(&text, Size::Small, palette::BLACK));
    }
}

fn controlled_name(canvas: &mut Canvas, letters: &Letters, state: &FrameState, player: &Player) {
    let at = pixel(player.place);
    let name = name(state, player.team, player.slot);
    // Inside of the picture, and below the player where the bar is above.
    let half = letters.width(Size::Name, &name) / 2.0 + 4.0;
    let x = at[0].clamp(half, WIDE - half);
    let above = at[1] - DISC - 20.0;
    let y = if above < BARS[0] + 12.0 { at[1] + DISC + 20.0 } else { above };
    canvas.write(letters, [x, y], haloed(&name, Size::Name, palette::CONTROLLED));
}

/// The bar: direction of play, flags, score, time.
fn bar(canvas: &mut Canvas, letters: &Letters, state: &FrameState, shown: &Shown) {
    canvas.rectangle([0.0, 0.0], [WIDE, BARS[0]], palette::PANEL);
    panel::content(canvas, letters, BARS[0] / 2.0, state, shown);
}

/// The legend, from the right.
fn legend(canvas: &mut Canvas, letters: &Letters) {
    let y = f64::midpoint(BARS[1], HIGH);
    let mut x = WIDE - 18.0;
    for (text, sign) in LEGEND {
        let label =
            Label { align: Align::Right, ..plain(text, Size::Small, Align::Right, palette::PANEL_DIM) };
        canvas.write(letters, [x, y], label);
        x -= letters.width(Size::Small, text) + 16.0;
        sign_of(canvas, [x, y], sign);
        x -= 22.0;
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Ball,
    Receiver,
    Controlled,
    Keeper,
    Opponent,
    Own,
}

const LEGEND: [(&str, Sign); 6] = [
    ("has the ball", Sign::Ball),
    ("receiver of a pass", Sign::Receiver),
    ("controlled", Sign::Controlled),
    ("keeper", Sign::Keeper),
    ("opponent", Sign::Opponent),
    ("yours", Sign::Own),
];

fn sign_of(canvas: &mut Canvas, at: Point, sign: Sign) {
    match sign {
        Sign::Ball => canvas.ring(at, 7.0, 3.0, palette::OWNER),
        Sign::Receiver => canvas.ring(at, 7.0, 3.0, palette::PASS),
        Sign::Controlled => {
            canvas.ring(at, 7.0, 4.5, palette::WHITE);
            canvas.ring(at, 7.0, 3.0, palette::CONTROLLED);
        }
        Sign::Keeper => canvas.rectangle([at[0] - 6.0, at[1] - 6.0], [12.0; 2], palette::PANEL_DIM),
        Sign::Opponent => {
            canvas.disc(at, 8.0, palette::OPPONENT_RIM);
            canvas.disc(at, 6.5, palette::OPPONENT);
        }
        Sign::Own => canvas.disc(at, 7.0, palette::OWN),
    }
}
