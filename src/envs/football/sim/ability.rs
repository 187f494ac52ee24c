//! What players can do: eleven profiles by slot (the order in the scene), the same for both teams, as the engine
//! has them. All but the speed are scaled by the team's difficulty and by freshness.

use crate::MAX_PLAYERS;

/// A profile; each value between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ability {
    pub(crate) velocity: f64,
    pub(crate) acceleration: f64,
    pub(crate) agility: f64,
    pub(crate) balance: f64,
    pub(crate) reaction: f64,
    pub(crate) shot_power: f64,
    pub(crate) control: f64,
    pub(crate) dribble: f64,
    pub(crate) short_pass: f64,
    pub(crate) high_pass: f64,
    pub(crate) shot: f64,
    pub(crate) tackle: f64,
}

const COLUMNS: usize = 12;

/// Rows by slot; columns in the order of the fields of [`Ability`].
const TABLE: [[f64; COLUMNS]; MAX_PLAYERS] = [
    [0.65, 0.80, 0.94, 0.94, 1.00, 0.94, 0.51, 0.36, 0.94, 1.00, 0.51, 0.36],
    [0.79, 0.79, 0.79, 0.83, 0.79, 0.83, 0.74, 0.69, 0.83, 0.79, 0.64, 0.79],
    [0.69, 0.69, 0.69, 1.00, 0.92, 0.84, 0.69, 0.47, 0.84, 0.84, 0.47, 1.00],
    [0.73, 0.73, 0.65, 1.00, 1.00, 0.96, 0.58, 0.35, 0.65, 0.65, 0.35, 1.00],
    [0.73, 0.73, 0.68, 0.77, 0.73, 0.73, 0.73, 0.59, 0.86, 0.82, 0.50, 0.82],
    [0.93, 0.93, 1.00, 0.61, 0.77, 1.00, 0.93, 1.00, 0.93, 0.77, 1.00, 0.30],
    [0.72, 0.72, 0.72, 1.00, 0.87, 0.87, 0.72, 0.56, 1.00, 1.00, 0.56, 1.00],
    [0.80, 0.80, 0.87, 0.80, 0.80, 0.95, 0.80, 0.80, 0.95, 0.87, 0.80, 0.65],
    [0.99, 0.99, 1.00, 0.60, 0.76, 1.00, 0.83, 1.00, 0.91, 0.83, 1.00, 0.29],
    [1.00, 1.00, 1.00, 0.64, 0.80, 1.00, 0.88, 1.00, 0.97, 0.88, 1.00, 0.30],
    [1.00, 1.00, 1.00, 0.66, 0.83, 1.00, 0.92, 1.00, 1.00, 0.92, 1.00, 0.31],
];

impl Ability {
    /// The full profile of a slot; slots beyond the table have the last one.
    pub(crate) fn of_slot(slot: usize) -> Self {
        let row = &TABLE[slot.min(MAX_PLAYERS - 1)];
        Self {
            velocity: row[0],
            acceleration: row[1],
            agility: row[2],
            balance: row[3],
            reaction: row[4],
            shot_power: row[5],
            control: row[6],
            dribble: row[7],
            short_pass: row[8],
            high_pass: row[9],
            shot: row[10],
            tackle: row[11],
        }
    }

    /// The running speed in metres per second, before tiredness.
    pub(crate) fn max_speed(&self) -> f64 {
        8.0 * (0.9 + 0.1 * self.velocity)
    }

    /// The profile of a team with this difficulty (0 to 1) and of a player this tired (0 to 1). The running speed
    /// does not depend on either.
    pub(crate) fn scaled(&self, difficulty: f64, tired: f64) -> Self {
        let factor = (0.3 + 0.7 * difficulty) * (0.7 + 0.3 * (1.0 - tired));
        Self {
            velocity: self.velocity,
            acceleration: self.acceleration * factor,
            agility: self.agility * factor,
            balance: self.balance * factor,
            reaction: self.reaction * factor,
            shot_power: self.shot_power * factor,
            control: self.control * factor,
            dribble: self.dribble * factor,
            short_pass: self.short_pass * factor,
            high_pass: self.high_pass * factor,
            shot: self.shot * factor,
            tackle: self.tackle * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_slot_runs_eight_metres_a_second() {
        assert!((Ability::of_slot(10).max_speed() - 8.0).abs() < 1e-12);
        assert!((Ability::of_slot(0).max_speed() - 7.72).abs() < 1e-9);
    }

    #[test]
    fn the_weakest_team_has_three_tenths_of_the_technique() {
        let weak = Ability::of_slot(9).scaled(0.0, 0.0);
        assert!((weak.shot - 0.3).abs() < 1e-12 && (weak.velocity - 1.0).abs() < 1e-12);
    }
}
