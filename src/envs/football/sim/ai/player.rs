//! One player's decision: on the ball, to the ball, or to his place in attack and defence.

use super::carrier::Carrier;
use super::formation::Formation;
use super::memory::{AiMemory, Sight};
use super::moment::{Man, Moment, Who};
use super::numbers::{bend, between, share};
use super::{chase, effort, hunting, keeping, marking, releasing, roles, support};
use crate::PlayerRole;
use crate::random::Random;
use crate::sim::command::Command;
use crate::sim::vector::Vec2;

/// A leader this near to the ball plays it.
const NEAR: f64 = 1.0;

/// What all players of a team know.
pub(super) struct Mind<'a> {
    pub(super) moment: &'a Moment,
    pub(super) memory: &'a AiMemory,
    pub(super) sight: Sight,
    /// The present without delay, for the man who touched the ball last.
    pub(super) clear: Sight,
    pub(super) formation: Formation,
    pub(super) last_line: f64,
    /// First random stream of the team.
    pub(super) streams: usize,
}

impl Mind<'_> {
    pub(super) fn man(&self, mate: usize) -> &Man {
        &self.moment.mates[mate]
    }

    pub(super) fn stream(&self, mate: usize) -> usize {
        self.streams + mate
    }

    fn holds(&self, mate: usize) -> bool {
        self.moment.holder == Who::Mate(mate)
    }

    /// What this player sees: the last to touch the ball sees without delay.
    pub(super) fn sight_of(&self, mate: usize) -> &Sight {
        let last = self.moment.touched_last
            && self.moment.mates().iter().all(|man| man.since_touch >= self.man(mate).since_touch);
        if last { &self.clear } else { &self.sight }
    }

    /// The decision of a player.
    pub(super) fn command(&self, mate: usize, random: &mut Random) -> Command {
        if self.moment.hands == Some(Who::Mate(mate)) {
            releasing::command(self.moment, mate, self.stream(mate), random)
        } else if mate == 0 {
            self.keep(random)
        } else {
            self.decide(mate, random)
        }
    }

    /// The keeper: at his post, or at a ball that is his and not on its way to the goal.
    fn keep(&self, random: &mut Random) -> Command {
        let sight = self.sight_of(0);
        let man = self.man(0);
        if self.holds(0) && keeping::shot_crossing(self.moment, sight, man).is_none() {
            return self.play(0, random);
        }
        let post = keeping::post(self.moment, sight, 0, self.mood(0));
        let way = post.place - man.place;
        Command {
            direction: way.unit_or(man.heading),
            speed: (way.length() * effort::PER_METRE).min(post.speed),
            facing: Some((sight.path[0].place - man.place).unit_or(man.heading)),
            ..Command::IDLE
        }
    }

    fn decide(&self, mate: usize, random: &mut Random) -> Command {
        if self.holds(mate) {
            return self.play(mate, random);
        }
        if hunting::hunts(self.moment, self.memory, self.sight_of(mate), mate) {
            return self.run_to_ball(mate);
        }
        let place = self.wanted_place(mate);
        self.duel(mate, self.run_to(mate, place))
    }

    /// The ball is his: play it, or get it first.
    pub(super) fn play(&self, mate: usize, random: &mut Random) -> Command {
        let man = self.man(mate);
        let plays =
            !self.moment.has_agent || self.moment.released == Some(mate) || man.role == PlayerRole::Gk;
        let mut command = if plays && man.time_to_ball < NEAR {
            self.carrier(mate).command(random)
        } else {
            Command { direction: man.heading, ..Command::IDLE }
        };
        if !man.possession {
            let chase = chase::to_ball(man, &self.sight_of(mate).path);
            command.with_ball = Some(command.direction * command.speed);
            (command.direction, command.speed) = (chase.direction, chase.speed);
        }
        command
    }

    pub(super) fn carrier(&self, mate: usize) -> Carrier<'_> {
        Carrier::of(self.moment, self.memory, self.sight_of(mate), mate, self.stream(mate))
    }

    fn run_to_ball(&self, mate: usize) -> Command {
        let chase = chase::to_ball(self.man(mate), &self.sight_of(mate).path);
        let command = Command {
            direction: chase.direction,
            speed: chase.speed,
            with_ball: Some(self.man(mate).heading * 0.01),
            ..Command::IDLE
        };
        self.duel(mate, command)
    }

    /// Tackles unless the opponent's body is between him and the ball; slides where the ball is on his side.
    fn duel(&self, mate: usize, mut command: Command) -> Command {
        let open = self.open(mate);
        command.tackle = !self.moment.first_at_ball() && open >= 0.2;
        if command.tackle && self.slides(mate, open) {
            let ball = self.moment.ball_at(0.2).place;
            let lead = self.moment.rivals[self.moment.rival_leader].velocity * 0.2;
            command.slide = true;
            command.direction = (ball + lead - self.man(mate).ahead(0.2)).unit_or(command.direction);
        }
        command
    }

    /// 1 if the ball lies on his side of the opponent, 0 if the opponent stands between.
    fn open(&self, mate: usize) -> f64 {
        let rival = self.moment.rivals[self.moment.rival_leader].ahead(0.1);
        let to_rival = (rival - self.man(mate).ahead(0.1)).unit();
        let to_ball = (self.sight_of(mate).path[1].place - rival).unit();
        0.5 - 0.5 * to_rival.dot(to_ball)
    }

    fn slides(&self, mate: usize, open: f64) -> bool {
        let man = self.man(mate);
        let rival = &self.moment.rivals[self.moment.rival_leader];
        let way = self.moment.ball_at(0.2).place.distance(man.ahead(0.2));
        !self.moment.has_agent
            && open >= 0.7
            && (self.moment.times[1] + 0.2) / (man.time_to_ball + 0.2) < 0.6
            && self.moment.rivals_have_it()
            && (0.7..1.6).contains(&way)
            && rival.time_to_ball > 0.26
    }

    fn run_to(&self, mate: usize, place: Vec2) -> Command {
        let man = self.man(mate);
        let way = place - man.place;
        let wanted = effort::speed(self.moment, self.memory, mate, self.mood(mate), way.length());
        let ball = self.sight.path[0].place;
        Command {
            direction: way.unit_or(man.heading),
            speed: effort::gait(wanted),
            facing: Some((ball - man.place).unit_or(man.heading)),
            ..Command::IDLE
        }
    }

    /// The team's mood as he feels it: the leader near the ball knows at once whose it is.
    fn mood(&self, mate: usize) -> f64 {
        if mate != self.moment.leader {
            return self.memory.mood;
        }
        let [ours, theirs] = self.moment.times;
        let far = share(self.moment.ball_at(0.3).place.distance(self.man(mate).place), 2.0, 14.0);
        between((theirs + 1.5) / (ours + 1.5), self.memory.mood, far * far)
    }

    /// Where he belongs: his slot, drawn to support in attack and to his mark in defence.
    fn wanted_place(&self, mate: usize) -> Vec2 {
        let man = self.man(mate);
        let mood = self.mood(mate);
        let weights = roles::line(man.role).weights();
        let role = self.memory.role(self.moment, mate);
        let mut place = self.slot(mate, role, weights.own_slot);
        let attack = share(mood - 0.5, weights.support[0], weights.support[1]);
        if attack > 0.0 {
            let task = support::Task {
                mate,
                role,
                slot: place,
                runs: attack > weights.run && self.runs(mate),
                supports: self.memory.supporter.is_some_and(|supporter| usize::from(supporter) == mate),
            };
            let supporting = support::place(self.moment, self.sight_of(mate), self.memory.mood, &task);
            place = place.mix(supporting, attack);
        }
        place = self.covering(mate, place, weights.marking - roles::mindset(role) - mood);
        if weights.level { marking::level(place, self.last_line) } else { place }
    }

    /// The slot that he fills; far from the ball rather his own.
    fn slot(&self, mate: usize, role: PlayerRole, own: f64) -> Vec2 {
        let man = self.man(mate);
        let slot = usize::from(self.memory.slot_of[mate]);
        let filled = self.formation.place(&self.memory.slots, slot, role, man.place);
        let action = share(man.place.distance(self.moment.holder().place), 15.0, 20.0);
        let weight = bend(own * action, 1.0);
        if slot == mate || weight <= 0.0 {
            return filled;
        }
        filled.mix(self.formation.place(&self.memory.slots, mate, man.role, man.place), weight)
    }

    fn runs(&self, mate: usize) -> bool {
        self.memory.run.is_some_and(|(runner, until)| usize::from(runner) == mate && until > self.moment.tick)
    }

    fn covering(&self, mate: usize, place: Vec2, weight: f64) -> Vec2 {
        match self.memory.marks[mate] {
            Some(rival) if weight > 0.0 => marking::cover(
                self.moment,
                &self.sight,
                mate,
                usize::from(rival),
                place,
                libm::pow(weight.min(1.0), 0.7),
                self.last_line,
            ),
            _ => place,
        }
    }
}
