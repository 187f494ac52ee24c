//! Proxies: which servers are reached through them, and the sentence for each that fails.

use super::runs::{args, sandbox};
use super::test_proxy::{ProxyKind, TestProxy};
use super::tls_server::REPLY;
use crate::server::{Behavior, Server};
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

#[test]
fn the_program_uses_the_proxy_of_its_variables_and_not_for_this_machine() {
    let server = Server::start(Behavior::Normal);
    let proxy = TestProxy::start(ProxyKind::Socks, address(&server));
    let sandbox = sandbox().with("ALL_PROXY", &format!("socks5h://{}", proxy.address));
    let play = |url: &str| sandbox.run(&args(url, &["lost.xsb", "--max-steps", "1"]));
    assert_eq!(play(URL).code, Some(0));
    assert_eq!(proxy.hosts(), ["model.test:8080"]);
    assert_eq!(play(&server.url()).code, Some(0));
    assert_eq!((proxy.hosts().len(), server.requests().len()), (1, 2));
}

#[test]
fn doctor_names_the_proxy_or_why_there_is_none() {
    let server = server();
    let proxy = TestProxy::start(ProxyKind::Socks, address(&server));
    let detail = |url: &str, value: &str| {
        let sandbox = sandbox().with("ALL_PROXY", value);
        let rows = sandbox.run(&["doctor", "--model", "mock", "--base-url", url, "--json"]).json_lines();
        let row = rows.into_iter().find(|row| row["name"] == "model, proxy").unwrap();
        (row["verdict"].as_str().unwrap().to_owned(), row["detail"].as_str().unwrap().to_owned())
    };
    let with_user = format!("socks5h://me:secret@{}", proxy.address);
    let shown = format!("socks5h://{} (ALL_PROXY)", proxy.address);
    assert_eq!(detail(URL, &with_user), ("ok".to_owned(), shown));
    let local = "none: ALL_PROXY is set, but the server is on this machine".to_owned();
    assert_eq!(detail(&server.url(), &with_user), ("ok".to_owned(), local));
    let (verdict, detail) = detail(URL, "ftp://p:1");
    assert!(verdict == "fail" && detail.starts_with("ALL_PROXY has a proxy of an unknown kind"), "{detail}");
}
