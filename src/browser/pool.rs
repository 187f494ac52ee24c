//! One browser for all episodes of the process.
//!
//! A new window costs more than all measuring in it, so an environment can have the windows of its next act opened
//! while the agent thinks. They read nothing until a page with a folder is made of them.

use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError};

use futures_util::future::try_join_all;
use tokio::sync::{Mutex, Semaphore};

use super::finder::find_browser;
use super::instance::Instance;
use super::launch::Purpose;
use super::open_place::OpenPlace;
use super::page::Window;
use super::shared_browser::{Owner, Shareable, SharedBrowser, browser, in_task};
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
    browser: SharedBrowser<Instance>,
    /// Windows that were opened in advance.
    spares: std::sync::Mutex<Vec<Window>>,
    /// Held while windows are opened in advance.
    preparing: Mutex<()>,
}

impl BrowserPool {
    /// A pool without a browser yet.
    pub fn new(settings: BrowserSettings) -> Self {
        let places = Arc::new(Semaphore::new(settings.pages.clamp(1, MOST_PAGES)));
        let browser = SharedBrowser::new(settings.idle_timeout.duration());
        let (spares, preparing) = Default::default();
        Self(Arc::new(Shared { settings, places, browser, spares, preparing }))
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
        let browser = browser(&self.0).await?;
        let mut spares = self.0.take_spares(&browser, viewport, sites.len()).into_iter();
        let page = |site| {
            let place = OpenPlace::new(permits.split(1), self.0.browser.used().clone());
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
        let browser = browser(&self.0).await?;
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
        Ok(browser(&self.0).await?.version.clone())
    }

    /// The process group of the browser and its pages; `None` while there is no browser.
    pub async fn process_group(&self) -> Option<i32> {
        self.0.browser.alive().await.map(|browser| browser.group())
    }

    /// Closes the browser now, with all its pages, and waits for it. The next call starts another one.
    pub async fn close(&self) {
        let browser = self.0.browser.take().await;
        self.0.spares().clear();
        if let Some(browser) = browser {
            browser.close().await;
        }
    }
}

impl Shareable for Instance {
    fn is_alive(&self) -> bool {
        Self::is_alive(self)
    }

    async fn close(&self) {
        Self::close(self).await;
    }
}

impl Owner for Shared {
    type Browser = Instance;

    fn shared(&self) -> &SharedBrowser<Instance> {
        &self.browser
    }

    async fn start(&self) -> Result<Instance, BrowserFailure> {
        let program = find_browser(self.settings.program.as_ref())?;
        Instance::start(&program, &self.settings, Purpose::Pages).await
    }

    fn is_unused(&self) -> bool {
        self.places.available_permits() >= self.settings.pages
    }

    fn forget(&self) {
        self.spares().clear();
    }
}

impl Shared {
    /// Takes up to this many windows that were opened in advance and can be used so.
    fn take_spares(&self, browser: &Arc<Instance>, viewport: Viewport, most: usize) -> Vec<Window> {
        let mut spares = self.spares();
        let fitting = spares.extract_if(.., |window| window.fits(browser, viewport));
        fitting.take(most).collect()
    }

    fn spares(&self) -> MutexGuard<'_, Vec<Window>> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
