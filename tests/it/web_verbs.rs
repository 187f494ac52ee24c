//! The verbs below `web` that need no browser.

use crate::sandbox::Sandbox;

const NODE: &str =
    r#"{"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": ";size=3"}}"#;
const TASKS: &str = r#"[
  {"index": 0, "task": "Go there", "reference_task_length": 2, "evaluation": [
    {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/b"}},
    {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/c"}}
  ]}
]"#;

fn result(status: &str, score: &str) -> String {
    format!(
        r#"[{{"task_id": 0, "task_name": "Go there", "task_status": "{status}", "evaluation": [{{}}, {{}}],
"step_list": [{{"step_index": 0, "task_score": "0 / 2"}}, {{"step_index": 1, "task_score": "{score}"}}]}}]"#
    )
}

#[test]
fn nodes_are_compared_by_both_rule_sets() {
    let sandbox = Sandbox::new();
    let act = r#"{"before": "http://a.test/b;size=3", "verb": "click"}"#;
    sandbox.write("work/nodes.jsonl", format!("{{\"node\": {NODE}, \"act\": {act}}}\n"));
    let printed = sandbox.run(&["web", "nodes", "nodes.jsonl", "--judge-at", "before"]).success();
    assert!(printed.contains(r#"the address "a.test/b;size=3" contains ";size=3""#), "{printed}");
    assert!(printed.contains(r#"the address "a.test/b" does not contain ";size=3""#), "{printed}");
    sandbox.write("work/wrong.jsonl", format!("\n{{\"node\": {NODE}, \"act\": {{\"vreb\": \"click\"}}}}\n"));
    sandbox
        .run(&["web", "nodes", "wrong.jsonl"])
        .fails_with(2, &["wrong.jsonl:2", "act.vreb: is not a known field"]);
}

#[test]
fn results_are_scored_by_both_readings() {
    let sandbox = Sandbox::new();
    sandbox.write("work/tasks.json", TASKS);
    sandbox.write("work/out.json", result("finished", "1 / 2"));
    let printed = sandbox.run(&["web", "score", "out.json", "--tasks", "tasks.json", "--usd", "3"]).success();
    for line in ["tasks.json: 1 task, 2 nodes", "out.json: 1 result, 1 finished", "success %", "100.0"] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    sandbox.write("work/out.json", result("finished", "3 / 2"));
    sandbox
        .run(&["web", "score", "out.json", "--tasks", "tasks.json"])
        .fails_with(2, &["out.json:1", "step_list[1].task_score"]);
    sandbox.write("work/tasks.json", TASKS.replace("url_included_match", "url_includes"));
    sandbox
        .run(&["web", "score", "out.json", "--tasks", "tasks.json"])
        .fails_with(2, &["tasks.json:2", "did you mean url_included_match"]);
}
