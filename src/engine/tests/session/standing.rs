//! Why a session stands or ends: faults, a full disk, its end, and being left.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_broken_agent_is_a_fault_and_can_be_asked_again() {
    let mut play = Play::start(Setting::Online, &["broken"]);
    play.order(Order::Run(None));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert_eq!(fault.fault.as_deref(), Some("the script agent has no move: no way"));
    assert_eq!((fault.mode, fault.waiting), (Mode::Standing, Waiting::Ask));
    play.order(Order::Step);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(play.session.snapshots.borrow().fault.is_some());
    assert_eq!(play.agent.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_is_a_fault_that_goes_away_with_room() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.log.full.store(true, Ordering::Relaxed);
    play.order(Order::Run(None));
    let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
    assert!(fault.fault.as_ref().unwrap().contains("Make room"));
    assert_eq!(fault.steps_done(), 0);
    play.log.full.store(false, Ordering::Relaxed);
    play.order(Order::Run(None));
    assert_eq!(play.waits_for(Waiting::Ended(Ending::Won)).await.steps_done(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_the_end_is_said_and_not_written() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.order(Order::Run(None));
    play.waits_for(Waiting::Ended(Ending::Won)).await;
    let written = play.log.written.load(Ordering::Relaxed);
    for order in [Order::Window(Window::new(1, 1).unwrap()), Order::Abandon, Order::Step] {
        play.order(order);
        let fault = play.until(|snapshot| snapshot.fault.is_some()).await;
        assert!(fault.fault.as_ref().unwrap().contains("the episode is over (won)"));
    }
    assert_eq!(play.log.written.load(Ordering::Relaxed), written);
}

#[tokio::test(start_paused = true)]
async fn giving_up_ends_the_episode_even_during_a_thought() {
    for lines in [["Left"], ["…"]] {
        let mut play = Play::start(Setting::Online, &lines);
        play.waits_for(Waiting::Ask).await;
        play.order(Order::Run(None));
        play.until(|snapshot| snapshot.mode != Mode::Standing).await;
        play.order(Order::Abandon);
        play.waits_for(Waiting::Ended(Ending::Abandoned)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_is_orderly_at_every_need() {
    for (lines, orders) in [
        (&["…"][..], &[Order::Step][..]),
        (&["Right"], &[]),
        (&["Right"], &[Order::Step]),
        (&["Left"], &[Order::Run(None)]),
        (&["Right", "Right"], &[Order::Run(None), Order::Pace(Duration::ZERO)]),
    ] {
        let mut play = Play::start(Setting::Online, lines);
        for order in orders {
            play.order(order.clone());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        play.order(Order::Leave);
        let left = async { while play.session.snapshots.changed().await.is_ok() {} };
        tokio::time::timeout(LIMIT, left).await.expect("it never left");
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_writes_what_waited_when_there_is_room_again() {
    let mut play = Play::start(Setting::Online, &["Right"]);
    play.waits_for(Waiting::Ask).await;
    play.order(Order::Step);
    play.waits_for(Waiting::Apply).await;
    let written = play.log.written.load(Ordering::Relaxed);
    play.log.full.store(true, Ordering::Relaxed);
    play.order(Order::Step);
    play.until(|snapshot| snapshot.fault.is_some()).await;
    play.log.full.store(false, Ordering::Relaxed);
    play.order(Order::Leave);
    while play.session.snapshots.changed().await.is_ok() {}
    assert_eq!(play.log.written.load(Ordering::Relaxed), written + 1, "the act is not lost");
}
