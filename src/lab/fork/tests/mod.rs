mod edits;
mod many;

use crate::{
    list_branches, make_fork, new_head, open_new, plan_fork, recorded_episode, resume_episode, select_level,
};
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::Branch;
use crate::testing::lab;
use mageyard_config::{AssignedSetting, Folders, Origin};
use mageyard_domain::Digest;
use mageyard_engine::{Ending, Store, branch_numbers};

/// What happened in an episode: each state with the action and the reward there, and the ending.
type Story = (Vec<(Digest, Option<String>, Option<f64>)>, Option<Ending>);

fn story(episode: &Episode) -> Story {
    let steps = episode.steps().iter().map(|step| {
        let reward = step.effect.as_ref().map(|effect| effect.reward);
        (step.state, step.action.as_ref().map(ToString::to_string), reward)
    });
    (steps.collect(), episode.ending())
}

struct Played {
    root: TempDir,
    journal: PathBuf,
    config: Config,
    story: Story,
}

/// The shipped settings in a folder of their own, with these.
fn config(root: &TempDir, set: &[(&str, serde_json::Value)]) -> Config {
    let assigned = |(name, value): &(&str, serde_json::Value)| AssignedSetting {
        name: (*name).to_owned(),
        value: value.clone(),
        origin: Origin::Flag("--set".to_owned()),
    };
    let assigned: Vec<AssignedSetting> = set.iter().map(assigned).collect();
    Config::shipped(Folders::under(root.path())).unwrap().with_assigned(&assigned).unwrap()
}

/// A random episode on a level.
async fn played(reference: &str, steps: u32, seed: u64) -> Played {
    let root = tempfile::tempdir().unwrap();
    let config = config(&root, &[("play.agent", "random".into()), ("play.max_steps", steps.into())]);
    let lab = lab();
    let store = Store::new(root.path().join("sessions"));
    let level = select_level(&lab, config.folders(), reference).unwrap();
    let head = new_head(&lab, &config, &level, seed).unwrap();
    let session = store.create_session(std::time::Duration::ZERO, "x").unwrap();
    let mut episode = open_new(&lab, &store, &session, 1, head, &config).unwrap();
    episode.driver.run_to_end().await.unwrap();
    let told = story(episode.driver.episode());
    Played { journal: store.journal_path(&session, 1), root, config, story: told }
}

fn at(step: u32) -> ForkRequest {
    ForkRequest { step, ..ForkRequest::default() }
}

async fn fork(
    played: &Played,
    journal: &Path,
    request: &ForkRequest,
    config: &Config,
) -> Result<Fork, LabError> {
    assert!(played.root.path().exists());
    let plan = plan_fork(&lab(), journal, request, config).await?;
    make_fork(&lab(), plan, config).await
}

/// The agent `random` decides by seed and step, so a branch without a change repeats the rest of its parent.
#[tokio::test]
async fn a_branch_at_every_step_has_the_same_future_as_its_parent_in_every_environment() {
    for (reference, steps) in [("sokoban/full/3", 14), ("hanoi/first/4", 14), ("football/mini/1", 5)] {
        let played = played(reference, steps, 7).await;
        let done = u32::try_from(played.story.0.len() - 1).unwrap();
        assert!(done > 2, "{reference}");
        for step in 1..=done {
            let mut made = fork(&played, &played.journal, &at(step), &played.config).await.unwrap();
            made.episode.driver.run_to_end().await.unwrap();
            assert_eq!(story(made.episode.driver.episode()), played.story, "{reference} at step {step}");
            drop(made.episode);
            let again = recorded_episode(&lab(), &made.journal).restore().await.unwrap();
            assert_eq!(story(&again.episode), played.story, "{reference} at step {step}, read again");
            assert!(!again.episode.is_mixed(), "nothing was changed");
        }
        let branches = Branch::all(&played.journal).unwrap();
        assert_eq!(branches.len(), usize::try_from(done).unwrap() + 1);
        for branch in &branches[1..] {
            let parent = branch.head.parent.as_ref().unwrap();
            assert_eq!(
                branch.steps.len(),
                usize::try_from(done + 1 - parent.step).unwrap(),
                "only its own steps"
            );
            assert_eq!(
                branch.meeting.map(|meeting| meeting.other),
                Some(None),
                "it does what the episode did"
            );
        }
        let beyond = fork(&played, &played.journal, &at(done + 1), &played.config).await.err().unwrap();
        let LabError::Request(problem) = beyond else { panic!("{beyond}") };
        assert_eq!(problem.help, Some(format!("a branch begins at a step that was decided: 1 to {done}")));
    }
}

#[tokio::test]
async fn a_branch_of_a_branch_ten_deep_has_the_steps_of_all_its_ancestors() {
    let played = played("sokoban/full/2", 30, 3).await;
    let mut journal = played.journal.clone();
    for depth in 1..=10 {
        let mut made = fork(&played, &journal, &at(2 * depth), &played.config).await.unwrap();
        // One step of its own, so that the next branch leaves this one behind it.
        while made.episode.driver.episode().steps_done() < 2 * depth + 1 {
            made.episode.driver.advance().await.unwrap();
        }
        journal = made.journal;
    }
    let mut last = resume_episode(&lab(), &journal, &played.config).await.unwrap();
    last.driver.run_to_end().await.unwrap();
    assert_eq!(story(last.driver.episode()), played.story);
    drop(last);
    let branches = Branch::all(&journal).unwrap();
    let parents: Vec<_> =
        branches[1..].iter().map(|branch| branch.head.parent.as_ref().unwrap().branch).collect();
    assert_eq!(parents, [&[None][..], &(1..10).map(Some).collect::<Vec<_>>()].concat());
    // A step before the branch belongs to an ancestor, and so does a branch that begins there.
    let made = fork(&played, &journal, &at(5), &played.config).await.unwrap();
    let head = made.episode.driver.episode().head().clone();
    assert_eq!(head.parent.as_ref().unwrap().branch, Some(2));
}

