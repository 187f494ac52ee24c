//! Versions on states that were really played and asked, with the simulated model.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::pinned::*;
use crate::{AskRequest, Study, Suite, SuiteStep, SuiteStudy, collect_suite};
use mageyard_config::{AssignedSetting, Config, Folders, Origin};
use mageyard_dialog::{Prompt, RequestDiff};
use mageyard_engine::Store;
use mageyard_lab::{Lab, known_environment, new_head, open_new, prompt_text, select_level, step_reference};

struct Played {
    root: TempDir,
    lab: Lab,
    journal: PathBuf,
    config: Config,
}

/// An episode of the simulated model with so many steps and a window of as many images.
async fn played(steps: u32, window: u32) -> Played {
    let root = tempfile::tempdir().unwrap();
    let lab = Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None));
    let assigned = |(name, value): (&str, serde_json::Value)| AssignedSetting {
        name: name.to_owned(),
        value,
        origin: Origin::Flag("--set".to_owned()),
    };
    let set = [
        ("play.agent", "demo".into()),
        ("model.name", "demo-weak".into()),
        ("play.max_steps", steps.into()),
        ("memory.am", window.into()),
        ("memory.om", window.into()),
        ("demo.parse_errors", 0.into()),
        ("demo.rate_limits", 0.into()),
        ("demo.lost_connections", 0.into()),
        ("demo.pace", 0.into()),
    ]
    .map(assigned);
    let config = Config::shipped(Folders::under(root.path())).unwrap().with_assigned(&set).unwrap();
    let store = Store::new(config.store_folder());
    let level = select_level(&lab, config.folders(), "sokoban/full/1").unwrap();
    let head = new_head(&lab, &config, &level, 1).unwrap();
    let session = store.create_session(Duration::ZERO, "x").unwrap();
    let mut episode = open_new(&lab, &store, &session, 1, head, &config).unwrap();
    episode.driver.run_to_end().await.unwrap();
    Played { journal: store.journal_path(&session, 1), root, lab, config }
}

impl Played {
    async fn pinned(&self, steps: &[u32]) -> Suite {
        let run = Store::new(self.config.store_folder()).reference(&self.journal);
        let step =
            |step: &u32| SuiteStep::named(self.journal.clone(), step_reference(&run, *step), *step, None);
        let steps: Vec<SuiteStep> = steps.iter().map(step).collect();
        collect_suite(&self.lab, ("pinned", ""), None, &steps, &self.config).await.unwrap().suite
    }

    async fn states(&self, suite: &Suite) -> PinnedStates {
        let request = AskRequest::default();
        PinnedStates::open(&self.lab, suite.clone(), &request, &self.config).await.unwrap()
    }

    fn text(&self) -> String {
        let spec = known_environment(&self.lab, "sokoban").unwrap();
        prompt_text(spec, self.config.folders(), "0s-CoT").unwrap().text
    }

    async fn study(&self, suite: &Suite, draft: &Prompt, samples: u32) -> SuiteStudy {
        let request = AskRequest {
            prompts: vec![draft.name.clone()],
            drafts: vec![draft.clone()],
            takes_replies: true,
            samples,
            ..AskRequest::default()
        };
        let confirm = String::new();
        SuiteStudy::plan(&self.lab, suite.clone(), (&request, None), &self.config, confirm).await.unwrap()
    }

    /// Asks a draft; the result is how many calls were missing.
    async fn ask(&self, suite: &Suite, draft: &Prompt, samples: u32) -> u64 {
        let study = self.study(suite, draft, samples).await;
        let left = study.left();
        study.run(&self.lab, &CancellationToken::new(), &mut |_, _| {}).await.unwrap();
        let (done, all) = study.counts();
        assert_eq!(done, all);
        left
    }
}

fn version(states: &PinnedStates, number: u32, prompt: &Prompt) -> AskedVersion {
    let count = states.listed().len();
    AskedVersion { number, variants: (0..count).map(|state| states.variant(state, prompt)).collect() }
}

#[tokio::test]
async fn versions_are_asked_once_and_compared_on_the_same_states() {
    let played = played(12, 2).await;
    let suite = played.pinned(&[1, 2, 3]).await;
    let one = Prompt::parse(&played.text()).unwrap();
    let two =
        Prompt::parse(&played.text().replace("You are playing", "Mind the walls. You are playing")).unwrap();
    assert_eq!(one.name, two.name);
    let before = std::fs::read(&played.journal).unwrap();
    assert_eq!(played.ask(&suite, &one, 1).await, 3);
    assert_eq!(played.ask(&suite, &two, 1).await, 3, "another text is another request");
    // The same texts again, more samples, more states, and another name.
    assert_eq!(played.study(&suite, &one, 1).await.left(), 0);
    assert_eq!(played.ask(&suite, &one, 2).await, 3);
    let larger = played.pinned(&[1, 2, 3, 4]).await;
    assert_eq!(played.study(&larger, &two, 1).await.left(), 1);
    let mut renamed = two.clone();
    "mine".clone_into(&mut renamed.name);
    assert_eq!(played.study(&suite, &renamed, 1).await.left(), 0);
    assert_eq!(std::fs::read(&played.journal).unwrap(), before, "the recording is only read");

    let mut states = played.states(&suite).await;
    assert_eq!(states.listed()[0].model.as_deref(), Ok("demo-weak"));
    for index in 0..3 {
        states.judge(index, &played.lab, &played.config).await.unwrap();
    }
    states.read_again(1).unwrap();
    let table = states.table(&[version(&states, 1, &one), version(&states, 2, &two)]);
    assert_eq!(table.rows.iter().map(VersionRow::replies).collect::<Vec<_>>(), [3, 3]);
    assert!(table.rows.iter().all(|row| row.accepted.1 == 3), "the solver judges each state");
    let compared = table.comparison.unwrap();
    assert_eq!((compared.older, compared.newer, compared.states), (1, 2, 3));
    states.read_again(2).unwrap();
    let table = states.table(&[version(&states, 1, &one)]);
    assert_eq!((table.rows[0].replies(), table.comparison), (6, None));
    let taken = format!("{:?}", table.rows[0].cost);
    assert!(!taken.contains("NoRequests"), "taken replies have the cost of when they were paid: {taken}");
    drop(played.root);
}

#[tokio::test]
async fn a_draft_makes_its_request_of_thirty_images_in_time() {
    let played = played(34, 30).await;
    let suite = played.pinned(&[31]).await;
    let states = played.states(&suite).await;
    let one = Prompt::parse(&played.text()).unwrap();
    let saved = states.request(0, &one).unwrap();
    assert_eq!(saved.images.len(), 30);
    assert!(saved.needs.as_ref().is_ok_and(|needs| needs.input.highest > 30 * 255));
    let begun = std::time::Instant::now();
    let two =
        Prompt::parse(&played.text().replace("You are playing", "Mind the walls. You are playing")).unwrap();
    let draft = states.request(0, &two).unwrap();
    let diff = RequestDiff::of_requests(&saved.request, &draft.request);
    let took = begun.elapsed();
    assert_eq!(diff.turns.iter().filter(|turn| !turn.is_same()).count(), 1);
    assert!(RequestDiff::of_requests(&saved.request, &saved.request).is_empty());
    assert_eq!(states.request(1, &one).map(|_| ()), None);
    // 50 ms are promised; a busy machine and a build for tests take longer.
    assert!(took < Duration::from_secs(1), "{took:?}");
}
