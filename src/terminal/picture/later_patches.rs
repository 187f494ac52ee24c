//! The bytes of patches that are encoded beside the drawing.

use std::collections::HashMap;
use std::sync::Arc;

use super::job::{Job, Outcome};
use super::queue::PictureQueue;
use crate::graphics::{NoBytes, Patch, PatchKey, PatchSource};

/// The bytes that are ready: those that the newest drawing has used, and those that came since.
#[derive(Default)]
pub(super) struct ReadyPatches(HashMap<PatchKey, ReadyPatch>);

struct ReadyPatch {
    bytes: Result<Arc<str>, String>,
    is_used: bool,
}

impl ReadyPatches {
    pub(super) fn add(&mut self, patches: Vec<(PatchKey, Result<Arc<str>, String>)>) {
        let ready = |bytes| ReadyPatch { bytes, is_used: true };
        self.0.extend(patches.into_iter().map(|(key, bytes)| (key, ready(bytes))));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Drops what the drawing that ends has not used.
    fn end_round(&mut self) {
        self.0.retain(|_, patch| std::mem::take(&mut patch.is_used));
    }
}

/// Patches of one drawing.
pub(super) struct LaterPatches<'a> {
    ready: &'a mut ReadyPatches,
    queue: &'a mut PictureQueue,
    missing: Vec<Patch>,
    /// Answers to other jobs that came meanwhile.
    pub(super) others: Vec<Outcome>,
}

impl<'a> LaterPatches<'a> {
    pub(super) fn new(ready: &'a mut ReadyPatches, queue: &'a mut PictureQueue) -> Self {
        Self { ready, queue, missing: Vec::new(), others: Vec::new() }
    }

    /// Ends the drawing. What came for it and was not used is dropped.
    pub(super) fn end(mut self) -> Vec<Outcome> {
        if !self.missing.is_empty() {
            self.queue.want(Job::Patches(std::mem::take(&mut self.missing)));
        }
        self.ready.end_round();
        self.others
    }
}

impl PatchSource for LaterPatches<'_> {
    fn bytes(&mut self, patch: &Patch) -> Result<Arc<str>, NoBytes> {
        let key = patch.key();
        if let Some(found) = self.ready.0.get_mut(&key) {
            found.is_used = true;
            return found.bytes.clone().map_err(NoBytes::Failed);
        }
        self.missing.push(patch.clone());
        Err(NoBytes::Later)
    }

    fn is_immediate(&self) -> bool {
        false
    }

    fn fetch(&mut self) -> bool {
        let missing = std::mem::take(&mut self.missing);
        let keys: Vec<PatchKey> = missing.iter().map(Patch::key).collect();
        self.queue.want(Job::Patches(missing));
        while let Some(outcome) = self.queue.next_answer() {
            match outcome {
                Outcome::Patched(patches) => self.ready.add(patches),
                other => self.others.push(other),
            }
            if keys.iter().all(|key| self.ready.0.contains_key(key)) {
                return true;
            }
        }
        false
    }
}
