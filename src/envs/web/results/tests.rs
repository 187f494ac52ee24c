use mageyard_domain::{
    ActProblem, Action, Arg, Conclusion, Ending, Level, Observation, Options, StoredEpisode, StoredStep,
};
use serde_json::{Value, json};

use super::*;
use crate::facts::{ActFacts, ChosenElement};
use crate::nodes::{NodeProgress, Progress};
use crate::task::Task;

fn record_of_task(name: &str) -> Value {
    json!({
        "index": "x",
        "task": name,
        "reference_task_length": 2,
        "evaluation": [
            {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "shop."}},
            {"match_function_name": "element_value_exactly_match", "content": {"reference_answer": "it's", "netloc": "shop"}}
        ]
    })
}

fn state(act: &ActFacts, scores: [f64; 2]) -> Observation {
    let nodes = scores.map(|score| NodeProgress { score, act: None }).to_vec();
    Observation::from_parts(
        Vec::new(),
        "",
        json!({"course": {"act": act, "progress": Progress { acts: 1, nodes }}}),
    )
}

fn act(verb: &str, text: Option<&str>) -> ActFacts {
    ActFacts {
        verb: verb.to_owned(),
        text: text.map(str::to_owned),
        after: "http://shop.test/".to_owned(),
        ..ActFacts::default()
    }
}

/// A search, and a form that is filled and fails.
fn steps() -> Vec<StoredStep> {
    let step = |observation, action: Option<&str>, problem| StoredStep {
        observation,
        action: action.map(|name| Action::plain(name).with("text", Arg::Text("x".to_owned()))),
        problem,
        reward: 0.0,
    };
    let element = ChosenElement {
        number: 7,
        css: Some("#b".to_owned()),
        label: "Name".to_owned(),
        ..ChosenElement::default()
    };
    let filled = ActFacts { element: Some(element), ..act("fill_form", Some("it's")) };
    vec![
        step(state(&act("", None), [0.0, 0.0]), Some("google_search"), None),
        step(
            state(&act("google_search", Some("a shop")), [1.0, 0.0]),
            Some("fill_form"),
            Some(ActProblem::Failed("too slow".into())),
        ),
        step(state(&filled, [1.0, 0.4]), None, None),
    ]
}

fn recorded(steps: &[StoredStep], ending: Ending) -> Result<OutTask, String> {
    let level = Level::from_text(3, None, record_of_task("Buy").to_string());
    let conclusion = Conclusion { ending, last_reply: None, answers: Vec::new(), steps: steps.to_vec() };
    let options = Options::new();
    let episode = StoredEpisode { level: &level, options: &options, conclusion: &conclusion, verdict: None };
    let trace = StepTrace {
        description: TraceDescription { thought: "I search".to_owned(), action: "Search".to_owned() },
        ..StepTrace::default()
    };
    record(&episode, &[trace])
}

#[test]
fn an_episode_is_written_in_the_form_of_the_released_code() {
    let task = recorded(&steps(), Ending::Finished).unwrap();
    let written = serde_json::to_value([&task]).unwrap();
    let expected = json!([{
        "task_id": 2,
        "task_name": "Buy",
        "task_status": "llm_finished",
        "step_list": [
            {
                "step_index": 0,
                "trace_description": {"thought": "I search", "action": "Search"},
                "selector": "",
                "element_value": "",
                "action": "google_search[a shop]",
                "task_score": "1 / 2",
                "task_score_rate": 0.5,
                "current_reward_score_description": {},
                "url": "http://shop.test/",
                "match_result": "[{'url_included_match': 'shop.'}]",
                "error": ""
            },
            {
                "step_index": 1,
                "trace_description": {"thought": "", "action": ""},
                "selector": "#b",
                "element_value": "it's",
                "action": "fill_form[7,it's]",
                "task_score": "1.4 / 2",
                "task_score_rate": 0.7,
                "current_reward_score_description": {},
                "url": "http://shop.test/",
                "match_result": "[{'url_included_match': 'shop.'}]",
                "error": "too slow"
            }
        ],
        "evaluation": [
            {"match_function": "url_included_match", "key": "", "reference_answer": "shop.", "score": 1.0},
            {"match_function": "element_value_exactly_match", "reference_answer": "it's", "netloc": "shop", "score": 0.4}
        ]
    }]);
    assert_eq!(written, expected);
    let result = result_file(&[task], Some(0.7));
    assert_eq!(
        result,
        json!({
            "task_counts": 1,
            "average_step_score_rate": 0.7,
            "average_efficiency_score": 2.0 / 1.4,
            "usd_efficiency_score": 0.7 / 1.4,
            "key_node_completion_rate": 0.7,
            "task_success_rate": 0.0,
            "task_near_success_rate": 0.0
        })
    );
}

