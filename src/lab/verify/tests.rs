//! A recording that is repeated where the random numbers are others.

use crate::{new_head, open_new, recorded_episode, select_level};
use tempfile::TempDir;

use super::*;
use crate::Lab;
use crate::testing::lab;

use mageyard_config::{AssignedSetting, Folders, Origin};
use mageyard_domain::{
    EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options, Reference, ReplyFormat, Returns,
    Setting,
};

/// The environment `football`, which draws from a generator that was seeded with another number.
struct OtherDraws;

fn football() -> &'static dyn EnvironmentSpec {
    mageyard_envs::environment("football").unwrap()
}

impl EnvironmentSpec for OtherDraws {
    fn name(&self) -> &'static str {
        "football"
    }

    fn summary(&self) -> &'static str {
        football().summary()
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        football().file_extensions()
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        football().level_sets()
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        football().parse_levels(text)
    }

    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError> {
        football().open(level, options, seed + 1)
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        football().reply_format(setting)
    }

    fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
        football().score(returns, reference)
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        football().prompts()
    }
}

fn config(root: &TempDir) -> Config {
    let assigned = [("play.agent", "random".into()), ("play.max_steps", 5.into())];
    let assigned = assigned.map(|(name, value): (&str, serde_json::Value)| AssignedSetting {
        name: name.to_owned(),
        value,
        origin: Origin::Flag("--set".to_owned()),
    });
    Config::shipped(Folders::under(root.path())).unwrap().with_assigned(&assigned).unwrap()
}

#[tokio::test]
async fn other_random_numbers_are_found_and_the_same_ones_are_not() {
    let root = tempfile::tempdir().unwrap();
    let config = config(&root);
    let store = mageyard_engine::Store::new(root.path().join("sessions"));
    let level = select_level(&lab(), config.folders(), "football/mini/1").unwrap();
    let head = new_head(&lab(), &config, &level, 7).unwrap();
    let session = store.create_session(std::time::Duration::ZERO, "x").unwrap();
    let mut episode = open_new(&lab(), &store, &session, 1, head, &config).unwrap();
    episode.driver.run_to_end().await.unwrap();
    drop(episode);
    let journal = store.journal_path(&session, 1);

    let same = recorded_episode(&lab(), &journal).verify(&config, None).await.unwrap();
    assert!(same.result.is_ok(), "{:?}", same.result);
    let other = Lab::new(&[&OtherDraws], mageyard_agents::AGENTS, Arc::new(|_| None));
    let other = recorded_episode(&other, &journal).verify(&config, None).await.unwrap();
    let Err(LabError::Mismatch { .. }) = &other.result else { panic!("{:?}", other.result) };
    assert!(other.verified.steps < same.verified.steps, "{:?}", other.verified);
}

#[tokio::test]
async fn a_sealed_summary_that_does_not_say_what_the_journal_does_is_a_mismatch() {
    let root = tempfile::tempdir().unwrap();
    let config = config(&root);
    let level = select_level(&lab(), config.folders(), "hanoi/first/1").unwrap();
    let head = new_head(&lab(), &config, &level, 0).unwrap();
    let store = mageyard_engine::Store::new(root.path().join("store"));
    let session = store.create_named_session("one").unwrap();
    let mut prepared = open_new(&lab(), &store, &session, 1, head, &config).unwrap();
    prepared.driver.run_to_end().await.unwrap();
    drop(prepared);
    let recorded = recorded_episode(&lab(), store.journal_path(&session, 1));
    let computed = recorded.restore().await.unwrap().summary();
    assert_eq!(recorded.wrong_summary(&computed), None);
    let better = mageyard_engine::EpisodeSummary { score: Some(1.5), ..computed.clone() };
    mageyard_engine::write_summary(recorded.path(), &better).unwrap();
    assert_eq!(recorded.summary(), Some(better), "its seal matches");
    let why = recorded.wrong_summary(&computed).unwrap();
    assert!(why.contains("summary.json: it does not say what the journal does"), "{why}");
    let verification = recorded.verify(&config, None).await.unwrap();
    assert!(matches!(verification.result, Err(LabError::Mismatch(_))));
}
