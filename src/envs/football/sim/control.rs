//! Which player of the left team the agent controls, and what his buttons tell that player.

use super::command::{Command, Gait};
use super::pitch::{HALF_LENGTH, HALF_WIDTH};
use super::sides::side;
use super::vector::Vec2;
use super::{Game, ai, waiting};
use crate::{EngineAction, Owner, Team};

/// Control jumps to a leader whose time to the ball, this many times over, is still shorter.
const CLEARLY: f64 = 3.0;

/// Ticks after which a kick is no longer a pass on its way.
const PASS_AGE: u16 = 600;

/// Control follows the leader of the team: when he is clearly nearer to the ball, or has it without an opponent;
/// never to the keeper.
pub(super) fn switch(game: &mut Game, action: EngineAction) {
    let leader = game.leaders.of[0];
    if leader == 0 || leader == game.controlled {
        return;
    }
    let [then, now] = [leader, game.controlled].map(|player| game.arrival_of(left(player)));
    let alone = game.player(left(leader)).possession && !has_possession(game, Team::Right);
    if alone || then * CLEARLY < now || action == EngineAction::Switch {
        take(game, leader);
    }
}

fn has_possession(game: &Game, team: Team) -> bool {
    game.everybody().any(|who| who.team == team && game.player(who).possession)
}

/// A kick by a mate: control goes to the receiver, and the team's leader with it.
impl Game {
    pub(super) fn kicked(&mut self, who: Owner, receiver: Option<u8>) {
        let Some(receiver) = receiver.map(usize::from) else { return };
        self.leaders.select(side(who.team), receiver);
        if who.team == Team::Left && receiver != 0 {
            take(self, receiver);
        }
    }
}

fn take(game: &mut Game, player: usize) {
    if game.controlled != player {
        game.controlled = player;
        game.input.forget_kick();
    }
}

fn left(player: usize) -> Owner {
    Owner { team: Team::Left, player }
}

/// The command of the controlled player from the buttons.
pub(super) fn command(game: &mut Game) {
    let who = left(game.controlled);
    let input = game.input;
    let has = super::legs::carries(game, who) && game.player(who).possession;
    let held = inwards(input.direction(), game.player(who).place);
    let mut command =
        Command { kick: input.kick(), slide: input.slides(), close: input.dribbles(), ..Command::IDLE };
    if held != Vec2::ZERO {
        command.direction = held.unit();
        command.speed = gait(input.sprints(), input.dribbles()).speed();
    }
    if !has {
        command = towards_ball(game, who, command);
    }
    *game.command_mut(who) = command;
}

/// Sprint wins over dribble.
const fn gait(sprint: bool, dribble: bool) -> Gait {
    match (sprint, dribble) {
        (true, _) => Gait::Sprint,
        (false, true) => Gait::Dribble,
        (false, false) => Gait::Walk,
    }
}

/// Without the ball he goes for it by himself: always when it is his or a kick is wanted; in part when he is his
/// team's first and no opponent has it, the more the held direction agrees.
fn towards_ball(game: &Game, who: Owner, command: Command) -> Command {
    let held = command.direction * command.speed;
    if is_passed_to(game, who) {
        let (direction, speed) = waiting::way_to_pass(game.player(who), &game.forecast);
        return Command { direction, speed, with_ball: Some(held), ..command };
    }
    let share = pull(game, who, &command);
    if share <= 0.0 {
        return command;
    }
    let (direction, speed) = ai::way_to_ball(&game.world(None), 0, who.player);
    let run = held.mix(direction * speed, share);
    Command { direction: run.unit_or(direction), speed: run.length(), with_ball: Some(held), ..command }
}

/// A mate has kicked the ball, and it has not passed him yet.
fn is_passed_to(game: &Game, who: Owner) -> bool {
    let by_mate = game.last_touch.is_some_and(|last| last.team == who.team && last != who);
    let comes = game.ball.velocity.dot(game.ball.place - game.player(who).place) <= 0.0;
    by_mate && comes && game.owner.is_none() && game.since_kick < PASS_AGE
}

/// How much the ball pulls the controlled man, 0 to 1.
fn pull(game: &Game, who: Owner, command: &Command) -> f64 {
    if game.leaders.holder() == (0, who.player) || command.kick.is_some() || game.input.presses() {
        return 1.0;
    }
    if game.leaders.of[0] != who.player || has_possession(game, Team::Right) {
        return 0.0;
    }
    let opponent = game.arrival[1][..game.counts[1]].iter().copied().fold(f64::INFINITY, f64::min);
    let amount = (opponent + 0.2) / (game.arrival_of(who) + 0.2);
    let ball = game.ball.place - game.player(who).place;
    let manual = command.direction.unit_or(game.player(who).facing);
    let agrees = 1.0 - 0.5 * manual.angle_to(ball).abs() / std::f64::consts::PI;
    let backwards = (-manual.x).max(0.0);
    ((amount - 0.5) * 2.0).clamp(0.0, 1.0).sqrt() * agrees * (1.0 - backwards)
}

/// At the edge the outward part of a direction is dropped.
fn inwards(direction: Vec2, place: Vec2) -> Vec2 {
    let keep = |part: f64, at: f64, edge: f64| if at.abs() > edge && part * at > 0.0 { 0.0 } else { part };
    Vec2::new(keep(direction.x, place.x, HALF_LENGTH), keep(direction.y, place.y, HALF_WIDTH))
}
