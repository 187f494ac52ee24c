//! Actions that the environment refuses, that fail, or that say that the task is done; states that only look different.

use std::time::Duration;

use mageyard_domain::{ActProblem, Setting};
use mageyard_engine::{Ending, Mark, analyze, read_journal, restore};

use super::episode::LiveEpisode;
use crate::pages::PagesSpec;

const TIMEOUT: Duration = Duration::from_secs(20);
const COVERED: &[&str] =
    &["click(at=(1, 2))", "click(at=(125, 65))", "type(text=hello)", "click(at=(125, 65))"];

#[tokio::test]
async fn a_refused_act_is_ia_and_did_not_happen_and_a_failed_one_is_act() {
    for setting in [Setting::Online, Setting::Global] {
        let live = LiveEpisode::with(setting, None, "cover a banner\nchecks").saying(COVERED);
        let mut driver = live.start();
        tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
        driver.close().await;
        let episode = driver.episode();
        assert_eq!((episode.ending(), live.acts().len()), (Some(Ending::Won), 3), "{setting}");
        let problems: Vec<_> = episode.steps().iter().map(|step| step.problem().cloned()).collect();
        let refused = ActProblem::Refused("the point is covered by a banner".into());
        let failed = ActProblem::Failed("the form was not sent: its text is wrong".into());
        assert_eq!(problems, [Some(refused), Some(failed), None, None, None], "{setting}");
        let first = episode.steps().iter().next().unwrap();
        assert!(first.is_unchanged());
        assert_eq!(
            first.effect.as_ref().unwrap().note.as_deref(),
            Some("refused: the point is covered by a banner")
        );
        let errors = analyze(episode, &PagesSpec, episode.head().conduct.thresholds);
        let marked = |mark| errors.marks().iter().map(|marks| marks.has(mark)).take(4).collect::<Vec<_>>();
        assert_eq!(marked(Mark::InvalidAction), [true, false, false, false]);
        assert_eq!(marked(Mark::FailedInteraction), [false, true, false, false]);
        assert_eq!(errors.invalid.as_deref(), Some("the environment refused the action of step 1"));
        let recorded = read_journal(&live.journal()).unwrap();
        let read = restore(&recorded, live.environment().as_mut()).await.unwrap();
        assert_eq!(read.steps().iter().map(|step| step.problem().cloned()).collect::<Vec<_>>(), problems);
    }
}

#[tokio::test]
async fn an_agent_that_says_that_it_is_done_ends_the_episode() {
    let live = LiveEpisode::new("done").saying(&["type(text=hello)", "done"]);
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    driver.close().await;
    assert_eq!(driver.episode().ending(), Some(Ending::Finished));
    assert_eq!(driver.episode().steps_done(), 2);
    drop(driver);
    let resumed = live.resume().await;
    assert_eq!((resumed.episode().ending(), live.acts().len()), (Some(Ending::Finished), 2));
}

#[tokio::test]
async fn a_page_that_blinks_is_in_the_same_state() {
    for (blink, same) in [("blink", [false, true]), ("", [false, true])] {
        let live = LiveEpisode::new(blink).saying(&[
            "type(text=x)",
            "type(text=x)",
            "type(text=hello)",
            "click(at=(125, 65))",
        ]);
        let mut driver = live.start();
        while driver.episode().steps().len() < 3 {
            tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
        }
        let steps = driver.episode().steps().clone();
        let unchanged: Vec<bool> = steps.iter().take(2).map(|step| step.is_unchanged()).collect();
        assert_eq!(unchanged, same, "{blink}");
        let pictures = |index: usize| steps.get(index).unwrap().observation.digest();
        assert_eq!(pictures(1) == pictures(2), blink.is_empty(), "{blink}");
        driver.close().await;
        drop(driver);
        let recorded = read_journal(&live.journal()).unwrap();
        let read = restore(&recorded, live.environment().as_mut()).await.unwrap();
        let states = |steps: &mageyard_engine::Steps| steps.iter().map(|step| step.state).collect::<Vec<_>>();
        assert_eq!(states(read.steps()), states(&steps));
        assert_eq!(read.steps().last().unwrap().observation.digest(), pictures(2));
        let mut resumed = live.resume().await;
        tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
        resumed.close().await;
        assert!(
            !live.events().contains(&"looked".to_owned()),
            "it came back in the same state: {:?}",
            live.events()
        );
    }
}
