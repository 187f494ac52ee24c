//! What a study of a memory has found as text: the curve, and what it says.

use super::answers::{MemoryPart, Remembered};
use super::curve::{DistanceValue, distance_values};
use super::reach::{MemoryReach, Reach};
use super::study::MemoryStudy;
use crate::{Study, StudySort, StudyTable};
use mageyard_domain::count_noun;
use mageyard_statistics::{Interval, probability};

/// The curve with what it says.
pub(super) fn study_table(study: &MemoryStudy) -> StudyTable {
    let answers = study.answers();
    let values = distance_values(&answers);
    let reach = MemoryReach::of(&answers);
    let (done, all) = study.counts();
    let mut end = verdict_lines(&values, &reach);
    if done < all {
        end.push(format!("{done} of {all} replies are there; the same command makes the others"));
    }
    StudyTable {
        sort: StudySort::Replies,
        title: "what each remembered part is worth".to_owned(),
        categories: curve(&values, &reach),
        tail: notes(&values),
        end,
        done,
        all,
        ..StudyTable::default()
    }
}

fn curve(values: &[DistanceValue], reach: &MemoryReach) -> Vec<Vec<String>> {
    if values.is_empty() {
        return Vec::new();
    }
    let titles =
        ["left out", "states", "decisions that change", "p", "p from here back", "fewer optimal answers"];
    let rows = values.iter().map(|value| {
        let reached = reach.of_sort(value.part.what).p(value.part.back);
        vec![
            place(value.part),
            value.states.to_string(),
            with_interval(Some(value.change), value.change_interval),
            probability(value.corrected),
            reached.map_or_else(|| "–".to_owned(), probability),
            with_interval(value.worse, value.worse_interval),
        ]
    });
    [titles.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
}

fn place(part: MemoryPart) -> String {
    let (single, pair) = match part.what.single() {
        Remembered::Row | Remembered::RowPair => ("output with its frame", "outputs with their frames"),
        Remembered::Frame | Remembered::FramePair => ("frame", "frames"),
    };
    match part.back {
        back if part.what.is_pair() => format!("{pair} {}", pair_places(back)),
        0 => format!("{single} of the step"),
        1 => format!("{single}, 1 step back"),
        back => format!("{single}, {back} steps back"),
    }
}

fn pair_places(nearer: u32) -> String {
    match nearer {
        0 => "of the step and 1 step back".to_owned(),
        back => format!("{back} and {} steps back", back.saturating_add(1)),
    }
}

/// `12 % [3, 21]`.
fn with_interval(value: Option<f64>, interval: Option<Interval>) -> String {
    let Some(value) = value else { return "–".to_owned() };
    let percent = |share: f64| {
        let text = format!("{:.0}", 100.0 * share);
        if text == "-0" { "0".to_owned() } else { text }
    };
    let interval = interval.map(|Interval { low, high }| format!(" [{}, {}]", percent(low), percent(high)));
    format!("{} %{}", percent(value), interval.unwrap_or_default())
}

fn notes(values: &[DistanceValue]) -> Vec<String> {
    if values.is_empty() {
        return Vec::new();
    }
    vec![
        "decisions that change: how often the answer differs without it, beyond how often two answers to the same request differ; 95 % intervals, levels are the clusters".to_owned(),
        "p: permutation tests of each row, corrected by Holm for all rows".to_owned(),
        "p from here back: of all rows of the sort at this distance or further back together, nearest first up to one that shows nothing; the lines below take what is under 2.5 %".to_owned(),
    ]
}

/// What the curve says of each sort.
fn verdict_lines(values: &[DistanceValue], reach: &MemoryReach) -> Vec<String> {
    let sorts = [(Remembered::Frame, &reach.frames), (Remembered::Row, &reach.rows)];
    let lines = sorts.into_iter().filter_map(|(what, reach)| verdict(what, values, reach));
    lines.chain(pair_lines(values)).chain(smallest_window(reach)).collect()
}

fn noun(what: Remembered) -> &'static str {
    match what.single() {
        Remembered::Row | Remembered::RowPair => "past steps",
        Remembered::Frame | Remembered::FramePair => "frames",
    }
}

fn verdict(what: Remembered, values: &[DistanceValue], reach: &Reach) -> Option<String> {
    let oldest = values.iter().filter(|value| value.part.what == what).map(|value| value.part.back).max()?;
    let noun = noun(what);
    Some(match reach.furthest() {
        None => format!("{noun}: no sign that leaving out any of them changes a decision"),
        Some(0) if oldest > 0 => format!("{noun}: the present one decides; no sign that older ones do"),
        Some(back) if back == oldest => {
            format!(
                "{noun}: those up to {} decide, and older ones were not asked about: raise --am and --om",
                steps(back)
            )
        }
        Some(back) => format!("{noun}: those up to {} decide; no sign that older ones do", steps(back)),
    })
}

/// The pairs that decide where neither of the two does alone.
fn pair_lines(values: &[DistanceValue]) -> impl Iterator<Item = String> {
    let alone = |what: Remembered, back: u32| {
        let part = MemoryPart { what: what.single(), back };
        values.iter().any(|value| value.part == part && value.matters())
    };
    values.iter().filter_map(move |value| {
        let MemoryPart { what, back } = value.part;
        let is_found =
            what.is_pair() && value.matters() && !alone(what, back) && !alone(what, back.saturating_add(1));
        let noun = noun(what);
        is_found.then(|| {
            format!(
                "{noun} {}: they decide together and neither alone, so either one is enough",
                pair_places(back)
            )
        })
    })
}

/// The window with all frames and outputs that decide.
fn smallest_window(reach: &MemoryReach) -> Option<String> {
    let (am, om) = reach.window()?;
    Some(format!(
        "the smallest window with all that decide here: AM={am} OM={om}; `mageyard memory confirm` says whether it is not worse"
    ))
}

fn steps(back: u32) -> String {
    count_noun(usize::try_from(back).unwrap_or(usize::MAX), "step back", "steps back")
}
