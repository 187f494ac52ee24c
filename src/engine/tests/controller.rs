//! The controller without a session: steps, breakpoints and stops.

use super::*;

const LIMITS: SearchLimits = SearchLimits { states: 1000, memory: u64::MAX, time: None };

fn controller(length: u32, lines: &[&'static str], limits: Option<SearchLimits>) -> Controller {
    let driver = driver(head(Setting::Online, length, 50), script(lines), Box::new(NullSink::default()));
    Controller::new(driver, &CorridorSpec, limits)
}

#[tokio::test]
async fn a_step_is_asked_and_applied_and_the_last_one_ends_the_episode() {
    let mut controller = controller(3, &["Right"], None);
    let go = CancellationToken::new();
    for done in 1..=2 {
        assert_eq!(controller.step(&go).await.unwrap(), Advance::Done);
        assert_eq!(
            (controller.episode().steps_done(), controller.episode().ending().is_some()),
            (done, done == 2)
        );
    }
    assert_eq!(controller.step(&go).await.unwrap(), Advance::Done, "an episode that is over stays over");
    assert_eq!((controller.episode().ending(), controller.episode().steps_done()), (Some(Ending::Won), 2));
}

#[tokio::test]
async fn a_half_asks_until_there_is_an_action_and_the_next_one_applies_it() {
    let mut controller = controller(3, &["Fly", "Right"], None);
    let go = CancellationToken::new();
    controller.half(&go).await.unwrap();
    assert_eq!(controller.episode().steps().len(), 1, "opened");
    controller.half(&go).await.unwrap();
    assert_eq!((controller.episode().steps_done(), controller.episode().steps()[0].attempts.len()), (1, 3));
    controller.half(&go).await.unwrap();
    assert_eq!(*controller.episode().need(), Need::Act(Action::plain("Right")));
    controller.half(&go).await.unwrap();
    assert_eq!(controller.episode().steps_done(), 2);
}

#[tokio::test]
async fn a_run_without_breakpoints_judges_no_state() {
    let mut controller = controller(13, &["Right"], Some(LIMITS));
    let asked = ASKED.get();
    for _ in 0..3 {
        controller.step(&CancellationToken::new()).await.unwrap();
    }
    assert_eq!(ASKED.get(), asked);
    controller.set_breakpoints("dead".parse().unwrap());
    controller.step(&CancellationToken::new()).await.unwrap();
    assert_eq!(ASKED.get(), asked + 5);
}

#[tokio::test]
async fn a_step_waits_for_the_distance_that_a_breakpoint_needs() {
    let mut controller = controller(5, &["Right", "Left"], Some(LIMITS));
    controller.set_breakpoints("off_path".parse().unwrap());
    let go = CancellationToken::new();
    controller.step(&go).await.unwrap();
    assert_eq!(controller.control().break_reason(), None);
    controller.step(&go).await.unwrap();
    let reason = "step 2 left the shortest path (3 moves left, then 4)";
    assert_eq!(controller.control().break_reason(), Some(reason));
    let snapshot = controller.snapshot(Path::new("nowhere"));
    assert_eq!(snapshot.run.break_reason, Some(format!("stopped: {reason}")));
    assert_eq!((snapshot.steps_done(), snapshot.run.waiting), (2, Waiting::Ask));
}

#[tokio::test]
async fn a_breakpoint_without_a_known_distance_stops_nothing_and_says_so() {
    let mut controller = controller(5, &["Left"], None);
    controller.set_breakpoints("off_path,ra".parse().unwrap());
    controller.step(&CancellationToken::new()).await.unwrap();
    let control = controller.control();
    let said = "breakpoint off_path not checked at step 1: the distance is unknown";
    assert_eq!((control.break_reason(), control.unjudged_step()), (None, Some(said)));
}

#[tokio::test(start_paused = true)]
async fn a_stopped_step_keeps_what_happened_and_goes_on_later() {
    let mut controller = controller(3, &["Right", "…"], None);
    controller.step(&CancellationToken::new()).await.unwrap();
    for cancelled in 1..=2 {
        let stop = CancellationToken::new();
        let stopper = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(3)).await;
            stopper.cancel();
        });
        assert_eq!(controller.step(&stop).await.unwrap(), Advance::Stopped);
        assert_eq!(controller.episode().steps()[1].attempts.len(), cancelled);
        assert_eq!(controller.step(&stop).await.unwrap(), Advance::Stopped, "nothing begins while stopped");
        assert_eq!(controller.episode().steps()[1].attempts.len(), cancelled);
    }
    assert_eq!((controller.episode().steps_done(), controller.episode().ending()), (1, None));
    controller.close().await.unwrap();
}
