//! Properties of whole games.

use super::*;
use crate::{EngineAction, FrameState, Placed, PlayerRole, Scene, Squad, Team};

const ROLES: [PlayerRole; 10] = [
    PlayerRole::Cb,
    PlayerRole::Cb,
    PlayerRole::Lb,
    PlayerRole::Rb,
    PlayerRole::Dm,
    PlayerRole::Cm,
    PlayerRole::Lm,
    PlayerRole::Rm,
    PlayerRole::Am,
    PlayerRole::Cf,
];

fn team(shift: f64) -> Vec<Placed> {
    let keeper = Placed { x: -0.98, y: 0.0, role: PlayerRole::Gk };
    let field = (0_u32..).zip(ROLES).map(|(number, role)| Placed {
        x: -0.7 + 0.13 * f64::from(number) + shift,
        y: 0.07 * f64::from(number * 7 % 10) - 0.3,
        role,
    });
    std::iter::once(keeper).chain(field).collect()
}

fn scene() -> Scene {
    Scene { name: "test".to_owned(), ball: [0.02, 0.11], left: team(0.0), right: team(-0.2) }
}

fn game(seed: u64) -> Game {
    Game::new(&scene(), Setup { seed, difficulty: [1.0, 0.0] })
}

/// A varied run of actions.
fn action(frame: u64) -> EngineAction {
    let code = (frame * 7 + frame / 5 * 3) % 33;
    EngineAction::from_code(u8::try_from(code).unwrap()).unwrap()
}

fn numbers(state: &FrameState) -> Vec<f64> {
    let squads = [state.left, state.right];
    let places = squads.iter().flat_map(|squad| squad.positions).flatten();
    let movements = squads.iter().flat_map(|squad| squad.movements).flatten();
    let ball = [state.ball, state.ball_movement, state.ball_rotation].concat();
    places.chain(movements).chain(ball).collect()
}

#[test]
fn a_hundred_seeds_run_without_a_number_that_is_none() {
    for seed in 0..100 {
        // Without optimization, only every tenth game is played to its end.
        let frames: u32 = if seed % 10 == 0 || !cfg!(debug_assertions) { 400 } else { 50 };
        let mut game = game(seed);
        for frame in 0..frames {
            game.frame(action(u64::from(frame) + seed));
        }
        let state = game.state();
        assert!(numbers(&state).iter().all(|number| number.is_finite()), "seed {seed}");
        assert_eq!(state.steps_left, 401 - frames);
    }
}

#[test]
fn players_and_ball_stay_in_the_stadium() {
    for seed in 0..4 {
        let mut game = game(seed);
        for frame in 0..400 {
            game.frame(action(frame * 3 + seed));
            let state = game.state();
            let inside = |[x, y]: [f64; 2]| x.abs() < 1.25 && y.abs() < 0.6;
            let all = state.left.positions().iter().chain(state.right.positions());
            assert!(all.copied().all(inside), "seed {seed}, frame {frame}");
            assert!(inside([state.ball[0], state.ball[1]]), "seed {seed}, frame {frame}");
        }
    }
}

#[test]
fn a_clone_goes_on_the_same() {
    let mut game = game(5);
    for frame in 0..120 {
        game.frame(action(frame));
    }
    let mut other = game.clone();
    for frame in 120..260 {
        game.frame(action(frame));
        other.frame(action(frame));
        assert_eq!(numbers(&game.state()), numbers(&other.state()), "frame {frame}");
    }
}

#[test]
fn a_game_depends_on_its_seed() {
    let play = |seed| {
        let mut game = game(seed);
        for frame in 0..100 {
            game.frame(action(frame));
        }
        numbers(&game.state())
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(5));
}

/// A scene mirrored at the long axis.
fn mirrored(scene: &Scene) -> Scene {
    let turned = |team: &[Placed]| team.iter().map(|player| Placed { y: -player.y, ..*player }).collect();
    let left = turned(&scene.left);
    let right = turned(&scene.right);
    Scene { name: scene.name.clone(), ball: [scene.ball[0], -scene.ball[1]], left, right }
}

fn mirrored_action(action: EngineAction) -> EngineAction {
    use EngineAction as A;
    match action {
        A::TopLeft => A::BottomLeft,
        A::Top => A::Bottom,
        A::TopRight => A::BottomRight,
        A::BottomLeft => A::TopLeft,
        A::Bottom => A::Top,
        A::BottomRight => A::TopRight,
        other => other,
    }
}

