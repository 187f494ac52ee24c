//! One browser for all that use it: started at first use, replaced after it died, closed when it is idle.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;

use super::BrowserFailure;
use super::open_place::LastUse;

/// A browser that can be shared.
pub(super) trait Shareable: Send + Sync + 'static {
    /// Whether it has not ended.
    fn is_alive(&self) -> bool;

    /// Closes it and waits for it.
    fn close(&self) -> impl Future<Output = ()> + Send;
}

/// What has a shared browser.
pub(super) trait Owner: Send + Sync + 'static {
    /// The browser.
    type Browser: Shareable;

    /// The place of the browser.
    fn shared(&self) -> &SharedBrowser<Self::Browser>;

    /// Starts a browser.
    fn start(&self) -> impl Future<Output = Result<Self::Browser, BrowserFailure>> + Send;

    /// Whether no page is open.
    fn is_unused(&self) -> bool;

    /// Forgets what belongs to the browser, which has ended or is about to.
    fn forget(&self);
}

/// The place of a browser.
#[derive(Debug)]
pub(super) struct SharedBrowser<B> {
    browser: Mutex<Option<Arc<B>>>,
    used: LastUse,
    idle_timeout: Duration,
}

impl<B: Shareable> SharedBrowser<B> {
    /// Without a browser yet; one that is unused for this long is closed.
    pub(super) fn new(idle_timeout: Duration) -> Self {
        Self { browser: Mutex::default(), used: LastUse::now(), idle_timeout }
    }

    /// When the browser was last used.
    pub(super) fn used(&self) -> &LastUse {
        &self.used
    }

    /// The browser, if there is one that is alive.
    pub(super) async fn alive(&self) -> Option<Arc<B>> {
        self.browser.lock().await.clone().filter(|browser| browser.is_alive())
    }

    /// Takes the browser out; the next use starts another one.
    pub(super) async fn take(&self) -> Option<Arc<B>> {
        self.browser.lock().await.take()
    }
}

/// The browser; starts one if there is none that is alive.
pub(super) async fn browser<O: Owner>(owner: &Arc<O>) -> Result<Arc<O::Browser>, BrowserFailure> {
    let shared = owner.shared();
    shared.used.touch();
    let mut slot = shared.browser.lock().await;
    if let Some(browser) = slot.as_ref().filter(|browser| browser.is_alive()) {
        return Ok(browser.clone());
    }
    *slot = None;
    owner.forget();
    let browser = Arc::new(owner.start().await?);
    *slot = Some(browser.clone());
    tokio::spawn(close_when_idle(Arc::downgrade(owner), Arc::downgrade(&browser)));
    Ok(browser)
}

/// Runs to its end in a task of its own, so that no page is left open when the caller gives up.
pub(super) async fn in_task<T: Send + 'static>(
    work: impl Future<Output = Result<T, BrowserFailure>> + Send + 'static,
) -> Result<T, BrowserFailure> {
    tokio::spawn(work).await.unwrap_or_else(|error| Err(BrowserFailure::Ended(error.to_string())))
}

/// Closes a browser that no page has used for the time in the settings.
async fn close_when_idle<O: Owner>(owner: Weak<O>, browser: Weak<O::Browser>) {
    loop {
        let Some(period) = owner.upgrade().map(|owner| owner.shared().idle_timeout) else { return };
        tokio::time::sleep(period / 4).await;
        let (Some(owner), Some(browser)) = (owner.upgrade(), browser.upgrade()) else { return };
        let shared = owner.shared();
        let mut slot = shared.browser.lock().await;
        if owner.is_unused() && shared.used.elapsed() >= period {
            slot.take_if(|current| Arc::ptr_eq(current, &browser));
            owner.forget();
            drop(slot);
            return browser.close().await;
        }
    }
}
