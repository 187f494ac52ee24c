//! Access to the players of a game.

use super::Game;
use super::command::Command;
use super::player::Player;
use super::sides::{side, team};
use crate::{MAX_PLAYERS, Owner, Team};

impl Game {
    pub(super) fn player(&self, who: Owner) -> &Player {
        &self.players[side(who.team)][who.player]
    }

    pub(super) fn player_mut(&mut self, who: Owner) -> &mut Player {
        &mut self.players[side(who.team)][who.player]
    }

    pub(super) fn command(&self, who: Owner) -> &Command {
        &self.commands[side(who.team)][who.player]
    }

    pub(super) fn command_mut(&mut self, who: Owner) -> &mut Command {
        &mut self.commands[side(who.team)][who.player]
    }

    pub(super) fn difficulty(&self, team: Team) -> f64 {
        self.difficulty[side(team)]
    }

    /// Every player, the left team first.
    pub(super) fn everybody(&self) -> impl Iterator<Item = Owner> + use<> {
        let counts = self.counts;
        (0..2).flat_map(move |side| (0..counts[side]).map(move |player| Owner { team: team(side), player }))
    }

    /// The stream of random numbers of a player.
    pub(super) const fn stream(who: Owner) -> usize {
        side(who.team) * MAX_PLAYERS + who.player
    }

    /// The side to which errors go: 1, or −1 in a game mirrored at the long axis.
    pub(super) const fn hand(&self) -> f64 {
        self.hand
    }

    /// This player has touched the ball.
    pub(super) fn touched(&mut self, who: Owner) {
        self.last_touch = Some(who);
        self.ball_changed = true;
        self.player_mut(who).since_touch = 0;
    }
}
