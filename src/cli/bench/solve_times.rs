//! Time to find shortest solutions, per group.

use std::time::Duration;

use serde::Serialize;

use mageyard_domain::{Level, Objective, SearchBudget, Solver};

/// The name of a group of levels without one.
const NO_GROUP: &str = "levels";

/// Solve times of one group over its solved levels, in milliseconds; `None` if none was solved.
#[derive(Serialize)]
pub(super) struct SolveTimes {
    group: String,
    levels: usize,
    /// Levels tried within the time limit.
    tried: usize,
    /// Levels with a proven shortest solution within the limits of the settings.
    solved: usize,
    median: Option<f64>,
    p90: Option<f64>,
    max: Option<f64>,
    unit: &'static str,
}

/// The levels of one group and their solve times.
#[derive(Default)]
struct LevelGroup<'a> {
    pub name: String,
    pub levels: Vec<&'a Level>,
    tried: usize,
    times: Vec<f64>,
}

/// Solves every level once, the first of each group first, and starts none after `most`.
pub(super) fn measure(
    solver: &dyn Solver,
    levels: &[Level],
    group: impl Fn(&Level) -> Option<String>,
    bounds: SearchBudget<'_>,
    clock: &dyn Fn() -> Duration,
    most: Duration,
) -> Vec<SolveTimes> {
    let mut heaps = level_groups(levels, group);
    let longest = heaps.iter().map(|heap| heap.levels.len()).max().unwrap_or(0);
    let opened = clock();
    for turn in 0..longest {
        for heap in &mut heaps {
            let Some(one) = heap.levels.get(turn) else { continue };
            let began = clock();
            if began.saturating_sub(opened) > most {
                continue;
            }
            heap.tried += 1;
            let answer = solver.solve(one, Objective::ACTIONS, bounds);
            if matches!(answer, Some(Ok(solution)) if solution.unproven.is_none()) {
                heap.times.push(clock().saturating_sub(began).as_secs_f64() * 1000.0);
            }
        }
    }
    let mut rows: Vec<SolveTimes> = heaps.iter().map(LevelGroup::times).collect();
    if heaps.len() > 1 {
        rows.push(LevelGroup::combined(&heaps).times());
    }
    rows
}

/// The levels by group, in order of first appearance.
fn level_groups(levels: &[Level], group: impl Fn(&Level) -> Option<String>) -> Vec<LevelGroup<'_>> {
    let mut heaps: Vec<LevelGroup<'_>> = Vec::new();
    for one in levels {
        let name = group(one).unwrap_or_else(|| NO_GROUP.to_owned());
        match heaps.iter_mut().find(|heap| heap.name == name) {
            Some(heap) => heap.levels.push(one),
            None => heaps.push(LevelGroup { name, levels: vec![one], ..LevelGroup::default() }),
        }
    }
    heaps
}

impl LevelGroup<'_> {
    fn combined(heaps: &[Self]) -> Self {
        Self {
            name: "all".to_owned(),
            levels: heaps.iter().flat_map(|heap| heap.levels.iter().copied()).collect(),
            tried: heaps.iter().map(|heap| heap.tried).sum(),
            times: heaps.iter().flat_map(|heap| heap.times.iter().copied()).collect(),
        }
    }

    fn times(&self) -> SolveTimes {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        // The percentile by nearest rank.
        let rank = |percent: usize| times.get((times.len() * percent).div_ceil(100).max(1) - 1).copied();
        SolveTimes {
            group: self.name.clone(),
            levels: self.levels.len(),
            tried: self.tried,
            solved: times.len(),
            median: rank(50),
            p90: rank(90),
            max: rank(100),
            unit: "ms",
        }
    }
}

/// One table row per group, after the titles.
pub(super) fn rows(solved: &[SolveTimes]) -> Vec<Vec<String>> {
    let titles = ["solve, ms", "median", "p90", "max", "solved", "levels tried"];
    let time = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |time| format!("{time:.3}"));
    let row = |one: &SolveTimes| {
        let tried = if one.tried < one.levels {
            format!("{} of {}", one.tried, one.levels)
        } else {
            one.tried.to_string()
        };
        let times = [one.median, one.p90, one.max].map(time);
        [one.group.clone()].into_iter().chain(times).chain([one.solved.to_string(), tried]).collect()
    };
    std::iter::once(titles.map(str::to_owned).to_vec()).chain(solved.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use mageyard_domain::EnvironmentSpec;

    const FILE: &str = "######\n#@$ .#\n######\n\n######\n#@ $.#\n######\n\n#####\n# @ #\n# $.#\n#####\n\n\
                        #####\n#$ @#\n#  .#\n#####\n";

    fn measured_rows(tick: u64, most: u64) -> Vec<[String; 3]> {
        let has_generator = |spec: &&&dyn EnvironmentSpec| spec.capabilities().tools.generator.is_some();
        let spec = mageyard_envs::environments().iter().find(has_generator).unwrap();
        let solver = spec.capabilities().tools.solver.unwrap();
        let generator = spec.capabilities().tools.generator.unwrap();
        let levels = spec.parse_levels(FILE).unwrap();
        let now = Cell::new(Duration::ZERO);
        let clock = || now.replace(now.get() + Duration::from_millis(tick));
        let stop = AtomicBool::new(false);
        let bounds = SearchBudget::with_states(1000, &stop);
        let most = Duration::from_millis(most);
        let rows = measure(solver, &levels, |level| generator.kind_of(level), bounds, &clock, most);
        let row = |one: &SolveTimes| {
            let median = one.median.map_or_else(|| "none".to_owned(), |median| format!("{median}"));
            [one.group.clone(), format!("{}/{}/{}", one.solved, one.tried, one.levels), median]
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn each_level_is_solved_once_and_counted_in_its_group() {
        let rows = measured_rows(1, 1000);
        assert_eq!(
            rows,
            [["3x6-1", "2/2/2", "1"], ["4x5-1", "1/2/2", "1"], ["all", "3/4/4", "1"]]
                .map(|row| row.map(str::to_owned))
        );
    }

    #[test]
    fn the_first_levels_of_each_group_are_tried_before_time_runs_out() {
        let rows = measured_rows(10, 35);
        assert_eq!(rows.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["1/1/2", "1/1/2", "2/2/4"]);
        assert_eq!(measured_rows(10, 0)[2], ["all", "0/0/4", "none"].map(str::to_owned));
    }
}
