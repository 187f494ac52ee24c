//! Which player of the left team the agent controls, and what his buttons tell that player.

use super::Game;
use super::ai;
use super::command::Command;
use super::command::Gait;
use super::pitch::HALF_LENGTH;
use super::pitch::HALF_WIDTH;
use super::sides::side;
use super::vector::Vec2;
use crate::envs::football::EngineAction;
use crate::envs::football::Owner;
use crate::envs::football::Team;

/// Control jumps to a man whose time to the ball, this many times over, is still shorter.
const CLEARLY: f64 = 3.0;
/// Seconds to the ball under which the controlled man goes for it even against the held direction.
const SOON: f64 = 0.6;

/// In the first frame the field player nearest to the ball is controlled.
pub(super) fn first(game: &mut Game) {
    if game.tick == 0 {
        game.controlled = quickest(game).unwrap_or(game.controlled);
    }
}

/// After a frame: control follows the ball.
pub(super) fn switch(game: &mut Game, action: EngineAction) {
    let owner = game.owner.filter(|who| who.team == Team::Left && who.player != 0);
    if let Some(owner) = owner {
        take(game, owner.player);
        return;
    }
    if game.last_touch.is_some_and(|who| who.team == Team::Left && who.player == game.controlled)
        && game.player(left(game.controlled)).possession
    {
        return;
    }
    let Some(best) = quickest(game) else { return };
    let (now, then) = (game.arrival_of(left(game.controlled)), game.arrival_of(left(best)));
    if then * CLEARLY < now || action == EngineAction::Switch {
        take(game, best);
    }
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

/// The field player of the left team who can be at the ball first.
fn quickest(game: &Game) -> Option<usize> {
    (1..game.counts[0]).fold(None, |best: Option<usize>, player| match best {
        Some(other) if game.arrival[0][other] <= game.arrival[0][player] => Some(other),
        _ => Some(player),
    })
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
    if !has && goes_for_ball(game, who, held) {
        (command.direction, command.speed) = ai::way_to_ball(&game.world(None), 0, who.player);
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

/// Without the ball he goes for it by himself: when no direction is held, or when it is near enough.
fn goes_for_ball(game: &Game, who: Owner, held: Vec2) -> bool {
    let others = game.owner.is_some_and(|owner| owner.team == Team::Left && owner != who);
    !others && (held == Vec2::ZERO || game.arrival_of(who) < SOON || game.input.presses())
}

/// At the edge the outward part of a direction is dropped.
fn inwards(direction: Vec2, place: Vec2) -> Vec2 {
    let keep = |part: f64, at: f64, edge: f64| if at.abs() > edge && part * at > 0.0 { 0.0 } else { part };
    Vec2::new(keep(direction.x, place.x, HALF_LENGTH), keep(direction.y, place.y, HALF_WIDTH))
}
