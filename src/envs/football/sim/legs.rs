//! What the legs do in a tick: timers, and the run that the command or the action wants.

use super::motion::Limits;
use super::player::Action;
use super::vector::Vec2;
use super::{Game, carry, motion, stride};
use crate::Owner;

/// A ball within this many metres is still that of the man who played it ahead.
const OWN_BALL: f64 = 3.0;
/// Metres per second that a slide begins with at least, and loses in a tick.
const SLIDE_SPEED: f64 = 7.0;
/// Ticks of a slide, and of getting up.
pub(super) const SLIDE_TICKS: u16 = 45;
const RISE_TICKS: u16 = 45;

/// One tick of a player's legs.
pub(super) fn tick(game: &mut Game, who: Owner) {
    count(game, who);
    begin_slide(game, who);
    let carries = carries(game, who);
    let (wanted, facing) = wanted(game, who, carries);
    let difficulty = game.difficulty(who.team);
    let hand = game.hand();
    let player = game.player_mut(who);
    let limits = if carries {
        carry::limits(player, difficulty)
    } else {
        Limits::free(player.max_speed(), player.ability(difficulty).acceleration)
    };
    motion::step(player, wanted, facing, limits, hand);
}

/// Whether the ball is the one that he plays along.
pub(super) fn carries(game: &Game, who: Owner) -> bool {
    if game.last_touch != Some(who) {
        return false;
    }
    let player = game.player(who);
    let away = game.ball.place - player.place;
    matches!(player.action, Action::Free | Action::Kick { .. })
        && game.ball.height < 1.5
        && away.dot(away) < OWN_BALL * OWN_BALL
}

/// The velocity and the facing that he wants.
fn wanted(game: &mut Game, who: Owner, carries: bool) -> (Vec2, Option<Vec2>) {
    let player = game.player(who);
    let command = game.command(who);
    let facing = if carries { carry::facing(game, who) } else { command.facing };
    let wanted = match player.action {
        Action::Down { .. } | Action::Hold { .. } => Vec2::ZERO,
        Action::Slide { .. } => player.velocity * 0.97,
        _ if carries => carry::run(game, who, &command.on_ball()),
        Action::Kick { .. } => (game.ball.place - player.place) * 3.0,
        _ => return stride::run(game, who),
    };
    (wanted, facing)
}

/// Timers of a tick.
fn count(game: &mut Game, who: Owner) {
    let player = game.player_mut(who);
    player.since_touch = player.since_touch.saturating_add(1);
    player.next_touch = player.next_touch.saturating_sub(1);
    player.duel_pause = player.duel_pause.saturating_sub(1);
    player.action = match player.action {
        Action::FollowThrough { left: 0 } | Action::Down { left: 0 } => Action::Free,
        Action::FollowThrough { left } => Action::FollowThrough { left: left - 1 },
        Action::Down { left } => Action::Down { left: left - 1 },
        Action::Slide { left: 0 } => Action::Down { left: RISE_TICKS },
        Action::Slide { left } => Action::Slide { left: left - 1 },
        other => other,
    };
}

fn begin_slide(game: &mut Game, who: Owner) {
    let command = *game.command(who);
    let player = game.player_mut(who);
    if command.slide && player.free() && !player.possession {
        player.action = Action::Slide { left: SLIDE_TICKS };
        let along = command.direction.unit_or(player.facing);
        player.velocity = along * player.velocity.length().max(SLIDE_SPEED);
    }
}
