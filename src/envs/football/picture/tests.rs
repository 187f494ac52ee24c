//! Properties of both views: equal pixels for equal states, everything at its pixel, nothing outside of its place.

use proptest::prelude::*;

use super::super::{FrameState, GameMode, MAX_PLAYERS, Owner, PlayerRole, Squad, Sticky, Team};
use super::camera::Camera;
use super::markings::metres;
use super::{board, *};

const ROLES: [PlayerRole; MAX_PLAYERS] = [
    PlayerRole::Gk,
    PlayerRole::Lb,
    PlayerRole::Cb,
    PlayerRole::Cb,
    PlayerRole::Rb,
    PlayerRole::Dm,
    PlayerRole::Cm,
    PlayerRole::Lm,
    PlayerRole::Rm,
    PlayerRole::Am,
    PlayerRole::Cf,
];

/// Two full teams in two rows along the pitch, the ball in the upper left corner.
fn rows() -> FrameState {
    let squad = |y: f64| {
        let mut squad = Squad { count: MAX_PLAYERS, roles: ROLES, ..Squad::EMPTY };
        for (place, step) in squad.positions.iter_mut().zip(0_u8..) {
            *place = [f64::from(step) * 0.17 - 0.85, y];
        }
        squad
    };
    FrameState {
        ball: [-0.9, -0.38, 0.11],
        ball_movement: [0.0; 3],
        ball_rotation: [0.0; 3],
        owner: None,
        active: 6,
        mode: GameMode::Normal,
        score: [0, 0],
        sticky: Sticky::default(),
        left: squad(-0.1),
        right: squad(0.2),
        steps_left: 300,
    }
}

fn paint(view: View, state: &FrameState) -> Vec<u8> {
    paint_with(&Painter::new(view, false).unwrap(), view, state)
}

fn paint_with(painter: &Painter, view: View, state: &FrameState) -> Vec<u8> {
    let [width, height] = view.size();
    let mut rgb = vec![0; (width * height * 3) as usize];
    painter.paint(state, &Shown::first(state, 400), &mut rgb);
    rgb
}

/// The colour of a pixel of the board.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside of the picture")]
fn at(rgb: &[u8], [x, y]: [f64; 2]) -> [u8; 3] {
    let start = (y as usize * 1280 + x as usize) * 3;
    rgb[start..start + 3].try_into().unwrap()
}

/// The rows of the board that differ, from the first to the last.
fn different_rows(one: &[u8], other: &[u8]) -> Vec<usize> {
    let rows = one.chunks(1280 * 3).zip(other.chunks(1280 * 3)).enumerate();
    rows.filter(|(_, (one, other))| one != other).map(|(row, _)| row).collect()
}

#[test]
fn the_same_state_has_the_same_pixels_after_another_state_too() {
    for view in [View::Board, View::Broadcast] {
        let painter = Painter::new(view, false).unwrap();
        let state = rows();
        let first = paint_with(&painter, view, &state);
        let other = paint_with(&painter, view, &FrameState { ball: [0.5, 0.1, 3.0], active: 3, ..state });
        assert_ne!(first, other);
        assert_eq!(first, paint_with(&painter, view, &state));
        assert_eq!(first, paint(view, &state), "another painter");
    }
}

#[test]
fn every_player_is_at_his_pixel_in_the_colour_of_his_team() {
    let state = rows();
    let rgb = paint(View::Board, &state);
    for (team, face) in [(Team::Left, [255, 217, 46]), (Team::Right, [18, 30, 92])] {
        for (slot, place) in state.squad(team).positions().iter().enumerate() {
            let [x, y] = board::pixel(metres(*place));
            // Beside the number.
            for aside in [[0.0, -7.5], [0.0, 7.5]] {
                assert_eq!(at(&rgb, [x + aside[0], y + aside[1]]), face, "{team:?} {slot}");
            }
            let corner = at(&rgb, [x + 8.3, y + 8.3]);
            assert_eq!(corner == face, slot == 0, "only keepers are squares: {team:?} {slot}");
        }
    }
    let [x, y] = board::pixel(metres(state.left.positions[6]));
    assert_eq!(at(&rgb, [x + 15.0, y]), [22, 78, 255], "the ring of the controlled player");
    let [x, y] = board::pixel(metres([state.ball[0], state.ball[1]]));
    assert_eq!(at(&rgb, [x + 2.7, y]), [255, 255, 255], "the ball");
}

#[test]
fn the_owner_has_a_ring_and_a_runner_a_nose() {
    let mut state = rows();
    state.owner = Some(Owner { team: Team::Right, player: 4 });
    state.right.movements[8] = [0.01, 0.0];
    let rgb = paint(View::Board, &state);
    let [x, y] = board::pixel(metres(state.right.positions[4]));
    assert_eq!(at(&rgb, [x, y + 17.0]), [255, 104, 20]);
    let [x, y] = board::pixel(metres(state.right.positions[8]));
    assert_eq!(at(&rgb, [x + 13.0, y]), [18, 30, 92]);
}

