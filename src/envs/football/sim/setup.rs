//! The start of a game: a scene in metres, everybody standing.

use super::Game;
use super::HISTORY;
use super::ball::Ball;
use super::ball::Forecast;
use super::command::Command;
use super::pitch;
use super::player::Player;
use super::vector::Vec2;
use super::view::Body;
use super::view::Lineup;
use super::view::Snapshot;
use crate::envs::football::GameMode;
use crate::envs::football::MAX_PLAYERS;
use crate::envs::football::Placed;
use crate::envs::football::Role;
use crate::envs::football::Scene;
use crate::envs::football::random::Random;

/// The player who is controlled before the first frame, as in the engine.
const FIRST_CONTROLLED: usize = 6;

/// What a game needs besides its scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Fixes every random draw; odd seeds also turn the sign of the ball's spin and the mood of the teams.
    pub seed: u64,
    /// Skill of the left and the right team, 0 to 1; `MageBench` sets 1 and 0.
    pub difficulty: [f64; 2],
}

impl Game {
    /// A game at the start of a scene; players beyond the eleventh of a team are not used.
    pub fn new(scene: &Scene, setup: Setup) -> Self {
        let odd = setup.seed % 2 == 1;
        let players = [squad(&scene.left, 1.0), squad(&scene.right, -1.0)];
        let ball = Ball::at(pitch::metres(scene.ball), if odd { -1.0 } else { 1.0 });
        let lineup = lineup(scene, setup, &players);
        let snapshot = Snapshot { ball, bodies: bodies(&players), owner: None, last_touch: None };
        Self {
            tick: 0,
            ball,
            forecast: Forecast::of(&ball),
            lineup,
            players,
            commands: [[Command::IDLE; MAX_PLAYERS]; 2],
            arrival: [[0.0; MAX_PLAYERS]; 2],
            history: [const { () }; HISTORY].map(|()| snapshot.clone()),
            owner: None,
            last_touch: None,
            mode: GameMode::Normal,
            score: [0; 2],
            controlled: FIRST_CONTROLLED.min(scene.left.len().saturating_sub(1)),
            random: Random::new(setup.seed),
        }
    }
}

fn squad(placed: &[Placed], sign: f64) -> [Player; MAX_PLAYERS] {
    std::array::from_fn(|slot| {
        let (role, home) = placed.get(slot).map_or((Role::Gk, Vec2::ZERO), |player| {
            (player.role, pitch::scene_metres(player.x, player.y) * sign)
        });
        Player::new(role, u8::try_from(slot).unwrap_or(0), home, Vec2::new(sign, 0.0))
    })
}

fn lineup(scene: &Scene, setup: Setup, players: &[[Player; MAX_PLAYERS]; 2]) -> Lineup {
    let odd = setup.seed % 2 == 1;
    Lineup {
        count: [scene.left.len().min(MAX_PLAYERS), scene.right.len().min(MAX_PLAYERS)],
        roles: [0, 1].map(|side| std::array::from_fn(|slot| players[side][slot].role)),
        homes: [0, 1].map(|side| std::array::from_fn(|slot| players[side][slot].home)),
        difficulty: setup.difficulty,
        mood: if odd { [0.5, 1.5] } else { [1.5, 0.5] },
    }
}

/// What is seen of the players.
pub(super) fn bodies(players: &[[Player; MAX_PLAYERS]; 2]) -> [[Body; MAX_PLAYERS]; 2] {
    [0, 1].map(|side| {
        std::array::from_fn(|slot| {
            let Player { place, velocity, facing, .. } = players[side][slot];
            Body { place, velocity, facing }
        })
    })
}
