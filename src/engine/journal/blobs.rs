//! The blobs of a session: images of requests, parts of observations, data, checkpoints. Each is a file named by the
//! digest of its bytes, stored once, in a folder that all episodes of the session share. Version 1 of the format had a
//! folder of pictures in each episode, which is still read.
//!
//! The ending of a name is one of a fixed list, so no name comes from outside. Two writers of one blob write the same
//! bytes, so episodes, threads and processes share the folder without locks.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::branch_folder::episode_folder;
use super::error::JournalError;
use crate::atomic_file::AtomicFile;
use mageyard_domain::{BlobError as StoreError, BlobRef, BlobStore, Digest, MAX_BLOB_BYTES, SentImage};

/// The folder in a session.
const FOLDER: &str = "blobs";
/// The folder in an episode, in version 1.
const VERSION_1_FOLDER: &str = "pictures";

/// Where a blob with this digest and media type is stored, whether it exists or not.
pub fn blob_path(journal: &Path, digest: Digest, media: &str) -> PathBuf {
    SessionBlobs::of_journal(journal).existing_path(digest, media)
}

/// Why the bytes of a sent image cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadBlobError {
    /// The episode was not recorded.
    #[error("the image {0} was not recorded")]
    NotStored(Digest),
    /// The file is missing or unreadable.
    #[error("cannot read the image {}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file has other contents than what was sent.
    #[error("the image {} has changed since it was sent", .0.display())]
    Changed(PathBuf),
}

/// The bytes of a sent image: from memory, or from its file, whose digest is checked.
pub fn load_blob(journal: Option<&Path>, image: &SentImage) -> Result<Arc<[u8]>, LoadBlobError> {
    if !image.bytes.is_empty() {
        return Ok(image.bytes.clone());
    }
    let blob = &image.blob;
    let path =
        blob_path(journal.ok_or(LoadBlobError::NotStored(blob.digest))?, blob.digest, &blob.media_type);
    let bytes = read_blob_file(&path).map_err(|source| LoadBlobError::Disk { path: path.clone(), source })?;
    if Digest::of(&bytes) == blob.digest { Ok(bytes.into()) } else { Err(LoadBlobError::Changed(path)) }
}

fn read_blob_file(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe or device could block for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BLOB_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The blobs of a session. Several episodes, threads and processes can use the folder at once: a file appears complete,
/// and two writers of one blob write the same bytes.
#[derive(Clone, Debug)]
pub struct SessionBlobs {
    folder: PathBuf,
    version_1: PathBuf,
}

impl SessionBlobs {
    /// The blobs of the session of this journal. A journal outside a session has them beside itself.
    pub fn of_journal(journal: &Path) -> Self {
        let (episode, _) = episode_folder(journal);
        let number = episode.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
        let session = number.and_then(|_| episode.parent()).unwrap_or(episode);
        Self { folder: session.join(FOLDER), version_1: episode.join(VERSION_1_FOLDER) }
    }

    fn path(&self, digest: Digest, media: &str) -> PathBuf {
        self.folder.join(file_name(digest, media))
    }

    /// The file in the folder of version 1 if only that exists.
    fn existing_path(&self, digest: Digest, media: &str) -> PathBuf {
        let path = self.path(digest, media);
        let old = self.version_1.join(file_name(digest, media));
        if !path.exists() && old.exists() { old } else { path }
    }

    /// Writes bytes that have no file yet. A file that exists is complete, because it was written atomically.
    fn write(&self, digest: Digest, media: &str, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        let path = self.path(digest, media);
        if path.symlink_metadata().is_ok_and(|file| file.is_file()) {
            return Ok(());
        }
        let written = create_folder(&self.folder).and_then(|()| AtomicFile::stage(&path, bytes)?.replace());
        written.map(drop).map_err(|error| (path, error))
    }
}

impl BlobStore for SessionBlobs {
    fn put(&self, media_type: &str, bytes: &[u8]) -> Result<BlobRef, StoreError> {
        let blob = BlobRef::of(media_type, bytes);
        if blob.length > MAX_BLOB_BYTES {
            return Err(StoreError::TooLarge(blob.length));
        }
        let written = self.write(blob.digest, media_type, bytes);
        written.map_err(|(path, error)| failed(blob.digest, &path, &error))?;
        Ok(blob)
    }

    fn get(&self, blob: &BlobRef) -> Result<Arc<[u8]>, StoreError> {
        let path = self.existing_path(blob.digest, &blob.media_type);
        let bytes = read_blob_file(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::Missing(blob.digest),
            _ => failed(blob.digest, &path, &error),
        })?;
        if Digest::of(&bytes) == blob.digest {
            Ok(bytes.into())
        } else {
            Err(StoreError::Changed(blob.digest))
        }
    }

    fn contains(&self, blob: &BlobRef) -> bool {
        self.existing_path(blob.digest, &blob.media_type).is_file()
    }
}

fn failed(digest: Digest, path: &Path, error: &io::Error) -> StoreError {
    StoreError::Failed { digest, why: format!("{}: {error}", path.display()) }
}

/// A digest and one of a few endings: nothing of it comes from outside.
fn file_name(digest: Digest, media: &str) -> String {
    let extension = match media.split(';').next().unwrap_or_default() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "text/plain" => "txt",
        "text/html" => "html",
        "application/json" => "json",
        _ => "bin",
    };
    format!("{digest}.{extension}")
}

/// Stores the images of a request that have bytes in memory; those from a journal have files already.
pub(super) fn store_images(blobs: &SessionBlobs, images: &[SentImage]) -> Result<(), JournalError> {
    for image in images.iter().filter(|image| !image.bytes.is_empty()) {
        let written = blobs.write(image.blob.digest, &image.blob.media_type, &image.bytes);
        written.map_err(|(path, source)| JournalError::Disk { path, source })?;
    }
    Ok(())
}

