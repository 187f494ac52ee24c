//! A frame: commands, ten ticks, and what is worked out once a frame.

use super::ai::{Claims, World};
use super::ball::{Ball, Forecast};
use super::pitch::FRAME_TICKS;
use super::player::Player;
use super::sides::side;
use super::{Game, ai, arrival, bodies, contact, control, hands, kicking, legs, referee};
use crate::{EngineAction, Owner};

impl Game {
    /// One frame of 0.1 s: the action of the agent, then ten ticks.
    pub fn frame(&mut self, action: EngineAction) {
        self.input.press(action);
        let released = (action == EngineAction::BuiltinAi).then_some(self.controlled);
        if self.tick == 0 {
            control::switch(self, action);
        }
        self.think(released);
        if released.is_none() {
            control::command(self);
        }
        for _ in 0..FRAME_TICKS {
            self.one_tick();
        }
        self.look_ahead();
        self.lead(released);
        control::switch(self, action);
    }

    /// Who deals with the ball.
    fn lead(&mut self, released: Option<usize>) {
        let possession =
            [0, 1].map(|side: usize| std::array::from_fn(|slot| self.players[side][slot].possession));
        let [left, right] = self.counts;
        self.leaders.update(&Claims {
            times: [&self.arrival[0][..left], &self.arrival[1][..right]],
            possession,
            agent: Some(self.controlled).filter(|player| released != Some(*player)),
            hands: self.hands(),
        });
    }

    /// Whose hands hold the ball: team and index.
    fn hands(&self) -> Option<(usize, usize)> {
        self.everybody().find(|&who| hands::in_hands(self, who)).map(|who| (side(who.team), who.player))
    }

    fn think(&mut self, released: Option<usize>) {
        let mut minds = self.minds.clone();
        let mut random = self.random.clone();
        let world = self.world(released);
        let commands = [0, 1].map(|side: usize| ai::think(&world, side, &mut minds[side], &mut random));
        (self.minds, self.random, self.commands) = (minds, random, commands);
    }

    /// What the AI reads of the game.
    pub(super) fn world(&self, released: Option<usize>) -> World<'_> {
        World {
            tick: self.tick,
            players: &self.players,
            counts: self.counts,
            difficulty: self.difficulty,
            ball: &self.ball,
            forecast: &self.forecast,
            arrival: &self.arrival,
            leaders: &self.leaders,
            touched: self.last_touch.map(|who| side(who.team)),
            agents: [true, false],
            released,
            hands: self.hands(),
            hand: self.hand,
        }
    }

    fn one_tick(&mut self) {
        self.tick += 1;
        self.since_kick = self.since_kick.saturating_add(1);
        for who in self.everybody() {
            legs::tick(self, who);
        }
        if !hands::carry(self) {
            self.ball.tick();
        }
        if self.tick.is_multiple_of(2) {
            bodies::push_apart(self);
        }
        if self.pause == 0 {
            self.play();
        }
        referee::watch(self);
    }

    /// Kicks and touches, while play goes on.
    fn play(&mut self) {
        for who in self.everybody() {
            kicking::begin(self, who);
            kicking::swing(self, who);
        }
        contact::tick(self);
        contact::update_owner(self);
    }

    /// Forecast and times to the ball, after the ticks of a frame.
    fn look_ahead(&mut self) {
        if self.hands().is_some() {
            self.forecast = Forecast::of(&Ball::at(self.ball.place, self.ball.spin_sign));
        } else if self.ball_changed {
            self.forecast = Forecast::of(&self.ball);
            self.ball_changed = false;
        } else {
            self.forecast.advance();
        }
        for player in self.players.iter_mut().flatten() {
            tire(player);
        }
        arrival::update(self);
    }

    /// A player has begun a kick: the agent's request is used up.
    pub(super) fn kick_begun(&mut self, who: Owner) {
        if side(who.team) == 0 && who.player == self.controlled {
            self.input.forget_kick();
        }
    }
}

/// Tiredness grows with the speed: 1 would take a player off his last legs; 40 s of running cost about 5 %.
fn tire(player: &mut Player) {
    let speed = player.velocity.length();
    player.tired = (player.tired + 0.000_3 * (speed / 8.0) * (speed / 8.0)).min(1.0);
}
