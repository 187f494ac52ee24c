//! Turns the game into a team's own frame, and its commands back.

use super::leaders::Leaders;
use super::memory::AiMemory;
use super::moment::{FORECAST, Man, Moment, Spot, Who};
use crate::MAX_PLAYERS;
use crate::sim::ball::{Ball, Forecast};
use crate::sim::command::{Command, KickRequest, KickTarget};
use crate::sim::player::Player;
use crate::sim::vector::Vec2;

/// The game as it is, axes of the pitch; teams by index, left 0 and right 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World<'a> {
    /// Ticks since the start.
    pub(crate) tick: u32,
    pub(crate) players: &'a [[Player; MAX_PLAYERS]; 2],
    pub(crate) counts: [usize; 2],
    pub(crate) difficulty: [f64; 2],
    pub(crate) ball: &'a Ball,
    pub(crate) forecast: &'a Forecast,
    /// Seconds in which each player can be at the ball.
    pub(crate) arrival: &'a [[f64; MAX_PLAYERS]; 2],
    pub(crate) leaders: &'a Leaders,
    /// The last team to touch the ball.
    pub(crate) touched: Option<usize>,
    /// Whether an agent plays in each team.
    pub(crate) agents: [bool; 2],
    /// The agent's player of the left team in a frame in which he leaves him to the AI.
    pub(crate) released: Option<usize>,
    /// Whose hands hold the ball: team and index.
    pub(crate) hands: Option<(usize, usize)>,
    /// 1, or −1 in a game mirrored at the long axis.
    pub(crate) hand: f64,
}

/// 1 for the left team, whose frame is that of the pitch, −1 for the right one.
fn sign(team: usize) -> f64 {
    if team == 0 { 1.0 } else { -1.0 }
}

impl World<'_> {
    /// What a team's AI works with.
    pub(super) fn moment(&self, team: usize, memory: &AiMemory) -> Moment {
        let other = 1 - team;
        let who = |(side, player): (usize, usize)| {
            if side == team { Who::Mate(player) } else { Who::Rival(player) }
        };
        let mut mates = self.men(team, sign(team));
        for (index, man) in mates.iter_mut().enumerate() {
            man.held = memory.held(index);
        }
        Moment {
            tick: self.tick,
            difficulty: self.difficulty[team],
            mates,
            mate_count: self.counts[team],
            rivals: self.men(other, sign(team)),
            rival_count: self.counts[other],
            path: self.path(sign(team)),
            ball_velocity: self.ball.velocity * sign(team),
            leader: self.leaders.of[team],
            rival_leader: self.leaders.of[other],
            holder: who(self.leaders.holder()),
            hands: self.hands.map(who),
            hand: self.hand,
            times: [self.first(team), self.first(other)],
            has_agent: self.agents[team],
            released: self.released.filter(|_| team == 0),
            touched_last: self.touched == Some(team),
        }
    }

    /// Seconds until the first player of a team can be at the ball.
    fn first(&self, team: usize) -> f64 {
        self.arrival[team][..self.counts[team]].iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn men(&self, team: usize, sign: f64) -> [Man; MAX_PLAYERS] {
        let mut men = [Man::NONE; MAX_PLAYERS];
        for (index, man) in men.iter_mut().enumerate().take(self.counts[team]) {
            *man = self.man(team, index, sign);
        }
        men
    }

    pub(super) fn man(&self, team: usize, index: usize, sign: f64) -> Man {
        let player = &self.players[team][index];
        let ability = player.ability(self.difficulty[team]);
        Man {
            place: player.place * sign,
            velocity: player.velocity * sign,
            heading: player.facing * sign,
            role: player.role,
            max_speed: player.max_speed(),
            freshness: 1.0 - player.tired,
            time_to_ball: self.arrival[team][index],
            possession: player.possession,
            held: 0.0,
            passing: ability.short_pass,
            shooting: ability.shot,
            since_touch: f64::from(player.since_touch) * 0.01,
        }
    }

    pub(super) fn path(&self, sign: f64) -> [Spot; FORECAST] {
        std::array::from_fn(|frames| {
            let point = self.forecast.at(frames);
            Spot { place: point.place * sign, height: point.height }
        })
    }
}

/// A command of a team's own frame in the axes of the pitch.
pub(super) fn turned(command: Command, team: usize) -> Command {
    if team == 0 {
        return command;
    }
    Command {
        direction: -command.direction,
        facing: command.facing.map(|facing| -facing),
        kick: command.kick.map(|kick| KickRequest { target: turned_target(kick.target), ..kick }),
        ..command
    }
}

fn turned_target(target: KickTarget) -> KickTarget {
    let turned: fn(Vec2) -> Vec2 = |place| -place;
    match target {
        KickTarget::Aim(direction) => KickTarget::Aim(turned(direction)),
        KickTarget::Place(place) => KickTarget::Place(turned(place)),
        KickTarget::Player(mate) => KickTarget::Player(mate),
    }
}
