//! A tiny environment, a scripted agent, and an event sink that can be full.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use crate::{RecordedAgent, *};
use mageyard_dialog::ReaderRules;
use mageyard_domain::*;

/// A corridor of a given length; the goal is its right end.
#[derive(Clone)]
pub(super) struct Corridor {
    pub(super) at: u32,
    pub(super) length: u32,
}

impl World for Corridor {
    fn space(&self) -> ActionSpace {
        ActionSpace::new(&[("Left", "walk left"), ("Right", "walk right")])
    }

    fn observe(&mut self) -> Observation {
        let text =
            format!("{}@{}", ".".repeat(self.at as usize), ".".repeat((self.length - self.at) as usize));
        Observation::from_parts(vec![], text, serde_json::json!({ "at": self.at }))
    }

    fn status(&self) -> Status {
        if self.at == self.length { Status::Won } else { Status::Running }
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        match action.name.as_str() {
            "Left" => self.at = self.at.saturating_sub(1),
            "Right" => self.at += 1,
            _ => return self.space().check(action).map(|()| (0.0, None)).map_err(Into::into),
        }
        Ok((if self.at == self.length { 9.0 } else { -1.0 }, None))
    }
}

fn reference(length: u32) -> Reference {
    Reference { best: 10.0 - f64::from(length), steps: length }
}

pub(crate) struct CorridorSpec;

thread_local! {
    /// How often a dead state proof was requested.
    pub(crate) static ASKED: Cell<usize> = const { Cell::new(0) };
}

impl EnvironmentSpec for CorridorSpec {
    fn name(&self) -> &'static str {
        "corridor"
    }

    fn summary(&self) -> &'static str {
        "a corridor"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["txt"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[]
    }

    fn parse_levels(&self, _: &str) -> Result<Vec<Level>, LevelError> {
        Ok(Vec::new())
    }

    fn open(&self, level: &Level, _: &Options, _: u64) -> Result<Box<dyn Environment>, OptionError> {
        Ok(from_world(Corridor { at: 1, length: level.text().parse().unwrap() }))
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        Some(ReplyFormat::headings("# analyze", "# action", setting == Setting::Global))
    }

    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        Some(returns.best - reference?.best + 100.0)
    }

    fn capabilities(&self) -> &'static Capabilities {
        static CAPABILITIES: Capabilities = Capabilities {
            scoring: &CorridorSpec,
            tools: Tools { solver: Some(&CorridorSpec), ..Tools::NONE },
            ..Capabilities::NONE
        };
        &CAPABILITIES
    }
}

impl Scoring for CorridorSpec {
    fn reference(&self, level: &Level, _: &Options, _: &AtomicBool) -> Option<Reference> {
        Some(reference(level.text().parse().unwrap()))
    }

    /// Only a corridor of length 13 has a dead state: its left end.
    fn dead_state_reason(&self, seen: &Observation) -> Option<String> {
        ASKED.set(ASKED.get() + 1);
        let pit = seen.text().starts_with('@') && seen.text().len() == 14;
        pit.then(|| "the left end is a pit".to_owned())
    }
}

impl Solver for CorridorSpec {
    fn solve(&self, _: &Level, _: Objective, _: SearchBudget<'_>) -> Option<Result<Solution, SearchFailure>> {
        None
    }

    /// The number of dots right of the walker. It gives up without a state budget, and searches a corridor of length
    /// 12 for ever.
    fn distance_to_goal(
        &self,
        seen: &Observation,
        bounds: SearchBudget<'_>,
    ) -> Option<Result<u32, SearchFailure>> {
        if seen.text().len() == 13 {
            while !bounds.cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            return Some(Err(SearchFailure::Cancelled { states: 0 }));
        }
        if bounds.states == 0 {
            return Some(Err(SearchFailure::GaveUp { states: 0, limit: LimitKind::States }));
        }
        if self.dead_state_reason(seen).is_some() {
            return Some(Err(SearchFailure::Unsolvable { states: 1 }));
        }
        let left = seen.text().split('@').next_back().map_or(0, str::len);
        Some(Ok(u32::try_from(left).unwrap()))
    }
}

