//! The branches of an episode: what each changed, how it went, and where two of them met in one state.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::{Expectation, LabError};
use mageyard_domain::Digest;
use mageyard_engine::{
    Ending, EpisodeSummary, Head, OutlineStep, branch_journal, branch_numbers, episode_folder, read_outline,
    read_summary,
};

/// An episode, or a branch of it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its number; `None` for the episode itself.
    pub number: Option<u32>,
    /// Its journal.
    pub journal: PathBuf,
    /// The settings that it was started with. A branch names its parent there.
    pub head: Head,
    /// Its own finished steps, without those that it shares with its parent.
    pub steps: Vec<OutlineStep>,
    /// How it went, if it is over.
    pub summary: Option<EpisodeSummary>,
    /// The first state of its own that another branch, or the episode, has too.
    pub meeting: Option<Meeting>,
    /// Whether what it was made to test came true, if that was asked: see [`list_branches`](crate::list_branches).
    pub expectation: Option<Expectation>,
}

/// Two branches in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The step of this branch that begins in the state.
    pub step: u32,
    /// The other branch; `None` for the episode itself.
    pub other: Option<u32>,
    /// The step of the other one that begins in the state.
    pub other_step: u32,
}

impl Branch {
    /// The branches of the episode of this journal, in the order in which they were made, after the episode itself. One
    /// whose making was interrupted is left out.
    pub fn all(journal: &Path) -> Result<Vec<Self>, LabError> {
        let (folder, _) = episode_folder(journal);
        let numbers = std::iter::once(None).chain(branch_numbers(folder)?.into_iter().map(Some));
        let mut all = Vec::new();
        for number in numbers {
            let journal = branch_journal(folder, number);
            if number.is_none() || journal.is_file() {
                all.push(Self::read(number, journal)?);
            }
        }
        find_meetings(&mut all);
        Ok(all)
    }

    fn read(number: Option<u32>, journal: PathBuf) -> Result<Self, LabError> {
        let outline = read_outline(&journal)?;
        let summary = read_summary(&journal);
        Ok(Self {
            number,
            head: outline.head,
            steps: outline.steps,
            summary,
            meeting: None,
            expectation: None,
            journal,
        })
    }

    /// Why it is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        self.summary.as_ref()?.ending
    }

    /// The number of its last finished step, those of its parent included.
    pub fn steps_done(&self) -> u32 {
        let before = self.head.parent.as_ref().map_or(0, |parent| parent.step - 1);
        self.steps.last().map_or(before, |step| step.number)
    }

    /// The sum of the rewards of its own steps.
    pub fn own_reward(&self) -> f64 {
        self.steps
            .iter()
            .filter_map(|step| Some(step.action.as_ref()?.1))
            .fold(0.0, |sum, reward| sum + reward)
    }
}

/// Finds for each branch the first state that one before it has too. A state that the branch shares with its ancestors
/// because it was there before it left them does not count.
fn find_meetings(all: &mut [Branch]) {
    let mut known: FxHashMap<Digest, Vec<(Option<u32>, u32)>> = FxHashMap::default();
    for index in 0..all.len() {
        let shared = shared_steps(all, index);
        let branch = &all[index];
        let states = branch.steps.iter().filter_map(|step| Some((step.state?, step.number + 1)));
        let meeting = states.clone().find_map(|(state, step)| {
            let others = known.get(&state)?.iter();
            let mut others = others.filter(|(other, other_step)| {
                shared.iter().all(|(ancestor, last)| ancestor != other || other_step > last)
            });
            let (other, other_step) = *others.next()?;
            Some(Meeting { step, other, other_step })
        });
        for (state, step) in states {
            known.entry(state).or_default().push((branch.number, step));
        }
        all[index].meeting = meeting;
    }
}

/// The ancestors of a branch, each with the step that its descendants left it at.
fn shared_steps(all: &[Branch], index: usize) -> Vec<(Option<u32>, u32)> {
    let mut shared = Vec::new();
    let mut parent = all[index].head.parent.as_deref();
    while let Some(known) = parent {
        shared.push((known.branch, known.step));
        let ancestor = all.iter().find(|branch| branch.number == known.branch);
        parent = ancestor.and_then(|branch| branch.head.parent.as_deref());
    }
    shared
}
