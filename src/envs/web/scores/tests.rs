use mageyard_domain::{Ending, Verdict};
use serde_json::json;

use super::*;
use crate::measures::MEASURES;
use crate::nodes::{Comparison, Moment, NodeProgress, Progress, Replayed};
use crate::task::Task;

fn task_score(achieved: f64, nodes: u32, steps: u32, signalled: bool) -> TaskScore {
    TaskScore { achieved, nodes, steps, reference_length: Some(5), signalled }
}

/// Tasks as in the paper: one complete, one with a part, one without anything, one from which a point is missing.
const TASKS: [(f64, u32, u32, bool); 4] =
    [(4.0, 4, 6, true), (1.5, 3, 9, true), (0.0, 2, 7, false), (1.0, 2, 5, false)];

fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn scores_of_a_set_are_those_computed_by_hand() {
    let tasks =
        TASKS.map(|(achieved, nodes, steps, signalled)| task_score(achieved, nodes, steps, signalled));
    let summary = Summary::of(&tasks, Some(1.3));
    assert_eq!(summary.tasks, 4);
    near(summary.completion, 6.5 / 11.0);
    near(summary.rate, (1.0 + 0.5 + 0.0 + 0.5) / 4.0);
    near(summary.success, 0.25);
    near(summary.near_success, 0.25);
    near(summary.efficiency_with_zeros, (1.5 + 6.0 + 0.0 + 5.0) / 4.0);
    near(summary.efficiency_of_sums, 27.0 / 6.5);
    assert_eq!(summary.efficiency, Some(Mean { value: 12.5 / 3.0, tasks: 3 }));
    near(summary.usd_efficiency, 0.2);
    near(summary.human_alignment, (1.0 + 0.5 + 0.0 + 0.4) / 4.0);
    let length_scores = [1.0, 6.0 / 9.0, 6.0 / 7.0, 1.0];
    near(summary.length_score.map(|mean| mean.value), length_scores.iter().sum::<f64>() / 4.0);
}

#[test]
fn what_cannot_be_divided_is_undefined() {
    assert_eq!(Summary::of(&[], Some(1.0)), Summary::default());
    let nothing = Summary::of(&[task_score(0.0, 2, 3, false)], Some(1.0));
    assert_eq!((nothing.efficiency_with_zeros, nothing.efficiency_of_sums), (Some(0.0), None));
    assert_eq!((nothing.efficiency, nothing.usd_efficiency, nothing.completion), (None, None, Some(0.0)));
    assert_eq!(TaskScore::default().rate(), 0.0);
    assert!(!TaskScore::default().is_complete() && !TaskScore::default().is_near_success());
}

#[test]
fn a_length_is_compared_with_that_of_the_reference_and_a_fifth() {
    for (steps, expected) in [(0, 1.0), (5, 1.0), (6, 1.0), (12, 0.5), (60, 0.1)] {
        near(task_score(0.0, 1, steps, false).length_score(), expected);
    }
    assert_eq!(TaskScore { reference_length: None, ..TaskScore::default() }.length_score(), None);
}

#[test]
fn human_alignment_has_four_cases() {
    for (achieved, signalled, expected) in
        [(4.0, true, 1.0), (4.0, false, 0.95), (1.0, true, 0.25), (1.0, false, 0.2)]
    {
        near(Some(task_score(achieved, 4, 5, signalled).human_alignment()), expected);
    }
}

#[test]
fn a_task_ends_in_one_of_six_ways() {
    for status in TaskStatus::ALL {
        assert_eq!(TaskStatus::named(status.name()), Some(status));
    }
    assert_eq!(TaskStatus::named("limit"), Some(TaskStatus::StepLimit));
    assert_eq!(TaskStatus::named("done"), None);
    for (complete, blocked, ending, expected) in [
        (true, true, Ending::StepLimit, "finished"),
        (false, true, Ending::Finished, "blocked"),
        (false, false, Ending::Finished, "llm_finished"),
        (false, false, Ending::Stopped, "early_stop"),
        (false, false, Ending::TimeLimit, "step_limit"),
        (false, false, Ending::Unreadable, "error"),
    ] {
        assert_eq!(TaskStatus::of(complete, blocked, ending).name(), expected);
    }
}

