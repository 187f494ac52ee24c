//! The time of an episode of 1000 steps with a random agent, with and without a journal on disk, compared with the
//! environment alone and with writing the bytes of the journal alone; and of sessions of 3000, 6000 and 30,000 steps
//! with all their snapshots, which must take the same time per step.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic")]

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mageyard::agents::{AgentContext, create_agent};
use mageyard::dialog::ReaderRules;
use mageyard::domain::{
    Action, Agent, AgentError, Answer, DecisionInput, EnvironmentSpec, Level, Setting, Window,
};
use mageyard::engine::{
    Driver, Episode, EpisodeSummary, Event, EventSink, Head, Journal, JournalError, Participants,
    RecordedAgent, Session, SessionCommand, SessionOptions,
};

const STEPS: u32 = 1000;

/// Discards all events.
struct Discard;

impl EventSink for Discard {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }
}

fn head(level: &Level) -> Head {
    let agent = RecordedAgent::named("random");
    let rules = ReaderRules::named("strict").expect("shipped");
    let head = Head::new("sokoban", "sokoban/mini/1", level.clone(), agent, rules, 0);
    Head {
        options: [("tile".to_owned(), 16.into()), ("solver_states".to_owned(), 100_000.into())].into(),
        seed: 7,
        window: Window::new(5, 1).expect("legal"),
        prompt: "0s-CoT".into(),
        max_steps: STEPS,
        ..head
    }
}

fn driver(kind: &'static dyn EnvironmentSpec, level: &Level, log: Box<dyn EventSink>) -> Driver {
    let seating = AgentContext { seed: 7, salt: level.text().to_owned(), ..AgentContext::default() };
    let agent = create_agent("random", seating).expect("random needs nothing").agent;
    driver_of(kind, level, head(level), agent, log)
}

fn driver_of(
    kind: &'static dyn EnvironmentSpec,
    level: &Level,
    head: Head,
    agent: Box<dyn Agent>,
    log: Box<dyn EventSink>,
) -> Driver {
    let environment = kind.open(level, &head.options, head.seed).expect("a shipped level opens");
    let form = kind.reply_format(Setting::Online).expect("Online");
    let participants = Participants {
        environment,
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    Driver::new(Episode::new(head.into()), participants, log, Duration::ZERO)
}

/// Walks to and fro, and decides at once.
struct Shuttle;

#[async_trait]
impl Agent for Shuttle {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let action = Action::plain(if input.step.is_multiple_of(2) { "Left" } else { "Right" });
        Ok(Answer::Replied(input.form.write("to and fro", &[action], input.space).into()))
    }
}

/// Plays a session of so many steps to its end; returns the steps that its last snapshot shows.
async fn play_session(kind: &'static dyn EnvironmentSpec, level: &Level, steps: u32) -> u32 {
    let head = Head { max_steps: steps, ..head(level) };
    let driver = driver_of(kind, level, head, Box::new(Shuttle), Box::new(Discard));
    let options = SessionOptions {
        kind,
        person: None,
        pace: Duration::ZERO,
        distance_limits: None,
        folder: "nowhere".into(),
    };
    let mut session = Session::start(driver, options);
    let commands = session.commands.clone().expect("a running session");
    commands.send(SessionCommand::Run(None)).expect("a running session");
    let ended = session.snapshots.wait_for(|snapshot| snapshot.run.waiting.ending().is_some()).await;
    let done = ended.expect("a running session").steps_done();
    commands.send(SessionCommand::Leave).expect("a running session");
    done
}

fn sessions(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let kind = mageyard::envs::environment("sokoban").expect("sokoban");
    let level = kind.parse_levels(kind.level_sets()[0].text).expect("a shipped set").swap_remove(0);
    let mut group = c.benchmark_group("a session");
    group.sample_size(10);
    for steps in [3000, 6000, 30_000] {
        group.throughput(Throughput::Elements(steps.into()));
        group.bench_with_input(BenchmarkId::new("steps", steps), &steps, |b, steps| {
            b.iter(|| assert_eq!(runtime.block_on(play_session(kind, &level, *steps)), *steps));
        });
    }
    group.finish();
}

/// Writes the lines of a journal with one call per line.
fn write_lines(lines: &[&str], folder: &Path) {
    let file = File::create(folder.join("lines")).expect("a file");
    let mut at = 0;
    for line in lines {
        file.write_all_at(line.as_bytes(), at).expect("room");
        at += line.len() as u64;
    }
    file.sync_data().expect("room");
}

fn steps(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let kind = mageyard::envs::environment("sokoban").expect("sokoban");
    let level = kind.parse_levels(kind.level_sets()[0].text).expect("a shipped set").swap_remove(0);
    let mut group = c.benchmark_group("a thousand steps");
    group.throughput(Throughput::Elements(STEPS.into())).sample_size(20);

    group.bench_function("random, journal on", |b| {
        b.iter_batched(
            || tempfile::tempdir().expect("a folder"),
            |folder| {
                let journal = Journal::create(folder.path(), &head(&level)).expect("a journal");
                runtime.block_on(driver(kind, &level, Box::new(journal)).run_to_end()).expect("an end");
                folder
            },
            criterion::BatchSize::PerIteration,
        );
    });
    group.bench_function("random, no journal", |b| {
        b.iter(|| runtime.block_on(driver(kind, &level, Box::new(Discard)).run_to_end()).expect("an end"));
    });

    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::create(folder.path(), &head(&level)).expect("a journal");
    runtime.block_on(driver(kind, &level, Box::new(journal)).run_to_end()).expect("an end");
    let text = std::fs::read_to_string(folder.path().join("journal.jsonl")).expect("a journal");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    group.bench_function("baseline: the environment alone", |b| {
        b.iter(|| {
            let mut environment = kind.open(&level, &head(&level).options, 0).expect("a level");
            let context = mageyard::domain::EnvironmentContext::default();
            runtime.block_on(async {
                let opening = environment.open(&context).await.expect("an opening");
                for step in 0..STEPS as usize {
                    let names: Vec<_> = opening.space.specs().iter().map(|verb| verb.name.clone()).collect();
                    let action = mageyard::domain::Action::plain(names[step * 7 % names.len()].clone());
                    environment.act(&action, &context).await.expect("an outcome");
                }
            });
        });
    });
    group.bench_function("baseline: the bytes of the journal", |b| {
        b.iter(|| write_lines(&lines, folder.path()));
    });
    group.finish();
}

criterion_group!(benches, steps, sessions);
criterion_main!(benches);
