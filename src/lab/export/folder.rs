//! The folder of an export: written under a temporary name and renamed when complete. Nothing is overwritten.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{LabError, json_line};
use mageyard_config::Problem;
use mageyard_domain::Digest;

/// The names of the episode file and the image folder.
const EPISODES: &str = "episodes.jsonl";
const IMAGES: &str = "images";

/// A folder that is written under a temporary name. It is removed unless it is finished.
pub(super) struct DraftFolder {
    target: PathBuf,
    draft: PathBuf,
    finished: bool,
}

impl DraftFolder {
    /// Creates the folder under a temporary name; fails if the target already exists.
    pub(super) fn create(place: &Path) -> Result<Self, LabError> {
        let there = || Problem::new(format!("{} already exists and is not overwritten", place.display()));
        if place.symlink_metadata().is_ok() {
            return Err(there().with_help("choose another folder, or move it away").into());
        }
        let draft = draft_path(place)?;
        match std::fs::create_dir(&draft) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(stale_draft(&draft).into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let problem = Problem::new(format!("{}: the parent folder does not exist", place.display()));
                return Err(problem.with_help("create it first").into());
            }
            made => made.map_err(|error| disk_failure(&draft, &error))?,
        }
        Ok(Self { target: place.to_owned(), draft, finished: false })
    }

    /// Writes a whole file. The name must not lead out of the folder.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), LabError> {
        let path = self.draft.join(name);
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| disk_failure(&path, &error))
    }

    /// Moves the folder to its target.
    pub(super) fn finish(mut self) -> Result<(), LabError> {
        // A rename can only replace an empty folder, so one is created first.
        let placed =
            std::fs::create_dir(&self.target).and_then(|()| std::fs::rename(&self.draft, &self.target));
        placed.map_err(|error| disk_failure(&self.target, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        if !self.finished {
            // The original error matters more than a failure to clean up.
            let _ = std::fs::remove_dir_all(&self.draft);
        }
    }
}

/// A folder of episodes that is being written.
pub(super) struct ExportFolder {
    folder: DraftFolder,
    episodes: BufWriter<File>,
    /// The names of the images written so far.
    images: BTreeSet<String>,
}

impl ExportFolder {
    /// Creates the folder under a temporary name; fails if the target already exists.
    pub(super) fn create(place: &Path) -> Result<Self, LabError> {
        let folder = DraftFolder::create(place)?;
        let path = folder.draft.join(EPISODES);
        let episodes = std::fs::create_dir(folder.draft.join(IMAGES)).and_then(|()| File::create(&path));
        let episodes = BufWriter::new(episodes.map_err(|error| disk_failure(&path, &error))?);
        Ok(Self { folder, episodes, images: BTreeSet::new() })
    }

    /// Writes an image once and returns its path relative to the folder.
    pub(super) fn add_image(
        &mut self,
        digest: Digest,
        media: &str,
        bytes: &[u8],
    ) -> Result<String, LabError> {
        let ending = match media {
            "image/png" => "png",
            "image/jpeg" => "jpg",
            _ => "bin",
        };
        let name = format!("{digest}.{ending}");
        let path = self.folder.draft.join(IMAGES).join(&name);
        if self.images.insert(name.clone()) {
            std::fs::write(&path, bytes).map_err(|error| disk_failure(&path, &error))?;
        }
        Ok(format!("{IMAGES}/{name}"))
    }

    /// The number of images.
    pub(super) fn images(&self) -> usize {
        self.images.len()
    }

    /// Writes an episode.
    pub(super) fn write_episode(&mut self, fields: &impl Serialize) -> Result<(), LabError> {
        let written = json_line("episode", fields)
            .map_err(io::Error::from)
            .and_then(|line| writeln!(self.episodes, "{line}"));
        written.map_err(|error| disk_failure(&self.folder.draft.join(EPISODES), &error))
    }

    /// Moves the folder to its target.
    pub(super) fn finish(mut self) -> Result<(), LabError> {
        let flushed = self.episodes.flush().and_then(|()| self.episodes.get_ref().sync_all());
        flushed.map_err(|error| disk_failure(&self.folder.draft.join(EPISODES), &error))?;
        self.folder.finish()
    }
}

/// `.name.draft` beside the target.
fn draft_path(place: &Path) -> Result<PathBuf, Problem> {
    let name = place
        .file_name()
        .ok_or_else(|| Problem::new(format!("{} is not the name of a folder", place.display())))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(".draft");
    Ok(place.with_file_name(draft))
}

fn stale_draft(draft: &Path) -> Problem {
    let problem =
        Problem::new(format!("{} exists: another export is running, or one was killed", draft.display()));
    problem.with_help("if none is running, remove it and try again")
}

fn disk_failure(path: &Path, error: &io::Error) -> LabError {
    LabError::failed(format!("{}: the export cannot be written here: {error}", path.display()))
}
