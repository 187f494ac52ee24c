//! One browser for all episodes of the process.
//!
//! A new window costs more than all measuring in it, so an environment can have the windows of its next act opened
//! while the agent thinks. They read nothing until a page with a folder is made of them.

use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};

use futures_util::future::try_join_all;
use tokio::sync::{Mutex, Semaphore};

use super::finder::find_browser;
use super::instance::Instance;
use super::open_place::{LastUse, OpenPlace};
use super::page::Window;
use super::site::Site;
use super::{BrowserError, BrowserFailure, BrowserSettings, Page, PageFault, Viewport};

/// The most pages that the settings can allow.
const MOST_PAGES: usize = 1 << 16;

/// A browser that is started at first use, shared, replaced after it died, and closed when it is idle. Clones share
/// the browser; it ends with the last of them and of the pages.
#[derive(Clone, Debug)]
pub struct BrowserPool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    settings: BrowserSettings,
    places: Arc<Semaphore>,
    browser: Mutex<Option<Arc<Instance>>>,
    /// Windows that were opened in advance.
    spares: std::sync::Mutex<Vec<Window>>,
    /// Held while windows are opened in advance.
    preparing: Mutex<()>,
    used: LastUse,
}

impl BrowserPool {
    /// A pool without a browser yet.
    pub fn new(settings: BrowserSettings) -> Self {
        let places = Arc::new(Semaphore::new(settings.pages.clamp(1, MOST_PAGES)));
        let (browser, spares, preparing) = Default::default();
        Self(Arc::new(Shared { settings, places, browser, spares, preparing, used: LastUse::now() }))
    }

    /// Opens an empty page, which may read the files of this folder and nothing else. Waits while as many pages are
    /// open as the settings allow.
    ///
    /// # Errors
    /// A failure of the browser. A page fault only if there is no such folder.
    pub async fn page(&self, site: &Path, viewport: Viewport) -> Result<Page, BrowserError> {
        let mut pages = self.pages(&[site], viewport).await?;
        pages.pop().ok_or_else(|| BrowserFailure::Ended("there is no page".to_owned()).into())
    }

    /// Opens a page for each of these folders. It waits until all of them can be open, so that episodes that need
    /// several pages never wait for each other. More pages than the settings allow are open only while no others are.
    ///
    /// # Errors
    /// As for [`BrowserPool::page`].
    pub async fn pages(&self, sites: &[&Path], viewport: Viewport) -> Result<Vec<Page>, BrowserError> {
        let site = |site: &&Path| Site::new(site).map_err(|_| PageFault::NoFile(site.display().to_string()));
        let sites = sites.iter().map(site).collect::<Result<Vec<_>, _>>()?;
        let most = self.0.settings.pages.clamp(1, MOST_PAGES);
        let count = u32::try_from(sites.len().min(most)).unwrap_or(u32::MAX);
        let Ok(mut permits) = self.0.places.clone().acquire_many_owned(count).await else {
            return Err(BrowserFailure::Ended("the pool is closed".to_owned()).into());
        };
        let browser = self.0.browser().await?;
        let mut spares = self.0.take_spares(&browser, viewport, sites.len()).into_iter();
        let page = |site| {
            let place = OpenPlace::new(permits.split(1), self.0.used.clone());
            let spare = spares.next();
            let browser = browser.clone();
            let limits = self.0.settings.clone();
            in_task(async move {
                let window = match spare {
                    Some(window) => window,
                    None => Window::create(browser, viewport).await?,
                };
                Ok(Page::new(window, site, place, limits))
            })
        };
        Ok(try_join_all(sites.into_iter().map(page).collect::<Vec<_>>()).await?)
    }

