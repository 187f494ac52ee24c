//! Servers with TLS: whose certificates are accepted, and the sentence for each that is not.

use super::agent_fixture::{RecordingObserver, agent_with, ask, request};
use super::tls_server::{Authority, Identity, REPLY, TlsServer, params};
use crate::server::{Behavior, Server};
use mageyard_domain::{AgentError, EndpointFailure};
use rcgen::{CertificateParams, IsCa};
use serde_json::{Value, json};
use std::path::Path;

const HOST: &str = "127.0.0.1";

/// Asks once with these settings and variables; returns the text or the error, and the number of tries.
async fn ask_with(
    url: &str,
    settings: &Value,
    variables: &[(&str, &str)],
) -> (Result<String, AgentError>, usize) {
    let observer = RecordingObserver::new(request());
    let mut all = json!({"stream": false});
    all.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let result = ask(agent_with(url, &all, variables).as_mut(), &request(), &observer).await;
    let tries = observer.tries.lock().unwrap().len();
    (result.map(|reply| reply.text), tries)
}

/// Asserts that the certificate is refused at once with this sentence.
async fn assert_refused(server: &TlsServer, settings: &Value, says: &[&str]) {
    let (result, tries) = ask_with(&server.url(), settings, &[]).await;
    let error = result.unwrap_err();
    assert_eq!(EndpointFailure::of(&error), Some(EndpointFailure::Certificate), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("the connection is not secure: ") && !text.contains("tried"), "{text}");
    for part in says {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert_eq!((tries, server.requests().len()), (1, 0), "a certificate does not change by a retry");
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn an_own_authority_is_trusted_by_the_setting_or_the_variable() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new("Test Root");
    let server = TlsServer::start(&authority.sign(&params(&[HOST], "server")), None);
    let signed = "the certificate of 127.0.0.1 is signed by \"Test Root\", which is not trusted here";
    let advice = "set model.ca_file or the variable SSL_CERT_FILE to a PEM file with its certificate";
    assert_refused(&server, &json!({}), &[signed, advice]).await;
    let (file, _) = authority.identity.write(folder.path(), "root");
    for (settings, variables) in
        [(json!({"ca_file": path(&file)}), vec![]), (json!({}), vec![("SSL_CERT_FILE", path(&file))])]
    {
        let (result, _) = ask_with(&server.url(), &settings, &variables).await;
        assert_eq!(result.unwrap(), REPLY);
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn each_certificate_that_is_not_accepted_has_its_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new("Test Root");
    let (file, _) = authority.identity.write(folder.path(), "root");
    let changed = |change: fn(&mut CertificateParams)| {
        let mut params = params(&[HOST], "server");
        change(&mut params);
        params
    };
    let cases: [(CertificateParams, &[&str]); 4] = [
        (
            changed(|params| params.not_after = rcgen::date_time_ymd(2020, 1, 2)),
            &["the certificate of 127.0.0.1 expired on 2020-01-02; the server needs a new one"],
        ),
        (
            changed(|params| params.not_before = rcgen::date_time_ymd(2999, 1, 2)),
            &["is valid only from 2999-01-02 on; check the clock of this computer"],
        ),
        (
            params(&["other.example", "10.0.0.1"], "server"),
            &["the certificate of the server is not for 127.0.0.1, but for other.example", "model.base_url"],
        ),
        (
            changed(|params| params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained)),
            &["is that of an authority (CA:TRUE), not of a server"],
        ),
    ];
    for (params, says) in cases {
        let server = TlsServer::start(&authority.sign(&params), None);
        assert_refused(&server, &json!({"ca_file": path(&file)}), says).await;
    }
}

#[tokio::test]
async fn a_server_may_ask_for_a_client_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new("Test Root");
    let others = Authority::new("Other Root");
    let server = TlsServer::start(&authority.sign(&params(&[HOST], "server")), Some(&authority));
    let (root, _) = authority.identity.write(folder.path(), "root");
    let (file, key) = authority.sign(&params(&[], "me")).write(folder.path(), "me");
    let (strange, strange_key) = others.sign(&params(&[], "me")).write(folder.path(), "strange");
    let with = |cert: &Path, key: &Path| json!({"ca_file": path(&root), "client_cert": path(cert), "client_key": path(key)});
    let none = json!({"ca_file": path(&root)});
    let asks = "127.0.0.1 asks for a client certificate; set model.client_cert and model.client_key";
    assert_refused(&server, &none, &[asks]).await;
    let refused = "127.0.0.1 does not accept the client certificate of model.client_cert";
    assert_refused(&server, &with(&strange, &strange_key), &[refused]).await;
    let (result, _) = ask_with(&server.url(), &with(&file, &key), &[]).await;
    assert_eq!(result.unwrap(), REPLY);
    let (result, _) = ask_with(&server.url(), &with(&file, &strange_key), &[]).await;
    let error = result.unwrap_err().to_string();
    assert!(error.contains("model.client_cert and model.client_key do not belong together"), "{error}");
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_named_with_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    let own = Identity::self_signed(&params(&[HOST], "server"));
    let (file, _) = own.write(folder.path(), "own");
    let missing = folder.path().join("missing.pem");
    for (settings, variables, says) in [
        (json!({"ca_file": path(&missing)}), vec![], "model.ca_file: /"),
        (json!({"ca_file": path(&empty)}), vec![], "empty.pem contains no certificate in PEM form"),
        (json!({"client_cert": path(&file)}), vec![], "model.client_cert: /"),
        (json!({"client_cert": path(&file)}), vec![], "own.pem contains no private key"),
        (json!({}), vec![("SSL_CERT_FILE", path(&missing))], "the variable SSL_CERT_FILE: /"),
    ] {
        let (result, tries) = ask_with("https://127.0.0.1:1/v1", &settings, &variables).await;
        let error = result.unwrap_err().to_string();
        assert!(error.starts_with("the request cannot be sent: ") && error.contains(says), "{error}");
        assert_eq!(tries, 0, "nothing was sent");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_named() {
    let server = Server::start(Behavior::Normal);
    let url = server.url().replace("http://", "https://");
    let (result, tries) = ask_with(&url, &json!({}), &[]).await;
    let error = result.unwrap_err().to_string();
    assert!(error.contains("the server does not use TLS; if it is meant to, check the port"), "{error}");
    assert_eq!(tries, 1, "a retry does not help");
}

#[tokio::test]
async fn a_self_signed_certificate_is_named_and_accepted_if_it_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let own = Identity::self_signed(&params(&[HOST], "server"));
    let server = TlsServer::start(&own, None);
    let says = "the certificate of 127.0.0.1 is self-signed; if you trust this server, save its certificate as a PEM \
                file and set model.ca_file to it";
    assert_refused(&server, &json!({}), &[says]).await;
    let (file, _) = own.write(folder.path(), "own");
    let (result, _) = ask_with(&server.url(), &json!({"ca_file": path(&file)}), &[]).await;
    assert_eq!(result.unwrap(), REPLY);
    // One with the same name and another key.
    let again = TlsServer::start(&Identity::self_signed(&params(&[HOST], "server")), None);
    assert_refused(&again, &json!({"ca_file": path(&file)}), &[says]).await;
}
