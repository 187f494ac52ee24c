//! Runs without the ball come in strides: as in the engine, where an animation plays to its end, a player keeps the
//! run that he has begun for a quarter of a second, and stands for almost a second once he stands. Near the ball he
//! may change sooner, if what he wants is something else altogether.

use super::Game;
use super::command::Gait;
use super::sides::side;
use super::vector::Vec2;
use crate::Owner;

/// Ticks of a stride, of standing, and of standing with the ball near.
const STEP: u16 = 25;
const REST: u16 = 95;
const WAKEFUL: u16 = 40;
/// Metres within which the ball is near.
const WATCHED: f64 = 16.0;
/// A man who has less than this left, in ticks, does not begin anew.
const ALMOST_DONE: u16 = 6;
/// Ticks after a change before its end in which there is no other.
const PAUSE: u16 = 22;
/// Metres from the ball, and from the man who has it, within which strides are broken off.
const NEAR_BALL: f64 = 10.0;
const NEAR_HOLDER: f64 = 12.0;
/// Metres per second by which the wanted run must differ.
const OTHER: f64 = 1.5;

/// What a player is doing with his legs until he decides again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stride {
    /// The velocity that he wants.
    run: Vec2,
    /// Where he looks.
    facing: Option<Vec2>,
    /// The change of velocity that he has in mind.
    change: Vec2,
    /// Ticks until it ends.
    left: u16,
    /// Ticks in which it is not broken off.
    pause: u16,
}

impl Stride {
    /// He decides now.
    pub(crate) const NONE: Self =
        Self { run: Vec2::ZERO, facing: None, change: Vec2::ZERO, left: 0, pause: 0 };
}

/// The velocity and the facing that a player without the ball wants in this tick.
pub(super) fn run(game: &mut Game, who: Owner) -> (Vec2, Option<Vec2>) {
    let command = game.command(who);
    let wanted = command.direction * command.speed;
    let facing = command.facing;
    let stride = game.player(who).stride;
    if decides_at_once(game, who) {
        game.player_mut(who).stride = Stride::NONE;
        return (wanted, facing);
    }
    let next = if game.player(who).lazy {
        Stride { facing, ..Stride::NONE }
    } else if stride.left == 0 {
        begun(game, who, 0)
    } else if breaks_off(game, who, &stride, wanted) {
        begun(game, who, PAUSE)
    } else {
        Stride { left: stride.left - 1, pause: stride.pause.saturating_sub(1), ..stride }
    };
    game.player_mut(who).stride = next;
    (next.run, next.facing)
}

/// The man of his team with whom the ball has to do, the keeper, and the one whom the agent moves.
fn decides_at_once(game: &Game, who: Owner) -> bool {
    let side = side(who.team);
    let leads = who.player == 0 || game.leaders.of[side] == who.player;
    leads && !game.player(who).lazy || side == 0 && game.controlled == who.player
}

fn begun(game: &Game, who: Owner, pause: u16) -> Stride {
    let player = game.player(who);
    let command = game.command(who);
    let run = command.direction * command.speed;
    let stands = Gait::of(command.speed) == Gait::Idle;
    let watches = player.place.distance(game.ball.place) < WATCHED;
    let left = match (stands, watches) {
        (false, _) => STEP,
        (true, true) => WAKEFUL,
        (true, false) => REST,
    };
    Stride { run, facing: command.facing, change: run - player.velocity, left, pause }
}

/// Whether a man near the ball gives up what he has begun.
fn breaks_off(game: &Game, who: Owner, stride: &Stride, wanted: Vec2) -> bool {
    if stride.pause > 0 || stride.left < ALMOST_DONE || wanted.distance(stride.run) < OTHER {
        return false;
    }
    let player = game.player(who);
    let near = player.place.distance(game.ball.place) < NEAR_BALL && {
        let (team, index) = game.leaders.holder();
        player.place.distance(game.players[team][index].place) < NEAR_HOLDER
    };
    let change = wanted - player.velocity;
    let along = change.dot(stride.change);
    near && along <= 0.8 && change.distance(stride.change) >= 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Setup;
    use crate::{EngineAction, Placed, PlayerRole, Scene, Team};

    /// A carrier, and a mate this many metres ahead of him who has just begun a run.
    fn game(ahead: f64) -> (Game, Owner) {
        let placed = |x: f64, role| Placed { x: x / 55.0, y: 0.0, role };
        let left = vec![
            placed(-55.0, PlayerRole::Gk),
            placed(-20.6, PlayerRole::Cm),
            placed(ahead - 20.0, PlayerRole::Cf),
        ];
        let scene = Scene {
            name: String::new(),
            ball: [-20.0 / 54.4, 0.0],
            left,
            right: vec![placed(-55.0, PlayerRole::Gk)],
        };
        let mut game = Game::new(&scene, Setup { seed: 2, difficulty: [1.0, 0.0] });
        for _ in 0..10 {
            game.frame(EngineAction::Idle);
        }
        let mate = Owner { team: Team::Left, player: 2 };
        game.player_mut(mate).stride = Stride::NONE;
        let command = game.command_mut(mate);
        (command.direction, command.speed) = (Vec2::new(0.0, 1.0), 5.0);
        run(&mut game, mate);
        (game, mate)
    }

    /// In how many ticks he takes up the opposite run.
    fn ticks_to_turn(ahead: f64) -> u16 {
        let (mut game, mate) = game(ahead);
        game.command_mut(mate).direction = Vec2::new(0.0, -1.0);
        (1..100).find(|_| run(&mut game, mate).0.y < 0.0).unwrap()
    }

    #[test]
    fn a_run_far_from_the_ball_goes_on_to_the_end_of_its_stride() {
        assert_eq!(ticks_to_turn(40.0), STEP + 1);
    }

    #[test]
    fn a_man_near_the_ball_turns_at_once() {
        assert_eq!(ticks_to_turn(6.0), 1);
    }
}
