//! Surfaces that come back by repeating the recorded actions.

use std::time::Duration;

use mageyard_engine::{Ending, Need};

use super::episode::LiveEpisode;

const TIMEOUT: Duration = Duration::from_secs(20);

/// A new surface gets the actions so far again, and the episode goes on; one that differs is looked at, and goes on too.
#[tokio::test]
async fn an_episode_comes_back_by_repeating_its_actions() {
    for (level, looked) in [("repeat", 0), ("repeat\ndrift", 1)] {
        let live = LiveEpisode::new(level);
        let mut driver = live.start();
        while driver.episode().steps().len() < 3 {
            tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
        }
        driver.close().await;
        drop(driver);
        assert_eq!(live.acts_of(1).len(), 2, "{level}");
        let mut resumed = live.resume().await;
        tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
        resumed.close().await;
        assert_eq!(resumed.episode().ending(), Some(Ending::Won), "{level}");
        assert_eq!((live.acts_of(1).len(), live.acts_of(2).len()), (2, 3), "{level}");
        assert_eq!(live.events().iter().filter(|event| *event == "looked").count(), looked, "{level}");
        assert_eq!(live.events().iter().filter(|event| *event == "acting").count(), 3, "{level}");
    }
}

/// An action that was interrupted is not repeated: its effect is unknown.
#[tokio::test]
async fn an_interrupted_action_is_left_out() {
    let live = LiveEpisode::new("repeat");
    let mut driver = live.start();
    while !matches!(driver.episode().need(), Need::Act(_)) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    driver.close().await;
    drop(driver);
    live.announce_act();
    let mut resumed = live.resume().await;
    tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
    resumed.close().await;
    let events = live.events();
    assert_eq!(
        events.iter().filter(|event| *event == "interrupted" || *event == "looked").count(),
        2,
        "{events:?}"
    );
    assert_eq!(resumed.episode().steps_done(), 40, "the text was never typed, so the form is never sent");
}
