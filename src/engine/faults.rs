//! Errors with names: what went wrong in an episode by the agent's own doing (`MageBench`, error analysis).

use serde::Deserialize;
use serde::Serialize;

use super::episode::Episode;
use super::event::Ending;
use super::step::Step;
use crate::domain::Action;

/// From how many repetitions on an episode counts as repeating (RA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds {
    /// The same action so many times in a row, each leaving the state as it was.
    pub unchanged: usize,
    /// The same action so many times in a row, whatever it did.
    pub same: usize,
}

/// The verdict on an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Replies that could not be read, over all attempts.
    pub parse_errors: usize,
    /// Why it counts as invalid action (IA), if it does.
    pub invalid: Option<String>,
    /// Why it counts as repeating action (RA), if it does.
    pub repeating: Option<String>,
    /// Steps whose action left the state as it was.
    pub ineffective: usize,
}

/// Judges an episode by these thresholds.
pub fn faults(episode: &Episode, thresholds: Thresholds) -> Faults {
    let steps = episode.steps();
    Faults {
        parse_errors: steps.iter().map(|step| step.parse_errors()).sum(),
        invalid: invalid(episode),
        repeating: repeating(steps.iter().map(AsRef::as_ref), thresholds),
        ineffective: steps.iter().filter(|step| is_unchanged(step)).count(),
    }
}

/// A step that ended without a legal action after its attempts, or a plan that could not be read at all.
fn invalid(episode: &Episode) -> Option<String> {
    if episode.ending() == Some(Ending::Unreadable) {
        return Some("the plan could not be read in any attempt".to_owned());
    }
    let passed = episode.steps().iter().find(|step| step.passed)?;
    Some(format!("step {} ended without a legal action", passed.number))
}

fn repeating<'a>(steps: impl Iterator<Item = &'a Step>, thresholds: Thresholds) -> Option<String> {
    let mut row = Row::default();
    let mut still = Row::default();
    for step in steps.filter(|step| step.is_done()) {
        let same = row.take(step.action.as_ref());
        let unchanged = still.take(step.action.as_ref().filter(|_| is_unchanged(step)));
        let (count, how) = match (unchanged >= thresholds.unchanged, same >= thresholds.same) {
            (true, _) => (unchanged, " with the state unchanged"),
            (false, true) => (same, ""),
            (false, false) => continue,
        };
        let action = step.action.as_ref()?;
        return Some(format!("{action} {count} times in a row{how}, up to step {}", step.number));
    }
    None
}

fn is_unchanged(step: &Step) -> bool {
    step.effect.as_ref().is_some_and(|effect| effect.unchanged)
}

/// How often the same action has come in a row.
#[derive(Default)]
struct Row<'a> {
    action: Option<&'a Action>,
    count: usize,
}

impl<'a> Row<'a> {
    fn take(&mut self, action: Option<&'a Action>) -> usize {
        self.count = match action {
            None => 0,
            Some(_) if action == self.action => self.count + 1,
            Some(_) => 1,
        };
        self.action = action;
        self.count
    }
}
