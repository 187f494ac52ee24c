//! Speed of football: frames painted in both views.

use std::hint::black_box;

use criterion::Criterion;
use criterion::Throughput;
use criterion::criterion_group;
use criterion::criterion_main;
use mageyard::envs::football::FrameState;
use mageyard::envs::football::GameMode;
use mageyard::envs::football::MAX_PLAYERS;
use mageyard::envs::football::Owner;
use mageyard::envs::football::Role;
use mageyard::envs::football::Squad;
use mageyard::envs::football::Sticky;
use mageyard::envs::football::Team;
use mageyard::envs::football::picture::Focus;
use mageyard::envs::football::picture::Painter;
use mageyard::envs::football::picture::Shown;
use mageyard::envs::football::picture::View;

/// A full team that runs, in two lines about this place along the pitch.
fn squad(x: f64, direction: f64) -> Squad {
    let mut squad = Squad { count: MAX_PLAYERS, roles: [Role::Cm; MAX_PLAYERS], ..Squad::EMPTY };
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

criterion_group!(benches, painted_frames);
criterion_main!(benches);
