//! What each baseline chooses.

use mageyard_football::{EngineAction, Purpose, Random, SkipRules};

/// A policy that looks at nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Baseline {
    /// Does nothing; each decision takes one frame.
    Idle,
    /// Uniform over the actions 0 to 18 of the engine, one frame each.
    Random19,
    /// Uniform over the 16 actions of the agent, one frame each.
    Random16OneFrame,
    /// Uniform over the 16 actions of the agent, with skipping.
    Random16,
    /// Sprint once, then right, with skipping.
    Sprint,
    /// The engine's AI plays.
    Builtin,
}

/// Each with its name, its name in recordings, and how it skips.
const BASELINES: [(Baseline, &str, &str, SkipRules); 6] = [
    (Baseline::Idle, "idle", "idle", SkipRules::Off),
    (Baseline::Random19, "random19", "random19na", SkipRules::Off),
    (Baseline::Random16OneFrame, "random16-one-frame", "random16na", SkipRules::Off),
    (Baseline::Random16, "random16", "random16", SkipRules::Coded),
    (Baseline::Sprint, "sprint", "sprintright", SkipRules::Coded),
    (Baseline::Builtin, "builtin", "builtin", SkipRules::Off),
];

/// How many codes the smaller action set has.
const SMALL_SET: u8 = 19;

impl Baseline {
    /// The five of the tables, from the weakest to the strongest on the real engine.
    pub const TABLE: [Self; 5] = [Self::Idle, Self::Random19, Self::Random16, Self::Sprint, Self::Builtin];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// How its decisions skip frames.
    pub fn skipping(self) -> SkipRules {
        self.row().3
    }

    /// The baseline that a recording names so.
    pub fn recorded(name: &str) -> Option<Self> {
        BASELINES.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, SkipRules) {
        &BASELINES[self as usize]
    }

    /// The decision with this number, from 0.
    pub(super) fn choose(self, number: u32, random: &mut Random) -> EngineAction {
        let mut below = |count| random.below(Purpose::Policy, 0, count);
        match self {
            Self::Idle => EngineAction::Idle,
            Self::Random19 => EngineAction::from_code(below(SMALL_SET)).unwrap_or(EngineAction::Idle),
            Self::Random16OneFrame | Self::Random16 => EngineAction::AGENT[usize::from(below(16))],
            Self::Sprint if number == 0 => EngineAction::Sprint,
            Self::Sprint => EngineAction::Right,
            Self::Builtin => EngineAction::BuiltinAi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_variants() {
        for (index, (baseline, _, recorded, _)) in BASELINES.iter().enumerate() {
            assert_eq!((*baseline as usize, Baseline::recorded(recorded)), (index, Some(*baseline)));
        }
    }

    #[test]
    fn random_choices_cover_their_actions_evenly() {
        let mut random = Random::new(3);
        let mut counts = [0; 19];
        for number in 0..19_000 {
            counts[usize::from(Baseline::Random19.choose(number, &mut random).code())] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