    /// Opens windows in advance, until there are this many for pages of this size, so that the next pages need not wait
    /// for them. They do not count as open pages, and are closed with the browser. Starts the browser if needed.
    ///
    /// # Errors
    /// A failure of the browser.
    pub async fn prepare(&self, count: usize, viewport: Viewport) -> Result<(), BrowserFailure> {
        let _alone = self.0.preparing.lock().await;
        let browser = self.0.browser().await?;
        let mut ready = self.0.take_spares(&browser, viewport, MOST_PAGES);
        let missing = count.min(self.0.settings.pages).saturating_sub(ready.len());
        let windows = (0..missing).map(|_| in_task(Window::create(browser.clone(), viewport)));
        let windows = try_join_all(windows).await;
        ready.extend(windows?);
        self.0.spares().append(&mut ready);
        Ok(())
    }

    /// What it was made with.
    pub fn settings(&self) -> &BrowserSettings {
        &self.0.settings
    }

    /// The number of windows that were opened in advance and are not used yet.
    pub fn prepared(&self) -> usize {
        self.0.spares().len()
    }

    /// Name and version of the browser, such as `Chrome/148.0.7778.167`; starts it if needed.
    ///
    /// # Errors
    /// A failure of the browser.
    pub async fn version(&self) -> Result<String, BrowserFailure> {
        Ok(self.0.browser().await?.version.clone())
    }

    /// The process group of the browser and its pages; `None` while there is no browser.
    pub async fn process_group(&self) -> Option<i32> {
        let browser = self.0.browser.lock().await;
        browser.as_ref().filter(|browser| browser.connection.ended().is_none()).map(|browser| browser.group())
    }

    /// Closes the browser now, with all its pages, and waits for it. The next call starts another one.
    pub async fn close(&self) {
        let browser = self.0.browser.lock().await.take();
        self.0.spares().clear();
        if let Some(browser) = browser {
            browser.close().await;
        }
    }
}

impl Shared {
    /// The browser; starts one if there is none that is alive.
    async fn browser(self: &Arc<Self>) -> Result<Arc<Instance>, BrowserFailure> {
        self.used.touch();
        let mut slot = self.browser.lock().await;
        if let Some(browser) = slot.as_ref().filter(|browser| browser.connection.ended().is_none()) {
            return Ok(browser.clone());
        }
        *slot = None;
        self.spares().clear();
        let program = find_browser(self.settings.program.as_ref())?;
        let browser = Arc::new(Instance::start(&program, &self.settings).await?);
        *slot = Some(browser.clone());
        tokio::spawn(close_when_idle(Arc::downgrade(self), Arc::downgrade(&browser)));
        Ok(browser)
    }

    /// Takes up to this many windows that were opened in advance and can be used so.
    fn take_spares(&self, browser: &Arc<Instance>, viewport: Viewport, most: usize) -> Vec<Window> {
        let mut spares = self.spares();
        let fitting = spares.extract_if(.., |window| window.fits(browser, viewport));
        fitting.take(most).collect()
    }

    fn spares(&self) -> MutexGuard<'_, Vec<Window>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self) -> bool {
        let unused = self.used.elapsed() >= self.settings.idle_timeout.duration();
        unused && self.places.available_permits() >= self.settings.pages
    }
}

/// Runs to its end in a task of its own, so that no window is left open when the caller gives up.
async fn in_task<T: Send + 'static>(
    work: impl Future<Output = Result<T, BrowserFailure>> + Send + 'static,
) -> Result<T, BrowserFailure> {
    tokio::spawn(work).await.unwrap_or_else(|error| Err(BrowserFailure::Ended(error.to_string())))
}

/// Closes a browser that no page has used for the time in the settings.
async fn close_when_idle(shared: Weak<Shared>, browser: Weak<Instance>) {
    loop {
        let Some(period) = shared.upgrade().map(|shared| shared.settings.idle_timeout.duration()) else {
            return;
        };
        tokio::time::sleep(period / 4).await;
        let (Some(shared), Some(browser)) = (shared.upgrade(), browser.upgrade()) else { return };
        let mut slot = shared.browser.lock().await;
        if shared.is_idle() {
            slot.take_if(|current| Arc::ptr_eq(current, &browser));
            shared.spares().clear();
            drop(slot);
            return browser.close().await;
        }
    }
}
