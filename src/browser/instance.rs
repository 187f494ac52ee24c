//! A running browser: its process, its connection and its pages.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Pid;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::connection::{CallError, Connection};
use super::event_handler::EventHandler;
use super::launch::{BrowserProcess, Purpose, is_crash};
use super::router::Router;
use super::{BrowserFailure, BrowserSettings, memory_watch, transport};

/// How long a browser may take to say that it lives while a page is past its limit.
const SIGN_OF_LIFE: Duration = Duration::from_secs(4);

/// How long a browser may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(2);

/// A running browser, with what handles its events. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Instance<H = Router> {
    pub(super) connection: Arc<Connection>,
    pub(super) router: Arc<H>,
    pub(super) version: String,
    process: Mutex<Option<BrowserProcess>>,
    group: Pid,
    /// How long it may take to answer something that needs no page.
    pub(super) patience: Duration,
}

/// Why a browser did not start.
struct NoStart {
    reason: String,
    /// It ended by a signal before it answered.
    crashed: bool,
}

#[derive(Deserialize)]
struct Version {
    product: String,
}

impl<H: EventHandler> Instance<H> {
    /// Starts a browser and waits for its first answer. One that crashes before that is started once more: on a busy
    /// machine Chromium sometimes crashes at its start, and no page has been lost yet.
    pub(super) async fn start(
        program: &Path,
        settings: &BrowserSettings,
        purpose: Purpose,
    ) -> Result<Self, BrowserFailure> {
        let first = Self::start_once(program, settings, purpose).await;
        let second = match first {
            Err(NoStart { reason, crashed: true }) => {
                tracing::warn!("{} crashed at its start and is started again: {reason}", program.display());
                Self::start_once(program, settings, purpose).await
            }
            other => other,
        };
        second.map_err(|failed| settings.start_failure(program, failed.reason))
    }

    async fn start_once(
        program: &Path,
        settings: &BrowserSettings,
        purpose: Purpose,
    ) -> Result<Self, NoStart> {
        let failed = |reason: String| NoStart { reason, crashed: false };
        let started = BrowserProcess::start(program, settings.page_memory, purpose);
        let (mut process, input, output) = started.map_err(|error| failed(error.to_string()))?;
        let (connection, messages) = Connection::new();
        let router = Arc::<H>::default();
        tokio::spawn(transport::write(input, messages));
        tokio::spawn(receive(output, connection.clone(), router.clone()));
        match timeout(settings.start_timeout.duration(), introduce(&connection)).await {
            Ok(Ok(version)) => {
                let watched = memory_watch::watch(
                    Arc::downgrade(&connection),
                    router.clone(),
                    process.group(),
                    settings.page_memory,
                );
                tokio::spawn(watched);
                let group = process.group();
                let process = Mutex::new(Some(process));
                let patience = settings.start_timeout.duration();
                Ok(Self { connection, router, version, process, group, patience })
            }
            Ok(Err(error)) => {
                // So that its last words have arrived.
                let ended = timeout(FAREWELL, process.ended()).await;
                let crashed = ended.is_ok_and(|status| status.is_ok_and(is_crash));
                Err(NoStart { reason: process.last_words().or(words_of(error)), crashed })
            }
            Err(_) => {
                let waited = format!("no answer within {} s", settings.start_timeout);
                Err(failed(process.last_words().after(waited)))
            }
        }
    }

    /// A request that needs no page and is answered at once.
    pub(super) async fn call(&self, method: &str, params: Value) -> Result<Box<RawValue>, BrowserFailure> {
        match timeout(self.patience, self.connection.call(None, method, params)).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(CallError::Gone(failure))) => Err(failure),
            Ok(Err(CallError::Refused(message))) => {
                Err(BrowserFailure::Refused { method: method.to_owned(), message })
            }
            Err(_) => Err(self.silent(method, self.patience)),
        }
    }

    /// Gives the browser up, because it did not answer for so long.
    pub(super) fn silent(&self, method: &str, waited: Duration) -> BrowserFailure {
        let failure = BrowserFailure::Silent { method: method.to_owned(), waited };
        self.connection.end(failure.clone());
        drop(self.take_process());
        failure
    }

    /// Whether the browser answers.
    pub(super) async fn check(&self) -> Result<(), BrowserFailure> {
        let method = "Browser.getVersion";
        match timeout(SIGN_OF_LIFE, self.connection.call(None, method, json!({}))).await {
            Ok(Err(CallError::Gone(failure))) => Err(failure),
            Ok(_) => Ok(()),
            Err(_) => Err(self.silent(method, SIGN_OF_LIFE)),
        }
    }

    /// Tells the browser to end, and waits for it.
    pub(super) async fn close(&self) {
        let Some(mut process) = self.take_process() else { return };
        self.connection.end(BrowserFailure::Ended("it was closed".to_owned()));
        self.connection.tell(None, "Browser.close", &json!({}));
        // One that does not end is killed.
        let _ = timeout(FAREWELL, process.ended()).await;
    }

    /// The process group.
    pub(super) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Whether it has not ended.
    pub(super) fn is_alive(&self) -> bool {
        self.connection.ended().is_none()
    }

    fn take_process(&self) -> Option<BrowserProcess> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

async fn receive<H: EventHandler>(
    output: tokio::process::ChildStdout,
    connection: Arc<Connection>,
    router: Arc<H>,
) {
    let events = connection.clone();
    transport::read(output, connection, |event| router.event(&events, &event)).await;
}

/// The version of the browser; from now on it attaches to everything new before that runs, except to itself, to tabs
/// (their pages are attached) and to the pages of its own windows.
async fn introduce(connection: &Connection) -> Result<String, CallError> {
    let own = ["browser", "tab", "browser_ui"].map(|kind| json!({ "type": kind, "exclude": true }));
    let filter: Vec<_> = own.into_iter().chain([json!({})]).collect();
    let attach =
        json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter });
    connection.call(None, "Target.setAutoAttach", attach).await?;
    let version = connection.call(None, "Browser.getVersion", json!({})).await?;
    let version: Version =
        serde_json::from_str(version.get()).map_err(|error| CallError::Refused(error.to_string()))?;
    Ok(version.product)
}

fn words_of(error: CallError) -> String {
    match error {
        CallError::Refused(message) => message,
        CallError::Gone(failure) => failure.to_string(),
    }
}
