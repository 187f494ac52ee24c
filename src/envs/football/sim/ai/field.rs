//! A force field: places that attract or repel a player, each with a power that may fade with distance. The
//! mean of the pulls, weighted by their power, is the velocity that a player wants.

use crate::sim::vector::Vec2;

/// The speed that a pull of full power asks for, in metres per second.
const FULL_SPEED: f64 = 8.0;

/// How the power of a place changes with distance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fading {
    /// The same everywhere.
    None,
    /// Falls to zero at `reach` metres; `exponent` below 1 keeps it strong for longer.
    Within { reach: f64, exponent: f64 },
}

/// The sum of the places that have been added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    at: Vec2,
    /// Attraction weakens within this distance of its place, so that nobody overshoots it; metres.
    damping: f64,
    pull: Vec2,
    weight: f64,
}

impl Field {
    /// An empty field as a player at this place feels it.
    pub(super) const fn at(at: Vec2, damping: f64) -> Self {
        Self { at, damping, pull: Vec2::ZERO, weight: 0.0 }
    }

    /// Adds a place that attracts.
    pub(super) fn attract(&mut self, place: Vec2, power: f64, fading: Fading) {
        let distance = self.at.distance(place);
        let damped = (distance / self.damping).min(1.0);
        self.add((place - self.at).unit() * damped, power * strength(distance, fading));
    }

    /// Adds a place that repels.
    pub(super) fn repel(&mut self, place: Vec2, power: f64, fading: Fading) {
        let distance = self.at.distance(place);
        self.add((self.at - place).unit(), power * strength(distance, fading));
    }

    fn add(&mut self, direction: Vec2, force: f64) {
        self.pull += direction * force;
        self.weight += force;
    }

    /// The wanted velocity in metres per second.
    pub(super) fn velocity(&self) -> Vec2 {
        if self.weight > 0.0 { self.pull * (FULL_SPEED / self.weight) } else { Vec2::ZERO }
    }
}

fn strength(distance: f64, fading: Fading) -> f64 {
    match fading {
        Fading::None => 1.0,
        Fading::Within { reach, .. } if distance >= reach => 0.0,
        Fading::Within { reach, exponent } if (exponent - 1.0).abs() < 1e-9 => 1.0 - distance / reach,
        Fading::Within { reach, exponent } => libm::pow(1.0 - distance / reach, exponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_between_a_goal_and_an_opponent_runs_away_from_one_towards_the_other() {
        let mut field = Field::at(Vec2::ZERO, 1.0);
        field.attract(Vec2::new(50.0, 0.0), 0.7, Fading::None);
        field.repel(Vec2::new(0.0, 4.0), 2.0, Fading::Within { reach: 10.0, exponent: 1.0 });
        let velocity = field.velocity();
        assert!(velocity.x > 0.0 && velocity.y < 0.0 && velocity.length() <= FULL_SPEED);
    }

    #[test]
    fn what_is_out_of_reach_has_no_force() {
        let mut field = Field::at(Vec2::ZERO, 1.0);
        field.repel(Vec2::new(0.0, 10.0), 2.0, Fading::Within { reach: 10.0, exponent: 0.7 });
        assert_eq!(field.velocity(), Vec2::ZERO);
    }
}
