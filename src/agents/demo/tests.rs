//! The script of the model: shares, forms, responses, and that the same seed gives the same.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::decision::Sight;
use super::reply_text::in_shape;
use super::script::{Fate, SHAPES, Shape};
use super::settings::{Faults, Shares};
use super::*;
use crate::ModelPool;
use crate::model::{InProcessServer, ServerResponse};
use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{
    Action, ActionSpace, AgentEvent, AgentObserver, DecodedTurn, Digest, Message, MessagePart, Observation,
    PartId, PolicyError, Reply, ReplyEnding, ReplyFormat, Role, Segment, SentRequest, Setting,
};

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);
const GLOBAL: ReplyFormat = ReplyFormat::headings("# analyze", "# action", true);

fn space() -> ActionSpace {
    ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
}

/// Always goes up.
struct Climber;

impl Policy for Climber {
    fn next_action(
        &mut self,
        _: u32,
        _: &Observation,
        _: &ActionSpace,
        _: &std::sync::atomic::AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        Ok(Some((Action::plain("Up"), "The goal is above".to_owned())))
    }

    fn plan(
        &mut self,
        _: &Observation,
        _: &ActionSpace,
        limit: u32,
        _: &std::sync::atomic::AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        Ok(((0..limit).map(|_| Action::plain("Up")).collect(), "The goal is above".to_owned()))
    }
}

/// What an agent said during decisions.
#[derive(Default)]
struct Observer {
    failed: Mutex<Vec<AgentError>>,
    text: Mutex<String>,
}

impl AgentObserver for Observer {
    fn verify(&self, _: &[&DecodedTurn], _: &dyn Fn(PartId) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, error: &AgentError) -> Result<(), AgentError> {
        self.failed.lock().unwrap().push(error.clone());
        Ok(())
    }

    fn notify(&self, event: AgentEvent) {
        if let AgentEvent::TextReceived(text) = event {
            self.text.lock().unwrap().push_str(&text);
        }
    }
}

/// The options of the agent, with these of the table `[demo]` and these of `[model]`.
fn options(demo: &Value, model: &Value) -> Options {
    let table = |name: &str| {
        let of = if name == settings::TABLE { demo } else { model };
        of.as_object().unwrap().clone().into_iter().collect::<Options>()
    };
    SETTINGS.read(table)
}

fn context(options: Options) -> AgentContext {
    AgentContext {
        seed: 1,
        salt: "level".into(),
        oracle: Some(|| Box::new(Climber)),
        options,
        ..AgentContext::default()
    }
}

fn agent(demo: &Value) -> Box<dyn Agent> {
    ROW.create(context(options(demo, &json!({})))).unwrap().agent
}

/// One decision with the space of four actions.
async fn decide(agent: &mut dyn Agent, form: &ReplyFormat, step: u32, observer: &Observer) -> Reply {
    let parts = vec![MessagePart::Text(Segment::Turn, "What next?".into())];
    let request = [Message { role: Role::User, parts }];
    let observation = Observation::from_parts(vec![], "", Value::Null);
    let input = DecisionInput {
        step,
        attempt: 1,
        setting: if form.list { Setting::Global } else { Setting::Online },
        form,
        observation: &observation,
        space: &space(),
        steps_left: 5,
        request: &request,
        question: None,
        probe: None,
        observer,
    };
    match agent.decide(input).await.unwrap() {
        Answer::Replied(reply) => reply,
        Answer::GaveUp => panic!("the agent gave up"),
    }
}

/// What a strict reader finds in a text: the actions, or the rule that failed.
fn read(form: &ReplyFormat, text: &str) -> Result<Vec<String>, String> {
    let strict = ReaderRules::named("strict").unwrap();
    let found = parse_reply(&strict, form, text, &space()).result;
    found.map(|actions| actions.iter().map(ToString::to_string).collect()).map_err(|error| error.rule.clone())
}

fn shares() -> Shares {
    Shares {
        parse_errors: 0.2,
        invalid_actions: 0.1,
        refusals: 0.05,
        cuts: 0.05,
        loops: 0.2,
        rate_limits: 0.1,
        lost_connections: 0.05,
    }
}

