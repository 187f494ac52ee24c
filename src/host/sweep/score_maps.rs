//! The maps of a sweep for its dashboard: like those of a report, but also of cells that have not been played, and with the
//! cells at each place.

use super::initial_view::short_name;
use mageyard_lab::config_for;
use std::collections::{BTreeMap, BTreeSet};

use mageyard_domain::{EnvironmentSpec, Window, table_label};
use mageyard_lab::Lab;
use mageyard_report::document::{MapScore, SHADES};
use mageyard_report::tables::{ReportTables, map_score, score_range};
use mageyard_report::{Best, Condition, Difference, GroupStats, GrowingReport};
use mageyard_screen::{CellDifference, MapSquare, PlaceContent, PlaceScore, ScoreMap, SweepScores};
use mageyard_statistics::{Interval, probability};
use mageyard_sweep::{PlannedCell, StruckCell, SweepPlan};

/// The coordinates of a cell that do not tell one map from another: the axes of the map, and what is no condition.
const NOT_NAMED: [&str; 4] = ["memory.am", "memory.om", "seed", "model.base_url"];

/// AM and OM.
type Place = (u16, u16);

/// The maps of a plan, without scores.
pub(crate) struct SweepMaps {
    sets: Vec<WindowSet>,
}

/// The cells that differ only in AM and OM.
#[derive(Default)]
struct WindowSet {
    /// The other coordinates of all its cells.
    shared: Vec<(String, String)>,
    /// The indexes and names of the cells.
    cells: BTreeMap<Place, Vec<(usize, String)>>,
    /// Why windows are struck out.
    struck: BTreeMap<Place, String>,
}

impl SweepMaps {
    /// The maps of this plan: one for each set of cells that has at least two windows.
    pub(crate) fn of(plan: &SweepPlan, lab: &Lab) -> Self {
        let mut sets: Vec<WindowSet> = Vec::new();
        for (index, cell) in plan.cells.iter().enumerate() {
            let Some(window) = window(cell, lab) else { continue };
            let set = set_of(&mut sets, &cell.coordinates);
            set.cells.entry(window).or_default().push((index, cell.name.clone()));
        }
        sets.retain(|set| set.cells.len() > 1);
        let illegal = plan.struck.iter().filter(|struck| struck.duplicate_of.is_none());
        for struck in illegal {
            strike(&mut sets, struck);
        }
        Self { sets }
    }

    /// The maps with the scores of this report, and the difference of each cell of the plan.
    pub(crate) fn with_scores(
        &self,
        plan: &SweepPlan,
        report: &GrowingReport,
        environments: &[&'static dyn EnvironmentSpec],
    ) -> SweepScores {
        let tables = ReportTables::new(report.report(), environments);
        let differences = plan.cells.iter().map(|cell| cell_difference(&cell.name, report)).collect();
        let conditions = plan.cells.iter().filter_map(|cell| report.condition(&cell.name));
        SweepScores {
            maps: self.sets.iter().map(|set| set.map(report, &tables)).collect(),
            findings: tables.findings_of(conditions),
            differences,
        }
    }
}

/// The difference of a cell from its reference; `None` if it has none or no episode is finished.
fn cell_difference(name: &str, report: &GrowingReport) -> Option<CellDifference> {
    let stats = report.report().groups.get(report.condition(name)?)?;
    let sign = map_score(stats, (0.0, 100.0))?.sign;
    if stats.results.is_reference {
        return Some(CellDifference { points: 0.0, sign });
    }
    Some(CellDifference { points: stats.results.difference.as_ref()?.paired.mean?, sign })
}

/// The memory window of a cell; `None` for an agent without one.
fn window(cell: &PlannedCell, lab: &Lab) -> Option<Place> {
    let config = config_for(lab, &cell.config, cell.levels.first()?.spec).ok()?;
    lab.agent(&config.settings().play.agent)?.requests.as_ref()?;
    Some((config.window().am(), config.window().om()))
}

/// The coordinates that tell one map from another.
fn shared(coordinates: &[(String, String)]) -> Vec<(String, String)> {
    coordinates.iter().filter(|(name, _)| !NOT_NAMED.contains(&name.as_str())).cloned().collect()
}

fn set_of<'a>(sets: &'a mut Vec<WindowSet>, coordinates: &[(String, String)]) -> &'a mut WindowSet {
    let shared = shared(coordinates);
    let found = sets.iter().position(|set| set.shared == shared);
    let index = found.unwrap_or_else(|| {
        sets.push(WindowSet { shared, ..WindowSet::default() });
        sets.len() - 1
    });
    &mut sets[index]
}

/// Puts a cell that is struck out into the map that would have it.
fn strike(sets: &mut [WindowSet], struck: &StruckCell) {
    let shared = shared(&struck.coordinates);
    let Some(set) = sets.iter_mut().find(|set| set.shared == shared) else { return };
    let value = |name: &str| {
        let found = struck.coordinates.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.parse::<u16>().ok())
    };
    // A window that does not vary is that of all cells.
    let any = set.cells.keys().next().copied().unwrap_or_default();
    let am = value("memory.am").unwrap_or(Some(any.0));
    let om = value("memory.om").unwrap_or(Some(any.1));
    if let Some(place) = am.zip(om) {
        set.struck.insert(place, struck.reason.clone());
    }
}