#[tokio::test]
async fn changed_settings_are_named_and_others_are_those_of_the_step() {
    let played = played("sokoban/full/2", 9, 3).await;
    let changed = config(&played.root, &[("memory.am", 3.into()), ("play.prompt", "HD-CoT".into())]);
    let given = vec!["memory.am".to_owned(), "play.prompt".to_owned()];
    let request = ForkRequest { given, why: Some("it forgets".into()), ..at(4) };
    let made = fork(&played, &played.journal, &request, &changed).await.unwrap();
    let episode = made.episode.driver.episode();
    let parent = episode.head().parent.clone().unwrap();
    let named: Vec<String> = parent.changes.iter().map(ToString::to_string).collect();
    assert_eq!(named, ["prompt 0s-CoT -> HD-CoT", "am 5 -> 3"]);
    assert_eq!((parent.step, parent.why.as_deref()), (4, Some("it forgets")));
    assert_eq!((episode.window().am(), episode.prompt(), episode.is_mixed()), (3, "HD-CoT", true));
    assert_eq!(episode.steps().last().unwrap().window.am(), 3);
    assert_eq!(episode.steps()[2].window.am(), 5, "the steps before it keep their window");
    assert_eq!(episode.head().agent.name, "random", "what was not given stays");
    let seed = ForkRequest { given: vec!["play.seed".to_owned()], ..at(4) };
    let refused = fork(&played, &played.journal, &seed, &changed).await.err().unwrap();
    assert!(refused.to_string().contains("a branch keeps the setting play.seed of its parent"), "{refused}");
}

#[tokio::test]
async fn a_branch_says_whether_its_condition_came_true_at_a_step_of_its_own() {
    let played = played("sokoban/full/2", 9, 3).await;
    let expecting = |text: &str| ForkRequest { expect: Some(text.to_owned()), ..at(4) };
    for (text, is_played) in
        [("step=6 or step=8", true), ("step=2", true), ("tokens>9", false), ("cost>0", true)]
    {
        let mut made = fork(&played, &played.journal, &expecting(text), &played.config).await.unwrap();
        made.episode.driver.flush().unwrap();
        if is_played {
            made.episode.driver.run_to_end().await.unwrap();
        }
    }
    let branches = list_branches(&lab(), &played.journal, &played.config).await.unwrap();
    let said: Vec<String> =
        branches.iter().filter_map(|branch| Some(branch.expectation.as_ref()?.to_string())).collect();
    assert_eq!(
        said,
        [
            "expected step=6 or step=8: came true at step 6 (step is 6)",
            "expected step=2: did not come true",
            "expected tokens>9: open",
            "expected cost>0: did not come true",
        ]
    );
    assert_eq!(branches[0].expectation, None);
    let wrong = fork(&played, &played.journal, &expecting("ra>x"), &played.config).await.err().unwrap();
    let LabError::Request(problem) = wrong else { panic!("{wrong}") };
    assert_eq!(problem.location.map(|place| place.span), Some(3..4));
}

#[tokio::test]
async fn a_branch_needs_the_lines_that_it_was_made_after() {
    let played = played("sokoban/full/2", 9, 3).await;
    let made = fork(&played, &played.journal, &at(6), &played.config).await.unwrap();
    drop(made.episode);
    let whole = std::fs::read_to_string(&played.journal).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let kept = lines.iter().position(|line| line.contains("\"event\":\"acted\"")).unwrap();
    // Too short.
    std::fs::write(&played.journal, lines[..=kept].join("\n") + "\n").unwrap();
    let error = recorded_episode(&lab(), &made.journal).restore().await.err().unwrap().to_string();
    assert!(error.contains("the file ends here, and a branch needs its first"), "{error}");
    // Another episode of the same length.
    let other = self::played("sokoban/full/2", 9, 4).await;
    std::fs::copy(&other.journal, &played.journal).unwrap();
    let error = recorded_episode(&lab(), &made.journal).restore().await.err().unwrap().to_string();
    assert!(error.contains("the line is not the one that a branch was made after"), "{error}");
    // A branch of itself.
    let text = std::fs::read_to_string(&made.journal).unwrap();
    assert!(text.contains("\"parent\":{\"step\":6"), "{text}");
}

#[tokio::test]
async fn branches_made_at_once_get_different_numbers_and_a_killed_one_is_left_out() {
    let played = played("sokoban/full/2", 9, 3).await;
    let episode = played.journal.parent().unwrap();
    std::fs::create_dir(episode.join("b1")).unwrap();
    let makers: Vec<_> = (0..4)
        .map(|_| {
            let journal = played.journal.clone();
            let config = played.config.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    for _ in 0..5 {
                        let plan = plan_fork(&lab(), &journal, &at(3), &config).await.unwrap();
                        make_fork(&lab(), plan, &config).await.unwrap();
                    }
                });
            })
        })
        .collect();
    for maker in makers {
        maker.join().unwrap();
    }
    assert_eq!(branch_numbers(episode).unwrap(), (1..=21).collect::<Vec<_>>());
    let all: Vec<_> = Branch::all(&played.journal).unwrap().iter().map(|branch| branch.number).collect();
    assert_eq!(all, [&[None][..], &(2..=21).map(Some).collect::<Vec<_>>()].concat());
}