#[test]
fn mistakes_have_their_shares_over_many_steps() {
    const STEPS: u32 = 20_000;
    let choice = SeededChoice::new(7, "level");
    let settings =
        DemoSettings { skill: 0.7, pace: 0.0, frames: None, shares: shares(), faults: Faults::default() };
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for step in 1..=STEPS {
        let script = Script { choice: &choice, settings: &settings, step, attempt: 1 };
        let fate = match script.fate() {
            Fate::ParseError(shape) => {
                *counts.entry(format!("{shape:?}")).or_default() += 1.0;
                "ParseError".to_owned()
            }
            fate => format!("{fate:?}"),
        };
        let loops = if script.repeated().is_some() { "loops" } else { "goes on" };
        let right = if script.is_right(Sight::Whole) { "right" } else { "wrong" };
        let mood = format!("{:?}", script.server_mood(1));
        for name in [fate.as_str(), loops, right, &mood] {
            *counts.entry(name.to_owned()).or_default() += 1.0;
        }
    }
    let mut expected = vec![
        ("Readable", 0.6),
        ("ParseError", 0.2),
        ("InvalidAction", 0.1),
        ("Refused", 0.05),
        ("Cut", 0.05),
        ("loops", 0.2),
        ("right", 0.7),
        ("LimitsRate", 0.1),
        ("Breaks", 0.05),
        ("Answers", 0.85),
    ];
    let shapes = SHAPES.map(|shape| format!("{shape:?}"));
    expected.extend(shapes.iter().map(|shape| (shape.as_str(), 0.2 / 6.0)));
    for (name, share) in expected {
        let found = counts[name] / f64::from(STEPS);
        assert!((found - share).abs() < 0.02, "{name}: {found} in place of {share}");
    }
}

#[test]
fn every_wrong_form_fails_the_strict_reader() {
    let decision =
        Decision { actions: vec![Action::plain("Left")], reason: "It is near".into(), written: None };
    let observation = Observation::from_parts(vec![], "", Value::Null);
    let space = space();
    for (form, setting) in [(&ONLINE, Setting::Online), (&GLOBAL, Setting::Global)] {
        let observer = Observer::default();
        let input = DecisionInput {
            step: 1,
            attempt: 1,
            setting,
            form,
            observation: &observation,
            space: &space,
            steps_left: 5,
            request: &[],
            question: None,
            probe: None,
            observer: &observer,
        };
        for shape in SHAPES {
            let text = in_shape(shape, "I look at it.", &decision, &input);
            let rule = match shape {
                Shape::MissingBlock => "heading",
                _ if form.list => "list",
                _ => "action",
            };
            assert_eq!(read(form, &text), Err(rule.to_owned()), "{shape:?}: {text}");
        }
        let choice = SeededChoice::new(1, "");
        let settings = DemoSettings {
            skill: 1.0,
            pace: 0.0,
            frames: None,
            shares: Shares::default(),
            faults: Faults::default(),
        };
        let script = Script { choice: &choice, settings: &settings, step: 1, attempt: 1 };
        let good = reply_text(&script, Fate::Readable, &decision, &input);
        assert_eq!(read(form, &good), Ok(vec!["Left".to_owned()]), "{good}");
        let sentences = good.lines().nth(1).unwrap().matches('.').count();
        assert!((2..=4).contains(&sentences), "{good}");
        let unknown = reply_text(&script, Fate::InvalidAction, &decision, &input);
        assert!(unknown.contains("Teleport") && read(form, &unknown).is_err(), "{unknown}");
    }
}

#[tokio::test]
async fn skill_decides_how_often_the_expert_is_followed() {
    for (skill, least, most) in [(1.0, 40, 40), (0.5, 20, 32), (0.0, 0, 18)] {
        let mut agent = agent(&json!({"skill": skill}));
        let mut followed = 0;
        for step in 1..=40 {
            let reply = decide(agent.as_mut(), &ONLINE, step, &Observer::default()).await;
            followed += usize::from(read(&ONLINE, &reply.text).unwrap() == ["Up"]);
        }
        assert!((least..=most).contains(&followed), "{skill}: {followed}");
    }
}

