//! The pool: what all model agents of a process share. It is a value that whoever creates the agents keeps.
//!
//! The order of a try is: permit, pause, journal, send. A request is encoded on a blocking thread only if it has a
//! new image or much of them, because changing the thread twice costs more than encoding a text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::access::Credentials;
use super::connections::{Connections, EndpointLoad, Renewal, SharedPermits};
use super::endpoint::{Endpoint, Pause, RepeatedFailure};
use super::exchange::ExchangeSink;
use super::http::{Connection, HttpClient};
use super::image_cache::ImageCache;
use super::lock::lock;
use super::settings::ModelSettings;
use super::suggested_setting::SuggestedSetting;
use crate::KeyLookup;
use mageyard_domain::{AgentError, Digest};

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
    /// Whether somebody sees replies as they come in.
    is_watched: AtomicBool,
    /// With what the limits of endpoints are shared with other processes, if they are.
    sharing: Mutex<Option<Sharing>>,
    /// The requests at once to each endpoint, in place of the setting.
    most_connections: Mutex<Option<usize>>,
}

/// The limits that are shared with other processes.
struct Sharing {
    permits: SharedPermits,
    /// Ends the renewals, which then give their shares back.
    stop: CancellationToken,
    renewals: Vec<JoinHandle<()>>,
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
            is_watched: AtomicBool::new(false),
            sharing: Mutex::default(),
            most_connections: Mutex::default(),
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

    /// The failure of the servers if none of them could be reached since the program was started, so that waiting for one that
    /// comes back is of no use; `None` if one was reached, or if none was asked.
    pub fn never_reached(&self) -> Option<RepeatedFailure> {
        let endpoints = lock(&self.0.endpoints);
        if endpoints.values().any(|endpoint| endpoint.was_reached()) {
            return None;
        }
        endpoints.values().find_map(|endpoint| endpoint.failure())
    }

    /// The load of each endpoint that was used, by its URL.
    pub fn loads(&self) -> Vec<(String, EndpointLoad)> {
        let endpoints = lock(&self.0.endpoints);
        endpoints.iter().map(|((url, _), endpoint)| (url.clone(), endpoint.connections.load())).collect()
    }

    /// Records the conversations with all servers from now on.
    pub fn record(&self, sink: ExchangeSink) {
        *lock(&self.0.exchanges) = Some(sink);
    }

    /// Says that somebody sees replies as they come in, so that replies from inside the process take their time.
    pub fn watch(&self) {
        self.0.is_watched.store(true, Ordering::Relaxed);
    }

    /// Whether somebody sees replies as they come in.
    pub(super) fn is_watched(&self) -> bool {
        self.0.is_watched.load(Ordering::Relaxed)
    }

    /// Where conversations are recorded, if they are.
    pub(super) fn exchange_sink(&self) -> Option<ExchangeSink> {
        lock(&self.0.exchanges).clone()
    }

    /// Takes the setting that the advice for the newest error of an endpoint suggests, if it does.
    pub fn take_suggested_setting(&self) -> Option<SuggestedSetting> {
        lock(&self.0.endpoints).values().find_map(|endpoint| endpoint.take_suggested())
    }

    /// Sends at most this many requests at once to each endpoint in place of `model.max_connections`, from now on; `None` for the
    /// setting again.
    pub fn set_most_connections(&self, most: Option<usize>) {
        let endpoints = lock(&self.0.endpoints);
        *lock(&self.0.most_connections) = most;
        endpoints.values().for_each(|endpoint| endpoint.connections.order(most));
    }

    /// Shares the limits of the endpoints that are used from now on with other processes. Needs a Tokio runtime then.
    pub fn share_permits(&self, permits: SharedPermits) {
        let sharing = Sharing { permits, stop: CancellationToken::new(), renewals: Vec::new() };
        *lock(&self.0.sharing) = Some(sharing);
    }

    /// Gives the shares of all endpoints back; no request may be sent any more.
    pub async fn leave_shared_permits(&self) {
        let Some(sharing) = lock(&self.0.sharing).take() else { return };
        sharing.stop.cancel();
        for renewal in sharing.renewals {
            // A panic in it leaves nothing to do: the share ends by itself.
            let _ = renewal.await;
        }
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
        let endpoint = endpoints.entry((settings.url.to_string(), connection)).or_insert_with(|| {
            let endpoint = self.new_endpoint(http, settings.url.as_str());
            endpoint.connections.order(*lock(&self.0.most_connections));
            endpoint
        });
        endpoint.connections.allow(settings.max_connections);
        Ok(endpoint.clone())
    }

    fn new_endpoint(&self, http: HttpClient, url: &str) -> Arc<Endpoint> {
        let mut sharing = lock(&self.0.sharing);
        let Some(sharing) = &mut *sharing else { return Arc::new(Endpoint::new(http, Connections::new())) };
        let connections = Connections::shared(sharing.permits.clock);
        let endpoint = Arc::new(Endpoint::new(http, connections));
        // A process may have several connections to one server.
        let process = format!("{}.{}", sharing.permits.process, sharing.renewals.len() + 1);
        let permits = SharedPermits { process, ..sharing.permits.clone() };
        let renewal = Renewal::new(permits, document_name(url));
        sharing.renewals.push(tokio::spawn(renew(endpoint.clone(), renewal, sharing.stop.clone())));
        endpoint
    }

    /// The client for this connection, which all requests share.
    pub(super) fn client(&self, connection: &Connection) -> Result<HttpClient, AgentError> {
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

/// The name of the document of a server.
fn document_name(url: &str) -> String {
    Digest::of(url.as_bytes()).to_string()
}

/// Renews the share in the limit of an endpoint until it is stopped.
async fn renew(endpoint: Arc<Endpoint>, mut renewal: Renewal, stop: CancellationToken) {
    loop {
        if let Some(time) = renewal.renew(&endpoint.connections).await {
            let why = "the server has asked another process to wait".to_owned();
            endpoint.pause(Pause { until: Instant::now() + time, why });
        }
        tokio::select! {
            () = renewal.wait(&endpoint.connections) => {}
            () = stop.cancelled() => break,
        }
    }
    if let Err(error) = renewal.leave().await {
        tracing::warn!(%error, "the share of the requests at once could not be given back; it ends by itself");
    }
}