/// Replies as scripted for each step: an action in the reply format, or, after `=`, the raw text. Never replies
/// where the script has `…`.
#[derive(Clone)]
pub(crate) struct ScriptedAgent {
    pub(super) script: Vec<&'static str>,
    pub(super) asked: Arc<AtomicUsize>,
}

#[async_trait]
impl Agent for ScriptedAgent {
    async fn decide(&mut self, ask: DecisionInput<'_>) -> Result<Answer, AgentError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let line = self.script[(ask.step as usize - 1) % self.script.len()];
        match line {
            "…" => std::future::pending().await,
            "stand" => Ok(Answer::GaveUp),
            "broken" => Err(AgentError::NoAction { agent: "script", why: "no way".into() }),
            line if line.starts_with('=') => Ok(Answer::Replied(line.to_owned().into())),
            line => Ok(Answer::Replied(format!("# analyze\nstep {}\n# action\n{line}\n", ask.step).into())),
        }
    }
}

pub(crate) fn script(lines: &[&'static str]) -> ScriptedAgent {
    ScriptedAgent { script: lines.to_vec(), asked: Arc::default() }
}

pub(crate) fn head(setting: Setting, length: u32, max_steps: u32) -> Head {
    let level = Level { number: 1, title: None, source: length.to_string().into() };
    let agent = RecordedAgent::named("script");
    let rules = ReaderRules::named("strict").unwrap();
    let window = Window::new(5, 1).unwrap();
    let head = Head::new("corridor", "corridor", level, agent, rules, 0);
    Head { setting, window, prompt: "none".into(), max_steps, ..head }
}

pub(super) fn environment(head: &Head) -> Box<dyn Environment> {
    let level = head.to_level();
    CorridorSpec.open(&level, &head.options, head.seed).unwrap()
}

pub(crate) fn driver(head: Head, agent: ScriptedAgent, log: Box<dyn EventSink>) -> Driver {
    let form = CorridorSpec.reply_format(head.setting).unwrap();
    let environment = environment(&head);
    let length = head.level.text().parse().unwrap();
    let reference: Option<ReferenceSearch> = Some(Box::new(move |_| Some(self::reference(length))));
    let cast = Participants {
        environment,
        agent: Box::new(agent),
        form,
        prompts: Arc::default(),
        reference_search: reference,
        roles: crate::RoleSeats::default(),
    };
    Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO)
}

/// A sink that stores nothing, and fails while `full` is set, and once after this many writes.
#[derive(Clone)]
pub(crate) struct NullSink {
    pub(super) full: Arc<AtomicBool>,
    pub(super) fails_after: Arc<AtomicUsize>,
    pub(super) written: Arc<AtomicUsize>,
    /// Whether it holds events back, and how many it does.
    holds: bool,
    pub(super) held: Arc<AtomicUsize>,
}

impl Default for NullSink {
    fn default() -> Self {
        let fails_after = Arc::new(AtomicUsize::new(usize::MAX));
        Self {
            full: Arc::default(),
            fails_after,
            written: Arc::default(),
            holds: false,
            held: Arc::default(),
        }
    }
}

impl NullSink {
    /// A sink that writes each event at once, and one that holds events back.
    pub(super) fn both() -> [Self; 2] {
        [Self::default(), Self { holds: true, ..Self::default() }]
    }

    /// Writes so many events.
    fn write(&self, events: usize) -> Result<(), JournalError> {
        let left = self.fails_after.load(Ordering::Relaxed);
        self.fails_after.store(left.checked_sub(1).unwrap_or(usize::MAX), Ordering::Relaxed);
        if left == 0 || self.full.load(Ordering::Relaxed) {
            let source = std::io::ErrorKind::StorageFull.into();
            return Err(JournalError::Disk { path: "journal.jsonl".into(), source });
        }
        self.written.fetch_add(events, Ordering::Relaxed);
        self.held.store(0, Ordering::Relaxed);
        Ok(())
    }
}

impl EventSink for NullSink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        self.write(self.held.load(Ordering::Relaxed) + 1)
    }

    fn hold(&mut self, at: u64, event: &Event) -> Result<(), JournalError> {
        if !self.holds {
            return self.append(at, event);
        }
        self.held.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        match self.held.load(Ordering::Relaxed) {
            0 => Ok(()),
            held => self.write(held),
        }
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }
}
