//! Opening a level with a slow search, and resumed episodes.

use std::sync::atomic::AtomicBool;

use super::*;

/// A session whose search for the optimum ends when the gate opens.
fn opening(gate: &Arc<AtomicBool>) -> Session {
    let head = head(Setting::Online, 3, 50);
    let gate = gate.clone();
    let environment = environment(&head);
    let search: ReferenceSearch = Box::new(move |stop| {
        while !gate.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(Reference { best: 7.0, steps: 3 })
    });
    let agent = Box::new(script(&["Right"]));
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let cast = Participants {
        environment,
        agent,
        form,
        prompts: Arc::default(),
        reference_search: Some(search),
        roles: crate::RoleSeats::default(),
    };
    let log = Box::new(NullSink::default());
    let driver = Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO);
    let terms = session_options(None, Duration::ZERO);
    Session::start(driver, terms)
}

/// Like [`wait_until`], on the real clock.
async fn soon(snapshots: &mut watch::Receiver<Arc<Snapshot>>, what: impl Fn(&Snapshot) -> bool) {
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, wait_until(snapshots, what)).await.expect("it did not come in time");
}

#[tokio::test]
async fn a_cancel_while_the_level_opens_loses_neither_the_optimum_nor_a_command() {
    let gate = Arc::new(AtomicBool::new(false));
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    tokio::time::sleep(Duration::from_millis(20)).await;
    for early in [SessionCommand::Cancel, SessionCommand::Step] {
        order(&session, early);
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    gate.store(true, Ordering::Relaxed);
    soon(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Apply).await;
    assert_eq!(snapshots.borrow().reference, Some(Reference { best: 7.0, steps: 3 }));
}

#[tokio::test]
async fn leaving_and_abandoning_do_not_wait_for_the_opening() {
    let gate = Arc::new(AtomicBool::new(false));
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    order(&session, SessionCommand::Abandon);
    soon(&mut snapshots, |snapshot| snapshot.run.waiting == Waiting::Ended(Ending::Abandoned)).await;
    let session = opening(&gate);
    let mut snapshots = session.snapshots.clone();
    order(&session, SessionCommand::Leave);
    let left = async { while snapshots.changed().await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), left).await.expect("it never left");
}

/// A session that resumes an episode with this many events.
async fn restored(events: usize) -> (Session, NullSink) {
    let folder = tempfile::tempdir().unwrap();
    write_journal(folder.path(), &head(Setting::Online, 3, 50), &["Right"]).await;
    let mut recorded = read_journal(&folder.path().join("journal.jsonl")).unwrap();
    recorded.lines.truncate(events);
    let mut world = environment(&recorded.head);
    let episode = restore(&recorded, world.as_mut()).await.unwrap();
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let agent = Box::new(script(&["Right"]));
    let cast = Participants {
        environment: world,
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let log = NullSink::default();
    let driver = Driver::new(episode, cast, Box::new(log.clone()), Duration::ZERO);
    let terms = session_options(None, Duration::ZERO);
    (Session::start(driver, terms), log)
}

#[tokio::test(start_paused = true)]
async fn a_resumed_episode_is_paused_until_a_command_comes() {
    // Opened; asked; replied; accepted; acted.
    for events in 1..=5 {
        let (session, log) = restored(events).await;
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(log.written.load(Ordering::Relaxed), 0, "after {events} events");
        assert_eq!(session.snapshots.borrow().run.mode, Mode::Paused);
    }
    let (_session, log) = restored(0).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(log.written.load(Ordering::Relaxed), 1, "a new episode is opened");
}
