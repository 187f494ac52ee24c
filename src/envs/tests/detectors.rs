//! Every detector of the conditions by itself: it is true at one known step of a scripted episode, and stays silent in an
//! episode in which nothing happens. A detector that is broken, in either direction, fails its row.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mageyard_dialog::ReaderRules;
use mageyard_domain::{
    Agent, AgentError, Answer, DecisionInput, Price, Prices, Rate, Reply, SearchLimits, SentRequest, Setting,
    Usage, Window,
};
use mageyard_engine::{
    Breakpoints, Controller, Driver, Episode, EpisodeSummary, Event, EventSink, Head, JournalError, Known,
    Participants, RecordedAgent, RecordedPath,
};
use tokio_util::sync::CancellationToken;

/// Two boxes. The shortest solution pushes the upper one first, with the five actions of [`QUIET`] and one more.
const LEVEL: &str = "##########\n#        #\n# @$ .   #\n#   $ .  #\n##########\n";

/// A way along a shortest solution, in which no detector is true.
const QUIET: [&str; 5] = ["Right", "Right", "Left", "Down", "Right"];

/// Replies as written: an action, or after `=` the whole reply. Each needs ten tokens and ten milliseconds, except that of
/// step 3 in an episode that is slow.
struct Script {
    lines: Vec<&'static str>,
    slow: bool,
}

#[async_trait::async_trait]
impl Agent for Script {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let step = usize::try_from(ask.step).unwrap();
        let is_slow = self.slow && step == 3;
        ask.observer.sending(&Arc::new(SentRequest::default()))?;
        tokio::time::sleep(Duration::from_millis(if is_slow { 1500 } else { 10 })).await;
        let line = self.lines[step - 1];
        let text = match line.strip_prefix('=') {
            Some(whole) => whole.to_owned(),
            None => format!("# analyze\nx\n# action\n{line}\n"),
        };
        let input = if is_slow { 5000 } else { 10 };
        let usage = Some(Usage { input, ..Usage::default() });
        Ok(Answer::Replied(Reply { text, usage, ..Reply::default() }))
    }
}

struct NoSink;

impl EventSink for NoSink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }
}

fn known(recorded: Option<&Episode>) -> Arc<Known> {
    let rate = |text| Rate::parse(text).unwrap();
    let price = Price {
        input: rate("10"),
        output: rate("10"),
        cached: None,
        cache_write: None,
        currency: "USD".into(),
    };
    let recordings = recorded.map(|episode| ("before".to_owned(), vec![RecordedPath::of(episode)]));
    let recordings: BTreeMap<_, _> = recordings.into_iter().collect();
    Arc::new(Known { prices: Prices(vec![("m".to_owned(), price)]), recordings })
}

/// Plays the script, and goes on after each pause; the steps at which the run was paused, and the episode.
async fn played(breakpoints: &str, script: Script, known: Arc<Known>) -> (Vec<u32>, Episode) {
    let kind = mageyard_envs::environment("sokoban").unwrap();
    let level = kind.parse_levels(LEVEL).unwrap().remove(0);
    let agent = RecordedAgent { model: Some("m".into()), ..RecordedAgent::named("model") };
    let rules = ReaderRules::named("strict").unwrap();
    let head = Head::new("sokoban", "level", level.clone(), agent, rules, 0);
    let max_steps = u32::try_from(script.lines.len()).unwrap() + 1;
    let head = Head { max_steps, window: Window::new(5, 1).unwrap(), ..head };
    let cast = Participants {
        environment: kind.open(&level, &head.options, 0).unwrap(),
        agent: Box::new(script),
        form: kind.reply_format(Setting::Online).unwrap(),
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let driver = Driver::new(Episode::new(head.into()), cast, Box::new(NoSink), Duration::ZERO);
    let limits = SearchLimits { states: 100_000, ..SearchLimits::NONE };
    let mut controller = Controller::new(driver, kind, Some(limits));
    controller.set_breakpoints(breakpoints.parse::<Breakpoints>().unwrap().knowing(known));
    let go = CancellationToken::new();
    let mut paused = Vec::new();
    let mut reason = None;
    controller.half(&go).await.unwrap();
    while controller.episode().steps_done() + 1 < max_steps {
        controller.step(&go).await.unwrap();
        let now = controller.control().break_reason().map(str::to_owned);
        if now != reason {
            paused.push(controller.episode().steps_done());
            reason = now;
        }
    }
    (paused, controller.episode().clone())
}

fn quiet() -> Script {
    Script { lines: QUIET.to_vec(), slow: false }
}

#[tokio::test(start_paused = true)]
async fn every_detector_finds_its_step_and_nothing_else() {
    let (_, before) = played("step=99", quiet(), known(None)).await;
    let stuck = vec!["Left"; 12];
    let rows: [(&str, Vec<&'static str>, u32); 14] = [
        ("ia", vec!["Right", "Right", "Fly", "Left", "Down"], 3),
        ("parse_error", vec!["Right", "Right", "=I do not know", "Left", "Down"], 3),
        ("ra>=3", stuck.clone(), 6),
        ("frame_same>=2", vec!["Left", "Left", "Left", "Right", "Right"], 3),
        ("deadlock", vec!["Down", "Right", "Up", "Down", "Left"], 3),
        ("off_path", vec!["Right", "Left", "Right", "Right", "Left"], 2),
        ("reward_drop>1", vec!["Right", "Right", "Right", "Left", "Left"], 3),
        ("tokens>4000", QUIET.to_vec(), 3),
        ("cost>0.01", QUIET.to_vec(), 3),
        ("latency>1000", QUIET.to_vec(), 3),
        ("step=20", vec!["Left"; 21], 20),
        ("action=Up", vec!["Right", "Up", "Down", "Right", "Left"], 2),
        ("text~/stu.k/", vec!["Right", "Right", "=I am stuck", "Left", "Down"], 3),
        ("differs(before)", vec!["Right", "Up", "Down", "Right", "Left"], 2),
    ];
    for (condition, lines, step) in rows {
        let once = format!("{condition} once");
        let slow = ["tokens", "cost", "latency"].iter().any(|name| condition.starts_with(name));
        let (at, _) = played(&once, Script { lines, slow }, known(Some(&before))).await;
        assert_eq!(at, [step], "{condition}");
        let (silent, _) = played(condition, quiet(), known(Some(&before))).await;
        assert!(silent.is_empty(), "{condition} is true in a quiet episode, at {silent:?}");
        let (all, _) = played(&format!("not ({condition})"), quiet(), known(Some(&before))).await;
        // What counts steps in a row of a mark that lasts is true only where it becomes true.
        let known: &[u32] = if condition.starts_with("ra") { &[1] } else { &[1, 2, 3, 4, 5] };
        assert_eq!(all, known, "not {condition}: it is known at every step");
    }
}
