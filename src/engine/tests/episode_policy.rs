//! Episode policies: what ends an episode early, also after a resume.

use super::*;
use mageyard_domain::{OnCut, OnReplyFailure};

fn strict() -> EpisodePolicy {
    EpisodePolicy {
        on_unreadable: OnUnreadable::End,
        on_repeating: OnRepeating::End,
        ..EpisodePolicy::default()
    }
}

fn held(setting: Setting, length: u32) -> Head {
    Head { conduct: strict(), ..head(setting, length, 30) }
}

#[tokio::test]
async fn an_unreadable_step_ends_an_online_episode_if_the_policy_says_so() {
    let episode = run_episode(held(Setting::Online, 9), &["Right", "Fly", "Right"]).await;
    assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::Unreadable), 1));
    assert_eq!(episode.steps()[1].parse_errors(), 3);
    let faults = analyze(&episode, &CorridorSpec, RepetitionThresholds::default());
    assert_eq!(faults.invalid.as_deref(), Some("step 2 ended without a legal action"));
    assert!(faults.at(1).has(Mark::InvalidAction) && !faults.at(0).has(Mark::InvalidAction));
}

#[tokio::test]
async fn repetition_ends_an_episode_at_its_threshold_if_the_policy_says_so() {
    for (lines, steps) in [(&["Left"][..], 6), (&["Right"], 10), (&["Right", "Right", "Left"], 30)] {
        let episode = run_episode(held(Setting::Online, 40), lines).await;
        let ending = if steps == 30 { Ending::StepLimit } else { Ending::Repetition };
        assert_eq!((episode.ending(), episode.steps_done()), (Some(ending), steps), "{lines:?}");
    }
    let plan =
        run_episode(held(Setting::Global, 40), &["Left, Left, Left, Left, Left, Left, Left, Left"]).await;
    assert_eq!((plan.ending(), plan.steps_done()), (Some(Ending::Repetition), 6));
    let home = run_episode(held(Setting::Online, 11), &["Right"]).await;
    assert_eq!(home.ending(), Some(Ending::Won), "the goal comes before the limit");
    let mute = Head {
        conduct: EpisodePolicy { on_unreadable: OnUnreadable::Skip, ..strict() },
        ..held(Setting::Online, 9)
    };
    let mute = run_episode(mute, &["=no"]).await;
    assert_eq!((mute.ending(), mute.steps_done()), (Some(Ending::Repetition), 5), "the same reply is enough");
}

#[tokio::test]
async fn a_resumed_journal_keeps_the_policy_of_its_head() {
    let script = ["Right", "Left", "Left", "Left"];
    for (lines, ending) in [(&script[..], Ending::Repetition), (&["Right", "Fly"], Ending::Unreadable)] {
        let folder = tempfile::tempdir().unwrap();
        let few = RepetitionThresholds { unchanged: 2, same: 3 };
        let head =
            Head { conduct: EpisodePolicy { thresholds: few, ..strict() }, ..head(Setting::Online, 9, 30) };
        let (whole, expected) = write_journal(folder.path(), &head, lines).await;
        assert_eq!(expected.ending(), Some(ending));
        let path = folder.path().join("journal.jsonl");
        let head_length = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in head_length..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let episode = resume(&path, lines).await.unwrap();
            assert_eq!(episode.ending(), expected.ending(), "cut at {cut}");
            assert_eq!(transcript(&episode), transcript(&expected), "cut at {cut}");
            assert_eq!(*episode.head(), *expected.head());
        }
    }
}

#[test]
fn an_old_head_has_the_default_policy() {
    let mut old = serde_json::to_value(head(Setting::Online, 3, 6)).unwrap();
    old.as_object_mut().unwrap().remove("conduct").unwrap();
    let head: Head = serde_json::from_value(old.clone()).unwrap();
    let usual = RepetitionThresholds { unchanged: 5, same: 10 };
    let stop = OnReplyFailure::Stop;
    let on_unreadable = OnUnreadable::Skip;
    let on_repeating = OnRepeating::Continue;
    assert_eq!(
        head.conduct,
        EpisodePolicy {
            on_unreadable,
            on_repeating,
            on_cut: OnCut::Stop,
            on_refusal: stop,
            thresholds: usual,
            ..EpisodePolicy::default()
        }
    );
    old["conduct"] = serde_json::json!({ "on_repeating": "end" });
    let head: Head = serde_json::from_value(old).unwrap();
    assert_eq!((head.conduct.on_repeating, head.conduct.thresholds), (OnRepeating::End, usual));
}
