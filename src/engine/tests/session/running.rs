//! Steps and runs: halves, pace and pauses.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_step_has_two_halves() {
    let mut play = RunningSession::start(Setting::Online, &["Left", "Right"]);
    let opened = play.waits_for(Waiting::Ask).await;
    assert_eq!((opened.steps.len(), opened.score), (1, Some(93.0)));
    play.send(SessionCommand::Step);
    let asked = play.waits_for(Waiting::Apply).await;
    assert_eq!(asked.steps[0].action, Some(Action::plain("Left")));
    assert_eq!(asked.returns.sum, 0.0);
    play.send(SessionCommand::Step);
    let applied = play.waits_for(Waiting::Ask).await;
    assert_eq!((applied.steps.len(), applied.returns.sum), (2, -1.0));
}

#[tokio::test(start_paused = true)]
async fn running_keeps_its_pace_and_stops_at_the_end() {
    let mut play = RunningSession::start(Setting::Online, &["Left", "Right", "Right", "Right"]);
    play.waits_for(Waiting::Ask).await;
    let began = tokio::time::Instant::now();
    play.send(SessionCommand::Run(None));
    let ended = play.waits_for(Waiting::Ended(Ending::Won)).await;
    assert_eq!((ended.run.mode, ended.steps_done()), (Mode::Paused, 4));
    assert_eq!(began.elapsed(), Duration::from_secs(7), "four steps of 2 s, the last half without a pause");
    play.send(SessionCommand::Step);
    let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
    assert!(fault.run.error.as_ref().unwrap().contains("the episode is over (won)"));
}

#[tokio::test(start_paused = true)]
async fn a_count_runs_so_many_steps_and_a_pause_stops_between_them() {
    let mut play = RunningSession::start(Setting::Online, &["Left"]);
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Run(Some(3)));
    play.until(|snapshot| snapshot.run.mode == Mode::Running { left: Some(1) }).await;
    assert_eq!(play.waits_for(Waiting::Ask).await.steps_done(), 3);
    play.send(SessionCommand::Run(None));
    play.until(|snapshot| snapshot.steps_done() == 5).await;
    play.send(SessionCommand::Pause);
    let stood = play.until(|snapshot| snapshot.run.mode == Mode::Paused).await;
    assert!(stood.steps_done() <= 6);
    assert_eq!(stood.run.error, None);
}

#[tokio::test(start_paused = true)]
async fn commands_do_not_shorten_the_pause_of_a_run() {
    let mut play = RunningSession::start(Setting::Online, &["Left"]);
    play.waits_for(Waiting::Ask).await;
    let began = tokio::time::Instant::now();
    play.send(SessionCommand::Run(Some(2)));
    for pace in 10..40 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        play.send(SessionCommand::SetPace(Duration::from_secs(pace)));
    }
    play.until(|snapshot| snapshot.steps_done() == 2 && snapshot.run.mode == Mode::Paused).await;
    assert!(began.elapsed() >= Duration::from_secs(39), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_the_request_and_changes_no_state() {
    let mut play = RunningSession::start(Setting::Online, &["…"]);
    play.waits_for(Waiting::Ask).await;
    for cuts in 1..=2 {
        play.send(SessionCommand::Step);
        play.until(|snapshot| snapshot.run.waiting == Waiting::Reply).await;
        play.send(SessionCommand::Cancel);
        let cut = play.waits_for(Waiting::Ask).await;
        assert_eq!(cut.steps[0].attempts.len(), cuts);
        assert!(cut.steps[0].attempts.iter().all(|attempt| attempt.cancelled));
        assert_eq!((cut.steps.len(), cut.steps[0].parse_errors()), (1, 0));
    }
    assert_eq!(play.agent.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn the_window_changes_for_the_next_request_and_marks_the_episode() {
    let mut play = RunningSession::start(Setting::Online, &["…"]);
    play.waits_for(Waiting::Ask).await;
    let window = Window::new(3, 2).unwrap();
    play.send(SessionCommand::Step);
    play.until(|snapshot| snapshot.run.waiting == Waiting::Reply).await;
    play.send(SessionCommand::SetWindow(window));
    play.send(SessionCommand::Cancel);
    let set = play.until(|snapshot| snapshot.window == window).await;
    assert_eq!((set.mixed, set.steps[0].window), (false, window), "nothing was asked with it yet");
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Step);
    let asked = play.until(|snapshot| snapshot.run.waiting == Waiting::Reply).await;
    assert!(asked.mixed);
}

#[tokio::test(start_paused = true)]
async fn a_window_that_is_changed_back_before_a_request_leaves_the_episode_clean() {
    let mut play = RunningSession::start(Setting::Online, &["Left", "…"]);
    let own = play.waits_for(Waiting::Ask).await.window;
    let other = Window::new(3, 2).unwrap();
    assert_ne!(own, other);
    play.send(SessionCommand::SetWindow(other));
    play.until(|snapshot| snapshot.window == other).await;
    play.send(SessionCommand::SetWindow(own));
    play.until(|snapshot| snapshot.window == own).await;
    play.send(SessionCommand::Step);
    let asked = play.waits_for(Waiting::Apply).await;
    assert!(!asked.mixed, "the request was made with the own window");
}

#[tokio::test(start_paused = true)]
async fn an_edit_is_applied_only_to_its_target() {
    let mut play = RunningSession::start(Setting::Online, &["Left", "…"]);
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Step);
    let pending = play.waits_for(Waiting::Apply).await;
    let target = EditTarget::of(&pending.steps[0]);
    let right = || Edit::Actions(vec![Action::plain("Right")]);
    play.send(SessionCommand::Edit(target, right()));
    let edited = play.until(|snapshot| snapshot.mixed).await;
    assert_eq!(
        (edited.run.waiting, &edited.steps[0].action),
        (Waiting::Apply, &Some(Action::plain("Right")))
    );
    play.send(SessionCommand::Step);
    play.waits_for(Waiting::Ask).await;
    play.send(SessionCommand::Step);
    play.until(|snapshot| snapshot.run.waiting == Waiting::Reply).await;
    play.send(SessionCommand::Edit(target, right()));
    play.send(SessionCommand::Cancel);
    let fault = play.until(|snapshot| snapshot.run.error.is_some()).await;
    assert!(
        fault.run.error.as_ref().unwrap().contains("the edit was made for reply 1 of step 1"),
        "{fault:?}"
    );
    assert_eq!((fault.steps.len(), fault.returns.sum), (2, -1.0));
}
