//! Recordings of web pages without a browser: replies are parsed again, marks found, and losses reported.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Adds a finished episode of three rounds as a session, as a run with a browser would. Its replies have another label, a
/// label that strict rules accept, and one block twice.
pub(crate) fn record(sandbox: &Sandbox, session: &str) {
    let folder = format!("work/runs/{session}/0001");
    sandbox.write(format!("{folder}/journal.jsonl"), include_str!("data/webui/journal.jsonl"));
}

fn objects(sandbox: &Sandbox, args: &[&str], sort: &str) -> Vec<Value> {
    let result = sandbox.run(&[args, &["--store", "runs", "--json"]].concat());
    assert_eq!(result.code, Some(0), "{}", result.err);
    result.json_lines().into_iter().filter(|object| object["type"] == sort).collect()
}

#[test]
fn stored_replies_are_read_again_by_every_reader() {
    let sandbox = Sandbox::new();
    record(&sandbox, "pages");
    for (reader, errors, changes) in [
        ("lenient", 0, vec![]),
        ("strict", 1, vec![(1, Value::Null)]),
        (
            "magebench",
            0,
            vec![
                (1, json!(r#"write(js=" = 1;\n")"#)),
                (2, json!(r#"write(html="\n<p>\n")"#)),
                (3, json!(r#"write(css="\nb {}\n")"#)),
            ],
        ),
    ] {
        let again = ["reparse", "pages", "--reader", reader];
        let total = &objects(&sandbox, &again, "reparse_total")[0];
        assert_eq!(
            (&total["replies"], &total["parse_errors_after"]),
            (&json!(3), &json!(errors)),
            "{reader}"
        );
        let changed: Vec<(u64, Value)> = objects(&sandbox, &again, "change")
            .iter()
            .map(|row| (row["step"].as_u64().unwrap(), row["after"].clone()))
            .collect();
        assert_eq!(changed, changes, "{reader}");
    }
}

#[test]
fn errors_are_found_and_losses_reported() {
    let sandbox = Sandbox::new();
    record(&sandbox, "pages");
    for (mark, step) in [("ren", 1), ("act", 2)] {
        let found = objects(&sandbox, &["find", mark, "pages"], "found");
        let steps: Vec<_> = found.iter().map(|row| row["step"].clone()).collect();
        assert_eq!(steps, [json!(step)], "{mark}");
    }
    let report = &objects(&sandbox, &["report", "pages"], "report")[0];
    assert_eq!(report["score"], json!(60.0));
    assert_eq!(report["score_by_step"], json!([0.0, 0.0, 40.0, 60.0]));
    assert_eq!(
        report["losses"],
        json!({"act": 25.0, "attributes": 15.0, "par": 0.0, "position": 0.0, "ren": 0.0, "unmatched": 0.0})
    );
    assert_eq!((&report["ren"], &report["act"]), (&json!(100.0), &json!(100.0)));
    let text = sandbox.run(&["report", "pages", "--store", "runs", "--paper"]).success();
    for part in [
        "Scores by step: webui/mini",
        "score after step",
        "score lost in %",
        "Par",
        "Claude-3.5-Sonnet",
        "64.11",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_window_with_history_is_refused_before_anything_is_opened() {
    let sandbox = Sandbox::new();
    for (flag, value) in [("--am", "3"), ("--om", "2")] {
        sandbox
            .run(&["run", "webui/mini/1", flag, value, "--store", "runs"])
            .fails_with(2, &[flag, "the window is fixed at AM=1, OM=1", "--am 1 --om 1"]);
    }
    assert!(!sandbox.path("work/runs").exists(), "no session was made");
}
