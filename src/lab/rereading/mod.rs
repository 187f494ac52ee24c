//! Reads the stored replies of recorded episodes again with other reader rules: for one reader what changes, for several the
//! counts side by side, and for the replies that fail their shapes. No model is called and no journal is changed.

mod counts;
mod shapes;
mod step;

use std::path::Path;

pub use self::counts::ReparseCounts;
use self::shapes::Shapes;
pub use self::shapes::{Doubt, ReplyPlace, ReplyShape};
pub use self::step::ChangedStep;
use self::step::RereadStep;
use super::{EpisodeFields, EpisodeId, LabError, RecordedEpisode, reply_format};
use mageyard_dialog::ReaderRules;
use mageyard_domain::ReplyFormat;
use mageyard_engine::{Attempt, Episode, ReplyReader, Step};

/// The replies of a recorded episode, which any reader can read.
pub struct EpisodeReplies {
    id: EpisodeId,
    journal: Box<Path>,
    /// The format of the environment, without a reader's changes.
    format: ReplyFormat,
    episode: Episode,
}

impl RecordedEpisode {
    /// Its replies.
    pub async fn replies(&self) -> Result<EpisodeReplies, LabError> {
        let restored = self.restore().await?;
        let format = reply_format(restored.spec, restored.episode.head())?;
        Ok(EpisodeReplies { id: self.id(), journal: self.path().into(), format, episode: restored.episode })
    }
}

/// What a reader reads in the replies of some episodes.
#[derive(Clone, Debug, Default)]
pub struct Rereading {
    /// The counts, with the recorded readings beside them.
    pub counts: ReparseCounts,
    /// The replies that fail, or that are read with doubt, by shape; the most frequent first.
    pub shapes: Vec<ReplyShape>,
}

/// Reads the replies of these episodes with these rules. After each episode `is_wanted` is given how many are read; if it
/// answers no, the reading ends and there is no result.
pub fn read_again(
    episodes: &[EpisodeReplies],
    rules: &ReaderRules,
    mut is_wanted: impl FnMut(usize) -> bool,
) -> Option<Rereading> {
    let mut counts = ReparseCounts::default();
    let mut shapes = Shapes::default();
    for (index, replies) in episodes.iter().enumerate() {
        if !is_wanted(index) {
            return None;
        }
        counts.add(&replies.read(rules, |step| shapes.add(index, step)));
    }
    is_wanted(episodes.len()).then(|| Rereading { counts, shapes: shapes.sorted() })
}

impl EpisodeReplies {
    /// The path of the journal.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// The rules that the episode was played with.
    pub fn recorded_rules(&self) -> &ReaderRules {
        &self.episode.head().rules
    }

    /// Reads all replies with these rules: the counts, and the steps whose action changed.
    pub fn changes(&self, rules: &ReaderRules) -> (ReparseCounts, Vec<ChangedStep>) {
        let head = self.episode.head();
        let mut changes = Vec::new();
        let counts = self.read(rules, |step| {
            if step.is_changed() {
                changes.push(step.change(EpisodeFields::of_step(&self.id, head, step.step)));
            }
        });
        (counts, changes)
    }

    /// The stored reply of a step, from 1, and attempt, from 1, of those that count.
    pub fn reply(&self, step: u32, attempt: usize) -> Option<&Attempt> {
        let step = self.step(step)?;
        step::counted(step).nth(attempt.checked_sub(1)?)
    }

    /// This reply with what these rules read in it.
    pub fn read_one(&self, step: u32, attempt: usize, rules: &ReaderRules) -> Option<Attempt> {
        let form = rules.reply_format(&self.format);
        let reader = ReplyReader { rules, format: &form, policy: self.episode.head().conduct };
        let given = self.reply(step, attempt)?;
        let outcome = reader.read(&given.text_for(&form), &given.ending, &self.step(step)?.space);
        let verdict = Some(outcome.result.map_err(Box::new));
        Some(Attempt { verdict, marks: outcome.spans, ..given.clone() })
    }

    fn step(&self, number: u32) -> Option<&Step> {
        self.episode.steps().iter().map(|step| &**step).find(|step| step.number == number)
    }

    /// The counts of all steps, each of which is given to `take`.
    fn read(&self, rules: &ReaderRules, mut take: impl FnMut(&RereadStep<'_>)) -> ReparseCounts {
        let form = rules.reply_format(&self.format);
        let reader = ReplyReader { rules, format: &form, policy: self.episode.head().conduct };
        let mut counts = ReparseCounts { episodes: 1, ..ReparseCounts::default() };
        for step in self.episode.steps() {
            let step = RereadStep::of(reader, step);
            step.count(&self.episode, rules, &mut counts);
            counts.changed += usize::from(step.is_changed());
            take(&step);
        }
        counts
    }
}
