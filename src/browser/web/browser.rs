//! One browser for all sessions of the web.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use super::proxy::{self, Credentials, Proxy};
use super::router::WebRouter;
use super::session::{Opening, WebSession};
use super::state::SessionState;
use super::{NetworkRules, RuleError, SessionOptions, WebSettings};
use crate::BrowserFailure;
use crate::finder::find_browser;
use crate::instance::Instance;
use crate::launch::Purpose;
use crate::open_place::OpenPlace;
use crate::shared_browser::{Owner, Shareable, SharedBrowser, browser, in_task};

/// The most sessions that the settings can allow.
const MOST_SESSIONS: usize = 1 << 16;

/// A browser of the web that is started at first use, shared, replaced after it died, and closed when it is idle.
/// Clones share the browser; it ends with the last of them and of the sessions.
#[derive(Clone, Debug)]
pub struct WebBrowser(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    settings: WebSettings,
    places: Arc<Semaphore>,
    browser: SharedBrowser<Running>,
    /// The number of sessions that were opened.
    opened: AtomicU64,
}

/// A running browser with its proxy.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) instance: Arc<Instance<WebRouter>>,
    pub(super) proxy: Proxy,
}

impl NetworkRules {
    /// Whether the rules can be read.
    ///
    /// # Errors
    /// The first place, or the proxy, that cannot be read.
    pub fn check(&self) -> Result<(), RuleError> {
        proxy::check(self)
    }
}

impl WebBrowser {
    /// Without a browser yet.
    pub fn new(settings: WebSettings) -> Self {
        let places = Arc::new(Semaphore::new(settings.browser.pages.clamp(1, MOST_SESSIONS)));
        let browser = SharedBrowser::new(settings.browser.idle_timeout.duration());
        Self(Arc::new(Shared { settings, places, browser, opened: AtomicU64::default() }))
    }

    /// Opens a session with one empty tab. Waits while as many sessions are open as the settings allow.
    ///
    /// # Errors
    /// A failure of the browser, which may be that it is not installed, or that the rules of the network cannot be
    /// read.
    pub async fn open(&self, options: SessionOptions) -> Result<WebSession, BrowserFailure> {
        let Ok(permit) = self.0.places.clone().acquire_owned().await else {
            return Err(BrowserFailure::Ended("the browser is closed".to_owned()));
        };
        let running = browser(&self.0).await?;
        let place = OpenPlace::new(Some(permit), self.0.browser.used().clone());
        let number = self.0.opened.fetch_add(1, Ordering::Relaxed) + 1;
        let state = SessionState::new(options.viewport, Credentials::random(number)?, options.listener);
        let limits = self.0.settings.browser.clone();
        let opening = Opening { running, place, limits, state: Arc::new(state), cookies: options.cookies };
        in_task(opening.open()).await
    }

    /// Name and version of the browser, such as `Chrome/148.0.7778.167`; starts it if needed.
    ///
    /// # Errors
    /// A failure of the browser.
    pub async fn version(&self) -> Result<String, BrowserFailure> {
        Ok(browser(&self.0).await?.instance.version.clone())
    }

    /// The process group of the browser and its pages; `None` while there is no browser.
    pub async fn process_group(&self) -> Option<i32> {
        self.0.browser.alive().await.map(|running| running.instance.group())
    }

    /// The port of the proxy on the loopback address; `None` while there is no browser.
    pub async fn proxy_port(&self) -> Option<u16> {
        self.0.browser.alive().await.map(|running| running.proxy.port())
    }

    /// Closes the browser now, with all its sessions, and waits for it. The next call starts another one.
    pub async fn close(&self) {
        if let Some(running) = self.0.browser.take().await {
            running.close().await;
        }
    }
}

impl Owner for Shared {
    type Browser = Running;

    fn shared(&self) -> &SharedBrowser<Running> {
        &self.browser
    }

    async fn start(&self) -> Result<Running, BrowserFailure> {
        let WebSettings { browser, window, network } = &self.settings;
        let program = find_browser(browser.program.as_ref())?;
        let proxy = Proxy::start(network).await;
        let proxy = proxy.map_err(|error| browser.start_failure(&program, format!("its proxy: {error}")))?;
        let purpose = Purpose::Web { proxy_port: proxy.port(), window: *window };
        let started = Instance::start(&program, browser, purpose).await;
        let instance = Arc::new(started.map_err(|failure| with_hint(failure, *window))?);
        Ok(Running { instance, proxy })
    }

    fn is_unused(&self) -> bool {
        self.places.available_permits() >= self.settings.browser.pages.clamp(1, MOST_SESSIONS)
    }

    fn forget(&self) {}
}

/// What a browser with a window needs.
fn with_hint(failure: BrowserFailure, window: bool) -> BrowserFailure {
    match failure {
        BrowserFailure::Start { program, origin, reason } if window => {
            let reason = format!("{reason} (a browser with a window needs a display)");
            BrowserFailure::Start { program, origin, reason }
        }
        failure => failure,
    }
}

impl Shareable for Running {
    fn is_alive(&self) -> bool {
        self.instance.is_alive()
    }

    async fn close(&self) {
        self.instance.close().await;
    }
}
