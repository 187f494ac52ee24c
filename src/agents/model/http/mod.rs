//! HTTP clients: proxies, trusted authorities and client certificates, and why a connection fails.

mod certificate;
mod der;
mod failure;
mod no_proxy;
mod proxy;
mod route;
mod tls;

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use reqwest::redirect::Policy;

pub(super) use self::failure::{connection_failure, refused_by_proxy, root_cause};
use self::proxy::Proxy;
pub(super) use self::proxy::is_loopback;
pub(super) use self::route::Route;
use crate::KeyLookup;
use mageyard_domain::AgentError;

/// The time limit for connecting.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Files of the connection, by path; `None` for those that are not used.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TlsFiles {
    pub(super) ca_file: Option<PathBuf>,
    pub(super) client_cert: Option<PathBuf>,
    /// `None` if the certificate's file contains the key.
    pub(super) client_key: Option<PathBuf>,
}

/// Everything in which the connections of two servers can differ. Servers with the same one share a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Connection {
    proxy: Option<Proxy>,
    files: TlsFiles,
    /// The value of `SSL_CERT_FILE`.
    system_authorities: Option<PathBuf>,
    /// Whether the server or the proxy is reached by TLS.
    is_encrypted: bool,
}

impl Connection {
    /// The connection to this URL. Proxies and authorities come from the usual variables.
    pub(super) fn new(url: &Url, files: &TlsFiles, lookup: &KeyLookup) -> Result<Self, AgentError> {
        let proxy = Route::choose(url, lookup).map_err(AgentError::InvalidRequest)?.proxy();
        let system_authorities = lookup("SSL_CERT_FILE").filter(|file| !file.is_empty()).map(PathBuf::from);
        let is_encrypted = url.scheme() == "https" || proxy.as_ref().is_some_and(Proxy::is_encrypted);
        Ok(Self { proxy, files: files.clone(), system_authorities, is_encrypted })
    }
}

/// A client with what error messages say about its connections.
#[derive(Clone, Debug)]
pub(super) struct HttpClient {
    pub(super) client: reqwest::Client,
    pub(super) proxy: Option<Proxy>,
}

impl HttpClient {
    /// Reads the files of the connection. Parsing the authorities takes long, so a client is shared by all agents.
    pub(super) fn new(connection: &Connection) -> Result<Self, AgentError> {
        let Connection { files, system_authorities, is_encrypted, .. } = connection;
        let tls = tls::config(files, system_authorities.as_deref(), *is_encrypted);
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.map_err(AgentError::InvalidRequest)?)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .user_agent(concat!("mageyard/", env!("CARGO_PKG_VERSION")))
            .no_proxy();
        let builder = match &connection.proxy {
            Some(proxy) => builder.proxy(proxy.rule().map_err(AgentError::InvalidRequest)?),
            None => builder,
        };
        let client = builder.build().map_err(|error| AgentError::InvalidRequest(root_cause(&error)))?;
        Ok(Self { client, proxy: connection.proxy.clone() })
    }
}
