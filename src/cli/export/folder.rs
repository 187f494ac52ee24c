//! The folder of an export: written beside its place as a draft and put there whole, never over anything.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::BufWriter;
use std::io::ErrorKind;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use serde::Serialize;

use crate::cli::exit::Failure;
use crate::cli::output::object;
use crate::config::Problem;
use crate::domain::Digest;

/// The file with a line an episode, and the folder of pictures.
const EPISODES: &str = "episodes.jsonl";
const IMAGES: &str = "images";

/// A folder that is being written. It is gone with all that is in it unless it is finished.
pub(super) struct ExportFolder {
    target: PathBuf,
    draft: PathBuf,
    episodes: BufWriter<File>,
    /// The names of the pictures that are there.
    images: BTreeSet<String>,
    finished: bool,
}

impl ExportFolder {
    /// Begins a folder that is to stand here; refused where something stands already.
    pub(super) fn create(place: &Path) -> Result<Self, Failure> {
        let there =
            || Problem::new(format!("{} is there already, and nothing is overwritten", place.display()));
        if place.symlink_metadata().is_ok() {
            return Err(there().with_help("give another folder, or move it away").into());
        }
        let draft = draft_path(place)?;
        match std::fs::create_dir(&draft) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(stale_draft(&draft).into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let problem =
                    Problem::new(format!("{}: the folder above it does not exist", place.display()));
                return Err(problem.with_help("make it first").into());
            }
            made => made.map_err(|error| disk_failure(&draft, &error))?,
        }
        let path = draft.join(EPISODES);
        let episodes = std::fs::create_dir(draft.join(IMAGES)).and_then(|()| File::create(&path));
        let episodes = BufWriter::new(episodes.map_err(|error| disk_failure(&path, &error))?);
        Ok(Self { target: place.to_owned(), draft, episodes, images: BTreeSet::new(), finished: false })
    }

    /// Puts a picture there, once, and gives its path from the folder on.
    pub(super) fn add_image(&mut self, digest: Digest, media: &str, bytes: &[u8]) -> Result<String, Failure> {
        let ending = match media {
            "image/png" => "png",
            "image/jpeg" => "jpg",
            _ => "bin",
        };
        let name = format!("{digest}.{ending}");
        let path = self.draft.join(IMAGES).join(&name);
        if self.images.insert(name.clone()) {
            std::fs::write(&path, bytes).map_err(|error| disk_failure(&path, &error))?;
        }
        Ok(format!("{IMAGES}/{name}"))
    }

    /// How many pictures are there.
    pub(super) fn images(&self) -> usize {
        self.images.len()
    }

    /// Writes a line.
    pub(super) fn write_episode(&mut self, fields: &impl Serialize) -> Result<(), Failure> {
        let written = object(fields).and_then(|line| writeln!(self.episodes, "{line}"));
        written.map_err(|error| disk_failure(&self.draft.join(EPISODES), &error))
    }

    /// Puts the folder in its place.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let flushed = self.episodes.flush().and_then(|()| self.episodes.get_ref().sync_all());
        flushed.map_err(|error| disk_failure(&self.draft.join(EPISODES), &error))?;
        // An empty folder of ours is the only thing that a folder may take the place of.
        let placed =
            std::fs::create_dir(&self.target).and_then(|()| std::fs::rename(&self.draft, &self.target));
        placed.map_err(|error| disk_failure(&self.target, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for ExportFolder {
    fn drop(&mut self) {
        if !self.finished {
            // What is left of it is worthless, and the error that matters is the first one.
            let _ = std::fs::remove_dir_all(&self.draft);
        }
    }
}

/// `.name.draft` beside the place.
fn draft_path(place: &Path) -> Result<PathBuf, Problem> {
    let name =
        place.file_name().ok_or_else(|| Problem::new(format!("{} names no folder", place.display())))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(".draft");
    Ok(place.with_file_name(draft))
}

fn stale_draft(draft: &Path) -> Problem {
    let problem =
        Problem::new(format!("{} is there: another export is under way, or one was killed", draft.display()));
    problem.with_help("when none is under way, remove it and try again")
}

fn disk_failure(path: &Path, error: &io::Error) -> Failure {
    Failure::running(format!("{}: {error}", path.display()))
}
