//! Exports recorded episodes: as training data (chats with rewards), or as results in the files of another program.

mod conversation;
mod episode;
mod folder;
mod results;
mod rewards;

use crate::prompt_cache::prompts_of;
use std::path::Path;

use self::conversation::ExportedEpisode;
use self::folder::ExportFolder;
pub use self::results::{ExportedResults, export_results, result_format_names};
use super::{Lab, LabError, RecordedEpisode};
use mageyard_config::{Config, Problem};
use mageyard_domain::EnvironmentSpec;

/// Counts of exported and excluded episodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportCounts {
    /// Exported episodes.
    pub episodes: usize,
    /// Their replies.
    pub replies: usize,
    /// Their images, each counted once.
    pub images: usize,
    /// Episodes that a person changed, exported or not.
    pub mixed: usize,
    /// Unfinished episodes, exported or not.
    pub unfinished: usize,
    /// Episodes that were left out.
    pub left_out: usize,
}

/// Exports these episodes in their order to a new folder. With `clean` unfinished and mixed ones are left out.
pub async fn export_sessions(
    lab: &Lab,
    recordings: impl Iterator<Item = Result<RecordedEpisode, LabError>>,
    folder: &Path,
    clean: bool,
    config: &Config,
) -> Result<ExportCounts, LabError> {
    let mut folder = ExportFolder::create(folder)?;
    let mut counts = ExportCounts::default();
    for recording in recordings {
        export_episode(lab, &recording?, clean, config, &mut folder, &mut counts).await?;
    }
    counts.images = folder.images();
    folder.finish()?;
    Ok(counts)
}

async fn export_episode(
    lab: &Lab,
    recording: &RecordedEpisode,
    clean: bool,
    config: &Config,
    folder: &mut ExportFolder,
    counts: &mut ExportCounts,
) -> Result<(), LabError> {
    let restored = recording.restore().await?;
    let journal = recording.path();
    let spec = restored.spec;
    let played = &restored.episode;
    let Some(units) = spec.capabilities().scoring.training_rewards() else {
        return Err(no_rewards(lab, journal, spec).into());
    };
    let mixed = played.is_mixed();
    let unfinished = played.ending().is_none();
    counts.mixed += usize::from(mixed);
    counts.unfinished += usize::from(unfinished);
    if clean && (mixed || unfinished) {
        counts.left_out += 1;
        return Ok(());
    }
    let prompts = prompts_of(lab, spec, config.folders(), &played.head().options)?;
    let source = ExportedEpisode::of(journal, spec, played, &prompts)?;
    let record = episode::episode_record(&source, units, folder)?;
    counts.episodes += 1;
    counts.replies += record.replies();
    folder.write_episode(&record)
}

fn no_rewards(lab: &Lab, journal: &Path, spec: &dyn EnvironmentSpec) -> Problem {
    let defined =
        lab.environments().iter().filter(|spec| spec.capabilities().scoring.training_rewards().is_some());
    let names: Vec<&str> = defined.map(|spec| spec.name()).collect();
    Problem::new(format!("{}: no rewards are defined for {}", journal.display(), spec.name()))
        .with_help(format!("`export --rl` supports {} only", names.join(", ")))
}
