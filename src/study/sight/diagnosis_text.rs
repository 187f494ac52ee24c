//! A diagnosis as text: the plan, the states, the shares, and for simulated models the comparison with their known faults.

use std::collections::BTreeSet;

use super::diagnosis::{
    DiagnosedGroup, DiagnosisShare, DiagnosisStudy, PassedOver, by_model_and_view, finding_shares,
};
use super::judged::StateDiagnosis;
use super::rule::{Finding, RULE};
use super::states::struck_lines;
use crate::ask::needs_lines;
use crate::suite_ask::distinct_remarks;
use crate::{Study, StudySort, StudyTable, percent};
use mageyard_domain::count_noun;
use mageyard_statistics::Interval;

/// The most states that are listed; JSON has all.
const MOST_STATES: usize = 30;

/// What is asked, and what the calls need.
pub(super) fn plan_lines(study: &DiagnosisStudy) -> Vec<String> {
    let states = count_noun(study.plans.len(), "state", "states");
    let mut lines = vec![match study.drawn_from {
        Some(PassedOver { of, optimal, unjudged }) => {
            let unjudged = match unjudged {
                0 => String::new(),
                count => format!(", in {count} no action is known to be right"),
            };
            format!(
                "{states} with an action that is not optimal, drawn from {of} steps (of those examined {optimal} are optimal{unjudged})"
            )
        }
        None => states,
    }];
    if let Some(first) = study.plans.first() {
        let questions = first.record.variants.iter().filter(|one| one.changes.probe.is_some()).count();
        lines.push(format!(
            "each: the request of the agent, with the state in words, with a hint of the plan, and {} about the state; {} to each",
            count_noun(questions, "question", "questions"),
            count_noun(first.record.samples as usize, "reply", "replies"),
        ));
    }
    lines.extend(struck_lines(&study.plans));
    lines.extend(distinct_remarks(&study.plans));
    let calls = study.plans.iter().map(|plan| plan.record.calls()).sum();
    lines.extend(needs_lines(calls, study.needs()));
    lines
}

/// The states with what is known of them, and the shares of the findings.
pub(super) fn diagnosis_table(study: &DiagnosisStudy) -> StudyTable {
    let found = study.diagnoses();
    let (done, all) = study.counts();
    let mut end = share_lines(&found);
    end.extend(confusion_lines(&found));
    if done < all {
        end.push(format!("{done} of {all} replies are there; the same command makes the others"));
    }
    let (rows, compared) = study.compared(&found);
    StudyTable {
        sort: StudySort::States,
        rows,
        states: compared,
        title: "what is wrong with failed steps".to_owned(),
        categories: states(&found),
        tail: notes(&found),
        end,
        done,
        all,
        ..StudyTable::default()
    }
}

