//! The agent `faulty`: every mistake happens and gets its verdict, a seed fixes the episode, and control
//! characters never reach the terminal.

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use serde_json::json;
use std::fs;

fn unsafe_character(text: &str) -> Option<char> {
    let steers = |c: &char| {
        matches!(*c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}') || c.is_control() && *c != '\n'
    };
    text.chars().find(steers)
}

#[test]
fn an_episode_of_mistakes_ends_and_is_reported() {
    let sandbox = Sandbox::new();
    let result = sandbox.run(&["run", "sokoban/full/1", "--agent", "faulty", "--json", "--store", "runs"]);
    assert_eq!(
        (result.code, unsafe_character(&result.out), unsafe_character(&result.err)),
        (Some(0), None, None),
        "{}",
        result.err
    );
    let report = sandbox.run(&["report", "--json", "--store", "runs", "last"]);
    let row = &report.json_lines()[0];
    assert_eq!(json!([row["agent"], row["episodes"]]), json!(["faulty", 1]));
    assert!(row["parse_errors"].as_u64().unwrap() > 5, "{row}");
    assert_eq!(row["ia"], json!(100.0), "{row}");
    let view = sandbox.run(&["view", "--json", "--store", "runs", "last"]).success();
    let report = sandbox.run(&["report", "--store", "runs", "last"]).success();
    assert_eq!((unsafe_character(&view), unsafe_character(&report)), (None, None));
}

#[test]
fn mistakes_repeat_after_a_truncated_journal_and_in_a_plan() {
    let sandbox = Sandbox::new();
    for setting in ["online", "global"] {
        let args = ["run", "sokoban/full/2", "--agent", "faulty", "--setting", setting, "--seed", "3"];
        let lines = sandbox.run(&[&args[..], &["--max-steps", "12", "--store", setting]].concat()).success();
        assert_eq!(unsafe_character(&lines), None);
        let session = sandbox.sessions(format!("work/{setting}")).remove(0);
        let journal = session.join("0001/journal.jsonl");
        // Without the line of the episode, which has its duration.
        let steps = || {
            let reported = sandbox.run(&["view", "--json", "--store", setting, "last"]).json_lines();
            reported.into_iter().filter(|object| object["type"] == "step").collect::<Vec<_>>()
        };
        let uninterrupted = steps();
        let bytes = fs::read(&journal).unwrap();
        assert_eq!(uninterrupted.len(), 12);
        let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in [head, usize::midpoint(head, bytes.len()), bytes.len() - 100] {
            fs::write(&journal, &bytes[..cut]).unwrap();
            let result = sandbox.run(&["run", "--resume", "last", "--store", setting]);
            assert_eq!(result.code, Some(0), "{}", result.err);
            assert_eq!(steps(), uninterrupted, "{setting}, cut at {cut}");
        }
    }
}

#[test]
fn control_characters_in_replies_are_shown_not_emitted() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color");
    let play = ["play", "sokoban/full/1", "--agent", "faulty", "--pace", "0", "--max-steps", "30"];
    let mut screen = Pty::start(&sandbox.command(&play), 120, 40);
    screen.sees("step 1 of 30").drawing_ends().press("space").sees("the end, after 30 steps");
    let journal = sandbox.sessions("data/mageyard/sessions").remove(0).join("0001/journal.jsonl");
    let reported = fs::read_to_string(journal).unwrap();
    let (before, _) = reported.split_once(r"\u001b]0;faulty").expect("a control sequence in the reply");
    let over = [r#""event":"acted""#, r#""event":"passed""#].map(|event| before.matches(event).count());
    screen.press(&format!(":{} enter", 1 + over[0] + over[1])).sees("␛]0;faulty␇⟨U+009B⟩");
    let shown = String::from_utf8(screen.bytes_from(0)).unwrap();
    for raw in ["\u{1b}]0;", "\u{7}", "\u{9b}", "\u{202e}", "\u{200b}"] {
        assert!(!shown.contains(raw), "{raw:?}");
    }
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}
