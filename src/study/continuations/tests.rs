use crate::{plan_continuations, run_continuations};
use mageyard_lab::{make_fork, new_head, open_new, plan_fork, recorded_episode, select_level};
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use mageyard_config::{AssignedSetting, Config, Folders, Origin};
use mageyard_engine::{Store, branch_numbers};
use mageyard_lab::Lab;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The lab of the program, with no secrets.
fn lab() -> Lab {
    Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
}

struct Played {
    root: TempDir,
    journal: PathBuf,
    config: Config,
}

fn config(root: &TempDir, agent: &str, steps: u32) -> Config {
    let assigned = |(name, value): (&str, serde_json::Value)| AssignedSetting {
        name: name.to_owned(),
        value,
        origin: Origin::Flag("--set".to_owned()),
    };
    let set = [("play.agent", agent.into()), ("play.max_steps", steps.into())].map(assigned);
    Config::shipped(Folders::under(root.path())).unwrap().with_assigned(&set).unwrap()
}

/// An episode of this agent.
async fn played(reference: &str, agent: &str, steps: u32) -> Played {
    let root = tempfile::tempdir().unwrap();
    let config = config(&root, agent, steps);
    let lab = lab();
    let store = Store::new(root.path().join("sessions"));
    let level = select_level(&lab, config.folders(), reference).unwrap();
    let head = new_head(&lab, &config, &level, 1).unwrap();
    let session = store.create_session(Duration::ZERO, "x").unwrap();
    let mut episode = open_new(&lab, &store, &session, 1, head, &config).unwrap();
    episode.driver.run_to_end().await.unwrap();
    Played { journal: store.journal_path(&session, 1), root, config }
}

async fn run(
    played: &Played,
    request: &ContinuationRequest,
) -> (ContinuationPlan, ContinuationOutcome, usize) {
    let lab = lab();
    let plan = plan_continuations(&lab, &played.journal, request, &played.config).await.unwrap();
    let mut ended = 0;
    let outcome =
        run_continuations(&lab, &plan, &played.config, 2, &CancellationToken::new(), &mut |_| ended += 1)
            .await
            .unwrap();
    (plan, outcome, ended)
}

fn request(step: u32, samples: u32) -> ContinuationRequest {
    ContinuationRequest { step, samples, ..ContinuationRequest::default() }
}

#[tokio::test]
async fn each_sample_draws_by_itself_and_is_played_once() {
    let played = played("sokoban/full/3", "random", 9).await;
    let before = std::fs::read(&played.journal).unwrap();
    let (plan, outcome, ended) = run(&played, &request(4, 4)).await;
    assert_eq!((ended, outcome.stored.len(), outcome.failures.len()), (4, 4, 0));
    assert_eq!(std::fs::read(&played.journal).unwrap(), before, "the recording is only read");
    let [row] = plan.rows(&outcome.stored).try_into().unwrap();
    let ContinuationRow { over, unfinished, .. } = row;
    assert_eq!((over, unfinished, row.won.of), (4, 0, 4));
    assert_eq!(row.endings.values().sum::<usize>(), 4);
    let mut futures = std::collections::BTreeSet::new();
    for stored in &outcome.stored {
        let episode = recorded_episode(&lab(), &stored.journal).restore().await.unwrap().episode;
        let actions = episode.steps().iter().filter_map(|step| step.action.as_ref()).map(ToString::to_string);
        futures.insert(actions.collect::<Vec<_>>());
    }
    assert!(futures.len() > 1, "the draws differ: {futures:?}");
    assert!(
        futures.iter().all(|future| future[..3] == futures.first().unwrap()[..3]),
        "up to the step they agree"
    );

    // The same request plays nothing, and a larger one only what is missing.
    let (_, again, ended) = run(&played, &request(4, 4)).await;
    assert_eq!((again.stored.len(), ended), (4, 0));
    let (_, more, ended) = run(&played, &request(4, 6)).await;
    assert_eq!((more.stored.len(), ended), (6, 2));
    assert_eq!(branch_numbers(played.journal.parent().unwrap()).unwrap().len(), 6);
    let (_, other, ended) = run(&played, &ContinuationRequest { seed: 9, ..request(4, 2) }).await;
    assert_eq!((other.stored.len(), ended), (2, 2), "another seed is another question");
}

#[tokio::test]
async fn a_branch_of_a_continuation_has_its_draws() {
    let played = played("sokoban/full/3", "random", 9).await;
    let (_, outcome, _) = run(&played, &request(3, 1)).await;
    let parent = &outcome.stored[0].journal;
    let fork = mageyard_lab::ForkRequest { step: 5, ..mageyard_lab::ForkRequest::default() };
    let plan = plan_fork(&lab(), parent, &fork, &played.config).await.unwrap();
    let mut fork = make_fork(&lab(), plan, &played.config).await.unwrap();
    fork.episode.driver.run_to_end().await.unwrap();
    let told = recorded_episode(&lab(), parent).restore().await.unwrap().episode;
    let actions = |episode: &mageyard_engine::Episode| {
        episode.steps().iter().map(|step| step.action.as_ref().map(ToString::to_string)).collect::<Vec<_>>()
    };
    assert_eq!(actions(fork.episode.driver.episode()), actions(&told));
}

#[tokio::test]
async fn what_was_cancelled_is_completed() {
    let played = played("sokoban/full/3", "random", 9).await;
    let lab = lab();
    let plan = plan_continuations(&lab, &played.journal, &request(2, 5), &played.config).await.unwrap();
    let stop = CancellationToken::new();
    let cancelled =
        run_continuations(&lab, &plan, &played.config, 1, &stop, &mut |_| stop.cancel()).await.unwrap();
    let over = cancelled.stored.iter().filter(|one| one.summary.is_some()).count();
    assert!((1..5).contains(&over), "{over}");
    let (_, outcome, ended) = run(&played, &request(2, 5)).await;
    assert_eq!((outcome.stored.len(), ended), (5, 5 - over));
    assert!(outcome.stored.iter().all(|one| one.summary.is_some()));
}

#[tokio::test]
async fn windows_are_combined_and_impossible_ones_are_named() {
    let played = played("sokoban/full/3", "oracle", 50).await;
    let wanted = ContinuationRequest { am: vec![1, 5], om: vec![1, 3], ..request(2, 1) };
    let plan = plan_continuations(&lab(), &played.journal, &wanted, &played.config).await.unwrap();
    let windows: Vec<_> = plan.variants.iter().map(|one| (one.window.am(), one.window.om())).collect();
    assert_eq!(windows, [(1, 1), (5, 1), (5, 3)]);
    assert_eq!(plan.struck.len(), 1);
    let (plan, outcome, _) = run(&played, &wanted).await;
    let rows = plan.rows(&outcome.stored);
    assert!(rows.iter().all(|row| (row.won.count, row.won.of) == (1, 1)), "the solver wins in each");
    let steps = rows[0].steps.as_ref().unwrap().0;
    let told = recorded_episode(&lab(), &played.journal).restore().await.unwrap().episode.steps_done();
    assert!((steps - f64::from(told - 1)).abs() < 1e-9, "{steps}");
    assert!(played.root.path().exists());
}
