//! Reads the stored replies of recorded episodes again with other reader rules. No model is called and no journal is
//! changed.

use super::{EpisodeFields, LabError, RecordedEpisode, reply_format};
use mageyard_dialog::{ParseError, ReaderRules, parse_reply};
use mageyard_domain::{Action, ReplyFormat};
use mageyard_engine::{Attempt, Ending, Episode, Step, unreadable_ending};

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
        for step in episode.steps() {
            let again = RereadStep::of(rules, &form, step);
            again.count(episode, &mut counts);
            if again.is_changed() {
                changes.push(again.change(EpisodeFields::of_step(&id, head, step)));
            }
        }
        counts.changed = changes.len();
        Ok((counts, changes))
    }
}

type ReadResult = Result<Vec<Action>, Box<ParseError>>;

/// A step with its stored replies, before any edit, and both readings of each.
struct RereadStep<'a> {
    step: &'a Step,
    before: Vec<Option<&'a ReadResult>>,
    now: Vec<ReadResult>,
    /// The fallback rule that gave the new result of each reply, if one did.
    fallbacks: Vec<Option<String>>,
}

impl<'a> RereadStep<'a> {
    fn of(rules: &ReaderRules, form: &ReplyFormat, step: &'a Step) -> Self {
        let replies: Vec<&Attempt> =
            step.attempts.iter().filter(|attempt| attempt.counts() && !attempt.continued).collect();
        let parse = |attempt: &&Attempt| {
            let given = attempt.original();
            let outcome = unreadable_ending(&given.ending)
                .unwrap_or_else(|| parse_reply(rules, form, &given.text_for(form), &step.space));
            (outcome.result.map_err(Box::new), outcome.spans.fallback.map(|found| found.rule))
        };
        let (now, fallbacks) = replies.iter().map(parse).unzip();
        let before = replies.iter().map(|attempt| attempt.original().verdict.as_ref()).collect();
        Self { step, before, now, fallbacks }
    }

    /// The attempt that decided the step, from index 0, and its actions, in both readings.
    fn decided(&self) -> [Option<(usize, &[Action])>; 2] {
        let ok =
            |(at, verdict): (usize, Option<&'a ReadResult>)| Some((at, verdict?.as_ref().ok()?.as_slice()));
        let before = self.before.iter().copied().enumerate().find_map(ok);
        let now = self.now.iter().enumerate();
        [before, now.into_iter().find_map(|(at, verdict)| Some((at, verdict.as_ref().ok()?.as_slice())))]
    }

    /// Whether the step is complete, so that a missing action is an error.
    fn ended(&self, episode: &Episode) -> bool {
        let unreadable = episode.ending().is_some_and(Ending::is_unreadable);
        !self.before.is_empty() && (self.step.action.is_some() || self.step.skipped || unreadable)
    }

    fn count(&self, episode: &Episode, counts: &mut ReparseCounts) {
        counts.replies += self.now.len();
        counts.errors[0] += self.before.iter().filter(|verdict| matches!(verdict, Some(Err(_)))).count();
        counts.errors[1] += self.now.iter().filter(|verdict| verdict.is_err()).count();
        if self.ended(episode) {
            for (invalid, decided) in counts.invalid.iter_mut().zip(&self.decided()) {
                *invalid |= usize::from(decided.is_none());
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
        let failed =
            |verdict: Option<&ReadResult>| verdict?.as_ref().err().map(|failure| failure.rule.clone());
        let rule = failed(self.now.get(at)).or_else(|| failed(self.before.get(at).copied().flatten()));
        let [before, after] = [before, now].map(|side| side.map(|side| actions_text(side.1)));
        let fallback = self.fallbacks.get(at).cloned().flatten();
        ChangedStep { identity, step: self.step.number, attempt: at + 1, before, after, rule, fallback }
    }
}

fn actions_text(actions: &[Action]) -> String {
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ")
}
