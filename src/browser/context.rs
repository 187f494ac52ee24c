//! A context of a browser: storage, cache and cookies of its own, and the pages in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use super::BrowserFailure;
use super::event_handler::EventHandler;
use super::instance::Instance;

/// A context; dropping it closes everything in it.
#[derive(Debug)]
pub(super) struct Context<H: EventHandler> {
    browser: Arc<Instance<H>>,
    id: String,
    disposed: AtomicBool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedContext {
    browser_context_id: String,
}

impl<H: EventHandler> Context<H> {
    /// Creates a context. Dropping the future may leave an empty one until the browser ends.
    pub(super) async fn create(browser: Arc<Instance<H>>) -> Result<Self, BrowserFailure> {
        let method = "Target.createBrowserContext";
        let answer = browser.call(method, json!({ "disposeOnDetach": true })).await?;
        let created: CreatedContext = serde_json::from_str(answer.get()).map_err(|error| {
            BrowserFailure::Refused { method: method.to_owned(), message: error.to_string() }
        })?;
        Ok(Self { browser, id: created.browser_context_id, disposed: AtomicBool::new(false) })
    }

    /// What the browser calls it.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Denies downloads and permissions in it.
    pub(super) async fn deny(&self) -> Result<(), BrowserFailure> {
        let denied = json!({ "behavior": "deny", "browserContextId": self.id });
        self.browser.call("Browser.setDownloadBehavior", denied).await?;
        let permissions = json!({ "permissions": [], "browserContextId": self.id });
        self.browser.call("Browser.grantPermissions", permissions).await.map(drop)
    }

    /// Closes everything in the context, and waits for it.
    pub(super) async fn dispose(&self) {
        if self.disposed.swap(true, Ordering::Relaxed) {
            return;
        }
        self.browser.router.forget(&self.id);
        // Refused only if it is gone already.
        let _ = self.browser.call("Target.disposeBrowserContext", self.named()).await;
    }

    fn named(&self) -> Value {
        json!({ "browserContextId": self.id })
    }
}

impl<H: EventHandler> Drop for Context<H> {
    fn drop(&mut self) {
        if !*self.disposed.get_mut() {
            self.browser.router.forget(&self.id);
            self.browser.connection.tell(None, "Target.disposeBrowserContext", &self.named());
        }
    }
}
