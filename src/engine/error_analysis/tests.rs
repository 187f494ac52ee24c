//! Every mark with its step and its reason.

use crate::tests::corridor::{ASKED, CorridorSpec, head};
use crate::tests::run_episode;
use crate::*;
use mageyard_domain::*;

/// The analysis of a scripted episode, with the thresholds of its head.
async fn judged(head: Head, lines: &[&'static str]) -> ErrorAnalysis {
    let thresholds = head.conduct.thresholds;
    analyze(&run_episode(head, lines).await, &CorridorSpec, thresholds)
}

fn online(length: u32) -> Head {
    head(Setting::Online, length, 12)
}

/// The numbers of the steps that have this mark.
fn steps(faults: &ErrorAnalysis, mark: Mark) -> Vec<usize> {
    (1..).zip(faults.marks()).filter(|(_, marked)| marked.has(mark)).map(|(number, _)| number).collect()
}

fn none(faults: &ErrorAnalysis) -> bool {
    faults.marks().iter().all(|marked| marked.is_empty())
        && Mark::ALL.iter().all(|mark| faults.reason(*mark).is_none())
}

#[tokio::test]
async fn good_play_has_no_marks() {
    let good = judged(online(3), &["Right"]).await;
    assert!(none(&good), "{good:?}");
    assert_eq!(good.marks().len(), 3, "one per step, the end included");
    let dance = judged(online(30), &["Right", "Left"]).await;
    assert!(none(&dance), "{dance:?}");
}

#[tokio::test]
async fn a_repetition_marks_each_of_its_steps() {
    let stuck = judged(online(3), &["Left"]).await;
    // The first step moves; the others hit the wall. From the tenth on both rules apply.
    assert_eq!(steps(&stuck, Mark::Unchanged), (2..=12).collect::<Vec<_>>());
    assert_eq!(steps(&stuck, Mark::RepeatedAction), (1..=12).collect::<Vec<_>>());
    let why = "Left 11 times in a row with the state unchanged, steps 2 to 12";
    assert_eq!(stuck.repeating.as_deref(), Some(why));
    let short = judged(head(Setting::Online, 3, 6), &["Left"]).await;
    assert_eq!(steps(&short, Mark::RepeatedAction), [2, 3, 4, 5, 6]);
    let walks = judged(online(30), &["Right"]).await;
    assert_eq!(walks.repeating.as_deref(), Some("Right 12 times in a row, steps 1 to 12"));
    assert_eq!(steps(&walks, Mark::RepeatedAction), (1..=12).collect::<Vec<_>>());
    let nine = judged(head(Setting::Online, 30, 9), &["Right"]).await;
    assert!(none(&nine), "below the threshold: {nine:?}");
}

#[tokio::test]
async fn an_interrupted_repetition_is_counted_again() {
    let script = ["Left", "Left", "Left", "Left", "Left", "Right", "Right", "Left"];
    let faults = judged(head(Setting::Online, 9, 8), &script).await;
    assert!(steps(&faults, Mark::RepeatedAction).is_empty(), "{faults:?}");
    let strict = EpisodePolicy {
        thresholds: RepetitionThresholds { unchanged: 3, same: 9 },
        ..EpisodePolicy::default()
    };
    let faults = judged(Head { conduct: strict, ..head(Setting::Online, 9, 8) }, &script).await;
    assert_eq!(steps(&faults, Mark::RepeatedAction), [2, 3, 4, 5]);
}

#[tokio::test]
async fn a_step_without_a_legal_action_is_invalid_and_a_parse_error() {
    let mute = judged(online(3), &["Right", "Fly"]).await;
    assert_eq!(mute.invalid.as_deref(), Some("step 2 ended without a legal action"));
    assert_eq!(
        (mute.parse_errors, steps(&mute, Mark::ParseError), steps(&mute, Mark::InvalidAction)),
        (3, vec![2], vec![2])
    );
    assert_eq!(mute.reason(Mark::ParseError).as_deref(), Some("3 replies could not be read, at 1 step"));
    assert_eq!(mute.count(Mark::Unchanged), 0, "a skipped step is not an ineffective action");
    let plan = judged(head(Setting::Global, 3, 9), &["Fly"]).await;
    assert_eq!(plan.invalid.as_deref(), Some("the plan could not be read in any attempt"));
    assert_eq!(steps(&plan, Mark::InvalidAction), [1]);
}

#[tokio::test]
async fn equal_replies_are_a_repetition_whatever_they_contain() {
    // A raw reply, so it does not contain the step's number.
    let mute = judged(head(Setting::Online, 3, 6), &["=I cannot see the frame."]).await;
    let why = "the same reply 6 times in a row with the state unchanged, steps 1 to 6";
    assert_eq!(mute.repeating.as_deref(), Some(why));
    assert_eq!(steps(&mute, Mark::RepeatedAction), [1, 2, 3, 4, 5, 6]);
    let varied = judged(head(Setting::Online, 3, 6), &["Fly"]).await;
    assert_eq!(varied.repeating, None, "each reply differs");
}

#[tokio::test]
async fn every_step_is_dead_from_the_one_that_made_the_level_unsolvable() {
    let lost = judged(head(Setting::Online, 3, 4), &["Right", "Left", "Left", "Left"]).await;
    assert_eq!(
        (&lost.dead_state, steps(&lost, Mark::Dead)),
        (&None, Vec::new()),
        "an ordinary corridor has no dead state"
    );
    let lost = judged(head(Setting::Online, 13, 6), &["Left", "Right", "Left", "Left"]).await;
    assert_eq!(steps(&lost, Mark::Dead), [1, 2, 3, 4, 5, 6]);
    assert_eq!(lost.dead_state, Some(DeadState { step: 1, why: "the left end is a pit".into() }));
    assert_eq!(lost.reason(Mark::Dead).as_deref(), Some("since step 1: the left end is a pit"));
    let later = judged(head(Setting::Online, 13, 5), &["Right", "Left", "Left"]).await;
    assert_eq!(steps(&later, Mark::Dead), [3, 4, 5]);
}

#[tokio::test]
async fn each_state_is_checked_once_and_none_after_the_first_dead_one() {
    let episode = run_episode(head(Setting::Online, 13, 12), &["Right", "Left", "Left"]).await;
    assert_eq!(ASKED.get(), 0, "playing checks nothing");
    for _ in 0..3 {
        assert_eq!(
            analyze(&episode, &CorridorSpec, RepetitionThresholds::default())
                .dead_state
                .map(|lost| lost.step),
            Some(3)
        );
    }
    assert_eq!(ASKED.get(), 3, "the first state comes back, and is checked once");
}

#[test]
fn a_mark_is_found_by_its_name() {
    for mark in Mark::ALL {
        assert_eq!(mark.name().parse(), Ok(mark));
        assert!(!mark.title().is_empty() && !mark.definition(RepetitionThresholds::default()).is_empty());
    }
    let error = "deed".parse::<Mark>().unwrap_err();
    assert_eq!(
        error,
        "there is no mark \"deed\"; did you mean dead? (the marks are parse, ending, dropped, ia, ra, ren, act, same, off_path, dead, edited, or any)"
    );
    let two: MarkSet = [Mark::Dead, Mark::ParseError].into_iter().collect();
    assert_eq!(two.iter().collect::<Vec<_>>(), [Mark::ParseError, Mark::Dead]);
    assert_eq!(("parse, dead".parse(), two.to_string().as_str()), (Ok(two), "parse,dead"));
    assert_eq!(("any".parse(), MarkSet::ANY.to_string().as_str()), (Ok(MarkSet::ANY), "any"));
    assert!("ia,".parse::<MarkSet>().is_err() && "".parse::<MarkSet>().is_err());
    assert!(two.intersects(MarkSet::ANY) && !two.intersects([Mark::Unchanged].into_iter().collect()));
}
