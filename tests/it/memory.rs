//! What the memory of recorded episodes cost.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// The sum of the tokens in an object of parts.
fn sum(parts: &Value) -> u64 {
    parts.as_object().unwrap().values().map(|part| part["tokens"].as_u64().unwrap()).sum()
}

fn keys(parts: &Value) -> Vec<&str> {
    parts.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_parts_of_requests_have_all_tokens_that_the_server_counted() {
    let sandbox = Sandbox::new();
    let model = ["--agent", "demo", "--model", "demo", "--max-steps", "8", "--store", "runs"];
    let window = ["--am", "3", "--om", "2", "--set", "memory.keep=\"first\""];
    sandbox.run(&[&["run", "sokoban/full/4..7"], &model[..], &window].concat());
    let audit = sandbox.run(&["memory", "audit", "last", "--json", "--store", "runs"]).json_lines().remove(0);
    assert_eq!((&audit["type"], &audit["model"]), (&"memory_audit".into(), &"demo".into()));
    assert_eq!(audit["uncounted"], 0);
    assert_eq!(sum(&audit["parts"]), audit["input"].as_u64().unwrap());
    assert_eq!(sum(&audit["frames"]), audit["parts"]["frame"]["tokens"].as_u64().unwrap());
    assert_eq!(sum(&audit["outputs"]), audit["parts"]["output"]["tokens"].as_u64().unwrap());
    // Frames of OM 2, and the first one, which is further back with each step.
    assert!(keys(&audit["frames"]).len() > 3, "{audit}");
    assert_eq!(audit["frames"]["1"]["again"], audit["frames"]["1"]["tokens"]);
    assert!(keys(&audit["outputs"]).iter().all(|back| ["0", "1", "2", "3"].contains(back)), "{audit}");
    assert!(audit["outputs"]["2"]["tokens"].as_u64() > Some(0));

    // As the report counts them.
    let report = sandbox.run(&["report", "last", "--format", "json", "--store", "runs"]).json_lines();
    let row = report.iter().find(|row| row["type"] == "report").unwrap();
    assert_eq!(row["tokens_in"], audit["input"], "{row}");
    let lines = sandbox.run(&["memory", "audit", "last", "--store", "runs"]).success();
    assert!(lines.contains("which a cache of prompts can hold"), "{}", lines);
    assert!(lines.contains("frame, 1 step back"), "{}", lines);
}

#[test]
fn agents_that_send_no_requests_have_nothing_to_pay_for() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "sokoban/first/1", "--agent", "random", "--max-steps", "2", "--store", "runs"]);
    let audit = sandbox.run(&["memory", "audit", "--store", "runs"]).success();
    assert_eq!(audit, "no request was recorded: the agents of these sessions send none\n");
    sandbox.run(&["memory", "audit", "nothing", "--store", "runs"]).fails_with(2, &["nothing"]);
}