#[test]
fn score_time_and_flags_are_in_the_bar_alone() {
    let state = rows();
    let before = paint(View::Board, &state);
    let flags = Sticky([false, false, false, true, false, false, false, false, true, false]);
    let changes = [
        FrameState { score: [2, 1], ..state },
        FrameState { steps_left: 12, ..state },
        FrameState { sticky: flags, ..state },
        FrameState { mode: GameMode::Corner, ..state },
    ];
    for change in changes {
        let different = different_rows(&before, &paint(View::Board, &change));
        assert!(!different.is_empty() && different.iter().all(|row| *row < 48), "{different:?}");
    }
}

#[test]
fn players_outside_of_the_pitch_never_cover_the_bars() {
    let mut state = rows();
    let before = paint(View::Board, &state);
    state.right.positions[3] = [0.0, -0.47];
    state.right.positions[4] = [0.3, 0.455];
    state.right.positions[5] = [40.0, -40.0];
    let different = different_rows(&before, &paint(View::Board, &state));
    assert!(different.iter().all(|row| (48..801).contains(row)), "{different:?}");
    assert!(different.len() > 20);
}

#[test]
fn a_minimal_board_has_no_lines_of_movement() {
    let mut state = rows();
    state.right.movements[8] = [0.0, 0.008];
    let [x, y] = board::pixel(metres(state.right.positions[8]));
    let full = paint(View::Board, &state);
    let minimal = paint_with(&Painter::new(View::Board, true).unwrap(), View::Board, &state);
    assert_eq!(at(&full, [x, y + 50.0]), [18, 30, 92]);
    let grass = at(&minimal, [x, y + 50.0]);
    assert!(grass[1] > grass[0] && grass[1] > grass[2], "{grass:?}");
}

#[test]
fn rows_of_the_ground_and_projected_places_agree() {
    for focus in [[0.0, 0.0], [0.4, 0.2], [-0.8, -0.3]] {
        let state = FrameState { ball: [focus[0], focus[1], 0.11], active: MAX_PLAYERS, ..rows() };
        let camera = Camera::new(Focus::on(&state), [1280.0, 720.0]);
        for middle in [0.5, 100.5, 360.5, 719.5] {
            let row = camera.ground_row(middle);
            let (pixel, scale) = camera.project([row.left + 200.0 * row.step, row.y], 0.0).unwrap();
            assert!((pixel[0] - 200.0).abs() < 1e-6 && (pixel[1] - middle).abs() < 1e-6, "{pixel:?}");
            assert!((scale * row.step - 1.0).abs() < 1e-9);
        }
        let ball = metres(focus);
        let ([x, y], _) = camera.project(ball, 0.0).unwrap();
        assert!((100.0..1180.0).contains(&x) && (150.0..570.0).contains(&y), "{x} {y}");
    }
}

#[test]
fn the_focus_follows_the_ball_slowly() {
    let state = rows();
    let away = FrameState { ball: [0.9, state.ball[1], 0.11], active: MAX_PLAYERS, ..state };
    let start = Focus::on(&FrameState { active: MAX_PLAYERS, ..state });
    let mut focus = start;
    let goal = Focus::on(&away);
    for _ in 0..60 {
        assert_ne!(focus, goal);
        focus = focus.after(&away);
    }
    let camera = |focus: Focus| Camera::new(focus, [1280.0, 720.0]).project([0.0, 0.0], 0.0).unwrap().0[0];
    assert!((camera(focus) - camera(goal)).abs() < 2.0);
    assert!((camera(start.after(&away)) - camera(start)).abs() < (camera(goal) - camera(start)).abs() / 5.0);
}

fn squad() -> impl Strategy<Value = Squad> {
    let place = prop::array::uniform2(prop_oneof![-1.2..1.2, -1e12..1e12_f64]);
    let places = proptest::collection::vec((place, prop::array::uniform2(-0.1..0.1_f64)), 0..=MAX_PLAYERS);
    places.prop_map(|all| {
        let mut squad = Squad { count: all.len(), roles: ROLES, ..Squad::EMPTY };
        for (slot, (place, movement)) in all.into_iter().enumerate() {
            (squad.positions[slot], squad.movements[slot]) = (place, movement);
        }
        squad
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_state_is_painted_without_a_panic(
        left in squad(), right in squad(), ball in prop::array::uniform3(-2.0..50.0_f64), active in 0..14_usize,
        owner in proptest::option::of((any::<bool>(), 0..12_usize)), receiver in proptest::option::of(0..14_usize),
        movement in prop::array::uniform3(-1.0..1.0_f64), score in prop::array::uniform2(0..200_u32), steps_left in 0..500_u32,
    ) {
        let owner = owner.map(|(left, player)| Owner { team: if left { Team::Left } else { Team::Right }, player });
        let state =
            FrameState { ball, ball_movement: movement, owner, active, score, left, right, steps_left, ..rows() };
        for view in [View::Board, View::Broadcast] {
            let [width, height] = view.size();
            let mut rgb = vec![0; (width * height * 3) as usize];
            let shown = Shown { receiver, ..Shown::first(&state, 400) };
            Painter::new(view, active % 2 == 0).unwrap().paint(&state, &shown, &mut rgb);
            prop_assert!(rgb.iter().any(|value| *value != 0));
        }
    }
}