#[test]
fn a_state_without_facts_is_named() {
    let mut steps = steps();
    steps[2].observation =
        Observation::from_parts(Vec::new(), "", json!({"course": {"act": act("click", None)}}));
    let error = recorded(&steps, Ending::StepLimit).unwrap_err();
    assert_eq!(error, "the state after step 2 has no fact course.progress");
    assert_eq!(recorded(&steps[..1], Ending::StepLimit).unwrap().step_list, []);
}

fn task_of(name: &str) -> Task {
    Task::read(record_of_task(name).as_object().unwrap()).unwrap()
}

fn out(name: &str, status: &str, scores: &[&str], action: &str) -> Value {
    let step =
        |(index, score): (usize, &&str)| json!({"step_index": index, "task_score": score, "action": action});
    let steps: Vec<Value> = scores.iter().enumerate().map(step).collect();
    json!({"task_id": 0, "task_name": name, "task_status": status, "step_list": steps, "evaluation": [{}, {}]})
}

#[test]
fn results_of_the_released_program_are_scored_by_both_readings() {
    let file = json!([
        out("Buy", "finished", &["0 / 2", "2 / 2"], "click[3]"),
        out("Sell", "llm_finished", &["0 / 2", "0 / 2", "1.0 / 2"], "click[3]"),
        out("Rent", "limit", &[], ""),
        out("Lend", "finished", &["1 / 2"], "get_final_answer[x]"),
    ]);
    let results = read_out(&serde_json::to_string_pretty(&file).unwrap()).unwrap();
    let signals: Vec<bool> = results.iter().map(|result| result.signalled).collect();
    assert_eq!(signals, [false, true, false, true]);
    let tasks = ["Lend", "Buy", "Sell", "Rent"].map(task_of);
    let scored = score_results(&results, &tasks, None).unwrap();
    assert_eq!(scored.all.completion, Some(0.5));
    assert_eq!((scored.all.success, scored.success_by_status), (Some(0.25), 0.5), "one status is wrong");
    assert_eq!(scored.all.efficiency_with_zeros, Some((1.0 + 3.0 + 0.0 + 1.0) / 4.0));
    assert_eq!(scored.all.efficiency_of_sums, Some(6.0 / 4.0));
    assert_eq!(scored.all.human_alignment, Some((0.95 + 0.5 + 0.0 + 0.5) / 4.0));
    assert_eq!(scored.statuses, [2, 1, 0, 1, 0, 0]);
}

#[test]
fn what_is_wrong_with_results_has_a_line_and_a_field() {
    let good = out("Buy", "finished", &["2 / 2"], "");
    let changed = |pointer: &str, value: Value| {
        let mut task = good.clone();
        *task.pointer_mut(pointer).unwrap() = value;
        format!("[\n{good},\n{task}\n]")
    };
    for (text, expected) in [
        ("[]".to_owned(), "line 1: has no tasks"),
        (
            changed("/task_status", json!("finishd")),
            "line 3: task_status: \"finishd\" is not known; known is finished",
        ),
        (
            changed("/step_list/0/task_score", json!("3 / 2")),
            "line 3: step_list[0].task_score: \"3 / 2\" is not a score such as \"1 / 4\"",
        ),
        (changed("/step_list/0/task_score", json!(2)), "line 3: step_list[0].task_score: is not a text"),
        (changed("/step_list", json!({})), "line 3: step_list: is not a list of objects"),
        (changed("/task_name", Value::Null), "line 3: task_name: is missing"),
    ] {
        let error = read_out(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let results = read_out(&format!("[\n{good}]")).unwrap();
    let error = score_results(&results, &[task_of("Sell")], None).unwrap_err();
    assert_eq!(error.to_string(), "line 2: task_name: \"Buy\" is not a task of the file");
    let mut more = task_of("Buy");
    more.nodes.truncate(1);
    let error = score_results(&results, &[more], None).unwrap_err();
    assert_eq!(error.to_string(), "line 2: step_list: the score is of 2 nodes; the task has 1");
}
