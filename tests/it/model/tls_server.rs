//! A server with TLS and certificates made for a test, which answers every request with the same reply.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use rcgen::{BasicConstraints, Certificate, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

/// The text of every reply.
pub(super) const REPLY: &str = "# analyze\nok\n\n# action\nUp\n";

/// A certificate with its key.
pub(super) struct Identity {
    pub(super) certificate: Certificate,
    key: KeyPair,
}

impl Identity {
    /// A certificate signed by itself.
    pub(super) fn self_signed(params: &CertificateParams) -> Self {
        let key = KeyPair::generate().unwrap();
        Self { certificate: params.self_signed(&key).unwrap(), key }
    }

    /// Writes certificate and key as PEM files; returns their paths.
    pub(super) fn write(&self, folder: &Path, name: &str) -> (PathBuf, PathBuf) {
        let files = (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key.pem")));
        fs::write(&files.0, self.certificate.pem()).unwrap();
        fs::write(&files.1, self.key.serialize_pem()).unwrap();
        files
    }
}

/// A certificate authority.
pub(super) struct Authority {
    params: CertificateParams,
    pub(super) identity: Identity,
}

impl Authority {
    pub(super) fn new(name: &str) -> Self {
        let mut params = params(&[], name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { identity: Identity::self_signed(&params), params }
    }

    /// Signs a certificate.
    pub(super) fn sign(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::from_params(&self.params, &self.identity.key);
        Identity { certificate: params.signed_by(&key, &issuer).unwrap(), key }
    }
}

/// What a certificate for these hosts says.
pub(super) fn params(hosts: &[&str], name: &str) -> CertificateParams {
    let mut params =
        CertificateParams::new(hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// A server for the duration of the test process.
pub(super) struct TlsServer {
    pub(super) address: SocketAddr,
    /// The received requests: heads with bodies.
    requests: Arc<Mutex<Vec<String>>>,
}

impl TlsServer {
    /// `clients` is the authority whose clients it accepts; without one it accepts all.
    pub(super) fn start(identity: &Identity, clients: Option<&Authority>) -> Self {
        let config = Arc::new(config(identity, clients));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        thread::spawn(move || {
            for socket in listener.incoming() {
                let config = config.clone();
                let log = log.clone();
                // A client that refuses the certificate ends the handshake with an error.
                thread::spawn(move || socket.and_then(|socket| answer(config, socket, &log)).is_ok());
            }
        });
        Self { address, requests }
    }

    pub(super) fn url(&self) -> String {
        format!("https://{}/v1", self.address)
    }

    /// The received requests.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn config(identity: &Identity, clients: Option<&Authority>) -> ServerConfig {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone());
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(authority.identity.certificate.der().clone()).unwrap();
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
            builder.with_client_cert_verifier(verifier)
        }
    };
    let key = PrivateKeyDer::try_from(identity.key.serialize_der()).unwrap();
    builder.with_single_cert(vec![identity.certificate.der().clone()], key).unwrap()
}

fn answer(
    config: Arc<ServerConfig>,
    socket: std::net::TcpStream,
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), socket);
    log.lock().unwrap().push(read_request(&mut stream)?);
    let message = serde_json::json!({"role": "assistant", "content": REPLY});
    let body = serde_json::json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
    stream.flush()
}

/// Reads the head and the body of a request.
fn read_request(stream: &mut impl Read) -> std::io::Result<String> {
    let mut text = String::new();
    let mut buffer = [0; 16 << 10];
    loop {
        let count = stream.read(&mut buffer)?;
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
        let complete = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            body.len() >= length.unwrap_or(0)
        });
        if complete || count == 0 {
            return Ok(text);
        }
    }
}
