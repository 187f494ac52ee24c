//! Opening addresses and going back.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;
use url::Url;

use super::WebSession;
use super::calls::parsed;
use crate::web::network::explain;
use crate::web::tab::Tab;
use crate::web::{LoadError, LoadErrorKind, WebFault};

/// How long a page may need after its script was stopped.
const AFTER_STOP: Duration = Duration::from_secs(2);

/// The code for an address after which the page stays where it is, such as one without content.
const STAYS: &str = "net::ERR_ABORTED";

/// How long a navigation within a document may take.
const WITHIN: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
    #[serde(default)]
    is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: usize,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: i64,
    #[serde(default)]
    url: String,
}

impl Entry {
    /// Whether it is the empty page of a new tab. The browser keeps it in the history or not, as it happens to be there before
    /// the first address is opened.
    fn is_beginning(&self, index: usize) -> bool {
        index == 0 && self.url == "about:blank"
    }
}

impl WebSession {
    /// Opens an address in the current tab and waits for its load event: `http`, `https` or `about:blank`.
    ///
    /// # Errors
    /// [`WebFault::BadAddress`], [`WebFault::NetworkError`], [`WebFault::Timeout`] (the page may be there in part),
    /// [`WebFault::TabLost`] or a failure of the browser.
    pub async fn goto(&self, url: &str) -> Result<(), WebFault> {
        let url = checked(url)?;
        self.state.begin_act();
        let tab = self.tab().await?;
        self.until_loaded(&tab, self.load(&tab, url.as_str())).await?;
        self.update_titles().await
    }

    /// Goes to the page before in the history of the current tab, and waits for it. The empty page of a new tab is not one.
    ///
    /// # Errors
    /// [`WebFault::NoHistory`], and as for [`WebSession::goto`].
    pub async fn back(&self) -> Result<(), WebFault> {
        self.state.begin_act();
        let tab = self.tab().await?;
        self.until_loaded(&tab, self.load_before(&tab)).await?;
        self.update_titles().await
    }

    /// Waits for the load of a page. A script that keeps it from loading is stopped.
    async fn until_loaded(
        &self,
        tab: &Tab,
        load: impl Future<Output = Result<(), WebFault>>,
    ) -> Result<(), WebFault> {
        let limit = self.limits.load_timeout.duration();
        let mut load = std::pin::pin!(load);
        if let Ok(done) = timeout(limit, &mut load).await {
            return done;
        }
        self.running.instance.check().await?;
        if self.stop_script(tab, &tab.session).await
            && let Ok(done) = timeout(AFTER_STOP, &mut load).await
        {
            return done;
        }
        Err(WebFault::Timeout { what: "the load of the page", limit })
    }

    /// Opens an address, without a limit.
    pub(super) async fn load(&self, tab: &Tab, url: &str) -> Result<(), WebFault> {
        let earlier = tab.progress().navigations;
        let method = "Page.navigate";
        let answer = self.call(tab, &tab.session, method, json!({ "url": url })).await?;
        let Navigated { loader_id, error_text, is_download } = parsed(method, &answer)?;
        if let Some(code) = error_text.filter(|code| !code.is_empty()) {
            if is_download {
                return Err(other("the address is a download, which is denied"));
            }
            let loader = loader_id.unwrap_or_default();
            let known = tab.error_of(&loader);
            if code != STAYS {
                // The page about the error; it is not worth more time.
                let is_there = tab.reaches(|now| now.loaded && now.loader == loader);
                self.unless_lost(tab, async { drop(timeout(WITHIN, is_there).await) }).await?;
            }
            let known = known.or_else(|| tab.error_of(&loader));
            return Err(WebFault::NetworkError(known.unwrap_or_else(|| explain(&self.state, url, &code))));
        }
        if let Some(loader) = loader_id {
            // A navigation before it can be there first, and its own document can be replaced at once.
            let is_loaded = tab.reaches(|now| now.loaded && tab.has_shown(&loader));
            self.unless_lost(tab, is_loaded).await?;
        } else {
            let is_there = tab.reaches(|now| now.navigations != earlier);
            // An event that never comes is not worth more time.
            self.unless_lost(tab, async { drop(timeout(WITHIN, is_there).await) }).await?;
        }
        loaded(tab)
    }

    async fn load_before(&self, tab: &Tab) -> Result<(), WebFault> {
        let method = "Page.getNavigationHistory";
        let answer = self.call(tab, &tab.session, method, json!({})).await?;
        let History { current_index, entries } = parsed(method, &answer)?;
        let before = current_index.checked_sub(1).and_then(|index| Some((index, entries.get(index)?)));
        let before = before.filter(|(index, entry)| !entry.is_beginning(*index));
        let Some((_, Entry { id, .. })) = before else { return Err(WebFault::NoHistory) };
        let earlier = tab.progress().navigations;
        let method = "Page.navigateToHistoryEntry";
        self.call(tab, &tab.session, method, json!({ "entryId": id })).await?;
        let is_loaded = tab.reaches(|now| now.loaded && now.navigations != earlier);
        self.unless_lost(tab, is_loaded).await?;
        loaded(tab)
    }

    /// Waits for something of a tab, unless the tab is lost or the browser is gone.
    async fn unless_lost(&self, tab: &Tab, waiting: impl Future<Output = ()>) -> Result<(), WebFault> {
        tokio::select! {
            why = tab.lost() => Err(WebFault::TabLost { number: tab.number, why }),
            failure = self.running.instance.connection.end_reached() => Err(failure.into()),
            () = waiting => Ok(()),
        }
    }
}

/// Whether the document of a tab is that of its address, not one about an error.
fn loaded(tab: &Tab) -> Result<(), WebFault> {
    tab.document().error.map_or(Ok(()), |error| Err(WebFault::NetworkError(error)))
}

fn other(text: &str) -> WebFault {
    WebFault::NetworkError(LoadError { kind: LoadErrorKind::Other, text: text.to_owned() })
}

/// An address that may be opened.
pub(super) fn checked(address: &str) -> Result<Url, WebFault> {
    let bad = |reason: String| WebFault::BadAddress { address: address.to_owned(), reason };
    let url = Url::parse(address).map_err(|error| bad(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        "about" if url.as_str() == "about:blank" => Ok(url),
        scheme => Err(bad(format!("only http and https can be opened, not {scheme}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_opened() {
        for address in ["http://a.test", "https://a.test/b?c#d", "about:blank"] {
            assert!(checked(address).is_ok(), "{address}");
        }
        let refused = [
            "file:///etc/passwd",
            "chrome://crash",
            "about:settings",
            "javascript:alert(1)",
            "data:text/html,a",
            "ftp://a",
            "view-source:http://a",
            "a.test",
            "",
            "http://",
        ];
        for address in refused {
            assert!(matches!(checked(address), Err(WebFault::BadAddress { .. })), "{address}");
        }
    }
}
