//! Questions about states as text: the plan, and how they are answered by view.

use super::probe_study::{ProbeStudy, QuestionShare};
use super::states::struck_lines;
use crate::ask::needs_lines;
use crate::suite_ask::distinct_remarks;
use crate::{Study, StudySort, StudyTable, percent};
use mageyard_domain::count_noun;
use mageyard_statistics::Interval;

/// What is asked, and what the calls need.
pub(super) fn plan_lines(study: &ProbeStudy) -> Vec<String> {
    let questions = study.plans.iter().map(|plan| plan.record.variants.len()).sum::<usize>();
    let samples = study.plans.first().map_or(0, |plan| plan.record.samples as usize);
    let mut lines = vec![format!(
        "{} about {}, {} to each",
        count_noun(questions, "question", "questions"),
        count_noun(study.states.len(), "state", "states"),
        count_noun(samples, "reply", "replies")
    )];
    lines.extend(struck_lines(&study.plans));
    lines.extend(distinct_remarks(&study.plans));
    let calls = study.plans.iter().map(|plan| plan.record.calls()).sum();
    lines.extend(needs_lines(calls, study.needs()));
    lines
}

/// A row for each kind of question, view and model.
pub(super) fn probe_table(study: &ProbeStudy) -> StudyTable {
    let shares = study.shares();
    let (done, all) = study.counts();
    let mut end = Vec::new();
    if done < all {
        end.push(format!("{done} of {all} replies are there; the same command makes the others"));
    }
    let (rows_of_views, states) = study.compared();
    StudyTable {
        sort: StudySort::States,
        rows: rows_of_views,
        states,
        title: "questions about the state".to_owned(),
        categories: rows(&shares),
        tail: vec![
            "right: of all replies, with 95 % intervals, levels are the clusters; chance: of a guess"
                .to_owned(),
        ],
        end,
        done,
        all,
        ..StudyTable::default()
    }
}

fn rows(shares: &[QuestionShare]) -> Vec<Vec<String>> {
    let titles = ["question", "view", "model", "states", "replies", "right", "wrong", "unreadable", "chance"];
    let row = |share: &QuestionShare| {
        let ends = share
            .interval
            .map(|Interval { low, high }| format!(" [{:.0}, {:.0}]", 100.0 * low, 100.0 * high));
        vec![
            share.kind.clone(),
            share.view.clone().unwrap_or_else(|| "own".to_owned()),
            share.model.clone(),
            share.states.to_string(),
            share.replies.to_string(),
            format!("{}{}", percent(share.share()), ends.unwrap_or_default()),
            (share.replies - share.right - share.unreadable).to_string(),
            share.unreadable.to_string(),
            percent(Some(share.chance)),
        ]
    };
    [titles.map(str::to_owned).to_vec()].into_iter().chain(shares.iter().map(row)).collect()
}
