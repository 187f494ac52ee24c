//! The study of a memory as text: the plan, the curve, and what it says.

use std::collections::BTreeSet;

use super::curve::{DistanceValue, Remembered};
use super::study::MemoryStudy;
use crate::ask::needs_lines;
use crate::suite_ask::distinct_remarks;
use crate::{Study, StudySort, StudyTable};
use mageyard_domain::count_noun;
use mageyard_statistics::{Interval, probability};

/// What is asked, and what the calls need.
pub(super) fn plan_lines(study: &MemoryStudy) -> Vec<String> {
    let levels: BTreeSet<&str> = study.drawn.iter().map(|step| step.level.as_str()).collect();
    let states = count_noun(study.plans.len(), "state", "states");
    let levels = count_noun(levels.len(), "level", "levels");
    let mut lines = vec![format!(
        "{states} of {} on {levels}: the complete request, and one without each past step and each frame that it has",
        study.all
    )];
    if let Some(first) = study.plans.first() {
        let windows: BTreeSet<(u16, u16)> =
            study.plans.iter().flat_map(|plan| &plan.record.variants).map(|one| (one.am, one.om)).collect();
        let windows: Vec<String> = windows.iter().map(|(am, om)| format!("AM={am} OM={om}")).collect();
        let samples =
            count_noun(usize::try_from(first.record.samples).unwrap_or(usize::MAX), "reply", "replies");
        lines.push(format!("{}; {samples} to each request", windows.join(", ")));
    }
    lines.extend(taken_together(study));
    lines.extend(distinct_remarks(&study.plans));
    let calls = study.plans.iter().map(|plan| plan.record.calls()).sum();
    lines.extend(needs_lines(calls, study.needs()));
    lines
}

/// That steps of several models or prompts are taken together, if they are.
fn taken_together(study: &MemoryStudy) -> Option<String> {
    let variants = || study.plans.iter().flat_map(|plan| &plan.record.variants);
    let models: BTreeSet<String> = variants().map(|one| one.model.label()).collect();
    let prompts: BTreeSet<String> = variants().map(|one| one.prompt.clone()).collect();
    let several = |what: &str, names: BTreeSet<String>| {
        let names: Vec<String> = names.into_iter().collect();
        (names.len() > 1).then(|| format!("{what} {}", names.join(", ")))
    };
    let named: Vec<String> =
        several("models", models).into_iter().chain(several("prompts", prompts)).collect();
    (!named.is_empty())
        .then(|| format!("taken together: {}; name sessions of one to study it alone", named.join("; ")))
}

/// The curve with what it says.
pub(super) fn study_table(study: &MemoryStudy) -> StudyTable {
    let values = study.values();
    let (done, all) = study.counts();
    let mut end = verdict_lines(&values);
    if done < all {
        end.push(format!("{done} of {all} replies are there; the same command makes the others"));
    }
    StudyTable {
        sort: StudySort::Replies,
        title: "what each remembered part is worth".to_owned(),
        categories: curve(&values),
        tail: notes(&values),
        end,
        done,
        all,
        ..StudyTable::default()
    }
}

fn curve(values: &[DistanceValue]) -> Vec<Vec<String>> {
    if values.is_empty() {
        return Vec::new();
    }
    let titles =
        ["left out", "states", "decisions that change", "p", "fewer optimal answers"].map(str::to_owned);
    let rows = values.iter().map(|value| {
        vec![
            place(value),
            value.states.to_string(),
            with_interval(Some(value.change), value.change_interval),
            probability(value.corrected),
            with_interval(value.worse, value.worse_interval),
        ]
    });
    [titles.to_vec()].into_iter().chain(rows).collect()
}

fn place(value: &DistanceValue) -> String {
    let what = value.what.name();
    match value.back {
        0 => format!("{what} of the step"),
        1 => format!("{what}, 1 step back"),
        back => format!("{what}, {back} steps back"),
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
        "p: permutation tests, corrected by Holm for all rows".to_owned(),
    ]
}

/// What the curve says of each sort.
fn verdict_lines(values: &[DistanceValue]) -> Vec<String> {
    let sorts = [Remembered::Frame, Remembered::Row];
    let lines = sorts.into_iter().filter_map(|what| verdict(what, values));
    lines.chain(smallest_window(values)).collect()
}

/// The window with all frames and outputs that decide.
fn smallest_window(values: &[DistanceValue]) -> Option<String> {
    let furthest = |what| {
        let found = values.iter().filter(|value| value.what == what && value.matters());
        found.map(|value| value.back).max()
    };
    let frames = furthest(Remembered::Frame);
    let rows = furthest(Remembered::Row).unwrap_or(0);
    let om = frames.unwrap_or(0) + 1;
    // OM is at most AM, but for the present frame alone.
    let am = rows.max(if om > 1 { om } else { 0 });
    (frames.is_some() || rows > 0)
        .then(|| format!("the smallest window with all that decide here: AM={am} OM={om}; `mageyard memory confirm` says whether it is not worse"))
}

fn verdict(what: Remembered, values: &[DistanceValue]) -> Option<String> {
    let of: Vec<&DistanceValue> = values.iter().filter(|value| value.what == what).collect();
    let oldest = of.iter().map(|value| value.back).max()?;
    let noun = match what {
        Remembered::Frame => "frames",
        Remembered::Row => "past steps",
    };
    let found = of.iter().filter(|value| value.matters()).map(|value| value.back).max();
    Some(match found {
        None => format!("{noun}: no sign that leaving out any of them changes a decision"),
        Some(back) if back == oldest => {
            format!(
                "{noun}: those up to {} decide, and older ones were not asked about: raise --am and --om",
                steps(back)
            )
        }
        Some(0) => format!("{noun}: the present one decides; no sign that older ones do"),
        Some(back) => format!("{noun}: those up to {} decide; no sign that older ones do", steps(back)),
    })
}

fn steps(back: u32) -> String {
    count_noun(usize::try_from(back).unwrap_or(usize::MAX), "step back", "steps back")
}
