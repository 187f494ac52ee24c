//! The start of a game: a scene in metres, everybody standing.

use super::ai::{AiMemory, Leaders};
use super::ball::{Ball, Forecast};
use super::command::Command;
use super::input::Input;
use super::player::{Action, Player};
use super::vector::Vec2;
use super::{Game, pitch};
use crate::random::{Purpose, Random};
use crate::{GameMode, MAX_PLAYERS, Placed, PlayerRole, Scene};

/// The player who is controlled before the first frame, as in the engine.
const FIRST_CONTROLLED: usize = 6;
/// Ticks after which the slowest player reacts at the start.
const START_DELAY: f64 = 25.0;

/// Skill of the agent's team and of the opponents (`MageBench`, released scenarios).
pub const DIFFICULTY: [f64; 2] = [1.0, 0.0];

/// What a game needs besides its scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Fixes every random draw; odd seeds also turn the sign of the ball's spin.
    pub seed: u64,
    /// Skill of the left and the right team, 0 to 1; the benchmark's is [`DIFFICULTY`].
    pub difficulty: [f64; 2],
}

impl Game {
    /// A game at the start of a scene; players beyond the eleventh of a team are not used.
    pub fn new(scene: &Scene, setup: Setup) -> Self {
        Self::handed(scene, setup, 1.0)
    }

    /// The same for a hand: 1, or −1 for a game that is mirrored at the long axis.
    pub(super) fn handed(scene: &Scene, setup: Setup, hand: f64) -> Self {
        let odd = setup.seed % 2 == 1;
        let mut random = Random::new(setup.seed);
        let players = [squad(&scene.left, 1.0, &mut random, 0), squad(&scene.right, -1.0, &mut random, 1)];
        let counts = [scene.left.len().min(MAX_PLAYERS), scene.right.len().min(MAX_PLAYERS)];
        let ball = Ball::at(pitch::metres(scene.ball), if odd { -1.0 } else { 1.0 });
        let nearest = [0, 1].map(|side: usize| nearest(&players[side][..counts[side]], ball.place));
        let distance = |side: usize| players[side][nearest[side]].place.distance(ball.place);
        let first_team = usize::from(distance(1) < distance(0));
        let mut game = Self {
            tick: 0,
            ball,
            forecast: Forecast::of(&ball),
            ball_changed: false,
            counts,
            difficulty: setup.difficulty,
            players,
            commands: [[Command::IDLE; MAX_PLAYERS]; 2],
            arrival: [[100.0; MAX_PLAYERS]; 2],
            leaders: Leaders::new(nearest, first_team),
            minds: [0, 1].map(|side| AiMemory::new(counts[side], side == first_team)),
            owner: None,
            last_touch: None,
            since_kick: u16::MAX,
            mode: GameMode::Normal,
            pause: 0,
            score: [0; 2],
            controlled: FIRST_CONTROLLED.min(counts[0].saturating_sub(1)),
            input: Input::default(),
            random,
            hand,
        };
        super::arrival::update(&mut game);
        game
    }

    /// This player of the left team stands still from now on, as a lazy player of the engine's scenarios.
    pub fn stand_still(&mut self, player: usize) {
        self.players[0][player].lazy = true;
    }

    /// After a goal: everybody at his place of the scene, the ball at the centre.
    pub(super) fn kick_off(&mut self) {
        for player in self.players.iter_mut().flatten() {
            *player = Player::new(player.role, player.slot, player.home, player.facing);
        }
    }
}

fn squad(placed: &[Placed], sign: f64, random: &mut Random, side: usize) -> [Player; MAX_PLAYERS] {
    std::array::from_fn(|slot| {
        let (role, home) = placed.get(slot).map_or((PlayerRole::Gk, Vec2::ZERO), |player| {
            (player.role, pitch::scene_metres(player.x, player.y) * sign)
        });
        let mut player = Player::new(role, u8::try_from(slot).unwrap_or(0), home, Vec2::new(sign, 0.0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 25")]
        let left = random.range(Purpose::Start, side * MAX_PLAYERS + slot, 0.0, START_DELAY) as u16;
        player.action = Action::Down { left };
        player
    })
}

/// The player nearest to a place.
fn nearest(players: &[Player], place: Vec2) -> usize {
    let distances = players.iter().map(|player| player.place.distance(place)).enumerate();
    distances.fold((0, f64::MAX), |best, next| if next.1 < best.1 { next } else { best }).0
}
