//! Who may use the proxy: each session has a name and a password of its own, so what the browser requests by itself,
//! and what other programs of this machine send, is refused.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::BrowserFailure;
use crate::web::LoadError;

/// What a session is informed of.
pub(crate) trait Customer: std::fmt::Debug + Send + Sync {
    /// A request could not be passed on. `place` is host and port, `url` what is known of the address.
    fn failed(&self, place: &str, url: &str, error: &LoadError);

    /// A connection to this place was made.
    fn reached(&self, place: &str);
}

/// What went through the proxy for one session.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    pub(super) requests: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) refused: AtomicU64,
}

/// A session as the proxy knows it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) customer: Arc<dyn Customer>,
    pub(super) traffic: Arc<Traffic>,
}

/// The sessions, by the header that they send.
#[derive(Debug, Default)]
pub(super) struct Accounts(Mutex<HashMap<String, Arc<Entry>>>);

/// The right to use the proxy; dropping it ends the right.
pub(crate) struct Account {
    credentials: Credentials,
    traffic: Arc<Traffic>,
    accounts: Arc<Accounts>,
}

/// What a session answers the proxy with.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) user: String,
    pub(crate) password: String,
}

impl Credentials {
    /// A name, and a password of 128 random bits.
    pub(crate) fn random(number: u64) -> Result<Self, BrowserFailure> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| BrowserFailure::Ended(format!("there are no random numbers: {error}")))?;
        let password = bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a text always succeeds.
            let _ = write!(text, "{byte:02x}");
            text
        });
        Ok(Self { user: format!("session-{number}"), password })
    }

    pub(super) fn header(&self) -> String {
        format!("Basic {}", STANDARD.encode(format!("{}:{}", self.user, self.password)))
    }
}

/// Without the password.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials({})", self.user)
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Account({})", self.credentials.user)
    }
}

impl Accounts {
    /// Opens an account.
    pub(super) fn open(self: &Arc<Self>, credentials: Credentials, customer: Arc<dyn Customer>) -> Account {
        let traffic = Arc::<Traffic>::default();
        let entry = Arc::new(Entry { customer, traffic: traffic.clone() });
        self.entries().insert(credentials.header(), entry);
        Account { credentials, traffic, accounts: self.clone() }
    }

    /// Whose header this is.
    pub(super) fn find(&self, header: &str) -> Option<Arc<Entry>> {
        self.entries().get(header).cloned()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    /// What went through the proxy so far.
    pub(crate) fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl Traffic {
    /// Requests, bytes in both directions, and refused requests.
    pub(crate) fn counts(&self) -> [u64; 3] {
        [&self.requests, &self.bytes, &self.refused].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.accounts.entries().remove(&self.credentials.header());
    }
}
