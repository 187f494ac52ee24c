//! What can go wrong with a session of the web. Texts of pages are as the pages wrote them: sanitize before display.

use std::time::Duration;

use serde::Serialize;

use crate::BrowserFailure;

/// Why a call of a session did not succeed. All but [`WebFault::Browser`] leave the session usable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WebFault {
    /// Something did not happen in time.
    #[error("{what} did not end within {} s", limit.as_secs_f64())]
    Timeout {
        /// What was waited for, such as `the load of the page`.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// The main document could not be loaded.
    #[error("{0}")]
    NetworkError(LoadError),
    /// A script of this program failed in the page.
    #[error("the script failed: {0}")]
    Script(String),
    /// What a script returned is too large.
    #[error("the result of the script has {characters} characters, the limit is {most}")]
    TooLarge {
        /// Characters of its JSON.
        characters: u64,
        /// The limit.
        most: u64,
    },
    /// The tab is gone.
    #[error("tab {number} is lost: {why}")]
    TabLost {
        /// The number of the tab.
        number: u32,
        /// Why.
        why: String,
    },
    /// There is no earlier page in the history of the tab.
    #[error("there is no earlier page in the history of this tab")]
    NoHistory,
    /// There is no tab with this number.
    #[error("there is no tab {0}")]
    NoTab(u32),
    /// The current tab has no such frame, or has it no longer.
    #[error("the page has no frame {0}")]
    NoFrame(String),
    /// The address cannot be opened.
    #[error("the address {address:?} cannot be opened: {reason}")]
    BadAddress {
        /// The address.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The keyboard has no such key.
    #[error("there is no key {0:?}")]
    NoKey(String),
    /// The page cannot do this now, in the words of the browser.
    #[error("the page refused {method}: {message}")]
    Refused {
        /// The request of the protocol.
        method: String,
        /// The answer.
        message: String,
    },
    /// The browser is to blame: an error of the environment, never a score.
    #[error(transparent)]
    Browser(#[from] BrowserFailure),
}

/// Why a document was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{text}")]
pub struct LoadError {
    /// The kind.
    pub kind: LoadErrorKind,
    /// A sentence, or the code of the browser such as `net::ERR_TOO_MANY_REDIRECTS`.
    pub text: String,
}

/// Kinds of reasons why a document was not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadErrorKind {
    /// The name of the host has no address.
    NoHost,
    /// The rules of the network refuse the address.
    Refused,
    /// The host does not answer.
    Unreachable,
    /// Another reason, such as a wrong certificate or too many redirects.
    Other,
}

/// What is wrong with the rules of the network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A place cannot be read.
    #[error("{0:?} is not a place: write host, host:port, an address, or a range such as 10.0.0.0/8")]
    Place(String),
    /// The variable with the address of the proxy is not set.
    #[error("the variable {0} is not set")]
    Variable(String),
    /// The address of the proxy cannot be read. It is not repeated, because it may have a password.
    #[error("the address of the proxy is not http://host:port or http://user:password@host:port: {0}")]
    Proxy(String),
}
