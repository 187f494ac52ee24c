//! Blobs: bytes with a media type that an observation refers to by digest, such as an encoded picture or a page's tree.
//!
//! The bytes are in a store. A journal's store is a folder; [`MemoryBlobStore`] is for episodes without a journal.

use std::collections::HashMap;
use std::fmt;
#[expect(clippy::disallowed_types, reason = "a store is shared by environment, journal and screen")]
use std::sync::Mutex;
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Digest;

/// The largest blob, in bytes.
pub const MAX_BLOB_BYTES: u64 = 1 << 26;

/// The address of a blob.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlobRef {
    /// The digest of the bytes.
    pub digest: Digest,
    /// The media type, such as `image/png`. From a journal it may be any text.
    #[serde(rename = "media")]
    pub media_type: Arc<str>,
    /// The number of bytes.
    pub length: u64,
}

impl BlobRef {
    /// The address of these bytes.
    pub fn of(media_type: &str, bytes: &[u8]) -> Self {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Self { digest: Digest::of(bytes), media_type: media_type.into(), length }
    }

    /// Whether the media type is a kind of text: `text/…`, JSON, XML or YAML.
    pub fn is_text(&self) -> bool {
        let name = self.media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let Some((family, format)) = name.split_once('/') else { return false };
        let format = format.rsplit('+').next().unwrap_or_default();
        family == "text" || (family == "application" && ["json", "xml", "yaml"].contains(&format))
    }
}

/// Why a blob cannot be stored or loaded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlobError {
    /// The store does not have it.
    #[error("the blob {0} is not stored")]
    Missing(Digest),
    /// The store has other bytes under its digest.
    #[error("the blob {0} has changed since it was stored")]
    Changed(Digest),
    /// It is larger than [`MAX_BLOB_BYTES`].
    #[error("a blob of {0} bytes is too large: the limit is {MAX_BLOB_BYTES}")]
    TooLarge(u64),
    /// The store failed.
    #[error("the blob {digest} cannot be stored or loaded: {why}")]
    Failed {
        /// The digest of the blob.
        digest: Digest,
        /// What failed, such as the path and the system's error.
        why: String,
    },
}

/// A place for blobs. The same bytes have the same address and are stored once.
pub trait BlobStore: Send + Sync {
    /// Stores these bytes and returns their address.
    fn put(&self, media_type: &str, bytes: &[u8]) -> Result<BlobRef, BlobError>;
    /// The bytes at this address, checked against its digest.
    fn get(&self, blob: &BlobRef) -> Result<Arc<[u8]>, BlobError>;
    /// Whether something is stored at this address.
    fn contains(&self, blob: &BlobRef) -> bool {
        self.get(blob).is_ok()
    }
}

/// A blob that is loaded from its store when it is needed. Cheap to clone; it keeps no bytes.
#[derive(Clone)]
pub struct BlobHandle {
    blob: BlobRef,
    store: Arc<dyn BlobStore>,
}

impl BlobHandle {
    /// A blob that is in this store.
    pub fn new(blob: BlobRef, store: Arc<dyn BlobStore>) -> Self {
        Self { blob, store }
    }

    /// Stores these bytes.
    pub fn store(store: &Arc<dyn BlobStore>, media_type: &str, bytes: &[u8]) -> Result<Self, BlobError> {
        Ok(Self { blob: store.put(media_type, bytes)?, store: store.clone() })
    }

    /// The address.
    pub fn blob(&self) -> &BlobRef {
        &self.blob
    }

    /// Another blob of the same store.
    #[must_use]
    pub fn beside(&self, blob: &BlobRef) -> Self {
        Self { blob: blob.clone(), store: self.store.clone() }
    }

    /// Loads the bytes.
    pub fn load(&self) -> Result<Arc<[u8]>, BlobError> {
        self.store.get(&self.blob)
    }

    /// Loads the bytes as text; what is not UTF-8 is replaced.
    pub fn load_text(&self) -> Result<Arc<str>, BlobError> {
        Ok(String::from_utf8_lossy(&self.load()?).into())
    }
}

