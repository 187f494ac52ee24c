//! What many lines share: turns and envelopes of requests, prompt versions, action spaces. A journal has each once, in
//! the line that needs it first; other lines name it by its digest.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::Value;

use crate::attempt::PromptVersion;
use mageyard_domain::{ActionSpace, Digest, SentTurn};

/// The digest of a value's JSON text.
pub(super) fn json_digest(value: &impl Serialize) -> Digest {
    // Plain data with string keys always serializes.
    Digest::of(&serde_json::to_vec(value).unwrap_or_default())
}

/// The digest of a shared value, which is computed again only for another one than the last.
fn shared_digest<T: Serialize>(last: &mut Option<(Arc<T>, Digest)>, value: &Arc<T>) -> Digest {
    match last {
        Some((known, digest)) if Arc::ptr_eq(known, value) => *digest,
        _ => last.insert((value.clone(), json_digest(&**value))).1,
    }
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Piece {
    Turn,
    Envelope,
    Version,
    Space,
}

/// The pieces of the lines read so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) turns: FxHashMap<Digest, Arc<SentTurn>>,
    pub(super) envelopes: FxHashMap<Digest, Arc<Value>>,
    pub(super) versions: FxHashMap<Digest, Arc<PromptVersion>>,
    pub(super) spaces: FxHashMap<Digest, ActionSpace>,
    /// The media type of the last image.
    media_type: Arc<str>,
}

impl Pieces {
    /// The digests of all pieces.
    pub(super) fn written(&self) -> WrittenPieces {
        let of = |piece, digests: Vec<Digest>| digests.into_iter().map(move |digest| (piece, digest));
        let turns = of(Piece::Turn, self.turns.keys().copied().collect());
        let envelopes = of(Piece::Envelope, self.envelopes.keys().copied().collect());
        let versions = of(Piece::Version, self.versions.keys().copied().collect());
        let spaces = of(Piece::Space, self.spaces.keys().copied().collect());
        let known = turns.chain(envelopes).chain(versions).chain(spaces).collect();
        WrittenPieces { known, ..WrittenPieces::default() }
    }

    /// The shared form of a turn.
    pub(super) fn share_turn(&mut self, turn: SentTurn) -> Arc<SentTurn> {
        self.turns.entry(turn.digest()).or_insert_with(|| Arc::new(turn)).clone()
    }

    /// The shared form of a media type: successive images nearly always have the same one.
    pub(super) fn share_media_type(&mut self, media_type: &str) -> Arc<str> {
        if *self.media_type != *media_type {
            self.media_type = media_type.into();
        }
        self.media_type.clone()
    }
}

/// The pieces that a journal contains, and those of the line that is being written.
#[derive(Debug, Default)]
pub(super) struct WrittenPieces {
    known: FxHashSet<(Piece, Digest)>,
    pending: Vec<(Piece, Digest)>,
    /// The envelope and the prompt version of the last request, which successive requests share, with their digests.
    envelope: Option<(Arc<Value>, Digest)>,
    version: Option<(Arc<PromptVersion>, Digest)>,
}

impl WrittenPieces {
    /// The digest of an envelope.
    pub(super) fn envelope_digest(&mut self, envelope: &Arc<Value>) -> Digest {
        shared_digest(&mut self.envelope, envelope)
    }

    /// The digest of a prompt version.
    pub(super) fn version_digest(&mut self, version: &Arc<PromptVersion>) -> Digest {
        shared_digest(&mut self.version, version)
    }

    /// Whether the line must contain this piece, because no line before it does.
    pub(super) fn is_new(&mut self, piece: Piece, digest: Digest) -> bool {
        let new = self.known.insert((piece, digest));
        if new {
            self.pending.push((piece, digest));
        }
        new
    }

    /// The line is written.
    pub(super) fn commit(&mut self) {
        self.pending.clear();
    }

    /// The line could not be written.
    pub(super) fn roll_back(&mut self) {
        for piece in self.pending.drain(..) {
            self.known.remove(&piece);
        }
    }
}
