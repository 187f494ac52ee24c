//! Replies that were collected elsewhere: `run --agent replies`, and `readers try` on one of them.

use serde_json::json;

use crate::sandbox::{CommandResult, Sandbox};

const RUN: [&str; 7] = ["run", "--agent", "replies", "--from", "replies.jsonl", "--store", "runs"];

/// Plays these levels with a file of replies.
fn run(sandbox: &Sandbox, levels: &str, lines: &[String]) -> CommandResult {
    sandbox.write("work/replies.jsonl", lines.join("\n"));
    sandbox.run(&[&RUN[..], &[levels]].concat())
}

fn line(level: impl Into<serde_json::Value>, step: Option<usize>, action: &str) -> String {
    let mut line =
        json!({"level": level.into(), "text": format!("# analysis\nx\n# action\n{action}"), "model": "m"});
    if let Some(step) = step {
        line["step"] = step.into();
    }
    line.to_string()
}

#[test]
fn each_level_gets_its_replies_by_number_title_or_reference() {
    let sandbox = Sandbox::new();
    let lines = [
        line("sokoban/first/2", Some(2), "Right"),
        line(1, None, "Right"),
        line("2", Some(1), "Left"),
        line("3", None, "no action"),
    ];
    let played = run(&sandbox, "sokoban/first/1..3", &lines).success();
    let steps: Vec<_> = played.lines().filter(|line| line.starts_with(' ')).collect();
    let actions: Vec<_> = steps.iter().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(actions[..3], ["Right", "Left", "Right"], "{played}");
    assert!(played.contains("3 episodes"), "{played}");
    let journal =
        std::fs::read_to_string(sandbox.sessions("work/runs")[0].join("0003/journal.jsonl")).unwrap();
    assert_eq!(journal.matches("\"replied\"").count(), 1, "one reply is one parse error: {journal}");
    std::fs::remove_file(sandbox.path("work/replies.jsonl")).unwrap();
    let verified = sandbox.run(&["replay", "last", "--store", "runs"]).success();
    assert_eq!(verified.matches("identical").count(), 3, "{verified}");
    let report = sandbox.run(&["report", "last", "--store", "runs"]).success();
    assert!(report.contains("play.from replies.jsonl"), "{report}");
}

#[test]
fn every_mistake_in_a_file_of_replies_has_its_line() {
    let sandbox = Sandbox::new();
    let good = line(1, None, "Up");
    let check = |levels: &str, lines: &[String], says: &[&str]| {
        run(&sandbox, levels, lines).fails_with(2, says);
        assert!(!sandbox.path("work/runs").exists(), "nothing is begun");
    };
    check(
        "sokoban/first/1",
        &[good.clone(), line(7, None, "Up")],
        &["replies.jsonl:2", "no level of this run is 7"],
    );
    check("sokoban/first/1..2", std::slice::from_ref(&good), &["has no reply for sokoban/first/2"]);
    check(
        "sokoban/first/1",
        &[good.clone(), line("1", None, "Up")],
        &["replies.jsonl:2", "step 1", "line 1 too"],
    );
    check(
        "sokoban/first/1",
        &[good.clone(), line(1, Some(3), "Up")],
        &["replies.jsonl:2", "no reply for step 2"],
    );
    let broken = [
        "{\"level\": 1, \"text\": 3}",
        "{\"text\": \"Up\"}",
        "{\"level\": 1, \"step\": 0, \"text\": \"\"}",
        "hello",
    ];
    let says = ["text: must be a text", "level: is missing", "step: must be", "is not a JSON object"];
    for (line, says) in broken.into_iter().zip(says) {
        check("sokoban/first/1", &[good.clone(), line.to_owned()], &["replies.jsonl:2", says]);
    }
    check("sokoban/first/1", &[], &["has no replies"]);
    let run = sandbox.run(&["run", "sokoban/first/1", "--agent", "replies"]);
    run.fails_with(2, &["needs a file of replies", "--from FILE"]);
}

#[test]
fn a_reader_is_tried_on_one_reply() {
    let sandbox = Sandbox::new();
    sandbox.write("work/reply.txt", "## analysis\nA wall.\n**Action**\n`up`\n");
    let args = ["readers", "try", "strict", "reply.txt", "--environment", "sokoban"];
    let shown = sandbox.run(&args).success();
    insta::assert_snapshot!(shown);
    let read = sandbox.run(&[&args[..], &["--json"]].concat()).json_lines().remove(0);
    assert_eq!((&read["actions"], &read["rule"]), (&json!([]), &json!("heading")));
    assert_eq!((&read["lenient"]["actions"], &read["level"]), (&json!(["Up"]), &json!("sokoban/mini/1")));
    let place = &read["lenient"]["places"][0];
    assert_eq!(
        (&place["part"], &place["text"], &place["line"]),
        (&json!("action"), &json!("`up`"), &json!(4))
    );
    let level =
        sandbox.run(&["readers", "try", "lenient", "reply.txt", "--level", "sokoban/first/2", "--json"]);
    let level = level.json_lines().remove(0);
    assert_eq!((&level["actions"], level.get("lenient")), (&json!(["Up"]), None));
    let other =
        ["readers", "try", "strict", "reply.txt", "--environment", "hanoi", "--level", "sokoban/first"];
    sandbox.run(&other).fails_with(2, &["is a level of sokoban, not of hanoi"]);
    let neither = sandbox.run(&["readers", "try", "strict", "reply.txt"]);
    assert!(neither.code == Some(2) && neither.err.contains("--environment"), "{}", neither.err);
}
