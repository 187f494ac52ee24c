//! What is known of a tab: shared by the session and by the task that receives events.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::{DocumentState, LoadError, Redirect};

/// Documents that are on their way and may be kept; a page can begin any number of navigations.
const MOST_COMING: usize = 50;

/// Earlier documents that are kept, for those that are restored.
const MOST_PAST: usize = 100;

/// Redirects that are kept of one document. Chromium itself stops at 20.
const MOST_REDIRECTS: usize = 50;

/// A tab.
#[derive(Debug)]
pub(super) struct Tab {
    /// Its number in the session.
    pub(super) number: u32,
    /// The id of its target, which is also that of its main frame.
    pub(super) target: String,
    /// The session of the protocol with it.
    pub(super) session: String,
    ready: watch::Sender<bool>,
    lost: watch::Sender<Option<String>>,
    /// Counts what changes in the facts.
    changes: watch::Sender<u64>,
    facts: Mutex<Facts>,
}

/// A frame in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FarFrame {
    pub(super) session: String,
    pub(super) frame: String,
}

/// A request without an answer.
#[derive(Debug)]
pub(super) struct OpenRequest {
    /// The document that it belongs to.
    pub(super) loader: String,
    /// The session of the protocol that it was reported in.
    pub(super) session: String,
}

/// What events say of a tab.
#[derive(Debug)]
struct Facts {
    title: String,
    document: DocumentState,
    /// What identifies the document.
    loader: String,
    loaded: bool,
    /// Navigations that were completed, those within a document included.
    navigations: u64,
    /// Documents before they are there, by their loader.
    coming: HashMap<String, DocumentState>,
    /// Documents that may be restored, by their loader.
    past: HashMap<String, DocumentState>,
    /// Requests without an answer.
    open_requests: HashMap<String, OpenRequest>,
    /// Since when no request is open.
    quiet_since: Instant,
    far_frames: Vec<FarFrame>,
}

/// Where the loading of a tab is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) loader: String,
    pub(super) loaded: bool,
    pub(super) navigations: u64,
}

impl Tab {
    pub(super) fn new(number: u32, target: String, session: String, url: String) -> Self {
        let facts = Facts {
            title: String::new(),
            document: DocumentState { url, ..DocumentState::default() },
            loader: String::new(),
            loaded: true,
            navigations: 0,
            coming: HashMap::new(),
            past: HashMap::new(),
            open_requests: HashMap::new(),
            quiet_since: Instant::now(),
            far_frames: Vec::new(),
        };
        let (ready, lost, changes) = Default::default();
        Self { number, target, session, ready, lost, changes, facts: Mutex::new(facts) }
    }

    /// Everything that must be in force is in force.
    pub(super) fn set_ready(&self) {
        self.ready.send_replace(true);
    }

