//! Scores a generated page against a target, both live in a browser.

use std::path::Path;

use super::walk::{Pace, State, Walker, walk};
use crate::aes;
use crate::aes::{PageScore, PageStatus, Rules};
use crate::snapshot::Snapshot;
use crate::task::Interaction;
use mageyard_browser::{BlockedRequest, BrowserError, BrowserFailure, BrowserPool, Viewport};
use mageyard_domain::sanitize;

/// A page to walk with.
pub(super) struct Side<'a> {
    /// Its folder.
    pub(super) folder: &'a Path,
    /// The file that is opened.
    pub(super) file: &'a str,
    /// Whether its pictures are taken.
    pub(super) pictures: bool,
    /// What stands for the address of the folder in snapshots.
    pub(super) address: Option<(String, &'static str)>,
    /// Whether exceptions of its scripts are recorded.
    pub(super) script_errors: bool,
}

/// What became of a page.
#[derive(Clone, Debug)]
pub(super) struct Walked {
    /// Its states, one more than interactions.
    pub(super) states: Vec<State>,
    /// What it asked for and did not get.
    pub(super) blocked: Vec<BlockedRequest>,
    /// The exceptions that its scripts did not catch, if they are recorded.
    pub(super) script_errors: Vec<String>,
}

/// Walks through the interactions with these pages in step. If one took too long, all walk once more, because a busy
/// machine may be to blame. Also returns the version of the browser.
pub(super) async fn walk_sides(
    pool: &BrowserPool,
    sides: &[Side<'_>],
    viewport: Viewport,
    interactions: &[Interaction],
    pace: Pace,
) -> Result<(Vec<Walked>, String), BrowserFailure> {
    let first = walk_once(pool, sides, viewport, interactions, pace).await?;
    let late = |state: &State| state.as_ref().is_err_and(|fault| fault.is_timeout);
    if first.0.iter().flat_map(|walked| &walked.states).any(late) {
        return walk_once(pool, sides, viewport, interactions, pace).await;
    }
    Ok(first)
}

async fn walk_once(
    pool: &BrowserPool,
    sides: &[Side<'_>],
    viewport: Viewport,
    interactions: &[Interaction],
    pace: Pace,
) -> Result<(Vec<Walked>, String), BrowserFailure> {
    let folders: Vec<&Path> = sides.iter().map(|side| side.folder).collect();
    let pages = pool.pages(&folders, viewport).await.map_err(failure)?;
    let version = pages.first().map(|page| page.browser_version().to_owned()).unwrap_or_default();
    let of_side = |(page, side): (_, &Side<'_>)| Walker {
        page,
        file: side.file.to_owned(),
        pictures: side.pictures,
        address: side.address.clone(),
    };
    let walkers: Vec<Walker> = pages.into_iter().zip(sides).map(of_side).collect();
    for (walker, _) in walkers.iter().zip(sides).filter(|(_, side)| side.script_errors) {
        walker.page.watch_script_errors().await.map_err(failure)?;
    }
    let rows = walk(&walkers, interactions, pace).await?;
    let mut walked = Vec::new();
    for (walker, states) in walkers.into_iter().zip(rows) {
        let blocked = walker.page.blocked();
        let script_errors = walker.page.script_errors();
        walked.push(Walked { states, blocked, script_errors });
        // Closing does not have to be waited for: dropping the page closes it.
    }
    Ok((walked, version))
}

/// A folder that cannot be opened is not on the account of a page.
fn failure(error: BrowserError) -> BrowserFailure {
    match error {
        BrowserError::Browser(failure) => failure,
        BrowserError::Page(fault) => {
            BrowserFailure::Refused { method: "a new page".into(), message: fault.to_string() }
        }
    }
}

/// The snapshots of a target; an error names the state that has none, and why.
pub(super) fn target_snapshots<'a>(
    states: &'a [State],
    interactions: &[Interaction],
) -> Result<Vec<&'a Snapshot>, String> {
    let name = |index: usize| state_name(index, interactions);
    let of_state = |(index, state): (usize, &'a State)| match state {
        Ok(view) => Ok(&view.snapshot),
        Err(fault) => Err(format!("the target fails at {}: {}", sanitize(&name(index)), fault.why)),
    };
    states.iter().enumerate().map(of_state).collect()
}

/// The name of a state: that of its interaction.
pub(super) fn state_name(index: usize, interactions: &[Interaction]) -> String {
    let before = index.checked_sub(1).and_then(|index| interactions.get(index));
    before.map_or_else(|| "first state".to_owned(), |interaction| interaction.name.clone())
}

/// The scores of the sub-pages. A page that is not rendered has one sub-page.
pub(super) fn score(
    targets: &[&Snapshot],
    generated: &[State],
    rules: Rules,
    interactions: &[Interaction],
) -> Vec<PageScore> {
    if generated.first().is_none_or(Result::is_err) {
        return vec![PageScore::without_score(PageStatus::Ren).named(state_name(0, interactions))];
    }
    let of_state = |(index, (target, state)): (usize, (&&Snapshot, &State))| {
        let previous = index.checked_sub(1).and_then(|index| targets.get(index).copied());
        let score = match state {
            Ok(view) => aes::compare_after(previous, target, &view.snapshot, rules),
            Err(_) => aes::failed_interaction(previous, target, rules),
        };
        score.named(state_name(index, interactions))
    };
    targets.iter().zip(generated).enumerate().map(of_state).collect()
}
