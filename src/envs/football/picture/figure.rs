//! Players and ball of the broadcast view: marks on the ground, small figures, names.

use super::super::{FrameState, Team};
use super::camera::Camera;
use super::canvas::{Align, Canvas};
use super::letters::{Letters, Size};
use super::markings::{length, metres};
use super::palette::{Ink, faded};
use super::panel::{arrow, haloed, plain};
use super::players::{Player, shirt};
use super::point::Point;
use super::shown::Shown;
use super::{palette, players};

/// Figures are a little larger than life, so that they can be told apart.
const LIFE: f64 = 1.2;
/// Metres of a stride.
const STRIDE: f64 = 2.4;
/// The drawn radius of the ball, twice its own.
const BALL: f64 = 0.22;

/// The ink of a team's shirts and of their edge.
fn shirt_inks(player: &Player) -> (Ink, Ink, Ink) {
    match (player.team, player.slot) {
        (Team::Left, 0) => (palette::OWN_KEEPER, palette::OWN_RIM, palette::BLACK),
        (Team::Left, _) => (palette::OWN, palette::OWN_RIM, palette::BLACK),
        (Team::Right, 0) => (palette::OPPONENT_KEEPER, palette::OPPONENT_RIM, palette::WHITE),
        (Team::Right, _) => (palette::OPPONENT, palette::OPPONENT_RIM, palette::WHITE),
    }
}

/// Whether a player or the line of his movement may be in the picture.
pub(super) fn is_near(camera: &Camera, player: &Player) -> bool {
    let Some(([x, y], scale)) = camera.project(player.place, 0.0) else { return false };
    let edge = 10.0 * scale;
    (-edge..1280.0 + edge).contains(&x) && (-edge..720.0 + edge).contains(&y)
}

/// What lies on the ground below a player: his way of a second, rings, a shadow, a nose where he runs.
pub(super) fn ground(canvas: &mut Canvas, camera: &Camera, player: &Player, minimal: bool) {
    let Some((at, scale)) = camera.project(player.place, 0.0) else { return };
    let (face, rim, _) = shirt_inks(player);
    let flat = camera.flatness();
    if !minimal && player.speed() >= 0.3 {
        let to = [player.place[0] + player.velocity[0], player.place[1] + player.velocity[1]];
        if let Some((to, _)) = camera.project(to, 0.0) {
            canvas.line(at, to, 5.5, faded(rim, 170));
            canvas.line(at, to, 3.5, face);
        }
    }
    let oval = |radius: f64| [radius * scale, radius * scale * flat];
    canvas.ellipse(at, oval(0.5), palette::SHADOW);
    if player.is_owner {
        canvas.ellipse_ring(at, oval(1.25), 5.0, palette::OWNER);
    }
    if player.is_controlled {
        canvas.ellipse_ring(at, oval(0.9), 8.0, palette::WHITE);
        canvas.ellipse_ring(at, oval(0.9), 5.5, palette::CONTROLLED);
    }
    if let Some([ux, uy]) = player.heading() {
        let corner = |ahead: f64, aside: f64| {
            let place = [ux * ahead - uy * aside, uy * ahead + ux * aside];
            [at[0] + place[0] * scale, at[1] + place[1] * scale * flat]
        };
        let ink = if player.is_controlled { palette::CONTROLLED } else { face };
        canvas.convex(&[corner(1.0, -0.45), corner(1.85, 0.0), corner(1.0, 0.45)], rim);
        canvas.convex(&[corner(1.08, -0.28), corner(1.65, 0.0), corner(1.08, 0.28)], ink);
    }
}

/// A line from the ball to its owner or along its way of a second, and dashes to the receiver of a pass.
pub(super) fn connections(canvas: &mut Canvas, camera: &Camera, state: &FrameState, shown: &Shown) {
    let place = players::ball_place(state);
    let velocity = players::ball_velocity(state);
    let ground = |place| camera.project(place, 0.0).map(|(at, _)| at);
    let Some(ball) = ground(place) else { return };
    let player = |team: Team, slot: usize| {
        let squad = state.squad(team);
        squad.positions.get(slot).filter(|_| slot < squad.count).and_then(|place| ground(metres(*place)))
    };
    if let Some(to) = shown.receiver.and_then(|slot| player(Team::Left, slot)) {
        canvas.dashes(ball, to, 3.5, palette::PASS);
    }
    if let Some(to) = state.owner.and_then(|owner| player(owner.team, owner.player)) {
        canvas.line(ball, to, 4.5, palette::OWNER);
    } else if length(velocity) >= 0.5
        && let Some(to) = ground([place[0] + velocity[0], place[1] + velocity[1]])
    {
        canvas.line(ball, to, 4.5, faded(palette::BLACK, 110));
        canvas.line(ball, to, 2.5, palette::WHITE);
    }
}