impl PartialEq for BlobHandle {
    fn eq(&self, other: &Self) -> bool {
        self.blob == other.blob
    }
}

impl fmt::Debug for BlobHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlobRef { digest, media_type, length } = &self.blob;
        write!(f, "BlobHandle({digest}, {media_type:?}, {length} bytes)")
    }
}

/// A store in memory, for an episode without a journal.
#[derive(Default)]
#[expect(clippy::disallowed_types, reason = "locked only to look up or insert")]
pub struct MemoryBlobStore(Mutex<HashMap<Digest, Arc<[u8]>>>);

impl BlobStore for MemoryBlobStore {
    fn put(&self, media_type: &str, bytes: &[u8]) -> Result<BlobRef, BlobError> {
        let blob = BlobRef::of(media_type, bytes);
        if blob.length > MAX_BLOB_BYTES {
            return Err(BlobError::TooLarge(blob.length));
        }
        let mut blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.entry(blob.digest).or_insert_with(|| bytes.into());
        Ok(blob)
    }

    fn get(&self, blob: &BlobRef) -> Result<Arc<[u8]>, BlobError> {
        let blobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.get(&blob.digest).cloned().ok_or(BlobError::Missing(blob.digest))
    }
}

impl fmt::Debug for MemoryBlobStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryBlobStore")
    }
}

/// A store in memory over another one, which is only read.
pub struct OverlayBlobStore {
    own: MemoryBlobStore,
    below: Arc<dyn BlobStore>,
}

impl OverlayBlobStore {
    /// A store that has everything that `below` has.
    pub fn new(below: Arc<dyn BlobStore>) -> Self {
        Self { own: MemoryBlobStore::default(), below }
    }
}

impl BlobStore for OverlayBlobStore {
    fn put(&self, media_type: &str, bytes: &[u8]) -> Result<BlobRef, BlobError> {
        self.own.put(media_type, bytes)
    }

    fn get(&self, blob: &BlobRef) -> Result<Arc<[u8]>, BlobError> {
        self.own.get(blob).or_else(|_| self.below.get(blob))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_loaded_by_their_address() {
        let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let handle = BlobHandle::store(&store, "text/plain", "wörds".as_bytes()).unwrap();
        assert_eq!((handle.blob().digest, handle.blob().length), (Digest::of("wörds".as_bytes()), 6));
        assert_eq!(&*handle.load_text().unwrap(), "wörds");
        let other = BlobHandle::new(BlobRef::of("text/plain", b"other"), store);
        assert_eq!(other.load(), Err(BlobError::Missing(Digest::of(b"other"))));
    }

    #[test]
    fn an_address_is_stored_as_json() {
        let blob = BlobRef::of("image/png", b"x");
        let text = serde_json::to_string(&blob).unwrap();
        assert_eq!(text, format!(r#"{{"digest":"{}","media":"image/png","length":1}}"#, blob.digest));
        assert_eq!(serde_json::from_str::<BlobRef>(&text).unwrap(), blob);
    }

    #[test]
    fn textual_media_types_are_recognized() {
        for media in ["text/html; charset=utf-8", "application/json", "Application/vnd.tree+JSON", "text/x"] {
            assert!(BlobRef::of(media, b"").is_text(), "{media}");
        }
        for media in ["image/png", "application/zip", "image/svg+xml", "", "json", "application/"] {
            assert!(!BlobRef::of(media, b"").is_text(), "{media}");
        }
    }

    #[test]
    fn an_overlay_reads_the_store_below_and_never_writes_to_it() {
        let below = Arc::new(MemoryBlobStore::default());
        let known = below.put("text/plain", b"below").unwrap();
        let overlay = OverlayBlobStore::new(below.clone());
        let own = overlay.put("text/plain", b"own").unwrap();
        assert_eq!(
            (&*overlay.get(&known).unwrap(), &*overlay.get(&own).unwrap()),
            (&b"below"[..], &b"own"[..])
        );
        assert!(!below.contains(&own));
    }
}