impl WindowSet {
    fn map(&self, report: &GrowingReport, tables: &ReportTables<'_>) -> ScoreMap {
        let places = || self.cells.keys().chain(self.struck.keys());
        let (am, om): (BTreeSet<u16>, BTreeSet<u16>) = places().copied().unzip();
        let found: BTreeMap<Place, (&Condition, &GroupStats)> =
            self.cells.iter().filter_map(|(place, cells)| Some((*place, group(cells, report)?))).collect();
        let range = score_range(found.values().map(|(_, stats)| *stats));
        let place = |place: Place| {
            let cells = self.cells.get(&place).into_iter().flatten().map(|(index, _)| *index).collect();
            let score = found.get(&place).and_then(|(condition, stats)| score(condition, stats, range));
            let content = score.map_or_else(|| self.without_score(place), PlaceContent::Score);
            MapSquare { cells, content }
        };
        let row = |am: &u16| (format!("AM {am}"), om.iter().map(|om| place((*am, *om))).collect());
        let sample = found.values().next();
        let compared = sample.map(|_| tables.reference_note(found.values().map(|(condition, _)| *condition)));
        let baselines = sample.and_then(|(condition, _)| tables.baseline_note(condition));
        ScoreMap {
            name: self.name(),
            columns: om.iter().map(|om| format!("OM {om}")).collect(),
            rows: am.iter().map(row).collect(),
            findings: tables.findings_of(found.values().map(|(condition, _)| *condition)),
            baselines: compared.into_iter().chain(baselines).collect::<Vec<_>>().join("; "),
        }
    }

    fn without_score(&self, place: Place) -> PlaceContent {
        match (self.cells.contains_key(&place), self.struck.get(&place), Window::new(place.0, place.1)) {
            (true, ..) => PlaceContent::NoScore,
            (false, Some(reason), _) => PlaceContent::Struck(reason.clone()),
            (false, None, Err(error)) => PlaceContent::Struck(error.to_string()),
            (false, None, Ok(_)) => PlaceContent::Absent,
        }
    }

    /// `prompt 0s-CoT, model gpt-4o`.
    fn name(&self) -> String {
        let pair = |(name, value): &(String, String)| format!("{} {}", short_name(name), table_label(value));
        let pairs = self.shared.iter().map(pair);
        pairs.collect::<Vec<_>>().join(", ")
    }
}

/// The group of the report that has these cells; `None` if no episode is finished.
fn group<'a>(
    cells: &[(usize, String)],
    report: &'a GrowingReport,
) -> Option<(&'a Condition, &'a GroupStats)> {
    let condition = cells.iter().find_map(|(_, name)| report.condition(name))?;
    report.report().groups.get_key_value(condition)
}

fn score(condition: &Condition, stats: &GroupStats, range: (f64, f64)) -> Option<PlaceScore> {
    let MapScore { score, interval, verdict, sign, shade } = map_score(stats, range)?;
    let short = verdict.split(',').next().filter(|text| text.starts_with(['+', '-']));
    let error = stats.score_error().map_or_else(String::new, |error| format!(" ± {error:.2}"));
    let counts = format!("n {} over {} levels", stats.episodes, stats.levels());
    let found = stats.results.difference.as_ref().map(|found| difference(condition, found));
    let found = found.or_else(|| stats.results.is_reference.then(|| "; the reference".to_owned()));
    let best = stats.results.best.map_or_else(String::new, best_text);
    Some(PlaceScore {
        details: format!("{score}{error} {interval}, {counts}{}{best}", found.unwrap_or_default()),
        short_verdict: short.unwrap_or_default().to_owned(),
        episodes: stats.episodes,
        mean: stats.score()?,
        shade: SHADES[shade.min(SHADES.len() - 1)],
        score,
        interval,
        verdict,
        sign,
    })
}

/// `; the best of 6 cells with a probability of 12.0 %`.
fn best_text(best: Best) -> String {
    let share = 100.0 * best.share;
    format!("; the best of {} cells with a probability of {share:.1} %", best.cells)
}

/// `; +2.10 [-1.00, 5.20] from AM 1, OM 1 in 15 pairs, p (Holm) 0.210: inside noise`.
fn difference(condition: &Condition, found: &Difference) -> String {
    let paired = &found.paired;
    let differing = condition.differences(&found.reference);
    let reference = differing.map(|name| format!("{name} {}", found.reference.shown(name)));
    let reference = reference.collect::<Vec<_>>().join(", ");
    let mean = paired.mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:+.2}"));
    let interval =
        paired.interval.map_or_else(String::new, |Interval { low, high }| format!(" [{low:.2}, {high:.2}]"));
    let pairs = paired.pairs.len();
    let verdict = paired.test.verdict().text();
    let p = probability(paired.test.corrected);
    format!("; {mean}{interval} from {reference} in {pairs} pairs, p (Holm) {p}: {verdict}")
}
