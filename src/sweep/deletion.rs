//! What still needs a recording that is to be moved to the trash.

use std::path::Path;

use super::claims::cells_at_work;
use super::folder::sweep_stores;
use mageyard_config::Problem;
use mageyard_domain::shell_quote;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, recorded_episode};

/// How many names an error lists.
const MAX_LISTED: usize = 5;

/// Refuses to delete these sessions and sweeps, by their names, if a sweep among them is being played, or if an
/// unfinished episode that is not among them repeats one of their recordings: it could not be resumed. Branches are in
/// the folders of their episodes, so they are deleted and restored with them.
pub async fn check_deletion(lab: &Lab, store: &Store, names: &[String]) -> Result<(), LabError> {
    let mut folders = Vec::new();
    for name in names {
        let (folder, is_sweep) = store.deletable(name)?;
        if is_sweep {
            refuse_if_at_work(name, &folder)?;
        }
        folders.push((name, folder));
    }
    let stores = sweep_stores(store)?;
    for store_of in std::iter::once(store).chain(&stores) {
        for journal in store_of.all_journals()? {
            if folders.iter().any(|(_, folder)| journal.starts_with(folder)) {
                continue;
            }
            for recording in recorded_episode(lab, journal).with_branches() {
                // A head that cannot be read cannot be resumed either.
                let Some(repeated) = recording.head().ok().and_then(|head| head.agent.recording) else {
                    continue;
                };
                let needed = folders.iter().find(|(_, folder)| is_in(&repeated, folder));
                if let Some((name, _)) = needed
                    && recording.is_unfinished().await
                {
                    return Err(needed_by(name, &store.reference(recording.path())).into());
                }
            }
        }
    }
    Ok(())
}

/// Whether a recorded path leads into this folder, also where one of them has links.
fn is_in(recorded: &Path, folder: &Path) -> bool {
    let real = || Some(recorded.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?));
    std::path::absolute(folder).is_ok_and(|folder| recorded.starts_with(folder)) || real() == Some(true)
}

fn refuse_if_at_work(name: &str, folder: &Path) -> Result<(), LabError> {
    let cells = cells_at_work(folder).map_err(LabError::failed)?;
    if cells.is_empty() {
        return Ok(());
    }
    let listed = cells.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    let what = format!(
        "the sweep {name:?} is being played: {} {} claimed ({listed}{})",
        cells.len(),
        if cells.len() == 1 { "cell is" } else { "cells are" },
        if cells.len() > MAX_LISTED { ", …" } else { "" },
    );
    let help = format!(
        "stop its workers first (`mageyard sweep status {}` shows them), then delete it",
        shell_quote(name)
    );
    Err(Problem::new(what).with_help(help).into())
}

fn needed_by(name: &str, reference: &str) -> Problem {
    let what = format!(
        "{name:?} is repeated by {reference}, which is unfinished and could not be resumed without it"
    );
    Problem::new(what).with_help("finish that one first, or delete both together")
}
