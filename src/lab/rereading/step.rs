//! A step whose replies were read again.

use super::ReparseCounts;
use crate::EpisodeFields;
use mageyard_dialog::{ParseError, ParseOutcome, ReaderRules};
use mageyard_domain::Action;
use mageyard_engine::{Attempt, Ending, Episode, Head, ReplyReader, Step};

/// A step whose action changed.
#[derive(Clone, Debug)]
pub struct ChangedStep {
    /// The fields that identify the step.
    pub identity: EpisodeFields,
    /// Its number, from 1.
    pub step: u32,
    /// The attempt that decides it, from 1.
    pub attempt: usize,
    /// Its actions as they were read, if any.
    pub before: Option<String>,
    /// Its actions as they are read now, if any.
    pub after: Option<String>,
    /// The rule that fails, now or else before.
    pub rule: Option<String>,
    /// The fallback rule that gave the new actions.
    pub fallback: Option<String>,
}

/// A step with its stored replies, before any edit, and both readings of each.
pub(super) struct RereadStep<'a> {
    pub(super) step: &'a Step,
    pub(super) before: Vec<&'a Attempt>,
    pub(super) now: Vec<Reread>,
}

/// A reply that was read again.
pub(super) struct Reread {
    pub(super) result: Result<Vec<Action>, ParseError>,
    /// The fallback rule that gave the result, if one did.
    pub(super) fallback: Option<String>,
    /// How many parts of the reply were ignored.
    pub(super) dropped: usize,
}

impl Reread {
    /// Whether it is read by a fallback rule, or parts of it are ignored.
    fn is_doubtful(&self) -> bool {
        self.result.is_ok() && (self.fallback.is_some() || self.dropped > 0)
    }
}

/// The replies of a step that count, as the agent gave them.
pub(super) fn counted(step: &Step) -> impl Iterator<Item = &Attempt> {
    let counted = step.attempts.iter().filter(|attempt| attempt.counts() && !attempt.continued);
    counted.map(Attempt::original)
}

impl<'a> RereadStep<'a> {
    pub(super) fn of(reader: ReplyReader<'_>, step: &'a Step) -> Self {
        let before: Vec<&Attempt> = counted(step).collect();
        let read = |given: &&Attempt| {
            let outcome = reader.read(&given.text_for(reader.format), &given.ending, &step.space);
            let ParseOutcome { result, spans } = outcome;
            let dropped = spans.dropped_count();
            Reread { result, fallback: spans.fallback.map(|found| found.rule), dropped }
        };
        let now = before.iter().map(read).collect();
        Self { step, before, now }
    }

    /// The attempt that decided the step, from index 0, and its actions, in both readings.
    fn decided(&self) -> [Option<(usize, &[Action])>; 2] {
        let before = self.before.iter().enumerate().find_map(|(at, attempt)| {
            let actions = attempt.verdict.as_ref()?.as_ref().ok()?;
            Some((at, actions.as_slice()))
        });
        let mut now = self.now.iter().enumerate();
        [before, now.find_map(|(at, again)| Some((at, again.result.as_ref().ok()?.as_slice())))]
    }

    /// Whether the step has an invalid action, in both readings.
    fn invalid(&self, head: &Head, rules: &ReaderRules) -> [bool; 2] {
        let [before, now] = self.decided().map(|decided| decided.map(|(at, _)| at));
        let dropped = |rules: &ReaderRules, count: usize| rules.counts_dropped_as_invalid() && count > 0;
        [
            before.is_none_or(|at| dropped(&head.rules, self.before[at].dropped())),
            now.is_none_or(|at| dropped(rules, self.now[at].dropped)),
        ]
    }

    /// Whether the step is complete, so that a missing action is an error.
    fn ended(&self, episode: &Episode) -> bool {
        let unreadable = episode.ending().is_some_and(Ending::is_unreadable);
        !self.before.is_empty() && (self.step.action.is_some() || self.step.skipped || unreadable)
    }

    pub(super) fn count(&self, episode: &Episode, rules: &ReaderRules, counts: &mut ReparseCounts) {
        counts.replies += self.now.len();
        counts.errors[0] += self.before.iter().filter(|attempt| attempt.is_refused()).count();
        counts.errors[1] += self.now.iter().filter(|again| again.result.is_err()).count();
        counts.doubtful[0] += self.before.iter().filter(|attempt| was_doubtful(attempt)).count();
        counts.doubtful[1] += self.now.iter().filter(|again| again.is_doubtful()).count();
        if self.ended(episode) {
            for (count, is_invalid) in counts.invalid.iter_mut().zip(self.invalid(episode.head(), rules)) {
                *count |= usize::from(is_invalid);
            }
        }
    }

    pub(super) fn is_changed(&self) -> bool {
        let [before, now] = self.decided().map(|side| side.map(|side| side.1));
        before != now
    }

    pub(super) fn change(&self, identity: EpisodeFields) -> ChangedStep {
        let [before, now] = self.decided();
        let at = now.or(before).map_or(0, |decided| decided.0);
        let fails_now = || Some(self.now.get(at)?.result.as_ref().err()?.rule.clone());
        let failed_before = || Some(self.before.get(at)?.verdict.as_ref()?.as_ref().err()?.rule.clone());
        let rule = fails_now().or_else(failed_before);
        let [before, after] = [before, now].map(|side| side.map(|side| actions_text(side.1)));
        let fallback = self.now.get(at).and_then(|again| again.fallback.clone());
        ChangedStep { identity, step: self.step.number, attempt: at + 1, before, after, rule, fallback }
    }
}

/// Whether the recorded rules read it by a fallback rule, or ignored parts of it.
fn was_doubtful(attempt: &Attempt) -> bool {
    matches!(attempt.verdict, Some(Ok(_))) && (attempt.marks.fallback.is_some() || attempt.dropped() > 0)
}

pub(super) fn actions_text(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
