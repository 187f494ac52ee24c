//! Book Hanoi: the shipped levels and the verbs.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const SCATTERED_LEVEL: &str = "; scattered\nA: 3 1\nB: 2\nC:\n";

#[test]
fn a_level_is_solved_and_the_solution_can_be_traced() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.hanoi", SCATTERED_LEVEL);
    let rows = sandbox.run(&["levels", "solve", "--json", "a.hanoi"]).json_lines();
    assert_eq!(json!([rows[0]["moves"], rows[0]["pushes"], rows[0]["lurd"]]), json!([5, null, null]));
    let actions: Vec<&str> =
        rows[0]["actions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let words = sandbox.run(&["levels", "solve", "a.hanoi"]).success();
    assert!(words.contains("a.hanoi#1  scattered: optimal, 5 moves: AB AC BA BC AC  ("), "{words}");
    let trace = ["levels", "trace", "a.hanoi", "--json", "--actions", &actions.join(", ")];
    let rows = sandbox.run(&trace).json_lines();
    let fields = |row: &Value| json!([row["reward"], row["score"], row["status"], row["board"]]);
    assert_eq!(fields(&rows[0]), json!([-0.5, 22.5, "running", "A: 3\nB: 2 1\nC:"]));
    assert_eq!(fields(&rows[1]), json!([9.5, 31.5, "running", "A:\nB: 2 1\nC: 3"]));
    assert_eq!(fields(&rows[4]), json!([59.5, 100.0, "won", "A:\nB:\nC: 3 2 1"]));
}

#[test]
fn the_oracle_scores_100_and_idle_its_baseline_in_both_settings() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.hanoi", SCATTERED_LEVEL);
    for (agent, setting, steps, score) in
        [("oracle", "online", 5, 100.0), ("oracle", "global", 5, 100.0), ("idle", "online", 0, 22.5)]
    {
        let args = ["run", "a.hanoi", "--json", "--agent", agent, "--setting", setting];
        let rows = sandbox.run(&args).json_lines();
        let episode = rows.iter().find(|row| row["type"] == "episode").unwrap();
        let found = json!([episode["steps"], episode["score"], episode["solved"]]);
        assert_eq!(found, json!([steps, score, agent == "oracle"]), "{agent} {setting}");
        let in_place = if agent == "oracle" { 3 } else { 0 };
        assert_eq!(episode["metrics"], json!({ "in_place": in_place }), "{agent} {setting}");
    }
}

#[test]
fn a_mistake_in_a_file_is_shown_with_its_line() {
    let sandbox = Sandbox::new();
    sandbox.write("work/bad.hanoi", "; x\nA: 3 1\nB: 1 2\nC:\n");
    let result = sandbox.run(&["levels", "check", "bad.hanoi"]);
    result.fails_with(2, &["bad.hanoi", "3", "book 1 is already in region A"]);
    sandbox.write("work/mageyard.toml", "[hanoi]\nscale = 40\n");
    sandbox.run(&["frame", "hanoi"]).fails_with(2, &["scale", "40 is not a whole number from 1 to 16"]);
}

#[test]
fn frame_prints_text_outside_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.hanoi", SCATTERED_LEVEL);
    let text = sandbox.run(&["frame", "a.hanoi"]).out;
    assert!(text.starts_with("\n  [1]\n[  3  ]   [ 2 ]\n===A===  ===B===  ===C===\n\nA number is"), "{text}");
}
