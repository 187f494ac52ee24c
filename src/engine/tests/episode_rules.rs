//! Rules of an episode as data of its head: the attempts of a step, and actions that the repetition limit refuses.

use super::*;

fn with_policy(head: Head, conduct: EpisodePolicy) -> Head {
    Head { conduct, ..head }
}

fn attempts(count: i64) -> EpisodePolicy {
    EpisodePolicy { attempts: count.try_into().unwrap(), ..EpisodePolicy::default() }
}

/// The third equal action is refused.
fn refusing() -> EpisodePolicy {
    EpisodePolicy {
        on_repeating: OnRepeating::Refuse,
        thresholds: RepetitionThresholds { unchanged: 2, same: 3 },
        ..EpisodePolicy::default()
    }
}

#[tokio::test]
async fn a_step_has_as_many_attempts_as_the_head_says() {
    for count in 1..=3 {
        let head = with_policy(head(Setting::Online, 2, 3), attempts(count));
        let episode = run_episode(head, &["Fly", "Right"]).await;
        let first = &episode.steps()[0];
        let expected = usize::try_from(count).unwrap();
        assert_eq!((first.attempts.len(), first.parse_errors(), first.skipped), (expected, expected, true));
        assert_eq!(episode.ending(), Some(Ending::Won));
    }
    let once = EpisodePolicy { on_unreadable: OnUnreadable::End, ..attempts(1) };
    let episode = run_episode(with_policy(head(Setting::Online, 2, 3), once), &["Fly"]).await;
    assert_eq!((episode.ending(), episode.steps()[0].attempts.len()), (Some(Ending::Unreadable), 1));
}

#[test]
fn a_head_has_only_the_rules_that_are_not_usual() {
    let stored = |head: &Head| serde_json::to_value(head).unwrap();
    let usual = stored(&head(Setting::Online, 3, 6));
    let names = ["attempts", "time_checked", "time_counted"];
    assert!(names.iter().all(|name| usual["conduct"].get(name).is_none()), "{usual}");
    assert!(usual.get("limits_of_level").is_none(), "{usual}");
    let conduct = EpisodePolicy { time_checked: TimeChecked::Between, ..attempts(1) };
    let other = with_policy(head(Setting::Online, 3, 6), conduct).limited_to(Some(Seconds::whole(9)));
    let mut value = stored(&other);
    let found = names.map(|name| value["conduct"][name].clone());
    assert_eq!(found, [serde_json::json!(1), "between".into(), "play".into()]);
    assert_eq!(serde_json::from_value::<Head>(value.clone()).unwrap(), other);
    assert_eq!(stored(&other.limited_to(None))["conduct"].get("time_counted"), None);
    for wrong in [0, 4, -1] {
        value["conduct"]["attempts"] = wrong.into();
        let error = serde_json::from_value::<Head>(value.clone()).unwrap_err().to_string();
        assert!(error.contains(&format!("{wrong} is out of range, allowed is 1 to 3")), "{error}");
    }
}

#[tokio::test]
async fn the_action_that_reaches_the_limit_is_refused_and_not_carried_out() {
    for (setting, line) in
        [(Setting::Online, "Right"), (Setting::Global, "Right, Right, Right, Right, Right")]
    {
        let head = with_policy(head(setting, 9, 30), refusing());
        let episode = run_episode(head, &[line]).await;
        assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::Repetition), 2), "{setting}");
        let last = &episode.steps()[2];
        assert_eq!((last.action.clone(), last.over_limit), (Some(Action::plain("Right")), true), "{setting}");
        assert!(last.effect.is_none() && !last.is_done() && episode.steps().len() == 3);
        assert_eq!(episode.returns().sum, -2.0, "the refused action has no reward");
        let errors = analyze(&episode, &CorridorSpec, refusing().thresholds);
        assert_eq!(errors.count(Mark::RepeatedAction), 3);
        assert_eq!(errors.repeating.as_deref(), Some("Right 3 times in a row, steps 1 to 3"));
    }
}

#[tokio::test]
async fn what_depends_on_effects_or_is_not_in_a_row_is_not_refused() {
    let play = |max_steps, lines: &'static [&'static str]| {
        run_episode(with_policy(head(Setting::Online, 40, max_steps), refusing()), lines)
    };
    let other = play(9, &["Left", "Left", "Right"]).await;
    assert_eq!((other.ending(), other.steps_done()), (Some(Ending::StepLimit), 9));
    let skipped = play(9, &["Right", "Right", "Fly"]).await;
    assert_eq!((skipped.ending(), skipped.steps_done()), (Some(Ending::StepLimit), 9));
    let limited = play(2, &["Right"]).await;
    assert_eq!(limited.ending(), Some(Ending::StepLimit), "the step limit comes first");
    assert!(limited.steps()[2].action.is_none());
}

#[tokio::test]
async fn an_edited_action_that_reaches_the_limit_is_refused_too() {
    let head = with_policy(head(Setting::Online, 40, 9), refusing());
    let mut driver = driver(head, script(&["Right", "Right", "Left"]), Box::new(NullSink::default()));
    while driver.episode().steps().len() < 3 || !matches!(driver.episode().need(), Need::Act(_)) {
        driver.advance().await.unwrap();
    }
    let target = EditTarget::of(driver.episode().steps().last().unwrap());
    driver.edit(target, Edit::Actions(vec![Action::plain("Right")])).unwrap();
    assert_eq!(driver.episode().ending(), Some(Ending::Repetition));
    assert!(driver.episode().steps()[2].over_limit);
}

#[tokio::test]
async fn a_refused_action_is_the_same_after_each_cut_of_the_journal() {
    for (setting, lines) in
        [(Setting::Online, &["Right"][..]), (Setting::Global, &["Left, Right, Right, Right, Right"])]
    {
        let folder = tempfile::tempdir().unwrap();
        let head = with_policy(head(setting, 9, 30), refusing());
        let (whole, expected) = write_journal(folder.path(), &head, lines).await;
        assert_eq!(expected.ending(), Some(Ending::Repetition));
        let path = folder.path().join("journal.jsonl");
        let head_length = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in head_length..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let episode = resume(&path, lines).await.unwrap();
            assert_eq!(episode.ending(), expected.ending(), "{setting} cut at {cut}");
            assert_eq!(transcript(&episode), transcript(&expected), "{setting} cut at {cut}");
            assert!(episode.steps().last().unwrap().over_limit, "{setting} cut at {cut}");
        }
    }
}

#[tokio::test]
async fn a_refused_action_is_written_before_the_episode_ends() {
    for log in NullSink::both() {
        for full_at in 0..14 {
            log.written.store(0, Ordering::Relaxed);
            let head = with_policy(head(Setting::Online, 9, 30), refusing());
            let mut driver = driver(head, script(&["Right"]), Box::new(log.clone()));
            while driver.episode().ending().is_none() {
                log.full.store(log.written.load(Ordering::Relaxed) == full_at, Ordering::Relaxed);
                if driver.advance().await.is_err() {
                    assert_eq!(driver.episode().ending(), None, "full at {full_at}");
                    log.full.store(false, Ordering::Relaxed);
                    driver.advance().await.unwrap();
                }
            }
            assert_eq!(log.held.load(Ordering::Relaxed), 0);
            assert_eq!(
                (driver.episode().ending(), driver.episode().steps_done()),
                (Some(Ending::Repetition), 2)
            );
        }
    }
}
