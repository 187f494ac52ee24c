//! The pictures of requests: files beside the journal, each once, named by the digest of its bytes.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use super::journal_error::JournalError;
use thiserror::Error;

use super::atomic_file::AtomicFile;
use crate::domain::Blob;
use crate::domain::Digest;

/// The folder's name beside the journal.
const FOLDER: &str = "pictures";

/// The file of a picture of this media type that belongs to the journal.
pub fn blob_path(journal: &Path, digest: Digest, media: &str) -> PathBuf {
    let ending = match media {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "bin",
    };
    journal.with_file_name(FOLDER).join(format!("{digest}.{ending}"))
}

/// Why the bytes of a picture that was sent are not to be had.
#[derive(Debug, Error)]
pub enum BlobError {
    /// Nothing is kept of this episode.
    #[error("the picture {0} was not kept")]
    NotStored(Digest),
    /// Its file is missing or cannot be read.
    #[error("the picture {} cannot be read: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Its file holds something else.
    #[error("the picture {} is not the one that was sent: it has changed since", .0.display())]
    Changed(PathBuf),
}

/// No picture that was sent is larger: servers take some 20 MB.
const MAX_BLOB_BYTES: u64 = 1 << 26;

/// The bytes of a picture as it was sent: those at hand, or those of its file, which must still be the same.
pub fn load_blob(journal: Option<&Path>, blob: &Blob) -> Result<Arc<[u8]>, BlobError> {
    if !blob.bytes.is_empty() {
        return Ok(blob.bytes.clone());
    }
    let path = blob_path(journal.ok_or(BlobError::NotStored(blob.digest))?, blob.digest, &blob.media_type);
    let bytes = read_blob_file(&path).map_err(|source| BlobError::Disk { path: path.clone(), source })?;
    if Digest::of(&bytes) == blob.digest { Ok(bytes.into()) } else { Err(BlobError::Changed(path)) }
}

fn read_blob_file(path: &Path) -> io::Result<Vec<u8>> {
    // What is no file may never end, or wait for ever for somebody who writes.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BLOB_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes the pictures that are not there yet. A file with its name is whole.
pub(super) fn store_blobs(journal: &Path, pictures: &[Blob]) -> Result<(), JournalError> {
    // One that was read from a journal has its bytes in its file already.
    for blob in pictures.iter().filter(|blob| !blob.bytes.is_empty()) {
        let path = blob_path(journal, blob.digest, &blob.media_type);
        if !path.exists() {
            write_blob(&path, &blob.bytes).map_err(|source| JournalError::Disk { path, source })?;
        }
    }
    Ok(())
}

fn write_blob(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_blob_folder(folder)?;
    }
    AtomicFile::stage(path, bytes)?.replace().map(drop)
}

/// Makes the folder where there is none. A link in its place may lead out of the store.
fn create_blob_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match folder.symlink_metadata()? {
            there if there.is_dir() => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::NotADirectory, "pictures is no folder of its own")),
        },
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(bytes: &[u8]) -> Blob {
        let digest = Digest::of(bytes);
        Blob { digest, media_type: "image/png".into(), size: (1, 1), step: 1, bytes: bytes.into() }
    }

    #[test]
    fn a_picture_is_kept_once_and_whole() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let (one, two) = (blob(b"one"), blob(b"two"));
        let path = blob_path(&journal, one.digest, "image/png");
        store_blobs(&journal, std::slice::from_ref(&one)).unwrap();
        let first = std::fs::metadata(&path).unwrap().modified().unwrap();
        store_blobs(&journal, &[one, two]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), first);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn a_picture_is_had_from_its_file_only_while_it_is_the_one_that_was_sent() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let kept = blob(b"one");
        store_blobs(&journal, std::slice::from_ref(&kept)).unwrap();
        let bare = Blob { bytes: Arc::default(), ..kept.clone() };
        assert_eq!(*load_blob(Some(&journal), &bare).unwrap(), *b"one");
        assert_eq!(*load_blob(None, &kept).unwrap(), *b"one", "what is at hand needs no file");
        assert!(matches!(load_blob(None, &bare), Err(BlobError::NotStored(_))));
        let path = blob_path(&journal, kept.digest, &kept.media_type);
        std::fs::write(&path, "two").unwrap();
        assert!(load_blob(Some(&journal), &bare).unwrap_err().to_string().ends_with("it has changed since"));
        std::fs::remove_file(&path).unwrap();
        let missing = load_blob(Some(&journal), &bare).unwrap_err().to_string();
        assert!(
            missing.contains("cannot be read") && missing.contains(&kept.digest.to_string()),
            "{missing}"
        );
        std::fs::create_dir(&path).unwrap();
        assert!(load_blob(Some(&journal), &bare).unwrap_err().to_string().ends_with("it is not a file"));
        let strange = Blob { media_type: "../../../etc/passwd".into(), ..bare };
        let named = blob_path(&journal, strange.digest, &strange.media_type);
        assert_eq!(named, root.path().join("pictures").join(format!("{}.bin", strange.digest)));
    }

    #[test]
    fn a_picture_that_cannot_be_kept_is_an_error_of_the_journal() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("pictures"), "in the way").unwrap();
        let error = store_blobs(&root.path().join("journal.jsonl"), &[blob(b"one")]).unwrap_err();
        assert!(matches!(error, JournalError::Disk { .. }), "{error}");
        let other = tempfile::tempdir().unwrap();
        std::fs::remove_file(root.path().join("pictures")).unwrap();
        std::os::unix::fs::symlink(other.path(), root.path().join("pictures")).unwrap();
        let error = store_blobs(&root.path().join("journal.jsonl"), &[blob(b"one")]).unwrap_err();
        assert!(error.to_string().contains("no folder of its own"), "{error}");
        assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
    }
}
