//! Where a path of a task is on this machine.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::trouble;
use crate::handlers::{Access, Trouble};

/// A folder of this machine under a path of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The path as tasks name it, such as the value of `AS_ROOT`.
    pub path: String,
    /// The folder.
    pub folder: PathBuf,
}

/// Folders by the paths of tasks.
#[derive(Debug)]
pub(super) struct Places {
    /// The paths as their components, with folders in which no component is a link; the longest paths first.
    mounts: Vec<(Vec<String>, PathBuf)>,
}

impl Places {
    pub(super) fn new(mounts: &[Mount]) -> io::Result<Self> {
        let mut all = Vec::new();
        for mount in mounts {
            let parts = parts(&mount.path)
                .map_err(|trouble| io::Error::new(io::ErrorKind::InvalidInput, trouble.to_string()))?;
            all.push((parts, fs::canonicalize(&mount.folder)?));
        }
        all.sort_by_key(|(parts, _)| std::cmp::Reverse(parts.len()));
        Ok(Self { mounts: all })
    }

    /// The place of a path, with a link at its end followed.
    pub(super) fn target(&self, path: &str) -> Result<PathBuf, Trouble> {
        let entry = self.entry(path)?;
        let target = fs::canonicalize(&entry).map_err(|error| trouble(&error, Access::Read))?;
        self.inside(target)
    }

    /// The place of a path, with a link at its end not followed. What is at the end may be missing.
    pub(super) fn entry(&self, path: &str) -> Result<PathBuf, Trouble> {
        let place = self.mapped(path)?;
        if self.mounts.iter().any(|(_, folder)| *folder == place) {
            return Ok(place);
        }
        let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else {
            return Err(outside());
        };
        let parent = fs::canonicalize(parent).map_err(|error| trouble(&error, Access::Read))?;
        Ok(self.inside(parent)?.join(name))
    }

    /// The place of a path that is to be written: folders on the way that are missing are made.
    pub(super) fn made(&self, path: &str) -> Result<PathBuf, Trouble> {
        let place = self.mapped(path)?;
        let parent = place.parent().ok_or_else(outside)?;
        let existing = parent.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok());
        let existing = fs::canonicalize(existing.ok_or_else(outside)?);
        self.inside(existing.map_err(|error| trouble(&error, Access::Change))?)?;
        fs::create_dir_all(parent).map_err(|error| trouble(&error, Access::Change))?;
        let entry = self.entry(path)?;
        match fs::symlink_metadata(&entry) {
            Ok(metadata) if metadata.is_symlink() => self.target(path),
            _ => Ok(entry),
        }
    }

    /// Whether a place is the folder of a mount itself, which stays.
    pub(super) fn is_mount(&self, place: &Path) -> bool {
        self.mounts.iter().any(|(_, folder)| folder.starts_with(place))
    }

    fn mapped(&self, path: &str) -> Result<PathBuf, Trouble> {
        let parts = parts(path)?;
        let found = self
            .mounts
            .iter()
            .find_map(|(mount, folder)| Some((parts.strip_prefix(mount.as_slice())?, folder)));
        let (rest, folder) = found.ok_or_else(outside)?;
        Ok(rest.iter().fold(folder.clone(), |place, part| place.join(part)))
    }

    fn inside(&self, place: PathBuf) -> Result<PathBuf, Trouble> {
        let is_inside = self.mounts.iter().any(|(_, folder)| place.starts_with(folder));
        if is_inside { Ok(place) } else { Err(Trouble::Denied(Access::Read)) }
    }
}

fn outside() -> Trouble {
    Trouble::Other("is outside of the folder that is judged".to_owned())
}

/// The names of an absolute path, with `..` resolved.
fn parts(path: &str) -> Result<Vec<String>, Trouble> {
    if path.contains('\0') {
        return Err(Trouble::Other("has a NUL character".to_owned()));
    }
    let mut parts = Vec::new();
    let mut is_absolute = false;
    for component in Path::new(path).components() {
        match component {
            Component::RootDir => is_absolute = true,
            Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
        }
    }
    if is_absolute { Ok(parts) } else { Err(Trouble::Other("is not an absolute path".to_owned())) }
}