/// The first frame in which a game and its mirror image are not the same to the last bit, of at most 300.
fn first_difference(scene: &Scene, setup: Setup, action: impl Fn(usize) -> EngineAction) -> Option<usize> {
    let mut game = Game::new(scene, setup);
    let mut image = Game::handed(&mirrored(scene), setup, -1.0);
    let turned = |[x, y]: [f64; 2]| [x, -y];
    (0..300).find(|&frame| {
        game.frame(action(frame));
        image.frame(mirrored_action(action(frame)));
        let one = game.state();
        let other = image.state();
        let squads = [(one.left, other.left), (one.right, other.right)];
        let same = |one: &Squad, other: &Squad| {
            one.positions.map(turned) == other.positions && one.movements.map(turned) == other.movements
        };
        let [x, y, height] = one.ball;
        [x, -y, height] != other.ball
            || (one.owner, one.active, one.score, one.mode)
                != (other.owner, other.active, other.score, other.mode)
            || !squads.iter().all(|(one, other)| same(one, other))
    })
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(if cfg!(debug_assertions) { 8 } else { 200 }))]

    /// AI, control, kicks and duels have no side: a mirrored game is the mirror image, whoever plays.
    #[test]
    fn mirrored_scenes_give_mirrored_play(
        seed in 0..100_u64, difficulty in proptest::array::uniform2(0.0..1.0_f64), shift in -0.3..0.1_f64, agent in 0..3_u8,
    ) {
        let scene = Scene { right: team(shift), ..scene() };
        let varied = |frame: usize| match agent {
            0 => EngineAction::BuiltinAi,
            1 => action(frame as u64 / 4 + seed),
            _ => action(frame as u64 + seed),
        };
        let found = first_difference(&scene, Setup { seed, difficulty }, varied);
        proptest::prop_assert!(found.is_none(), "frame {found:?}");
    }
}

/// A man behind the ball and a mate at a place in metres, y up.
fn pair(seed: u64, mate: [f64; 2]) -> Game {
    let placed = |x: f64, y: f64, role| Placed { x: x / 55.0, y: -y / 84.96, role };
    let left = vec![
        placed(-55.0, 0.0, PlayerRole::Gk),
        placed(-10.6, 0.0, PlayerRole::Cm),
        placed(mate[0], mate[1], PlayerRole::Cf),
        placed(-40.0, -20.0, PlayerRole::Cb),
    ];
    let right = vec![placed(-55.0, -34.0, PlayerRole::Gk)];
    let scene = Scene { name: "pair".to_owned(), ball: [-10.0 / 54.4, 0.0], left, right };
    Game::new(&scene, Setup { seed, difficulty: [1.0, 0.0] })
}

fn owned_by(game: &Game, player: usize) -> bool {
    game.state().owner == Some(Owner { team: Team::Left, player })
}

#[test]
fn the_nearest_man_is_controlled_and_has_the_ball_soon() {
    for seed in 0..20 {
        let mut game = pair(seed, [20.0, 10.0]);
        game.frame(EngineAction::Idle);
        assert_eq!(game.state().active, 1);
        for _ in 0..9 {
            game.frame(EngineAction::Idle);
        }
        assert!(owned_by(&game, 1), "seed {seed}");
    }
}

#[test]
fn a_pass_reaches_the_mate_in_its_direction() {
    use EngineAction as A;
    let received = (0..20).filter(|&seed| {
        let mut game = pair(seed, [4.0, 13.0]);
        for _ in 0..10 {
            game.frame(A::Right);
        }
        game.frame(A::TopRight);
        game.frame(A::ShortPass);
        (0..25).any(|_| {
            game.frame(A::TopRight);
            owned_by(&game, 2)
        })
    });
    assert!(received.count() >= 16);
}

/// The state after a sprint into the goal; none where the keeper comes between.
fn run_into_the_goal(seed: u64) -> Option<FrameState> {
    use EngineAction as A;
    let mut game = pair(seed, [-20.0, 20.0]);
    game.frame(A::Right);
    game.frame(A::Sprint);
    let scored = (0..200).any(|_| {
        game.frame(A::Right);
        game.state().score == [1, 0]
    });
    scored.then(|| game.state())
}

#[test]
fn a_ball_that_is_run_into_the_goal_counts_and_goes_back_to_the_centre() {
    let goals: Vec<FrameState> = (0..10).filter_map(run_into_the_goal).collect();
    assert!(!goals.is_empty());
    for state in goals {
        assert!(state.owner.is_none() && state.ball[0].abs() < 1e-9, "{:?}", state.ball);
    }
}

#[test]
fn a_game_is_small() {
    assert!(size_of::<Game>() < 16 * 1024, "{} bytes", size_of::<Game>());
}
