//! The agent `faulty`: every mistake happens and gets its verdict, a seed fixes the episode, and control
//! characters never reach the terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex};

use mageyard::agents::{AgentContext, create_agent};
use mageyard::dialog::{ReaderRules, parse_reply};
use mageyard::domain::{
    ActionSpace, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput, DecodedTurn, Digest,
    Observation, PartId, ReplyFormat, SentRequest, Setting,
};
use serde_json::{Value, json};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);
const GLOBAL: ReplyFormat = ReplyFormat::headings("# analyze", "# action", true);

#[derive(Default)]
struct TextObserver(Mutex<Vec<String>>);

impl AgentObserver for TextObserver {
    fn verify(&self, _: &[&DecodedTurn], _: &dyn Fn(PartId) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, event: AgentEvent) {
        if let AgentEvent::TextReceived(text) = event {
            self.0.lock().unwrap().push(text);
        }
    }
}

fn space() -> ActionSpace {
    ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
}

/// The replies at the first steps, three attempts each, and the text received while streaming.
async fn play(seed: u64, form: &ReplyFormat, steps: u32) -> Vec<(String, Vec<String>)> {
    let chair = AgentContext { seed, salt: "#@$.#".into(), ..AgentContext::default() };
    let mut agent = create_agent("faulty", chair).unwrap().agent;
    let observation = Observation::from_parts(vec![], "", Value::Null);
    let setting = if form.list { Setting::Global } else { Setting::Online };
    let mut replies = Vec::new();
    for (step, attempt) in (1..=steps).flat_map(|step| (1..=3).map(move |attempt| (step, attempt))) {
        let line = TextObserver::default();
        let space = space();
        let ask = DecisionInput {
            step,
            attempt,
            setting,
            form,
            observation: &observation,
            space: &space,
            steps_left: 50,
            request: &[],
            observer: &line,
        };
        let Answer::Replied(reply) = agent.decide(ask).await.unwrap() else { panic!("the agent gave up") };
        replies.push((reply.text, line.0.into_inner().unwrap()));
    }
    replies
}

/// The kind of mistake in a reply.
fn mistake_kind(reply: &str, list: bool) -> &'static str {
    let Some((_, action)) = reply.split_once("# action\n") else {
        return match reply.len() {
            0 => "empty",
            100_000 => "flood",
            _ => "bare",
        };
    };
    let names: Vec<&str> = action.trim_end().split(", ").collect();
    match action {
        action if action.contains('\u{1b}') => "steering",
        action if action.starts_with("```\n") && !action[3..].contains("```") => "fence",
        action if action.contains("Teleport") => "unknown",
        action if action.contains("I think") => "prose",
        action if action == action.to_lowercase() => "case",
        _ if list && names[0].contains(' ') || !list && names.len() == 2 => "two",
        _ => "good",
    }
}

async fn verdicts_by_mistake(form: &ReplyFormat) -> BTreeMap<&'static str, BTreeSet<String>> {
    let strict = ReaderRules::named("strict").unwrap();
    let mut found: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (reply, _) in play(1, form, 100).await {
        let verdict = parse_reply(&strict, form, &reply, &space()).result;
        let reported =
            verdict.map_or_else(|failure| failure.rule, |actions| format!("{} read", actions.len()));
        found.entry(mistake_kind(&reply, form.list)).or_default().insert(reported);
    }
    found
}

fn expected_verdicts(rows: &[(&'static str, &str)]) -> BTreeMap<&'static str, BTreeSet<String>> {
    rows.iter().map(|(sort, verdict)| (*sort, BTreeSet::from([(*verdict).to_owned()]))).collect()
}

#[tokio::test(start_paused = true)]
async fn every_mistake_happens_and_gets_its_verdict() {
    let mut expected = expected_verdicts(&[
        ("good", "1 read"),
        ("bare", "heading"),
        ("empty", "heading"),
        ("flood", "heading"),
        ("case", "action"),
        ("prose", "action"),
        ("two", "action"),
        ("unknown", "action"),
        ("fence", "action"),
        ("steering", "action"),
    ]);
    assert_eq!(verdicts_by_mistake(&ONLINE).await, expected);
    for sort in ["case", "prose", "two", "steering"] {
        expected.insert(sort, BTreeSet::from(["list".to_owned()]));
    }
    // The benchmark ignores list items that name no action.
    expected.extend(expected_verdicts(&[("good", "50 read"), ("unknown", "50 read"), ("fence", "49 read")]));
    assert_eq!(verdicts_by_mistake(&GLOBAL).await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_seed_fixes_replies_pauses_and_repetitions() {
    let reported = play(1, &ONLINE, 100).await;
    assert_eq!(reported, play(1, &ONLINE, 100).await);
    assert_ne!(reported, play(2, &ONLINE, 100).await);
    let slow: Vec<_> = reported.iter().filter(|(_, pieces)| !pieces.is_empty()).collect();
    assert!(slow.len() > 3, "{}", slow.len());
    for (reply, pieces) in slow {
        assert_eq!((&pieces.concat(), mistake_kind(reply, false)), (reply, "good"));
        assert!((8..=16).contains(&pieces.len()), "{}", pieces.len());
    }
    let stretches: Vec<_> = reported.chunks_exact(36).collect();
    let stuck =
        stretches.iter().filter(|stretch| stretch.iter().all(|replies| replies == &stretch[0])).count();
    assert!((1..stretches.len()).contains(&stuck), "{stuck}");
}

fn unsafe_character(text: &str) -> Option<char> {
    let steers = |c: &char| {
        matches!(*c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}') || c.is_control() && *c != '\n'
    };
    text.chars().find(steers)
}

#[test]
fn an_episode_of_mistakes_ends_and_is_reported() {
    let sandbox = Sandbox::new();
    let result = sandbox.run(&["run", "sokoban/mini/1", "--agent", "faulty", "--json", "--store", "runs"]);
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
        let args = ["run", "sokoban/mini/2", "--agent", "faulty", "--setting", setting, "--seed", "3"];
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
    let play = ["play", "sokoban/mini/1", "--agent", "faulty", "--pace", "0", "--max-steps", "30"];
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
