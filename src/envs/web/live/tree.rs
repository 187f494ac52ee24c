//! The tree of a page outside of an episode: of an address, or of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mageyard_browser::BrowserSettings;
use mageyard_browser::web::{
    LocalSites, NetworkRules, SessionOptions, SiteAnswer, SiteRequest, WebBrowser, WebFault, WebSession,
    WebSettings,
};
use mageyard_domain::Options;

use super::browsers::network;
use super::{access::CurrentTab, acts::address};
use crate::options::WebOptions;
use crate::page::{PageReading, read_page};

/// The host under which the folder of a file is served.
const HOST: &str = "file.test";

/// A page whose tree is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageTarget {
    /// An address, also of a local site.
    Address(String),
    /// A file; the page can read the files in its folder and nothing else.
    File(PathBuf),
}

/// What an agent with these settings would see of a page, once it has settled.
///
/// # Errors
/// A setting is wrong, there is no browser, or the page cannot be opened or read.
pub async fn tree_of(
    target: &PageTarget,
    options: &Options,
    settings: BrowserSettings,
) -> Result<PageReading, String> {
    let options = WebOptions::read(options).map_err(|error| error.to_string())?;
    let (network, address) = match target {
        PageTarget::Address(given) => (network(&options)?, address(given)),
        PageTarget::File(path) => file_site(path)?,
    };
    let browser = WebBrowser::new(WebSettings { browser: settings, window: options.window, network });
    let session = SessionOptions { viewport: options.viewport, cookies: None, listener: None };
    let session = browser.open(session).await.map_err(|error| error.to_string())?;
    let read = read(&session, &address, &options).await.map_err(|error| error.to_string());
    session.close().await;
    browser.close().await;
    read
}

async fn read(
    session: &WebSession,
    address: &str,
    options: &WebOptions,
) -> Result<PageReading, crate::page::PageFailure<WebFault>> {
    session.goto(address).await.map_err(crate::page::PageFailure::Access)?;
    session.settle().await;
    read_page(&CurrentTab(session), options.reading()).await
}

/// The rules of the network for a file, and its address.
fn file_site(path: &Path) -> Result<(NetworkRules, String), String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let path = path.canonicalize().map_err(|error| wrong(&error))?;
    let folder = path.parent().ok_or_else(|| wrong(&"is not a file"))?.to_owned();
    let name = path.file_name().ok_or_else(|| wrong(&"is not a file"))?.to_string_lossy();
    let name: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    let address = format!("http://{HOST}/{}", name.replace('+', "%20"));
    let sites: Arc<dyn LocalSites> = Arc::new(Folder(folder));
    Ok((NetworkRules { sites: Some(sites), ..NetworkRules::default() }, address))
}

/// Serves the files of a folder.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    /// The content of a file in the folder, not of one that a path or a link leads out to.
    #[expect(clippy::disallowed_methods, reason = "the answer of a local site is not awaited")]
    fn file(&self, target: &str) -> Option<(PathBuf, Vec<u8>)> {
        let name = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let base = url::Url::from_directory_path(&self.0).ok()?;
        let path = base.join(name).ok()?.to_file_path().ok()?.canonicalize().ok()?;
        let inside = path.starts_with(&self.0) && path.is_file();
        let bytes = inside.then(|| std::fs::read(&path).ok())??;
        Some((path, bytes))
    }
}

impl LocalSites for Folder {
    fn serves(&self, host: &str) -> bool {
        host == HOST
    }

    fn answer(&self, request: &SiteRequest) -> SiteAnswer {
        let (status, kind, body) = match self.file(&request.target) {
            Some((path, bytes)) => (200, media_type(&path), bytes),
            None => (404, "text/plain", Vec::new()),
        };
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        SiteAnswer { status, headers, body, delay: Duration::ZERO }
    }
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        _ => "application/octet-stream",
    }
}
