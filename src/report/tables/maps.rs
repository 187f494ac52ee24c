//! Maps of scores by AM and OM.

use super::{ReportTables, interval_text};
use crate::document::{Block, Map, MapCell, MapScore, Section};
use crate::{AM, Condition, GroupStats, MapPlace, OM, WindowMap};
use mageyard_statistics::{Correction, Verdict};

/// The number of shades.
const SHADES: f64 = 5.0;

impl ReportTables<'_> {
    /// The maps, one for each combination of the other settings that has at least two windows.
    pub(super) fn maps(&self) -> Vec<Section> {
        WindowMap::all(self.groups).iter().map(|map| self.map(map)).collect()
    }

    fn map(&self, map: &WindowMap<'_>) -> Section {
        let range = self.range(map);
        let mut reasons = Vec::new();
        let mut row = |am: u16| {
            let cells = map.om.iter().map(|om| self.map_cell(map, (am, *om), range, &mut reasons)).collect();
            (format!("AM {am}"), cells)
        };
        let rows: Vec<(String, Vec<MapCell>)> = map.am.iter().map(|am| row(*am)).collect();
        let columns = map.om.iter().map(|om| format!("OM {om}")).collect();
        let mut notes = vec![legend(self.correction)];
        notes.extend(reasons);
        notes.push(self.reference_note(map.groups()));
        notes.extend(self.baseline_note(map.sample));
        let title = format!("Score by AM and OM: {}", self.map_name(map.sample));
        Section::new(title, Block::Map(Map { columns, rows })).with_notes(notes)
    }

    /// The name of a map: the agent and what differs between maps.
    fn map_name(&self, condition: &Condition) -> String {
        let without = self.names.iter().filter(|name| *name != AM && *name != OM);
        let parts = without.map(|name| self.comparison.cell(condition, name));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn map_cell(
        &self,
        map: &WindowMap<'_>,
        (am, om): (u16, u16),
        range: (f64, f64),
        reasons: &mut Vec<String>,
    ) -> MapCell {
        let group = |condition| self.groups.get(condition);
        match map.at(am, om) {
            MapPlace::Group(condition) => group(condition)
                .and_then(|stats| map_score(stats, range))
                .map_or(MapCell::NotRun, MapCell::Score),
            MapPlace::NotRun => MapCell::NotRun,
            MapPlace::Illegal(reason) => {
                reasons.push(format!("× AM {am}, OM {om}: {reason}"));
                MapCell::Struck
            }
        }
    }

    /// The lowest and the highest score of a map.
    fn range(&self, map: &WindowMap<'_>) -> (f64, f64) {
        let places = map.am.iter().flat_map(|am| map.om.iter().map(|om| map.at(*am, *om)));
        score_range(places.filter_map(|place| match place {
            MapPlace::Group(condition) => self.groups.get(condition),
            _ => None,
        }))
    }

    /// What the groups of a map are compared with, in one line: a row of the map by its window, another one by its name.
    pub fn reference_note<'c>(&self, groups: impl Iterator<Item = &'c Condition>) -> String {
        let groups: Vec<&Condition> = groups.collect();
        let stats = groups.iter().filter_map(|condition| self.groups.get(*condition));
        let mut found: Vec<&Condition> = Vec::new();
        for reference in stats.filter_map(|stats| Some(&stats.results.difference.as_ref()?.reference)) {
            if !found.contains(&reference) {
                found.push(reference);
            }
        }
        let name = |reference: &&Condition| {
            if groups.contains(reference) {
                format!("AM {}, OM {}", reference.shown(AM), reference.shown(OM))
            } else {
                format!("{}, which is not in this map", self.name_of(reference))
            }
        };
        match found.iter().map(name).collect::<Vec<_>>().join("; ") {
            text if text.is_empty() => "compared with nothing: no row is the reference of these".to_owned(),
            text => format!("compared with {text}"),
        }
    }

    /// The scores of baselines on the same levels, in one line.
    pub fn baseline_note(&self, of: &Condition) -> Option<String> {
        let baselines = self.baselines(of, &[of.agent()]);
        let texts: Vec<String> = baselines.iter().map(|(name, score)| format!("{name} {score:.2}")).collect();
        (!texts.is_empty()).then(|| format!("baselines: {}", texts.join(", ")))
    }
}

/// The lowest and the highest score of these groups.
pub fn score_range<'a>(groups: impl Iterator<Item = &'a GroupStats>) -> (f64, f64) {
    let scores = groups.filter_map(GroupStats::score);
    scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| (low.min(score), high.max(score)))
}

/// What a map shows of a group; `None` without scores.
pub fn map_score(stats: &GroupStats, (low, high): (f64, f64)) -> Option<MapScore> {
    let mean = stats.score()?;
    let (sign, verdict) = verdict(stats);
    Some(MapScore {
        score: format!("{mean:.2}"),
        interval: interval_text(stats.results.score, 2),
        verdict,
        sign,
        shade: shade((mean - low) / (high - low)),
    })
}

/// The number of a shade for a place between the lowest and the highest score, from 0 to 1; the middle one if all are
/// equal.
fn shade(place: f64) -> usize {
    if place.is_nan() {
        return 2;
    }
    [1.0, 2.0, 3.0, 4.0].iter().filter(|step| place >= **step / SHADES).count()
}

/// The difference from the reference as a sign and in words.
fn verdict(stats: &GroupStats) -> (char, String) {
    let Some(difference) = &stats.results.difference else {
        return if stats.results.is_reference {
            ('◇', "reference".to_owned())
        } else {
            (' ', String::new())
        };
    };
    let mean = difference.paired.mean.unwrap_or_default();
    match difference.paired.test.verdict() {
        Verdict::InsideNoise => ('≈', format!("{mean:+.2}, inside noise")),
        Verdict::Different if mean > 0.0 => ('▲', format!("{mean:+.2}")),
        Verdict::Different => ('▼', format!("{mean:+.2}")),
        Verdict::TooFew => ('?', "too few pairs".to_owned()),
    }
}

fn legend(correction: Correction) -> String {
    let p = match correction {
        Correction::Holm => "p corrected by Holm",
        Correction::None => "p not corrected",
    };
    format!(
        "darker is higher; ◇ reference, ≈ inside noise of it, ▲ higher, ▼ lower ({p}), ? too few pairs, × cannot be played"
    )
}