/// A player: legs in their stride, arms, shirt with number, head.
pub(super) fn body(canvas: &mut Canvas, letters: &Letters, camera: &Camera, player: &Player) {
    let Some((feet, scale)) = camera.project(player.place, 0.0) else { return };
    let unit = scale * LIFE;
    let (face, rim, ink) = shirt_inks(player);
    if !(-60.0..1340.0).contains(&feet[0]) || !(0.0..860.0).contains(&feet[1]) {
        return;
    }
    let at = |across: f64, up: f64| [feet[0] + across * unit, feet[1] - up * unit * 0.9];
    legs(canvas, player, camera, feet, unit);
    let swing = stride(player);
    let arms = [-1.0, 1.0]
        .map(|side| [at(side * 0.24, 1.4), at(side * 0.36 + swing * 0.1, 0.95 + side * swing * 0.1)]);
    canvas.lines(&arms, 0.19 * unit, rim);
    canvas.lines(&arms, 0.12 * unit, face);
    let edge = (0.07 * unit).max(2.0);
    canvas.line(at(0.0, 1.0), at(0.0, 1.3), 0.48 * unit + 2.0 * edge, rim);
    canvas.line(at(0.0, 1.0), at(0.0, 1.3), 0.48 * unit, face);
    canvas.disc(at(0.0, 1.72), 0.17 * unit + 1.5, palette::BLACK);
    canvas.disc(at(0.0, 1.72), 0.17 * unit, SKIN);
    canvas.write(letters, at(0.0, 1.15), plain(shirt(player.slot), Size::Small, Align::Middle, ink));
}

const SKIN: Ink = [226, 178, 136, 255];
const SOCK: Ink = [40, 40, 46, 255];

/// Where the stride is, from −1 to 1; 0 for a player at rest.
fn stride(player: &Player) -> f64 {
    let Some([ux, uy]) = player.heading() else { return 0.0 };
    let along = (player.place[0] * ux + player.place[1] * uy) / STRIDE;
    libm::sin(along * std::f64::consts::TAU) * (player.speed() / 6.0).min(1.0)
}

fn legs(canvas: &mut Canvas, player: &Player, camera: &Camera, feet: Point, unit: f64) {
    let swing = stride(player) * 0.42;
    let [ux, uy] = player.heading().unwrap_or([0.0, 0.0]);
    let legs = [-1.0, 1.0].map(|side| {
        let hip = [feet[0] + side * 0.12 * unit, feet[1] - 0.8 * unit * 0.9];
        let foot = [
            feet[0] + (side * 0.13 + side * swing * ux) * unit,
            feet[1] + side * swing * uy * unit * camera.flatness(),
        ];
        [hip, [f64::midpoint(hip[0], foot[0]), f64::midpoint(hip[1], foot[1])], foot]
    });
    canvas.lines(&legs, 0.2 * unit, palette::BLACK);
    canvas.lines(&legs.map(|[hip, knee, _]| [hip, knee]), 0.14 * unit, SKIN);
    canvas.lines(&legs.map(|[_, knee, foot]| [knee, foot]), 0.15 * unit, SOCK);
}

/// The ball with its shadow, the height between them, and how high it is.
pub(super) fn ball(
    canvas: &mut Canvas,
    letters: &Letters,
    camera: &Camera,
    state: &FrameState,
    minimal: bool,
) {
    let place = players::ball_place(state);
    let height = state.ball[2].clamp(0.0, 40.0);
    let (Some((ground, scale)), Some((at, near))) =
        (camera.project(place, 0.0), camera.project(place, height.max(BALL)))
    else {
        return;
    };
    let radius = (BALL * near).max(5.0);
    canvas.ellipse(ground, [radius, radius * camera.flatness()], palette::SHADOW);
    if height > 0.5 {
        canvas.dashes(ground, at, 2.0, faded(palette::BLACK, 150));
        canvas.ellipse_ring(ground, [0.5 * scale, 0.5 * scale * camera.flatness()], 2.0, palette::WHITE);
    }
    canvas.disc(at, radius + 6.0, faded(palette::WHITE, 90));
    canvas.disc(at, radius, palette::BLACK);
    canvas.disc(at, radius - 1.6, palette::BALL);
    canvas.disc(at, radius * 0.3, palette::BLACK);
    if height >= 0.5 && !minimal {
        let text = format!("{height:.1} m high");
        canvas.write(letters, [at[0], at[1] - radius - 14.0], haloed(&text, Size::Small, palette::BLACK));
    }
}

/// Writes a player's name above his head; false, with nothing written, if that is outside of the picture.
pub(super) fn name(
    canvas: &mut Canvas,
    letters: &Letters,
    camera: &Camera,
    state: &FrameState,
    player: &Player,
    ink: Ink,
) -> bool {
    let Some((feet, scale)) = camera.project(player.place, 0.0) else { return false };
    let name = players::name(state, player.team, player.slot);
    let at = [feet[0], feet[1] - 2.2 * scale * LIFE * 0.9];
    let [wide, high] = [f64::from(canvas.width()), 720.0];
    let inside = (0.0..wide).contains(&at[0]) && (56.0..high + 20.0).contains(&at[1]);
    if inside {
        canvas.write(letters, at, haloed(&name, Size::Name, ink));
    }
    inside
}

/// An arrow at the edge of the picture towards the controlled player, with his name.
pub(super) fn outside(
    canvas: &mut Canvas,
    letters: &Letters,
    camera: &Camera,
    state: &FrameState,
    player: &Player,
    [wide, high, bar]: [f64; 3],
) {
    let Some((feet, _)) = camera.project(player.place, 1.0) else { return };
    let edge = [feet[0].clamp(70.0, wide - 70.0), feet[1].clamp(bar + 60.0, high - 70.0)];
    let away = [feet[0] - edge[0], feet[1] - edge[1]];
    let distance = length(away).max(1.0);
    let tip = [edge[0] + away[0] / distance * 44.0, edge[1] + away[1] / distance * 44.0];
    let from = [edge[0] + away[0] / distance * 8.0, edge[1] + away[1] / distance * 8.0];
    arrow(canvas, from, tip, 9.0, palette::CONTROLLED);
    let name = players::name(state, player.team, player.slot);
    canvas.write(letters, [edge[0], edge[1] - 14.0], haloed(&name, Size::Name, palette::CONTROLLED));
}
