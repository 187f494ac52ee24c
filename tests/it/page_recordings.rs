//! Recordings of web pages without a browser: replies are parsed again, marks found, and losses reported.

use std::fs;

use mageyard::dialog::{History, ReaderRules, RequestLayout, parse_reply};
use mageyard::domain::{Action, EnvironmentSpec, Observation, Opening, Outcome, Setting, Status};
use mageyard::engine::{Event, Head, Journal, RecordedAgent};
use mageyard::envs::webui::action_space;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// The replies of three rounds: another label, a label that strict rules accept, and one block twice.
const REPLIES: [&str; 3] = [
    "# Analyze\nThe script is missing.\n# Regenerate\n```js\nconst x = 1;\n```",
    "# Analyze\nx\n# Regenerate\n```html\n<p>\n```",
    "# Analyze\nx\n# Regenerate\n```css\na {}\n```\n```css\nb {}\n```",
];

fn webui() -> &'static dyn EnvironmentSpec {
    mageyard::envs::environment("webui").unwrap()
}

fn state(round: usize, errors: &Value, losses: &Value) -> Observation {
    let facts = json!({"errors": errors, "losses": losses, "task_parts": 0});
    Observation::from_parts(Vec::new(), format!("round {round}"), facts)
}

/// The states after the rounds, with the change of the score.
fn outcomes() -> [(f64, Observation); 3] {
    let shares = |ren: f64, act: f64, attributes: f64| json!({"par": 0, "ren": ren, "act": act, "unmatched": 0, "position": 0, "attributes": attributes});
    [
        (0.0, state(1, &json!(["ren"]), &shares(1.0, 0.0, 0.0))),
        (40.0, state(2, &json!(["act"]), &shares(0.0, 0.5, 0.1))),
        (20.0, state(3, &json!([]), &shares(0.0, 0.25, 0.15))),
    ]
}

/// Writes a finished episode of three rounds into a session, as a run with a browser would.
pub(crate) fn record(sandbox: &Sandbox, session: &str) {
    let folder = sandbox.path("work/runs").join(session).join("0001");
    fs::create_dir_all(&folder).unwrap();
    let level = webui().parse_levels(webui().level_sets()[0].text).unwrap().remove(0);
    let rules = ReaderRules::named("lenient").unwrap();
    let form = rules.reply_format(&webui().reply_format(Setting::Online).unwrap());
    let head = Head {
        setting: Setting::Online,
        window: webui().capabilities().episodes.fixed_window.unwrap(),
        layout: RequestLayout { history: History::State, ..RequestLayout::default() },
        max_steps: 3,
        ..Head::new("webui", "webui/mini/1", level, RecordedAgent::named("random"), rules.clone(), 0)
    };
    let mut journal = Journal::create(&folder, &head).unwrap().storing_observations(true);
    let mut write = |event: Event| journal.append(0, &event).unwrap();
    let status = Status::Running;
    let space = action_space();
    let opening = Opening { observation: state(0, &json!([]), &Value::Null), space: space.clone(), status };
    let scoring = webui().capabilities().scoring;
    write(Event::Opened(opening, scoring.reference(&head.to_level(), &head.options, &false.into())));
    for (reply, (reward, observation)) in REPLIES.into_iter().zip(outcomes()) {
        let read = parse_reply(&rules, &form, reply, &space);
        let action: Action = read.result.unwrap().remove(0);
        write(Event::Asked);
        write(Event::Replied(reply.to_owned().into()));
        write(Event::Accepted(action.clone(), read.spans));
        write(Event::Acting(action.clone()));
        let outcome = Outcome { observation, space: space.clone(), reward, status, note: None };
        write(Event::Acted(action, outcome));
    }
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
            "parity",
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
    assert_eq!(report["score_by_step"], json!([0.0, 40.0, 60.0]));
    assert_eq!(
        report["losses"],
        json!({"act": 25.0, "attributes": 15.0, "par": 0.0, "position": 0.0, "ren": 0.0, "unmatched": 0.0})
    );
    assert_eq!((&report["ren"], &report["act"]), (&json!(100.0), &json!(100.0)));
    let text = sandbox.run(&["report", "pages", "--store", "runs", "--paper"]).success();
    for part in ["score after", "step 3", "score lost in %", "Par", "Claude-3.5-Sonnet", "64.11"] {
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
