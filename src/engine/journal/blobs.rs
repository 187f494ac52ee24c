//! Image blobs of requests: files beside the journal, named by the digest of their bytes and stored once.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::error::JournalError;
use crate::domain::Digest;
use crate::domain::SentImage;
use crate::engine::atomic_file::AtomicFile;

/// The folder beside the journal.
const FOLDER: &str = "pictures";

/// The file of an image with this digest and media type.
pub fn blob_path(journal: &Path, digest: Digest, media: &str) -> PathBuf {
    let extension = match media {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "bin",
    };
    journal.with_file_name(FOLDER).join(format!("{digest}.{extension}"))
}

/// Why the bytes of a sent image cannot be loaded.
#[derive(Debug, Error)]
pub enum BlobError {
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

/// An upper limit for one image, in bytes; servers accept about 20 MB.
const MAX_BLOB_BYTES: u64 = 1 << 26;

/// The bytes of a sent image: from memory, or from its file, whose digest is checked.
pub fn load_blob(journal: Option<&Path>, image: &SentImage) -> Result<Arc<[u8]>, BlobError> {
    if !image.bytes.is_empty() {
        return Ok(image.bytes.clone());
    }
    let blob = &image.blob;
    let path = blob_path(journal.ok_or(BlobError::NotStored(blob.digest))?, blob.digest, &blob.media_type);
    let bytes = read_blob_file(&path).map_err(|source| BlobError::Disk { path: path.clone(), source })?;
    if Digest::of(&bytes) == blob.digest { Ok(bytes.into()) } else { Err(BlobError::Changed(path)) }
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

/// Writes the images that have no file yet. A file that exists is complete, because it was written atomically.
pub(super) fn store_blobs(journal: &Path, pictures: &[SentImage]) -> Result<(), JournalError> {
    // An image that was read from a journal has no bytes in memory; its file exists.
    for image in pictures.iter().filter(|image| !image.bytes.is_empty()) {
        let path = blob_path(journal, image.blob.digest, &image.blob.media_type);
        if !path.exists() {
            write_blob(&path, &image.bytes).map_err(|source| JournalError::Disk { path, source })?;
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

/// Creates the folder if it is missing. A link in its place is refused: it may point outside the store.
fn create_blob_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match folder.symlink_metadata()? {
            there if there.is_dir() => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::NotADirectory, "pictures is not a folder")),
        },
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::BlobRef;
    use crate::domain::PartId;

    fn blob(bytes: &[u8]) -> SentImage {
        let part = PartId { step: 1, index: 0 };
        SentImage { part, blob: BlobRef::of("image/png", bytes), size: (1, 1), bytes: bytes.into() }
    }

    #[test]
    fn an_image_is_stored_once_and_completely() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let (one, two) = (blob(b"one"), blob(b"two"));
        let path = blob_path(&journal, one.blob.digest, "image/png");
        store_blobs(&journal, std::slice::from_ref(&one)).unwrap();
        let first = std::fs::metadata(&path).unwrap().modified().unwrap();
        store_blobs(&journal, &[one, two]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), first);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn an_image_is_loaded_only_if_its_file_is_unchanged() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let kept = blob(b"one");
        store_blobs(&journal, std::slice::from_ref(&kept)).unwrap();
        let bare = SentImage { bytes: Arc::default(), ..kept.clone() };
        assert_eq!(*load_blob(Some(&journal), &bare).unwrap(), *b"one");
        assert_eq!(*load_blob(None, &kept).unwrap(), *b"one", "what is at hand needs no file");
        assert!(matches!(load_blob(None, &bare), Err(BlobError::NotStored(_))));
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
        assert_eq!(named, root.path().join("pictures").join(format!("{}.bin", strange.digest)));
    }

    #[test]
    fn an_image_that_cannot_be_stored_is_a_journal_error() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("pictures"), "in the way").unwrap();
        let error = store_blobs(&root.path().join("journal.jsonl"), &[blob(b"one")]).unwrap_err();
        assert!(matches!(error, JournalError::Disk { .. }), "{error}");
        let other = tempfile::tempdir().unwrap();
        std::fs::remove_file(root.path().join("pictures")).unwrap();
        std::os::unix::fs::symlink(other.path(), root.path().join("pictures")).unwrap();
        let error = store_blobs(&root.path().join("journal.jsonl"), &[blob(b"one")]).unwrap_err();
        assert!(error.to_string().contains("is not a folder"), "{error}");
        assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 0);
    }
}
