//! Reads the stored replies of recorded episodes again with other reader rules. No model is called and no journal is
//! changed.

use super::{EpisodeFields, LabError, RecordedEpisode, reply_format};
use mageyard_dialog::{ParseError, ParseOutcome, ReaderRules};
use mageyard_domain::Action;
use mageyard_engine::{Attempt, Ending, Episode, Head, ReplyReader, Step};

/// The counts with the recorded rules (index 0) and with the new rules (index 1).
#[derive(Clone, Copy, Debug, Default)]
pub struct ReparseCounts {
    /// Episodes.
    pub episodes: usize,
    /// Replies.
    pub replies: usize,
    /// Replies with a parse error.
    pub errors: [usize; 2],
    /// Episodes with an invalid action.
    pub invalid: [usize; 2],
    /// Steps whose action changed.
    pub changed: usize,
}

impl ReparseCounts {
    /// Adds the counts of more episodes.
    pub fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.replies += other.replies;
        self.changed += other.changed;
        for side in 0..2 {
            self.errors[side] += other.errors[side];
            self.invalid[side] += other.invalid[side];
        }
    }

    /// Percentage of episodes with an invalid action (IA); `None` if there are no episodes.
    pub fn invalid_percent(&self, side: usize) -> Option<f64> {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        (self.episodes > 0).then(|| 100.0 * count(self.invalid[side]) / count(self.episodes))
    }
}

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

impl RecordedEpisode {
    /// Reads all replies again with these rules: the counts, and the steps whose action changed.
    pub async fn reparse(&self, rules: &ReaderRules) -> Result<(ReparseCounts, Vec<ChangedStep>), LabError> {
        let restored = self.restore().await?;
        let id = self.id();
        let episode = &restored.episode;
        let head = restored.episode.head();
        let form = rules.reply_format(&reply_format(restored.spec, head)?);
        let mut counts = ReparseCounts { episodes: 1, ..ReparseCounts::default() };
        let mut changes = Vec::new();
        let reader = ReplyReader { rules, format: &form, policy: head.conduct };
        for step in episode.steps() {
            let again = RereadStep::of(reader, step);
            again.count(episode, rules, &mut counts);
            if again.is_changed() {
                changes.push(again.change(EpisodeFields::of_step(&id, head, step)));
            }
        }
        counts.changed = changes.len();
        Ok((counts, changes))
    }
}

/// A step with its stored replies, before any edit, and both readings of each.
struct RereadStep<'a> {
    step: &'a Step,
    before: Vec<&'a Attempt>,
    now: Vec<Reread>,
}

/// A reply that was read again.
struct Reread {
    result: Result<Vec<Action>, ParseError>,
    /// The fallback rule that gave the result, if one did.
    fallback: Option<String>,
    /// How many parts of the reply were ignored.
    dropped: usize,
}

impl<'a> RereadStep<'a> {
    fn of(reader: ReplyReader<'_>, step: &'a Step) -> Self {
        let counted = step.attempts.iter().filter(|attempt| attempt.counts() && !attempt.continued);
        let before: Vec<&Attempt> = counted.map(Attempt::original).collect();
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

    fn count(&self, episode: &Episode, rules: &ReaderRules, counts: &mut ReparseCounts) {
        counts.replies += self.now.len();
        counts.errors[0] += self.before.iter().filter(|attempt| attempt.is_refused()).count();
        counts.errors[1] += self.now.iter().filter(|again| again.result.is_err()).count();
        if self.ended(episode) {
            for (count, is_invalid) in counts.invalid.iter_mut().zip(self.invalid(episode.head(), rules)) {
                *count |= usize::from(is_invalid);
            }
        }
    }

    fn is_changed(&self) -> bool {
        let [before, now] = self.decided().map(|side| side.map(|side| side.1));
        before != now
    }

    fn change(&self, identity: EpisodeFields) -> ChangedStep {
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

fn actions_text(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
