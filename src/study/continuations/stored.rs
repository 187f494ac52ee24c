//! Continuations that are stored: the branches of an episode that say that they are one.

use std::path::{Path, PathBuf};

use super::plan::{ContinuationPlan, ContinuationVariant};
use mageyard_engine::{
    EpisodeSummary, JournalReader, branch_journal, branch_numbers, episode_folder, read_summary,
};
use mageyard_lab::LabError;

/// A branch that plays on from the step.
#[derive(Clone, Debug)]
pub struct StoredContinuation {
    /// The index of its variant.
    pub variant: usize,
    /// Its number among those of the variant, from 1.
    pub sample: u32,
    /// Its journal.
    pub journal: PathBuf,
    /// How it went, if it is over.
    pub summary: Option<EpisodeSummary>,
    /// Why its agent found no action, if that was found out just now. The goal is then not reached.
    pub stuck: Option<String>,
}

impl StoredContinuation {
    /// Whether it is known how it went.
    pub fn is_over(&self) -> bool {
        self.summary.is_some() || self.stuck.is_some()
    }

    /// The same branch, with how it went if it is over by now.
    pub(super) fn read_again(&self) -> Self {
        Self { summary: ended_summary(&self.journal), ..self.clone() }
    }

    /// Puts it in the place of what was known of the same branch.
    pub fn replace_in(self, known: &mut Vec<Self>) {
        let key = |one: &Self| (one.variant, one.sample);
        match known.binary_search_by_key(&key(&self), key) {
            Ok(index) => known[index] = self,
            Err(index) => known.insert(index, self),
        }
    }
}

/// How an episode went, if it is over.
fn ended_summary(journal: &Path) -> Option<EpisodeSummary> {
    read_summary(journal).filter(|summary| summary.ending.is_some())
}

impl ContinuationPlan {
    /// The branches of a plan that are there, in the order of their variants and samples. One whose making was interrupted is
    /// left out.
    pub fn stored(&self) -> Result<Vec<StoredContinuation>, LabError> {
        let (folder, _) = episode_folder(&self.journal);
        let mut found: Vec<StoredContinuation> = Vec::new();
        for number in branch_numbers(folder)? {
            let journal = branch_journal(folder, Some(number));
            if !journal.is_file() {
                continue;
            }
            let head = JournalReader::open(&journal)?.head().clone();
            let continuation = head.parent.as_ref().and_then(|parent| parent.continuation);
            let Some(continuation) = continuation else { continue };
            let Some(variant) = self.variants.iter().position(|variant| variant.id == continuation.variant)
            else {
                continue;
            };
            let sample = continuation.sample;
            let is_known = found.iter().any(|other| (other.variant, other.sample) == (variant, sample));
            if !is_known && sample <= self.request.samples {
                let summary = ended_summary(&journal);
                found.push(StoredContinuation { variant, sample, journal, summary, stuck: None });
            }
        }
        found.sort_by_key(|other| (other.variant, other.sample));
        Ok(found)
    }

    /// The most steps that the branches can take which are not over.
    pub fn most_steps(&self, stored: &[StoredContinuation]) -> u64 {
        let left = |index: usize, variant: &ContinuationVariant| {
            let over =
                stored.iter().filter(|other| other.variant == index && other.summary.is_some()).count();
            let missing = u64::from(self.request.samples).saturating_sub(over as u64);
            missing.saturating_mul(u64::from(variant.steps_left))
        };
        self.variants.iter().enumerate().map(|(index, variant)| left(index, variant)).sum()
    }
}
