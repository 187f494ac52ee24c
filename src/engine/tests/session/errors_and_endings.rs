//! Why a session pauses or ends: errors, a full disk, the end of the episode, leaving.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_failing_agent_is_an_error_and_can_be_asked_again() {
    let mut play = RunningSession::start(Setting::Online, &["broken"]);
    play.send(SessionCommand::Run(None));
    let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
    assert_eq!(fault.run.error.as_deref(), Some("the script agent found no action: no way"));
    assert_eq!((fault.run.mode, fault.run.waiting), (Mode::Paused, Waiting::Ask));
    play.send(SessionCommand::Step);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(play.session.snapshots.borrow().run.error.is_some());
    assert_eq!(play.agent.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_is_an_error_until_there_is_space() {
    let mut play = RunningSession::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.log.full.store(true, Ordering::Relaxed);
    play.send(SessionCommand::Run(None));
    let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
    assert!(fault.run.error.as_ref().unwrap().contains("free disk space"));
    assert_eq!(fault.steps_done(), 0);
    play.log.full.store(false, Ordering::Relaxed);
    play.send(SessionCommand::Run(None));
    assert_eq!(play.waits_for(Waiting::Ended(Ending::Won)).await.steps_done(), 2);
}

#[tokio::test(start_paused = true)]
async fn commands_after_the_end_are_refused_and_not_written() {
    let mut play = RunningSession::start(Setting::Online, &["Right"]);
    play.send(SessionCommand::Run(None));
    play.waits_for(Waiting::Ended(Ending::Won)).await;
    let written = play.log.written.load(Ordering::Relaxed);
    for order in
        [SessionCommand::SetWindow(Window::new(1, 1).unwrap()), SessionCommand::Abandon, SessionCommand::Step]
    {
        play.send(order);
        let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
        assert!(fault.run.error.as_ref().unwrap().contains("the episode is over (won)"));
    }
    assert_eq!(play.log.written.load(Ordering::Relaxed), written);
}

#[tokio::test(start_paused = true)]
async fn abandoning_ends_the_episode_even_during_a_request() {
    for lines in [["Left"], ["…"]] {
        let mut play = RunningSession::start(Setting::Online, &lines);
        play.waits_for(Waiting::Ask).await;
        play.send(SessionCommand::Run(None));
        play.until(|snapshot| snapshot.run.mode != Mode::Paused).await;
        play.send(SessionCommand::Abandon);
        play.waits_for(Waiting::Ended(Ending::Abandoned)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_works_at_every_need() {
    for (lines, orders) in [
        (&["…"][..], &[SessionCommand::Step][..]),
        (&["Right"], &[]),
        (&["Right"], &[SessionCommand::Step]),
        (&["Left"], &[SessionCommand::Run(None)]),
        (&["Right", "Right"], &[SessionCommand::Run(None), SessionCommand::SetPace(Duration::ZERO)]),
    ] {
        let mut play = RunningSession::start(Setting::Online, lines);
        for order in orders {
            play.send(order.clone());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        play.send(SessionCommand::Leave);
        let left = async { while play.session.snapshots.changed().await.is_ok() {} };
        tokio::time::timeout(TIMEOUT, left).await.expect("it never left");
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_writes_pending_events_when_there_is_space_again() {
    let mut play = RunningSession::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Step);
    play.waits_for(Waiting::Apply).await;
    let written = play.log.written.load(Ordering::Relaxed);
    play.log.full.store(true, Ordering::Relaxed);
    play.send(SessionCommand::Step);
    play.until(|snapshot| snapshot.run.error.is_some()).await;
    play.log.full.store(false, Ordering::Relaxed);
    play.send(SessionCommand::Leave);
    while play.session.snapshots.changed().await.is_ok() {}
    assert_eq!(play.log.written.load(Ordering::Relaxed), written + 1, "the action is not lost");
}