#[tokio::test]
async fn a_plan_is_that_of_the_expert_or_has_one_wrong_action() {
    for (skill, wrong) in [(1.0, 0..=0), (0.0, 0..=1)] {
        let mut agent = agent(&json!({"skill": skill}));
        let reply = decide(agent.as_mut(), &GLOBAL, 1, &Observer::default()).await;
        let actions = read(&GLOBAL, &reply.text).unwrap();
        assert_eq!(actions.len(), 5);
        assert!(wrong.contains(&actions.iter().filter(|action| *action != "Up").count()), "{actions:?}");
    }
}

#[tokio::test]
async fn a_stretch_repeats_one_action() {
    let mut agent = agent(&json!({"skill": 0.0, "loops": 1.0}));
    let mut actions = Vec::new();
    for step in 1..=6 {
        let reply = decide(agent.as_mut(), &ONLINE, step, &Observer::default()).await;
        actions.extend(read(&ONLINE, &reply.text).unwrap());
    }
    assert!(actions.iter().all(|action| *action == actions[0]), "{actions:?}");
}

#[tokio::test]
async fn a_seed_fixes_replies_usage_and_failures() {
    let play = || async {
        let mut agent =
            agent(&json!({"parse_errors": 0.3, "rate_limits": 0.3, "refusals": 0.1, "cuts": 0.1}));
        let observer = Observer::default();
        let mut replies = Vec::new();
        for step in 1..=30 {
            replies.push(decide(agent.as_mut(), &ONLINE, step, &observer).await);
        }
        (replies, observer.failed.into_inner().unwrap())
    };
    let (replies, failed) = play().await;
    assert_eq!((replies.clone(), failed.clone()), play().await);
    assert!(failed.iter().all(|error| matches!(error, AgentError::Api { status: 429, .. })), "{failed:?}");
    assert!(!failed.is_empty());
    assert!(replies.iter().any(|reply| matches!(reply.ending, ReplyEnding::Refused { .. })));
    assert!(replies.iter().any(|reply| matches!(reply.ending, ReplyEnding::Cut { .. })));
    for reply in &replies {
        let usage = reply.usage.unwrap();
        assert!(usage.input > 0 && usage.output > 0, "{reply:?}");
        assert_eq!(reply.model.as_deref(), Some("demo"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_tried_again() {
    let mut agent = agent(&json!({"lost_connections": 0.4}));
    let observer = Observer::default();
    for step in 1..=5 {
        assert!(decide(agent.as_mut(), &ONLINE, step, &observer).await.text.contains("# action"));
    }
    let failed = observer.failed.into_inner().unwrap();
    assert!(!failed.is_empty(), "no connection broke");
    assert!(failed.iter().all(|error| matches!(error, AgentError::ConnectionLost { .. })), "{failed:?}");
}

#[tokio::test(start_paused = true)]
async fn replies_take_their_time_only_where_somebody_watches() {
    for (watched, pace) in [(true, 50.0), (true, 0.0), (false, 50.0)] {
        let pool = ModelPool::default();
        if watched {
            pool.watch();
        }
        let context = AgentContext { pool, ..context(options(&json!({"pace": pace}), &json!({}))) };
        let mut agent = ROW.create(context).unwrap().agent;
        let begun = Instant::now();
        let observer = Observer::default();
        let reply = decide(agent.as_mut(), &ONLINE, 1, &observer).await;
        assert_eq!(*observer.text.lock().unwrap(), reply.text);
        let tokens = u32::try_from(reply.usage.unwrap().output).unwrap();
        let took = begun.elapsed();
        if watched && pace > 0.0 {
            let least = Duration::from_millis(20) * tokens;
            assert!(took > least && took < least * 3, "{tokens} tokens in {took:?}");
        } else {
            assert_eq!(took, Duration::ZERO);
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_not_streamed_is_the_same() {
    let read = |stream: bool| async move {
        let options = options(&json!({"refusals": 0.3}), &json!({"stream": stream}));
        let mut agent = ROW.create(context(options)).unwrap().agent;
        let mut replies = Vec::new();
        for step in 1..=10 {
            let reply = decide(agent.as_mut(), &ONLINE, step, &Observer::default()).await;
            replies.push((reply.text, reply.ending, reply.usage.map(|usage| usage.output), reply.notes));
        }
        replies
    };
    assert_eq!(read(true).await, read(false).await);
}

fn server(fate: Fate, shares: Shares) -> DemoServer {
    DemoServer {
        choice: Arc::new(SeededChoice::new(1, "level")),
        settings: Arc::new(DemoSettings {
            skill: 1.0,
            pace: 40.0,
            frames: None,
            shares,
            faults: Faults::default(),
        }),
        step: 1,
        attempt: 1,
        tries: AtomicU32::new(0),
        fate,
        text: "# analyze\nIt is near.\n\n# action\nLeft\n".to_owned(),
        pace: 40.0,
    }
}

#[test]
fn the_server_speaks_the_protocol() {
    let respond = |fate, shares| -> ServerResponse {
        let body =
            json!({"model": "demo", "stream": true, "messages": [{"role": "user", "content": "abcd"}]});
        server(fate, shares).respond(body.to_string().as_bytes())
    };
    let text = |response: &ServerResponse| {
        let bytes: Vec<u8> = response.parts.iter().flat_map(|part| part.bytes.clone()).collect();
        String::from_utf8(bytes).unwrap()
    };
    let good = respond(Fate::Readable, Shares::default());
    assert_eq!((good.status, good.content_type), (200, "text/event-stream"));
    assert!(text(&good).ends_with("data: [DONE]\n\n"));
    assert!(text(&good).contains("\"prompt_tokens\":5"), "{}", text(&good));
    assert!(text(&respond(Fate::Cut, Shares::default())).contains("\"finish_reason\":\"length\""));
    assert!(text(&respond(Fate::Refused, Shares::default())).contains("\"refusal\":"));
    let limited = respond(Fate::Readable, Shares { rate_limits: 1.0, ..Shares::default() });
    assert_eq!((limited.status, limited.retry_after), (429, Some(1)));
    let broken = respond(Fate::Readable, Shares { lost_connections: 1.0, ..Shares::default() });
    assert!(broken.is_broken && !text(&broken).contains("finish_reason\":\"stop"));
}

#[test]
fn settings_out_of_range_and_models_of_servers_are_refused() {
    let error = |demo: Value, model: Value| {
        let created = ROW.create(context(options(&demo, &model)));
        created.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(error(json!({"skill": -1.0}), json!({"name": "demo-weak"})), "");
    for (demo, says) in [
        (json!({"skill": 1.5}), "demo.skill: 1.5 is out of range, allowed is 0 to 1, or -1"),
        (json!({"skill": -0.5}), "demo.skill: -0.5 is out of range, allowed is 0 to 1, or -1"),
        (json!({"pace": -1}), "demo.pace: -1 is out of range, allowed is 0 to 10000"),
        (json!({"cuts": 2}), "demo.cuts: 2 is out of range, allowed is 0 to 1"),
        (json!({"cuts": 0.6, "loops": 0.6}), "the shares of mistakes add up to 1.20"),
    ] {
        let error = error(demo, json!({}));
        assert!(error.starts_with(says) || error.contains(says), "{error}");
    }
    let other = error(json!({}), json!({"name": "gpt-4o"}));
    assert!(
        other.starts_with("model.name: the agent demo has no model \"gpt-4o\"; it has demo, "),
        "{other}"
    );
}

#[test]
fn what_is_set_for_a_real_server_is_not_used() {
    let given = json!({
        "base_url": "https://api.example.com/v1", "headers": {"X-Token": "${TOKEN}"}, "protocol": "messages",
        "key_variable": "auto", "temperature": 0.5,
    });
    let options = options(&json!({}), &given);
    assert_eq!((&options["base_url"], &options["protocol"]), (&json!(ADDRESS), &json!("chat")));
    assert_eq!((&options["headers"], &options["key_variable"]), (&json!({}), &json!("")));
    assert_eq!((&options["temperature"], &options["name"]), (&json!(0.5), &json!("demo")));
}

#[tokio::test]
async fn calls_have_seeds_of_their_own() {
    let calls = DemoAgent::new(context(options(&json!({"skill": 0.3}), &json!({})))).unwrap();
    let mut texts = Vec::new();
    for seed in [1, 1, 2, 3, 4, 5] {
        let (mut agent, is_seeded) = calls.agent(seed);
        assert!(is_seeded);
        texts.push(decide(agent.as_mut(), &ONLINE, 3, &Observer::default()).await.text);
    }
    assert_eq!(texts[0], texts[1]);
    assert!(texts[2..].iter().any(|text| *text != texts[0]));
}
