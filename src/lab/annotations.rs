//! Tags and comments of recorded steps, also while they are being recorded.

use std::path::{Path, PathBuf};

use super::{EpisodeId, LabError, RecordedEpisode, check_step_exists, unix_time};
use mageyard_config::Problem;
use mageyard_domain::count_noun;
use mageyard_engine::{
    Annotation, AnnotationError, DamagedAnnotation, EpisodeAnnotations, SessionAnnotations, StepAnnotations,
    StepPlace, annotate_step, annotations_path, branch_journal, episode_folder, read_annotations,
    read_outline,
};

/// Adds a tag or a comment to a step of this journal, or removes it; false if there was nothing to do. The step must exist.
/// The record itself is not changed. An episode that is being played can be annotated too.
pub fn annotate(
    journal: &Path,
    step: u32,
    annotation: &Annotation,
    is_removed: bool,
) -> Result<bool, LabError> {
    let outline = read_outline(journal)?;
    let before = outline.head.parent.as_ref().map_or(0, |parent| parent.step - 1);
    let done = outline.steps.last().map_or(before, |step| step.number);
    let done = usize::try_from(done).unwrap_or(usize::MAX);
    // The state after the last step can be annotated too.
    check_step_exists(done, done.saturating_add(1), Some(step))?;
    Ok(annotate_step(journal, step, annotation, is_removed, unix_time())?)
}

/// A step with its tags and comments.
#[derive(Clone, Debug)]
pub struct AnnotatedStep {
    /// The journal of the episode, or of the branch that has the step.
    pub journal: PathBuf,
    /// The number of the step, from 1.
    pub step: u32,
    /// Its tags and comments.
    pub annotations: StepAnnotations,
}

/// The annotated steps of an episode.
#[derive(Clone, Debug)]
pub struct AnnotationList {
    /// The steps, those of the branches after those of the episode.
    pub steps: Vec<AnnotatedStep>,
    /// The lines of the file that cannot be read.
    pub damaged: Vec<DamagedAnnotation>,
}

/// The annotated steps of this journal: of an episode with all its branches, or of one branch with the steps that it
/// shares.
pub fn list_annotations(journal: &Path) -> Result<AnnotationList, LabError> {
    let (folder, branch) = episode_folder(journal);
    if branch.is_some() {
        let own = read_annotations(journal)?;
        let steps = own.steps.into_iter();
        let steps =
            steps.map(|(step, annotations)| AnnotatedStep { journal: journal.to_owned(), step, annotations });
        return Ok(AnnotationList { steps: steps.collect(), damaged: own.damaged });
    }
    let session = SessionAnnotations::read(&annotations_path(journal))?;
    let episode = EpisodeId::of_journal(journal).number;
    let own = session.steps.into_iter().filter(|(place, _)| place.episode == episode);
    let steps = own.map(|(StepPlace { branch, step, .. }, annotations)| AnnotatedStep {
        journal: branch_journal(folder, branch),
        step,
        annotations,
    });
    Ok(AnnotationList { steps: steps.collect(), damaged: session.damaged })
}

impl RecordedEpisode {
    /// The tags and comments of its steps.
    pub fn annotations(&self) -> Result<EpisodeAnnotations, LabError> {
        Ok(read_annotations(self.path())?)
    }
}

impl From<AnnotationError> for LabError {
    fn from(error: AnnotationError) -> Self {
        match error {
            AnnotationError::Journal(error) => Self::Journal(error),
            AnnotationError::InvalidTag { .. } | AnnotationError::InvalidComment { .. } => {
                Self::Request(Problem::new(error.to_string()))
            }
            AnnotationError::Disk { .. } | AnnotationError::Unreadable { .. } => Self::failed(error),
        }
    }
}

/// `2 tags, 1 comment`; nothing if there are none.
pub fn annotation_counts((tags, comments): (usize, usize)) -> Option<String> {
    let words = [(tags, "tag", "tags"), (comments, "comment", "comments")];
    let words = words.into_iter().filter(|(count, ..)| *count > 0);
    let words: Vec<_> = words.map(|(count, one, several)| count_noun(count, one, several)).collect();
    (!words.is_empty()).then(|| words.join(", "))
}
