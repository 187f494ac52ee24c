//! Speed of football: frames simulated, a game cloned, frames painted in both views.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mageyard::envs::football::picture::{Focus, Painter, Shown, View};
use mageyard::envs::football::sim::{Game, Setup};
use mageyard::envs::football::{
    EngineAction, FrameState, GameMode, MAX_PLAYERS, Owner, Placed, PlayerRole, Scene, Squad, Sticky, Team,
};

/// A full team that runs, in two lines about this place along the pitch.
fn squad(x: f64, direction: f64) -> Squad {
    let mut squad = Squad { count: MAX_PLAYERS, roles: [PlayerRole::Cm; MAX_PLAYERS], ..Squad::EMPTY };
    for (slot, step) in (0..MAX_PLAYERS).zip(0_u8..) {
        let step = f64::from(step);
        squad.positions[slot] = [x + 0.1 * (step % 2.0), step * 0.07 - 0.35];
        squad.movements[slot] = [direction * 0.01, 0.002];
    }
    squad
}

fn state() -> FrameState {
    FrameState {
        ball: [0.02, 0.0, 1.2],
        ball_movement: [0.02, 0.01, 0.0],
        ball_rotation: [0.0; 3],
        owner: Some(Owner { team: Team::Left, player: 5 }),
        active: 5,
        mode: GameMode::Normal,
        score: [1, 0],
        sticky: Sticky([false, false, false, false, true, false, false, false, true, false]),
        left: squad(-0.1, 1.0),
        right: squad(0.15, -1.0),
        steps_left: 250,
    }
}

/// Eleven against eleven in three lines, the ball before a forward.
fn scene() -> Scene {
    const ROLES: [PlayerRole; MAX_PLAYERS] = [
        PlayerRole::Gk,
        PlayerRole::Lb,
        PlayerRole::Cb,
        PlayerRole::Cb,
        PlayerRole::Rb,
        PlayerRole::Lm,
        PlayerRole::Cm,
        PlayerRole::Cm,
        PlayerRole::Rm,
        PlayerRole::Cf,
        PlayerRole::Cf,
    ];
    const YS: [f64; MAX_PLAYERS] = [0.0, -0.25, -0.08, 0.08, 0.25, -0.25, -0.08, 0.08, 0.25, -0.1, 0.1];
    let place = |(slot, role): (usize, PlayerRole)| {
        let x = [-0.95, -0.6, -0.25, 0.1][slot.div_ceil(4).min(3)];
        Placed { x, y: YS[slot], role }
    };
    let team: Vec<Placed> = ROLES.into_iter().enumerate().map(place).collect();
    Scene { name: "bench".into(), ball: [0.12, -0.1], left: team.clone(), right: team }
}

/// A game of the AI against itself: all players decide, so that a frame costs the most. A game is begun again after 400
/// frames, as in an episode.
fn simulated_frames(criterion: &mut Criterion) {
    let start = Game::new(&scene(), Setup { seed: 7, difficulty: [1.0, 0.0] });
    let mut group = criterion.benchmark_group("simulated frames");
    group.throughput(Throughput::Elements(400));
    for (name, action) in [("builtin", EngineAction::BuiltinAi), ("sprint right", EngineAction::Right)] {
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let mut game = start.clone();
                game.frame(EngineAction::Sprint);
                for _ in 1..400 {
                    game.frame(black_box(action));
                }
                game.state()
            });
        });
    }
    group.finish();
    criterion.bench_function("a clone of a game", |bench| bench.iter(|| black_box(&start).clone()));
}

fn painted_frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("painted frames");
    group.throughput(Throughput::Elements(1));
    for (name, view) in [("board", View::Board), ("broadcast", View::Broadcast)] {
        let Some(painter) = Painter::new(view, false) else { continue };
        let [width, height] = view.size();
        let mut rgb = vec![0; (width * height * 3) as usize];
        let state = state();
        let shown = Shown { focus: Focus::on(&state), ..Shown::first(&state, 400) };
        group.bench_function(name, |bench| {
            bench.iter(|| painter.paint(black_box(&state), &shown, &mut rgb));
        });
    }
    group.finish();
}

criterion_group!(benches, simulated_frames, painted_frames);
criterion_main!(benches);
