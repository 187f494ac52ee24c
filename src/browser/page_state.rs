//! What is known of a page: shared by its handle and by the task that receives its events.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use super::PageFault;
use super::site::Site;

/// Requests that are kept.
const KEPT: usize = 200;

/// Script errors that are kept.
const KEPT_ERRORS: usize = 20;

/// Characters of an address that are kept.
const KEPT_OF_URL: usize = 2000;

/// A request of a page that was refused. Its address is as the page wrote it: sanitize before display.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockedRequest {
    /// The address, cut to 2,000 characters.
    pub url: String,
    /// What asked for it, such as `Image` or `Fetch`.
    pub kind: String,
}

/// The session with the target of a page.
#[derive(Clone, Debug)]
pub(super) struct MainSession {
    pub(super) session: String,
    /// The id of the target, which is also that of the main frame.
    pub(super) target: String,
}

/// What is known of a page.
#[derive(Debug, Default)]
pub(super) struct PageState {
    site: OnceLock<Site>,
    main: watch::Sender<Option<MainSession>>,
    committed: Mutex<Option<String>>,
    loaded: watch::Sender<Option<String>>,
    fault: watch::Sender<Option<PageFault>>,
    blocked: Mutex<Vec<BlockedRequest>>,
    script_errors: Mutex<Vec<String>>,
}

impl PageState {
    /// From now on the page may read the files of this folder; before, nothing. The first folder stays.
    pub(super) fn belong_to(&self, site: Site) {
        self.site.get_or_init(|| site);
    }

    /// The folder that the page may read; `None` while nobody uses the page.
    pub(super) fn site(&self) -> Option<&Site> {
        self.site.get()
    }

    /// Takes the first session as that of the page. Whether it was the first.
    pub(super) fn attach(&self, main: MainSession) -> bool {
        self.main.send_if_modified(|known| {
            let first = known.is_none();
            known.get_or_insert(main);
            first
        })
    }

    /// The session of the page, if there is one yet.
    pub(super) fn main(&self) -> Option<MainSession> {
        self.main.borrow().clone()
    }

    /// The session of the page, as soon as there is one.
    pub(super) async fn attached(&self) -> MainSession {
        arrived(&self.main).await
    }

    /// Whether this is the main frame of the page.
    pub(super) fn is_main_frame(&self, frame: &str) -> bool {
        self.main.borrow().as_ref().is_some_and(|main| main.target == frame)
    }

    /// The document with this loader is the present one.
    pub(super) fn commit(&self, loader: String) {
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = Some(loader);
    }

    /// The present document is loaded.
    pub(super) fn load_committed(&self) {
        let committed = self.committed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(loader) = committed {
            self.load(loader);
        }
    }

    /// The document with this loader fired its load event.
    pub(super) fn load(&self, loader: String) {
        self.loaded.send_replace(Some(loader));
    }

    /// Completes when a document with another loader than this has been loaded.
    pub(super) async fn loaded_after(&self, earlier: &str) {
        let mut loaded = self.loaded.subscribe();
        let other = |loader: &Option<String>| loader.as_deref().is_some_and(|loader| loader != earlier);
        if loaded.wait_for(other).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Records why the page cannot be used any more; the first reason stays.
    pub(super) fn fail(&self, fault: PageFault) {
        self.fault.send_if_modified(|known| {
            let first = known.is_none();
            known.get_or_insert(fault);
            first
        });
    }

    /// Why the page cannot be used any more, if so.
    pub(super) fn fault(&self) -> Option<PageFault> {
        self.fault.borrow().clone()
    }

    /// Completes when the page cannot be used any more.
    pub(super) async fn failed(&self) -> PageFault {
        arrived(&self.fault).await
    }

    /// Records a refused request, up to a limit.
    pub(super) fn block(&self, url: &str, kind: String) {
        let mut blocked = self.kept();
        if blocked.len() < KEPT {
            blocked.push(BlockedRequest { url: url.chars().take(KEPT_OF_URL).collect(), kind });
        }
    }

    /// The requests that were refused so far.
    pub(super) fn blocked(&self) -> Vec<BlockedRequest> {
        self.kept().clone()
    }

    /// Records an exception that no script of the page caught, up to a limit.
    pub(super) fn add_script_error(&self, message: String) {
        let mut errors = self.script_errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.len() < KEPT_ERRORS {
            errors.push(message);
        }
    }

    /// The exceptions so far.
    pub(super) fn script_errors(&self) -> Vec<String> {
        self.script_errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<BlockedRequest>> {
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The value of a cell that is filled once, as soon as it is.
async fn arrived<T: Clone>(cell: &watch::Sender<Option<T>>) -> T {
    let mut cell = cell.subscribe();
    loop {
        if let Some(value) = cell.borrow_and_update().clone() {
            return value;
        }
        if cell.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
