//! The plan of a study of a memory as text.

use std::collections::BTreeSet;

use super::study::MemoryStudy;
use crate::ask::needs_lines;
use crate::suite_ask::distinct_remarks;
use mageyard_domain::count_noun;

/// What is asked, and what the calls need.
pub(super) fn plan_lines(study: &MemoryStudy) -> Vec<String> {
    let levels: BTreeSet<&str> = study.drawn.iter().map(|step| step.level.as_str()).collect();
    let states = count_noun(study.plans.len(), "state", "states");
    let levels = count_noun(levels.len(), "level", "levels");
    let pairs = if study.has_pairs { ", and each two neighbours" } else { "" };
    let mut lines = vec![format!(
        "{states} of {} on {levels}: the complete request, and one without each past step and each frame that it has{pairs}",
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
