//! The driver: acts that hang, fail or panic, and environments that come back.

use std::time::{Duration, Instant};

use mageyard_domain::{EpisodePolicy, OnRepeating, RepetitionThresholds, Setting};
use mageyard_engine::{Advance, Driver, Ending, Need};
use tokio_util::sync::CancellationToken;

use super::episode::LiveEpisode;

const TIMEOUT: Duration = Duration::from_secs(20);
/// The grace time of `pages`, and the second within which everything is over after it.
const LIMIT: Duration = Duration::from_millis(300 + 1000);

async fn advance_to_act(driver: &mut Driver) {
    while !matches!(driver.episode().need(), Need::Act(_)) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
}

/// Stops the driver while it advances; returns how it ended and how long that took.
async fn stop(driver: &mut Driver) -> (Advance, Duration) {
    let token = CancellationToken::new();
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        token.cancel();
        Instant::now()
    };
    let (advanced, since) = tokio::join!(driver.advance_until(&token), stopping);
    driver.close().await;
    (advanced.unwrap(), since.elapsed())
}

#[tokio::test]
async fn an_episode_announces_each_act_and_wins() {
    for setting in [Setting::Online, Setting::Global] {
        let live = LiveEpisode::with(setting, None, "late 2");
        let mut driver = live.start();
        tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
        driver.close().await;
        driver.close().await;
        assert_eq!(driver.episode().ending(), Some(Ending::Won), "{setting}");
        let events = live.events();
        let acts = live.acts();
        assert_eq!((acts.len(), live.opened_and_closed()), (3, (1, 1)));
        assert_eq!(events.iter().filter(|event| *event == "acting").count(), 3);
        let pairs = events.windows(2).filter(|pair| pair[0] == "acting" && pair[1] == "acted");
        assert_eq!(pairs.count(), 3, "{events:?}");
    }
}

/// Whether the environment obeys the cancel or not, the act is over in time and is never made again.
#[tokio::test]
async fn a_stopped_act_ends_in_time_and_is_looked_at_instead_of_repeated() {
    for fault in ["hang 2", "deaf 2", "deaf 2\nhang_close"] {
        let live = LiveEpisode::new(fault);
        let mut driver = live.start();
        advance_to_act(&mut driver).await;
        driver.advance().await.unwrap();
        advance_to_act(&mut driver).await;
        let (advanced, took) = stop(&mut driver).await;
        assert_eq!(advanced, Advance::Stopped, "{fault}");
        assert!(took < LIMIT, "{fault}: {took:?}");
        assert_eq!(*driver.episode().need(), Need::Look);
        assert_eq!(live.opened_and_closed(), (1, 1));
        assert_eq!(live.events().last().unwrap(), "interrupted");

        drop(driver);
        let mut resumed = live.resume().await;
        tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
        resumed.close().await;
        let step = &resumed.episode().steps()[1];
        let effect = step.effect.as_ref().unwrap();
        assert!(effect.interrupted && step.action.is_some());
        assert_eq!(effect.reward, 0.0);
        assert!(effect.note.as_ref().unwrap().contains("interrupted"));
        assert!(
            resumed.episode().steps()[2].observation.text().contains("clicks: 1"),
            "the look shows the effect"
        );
        assert_eq!((live.acts().len(), resumed.episode().ending()), (3, Some(Ending::Won)), "{fault}");
        assert_eq!(live.opened_and_closed(), (2, 2));
    }
}

#[tokio::test]
async fn the_time_limit_ends_an_act_that_hangs() {
    for fault in ["hang 1", "deaf 1"] {
        let live = LiveEpisode::with(Setting::Online, Some(1), fault);
        let mut driver = live.start();
        let begun = Instant::now();
        tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
        driver.close().await;
        assert!(begun.elapsed() < Duration::from_secs(1) + LIMIT, "{:?}", begun.elapsed());
        assert_eq!(driver.episode().ending(), Some(Ending::TimeLimit));
        assert_eq!(live.events()[live.events().len() - 3..], ["acting", "interrupted", "expired"]);
        assert_eq!((live.acts().len(), live.opened_and_closed()), (1, (1, 1)));
    }
}

