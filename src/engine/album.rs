//! The pictures of requests: files beside the journal, each once, named by the digest of its bytes.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use super::journal::JournalError;
use crate::domain::Blob;
use crate::domain::Digest;

/// The folder's name beside the journal.
const FOLDER: &str = "pictures";

/// The file of a picture of this media type that belongs to the journal.
pub fn picture(journal: &Path, digest: Digest, media: &str) -> PathBuf {
    let ending = match media {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "bin",
    };
    journal.with_file_name(FOLDER).join(format!("{digest}.{ending}"))
}

/// Writes the pictures that are not there yet. A file with its name is whole: it is written to a draft
/// and renamed.
pub(super) fn keep(journal: &Path, pictures: &[Blob]) -> Result<(), JournalError> {
    // One that was read from a journal has its bytes in its file already.
    for blob in pictures.iter().filter(|blob| !blob.bytes.is_empty()) {
        let path = picture(journal, blob.digest, &blob.media);
        if !path.exists() {
            write(&path, &blob.bytes).map_err(|source| JournalError::Disk { path, source })?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension("new");
    let written = std::fs::write(&draft, bytes).and_then(|()| std::fs::rename(&draft, path));
    if written.is_err() {
        // The draft is worthless and the error that matters is the first one.
        let _ = std::fs::remove_file(&draft);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(bytes: &[u8]) -> Blob {
        let digest = Digest::of(bytes);
        Blob { digest, media: "image/png".into(), size: (1, 1), step: 1, bytes: bytes.into() }
    }

    #[test]
    fn a_picture_is_kept_once_and_whole() {
        let root = tempfile::tempdir().unwrap();
        let journal = root.path().join("journal.jsonl");
        let (one, two) = (blob(b"one"), blob(b"two"));
        let path = picture(&journal, one.digest, "image/png");
        keep(&journal, std::slice::from_ref(&one)).unwrap();
        let first = std::fs::metadata(&path).unwrap().modified().unwrap();
        keep(&journal, &[one, two]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), first);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn a_picture_that_cannot_be_kept_is_an_error_of_the_journal() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("pictures"), "in the way").unwrap();
        let error = keep(&root.path().join("journal.jsonl"), &[blob(b"one")]).unwrap_err();
        assert!(matches!(error, JournalError::Disk { .. }), "{error}");
    }
}
