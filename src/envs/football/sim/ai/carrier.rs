//! On the ball: pass to the mate whose situation is better and whom a pass reaches, clear when pressed near the
//! own goal, shoot near the other, else dribble.

use super::judgement::situation;
use super::memory::{AiMemory, Sight};
use super::moment::{Man, Moment};
use super::numbers::share;
use super::roles::mindset;
use super::{dribble, odds};
use crate::PlayerRole;
use crate::random::{Purpose, Random};
use crate::sim::command::{Command, Kick, KickRequest, KickTarget};
use crate::sim::pitch::HALF_LENGTH;
use crate::sim::vector::Vec2;

const OWN_GOAL: Vec2 = Vec2::new(-HALF_LENGTH, 0.0);
const GOAL: Vec2 = Vec2::new(HALF_LENGTH, 0.0);
/// Where shots are best, and how far from it they are tried.
const BEST_SHOT: Vec2 = Vec2::new(HALF_LENGTH - 7.0, 0.0);
const SHOT_RANGE: f64 = 12.7;
/// Shots aim just behind the goal line, at the middle or inside a post.
const SHOT_TARGETS: [f64; 3] = [-3.55, 0.0, 3.55];
/// The errors of a shot at a post are met by aiming this much inside it.
const INSIDE: f64 = 0.72;
/// A shot is this many times faster than a pass.
const SHOT_SPEED: f64 = 3.0;

/// A carrier and what he sees.
pub(super) struct Carrier<'a> {
    pub(super) moment: &'a Moment,
    pub(super) sight: &'a Sight,
    pub(super) mate: usize,
    /// The role of the slot that he fills.
    pub(super) role: PlayerRole,
    /// Stream of his random draws.
    pub(super) stream: usize,
}

/// A pass that a carrier thinks of.
struct Pass {
    to: u8,
    kind: Kick,
    odds: f64,
}

impl<'a> Carrier<'a> {
    pub(super) fn of(
        moment: &'a Moment,
        memory: &AiMemory,
        sight: &'a Sight,
        mate: usize,
        stream: usize,
    ) -> Self {
        Self { moment, sight, mate, role: memory.role(moment, mate), stream }
    }

    fn man(&self) -> &Man {
        &self.moment.mates[self.mate]
    }

    /// What he does now.
    pub(super) fn command(&self, random: &mut Random) -> Command {
        let (direction, speed) = dribble::movement(self.moment, self.sight, self.mate, mindset(self.role));
        Command { direction, speed, kick: self.kick(random), agile: true, ..Command::IDLE }
    }

    /// The kick that he wants, if any: clearing first, then a pass, then a shot.
    pub(super) fn kick(&self, random: &mut Random) -> Option<KickRequest> {
        let pass = self.best_pass();
        if self.panics(pass.as_ref()) {
            return Some(self.clearance());
        }
        if let Some(pass) = pass {
            return Some(KickRequest { kind: pass.kind, target: KickTarget::Player(pass.to), power: 0.5 });
        }
        self.shot(random)
    }

    fn best_pass(&self) -> Option<Pass> {
        let man = self.man();
        let mind = mindset(self.role);
        let own = situation(self.moment, self.sight, man, mind);
        let patience = share(man.held, 0.0, 5.0);
        let patience = patience * patience;
        let weight = 1.0 + 10.0 * mind * mind;
        let hard = self.difficulty_of_one_touch();
        let mut best = (0.1 - 0.05 * patience, None);
        for (index, mate) in self.moment.mates().iter().enumerate().filter(|(index, _)| *index != self.mate) {
            let keeper = if mate.role == PlayerRole::Gk { 0.7 } else { 1.0 };
            let gain = situation(self.moment, self.sight, mate, mind) * keeper - own;
            if gain <= 0.06 * (1.0 - mind) {
                continue;
            }
            let (kind, odds) = self.best_kind(mate);
            let rating = (gain * weight + odds - hard) / (weight + 1.0);
            if rating > best.0 && odds > 0.2 * (1.0 - mind) - 0.1 * patience {
                best = (rating, u8::try_from(index).ok().map(|to| Pass { to, kind, odds }));
            }
        }
        best.1
    }

    /// A ball that comes fast is hard to pass on at once.
    fn difficulty_of_one_touch(&self) -> f64 {
        let man = self.man();
        let apart = share(self.moment.ball_velocity.distance(man.velocity), 0.0, 10.0);
        apart * (1.0 - 0.8 * man.passing)
    }

    fn best_kind(&self, mate: &Man) -> (Kick, f64) {
        let odds = |kind| odds::pass(self.moment, self.sight, self.man(), mate, kind);
        let short = odds(Kick::Short);
        let long = odds(Kick::Long);
        let high = odds(Kick::High);
        if short >= long && short >= high {
            (Kick::Short, short)
        } else if long >= high {
            (Kick::Long, long)
        } else {
            (Kick::High, high)
        }
    }

    /// How much sooner than the opponents he is at the ball, 1 for equal.
    fn advantage(&self) -> f64 {
        (self.moment.times[1] + 0.2) / (self.man().time_to_ball + 0.2)
    }

    /// Backs near their goal and keepers clear when they are pressed.
    fn panics(&self, pass: Option<&Pass>) -> bool {
        if mindset(self.role) >= 0.25 {
            return false;
        }
        if self.man().role == PlayerRole::Gk {
            return self.advantage() < 3.0;
        }
        let danger = 1.0 - share(self.man().place.distance(OWN_GOAL), 2.0, 16.0);
        pass.is_none_or(|pass| pass.odds < danger) && self.advantage() < 0.9 + danger * 0.8
    }

    /// High and far, forward and to the side he faces.
    fn clearance(&self) -> KickRequest {
        let heading = self.man().heading;
        let hand = self.moment.hand;
        let side = if heading.y * hand > 0.0 { 0.5 } else { -0.5 } * hand;
        let away = Vec2::new(heading.x * 0.8, heading.y).unit() + Vec2::new(0.7, side);
        KickRequest { kind: Kick::Clear, target: KickTarget::Aim(away.unit()), power: 0.7 }
    }

    fn shot(&self, random: &mut Random) -> Option<KickRequest> {
        let man = self.man();
        if man.place.distance(BEST_SHOT) > SHOT_RANGE {
            return None;
        }
        let (odds, y) = self.best_target();
        if odds.sqrt() + random.range(Purpose::Decision, self.stream, 0.0, 0.5) <= 0.5 {
            return None;
        }
        let off = random.range(Purpose::Decision, self.stream, man.shooting - 1.0, 1.0 - man.shooting);
        let off = off * self.moment.hand;
        let power = 0.6 + 0.4 * share(man.place.distance(GOAL), 0.0, 32.0);
        Some(KickRequest {
            kind: Kick::Shot,
            target: KickTarget::Place(Vec2::new(HALF_LENGTH + 1.0, y * INSIDE + off)),
            power: power * random.range(Purpose::Decision, self.stream, 0.7, 1.0),
        })
    }

    /// The freest lane to the goal: its odds and where it crosses the line.
    fn best_target(&self) -> (f64, f64) {
        SHOT_TARGETS.map(|y| y * self.moment.hand).map(|y| (self.lane(y), y)).into_iter().fold(
            (-1.0, 0.0),
            |best, next| {
                if next.0 > best.0 || next.0 >= best.0 && next.1 == 0.0 { next } else { best }
            },
        )
    }

    fn lane(&self, y: f64) -> f64 {
        let target = Vec2::new(HALF_LENGTH + 1.0, y);
        odds::line(self.moment, self.sight, self.man(), target, Kick::Shot, SHOT_SPEED)
    }
}
