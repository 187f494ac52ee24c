//! Progress over several acts, and the answers of the judge.

use std::sync::Arc;

use mageyard_domain::Answered;

use super::*;

fn answered(question: &mageyard_domain::Question, answer: Result<f64, &str>) -> Answered {
    let answer = answer.map(Value::from).map_err(str::to_owned);
    Answered { question: Arc::new(question.clone()), answer }
}

/// A node whose parameter `q` a judge compares, and one for the path `/end`.
fn judged_task() -> Task {
    task([
        node("url_semantic_match", json!({"key": "q", "reference_answer": "a tent"})),
        node("url_included_match", json!({"key": "", "reference_answer": "/end"})),
    ])
}

const STANDARD: NodeSettings = settings(Rules::Standard, JudgeAt::After);

#[test]
fn a_score_only_rises_and_a_full_node_is_closed() {
    let task = judged_task();
    let mut progress = Progress::of(&task);
    let mut answers = Vec::new();
    for (query, answer, expected) in [
        ("one", Ok(0.4), (0.4, Some(1))),
        ("two", Ok(0.2), (0.4, Some(1))),
        ("three", Err("not a number"), (0.4, Some(1))),
        ("four", Ok(0.777), (0.78, Some(4))),
        ("five", Ok(1.5), (1.0, Some(5))),
    ] {
        let act = act_on(&format!("https://a.test/?q={query}"), "click");
        let first = examine(&task, STANDARD, &act, &progress, &answers);
        assert_eq!((first.questions.len(), first.comparisons[0].score), (1, None), "{query}");
        answers.push(answered(&first.questions[0], answer));
        let second = examine(&task, STANDARD, &act, &progress, &answers);
        assert!(second.questions.is_empty());
        progress = second.progress;
        let node = progress.nodes[0];
        assert_eq!((node.score, node.act), expected, "{query}");
    }
    let act = act_on("https://a.test/?q=six", "click");
    let closed = examine(&task, STANDARD, &act, &progress, &answers);
    assert!(closed.questions.is_empty() && closed.comparisons.iter().all(|comparison| comparison.node == 1));
    assert!(!closed.progress.is_complete());
    let end = examine(&task, STANDARD, &act_on("https://a.test/end", "click"), &closed.progress, &answers);
    assert!(end.progress.is_complete() && end.progress.achieved() == 2.0);
    let stored = serde_json::to_string(&end.progress).unwrap();
    assert_eq!(serde_json::from_str::<Progress>(&stored).unwrap(), end.progress, "{stored}");
}

#[test]
fn an_answer_that_cannot_be_read_counts_zero_and_is_said() {
    let task = judged_task();
    let act = act_on("https://a.test/?q=one", "click");
    let asked = examine(&task, STANDARD, &act, &Progress::of(&task), &[]).questions.remove(0);
    let found = examine(&task, STANDARD, &act, &Progress::of(&task), &[answered(&asked, Err("no number"))]);
    let comparison = &found.comparisons[0];
    assert_eq!(comparison.score, Some(0.0));
    assert_eq!(
        comparison.sentence,
        "the answer of the judge on \"one\" cannot be read, which counts 0: no number"
    );
}

#[test]
fn an_opening_is_not_an_act() {
    let task = judged_task();
    let opening = act_on("https://a.test/end", "");
    let examination = examine(&task, STANDARD, &opening, &Progress::default(), &[]);
    assert_eq!(examination, Examination { progress: Progress::of(&task), ..Examination::default() });
}

#[test]
fn all_acts_of_an_episode_are_replayed_with_the_questions_of_the_episode() {
    let task = judged_task();
    let acts = ["?q=one", "?q=two", "end", "?q=three"]
        .map(|path| act_on(&format!("https://a.test/{path}"), "click"));
    let mut answers = Vec::new();
    let mut asked = Vec::new();
    let replayed = loop {
        let replayed = final_progress(&task, STANDARD, &acts, &answers);
        let Some(question) = replayed.questions.first() else { break replayed };
        asked.push(question.values["answer"].clone());
        answers.push(answered(question, Ok(if asked.len() == 2 { 1.0 } else { 0.5 })));
    };
    assert_eq!(asked, ["one", "two"], "a full node is not asked about again");
    assert_eq!((replayed.progress.achieved(), replayed.progress.acts), (2.0, 4));
    assert!(replayed.failed.is_empty());
    let short = final_progress(&task, STANDARD, &acts[..1], &answers);
    assert_eq!(short.failed.len(), 2, "{:?}", short.failed);
    assert_eq!(short.failed[1].found.as_deref(), Some("a.test/"));
}

#[test]
fn progress_of_another_task_counts_as_none() {
    let task = judged_task();
    let other = Progress { acts: 7, nodes: vec![NodeProgress { score: 1.0, act: Some(1) }] };
    let found = examine(&task, STANDARD, &act_on("https://a.test/end", "click"), &other, &[]);
    assert_eq!((found.progress.acts, found.progress.achieved()), (1, 1.0));
}

#[test]
fn several_acts_are_compared_one_after_the_other() {
    let task = judged_task();
    let acts = ["?q=one", "?q=two", "?q=one", "end"];
    let acts = acts.map(|path| act_on(&format!("https://a.test/{path}"), "click"));
    let all = examine_all(&task, STANDARD, &acts, &Progress::of(&task), &[]);
    assert_eq!((all.progress.acts, all.progress.achieved()), (4, 1.0));
    let asked: Vec<_> = all.questions.iter().map(|question| &question.values["answer"]).collect();
    assert_eq!(asked, ["one", "two"], "each question once");
    let answers = [answered(&all.questions[0], Ok(1.0))];
    let all = examine_all(&task, STANDARD, &acts, &Progress::of(&task), &answers);
    assert!(all.progress.is_complete() && all.questions.is_empty());
    assert_eq!(all.progress.nodes[0].act, Some(1));
}
