//! The pool: what all model agents of a process share. It is a value that whoever creates the agents keeps.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread::available_parallelism;

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::Semaphore;

use super::access::Credentials;
use super::endpoint::Endpoint;
use super::endpoint::RepeatedFailure;
use super::endpoint::lock;
use super::exchange::ExchangeSink;
use super::http::Connection;
use super::http::HttpClient;
use super::image_cache::ImageCache;
use super::settings::ModelSettings;
use super::suggested_setting::SuggestedSetting;
use crate::agents::KeyLookup;
use crate::domain::AgentError;

/// HTTP connections, encoded images, and the permits, pauses and failures of each endpoint, shared by all model agents that were created with
/// it. Clones share the same pool.
#[derive(Clone)]
pub struct ModelPool(Arc<Shared>);

struct Shared {
    clients: Mutex<BTreeMap<Connection, HttpClient>>,
    /// The endpoints by URL and connection.
    endpoints: Mutex<BTreeMap<(String, Connection), Arc<Endpoint>>>,
    encoding: Arc<Semaphore>,
    images: ImageCache,
    /// The variables whose values are known not to be redacted.
    plain: Mutex<BTreeSet<String>>,
    /// Where the conversations are recorded, if they are.
    exchanges: Mutex<Option<ExchangeSink>>,
}

impl Default for ModelPool {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Shared {
            clients: Mutex::default(),
            endpoints: Mutex::default(),
            encoding: Arc::new(Semaphore::new(cores)),
            images: ImageCache::default(),
            plain: Mutex::default(),
            exchanges: Mutex::default(),
        }))
    }
}

impl ModelPool {
    /// The most repeated failure among the endpoints; `None` if the newest decision of each of them succeeded.
    pub fn repeated_failure(&self) -> Option<RepeatedFailure> {
        let failures =
            lock(&self.0.endpoints).values().filter_map(|endpoint| endpoint.failure()).collect::<Vec<_>>();
        failures.into_iter().max_by_key(|failure| failure.count)
    }

    /// Records the conversations with all servers from now on.
    pub fn record(&self, sink: ExchangeSink) {
        *lock(&self.0.exchanges) = Some(sink);
    }

    /// Where conversations are recorded, if they are.
    pub(super) fn exchange_sink(&self) -> Option<ExchangeSink> {
        lock(&self.0.exchanges).clone()
    }

    /// Takes the setting that the advice for the newest error of an endpoint suggests, if it does.
    pub fn take_suggested_setting(&self) -> Option<SuggestedSetting> {
        lock(&self.0.endpoints).values().find_map(|endpoint| endpoint.take_suggested())
    }

    /// The endpoint of these settings. `lookup` returns the variables that name proxies and authorities.
    pub(super) fn endpoint(
        &self,
        settings: &ModelSettings,
        lookup: &KeyLookup,
    ) -> Result<Arc<Endpoint>, AgentError> {
        let connection = Connection::new(&settings.url, &settings.files, lookup)?;
        let http = self.client(&connection)?;
        let mut endpoints = lock(&self.0.endpoints);
        let endpoint = endpoints
            .entry((settings.url.to_string(), connection))
            .or_insert_with(|| Arc::new(Endpoint::new(http)));
        endpoint.allow(settings.max_connections);
        Ok(endpoint.clone())
    }

    fn client(&self, connection: &Connection) -> Result<HttpClient, AgentError> {
        let mut clients = lock(&self.0.clients);
        if let Some(client) = clients.get(connection) {
            return Ok(client.clone());
        }
        let client = HttpClient::new(connection)?;
        clients.insert(connection.clone(), client.clone());
        Ok(client)
    }

    /// Logs once for each variable that its value is not redacted.
    pub(super) fn log_plain_values(&self, credentials: &Credentials) {
        for variable in credentials.plain_variables() {
            if lock(&self.0.plain).insert(variable.clone()) {
                tracing::warn!(
                    variable,
                    "the value is a plain word, so it is not removed from replies and errors"
                );
            }
        }
    }

    /// The encoded images of all agents.
    pub(super) fn images(&self) -> ImageCache {
        self.0.images.clone()
    }

    /// Waits until a processor core may encode a request. Without this limit, hundreds of episodes would start as many
    /// threads with a frame each in memory.
    pub(super) async fn encoding_permit(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        self.0.encoding.clone().acquire_owned().await.ok()
    }
}
