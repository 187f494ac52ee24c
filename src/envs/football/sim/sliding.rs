//! Slides: they send the ball away, or bring down the man who has it, which is a foul.

use super::player::Action;
use super::{Game, referee};
use crate::Owner;

/// Metres ahead of the sliding body in which the legs meet the ball, and a man.
const BALL: f64 = 0.9;
const MAN: f64 = 0.6;
/// Speed that a slide gives the ball, m/s.
const SPEED: f64 = 6.0;

/// The slides of a tick; true if one met the ball or a man.
pub(super) fn tick(game: &mut Game) -> bool {
    let slides = |who: &Owner| matches!(game.player(*who).action, Action::Slide { .. });
    let Some(who) = game.everybody().find(slides) else { return false };
    let player = game.player(who);
    let place = player.place;
    let along = player.velocity.unit_or(player.facing);
    let away = game.ball.place - place;
    if player.since_touch > 30 && game.ball.height < 0.5 && away.dot(away) < BALL * BALL {
        game.ball.push(along * SPEED);
        game.touched(who);
        return true;
    }
    let brings_down = |man: &Owner| {
        let legs = game.player(*man).place - place;
        man.team != who.team && legs.dot(legs) < MAN * MAN
    };
    let fouled = game.owner.filter(brings_down);
    if fouled.is_some() {
        referee::foul(game, who);
    }
    fouled.is_some()
}
