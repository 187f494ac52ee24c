//! Side requests: a judge for outcomes and verdicts, and a module before decisions. They are no attempts and no steps.

use std::time::Duration;

use mageyard_domain::{Ending, Judgement, SideRole};
use mageyard_engine::{Advance, Driver, Event, Need, Purpose};
use tokio_util::sync::CancellationToken;

use super::episode::{LiveEpisode, Tampering};
use crate::pages::PagesSpec;

const TIMEOUT: Duration = Duration::from_secs(20);

async fn finish(mut driver: Driver) -> Driver {
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    driver.close().await;
    driver
}

/// The steps of an episode as far as side requests must not change them.
fn outline(driver: &Driver) -> Vec<(u32, usize, Option<String>)> {
    let steps = driver.episode().steps().iter();
    steps
        .map(|step| (step.number, step.attempts.len(), step.action.as_ref().map(ToString::to_string)))
        .collect()
}

#[tokio::test]
async fn an_outcome_is_settled_with_the_answer_of_the_judge() {
    let live = LiveEpisode::new("asks").answering(&["```0.6```"]);
    let driver = finish(live.start()).await;
    let plain = finish(LiveEpisode::new("").start()).await;
    assert_eq!(outline(&driver), outline(&plain), "no attempt, no step");
    let episode = driver.episode();
    let effect = episode.steps()[0].effect.as_ref().unwrap();
    assert_eq!((effect.reward, effect.note.as_deref()), (2.0, Some("judged 0.6")), "-1 and 5 * 0.6");
    assert_eq!(episode.returns().sum, plain.episode().returns().sum + 3.0);
    assert_eq!(
        live.events()[4..10],
        ["acting", "acted", "side_sent", "side_replied", "settled", "asked"].map(str::to_owned)
    );
    let judge = &episode.roles()[&SideRole::Judge];
    assert_eq!((judge.requests, judge.replies, judge.spent.usage.total()), (1, 1, 11));
    assert_eq!(episode.spent().usage.total(), 11, "they belong to the total");
    assert_eq!(episode.steps()[0].side.len(), 1);
    let expected = (episode.returns(), episode.roles().clone());
    drop(driver);
    let again = live.resume().await;
    assert_eq!((again.episode().returns(), again.episode().roles().clone()), expected);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_asked_for_again_and_then_counts_as_the_environment_says() {
    let live = LiveEpisode::new("asks").answering(&["half", "```0.4```"]);
    let driver = finish(live.start()).await;
    assert_eq!(driver.episode().steps()[0].effect.as_ref().unwrap().reward, 1.0);
    let judge = &driver.episode().roles()[&SideRole::Judge];
    assert_eq!((judge.requests, judge.unread), (2, 1));
    let live = LiveEpisode::new("asks").answering(&["none"]);
    let driver = finish(live.start()).await;
    let effect = driver.episode().steps()[0].effect.clone().unwrap();
    assert_eq!((effect.reward, effect.note.as_deref()), (-1.0, Some("the judge gave no number")));
    let why = driver.episode().answers()[0].answer.clone().unwrap_err();
    assert_eq!(why, "it has no number between triple backticks");
}

#[tokio::test]
async fn an_equal_question_is_not_asked_again() {
    let live = LiveEpisode::new("asks\njudge ask").answering(&["```1```", "```0```"]);
    let driver = finish(live.start()).await;
    let verdict = driver.episode().judgement().and_then(Judgement::verdict).unwrap();
    assert_eq!((verdict.score, verdict.success), (Some(100.0), true));
    let live = LiveEpisode::new("asks\nstuck").answering(&["```1```", "```0```"]);
    let live = live.saying(&["type(text=a)", "type(text=b)", "type(text=c)"]);
    let mut driver = live.start();
    for _ in 0..200 {
        if driver.episode().answers().len() == 3 {
            break;
        }
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    let judge = &driver.episode().roles()[&SideRole::Judge];
    assert_eq!((judge.requests, judge.reused), (1, 2), "the page ignores what is typed");
    assert!(driver.episode().steps()[2].side[0].reused);
    driver.close().await;
}

#[tokio::test]
async fn a_verdict_waits_for_its_answers_also_over_a_kill() {
    let live = LiveEpisode::new("judge ask").answering(&["```0.5```"]);
    let mut driver = live.start();
    let asks = |need: &Need| matches!(need, Need::Ask(it) if it.purpose == Purpose::Verdict(Ending::Won));
    while !asks(driver.episode().need()) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    assert_eq!((driver.episode().ending(), driver.episode().end_of_play()), (None, Some(Ending::Won)));
    driver.close().await;
    drop(driver);
    let driver = finish(live.resume().await).await;
    let verdict = driver.episode().judgement().and_then(Judgement::verdict).unwrap();
    assert_eq!((verdict.score, driver.episode().score(&PagesSpec)), (Some(75.0), Some(75.0)));
    assert_eq!(
        live.events()[live.events().len() - 4..],
        ["questioned", "side_sent", "side_replied", "judged"].map(str::to_owned)
    );
}

#[tokio::test]
async fn a_side_request_can_be_cancelled_and_is_sent_again() {
    let live = LiveEpisode::new("asks").answering(&[]);
    let mut driver = live.start();
    while !matches!(driver.episode().need(), Need::Ask(_)) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(driver.advance_until(&stop).await.unwrap(), Advance::Stopped);
    assert_eq!(live.events().last().map(String::as_str), Some("side_cut"));
    assert!(matches!(driver.episode().need(), Need::Ask(_)));
    driver.close().await;
    drop(driver);
    let live = live.answering(&["```1```"]);
    let driver = finish(live.resume().await).await;
    let judge = &driver.episode().roles()[&SideRole::Judge];
    assert_eq!((judge.requests, judge.replies), (2, 1));
    assert_eq!(driver.episode().steps()[0].effect.as_ref().unwrap().reward, 4.0);
}

/// What differs from what was composed does not go out.
#[tokio::test]
async fn a_side_request_with_a_part_too_many_too_few_or_of_another_step_is_not_sent() {
    for (tampering, why) in [
        (Tampering::More, "differs from the memory window"),
        (Tampering::Less, "expected"),
        (Tampering::OtherStep, "differs from the memory window"),
    ] {
        let live = LiveEpisode::new("asks").answering(&["```1```"]).tampering(tampering);
        let mut driver = live.start();
        let error = tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap_err();
        assert!(error.to_string().contains(why) && error.to_string().contains("nothing was sent"), "{error}");
        assert!(!live.events().contains(&"side_sent".to_owned()), "{tampering:?}");
        assert!(matches!(driver.episode().need(), Need::Ask(_)), "it can be asked again");
        driver.close().await;
    }
}

const DOING: &str = r#"{"status": "doing", "score": 7, "description": "Half of it is done."}"#;
const FINISHED: &str = r#"{"status": "finished", "score": 10, "description": "All is done."}"#;

#[tokio::test]
async fn a_module_looks_back_before_each_decision_after_the_first() {
    let live = LiveEpisode::new("").reflecting(&[DOING]);
    let driver = finish(live.start()).await;
    let plain = finish(LiveEpisode::new("").start()).await;
    assert_eq!(outline(&driver), outline(&plain), "no attempt, no step");
    let steps = driver.episode().steps();
    let said: Vec<_> = steps.iter().map(|step| step.reflection.as_deref()).collect();
    let half = Some("Half of it is done.");
    assert_eq!(said, [None, half, half, None], "the last one only shows the end");
    let sent = steps[2].side[0].attempt.sent.clone().unwrap();
    let text = sent.turns[1].json().to_owned();
    assert!(text.contains("1. type(text=") && text.contains("assessment before it: Half"), "{text}");
}

#[tokio::test]
async fn a_module_can_declare_that_the_task_is_done() {
    let live = LiveEpisode::new("judge").reflecting(&[FINISHED]);
    let driver = finish(live.start()).await;
    assert_eq!(driver.episode().ending(), Some(Ending::Finished));
    assert_eq!(driver.episode().steps_done(), 1, "the decision is not asked for");
    let verdict = driver.episode().judgement().and_then(Judgement::verdict).unwrap();
    assert_eq!((verdict.score, verdict.success), (Some(50.0), false));
}

/// Who declares the end is known also when all is done.
#[tokio::test]
async fn a_module_looks_once_more_before_a_won_episode_ends() {
    for (answers, ending) in [
        (&[DOING, DOING, FINISHED][..], Ending::Finished),
        (&[DOING], Ending::Won),
        (&[DOING, DOING, "nothing"], Ending::Won),
    ] {
        let mut live = LiveEpisode::new("judge").reflecting(answers);
        live.head.conduct.last_look = true;
        let driver = finish(live.start()).await;
        let episode = driver.episode();
        assert_eq!((episode.ending(), episode.steps_done()), (Some(ending), 3));
        let verdict = episode.judgement().and_then(Judgement::verdict).unwrap();
        assert_eq!((verdict.score, verdict.success), (Some(100.0), true), "it is judged after the look");
        let sent = episode.steps()[3].side[0].attempt.sent.clone().unwrap();
        assert!(sent.turns[1].json().contains("3. click("), "it is shown all that was done");
    }
}

#[tokio::test]
async fn a_limit_at_the_last_look_leaves_a_won_episode_won() {
    let mut live = LiveEpisode::new("").reflecting(&[DOING]);
    live.head.conduct.last_look = true;
    let mut driver = live.start();
    let looks = |need: &Need| matches!(need, Need::Ask(it) if it.purpose == Purpose::LastLook);
    while !looks(driver.episode().need()) {
        tokio::time::timeout(TIMEOUT, driver.advance()).await.unwrap().unwrap();
    }
    for event in [Event::Exhausted, Event::Expired] {
        let mut episode = driver.episode().clone();
        episode.apply(event).unwrap();
        assert_eq!(episode.ending(), Some(Ending::Won));
    }
    driver.close().await;
}

/// Each prefix of the journal resumes to the same end: nothing is asked twice whose answer is known.
#[tokio::test]
async fn an_episode_cut_after_any_event_ends_the_same() {
    let script = |live: LiveEpisode| live.reflecting(&[DOING]);
    let mut live = script(LiveEpisode::new("judge"));
    live.head.conduct.last_look = true;
    let whole = finish(live.start()).await;
    let text = std::fs::read_to_string(live.journal()).unwrap();
    let acts = live.acts();
    let expected = (outline(&whole), whole.episode().judgement().cloned());
    drop(whole);
    let lines: Vec<&str> = text.lines().collect();
    // An action that had begun is not done again, so the episode goes another way there.
    let has_begun = |kept: &usize| lines[kept - 1].contains("\"event\":\"acting\"");
    for kept in (2..lines.len()).filter(|kept| !has_begun(kept)) {
        std::fs::write(live.journal(), format!("{}\n", lines[..kept].join("\n"))).unwrap();
        let done = lines[..kept].iter().filter(|line| line.contains("\"event\":\"acted\"")).count();
        live.reset_surface(&acts[..done]);
        let resumed = finish(live.resume().await).await;
        assert_eq!(
            (outline(&resumed), resumed.episode().judgement().cloned()),
            expected,
            "after {kept} lines"
        );
    }
}
