//! The proxy through which all traffic of a browser of the web goes. It is inside this process, on a port of the
//! loopback address. It resolves names, refuses addresses that are not public, and connects to the very address that
//! it checked.

mod account;
mod address;
mod forward;
mod resolver;
mod rules;
mod service;
#[cfg(test)]
mod tests;
mod tunnel;
mod user_proxy;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

use account::Accounts;
use resolver::{Resolver, SystemResolver};
use rules::Rules;

use super::{NetworkRules, RuleError};

pub(super) use account::{Account, Credentials, Customer};
pub(super) use service::FAILED;

/// The largest head of a request or an answer.
const MOST_HEAD: usize = 256 << 10;

/// The pause after a connection could not be accepted, because there are too many files.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// A running proxy. Dropping it ends it with all its connections.
#[derive(Debug)]
pub(super) struct Proxy {
    port: u16,
    accounts: Arc<Accounts>,
    serving: AbortHandle,
    /// Dropping it ends the tunnels.
    _open: watch::Sender<()>,
}

/// What every connection uses.
#[derive(Debug)]
struct Shared {
    rules: Rules,
    accounts: Arc<Accounts>,
    /// Closed when the proxy ends.
    open: watch::Receiver<()>,
}

/// Whether rules can be read.
pub(super) fn check(rules: &NetworkRules) -> Result<(), RuleError> {
    Rules::read(rules, Box::new(SystemResolver)).map(drop)
}

impl Proxy {
    /// Starts a proxy.
    pub(super) async fn start(rules: &NetworkRules) -> io::Result<Self> {
        Self::start_with(rules, Box::new(SystemResolver)).await
    }

    async fn start_with(rules: &NetworkRules, resolver: Box<dyn Resolver>) -> io::Result<Self> {
        let rules = Rules::read(rules, resolver).map_err(io::Error::other)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let accounts = Arc::<Accounts>::default();
        let (sender, open) = watch::channel(());
        let shared = Arc::new(Shared { rules, accounts: accounts.clone(), open });
        let serving = tokio::spawn(accept(listener, shared)).abort_handle();
        Ok(Self { port, accounts, serving, _open: sender })
    }

    /// Its port.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Lets requests with these credentials pass, until the account is dropped.
    pub(super) fn open_account(&self, credentials: Credentials, customer: Arc<dyn Customer>) -> Account {
        self.accounts.open(credentials, customer)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Accepts connections; they end with this task.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, shared.clone()));
                }
                Err(error) => {
                    tracing::warn!("the proxy of the browser cannot accept a connection: {error}");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    // Small answers are not held back.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| service::serve(shared.clone(), request));
    let mut server = http1::Builder::new();
    server.max_buf_size(MOST_HEAD).preserve_header_case(true);
    let connection = server.serve_connection(TokioIo::new(stream), service).with_upgrades();
    if let Err(error) = connection.await {
        tracing::debug!("a connection of the browser to its proxy ended: {error}");
    }
}
