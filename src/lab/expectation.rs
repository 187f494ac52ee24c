//! What a branch was made to test: whether its condition came true at one of its own steps.

use crate::{read_condition, recorded_episode};
use std::path::Path;

use serde::Serialize;

use super::{Branch, FoundSteps, Lab, LabError, StepQuery};
use mageyard_config::Config;

/// The condition that a branch was made to test, and whether it came true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The condition, as it was written.
    pub condition: String,
    /// Whether it came true.
    pub outcome: ExpectationOutcome,
}

/// Whether what was expected of a branch came true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ExpectationOutcome {
    /// The condition was true at this step.
    CameTrue {
        /// The first one, from 1.
        step: u32,
        /// What made it true, in words.
        facts: Vec<String>,
    },
    /// The branch is over, and the condition was true at no step.
    NotTrue,
    /// The branch is not over, and the condition was true at no step so far.
    Open,
    /// The condition cannot be judged, for these reasons.
    Unknown {
        /// The reasons, in words.
        facts: Vec<String>,
    },
}

/// `expected ra<3: true at step 5, 1 step in a row: repeating action (RA)`.
impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}: ", self.condition)?;
        match &self.outcome {
            ExpectationOutcome::CameTrue { step, facts } => {
                write!(f, "came true at step {step} ({})", facts.join(", "))
            }
            ExpectationOutcome::NotTrue => f.write_str("did not come true"),
            ExpectationOutcome::Open => f.write_str("open"),
            ExpectationOutcome::Unknown { facts } => write!(f, "not known ({})", facts.join(", ")),
        }
    }
}

/// The branches of an episode as [`Branch::all`] lists them, each with whether what it was made to test came true.
pub async fn list_branches(lab: &Lab, journal: &Path, config: &Config) -> Result<Vec<Branch>, LabError> {
    let mut branches = Branch::all(journal)?;
    for branch in &mut branches {
        branch.expectation = expectation_of(lab, branch, config).await;
    }
    Ok(branches)
}

async fn expectation_of(lab: &Lab, branch: &Branch, config: &Config) -> Option<Expectation> {
    let parent = branch.head.parent.as_deref()?;
    let condition = parent.expect.clone()?;
    let outcome = match steps_as_expected(lab, branch, &condition, config).await {
        Ok(found) => outcome(found, parent.step, branch.ending().is_some()),
        Err(error) => ExpectationOutcome::Unknown { facts: vec![error.to_string()] },
    };
    Some(Expectation { condition, outcome })
}

/// The steps at which the condition is true, also those before the branch.
async fn steps_as_expected(
    lab: &Lab,
    branch: &Branch,
    text: &str,
    config: &Config,
) -> Result<FoundSteps, LabError> {
    let (condition, known) = read_condition(lab, text, "expect", config).await?;
    let distances = condition.needs_distance();
    let query = StepQuery { condition, known, thresholds: None, distances };
    recorded_episode(lab, &branch.journal).find(&query, config).await
}

fn outcome(found: FoundSteps, first: u32, is_over: bool) -> ExpectationOutcome {
    let own = found.steps.into_iter().find(|step| step.step >= first);
    match own {
        Some(step) => ExpectationOutcome::CameTrue { step: step.step, facts: step.facts },
        None if !is_over => ExpectationOutcome::Open,
        None if found.unknown.is_empty() => ExpectationOutcome::NotTrue,
        None => ExpectationOutcome::Unknown { facts: found.unknown.into_iter().collect() },
    }
}