fn task(nodes: usize) -> Task {
    let node = json!({"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "shop"}});
    let record =
        json!({"index": 0, "task": "t", "reference_task_length": 5, "evaluation": vec![node; nodes]});
    Task::read(record.as_object().unwrap()).unwrap()
}

/// The verdict on an episode whose nodes have these scores.
fn verdict_of(scores: &[f64], steps: u32, ending: Ending, blocked: bool) -> Verdict {
    let nodes = scores.iter().map(|score| NodeProgress { score: *score, act: (*score > 0.0).then_some(2) });
    let progress = Progress { acts: steps, nodes: nodes.collect() };
    let failed = Comparison {
        node: 1,
        when: Moment::After,
        expected: "shop".to_owned(),
        found: Some("x".to_owned()),
        score: Some(0.0),
        sentence: "the address \"x\" does not contain \"shop\"".to_owned(),
    };
    let replayed = Replayed { progress, failed: vec![failed], questions: Vec::new() };
    let facts = EpisodeFacts { steps, ending, blocked, looped: false };
    verdict(&task(scores.len()), &replayed, facts)
}

#[test]
fn a_verdict_has_a_score_sentences_and_figures() {
    let verdict = verdict_of(&[1.0, 0.0, 0.4], 9, Ending::Finished, false);
    near(verdict.score, 140.0 / 3.0);
    assert!(!verdict.success);
    assert_eq!(
        verdict.feedback,
        [
            "node 1, url_included_match \"shop\": met at act 2",
            "node 2, url_included_match \"shop\": not met; compared last: the address \"x\" does not contain \"shop\"",
            "node 3, url_included_match \"shop\": 0.4 at act 2",
        ]
    );
    let names: Vec<&str> = verdict.figures.keys().map(String::as_str).collect();
    let mut known = METRICS.to_vec();
    known.sort_unstable();
    assert_eq!(names, known);
    assert_eq!((verdict.figures["too_early"], verdict.figures["too_late"]), (1.0, 0.0));
    assert_eq!(verdict.details["status"], "llm_finished");
}

#[test]
fn a_verdict_waits_for_the_judge() {
    let question = mageyard_domain::Question::to_person("?");
    let replayed = Replayed { questions: vec![question.clone()], ..Replayed::default() };
    let facts = EpisodeFacts { steps: 1, ending: Ending::StepLimit, blocked: false, looped: false };
    let waiting = verdict(&task(1), &replayed, facts);
    assert_eq!((waiting.score, waiting.questions), (None, vec![question]));
}

#[test]
fn measures_of_a_set_are_those_of_its_summary_and_blocked_episodes_are_apart() {
    let episodes = [
        (&[1.0, 1.0, 1.0, 1.0][..], 6, Ending::Finished, false),
        (&[1.0, 0.5, 0.0], 9, Ending::Finished, false),
        (&[0.0, 0.0], 7, Ending::StepLimit, true),
        (&[1.0, 0.0], 5, Ending::StepLimit, false),
        (&[1.0], 5, Ending::Won, false),
    ];
    let verdicts =
        episodes.map(|(scores, steps, ending, blocked)| verdict_of(scores, steps, ending, blocked));
    let tasks = episodes.map(|(scores, steps, ending, _)| {
        task_score(
            scores.iter().sum(),
            u32::try_from(scores.len()).unwrap(),
            steps,
            ending == Ending::Finished,
        )
    });
    let summary = Summary::of(&tasks, Some(5.0 * 0.25));
    let clean = Summary::of(&[tasks[0], tasks[1], tasks[3], tasks[4]], None);
    for (name, expected) in [
        ("completion", summary.completion.unwrap()),
        ("success", 0.4),
        ("near_success", 0.2),
        ("step_score_rate", summary.rate.unwrap()),
        ("human_alignment", summary.human_alignment.unwrap()),
        ("efficiency_with_zeros", summary.efficiency_with_zeros.unwrap()),
        ("efficiency_of_sums", summary.efficiency_of_sums.unwrap()),
        ("efficiency", summary.efficiency.unwrap().value),
        ("usd_efficiency", summary.usd_efficiency.unwrap()),
        ("too_early", 0.2),
        ("too_late", 0.2),
        ("looped", 0.0),
        ("blocked", 0.2),
        ("clean_completion", clean.completion.unwrap()),
        ("clean_success", 0.5),
        ("clean_human_alignment", clean.human_alignment.unwrap()),
    ] {
        let measure = MEASURES.iter().find(|measure| measure.name == name).unwrap();
        let parts = verdicts.iter().filter_map(|verdict| measure.parts(verdict, Some(0.25)));
        let (above, under) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let found = above / under * measure.factor / if measure.factor > 1.0 { 100.0 } else { 1.0 };
        assert!((found - expected).abs() < 1e-9, "{name}: {found}, not {expected}");
    }
    assert_eq!(MEASURES.len(), 16, "each is tested above");
}
