//! The agent `faulty`: every mistake happens and gets its verdict, a seed fixes the episode, and control
//! characters never reach the terminal.

use mageyard_agents::{AgentContext, create_agent};
use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{
    ActionSpace, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput, DecodedTurn, Digest,
    Observation, PartId, ReplyFormat, SentRequest, Setting,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

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
            question: None,
            probe: None,
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
