//! Levels generated per second in each group: `levels generate` on one core without limits on the solutions.

use std::time::Duration;

use serde::Serialize;
use serde_json::Map;
use serde_json::Value;

use crate::cli::output::with_thousands;
use crate::envs::GROUPS;
use crate::envs::Generator;
use crate::envs::Group;
use crate::envs::LevelFilter;
use crate::envs::Rejection;

/// Levels per seed. Then generation restarts with the next seed, because duplicates are rejected within a set: a longer
/// measurement must not see more duplicates.
const LEVELS_PER_SEED: usize = 5000;
/// The number of the warm-up room; no other room has it.
const WARM_UP_ROOM: u64 = u64::MAX;

/// Reasons to reject a room without solving it.
const REJECTIONS: [Rejection; 3] = [Rejection::TooLittleFloor, Rejection::ZeroScore, Rejection::Duplicate];

/// The generation rate of one group.
#[derive(Serialize)]
pub(super) struct GenerationRate {
    group: &'static str,
    /// Levels per second.
    value: f64,
    unit: &'static str,
    levels: u64,
    tried: u64,
    fallen: Map<String, Value>,
}

/// Generates levels of every group, each for at least `least`.
pub(super) fn measure(clock: &dyn Fn() -> Duration, least: Duration) -> Vec<GenerationRate> {
    GROUPS.iter().map(|group| measure_group(group, LEVELS_PER_SEED, clock, least)).collect()
}

fn measure_group(
    group: &'static Group,
    set: usize,
    clock: &dyn Fn() -> Duration,
    least: Duration,
) -> GenerationRate {
    let (mut took, mut levels, mut tried, mut fallen) = (Duration::ZERO, 0, 0, [0; REJECTIONS.len()]);
    for seed in 0.. {
        let (mut generator, mut filter) = (Generator::new(group.shape, seed), LevelFilter::default());
        let _ = generator.room(WARM_UP_ROOM);
        let (began, before) = (clock(), took);
        while filter.accepted() < set && (took < least || filter.accepted() == 0) {
            filter.accept(generator.candidate(filter.tried(), None));
            took = before + clock().saturating_sub(began);
        }
        (levels, tried) = (levels + filter.accepted() as u64, tried + filter.tried());
        fallen.iter_mut().zip(REJECTIONS).for_each(|(sum, fall)| *sum += filter.rejected(fall));
        if took >= least {
            break;
        }
    }
    let many = f64::from(u32::try_from(levels).unwrap_or(u32::MAX));
    let value = many / took.as_secs_f64().max(f64::MIN_POSITIVE);
    let fallen =
        REJECTIONS.iter().zip(fallen).map(|(fall, count)| (fall.name().to_owned(), count.into())).collect();
    GenerationRate { group: group.name, value, unit: "levels/s", levels, tried, fallen }
}

/// One table row per group, after the titles.
pub(super) fn rows(made: &[GenerationRate]) -> Vec<Vec<String>> {
    let titles = ["generate", "levels/s", "levels", "rooms tried", "little floor", "score 0", "duplicates"];
    let row = |one: &GenerationRate| {
        let fallen = one.fallen.values().filter_map(Value::as_u64);
        let counts = [one.levels, one.tried].into_iter().chain(fallen).map(|count| count.to_string());
        [one.group.to_owned(), with_thousands(one.value)].into_iter().chain(counts).collect()
    };
    std::iter::once(titles.map(str::to_owned).to_vec()).chain(made.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn levels_per_second_and_rejection_reasons_are_counted() {
        let now = Cell::new(Duration::ZERO);
        let clock = || now.replace(now.get() + Duration::from_millis(10));
        // About three sets of fifty: a small room can repeat within a set and is not a duplicate in the next.
        let made = measure_group(&GROUPS[0], 50, &clock, Duration::from_millis(1200));
        assert!((100..=120).contains(&made.tried), "{}", made.tried);
        let fallen: u64 = made.fallen.values().filter_map(Value::as_u64).sum();
        assert_eq!(made.levels + fallen, made.tried);
        assert!((80.0..=100.0).contains(&made.value), "{}", made.value);
    }

    #[test]
    fn levels_are_those_that_generate_makes_from_the_same_seed() {
        let clock = || Duration::ZERO;
        let mut filter = LevelFilter::default();
        let mut generator = Generator::new(GROUPS[1].shape, 0);
        let _ = generator.room(WARM_UP_ROOM);
        while filter.accepted() == 0 {
            filter.accept(generator.candidate(filter.tried(), None));
        }
        let made = measure_group(&GROUPS[1], 50, &clock, Duration::ZERO);
        assert_eq!(
            (made.levels, made.tried),
            (1, filter.tried()),
            "at least one level, even after the time limit"
        );
    }
}
