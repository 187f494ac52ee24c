//! The stored form of an observation that no replay can make again: texts, facts and parts, with long texts, images and
//! data as blobs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pieces::{Piece, Pieces, WrittenPieces, json_digest};
use mageyard_domain::{
    ActionSpace, BlobError, BlobHandle, BlobRef, BlobStore, Digest, NumberedBox, Observation,
    ObservationPart, ObservationSource, Picture, identity_of,
};

/// A longer text is a blob, in bytes.
const MAX_INLINE: usize = 4096;

/// What an environment showed, and what was allowed then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredObservation {
    text: StoredText,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    facts: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<StoredPart>,
    space: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    new_space: Option<ActionSpace>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredText {
    Inline(String),
    Blob(BlobRef),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredPart {
    Text(StoredText),
    Image {
        blob: BlobRef,
        size: (u32, u32),
        grain: u32,
        /// Left out by older journals, and where it is not known.
        #[serde(default = "unknown_detail", skip_serializing_if = "is_unknown")]
        detail: u32,
        /// The boxes that are painted over it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        numbers: Vec<NumberedBox>,
    },
    Data(BlobRef),
}

impl StoredObservation {
    /// The stored form, with its blobs in this store.
    pub(super) fn new(
        seen: &Observation,
        space: &ActionSpace,
        note: Option<&str>,
        store: &dyn BlobStore,
        written: &mut WrittenPieces,
    ) -> Result<Self, BlobError> {
        let digest = json_digest(space);
        Ok(Self {
            text: StoredText::of(seen.text(), store)?,
            facts: seen.facts().clone(),
            parts: seen.parts().iter().map(|part| StoredPart::of(part, store)).collect::<Result<_, _>>()?,
            space: digest,
            new_space: written.is_new(Piece::Space, digest).then(|| space.clone()),
            note: note.map(str::to_owned),
        })
    }

    /// Learns the action space of the line, or says that it is missing.
    pub(super) fn take_space(&mut self, pieces: &mut Pieces) -> Result<(), String> {
        if let Some(space) = self.new_space.take() {
            pieces.spaces.insert(json_digest(&space), space);
        }
        let known = pieces.spaces.get(&self.space).cloned();
        self.new_space =
            Some(known.ok_or_else(|| format!("the action space {} is in no line before it", self.space))?);
        Ok(())
    }

    /// The observation with this digest. Its blobs are loaded when they are needed.
    pub fn observation(&self, state: Digest, store: &Arc<dyn BlobStore>) -> Result<Observation, String> {
        let handle = |blob: &BlobRef| BlobHandle::new(blob.clone(), store.clone());
        let malformed = || "an image has an impossible size".to_owned();
        let part = |part: &StoredPart| match part {
            StoredPart::Text(text) => Ok(RecordedPart::Text(text.clone())),
            StoredPart::Image { blob, size, grain, detail, numbers } => {
                let picture = Picture::stored(handle(blob), *size, *grain).ok_or_else(malformed)?;
                let picture = picture.with_detail(*detail).with_numbers(numbers.as_slice().into());
                Ok(RecordedPart::Other(ObservationPart::Image(picture.into())))
            }
            StoredPart::Data(blob) => Ok(RecordedPart::Other(ObservationPart::Data(handle(blob)))),
        };
        let parts = self.parts.iter().map(part).collect::<Result<_, String>>()?;
        let text = self.text.clone();
        let facts = self.facts.clone();
        Ok(Observation::recorded(state, RecordedSource { text, facts, parts, store: store.clone() }))
    }

    /// The actions that were allowed.
    pub fn space(&self) -> ActionSpace {
        self.new_space.clone().unwrap_or_else(|| ActionSpace::from_iter([]))
    }

    /// The environment's remark.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

impl StoredText {
    fn of(text: &str, store: &dyn BlobStore) -> Result<Self, BlobError> {
        match text.len() {
            0..=MAX_INLINE => Ok(Self::Inline(text.to_owned())),
            _ => Ok(Self::Blob(store.put("text/plain", text.as_bytes())?)),
        }
    }

    /// The text. One that cannot be loaded is replaced by the reason.
    fn load(&self, store: &Arc<dyn BlobStore>) -> String {
        match self {
            Self::Inline(text) => text.clone(),
            Self::Blob(blob) => match BlobHandle::new(blob.clone(), store.clone()).load_text() {
                Ok(text) => text.to_string(),
                Err(error) => format!("(the text is missing: {error})"),
            },
        }
    }
}

/// The detail of a picture whose smallest things are not known.
fn unknown_detail() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_unknown(detail: &u32) -> bool {
    *detail == unknown_detail()
}

impl StoredPart {
    fn of(part: &ObservationPart, store: &dyn BlobStore) -> Result<Self, BlobError> {
        Ok(match part {
            ObservationPart::Text(text) => Self::Text(StoredText::of(text, store)?),
            ObservationPart::Image(picture) => Self::Image {
                blob: match picture.blob() {
                    Some(blob) => stored(blob, store)?,
                    None => store.put("image/png", &png(picture)?)?,
                },
                size: (picture.width(), picture.height()),
                grain: picture.grain(),
                detail: picture.detail(),
                // The pixels of a painted picture have them already.
                numbers: picture.blob().map_or_else(Vec::new, |_| picture.numbers().to_vec()),
            },
            ObservationPart::Data(blob) => Self::Data(stored(blob, store)?),
        })
    }
}

/// The address of a blob, which is copied into this store if it is not there.
fn stored(blob: &BlobHandle, store: &dyn BlobStore) -> Result<BlobRef, BlobError> {
    if store.contains(blob.blob()) {
        return Ok(blob.blob().clone());
    }
    store.put(&blob.blob().media_type, &blob.load()?)
}

/// A painted picture as PNG.
fn png(picture: &Picture) -> Result<Vec<u8>, BlobError> {
    let failed = |why: String| BlobError::Failed { digest: Digest::of(b""), why };
    picture.png().map_err(|error| failed(error.to_string()))
}

/// An observation from a journal.
#[derive(Clone)]
struct RecordedSource {
    text: StoredText,
    facts: Value,
    parts: Vec<RecordedPart>,
    store: Arc<dyn BlobStore>,
}

#[derive(Clone)]
enum RecordedPart {
    Text(StoredText),
    Other(ObservationPart),
}

impl ObservationSource for RecordedSource {
    fn parts(&self) -> Vec<ObservationPart> {
        let part = |part: &RecordedPart| match part {
            RecordedPart::Text(text) => ObservationPart::Text(text.load(&self.store).into()),
            RecordedPart::Other(part) => part.clone(),
        };
        self.parts.iter().map(part).collect()
    }

    fn text(&self) -> String {
        self.text.load(&self.store)
    }

    fn facts(&self) -> Value {
        self.facts.clone()
    }

    fn identity(&self) -> Option<Digest> {
        identity_of(&self.facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::MemoryBlobStore;

    fn space() -> ActionSpace {
        ActionSpace::new(&[("go", "")])
    }

    /// The stored form of a picture with this detail, and the store.
    fn stored_picture(detail: u32) -> (StoredObservation, Arc<dyn BlobStore>) {
        let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let picture = Picture::new(2, 1, 1, vec![7; 6]).unwrap().with_detail(detail);
        let seen = Observation::from_parts(vec![ObservationPart::Image(picture.into())], "seen", Value::Null);
        let stored = StoredObservation::new(&seen, &space(), None, &*store, &mut WrittenPieces::default());
        (stored.unwrap(), store)
    }

    fn detail(stored: &StoredObservation, store: &Arc<dyn BlobStore>) -> u32 {
        let seen = stored.observation(Digest::of(b"state"), store).unwrap();
        seen.picture().unwrap().detail()
    }

    #[test]
    fn a_picture_from_a_blob_keeps_its_detail() {
        let (stored, store) = stored_picture(24);
        let json = serde_json::to_string(&stored).unwrap();
        assert!(json.contains(r#""grain":1,"detail":24"#), "{json}");
        assert_eq!(detail(&serde_json::from_str(&json).unwrap(), &store), 24);
    }

    #[test]
    fn a_line_without_a_detail_is_read_and_written_as_before() {
        let (stored, store) = stored_picture(1);
        let json = serde_json::to_string(&stored).unwrap();
        assert!(!json.contains("detail"), "{json}");
        assert_eq!(detail(&serde_json::from_str(&json).unwrap(), &store), 1);
    }
}