    /// Completes when the tab can be used.
    pub(super) async fn becomes_ready(&self) {
        if self.ready.subscribe().wait_for(|ready| *ready).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// The tab cannot be used any more.
    pub(super) fn lose(&self, why: &str) {
        self.lost.send_replace(Some(why.to_owned()));
    }

    /// Why it cannot be used any more; completes when that is so.
    pub(super) async fn lost(&self) -> String {
        let mut lost = self.lost.subscribe();
        match lost.wait_for(Option::is_some).await.map(|why| why.clone()) {
            Ok(Some(why)) => why,
            _ => std::future::pending().await,
        }
    }

    /// Whether this is the main frame.
    pub(super) fn is_main(&self, frame: &str) -> bool {
        self.target == frame
    }

    pub(super) fn set_title(&self, title: &str) {
        title.clone_into(&mut self.facts().title);
    }

    pub(super) fn title(&self) -> String {
        self.facts().title.clone()
    }

    pub(super) fn document(&self) -> DocumentState {
        self.facts().document.clone()
    }

    /// The document with this loader is coming; `redirect` has led to it.
    pub(super) fn begin_document(&self, loader: &str, url: &str, redirect: Option<Redirect>) {
        let mut facts = self.facts();
        if facts.coming.len() >= MOST_COMING && !facts.coming.contains_key(loader) {
            facts.coming.clear();
        }
        let coming = facts.coming.entry(loader.to_owned()).or_default();
        url.clone_into(&mut coming.url);
        coming.redirects.extend(redirect.filter(|_| coming.redirects.len() < MOST_REDIRECTS));
    }

    /// The status of a document, or why the proxy could not load it.
    pub(super) fn answer_document(&self, loader: &str, answer: Result<u16, LoadError>) {
        let mut facts = self.facts();
        let Some(document) = facts.of_loader(loader) else { return };
        match answer {
            Ok(status) => document.status = Some(status),
            Err(error) => document.error = Some(error),
        }
    }

    /// A document was not loaded, or not in full; the first reason stays.
    pub(super) fn fail_document(&self, loader: &str, error: LoadError) {
        if let Some(document) = self.facts().of_loader(loader) {
            document.error.get_or_insert(error);
        }
    }

    /// The address that a document is coming from.
    pub(super) fn address_of(&self, loader: &str) -> Option<String> {
        self.facts().of_loader(loader).map(|document| document.url.clone())
    }

    /// What is known of a document that did not arrive.
    pub(super) fn error_of(&self, loader: &str) -> Option<LoadError> {
        self.facts().of_loader(loader).and_then(|document| document.error.clone())
    }

    /// Whether the document with this loader is or was the present one.
    pub(super) fn has_shown(&self, loader: &str) -> bool {
        let facts = self.facts();
        facts.loader == loader || facts.past.contains_key(loader)
    }

    /// The document with this loader is there; `restored` if it was kept since an earlier visit.
    pub(super) fn commit(&self, loader: &str, url: String, restored: bool) {
        let mut facts = self.facts();
        let known = facts.coming.remove(loader).or_else(|| facts.past.get(loader).cloned());
        let document = DocumentState { url, ..known.unwrap_or_default() };
        let before = std::mem::replace(&mut facts.document, document);
        if facts.past.len() >= MOST_PAST {
            facts.past.clear();
        }
        let loader_before = std::mem::take(&mut facts.loader);
        facts.past.insert(loader_before, before);
        facts.coming.clear();
        loader.clone_into(&mut facts.loader);
        facts.loaded = restored;
        facts.navigations += 1;
        // Requests of the document before have no answers any more.
        facts.open_requests.retain(|_, request| request.loader == loader);
        facts.note_quiet();
        drop(facts);
        self.changed();
    }

    /// The address changed within the document.
    pub(super) fn navigate_within(&self, url: String) {
        let mut facts = self.facts();
        facts.document.url = url;
        facts.navigations += 1;
        drop(facts);
        self.changed();
    }

    /// The document with this loader, or the present one, has been loaded.
    pub(super) fn load(&self, loader: Option<&str>) {
        let mut facts = self.facts();
        if loader.is_none_or(|loader| loader == facts.loader) {
            facts.loaded = true;
        }
        drop(facts);
        self.changed();
    }

    /// A request begins.
    pub(super) fn open_request(&self, id: &str, request: OpenRequest) {
        self.facts().open_requests.insert(id.to_owned(), request);
    }

    /// A request ends.
    pub(super) fn end_request(&self, id: &str) {
        let mut facts = self.facts();
        if facts.open_requests.remove(id).is_some() {
            facts.note_quiet();
        }
    }

    /// The number of requests without an answer, and since when there is none.
    pub(super) fn requests(&self) -> (usize, Duration) {
        let facts = self.facts();
        (facts.open_requests.len(), facts.quiet_since.elapsed())
    }

    pub(super) fn add_far_frame(&self, frame: FarFrame) {
        self.facts().far_frames.push(frame);
    }

    pub(super) fn remove_far_frame(&self, session: &str) {
        let mut facts = self.facts();
        facts.far_frames.retain(|frame| frame.session != session);
        facts.open_requests.retain(|_, request| request.session != session);
        facts.note_quiet();
    }

    /// The frames in other processes.
    pub(super) fn far_frames(&self) -> Vec<FarFrame> {
        self.facts().far_frames.clone()
    }

    pub(super) fn progress(&self) -> Progress {
        let facts = self.facts();
        Progress { loader: facts.loader.clone(), loaded: facts.loaded, navigations: facts.navigations }
    }

    /// Completes when the loading of the tab is so.
    pub(super) async fn reaches(&self, is_so: impl Fn(&Progress) -> bool) {
        let mut changes = self.changes.subscribe();
        loop {
            if is_so(&self.progress()) {
                return;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Facts {
    /// The document with this loader: a coming one, or the present one.
    fn of_loader(&mut self, loader: &str) -> Option<&mut DocumentState> {
        match self.coming.get_mut(loader) {
            Some(coming) => Some(coming),
            None => (self.loader == loader).then_some(&mut self.document),
        }
    }

    fn note_quiet(&mut self) {
        if self.open_requests.is_empty() {
            self.quiet_since = Instant::now();
        }
    }
}
