//! Proxies: which servers are reached through them, and the sentence for each that fails.

use super::agent_fixture::{RecordingObserver, agent_with, ask, request};
use super::test_proxy::{ProxyKind, TestProxy};
use super::tls_server::{Authority, REPLY, TlsServer, params};
use crate::server::{Behavior, Server};
use serde_json::json;
use std::net::SocketAddr;

/// A name that only a proxy can resolve.
const URL: &str = "http://model.test:8080/v1";

fn server() -> Server {
    let server = Server::start(Behavior::Normal);
    for _ in 0..4 {
        server.queue_reply(REPLY);
    }
    server
}

fn address(server: &Server) -> SocketAddr {
    server.url().trim_start_matches("http://").trim_end_matches("/v1").parse().unwrap()
}

/// Asks once with these variables; returns the text or the error, and the number of tries.
async fn ask_through(url: &str, variables: &[(&str, &str)]) -> (Result<String, String>, usize) {
    let observer = RecordingObserver::new(request());
    let mut agent = agent_with(url, &json!({"max_retries": 1}), variables);
    let result = ask(agent.as_mut(), &request(), &observer).await;
    let tries = observer.tries.lock().unwrap().len();
    (result.map(|reply| reply.text).map_err(|error| error.to_string()), tries)
}

#[tokio::test]
async fn each_kind_of_proxy_connects_to_the_server() {
    let server = server();
    for (kind, variable, scheme, url, host) in [
        (ProxyKind::Http, "HTTP_PROXY", "http://", URL, "model.test:8080"),
        (ProxyKind::HttpWithUser, "http_proxy", "http://me:secret@", URL, "model.test:8080"),
        (ProxyKind::Http, "ALL_PROXY", "", URL, "model.test:8080"),
        (ProxyKind::Socks, "ALL_PROXY", "socks5h://", URL, "model.test:8080"),
        (ProxyKind::SocksWithUser, "all_proxy", "socks5h://me:secret@", URL, "model.test:8080"),
        (ProxyKind::Socks, "HTTP_PROXY", "socks5://", "http://10.9.8.7:8080/v1", "10.9.8.7:8080"),
    ] {
        let proxy = TestProxy::start(kind, address(&server));
        server.queue_reply(REPLY);
        let text = format!("{scheme}{}", proxy.address);
        let (result, tries) = ask_through(url, &[(variable, &text)]).await;
        assert_eq!((result.as_deref(), tries), (Ok(REPLY), 1), "{kind:?}");
        assert_eq!(proxy.hosts(), [host], "{kind:?}");
    }
}

#[tokio::test]
async fn a_tunnel_keeps_the_connection_secure() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new("Test Root");
    let server = TlsServer::start(&authority.sign(&params(&["model.test"], "server")), None);
    let (file, _) = authority.identity.write(folder.path(), "root");
    for (kind, scheme) in [(ProxyKind::Http, "http"), (ProxyKind::Socks, "socks5h")] {
        let proxy = TestProxy::start(kind, server.address);
        let variable = format!("{scheme}://{}", proxy.address);
        let variables = [("HTTPS_PROXY", variable.as_str())];
        let settings = json!({"stream": false, "ca_file": file.to_str().unwrap()});
        let observer = RecordingObserver::new(request());
        let mut agent = agent_with("https://model.test/v1", &settings, &variables);
        let reply = ask(agent.as_mut(), &request(), &observer).await.unwrap();
        assert_eq!(
            (reply.text.as_str(), proxy.hosts()),
            (REPLY, vec!["model.test:443".to_owned()]),
            "{kind:?}"
        );
        let mut agent = agent_with("https://model.test/v1", &json!({}), &variables);
        let error = ask(agent.as_mut(), &request(), &observer).await.unwrap_err().to_string();
        assert!(
            error.contains("the certificate of model.test is signed by \"Test Root\""),
            "{kind:?}: {error}"
        );
    }
}

