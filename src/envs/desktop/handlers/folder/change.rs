//! Changes of files in the folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::Places;
use super::trouble;
use crate::handlers::{Access, Change, Trouble};

/// The deepest folder that is copied.
const DEEPEST: usize = 64;

pub(super) fn apply(places: &Places, change: &Change<'_>) -> Result<(), Trouble> {
    match change {
        Change::Write { path, content } => done(fs::write(places.made(path)?, content)),
        Change::Folder { path } => done(fs::create_dir_all(places.made(path)?)),
        Change::Remove { path, folder } => remove(places, path, *folder),
        Change::Move { from, to } => {
            let source = places.entry(from)?;
            kept(places, &source)?;
            done(fs::rename(&source, destination(places, &source, to)?))
        }
        Change::Copy { from, to } => {
            let source = places.target(from)?;
            if source.is_dir() {
                copy_folder(&source, &places.made(to)?, DEEPEST)
            } else {
                done(fs::copy(&source, destination(places, &source, to)?).map(|_| ()))
            }
        }
        Change::Mode { path, mode } => set_mode(&places.target(path)?, *mode),
    }
}

fn done(result: io::Result<()>) -> Result<(), Trouble> {
    result.map_err(|error| trouble(&error, Access::Change))
}

/// The folders that tasks name stay.
fn kept(places: &Places, place: &Path) -> Result<(), Trouble> {
    if places.is_mount(place) { Err(Trouble::Denied(Access::Change)) } else { Ok(()) }
}

fn remove(places: &Places, path: &str, folder: bool) -> Result<(), Trouble> {
    let place = match places.entry(path) {
        Err(Trouble::Missing) => return Ok(()),
        place => place?,
    };
    kept(places, &place)?;
    let Ok(metadata) = fs::symlink_metadata(&place) else { return Ok(()) };
    match (metadata.is_dir(), folder) {
        (true, true) => done(fs::remove_dir_all(&place)),
        (false, false) => done(fs::remove_file(&place)),
        _ => Ok(()),
    }
}

/// Where something goes: into the folder, if that is what is there.
fn destination(places: &Places, source: &Path, to: &str) -> Result<PathBuf, Trouble> {
    let place = places.made(to)?;
    match source.file_name() {
        Some(name) if place.is_dir() => no_link(place.join(name)),
        _ => Ok(place),
    }
}

/// A place that is not a link: what is written there stays in the folder.
fn no_link(place: PathBuf) -> Result<PathBuf, Trouble> {
    if place.is_symlink() { Err(Trouble::Denied(Access::Change)) } else { Ok(place) }
}

/// Copies a folder. Links in it are left out: they could lead out of the copy.
fn copy_folder(from: &Path, to: &Path, depth: usize) -> Result<(), Trouble> {
    if depth == 0 || to.starts_with(from) {
        return Err(Trouble::Other("cannot be copied: it is too deep, or a part of itself".to_owned()));
    }
    done(fs::create_dir_all(to))?;
    for entry in fs::read_dir(from).map_err(|error| trouble(&error, Access::Read))? {
        let entry = entry.map_err(|error| trouble(&error, Access::Read))?;
        let kind = entry.file_type().map_err(|error| trouble(&error, Access::Read))?;
        let target = no_link(to.join(entry.file_name()))?;
        if kind.is_dir() {
            copy_folder(&entry.path(), &target, depth - 1)?;
        } else if kind.is_file() {
            done(fs::copy(entry.path(), target).map(|_| ()))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(place: &Path, mode: u32) -> Result<(), Trouble> {
    use std::os::unix::fs::PermissionsExt;
    done(fs::set_permissions(place, fs::Permissions::from_mode(mode)))
}

#[cfg(not(unix))]
fn set_mode(_place: &Path, _mode: u32) -> Result<(), Trouble> {
    Err(Trouble::Unsupported("permissions"))
}
