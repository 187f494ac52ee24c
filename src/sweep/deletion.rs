//! What still needs a recording that is to be moved to the trash.

use std::path::{Path, PathBuf};

use super::claims::cells_at_work;
use super::folder::sweep_stores;
use mageyard_config::{Folders, Problem};
use mageyard_domain::shell_quote;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, SessionIndex, read_recordings};

/// How many names an error lists.
const MAX_LISTED: usize = 5;

/// Refuses to delete these sessions and sweeps, by their names, if a sweep among them is being played, or if an
/// unfinished episode that is not among them repeats one of their recordings: it could not be resumed. Branches are in
/// the folders of their episodes, so they are deleted and restored with them.
pub async fn check_deletion(
    lab: &Lab,
    store: &Store,
    folders: &Folders,
    names: &[String],
) -> Result<(), LabError> {
    let mut deleted = Vec::new();
    for name in names {
        let (folder, is_sweep) = store.deletable(name)?;
        if is_sweep {
            refuse_if_at_work(name, &folder)?;
        }
        deleted.push((name.as_str(), folder));
    }
    // What is known to be over needs no recording any more, and need not be read.
    let index = SessionIndex::open(folders, store);
    for session in store.sessions()? {
        if !index.is_over(store, &session) {
            refuse_if_needed(lab, store, &store.root().join(session), &deleted).await?;
        }
    }
    for sweep in sweep_stores(store)? {
        for cell in sweep.sessions()? {
            refuse_if_needed(lab, store, &sweep.root().join(cell), &deleted).await?;
        }
    }
    Ok(())
}

/// Refuses if an unfinished episode of the session in this folder repeats a recording in one of the deleted folders.
async fn refuse_if_needed(
    lab: &Lab,
    store: &Store,
    session: &Path,
    deleted: &[(&str, PathBuf)],
) -> Result<(), LabError> {
    if deleted.iter().any(|(_, folder)| session.starts_with(folder)) {
        return Ok(());
    }
    let name = session.to_string_lossy();
    // A session without an episode, or that cannot be read, repeats nothing.
    for recording in read_recordings(lab, store, &[name.into_owned()]).flatten() {
        for recording in recording.with_branches() {
            let repeated = recording.head().ok().and_then(|head| head.agent.recording);
            let needed =
                deleted.iter().find(|(_, folder)| repeated.as_ref().is_some_and(|it| is_in(it, folder)));
            if let Some((name, _)) = needed
                && recording.is_unfinished().await
            {
                return Err(needed_by(name, &store.reference(recording.path())).into());
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