#[tokio::test]
async fn each_failure_of_a_proxy_has_its_sentence() {
    let server = server();
    let start = |kind| TestProxy::start(kind, address(&server)).address;
    let gone = Server::start(Behavior::Normal)
        .url()
        .trim_start_matches("http://")
        .trim_end_matches("/v1")
        .to_owned();
    let users = start(ProxyKind::HttpWithUser);
    let refusing = start(ProxyKind::Refusing);
    let socks = start(ProxyKind::Socks);
    let socks_users = start(ProxyKind::SocksWithUser);
    let secure = "https://model.test/v1";
    for (url, variable, proxy, tries, says) in [
        (
            URL,
            "HTTP_PROXY",
            format!("http://{gone}"),
            2,
            format!("the proxy http://{gone} (HTTP_PROXY) cannot be reached: "),
        ),
        (
            secure,
            "HTTPS_PROXY",
            gone.clone(),
            2,
            format!("the proxy http://{gone} (HTTPS_PROXY) cannot be reached: "),
        ),
        (
            URL,
            "ALL_PROXY",
            format!("socks5h://{gone}"),
            2,
            format!("the proxy socks5h://{gone} (ALL_PROXY) cannot be reached; check"),
        ),
        (
            secure,
            "HTTPS_PROXY",
            users.to_string(),
            1,
            format!("the proxy http://{users} (HTTPS_PROXY) asks for a user name and a password; write"),
        ),
        (
            URL,
            "HTTP_PROXY",
            users.to_string(),
            1,
            format!("the proxy http://{users} (HTTP_PROXY) asks for a user name and a password; write"),
        ),
        (
            secure,
            "HTTPS_PROXY",
            refusing.to_string(),
            2,
            format!("the proxy http://{refusing} (HTTPS_PROXY) refuses to connect to model.test"),
        ),
        (
            URL,
            "ALL_PROXY",
            format!("socks5h://me:wrong@{socks_users}"),
            1,
            format!("the proxy socks5h://{socks_users} (ALL_PROXY) asks for a user name"),
        ),
        (
            URL,
            "ALL_PROXY",
            format!("socks5h://{socks_users}"),
            1,
            format!("the proxy socks5h://{socks_users} (ALL_PROXY) asks for a user name"),
        ),
        (
            URL,
            "ALL_PROXY",
            "socks://127.0.0.1".to_owned(),
            0,
            "ALL_PROXY has a proxy of an unknown kind".to_owned(),
        ),
        (
            "http://[fd00::1]:80/v1",
            "ALL_PROXY",
            format!("socks5h://{socks}"),
            2,
            format!("the proxy socks5h://{socks} (ALL_PROXY) cannot connect to [fd00::1]"),
        ),
    ] {
        let (result, tried) = ask_through(url, &[(variable, &proxy)]).await;
        let error = result.unwrap_err();
        assert!(error.contains(&says) && !error.contains("wrong"), "{says:?} is not in {error}");
        assert_eq!(tried, tries, "{error}");
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn hosts_of_no_proxy_are_reached_directly() {
    let server = server();
    let proxy = TestProxy::start(ProxyKind::Http, address(&server));
    // This address leads to the server, but is not one of this machine by its form.
    let url = server.url().replace("127.0.0.1", "0.0.0.0");
    let proxied = proxy.address.to_string();
    for (no_proxy, through) in [("", 1), ("*", 0), ("model.test, 0.0.0.0/8", 0), ("model.test", 1)] {
        let before = proxy.hosts().len();
        server.queue_reply(REPLY);
        let (result, _) = ask_through(&url, &[("HTTP_PROXY", &proxied), ("NO_PROXY", no_proxy)]).await;
        assert_eq!(result.as_deref(), Ok(REPLY), "{no_proxy}");
        assert_eq!(proxy.hosts().len() - before, through, "{no_proxy:?}");
    }
}
