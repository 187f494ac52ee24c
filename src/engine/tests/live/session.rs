//! A session: commands while the environment acts.

use std::time::{Duration, Instant};

use mageyard_dialog::PersonAnswer;
use mageyard_engine::{Ending, Mode, Session, SessionCommand, SessionOptions, Snapshot, Waiting};

use super::episode::LiveEpisode;
use crate::pages::PagesSpec;

const TIMEOUT: Duration = Duration::from_secs(20);
const LIMIT: Duration = Duration::from_millis(300 + 1000);

fn start(live: &LiveEpisode) -> Session {
    let options = SessionOptions {
        kind: &PagesSpec,
        person: None,
        pace: Duration::ZERO,
        distance_limits: None,
        folder: "nowhere".into(),
    };
    Session::start(live.start(), options)
}

async fn until(session: &mut Session, what: impl Fn(&Snapshot) -> bool) {
    let seen = session.snapshots.wait_for(|snapshot| what(snapshot));
    tokio::time::timeout(TIMEOUT, seen).await.expect("timed out").unwrap();
}

/// Waits for the end of the session; returns how long it took.
async fn ended(session: &mut Session) -> Duration {
    let begun = Instant::now();
    let left = async { while session.snapshots.changed().await.is_ok() {} };
    tokio::time::timeout(TIMEOUT, left).await.expect("it never ended");
    begun.elapsed()
}

#[tokio::test]
async fn cancel_abandon_and_leave_end_an_act_that_hangs() {
    for fault in ["hang 1", "deaf 1"] {
        for command in [SessionCommand::Cancel, SessionCommand::Abandon, SessionCommand::Leave] {
            let live = LiveEpisode::new(fault);
            let mut session = start(&live);
            let send = |session: &Session, command| session.commands.as_ref().unwrap().send(command).unwrap();
            send(&session, SessionCommand::Run(None));
            until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Environment).await;
            tokio::time::sleep(Duration::from_millis(30)).await;
            let begun = Instant::now();
            send(&session, command.clone());
            match command {
                SessionCommand::Cancel => {
                    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Look).await;
                    assert_eq!(session.snapshots.borrow().run.mode, Mode::Paused);
                }
                SessionCommand::Abandon => {
                    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ended(Ending::Abandoned))
                        .await;
                }
                _ => {}
            }
            if command != SessionCommand::Leave {
                assert!(begun.elapsed() < LIMIT, "{fault} {command:?} {:?}", begun.elapsed());
                send(&session, SessionCommand::Leave);
            }
            let took = ended(&mut session).await;
            assert!(took < LIMIT, "{fault} {command:?} {took:?}");
            let events = live.events();
            let last = if command == SessionCommand::Abandon { "abandoned" } else { "interrupted" };
            assert_eq!(events.last().unwrap(), last, "{fault}");
            assert!(events.iter().any(|event| event == "interrupted"));
            assert_eq!((live.acts().len(), live.opened_and_closed()), (1, (1, 1)), "{fault} {command:?}");
        }
    }
}

/// A surface that answers is looked at; one that does not is opened again after the look was stopped.
#[tokio::test]
async fn a_step_after_an_interrupted_act_looks() {
    for (fault, opened) in [("hang 1", 1), ("deaf 1", 2)] {
        let live = LiveEpisode::new(fault);
        let mut session = start(&live);
        let commands = session.commands.clone().unwrap();
        commands.send(SessionCommand::Run(None)).unwrap();
        until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Environment).await;
        tokio::time::sleep(Duration::from_millis(30)).await;
        commands.send(SessionCommand::Cancel).unwrap();
        until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Look).await;
        commands.send(SessionCommand::Step).unwrap();
        if opened > 1 {
            until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Environment).await;
            commands.send(SessionCommand::Cancel).unwrap();
            until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Look).await;
            commands.send(SessionCommand::Step).unwrap();
        }
        until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ask && snapshot.steps.len() == 2)
            .await;
        commands.send(SessionCommand::Leave).unwrap();
        ended(&mut session).await;
        assert_eq!((live.acts().len(), live.opened_and_closed()), (1, (opened, opened)), "{fault}");
    }
}

fn send(session: &Session, command: SessionCommand) {
    session.commands.as_ref().unwrap().send(command).unwrap();
}

/// Waits for a question and answers it; the number of steps then.
async fn answer(session: &mut Session, answer: PersonAnswer) {
    until(session, |snapshot| snapshot.run.question.is_some()).await;
    let asked = session.snapshots.borrow().run.question.clone().unwrap();
    send(session, SessionCommand::Answer(asked.question.clone(), answer));
    until(session, |snapshot| snapshot.run.question.as_ref() != Some(&asked)).await;
}

/// A paused session carries out what was confirmed, and asks the agent only when it is told to; one that runs goes on by
/// itself.
#[tokio::test]
async fn an_answer_is_carried_out_at_once_and_a_run_goes_on_after_it() {
    let live = LiveEpisode::new("confirm\ndestructive the folder is emptied");
    let mut session = start(&live);
    answer(&mut session, PersonAnswer::Yes).await;
    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ask && snapshot.steps.len() == 1).await;
    send(&session, SessionCommand::Step);
    answer(&mut session, PersonAnswer::Yes).await;
    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ask && snapshot.steps.len() == 2).await;
    assert_eq!(live.acts().len(), 1);
    send(&session, SessionCommand::Run(None));
    answer(&mut session, PersonAnswer::Refuse("no".into())).await;
    until(&mut session, |snapshot| snapshot.steps.len() == 3 && snapshot.run.question.is_some()).await;
    assert!(matches!(session.snapshots.borrow().run.mode, Mode::Running { .. }));
    assert_eq!(session.snapshots.borrow().run.waiting, Waiting::Person);
    answer(&mut session, PersonAnswer::Yes).await;
    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ended(Ending::Won)).await;
    send(&session, SessionCommand::Leave);
    ended(&mut session).await;
}

/// A resumed episode whose surface a person must take over opens it first.
#[tokio::test]
async fn a_resumed_take_over_has_its_surface_open() {
    let live = LiveEpisode::new("captcha 1");
    let mut session = start(&live);
    send(&session, SessionCommand::Run(None));
    until(&mut session, |snapshot| snapshot.run.question.is_some()).await;
    send(&session, SessionCommand::Leave);
    ended(&mut session).await;
    let options = SessionOptions {
        kind: &PagesSpec,
        person: None,
        pace: Duration::ZERO,
        distance_limits: None,
        folder: "nowhere".into(),
    };
    let mut session = Session::start(live.resume().await, options);
    let opened = |live: &LiveEpisode| live.opened_and_closed().0;
    while opened(&live) < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    answer(&mut session, PersonAnswer::Yes).await;
    until(&mut session, |snapshot| snapshot.run.waiting == Waiting::Ask && snapshot.steps.len() == 2).await;
    send(&session, SessionCommand::Leave);
    ended(&mut session).await;
}
