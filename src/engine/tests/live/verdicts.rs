//! Verdicts: however an episode ends, its environment judges it, once, and what fails is no score.

use std::time::Duration;

use mageyard_domain::{Judgement, Seconds, Verdict};
use mageyard_engine::{Advance, Driver, Ending, Event, Head, Need};
use tokio_util::sync::CancellationToken;

use super::episode::LiveEpisode;
use crate::pages::PagesSpec;

const TIMEOUT: Duration = Duration::from_secs(20);

async fn play(live: &LiveEpisode) -> Driver {
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    driver.close().await;
    driver
}

fn verdict(driver: &Driver) -> &Verdict {
    driver.episode().judgement().and_then(Judgement::verdict).expect("a verdict")
}

#[tokio::test]
async fn an_episode_is_judged_however_it_ends() {
    let done: &[&str] = &["type(text=hello)", "done"];
    let clicks: &[&str] = &["click(at=(70, 2))"];
    for (replies, max_steps, ending, score, feedback) in [
        (done, 9, Ending::Finished, 50.0, vec!["the form was not sent"]),
        (&["type(text=hello)", "click(at=(125, 65))"], 9, Ending::Won, 100.0, vec![]),
        (clicks, 2, Ending::StepLimit, 0.0, vec!["the text is wrong", "the form was not sent"]),
        (
            &["fly"],
            9,
            Ending::Unreadable,
            0.0,
            vec!["the text is wrong", "the form was not sent", "no action"],
        ),
    ] {
        let live = LiveEpisode::new("judge\ndone").saying(replies);
        let conduct = mageyard_domain::EpisodePolicy {
            on_unreadable: mageyard_domain::OnUnreadable::End,
            ..live.head.conduct
        };
        let head = Head { max_steps, conduct, ..live.head.clone() };
        let live = live.headed(head);
        let driver = play(&live).await;
        let episode = driver.episode();
        assert_eq!(episode.ending(), Some(ending));
        assert_eq!(verdict(&driver).feedback, feedback, "{ending}");
        assert_eq!(
            (episode.score(&PagesSpec), verdict(&driver).success),
            (Some(score), score == 100.0),
            "{ending}"
        );
        assert_eq!(live.events().last().map(String::as_str), Some("judged"), "{ending}");
        drop(driver);
        let again = live.resume().await;
        assert_eq!(
            (again.episode().ending(), again.episode().score(&PagesSpec)),
            (Some(ending), Some(score))
        );
    }
}

#[tokio::test]
async fn a_verdict_that_fails_panics_or_hangs_is_no_score() {
    for (how, why) in [
        ("fail", "the environment failed: the page cannot be judged"),
        ("panic", "the environment failed: it panicked: a fault of this level"),
        ("hang", "the environment gave no verdict within 1 s"),
    ] {
        let live = LiveEpisode::new(&format!("judge {how}"));
        let driver = play(&live).await;
        assert_eq!(driver.episode().ending(), Some(Ending::Won));
        assert_eq!(driver.episode().judgement(), Some(&Judgement::NotJudged(why.into())));
        assert_eq!(driver.episode().score(&PagesSpec), None, "{how}");
        let (opened, closed) = live.opened_and_closed();
        assert_eq!(opened, closed, "{how}");
    }
}

/// The verdict has its own time, which begins when that of the episode is over.
#[tokio::test]
async fn an_episode_whose_time_is_up_is_judged() {
    let live = LiveEpisode::new("judge late 100\nhang 2");
    let max_time = Some(Seconds::whole(2));
    let head = Head { max_time, ..live.head.clone() };
    let live = live.headed(head);
    let driver = play(&live).await;
    assert_eq!((driver.episode().ending(), verdict(&driver).score), (Some(Ending::TimeLimit), Some(50.0)));
}

#[tokio::test]
async fn a_stopped_verdict_is_given_when_the_episode_is_resumed() {
    let live = LiveEpisode::new("judge hang");
    let mut driver = live.start();
    while !matches!(driver.episode().need(), Need::Judge(Ending::Won)) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(driver.advance_until(&stop).await.unwrap(), Advance::Stopped);
    assert_eq!((driver.episode().ending(), driver.episode().end_of_play()), (None, Some(Ending::Won)));
    driver.close().await;
    drop(driver);
    let text = live.head.level.text().replace("judge hang", "judge");
    let level = mageyard_domain::Level::from_text(1, None, text.as_str()).source;
    let quick = Head { level, ..live.head.clone() };
    let live = live.headed(quick);
    let mut resumed = live.resume().await;
    tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
    resumed.close().await;
    assert_eq!((resumed.episode().ending(), verdict(&resumed).score), (Some(Ending::Won), Some(100.0)));
}

#[tokio::test]
async fn an_abandoned_episode_is_not_judged_and_a_page_in_another_state_is_not_either() {
    let live = LiveEpisode::new("judge hang");
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    driver.abandon().unwrap();
    assert_eq!((driver.episode().ending(), driver.episode().judgement()), (Some(Ending::Abandoned), None));
    driver.close().await;

    let live = LiveEpisode::new("judge hang");
    let mut driver = live.start();
    while !matches!(driver.episode().need(), Need::Judge(_)) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    driver.close().await;
    drop(driver);
    live.act_from_outside(r#"{"name":"type","args":{"text":"other"}}"#);
    let mut resumed = live.resume().await;
    tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
    resumed.close().await;
    let why = "the environment came back in another state";
    assert_eq!(resumed.episode().judgement(), Some(&Judgement::NotJudged(why.into())));
    assert_eq!(Event::Judged(Judgement::NotJudged(why.into()).into()).name(), "judged");
}