/// Creates the folder if it is missing. A link in its place is refused: it may point outside the store.
fn create_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match folder.symlink_metadata()? {
            there if there.is_dir() => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::NotADirectory, "blobs is not a folder")),
        },
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::PartId;

    fn blob(bytes: &[u8]) -> SentImage {
        let part = PartId { step: 1, index: 0 };
        SentImage { part, blob: BlobRef::of("image/png", bytes), size: (1, 1), bytes: bytes.into() }
    }

    #[test]
    fn an_image_is_stored_once_and_completely() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let one = blob(b"one");
        let two = blob(b"two");
        let path = blob_path(&journal, one.blob.digest, "image/png");
        store_images(&SessionBlobs::of_journal(&journal), std::slice::from_ref(&one)).unwrap();
        let first = std::fs::metadata(&path).unwrap().modified().unwrap();
        store_images(&SessionBlobs::of_journal(&journal), &[one, two]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), first);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn an_image_is_loaded_only_if_its_file_is_unchanged() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let kept = blob(b"one");
        store_images(&SessionBlobs::of_journal(&journal), std::slice::from_ref(&kept)).unwrap();
        let bare = SentImage { bytes: Arc::default(), ..kept.clone() };
        assert_eq!(*load_blob(Some(&journal), &bare).unwrap(), *b"one");
        assert_eq!(*load_blob(None, &kept).unwrap(), *b"one", "what is at hand needs no file");
        assert!(matches!(load_blob(None, &bare), Err(LoadBlobError::NotStored(_))));
        let path = blob_path(&journal, kept.blob.digest, &kept.blob.media_type);
        std::fs::write(&path, "two").unwrap();
        assert!(
            load_blob(Some(&journal), &bare)
                .unwrap_err()
                .to_string()
                .ends_with("has changed since it was sent")
        );
        std::fs::remove_file(&path).unwrap();
        let missing = load_blob(Some(&journal), &bare).unwrap_err().to_string();
        assert!(
            missing.contains("cannot read") && missing.contains(&kept.blob.digest.to_string()),
            "{missing}"
        );
        std::fs::create_dir(&path).unwrap();
        assert!(load_blob(Some(&journal), &bare).unwrap_err().to_string().ends_with("not a regular file"));
        let strange = BlobRef { media_type: "../../../etc/passwd".into(), ..bare.blob };
        let named = blob_path(&journal, strange.digest, &strange.media_type);
        assert_eq!(named, root.path().join("blobs").join(format!("{}.bin", strange.digest)));
    }

    #[test]
    fn an_image_that_cannot_be_stored_is_a_journal_error() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("blobs"), "in the way").unwrap();
        let error =
            store_images(&SessionBlobs::of_journal(&root.path().join("journal.jsonl")), &[blob(b"one")])
                .unwrap_err();
        assert!(matches!(error, JournalError::Disk { .. }), "{error}");
        let other = tempfile::tempdir().unwrap();
        std::fs::remove_file(root.path().join("blobs")).unwrap();
        std::os::unix::fs::symlink(other.path(), root.path().join("blobs")).unwrap();
        let error =
            store_images(&SessionBlobs::of_journal(&root.path().join("journal.jsonl")), &[blob(b"one")])
                .unwrap_err();
        assert!(error.to_string().contains("is not a folder"), "{error}");
        assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_session_has_each_blob_once_for_all_its_episodes() {
        let root = tempfile::tempdir().unwrap();
        let stores = ["0001", "0002"].map(|number| {
            std::fs::create_dir(root.path().join(number)).unwrap();
            SessionBlobs::of_journal(&root.path().join(number).join("journal.jsonl"))
        });
        let bytes: Vec<Vec<u8>> = (0..40_u8).map(|number| vec![number; 2000]).collect();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let store = &stores[thread % 2];
                let bytes = &bytes;
                scope.spawn(move || {
                    for bytes in bytes {
                        let blob = store.put("text/html; charset=utf-8", bytes).unwrap();
                        assert_eq!(&*store.get(&blob).unwrap(), bytes.as_slice());
                    }
                });
            }
        });
        let names: Vec<_> = std::fs::read_dir(root.path().join("blobs"))
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        assert_eq!(names.len(), 40, "{names:?}");
        assert!(names.contains(&format!("{}.html", Digest::of(&bytes[7])).into()), "{names:?}");
        let other = BlobRef::of("text/html", b"never");
        assert_eq!(
            (stores[0].get(&other), stores[0].contains(&other)),
            (Err(StoreError::Missing(other.digest)), false)
        );
        let known = BlobRef::of("text/html", &bytes[7]);
        std::fs::write(root.path().join("blobs").join(format!("{}.html", known.digest)), "changed").unwrap();
        assert_eq!(stores[1].get(&known), Err(StoreError::Changed(known.digest)));
    }

    #[test]
    fn pictures_of_version_1_are_found_beside_the_journal() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("0001/journal.jsonl");
        let image = blob(b"old");
        std::fs::create_dir_all(root.path().join("0001/pictures")).unwrap();
        let path = root.path().join("0001/pictures").join(format!("{}.png", image.blob.digest));
        std::fs::write(&path, "old").unwrap();
        assert_eq!(blob_path(&journal, image.blob.digest, "image/png"), path);
        let bare = SentImage { bytes: Arc::default(), ..image };
        assert_eq!(*load_blob(Some(&journal), &bare).unwrap(), *b"old");
    }
}
