//! How many levels a second are made, group by group: what `levels generate` does on one core where nothing is
//! asked of the solutions.

use std::time::Duration;

use serde::Serialize;
use serde_json::Map;
use serde_json::Value;

use crate::cli::output::grouped;
use crate::envs::Fall;
use crate::envs::GROUPS;
use crate::envs::Generator;
use crate::envs::Group;
use crate::envs::Sieve;

/// Levels of a set, as many as the benchmark has of a group at most. Then another set begins, from the next seed: how
/// many rooms were made before must not hang on how long somebody measures.
const SET: usize = 5000;
/// No other room has this number: the one that only warms up.
const WARMING: u64 = u64::MAX;

/// Why a room may fall when nobody solves and nothing is left out.
const FALLS: [Fall; 3] = [Fall::Floor, Fall::Score, Fall::Twin];

/// The levels of one group.
#[derive(Serialize)]
pub(super) struct Making {
    r#type: &'static str,
    group: &'static str,
    /// Levels a second.
    value: f64,
    unit: &'static str,
    levels: u64,
    tried: u64,
    fallen: Map<String, Value>,
}

/// Makes levels of every group, each for `least`.
pub(super) fn all(clock: &dyn Fn() -> Duration, least: Duration) -> Vec<Making> {
    GROUPS.iter().map(|group| of(group, SET, clock, least)).collect()
}

fn of(group: &'static Group, set: usize, clock: &dyn Fn() -> Duration, least: Duration) -> Making {
    let (mut took, mut levels, mut tried, mut fallen) = (Duration::ZERO, 0, 0, [0; FALLS.len()]);
    for seed in 0.. {
        let (mut generator, mut sieve) = (Generator::new(group.shape, seed), Sieve::default());
        let _ = generator.room(WARMING);
        let (began, before) = (clock(), took);
        while sieve.kept() < set && (took < least || sieve.kept() == 0) {
            sieve.keep(generator.candidate(sieve.tried(), None));
            took = before + clock().saturating_sub(began);
        }
        (levels, tried) = (levels + sieve.kept() as u64, tried + sieve.tried());
        fallen.iter_mut().zip(FALLS).for_each(|(sum, fall)| *sum += sieve.fallen(fall));
        if took >= least {
            break;
        }
    }
    let many = f64::from(u32::try_from(levels).unwrap_or(u32::MAX));
    let value = many / took.as_secs_f64().max(f64::MIN_POSITIVE);
    let fallen =
        FALLS.iter().zip(fallen).map(|(fall, count)| (fall.name().to_owned(), count.into())).collect();
    Making { r#type: "generate", group: group.name, value, unit: "levels/s", levels, tried, fallen }
}

/// A row a group under a row of titles.
pub(super) fn rows(made: &[Making]) -> Vec<Vec<String>> {
    let titles = ["generate", "levels/s", "levels", "rooms tried", "little floor", "score 0", "twins"];
    let row = |one: &Making| {
        let fallen = one.fallen.values().filter_map(Value::as_u64);
        let counts = [one.levels, one.tried].into_iter().chain(fallen).map(|count| count.to_string());
        [one.group.to_owned(), grouped(one.value)].into_iter().chain(counts).collect()
    };
    std::iter::once(titles.map(str::to_owned).to_vec()).chain(made.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn levels_are_counted_by_time_and_every_room_with_its_reason() {
        let now = Cell::new(Duration::ZERO);
        let clock = || now.replace(now.get() + Duration::from_millis(10));
        // Three sets of fifty or so: small rooms come again within a set, and not as twins in the next.
        let made = of(&GROUPS[0], 50, &clock, Duration::from_millis(1200));
        assert!((100..=120).contains(&made.tried), "{}", made.tried);
        let fallen: u64 = made.fallen.values().filter_map(Value::as_u64).sum();
        assert_eq!(made.levels + fallen, made.tried);
        assert!((80.0..=100.0).contains(&made.value), "{}", made.value);
    }

    #[test]
    fn a_set_is_what_generate_makes_of_its_seed() {
        let clock = || Duration::ZERO;
        let mut sieve = Sieve::default();
        let mut generator = Generator::new(GROUPS[1].shape, 0);
        let _ = generator.room(WARMING);
        while sieve.kept() == 0 {
            sieve.keep(generator.candidate(sieve.tried(), None));
        }
        let made = of(&GROUPS[1], 50, &clock, Duration::ZERO);
        assert_eq!((made.levels, made.tried), (1, sieve.tried()), "at least one level, however late it is");
    }
}
