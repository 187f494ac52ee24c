//! Makes a suite from recorded steps.

use crate::ask::frozen_state;
use crate::suite::reached_digest;
use std::path::PathBuf;

use super::file::{MOST_STATES, Suite, SuiteLevel, SuiteState};
use super::head::{level_digest, problem_of, settings_of};
use super::reader::parse_suite;
use crate::ask::FrozenState;
use mageyard_config::{AssignedSetting, Config, Problem, SourceFile};
use mageyard_domain::Recovery;
use mageyard_lab::{Lab, LabError};

/// A recorded step that becomes a state of a suite.
#[derive(Clone, Debug)]
pub struct SuiteStep {
    /// Its journal.
    pub journal: PathBuf,
    /// Its reference.
    pub address: String,
    /// Its number, from 1.
    pub step: u32,
    /// Why it is in the suite.
    pub why: String,
}

impl SuiteStep {
    /// A step that a person names, with the reason if there is one.
    pub fn named(journal: PathBuf, address: String, step: u32, why: Option<&str>) -> Self {
        let why = why.map_or_else(|| format!("named: {address}"), str::to_owned);
        Self { journal, address, step, why }
    }
}

/// A suite that was made from recorded steps.
pub struct CollectedSuite {
    /// The suite.
    pub suite: Suite,
    /// The steps that were left out, each with the reason.
    pub left_out: Vec<String>,
}

/// Makes a suite from recorded steps of one environment. A step at which no agent was asked is left out. Where the
/// environment can repeat the actions, they are tried, and kept if they lead to the same state.
pub async fn collect_suite(
    lab: &Lab,
    (name, about): (&str, &str),
    category: Option<&str>,
    steps: &[SuiteStep],
    config: &Config,
) -> Result<CollectedSuite, LabError> {
    let mut draft = Draft::default();
    for step in steps {
        match frozen_state(lab, &step.journal, step.step, &[], config).await {
            Ok(state) => draft.add(step, category, &state)?,
            Err(error) => draft.left_out.push(format!("{}: {}", step.address, problem_of(error))),
        }
    }
    if draft.states.is_empty() {
        return Err(no_states(&draft.left_out).into());
    }
    if draft.states.len() > MOST_STATES {
        let what = format!("{} steps were found, and a suite has at most {MOST_STATES}", draft.states.len());
        return Err(Problem::new(what).with_help("name fewer sessions, or a narrower condition").into());
    }
    let mut suite = draft.suite(name, about)?;
    for index in 0..suite.states.len() {
        keep_leading_actions(lab, &mut suite, index, config).await?;
    }
    Ok(CollectedSuite { suite: parse_suite(&suite.to_file())?, left_out: draft.left_out })
}

/// Removes the actions of a state if they do not lead to it again, because a person intervened.
pub(crate) async fn keep_leading_actions(
    lab: &Lab,
    suite: &mut Suite,
    index: usize,
    config: &Config,
) -> Result<(), LabError> {
    let Some(state) = suite.states.get(index).filter(|state| state.actions.is_some()) else {
        return Ok(());
    };
    let digest = state.digest;
    if reached_digest(lab, suite, index, config).await.ok() != Some(digest) {
        suite.states[index].actions = None;
    }
    Ok(())
}

/// A suite that is being made.
#[derive(Default)]
struct Draft {
    environment: String,
    levels: Vec<SuiteLevel>,
    states: Vec<SuiteState>,
    left_out: Vec<String>,
}

impl Draft {
    fn add(&mut self, step: &SuiteStep, category: Option<&str>, state: &FrozenState) -> Result<(), Problem> {
        let head = &state.head;
        if self.environment.is_empty() {
            self.environment.clone_from(&head.environment);
        } else if self.environment != head.environment {
            let what =
                format!("{} is of {}, and others of {}", step.address, head.environment, self.environment);
            return Err(Problem::new(what).with_help("name the sessions of one environment"));
        }
        let repeats = state.recovery == Recovery::Replay;
        let text = Some(head.level.text().to_owned()).filter(|text| repeats && !text.is_empty());
        let level = SuiteLevel {
            reference: head.reference.clone(),
            number: head.number,
            title: head.title.clone(),
            text,
            digest: level_digest(head),
        };
        let steps = state.episode.steps().iter();
        let actions = steps.filter(|step| step.is_done()).filter_map(|step| step.action.as_ref());
        let level = named_level(&mut self.levels, level);
        self.states.push(SuiteState {
            address: Some(step.address.clone()),
            digest: state.step.state,
            why: step.why.clone(),
            category: category.map(str::to_owned),
            accept: Vec::new(),
            mistake: Vec::new(),
            taken: state.taken.as_ref().and_then(|taken| taken.action.as_ref()).map(ToString::to_string),
            level,
            seed: head.seed,
            actions: repeats.then(|| actions.map(ToString::to_string).collect()),
            settings: settings_of(head),
            span: 0..0,
        });
        Ok(())
    }

    /// The suite, read from its text like any other. Settings that all states have are those of the suite.
    fn suite(&mut self, name: &str, about: &str) -> Result<Suite, Problem> {
        let mut states = std::mem::take(&mut self.states);
        let first = states.first().map(|state| state.settings.clone()).unwrap_or_default();
        let shared: Vec<AssignedSetting> =
            first.into_iter().filter(|one| states.iter().all(|state| state.settings.contains(one))).collect();
        for state in &mut states {
            state.settings.retain(|one| !shared.contains(one));
        }
        let draft = Suite {
            name: name.to_owned(),
            about: about.to_owned(),
            environment: self.environment.clone(),
            margin: None,
            settings: shared,
            levels: std::mem::take(&mut self.levels),
            states,
            file: SourceFile::shipped(&format!("{name}.toml"), ""),
        };
        parse_suite(&draft.to_file())
    }
}

/// The index of a level, which is added if it is new. Another level of the same reference gets a number.
pub(super) fn named_level(levels: &mut Vec<SuiteLevel>, level: SuiteLevel) -> usize {
    let same =
        |other: &SuiteLevel| SuiteLevel { reference: other.reference.clone(), ..level.clone() } == *other;
    if let Some(known) = levels.iter().position(same) {
        return known;
    }
    let names = std::iter::once(level.reference.clone());
    let mut names = names.chain((2..).map(|number| format!("{} ({number})", level.reference)));
    let is_free = |name: &String| levels.iter().all(|other| other.reference != *name);
    let reference = names.find(is_free).unwrap_or_default();
    levels.push(SuiteLevel { reference, ..level });
    levels.len() - 1
}

fn no_states(left_out: &[String]) -> Problem {
    match left_out.first() {
        None => Problem::new("no step was found").with_help("`mageyard find CONDITION` lists steps"),
        Some(first) => Problem::new(format!("no step can be asked about; the first: {first}")),
    }
}
