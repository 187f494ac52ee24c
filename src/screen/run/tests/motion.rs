//! Reduced motion: what arrives bit by bit is drawn rarely.

use super::*;
use crate::appearance::Motion;
use mageyard_engine::{LiveReplySnapshot, RunState, Waiting};

/// How often the screen is drawn while a reply arrives in 100 parts within five seconds.
async fn drawings_of_a_reply(motion: Motion) -> usize {
    let Harness { keys, files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    screen.model.appearance.settings.motion = motion;
    let arrived = |text: String| {
        let live_reply = Some(LiveReplySnapshot { text, ..LiveReplySnapshot::default() });
        Arc::new({
            let base = testing::sample_episode().snapshot();
            Snapshot { run: RunState { waiting: Waiting::Reply, live_reply, ..base.run.clone() }, ..base }
        })
    };
    let (sender, snapshots) = watch::channel(arrived(String::new()));
    screen.inbox.watch_session(snapshots);
    screen.model.episodes.push(EpisodeView::new(arrived(String::new()), true));
    screen.model.current = 1;
    let writer = async {
        for part in 0..100 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            sender.send(arrived("word ".repeat(part))).unwrap();
        }
        tokio::time::sleep(Duration::from_secs(100)).await;
    };
    tokio::select! {
        () = writer => {}
        _ = screen.event_loop() => panic!("the screen ended"),
    }
    assert!(!screen.model.text_waits && !screen.model.dirty, "all of it is drawn in the end");
    drop(screen);
    drop((keys, files));
    canvas.drawn
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_arrives_is_drawn_once_a_second_at_most() {
    let (full, reduced) =
        (drawings_of_a_reply(Motion::Full).await, drawings_of_a_reply(Motion::Reduced).await);
    assert!(full > 90, "{full}");
    assert!((4..=8).contains(&reduced), "{reduced}");
}
