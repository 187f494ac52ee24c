//! The score of two pages in folders or files, outside an episode.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::judge::{Side, score, target_snapshots, walk_sides};
use super::judgement::fonts;
use super::walk::Pace;
use crate::aes::{AesResult, Rendering};
use crate::options::ScoreSettings;
use crate::task::Interaction;
use mageyard_browser::{BrowserFailure, BrowserPool};

/// The time of a walk without its waiting.
const WALK_LIMIT: Duration = Duration::from_mins(1);

/// A page on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSource {
    /// Its folder: the page can read the files in it and nothing else.
    pub folder: PathBuf,
    /// The file that is opened.
    pub file: String,
}

impl PageSource {
    /// A page of this folder.
    pub fn new(folder: &Path, file: impl Into<String>) -> Self {
        Self { folder: folder.to_owned(), file: file.into() }
    }

    fn side(&self) -> Side<'_> {
        Side { folder: &self.folder, file: &self.file, pictures: false, address: None, script_errors: false }
    }
}

/// Two scored pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredPages {
    /// The score.
    pub result: AesResult,
    /// Why states of the generated page are missing: the name of the state, and the reason.
    pub faults: Vec<(String, String)>,
    /// Requests of the target and of the generated page that were refused.
    pub blocked: [Vec<String>; 2],
}

/// Why two pages have no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// The target fails by itself, so it cannot be a target.
    #[error("{0}")]
    Target(String),
    /// There is no browser that answers.
    #[error(transparent)]
    Browser(#[from] BrowserFailure),
}

/// Scores a generated page against a target: as they are loaded, and after each interaction with both.
///
/// # Errors
/// The target fails, or there is no browser. A generated page that fails has a score.
pub async fn score_pages(
    pool: &BrowserPool,
    [target, generated]: [&PageSource; 2],
    interactions: &[Interaction],
    ScoreSettings { rules, viewport, waiting }: ScoreSettings,
) -> Result<ScoredPages, ScoreError> {
    let pace = Pace { waiting, limit: WALK_LIMIT };
    let sides = [target.side(), generated.side()];
    let (walked, browser) = walk_sides(pool, &sides, viewport, interactions, pace).await?;
    let [target, generated] = <[_; 2]>::try_from(walked)
        .map_err(|_| ScoreError::Target("the pages were not rendered".to_owned()))?;
    let known = target.states.len().min(generated.states.len());
    let targets = target_snapshots(&target.states[..known], interactions).map_err(ScoreError::Target)?;
    let pages = score(&targets, &generated.states, rules, interactions);
    let fonts = fonts(&target.states, &generated.states);
    let size: (u32, u32) = viewport.into();
    let result = AesResult::new(pages, rules, Rendering { viewport: size.into(), browser, fonts });
    let names = result.pages.iter().map(|page| page.name.clone());
    let fault =
        |(name, state): (String, &super::walk::State)| Some((name, state.as_ref().err()?.why.clone()));
    let faults = names.zip(&generated.states).filter_map(fault).collect();
    let urls = |requests: Vec<mageyard_browser::BlockedRequest>| {
        requests.into_iter().map(|request| request.url).collect()
    };
    Ok(ScoredPages { result, faults, blocked: [urls(target.blocked), urls(generated.blocked)] })
}
