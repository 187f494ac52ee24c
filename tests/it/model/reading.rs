//! How replies of a model are read: by the rules of the benchmark's released code, with members that are dropped, and cut
//! ones.

use serde_json::{Value, json};

use super::runs::{args, sandbox};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A Global episode of a level with this reply; returns its objects.
fn played(sandbox: &Sandbox, behavior: Behavior, reply: &str, more: &[&str]) -> Vec<Value> {
    let server = Server::start(behavior);
    server.queue_reply(reply);
    let all = [&["two.xsb", "--setting", "global"], more].concat();
    let result = sandbox.run(&args(&server.url(), &all));
    assert_eq!(result.code, Some(0), "{}", result.err);
    result.json_lines()
}

fn report(sandbox: &Sandbox) -> Value {
    sandbox.run(&["report", "last", "--store", "runs", "--json"]).json_lines().remove(0)
}

fn found(sandbox: &Sandbox, condition: &str) -> Vec<Value> {
    let result = sandbox.run(&["find", condition, "last", "--store", "runs", "--json"]);
    let rows = result.json_lines().into_iter().filter(|row| row["type"] == "found");
    rows.map(|row| json!([row["step"], row["marks"]])).collect()
}

#[test]
fn dropped_members_are_in_steps_and_reports_and_are_found() {
    let reply = "### Analyze\nEasy.\n\n### Actions\nRight, Jump, Fly high, Right\n";
    for (reader, marks, ia) in [
        ("strict", json!(["dropped"]), json!(0.0)),
        ("lenient", json!(["dropped"]), json!(0.0)),
        ("magebench", json!(["dropped", "ia"]), json!(100.0)),
    ] {
        let sandbox = sandbox();
        let objects = played(&sandbox, Behavior::Normal, reply, &["--reader", reader]);
        let [first, second, episode] = &objects[..] else { panic!("{objects:?}") };
        let dropped = &first["replies"][0];
        assert_eq!(
            json!([first["dropped"], dropped["dropped"], dropped["dropped_words"]]),
            json!([2, 2, ["Jump", "Fly high"]])
        );
        assert_eq!(json!([second["dropped"], episode["solved"]]), json!([0, true]), "{reader}");
        assert_eq!(found(&sandbox, "dropped>=1"), [json!([1, marks])], "{reader}");
        assert!(found(&sandbox, "dropped>2").is_empty());
        let row = report(&sandbox);
        assert_eq!(
            json!([row["dropped"], row["dropped_members"], row["ia"]]),
            json!([100.0, 2, ia]),
            "{reader}"
        );
        let text = sandbox.run(&["report", "last", "--store", "runs"]).success();
        assert!(text.contains("dropped members") && text.contains("2 in 100.0 %"), "{text}");
    }
}

#[test]
fn the_rules_of_the_released_code_lose_the_first_action_after_a_colon() {
    let reply = "### Actions: Right, Right, Right";
    let actions = |reader: &str| {
        let sandbox = sandbox();
        let objects = played(&sandbox, Behavior::Normal, reply, &["--reader", reader]);
        (objects.len() - 1, objects[0]["replies"][0]["dropped_words"].clone())
    };
    assert_eq!(actions("magebench"), (2, json!([": Right"])));
    // The name that these rules had before.
    assert_eq!(actions("parity"), (2, json!([": Right"])));
    assert_eq!(actions("lenient").1, json!([]));
    let sandbox = sandbox();
    played(&sandbox, Behavior::Normal, reply, &["--reader", "strict"]);
    let row = report(&sandbox);
    assert_eq!(
        json!([row["parse_errors"], row["dropped_members"]]),
        json!([1, 0]),
        "the server is asked again"
    );
}

#[test]
fn a_runaway_list_is_a_repeating_action_where_cut_replies_are_read() {
    let reply = format!("### Analyze\nEasy.\n### Actions\n{}", "Left, ".repeat(300));
    let sandbox = sandbox();
    let episode = played(&sandbox, Behavior::Length, &reply, &["--set", "play.on_cut=read"]).pop().unwrap();
    assert_eq!(
        json!([episode["ending"], episode["steps"], episode["on_cut"], episode["reply_endings"]]),
        json!(["step_limit", 50, "read", {"cut": 1}])
    );
    let row = report(&sandbox);
    assert_eq!(json!([row["ra"], row["ia"], row["parse_errors"]]), json!([100.0, 0.0, 0]));
    sandbox.run(&["replay", "last", "--store", "runs"]).success();
    let refused = sandbox.run(&args("http://127.0.0.1:9/v1", &["two.xsb", "--set", "play.on_refusal=read"]));
    assert!(refused.code == Some(2) && refused.err.contains("unknown variant `read`"), "{}", refused.err);
}

#[test]
fn a_cut_reply_is_unreadable_by_default() {
    let sandbox = sandbox();
    let reply = "### Actions\nRight, Right";
    let episode = played(&sandbox, Behavior::Length, reply, &[]).pop().unwrap();
    assert_eq!(episode["ending"], "unreadable");
}
