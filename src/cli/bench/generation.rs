//! Levels generated per second of each kind: `levels generate` on one core without limits on the solutions.

use std::collections::HashSet;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::with_thousands;
use mageyard_domain::{LevelGenerator, LevelKind, Rejection};
use mageyard_lab::LevelFilter;

/// Levels per seed. Then generation restarts with the next seed, because duplicates are rejected within a set: a longer
/// measurement must not see more duplicates.
const LEVELS_PER_SEED: usize = 5000;
/// The number of the warm-up candidate; no other has it.
const WARM_UP: u64 = u64::MAX;

/// The generation rate of one kind.
#[derive(Serialize)]
pub(super) struct GenerationRate {
    group: String,
    /// Levels per second.
    value: f64,
    unit: &'static str,
    levels: u64,
    tried: u64,
    fallen: Map<String, Value>,
}

/// Generates levels of every kind, each for at least `least`.
pub(super) fn measure(
    generator: &dyn LevelGenerator,
    clock: &dyn Fn() -> Duration,
    least: Duration,
) -> Vec<GenerationRate> {
    let rejections = rejections(generator);
    generator
        .kinds()
        .iter()
        .map(|kind| measure_kind(kind, &rejections, LEVELS_PER_SEED, clock, least))
        .collect()
}

/// Why candidates are rejected without solving them.
fn rejections(generator: &dyn LevelGenerator) -> Vec<Rejection> {
    generator.rejections().iter().copied().chain([Rejection::DUPLICATE]).collect()
}

fn measure_kind(
    kind: &LevelKind,
    rejections: &[Rejection],
    set: usize,
    clock: &dyn Fn() -> Duration,
    least: Duration,
) -> GenerationRate {
    let mut took = Duration::ZERO;
    let mut levels = 0;
    let mut tried = 0;
    let mut fallen = vec![0; rejections.len()];
    for seed in 0.. {
        let mut worker = kind.source.worker(seed);
        let mut filter = LevelFilter::new(rejections, (None, None), HashSet::new());
        let _ = worker.candidate(WARM_UP, None);
        let began = clock();
        let before = took;
        while filter.accepted() < set && (took < least || filter.accepted() == 0) {
            filter.accept(worker.candidate(filter.tried(), None));
            took = before + clock().saturating_sub(began);
        }
        (levels, tried) = (levels + filter.accepted() as u64, tried + filter.tried());
        let counts = filter.rejected().iter().map(|(_, count)| count);
        for (sum, count) in fallen.iter_mut().zip(counts) {
            *sum += count;
        }
        if took >= least {
            break;
        }
    }
    let many = f64::from(u32::try_from(levels).unwrap_or(u32::MAX));
    let value = many / took.as_secs_f64().max(f64::MIN_POSITIVE);
    let fallen = rejections
        .iter()
        .zip(fallen)
        .map(|(rejection, count)| (rejection.name.to_owned(), count.into()))
        .collect();
    GenerationRate { group: kind.name.clone(), value, unit: "levels/s", levels, tried, fallen }
}

/// One table row per kind, after the titles.
pub(super) fn rows(generator: &dyn LevelGenerator, made: &[GenerationRate]) -> Vec<Vec<String>> {
    let [_, nouns] = generator.candidate_noun();
    let titles =
        ["generate", "levels/s", "levels"].map(str::to_owned).into_iter().chain([format!("{nouns} tried")]);
    let titles =
        titles.chain(rejections(generator).iter().map(|rejection| rejection.title.to_owned())).collect();
    let row = |one: &GenerationRate| {
        let fallen = one.fallen.values().filter_map(Value::as_u64);
        let counts = [one.levels, one.tried].into_iter().chain(fallen).map(|count| count.to_string());
        [one.group.clone(), with_thousands(one.value)].into_iter().chain(counts).collect()
    };
    std::iter::once(titles).chain(made.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn generator() -> &'static dyn LevelGenerator {
        mageyard_envs::environments().iter().find_map(|spec| spec.capabilities().tools.generator).unwrap()
    }

    #[test]
    fn levels_per_second_and_rejection_reasons_are_counted() {
        let now = Cell::new(Duration::ZERO);
        let clock = || now.replace(now.get() + Duration::from_millis(10));
        let kinds = generator().kinds();
        let rejections = rejections(generator());
        // About three sets of fifty: a small level can repeat within a set and is not a duplicate in the next.
        let made = measure_kind(&kinds[0], &rejections, 50, &clock, Duration::from_millis(1200));
        assert!((100..=120).contains(&made.tried), "{}", made.tried);
        let fallen: u64 = made.fallen.values().filter_map(Value::as_u64).sum();
        assert_eq!(made.levels + fallen, made.tried);
        assert!((80.0..=100.0).contains(&made.value), "{}", made.value);
    }

    #[test]
    fn levels_are_those_that_generate_makes_from_the_same_seed() {
        let clock = || Duration::ZERO;
        let kinds = generator().kinds();
        let rejections = rejections(generator());
        let mut filter = LevelFilter::new(&rejections, (None, None), HashSet::new());
        let mut worker = kinds[1].source.worker(0);
        let _ = worker.candidate(WARM_UP, None);
        while filter.accepted() == 0 {
            filter.accept(worker.candidate(filter.tried(), None));
        }
        let made = measure_kind(&kinds[1], &rejections, 50, &clock, Duration::ZERO);
        assert_eq!(
            (made.levels, made.tried),
            (1, filter.tried()),
            "at least one level, even after the time limit"
        );
    }
}
