//! The states that are asked about: a step, those of a suite, or steps of sessions.

use std::path::{Path, PathBuf};

use crate::ask::{ALL_QUESTIONS, distinct};
use crate::memory::{DrawnStep, asked_steps, drawn};
use crate::table::struck_line;
use crate::{AskPlan, OpenedState, Suite, open_suite, parse_suite, suite_catalog, suite_file};
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, parse_step_reference, read_recordings, recorded_episode, step_reference};

/// What is asked about.
pub enum AskedAbout {
    /// A step of the episode with this journal.
    Step(PathBuf, u32),
    /// All states of a suite.
    Suite(Box<Suite>),
    /// Steps of these sessions or sweeps.
    Sessions(Vec<String>),
}

/// A state that can be asked about.
#[derive(Clone, Debug)]
pub(super) struct AskedState {
    pub(super) journal: PathBuf,
    pub(super) step: u32,
    /// The reference of its level.
    pub(super) level: String,
    /// Its address, such as `SESSION/0001#7`.
    pub(super) address: String,
    /// What sort of state it is: the category of a suite, or the third of the episode.
    pub(super) kind: Option<String>,
}

impl AskedAbout {
    /// What these words name: a step such as `last#5`, a suite, or sessions and sweeps.
    pub fn named(words: &[String], config: &Config) -> Result<Self, LabError> {
        let [one] = words else { return Ok(Self::Sessions(words.to_vec())) };
        let (session, step) = parse_step_reference(one)?;
        if let Some(step) = step {
            let store = Store::new(config.store_folder());
            let journals = store.find(session)?;
            let [journal] = journals.as_slice() else {
                let first = journals.first().map(|journal| store.reference(journal)).unwrap_or_default();
                let what = format!("{session} has {} episodes", journals.len());
                return Err(Problem::new(what).with_help(format!("name one, such as {first}#{step}")).into());
            };
            return Ok(Self::Step(journal.clone(), step));
        }
        let is_file = Path::new(one).extension().is_some_and(|extension| extension == "toml");
        let suites = suite_catalog(config.folders()).entries();
        if is_file || suites.iter().any(|suite| suite.name == *one) {
            return Ok(Self::Suite(Box::new(parse_suite(&suite_file(config.folders(), one)?)?)));
        }
        Ok(Self::Sessions(vec![one.clone()]))
    }

    /// Whether steps are drawn, so that only those that failed are taken.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self, Self::Sessions(_))
    }

    /// The states in the order in which they are asked about. Those of sessions are drawn alike from the thirds of won and of
    /// other episodes, by the seed.
    pub(super) async fn states(
        &self,
        lab: &Lab,
        seed: u64,
        config: &Config,
    ) -> Result<Vec<AskedState>, LabError> {
        let store = Store::new(config.store_folder());
        match self {
            Self::Step(journal, step) => {
                let restored = recorded_episode(lab, journal).restore().await?;
                Ok(vec![AskedState {
                    journal: journal.clone(),
                    step: *step,
                    level: restored.episode.head().reference.clone(),
                    address: step_reference(&store.reference(journal), *step),
                    kind: None,
                }])
            }
            Self::Suite(suite) => {
                let opened = open_suite(lab, suite, &store, config).await?;
                let states = suite.states.iter().zip(opened);
                Ok(states.map(|(state, opened)| suite_state(&store, suite, state, opened)).collect())
            }
            Self::Sessions(sessions) => {
                let steps = asked_steps(read_recordings(lab, &store, sessions), 1).await?;
                Ok(drawn(steps, seed).into_iter().map(|step| drawn_state(&store, step)).collect())
            }
        }
    }
}

fn suite_state(store: &Store, suite: &Suite, state: &crate::SuiteState, opened: OpenedState) -> AskedState {
    AskedState {
        address: step_reference(&store.reference(&opened.journal), opened.step),
        journal: opened.journal,
        step: opened.step,
        level: suite.level(state).map(|level| level.reference.clone()).unwrap_or_default(),
        kind: state.category.clone(),
    }
}

fn drawn_state(store: &Store, step: DrawnStep) -> AskedState {
    let kind = match step.stratum.0 {
        0 => "beginning",
        1 => "middle",
        _ => "end",
    };
    AskedState {
        address: step_reference(&store.reference(&step.journal), step.step),
        journal: step.journal,
        step: step.step,
        level: step.level,
        kind: Some(kind.to_owned()),
    }
}

/// The kinds of questions with these names, or all of the environment.
pub(super) fn question_kinds(names: &[String]) -> Vec<String> {
    if names.is_empty() { vec![ALL_QUESTIONS.to_owned()] } else { names.to_vec() }
}

/// What is not possible in any of these states, each once.
pub(super) fn struck_lines(plans: &[AskPlan]) -> Vec<String> {
    let lines: Vec<String> = plans.iter().flat_map(|plan| &plan.record.struck).map(struck_line).collect();
    distinct(&lines)
}
