//! Where the repeats of one cell part: episodes of the same level and settings, the first state at which they do not go on
//! alike, and the results of each choice. Only outlines and summaries are read, no environment.

use std::path::PathBuf;

use super::LabError;
use mageyard_domain::Digest;
use mageyard_engine::{EpisodeSummary, Head, JournalOutline, OutlineStep, read_outline, read_summary};

/// The repeats of a cell, and where they part.
#[derive(Clone, Debug)]
pub struct Repeats {
    /// The head of the first one. The others differ only in seed, number and time.
    pub head: Head,
    /// How many there are.
    pub episodes: usize,
    /// Where they part; `None` if all are equal.
    pub parting: Option<Parting>,
}

/// The first step at which repeats do not go on alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The step, from 1.
    pub step: u32,
    /// Whether all are in one state there, so that only the choice differs.
    pub is_same_state: bool,
    /// What was chosen, the most frequent first.
    pub choices: Vec<Choice>,
}

/// What some of the repeats did at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The action; `None` if the step ended without one, or the episode before it.
    pub action: Option<String>,
    /// The journals of those that did.
    pub journals: Vec<PathBuf>,
    /// How many of them are over.
    pub ended: usize,
    /// How many of those reached the goal.
    pub solved: usize,
    /// The mean of their sums of rewards.
    pub mean_sum: f64,
}

/// A repeat as it is compared.
struct Repeat {
    journal: PathBuf,
    outline: JournalOutline,
    summary: Option<EpisodeSummary>,
}

/// The cells of these journals that have several repeats, in the order of their first ones.
pub fn compare_repeats(journals: &[PathBuf]) -> Result<Vec<Repeats>, LabError> {
    let mut cells: Vec<(Head, Vec<Repeat>)> = Vec::new();
    for journal in journals {
        let outline = read_outline(journal)?;
        let summary = read_summary(journal);
        let cell = cell_of(&outline.head);
        let repeat = Repeat { journal: journal.clone(), outline, summary };
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, repeats)) => repeats.push(repeat),
            None => cells.push((cell, vec![repeat])),
        }
    }
    let several = cells.into_iter().filter(|(_, repeats)| repeats.len() > 1);
    Ok(several
        .map(|(_, repeats)| Repeats {
            head: repeats[0].outline.head.clone(),
            episodes: repeats.len(),
            parting: parting(&repeats),
        })
        .collect())
}

/// What the repeats of a cell have in common.
fn cell_of(head: &Head) -> Head {
    Head { program: String::new(), started: 0, seed: 0, repeat: None, ..head.clone() }
}

fn parting(repeats: &[Repeat]) -> Option<Parting> {
    let most = repeats.iter().map(|repeat| repeat.outline.steps.len()).max().unwrap_or(0);
    let mut states: Vec<Option<Digest>> = vec![None; repeats.len()];
    for index in 0..most {
        let is_same_state = states.windows(2).all(|pair| pair[0] == pair[1]);
        let actions: Vec<Option<String>> = repeats.iter().map(|repeat| action(repeat, index)).collect();
        if !is_same_state || actions.windows(2).any(|pair| pair[0] != pair[1]) {
            let step = u32::try_from(index + 1).unwrap_or(u32::MAX);
            return Some(Parting { step, is_same_state, choices: choices(repeats, &actions) });
        }
        for (state, repeat) in states.iter_mut().zip(repeats) {
            let after = repeat.outline.steps.get(index).and_then(|step| step.state);
            *state = after.or(*state);
        }
    }
    None
}

fn action(repeat: &Repeat, index: usize) -> Option<String> {
    repeat.outline.steps.get(index)?.action.as_ref().map(|(action, _)| action.to_string())
}

fn choices(repeats: &[Repeat], actions: &[Option<String>]) -> Vec<Choice> {
    let mut choices: Vec<(Choice, f64)> = Vec::new();
    for (repeat, action) in repeats.iter().zip(actions) {
        let index = choices.iter().position(|(known, _)| known.action == *action).unwrap_or(choices.len());
        if index == choices.len() {
            let journals = Vec::new();
            let ended = 0;
            let solved = 0;
            choices.push((Choice { action: action.clone(), journals, ended, solved, mean_sum: 0.0 }, 0.0));
        }
        let (choice, sum) = &mut choices[index];
        let summary = repeat.summary.as_ref();
        choice.journals.push(repeat.journal.clone());
        choice.ended += usize::from(summary.is_some_and(|summary| summary.ending.is_some()));
        choice.solved += usize::from(summary.is_some_and(EpisodeSummary::is_solved));
        *sum += rewards(&repeat.outline.steps);
    }
    choices.sort_by_key(|(choice, _)| std::cmp::Reverse(choice.journals.len()));
    let mean = |sum: f64, count: usize| sum / f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX));
    let done = choices.into_iter().map(|(choice, sum)| {
        let mean_sum = mean(sum, choice.journals.len());
        Choice { mean_sum, ..choice }
    });
    done.collect()
}

fn rewards(steps: &[OutlineStep]) -> f64 {
    let rewards = steps.iter().filter_map(|step| Some(step.action.as_ref()?.1));
    rewards.fold(0.0, |sum, reward| sum + reward)
}