fn states(found: &[StateDiagnosis]) -> Vec<Vec<String>> {
    let titles = ["step", "view", "own", "in words", "with hint", "questions", "wrong claims", "finding"];
    let cell = |share: Option<f64>| percent(share);
    let row = |one: &StateDiagnosis| {
        let evidence = &one.evidence;
        vec![
            one.address.clone(),
            one.view.clone().unwrap_or_else(|| "own".to_owned()),
            cell(evidence.own),
            cell(evidence.with_words),
            cell(evidence.with_plan),
            match one.wrong_questions.as_slice() {
                [] => cell(evidence.questions),
                names => format!("{}, not {}", cell(evidence.questions), names.join(", ")),
            },
            format!("{} of {}", one.claims.wrong_count(), one.claims.read),
            one.finding.name().to_owned(),
        ]
    };
    let rows = found.iter().take(MOST_STATES).map(row);
    [titles.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
}

fn notes(found: &[StateDiagnosis]) -> Vec<String> {
    let more = found.len().saturating_sub(MOST_STATES);
    let mut lines = Vec::new();
    if more > 0 {
        lines.push(format!("{more} more; --json has all"));
    }
    let share = |share: f64| format!("{:.0} %", 100.0 * share);
    lines.push(
        "own, in words, with hint: replies with an optimal action; questions: those answered rightly"
            .to_owned(),
    );
    lines.push(format!(
        "a request is right from {} of its replies, a question from {}; the state in words makes it right and a question fails: seen wrong; \
         neither: planned wrong; {} of the wrong replies announce an optimal action: written wrong",
        share(RULE.right),
        share(RULE.answered),
        share(RULE.contradicted),
    ));
    lines
}

/// `seen wrong 38 % [30, 47], planned wrong 41 % [32, 50] of 60 failed states`, a line for each model and view; of a single one also by
/// kind of state. Models and views are never taken together.
pub(super) fn share_lines(found: &[StateDiagnosis]) -> Vec<String> {
    let groups = by_model_and_view(found);
    let models: BTreeSet<&str> = groups.iter().map(|group| group.model).collect();
    let views: BTreeSet<Option<&str>> = groups.iter().map(|group| group.view).collect();
    let line = |group: &DiagnosedGroup<'_>| {
        let view = (views.len() > 1).then(|| format!("view {}", group.view.unwrap_or("own")));
        let model = (models.len() > 1).then(|| format!("model {}", group.model));
        let names: Vec<String> = model.into_iter().chain(view).collect();
        let name = if names.is_empty() { String::new() } else { format!("{}: ", names.join(", ")) };
        share_line(&name, &group.members)
    };
    let mut lines: Vec<String> = groups.iter().map(line).collect();
    if let [only] = groups.as_slice() {
        let kinds: BTreeSet<&String> = only.members.iter().filter_map(|one| one.kind.as_ref()).collect();
        let of = |kind: &String| -> Vec<&StateDiagnosis> {
            only.members.iter().copied().filter(|one| one.kind.as_ref() == Some(kind)).collect()
        };
        let kinds = kinds.iter().filter(|_| kinds.len() > 1);
        lines.extend(kinds.map(|kind| share_line(&format!("{kind}: "), &of(kind))));
    }
    lines
}

fn share_line(name: &str, found: &[&StateDiagnosis]) -> String {
    let failed = found.iter().filter(|one| one.finding != Finding::Right).count();
    if failed == 0 {
        return format!("{name}no state fails now");
    }
    let shares = finding_shares(found);
    let shares: Vec<String> = shares.iter().filter(|share| share.states > 0).map(share_words).collect();
    let right = found.len() - failed;
    let again = if right > 0 {
        format!("; {right} of {} have a right answer now", found.len())
    } else {
        String::new()
    };
    format!("{name}{} of {}{again}", shares.join(", "), count_noun(failed, "failed state", "failed states"))
}

/// `seen wrong 38 % [30, 47]`.
pub(super) fn share_words(share: &DiagnosisShare) -> String {
    let ends =
        share.interval.map(|Interval { low, high }| format!(" [{:.0}, {:.0}]", 100.0 * low, 100.0 * high));
    format!("{} {}{}", share.finding.name(), percent(share.share), ends.unwrap_or_default())
}

/// How the findings compare with the known faults of simulated models.
fn confusion_lines(found: &[StateDiagnosis]) -> Vec<String> {
    let known: Vec<(Finding, Finding)> =
        found.iter().filter_map(|one| Some((one.known_fault?, one.finding))).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["known fault of the simulated model: what was found".to_owned()];
    for fault in [Finding::Seen, Finding::Planned, Finding::Written, Finding::Right] {
        let of: Vec<Finding> =
            known.iter().filter(|(known, _)| *known == fault).map(|(_, found)| *found).collect();
        if of.is_empty() {
            continue;
        }
        let cells: Vec<String> = Finding::ALL
            .iter()
            .map(|finding| (finding, of.iter().filter(|one| *one == finding).count()))
            .filter(|(_, count)| *count > 0)
            .map(|(finding, count)| format!("{} {count}", finding.name()))
            .collect();
        let name = if fault == Finding::Right { "none" } else { fault.name() };
        lines.push(format!("  {name} ({}): {}", of.len(), cells.join(", ")));
    }
    lines
}
