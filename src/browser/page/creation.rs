//! A window from nothing: a context, the window in it, and everything that must be in force before anything is loaded.

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::{Value, json};

use crate::connection::CallError;
use crate::instance::Instance;
use crate::page_state::{MainSession, PageState};
use crate::router::Router;
use crate::{BrowserFailure, Viewport, context, router};

/// The context of a page; dropping it closes everything in it.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) browser: Arc<Instance>,
    pub(super) state: Arc<PageState>,
    own: context::Context<Router>,
}

impl Context {
    async fn create(browser: Arc<Instance>) -> Result<Self, BrowserFailure> {
        let own = context::Context::create(browser.clone()).await?;
        let state = Arc::<PageState>::default();
        browser.router.register(own.id().to_owned(), state.clone());
        Ok(Self { browser, state, own })
    }

    /// Closes everything in the context, and waits for it.
    pub(super) async fn dispose(&self) {
        self.own.dispose().await;
    }
}

/// An empty page that nobody uses yet. It may read nothing.
#[derive(Debug)]
pub(crate) struct Window {
    pub(super) context: Context,
    pub(super) main: MainSession,
    viewport: Viewport,
}

impl Window {
    /// Opens a window. Dropping the future may leave it open until the browser ends.
    pub(crate) async fn create(browser: Arc<Instance>, viewport: Viewport) -> Result<Self, BrowserFailure> {
        let context = Context::create(browser.clone()).await?;
        context.own.deny().await?;
        let window = json!({
            "url": "about:blank",
            "browserContextId": context.own.id(),
            "newWindow": true,
            "width": viewport.width,
            "height": viewport.height,
        });
        browser.call("Target.createTarget", window).await?;
        let limit = browser.patience;
        let prepared = tokio::time::timeout(limit, prepare(&context, viewport)).await;
        let main = prepared.unwrap_or_else(|_| Err(browser.silent("Target.createTarget", limit)))?;
        Ok(Self { context, main, viewport })
    }

    /// Whether it can be used as a page of this size in this browser.
    pub(crate) fn fits(&self, browser: &Arc<Instance>, viewport: Viewport) -> bool {
        let Context { browser: own, state, .. } = &self.context;
        Arc::ptr_eq(own, browser) && self.viewport == viewport && state.fault().is_none()
    }
}

/// Puts everything in force and lets the page run.
async fn prepare(context: &Context, viewport: Viewport) -> Result<MainSession, BrowserFailure> {
    let main = context.state.attached().await;
    let calls = setup(viewport).into_iter().map(async |(method, params)| {
        let answer = context.browser.connection.call(Some(&main.session), method, params).await;
        answer.map_err(|error| match error {
            CallError::Gone(failure) => failure,
            CallError::Refused(message) => BrowserFailure::Refused { method: method.to_owned(), message },
        })
    });
    try_join_all(calls).await?;
    Ok(main)
}

/// In the order in which the browser receives it.
fn setup(viewport: Viewport) -> Vec<(&'static str, Value)> {
    let Viewport { width, height } = viewport;
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    let mut calls = router::interception().to_vec();
    calls.extend([
        ("Page.enable", json!({})),
        ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
        ("Page.setInterceptFileChooserDialog", json!({ "enabled": true })),
        ("Inspector.enable", json!({})),
        ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
        ("Emulation.setDeviceMetricsOverride", size),
        ("Runtime.runIfWaitingForDebugger", json!({})),
    ]);
    calls
}