#[tokio::test]
async fn an_opening_that_hangs_is_stopped_and_limited() {
    let live = LiveEpisode::new("hang_open");
    let mut driver = live.start();
    let (advanced, took) = stop(&mut driver).await;
    assert_eq!((advanced, *driver.episode().need() == Need::Open), (Advance::Stopped, true));
    assert!(took < LIMIT, "{took:?}");
    assert_eq!(live.opened_and_closed(), (1, 1));
    let live = LiveEpisode::with(Setting::Online, Some(1), "hang_open");
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    assert_eq!(driver.episode().ending(), Some(Ending::TimeLimit));
    assert_eq!((live.events(), live.opened_and_closed()), (vec!["expired".to_owned()], (1, 1)));
}

/// A surface that dies or an environment that panics: the act is interrupted, the environment comes back.
#[tokio::test]
async fn an_environment_that_fails_comes_back_and_is_looked_at() {
    for (fault, says, acted) in [("die 2", "the page has died", 3), ("panic 2", "panicked: a fault", 2)] {
        let live = LiveEpisode::new(fault);
        let mut driver = live.start();
        let error = tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(*driver.episode().need(), Need::Look);
        // The first look finds no surface, the next one opens it again.
        while driver.advance().await.is_err() {}
        assert!(driver.episode().steps()[1].is_interrupted());
        if fault.starts_with("die") {
            tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
            assert_eq!(driver.episode().ending(), Some(Ending::Won));
        }
        driver.close().await;
        assert_eq!(live.acts().len(), acted.min(live.acts().len()), "{fault}");
        let (opened, closed) = live.opened_and_closed();
        assert_eq!((opened, closed), (2, 2), "{fault}");
    }
}

/// What changed while the episode was closed is said as a look; what did not change is not.
#[tokio::test]
async fn a_reopened_environment_is_compared_with_the_record() {
    for (changed, need_act) in [(false, false), (false, true), (true, false), (true, true)] {
        let live = LiveEpisode::new("late 1");
        let mut driver = live.start();
        advance_to_act(&mut driver).await;
        driver.advance().await.unwrap();
        if need_act {
            advance_to_act(&mut driver).await;
        }
        driver.close().await;
        let before = live.events();
        drop(driver);
        if changed {
            live.act_from_outside(r#"{"name":"type","args":{"text":"other"}}"#);
        }
        let mut resumed = live.resume().await;
        resumed.advance().await.unwrap();
        let added = live.events()[before.len()..].to_vec();
        let steps = resumed.episode().steps();
        match (changed, need_act) {
            (false, false) => assert_eq!(added[0], "asked"),
            (false, true) => assert_eq!(added, ["acting", "acted"]),
            // Nothing was decided for the old state: the step begins with the new one.
            (true, false) => {
                assert_eq!((added, steps.len()), (vec!["looked".to_owned()], 2));
                assert!(steps[1].observation.text().contains("other"));
            }
            (true, true) => {
                assert_eq!((added, steps.len()), (vec!["looked".to_owned()], 3));
                assert!(steps[1].is_interrupted() && steps[1].action.is_none());
                assert!(matches!(resumed.episode().need(), Need::Decide { step: 3, .. }));
            }
        }
        resumed.close().await;
        assert_eq!(live.opened_and_closed(), (2, 2));
    }
}

/// The action that the repetition limit refuses is never announced and never reaches the surface.
#[tokio::test]
async fn a_refused_action_does_not_reach_the_environment() {
    let mut live = LiveEpisode::new("field other");
    let thresholds = RepetitionThresholds { unchanged: 5, same: 3 };
    let conduct = EpisodePolicy { on_repeating: OnRepeating::Refuse, thresholds, ..EpisodePolicy::default() };
    live.head.conduct = conduct;
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    driver.close().await;
    assert_eq!(driver.episode().ending(), Some(Ending::Repetition));
    let events = live.events();
    assert_eq!(events.iter().filter(|event| *event == "acting").count(), 4);
    assert_eq!((events.last().unwrap().as_str(), live.acts().len()), ("accepted", 4));
    drop(driver);
    let mut resumed = live.resume().await;
    tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
    assert_eq!((resumed.episode().ending(), live.events()), (Some(Ending::Repetition), events));
    assert_eq!(live.opened_and_closed(), (1, 1), "what is over is not opened again");
}
