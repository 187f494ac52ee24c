//! Servers with TLS: whose certificates are accepted, and the sentence for each that is not.

use super::runs::{args, sandbox};
use super::tls_server::{Authority, TlsServer, params};
use std::path::Path;

const HOST: &str = "127.0.0.1";

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn the_program_trusts_the_authority_of_ssl_cert_file() {
    let sandbox = sandbox();
    let authority = Authority::new("Test Root");
    let server = TlsServer::start(&authority.sign(&params(&[HOST], "server")), None);
    let (file, _) = authority.identity.write(&sandbox.path("work"), "root");
    let url = server.url();
    let args = args(&url, &["lost.xsb", "--max-steps", "1", "--no-stream"]);
    sandbox.run(&args).fails_with(1, &["the connection is not secure", "signed by \"Test Root\""]);
    assert!(server.requests().is_empty());
    let sandbox = sandbox.with("SSL_CERT_FILE", path(&file));
    let result = sandbox.run(&args);
    assert_eq!(result.code, Some(0), "{result:?}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_relative_authority_file_belongs_to_the_settings_file_that_names_it() {
    let sandbox = sandbox();
    let authority = Authority::new("Test Root");
    let server = TlsServer::start(&authority.sign(&params(&[HOST], "server")), None);
    sandbox.write("config/mageyard/config.toml", "[model]\nca_file = \"root.pem\"\n");
    authority.identity.write(&sandbox.path("config/mageyard"), "root");
    let url = server.url();
    let result = sandbox.run(&args(&url, &["lost.xsb", "--max-steps", "1", "--no-stream"]));
    assert_eq!(result.code, Some(0), "{result:?}");
}
