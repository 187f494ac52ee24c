//! What passes the proxy, tried without a browser: by a client that writes requests as they are sent.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::resolver::Resolver;
use super::{Account, Credentials, Customer, Proxy};
use crate::web::{LoadError, LoadErrorKind, LocalSites, NetworkRules, SiteAnswer, SiteRequest};

/// What a session was informed of.
#[derive(Debug, Default)]
struct Notes(Mutex<Vec<(String, LoadErrorKind)>>);

impl Customer for Notes {
    fn failed(&self, place: &str, _: &str, error: &LoadError) {
        self.0.lock().unwrap().push((place.to_owned(), error.kind));
    }

    fn reached(&self, _: &str) {}
}

/// Names with a list of answers: each question takes the next one, the last one stays.
#[derive(Debug)]
struct Names(Mutex<Vec<Vec<IpAddr>>>);

impl Names {
    fn of(answers: &[&[&str]]) -> Self {
        let answers = answers.iter().map(|answer| answer.iter().map(|text| text.parse().unwrap()).collect());
        Self(Mutex::new(answers.collect()))
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
        Box::pin(async move { Ok(answer) })
    }
}

#[derive(Debug)]
struct Echo;

impl LocalSites for Echo {
    fn serves(&self, host: &str) -> bool {
        host == "echo.test"
    }

    fn answer(&self, request: &SiteRequest) -> SiteAnswer {
        let SiteRequest { method, host, target, body } = request;
        let text = format!("{method} {host} {target} {}", String::from_utf8_lossy(body));
        SiteAnswer { status: 201, headers: Vec::new(), body: text.into_bytes(), delay: Duration::ZERO }
    }
}

/// A proxy with an account.
struct Setting {
    proxy: Proxy,
    account: Account,
    notes: Arc<Notes>,
    header: String,
}

async fn setting(rules: &NetworkRules, names: &[&[&str]]) -> Setting {
    let proxy = Proxy::start_with(rules, Box::new(Names::of(names))).await.unwrap();
    let credentials = Credentials::random(1).unwrap();
    let header = format!("Proxy-Authorization: {}\r\n", credentials.header());
    let notes = Arc::<Notes>::default();
    let account = proxy.open_account(credentials, notes.clone());
    Setting { proxy, account, notes, header }
}

impl Setting {
    /// Sends this head with the password, and reads everything that is answered.
    async fn send(&self, line: &str, rest: &str) -> String {
        self.send_raw(&format!("{line}\r\n{}Connection: close\r\n{rest}\r\n", self.header)).await
    }

    async fn send_raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.proxy.port())).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let read = timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
        let _ = read.expect("an answer in time");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn failures(&self) -> Vec<(String, LoadErrorKind)> {
        std::mem::take(&mut *self.notes.0.lock().unwrap())
    }
}

/// A server that answers each connection with the head that it got; for tunnels it repeats bytes.
async fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = vec![0; 4096];
                let length = stream.read(&mut head).await.unwrap_or_default();
                let body = String::from_utf8_lossy(&head[..length]).into_owned();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nProxy-Authenticate: x\r\nX-Kept: y\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    port
}

fn allowing(place: &str) -> NetworkRules {
    NetworkRules { allowed: vec![place.to_owned()], ..NetworkRules::default() }
}

#[tokio::test]
async fn a_request_without_the_password_is_refused() {
    let setting = setting(&NetworkRules::default(), &[&["8.8.8.8"]]).await;
    for header in ["", "Proxy-Authorization: Basic c2Vzc2lvbi0xOmE=\r\n"] {
        for line in ["GET http://a.example/ HTTP/1.1", "CONNECT a.example:443 HTTP/1.1"] {
            let answer = setting.send_raw(&format!("{line}\r\n{header}Connection: close\r\n\r\n")).await;
            assert!(answer.starts_with("HTTP/1.1 407 "), "{answer}");
        }
    }
    assert_eq!(setting.account.traffic().counts(), [0, 0, 0]);
    let Setting { proxy, account, notes, header } = setting;
    drop(account);
    let late = format!("GET http://127.0.0.1/ HTTP/1.1\r\n{header}Connection: close\r\n\r\n");
    let mut stream = TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap();
    stream.write_all(late.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 407 ") && notes.0.lock().unwrap().is_empty(), "{answer}");
}

#[tokio::test]
async fn addresses_that_are_not_public_are_refused() {
    let names: &[&[&str]] = &[&["192.168.1.1", "127.0.0.1", "::1", "fe80::1"]];
    let setting = setting(&NetworkRules::default(), names).await;
    for place in ["127.0.0.1:9", "[::1]:9", "10.0.0.1:9", "named.example:9", "[::ffff:127.0.0.1]:9"] {
        let answer = setting.send(&format!("GET http://{place}/ HTTP/1.1"), "").await;
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("is not public"), "{place}: {answer}");
        let answer = setting.send(&format!("CONNECT {place} HTTP/1.1"), "").await;
        assert!(answer.starts_with("HTTP/1.1 403 "), "{place}: {answer}");
        let expected = (place.to_owned(), LoadErrorKind::Refused);
        let failures = setting.failures();
        assert!(failures.len() == 2 && failures.iter().all(|it| *it == expected), "{failures:?}");
    }
    assert_eq!(setting.account.traffic().counts(), [10, 0, 10]);
}

#[tokio::test]
async fn an_address_that_changes_is_checked_each_time() {
    let port = server().await;
    // The first address is allowed, the second one is not, although the name is the same.
    let names: &[&[&str]] = &[&["127.0.0.1"], &["127.0.0.2"]];
    let setting = setting(&allowing(&format!("127.0.0.1:{port}")), names).await;
    let line = format!("GET http://changing.example:{port}/a?b HTTP/1.1");
    let answer = setting.send(&line, "Host: other.example\r\nProxy-Connection: x\r\nX-Sent: z\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("GET /a?b HTTP/1.1"), "{answer}");
    let answer = setting.send(&line, "").await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert_eq!(setting.failures(), [(format!("changing.example:{port}"), LoadErrorKind::Refused)]);
}

#[tokio::test]
async fn heads_about_one_connection_are_not_passed_on() {
    let port = server().await;
    let setting = setting(&allowing("plain.example"), &[&["127.0.0.1"]]).await;
    let rest =
        "Host: other.example\r\nProxy-Connection: x\r\nConnection: X-Named\r\nX-Named: 1\r\nX-Sent: z\r\n";
    let answer = setting.send(&format!("GET http://plain.example:{port}/ HTTP/1.1"), rest).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("X-Kept: y") && !head.contains("Proxy-Authenticate"), "{head}");
    assert!(body.contains(&format!("plain.example:{port}")) && body.contains("X-Sent: z"), "{body}");
    for hidden in ["other.example", "Proxy-", "X-Named"] {
        assert!(!body.contains(hidden), "{hidden} in {body}");
    }
    let [requests, bytes, refused] = setting.account.traffic().counts();
    assert_eq!((requests, bytes, refused), (1, body.len() as u64, 0));
}

#[tokio::test]
async fn local_sites_are_served_on_their_port_only() {
    let rules = NetworkRules { sites: Some(Arc::new(Echo)), ..NetworkRules::default() };
    let setting = setting(&rules, &[&["8.8.8.8"]]).await;
    let answer = setting.send("POST http://ECHO.test/a?b=%20 HTTP/1.1", "Content-Length: 3\r\n\r\nabc").await;
    assert!(
        answer.starts_with("HTTP/1.1 201 ") && answer.ends_with("POST echo.test /a?b=%20 abc"),
        "{answer}"
    );
    assert!(setting.send("GET http://echo.test:8080/ HTTP/1.1", "").await.starts_with("HTTP/1.1 403 "));
    assert!(setting.send("CONNECT echo.test:443 HTTP/1.1", "").await.starts_with("HTTP/1.1 403 "));
    assert!(setting.send("GET /origin HTTP/1.1", "Host: echo.test\r\n").await.starts_with("HTTP/1.1 400 "));
}

#[tokio::test]
async fn names_without_an_address_and_silent_places_are_told_apart() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let setting = setting(&allowing("127.0.0.1"), &[&[]]).await;
    let answer = setting.send("GET http://none.example/ HTTP/1.1", "").await;
    assert!(
        answer.starts_with("HTTP/1.1 502 ") && answer.contains("none.example has no address"),
        "{answer}"
    );
    setting.send(&format!("GET http://127.0.0.1:{closed}/ HTTP/1.1"), "").await;
    let kinds: Vec<_> = setting.failures().into_iter().map(|failure| failure.1).collect();
    assert_eq!(kinds, [LoadErrorKind::NoHost, LoadErrorKind::Unreachable]);
}

/// Opens a tunnel, sends bytes, and reads what comes back.
async fn through_tunnel(setting: &Setting, place: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", setting.proxy.port())).await.unwrap();
    let head = format!("CONNECT {place} HTTP/1.1\r\n{}\r\n", setting.header);
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let length = stream.read(&mut answer).await.unwrap();
    let head = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    stream.write_all(b"hello in the tunnel").await.unwrap();
    let mut rest = Vec::new();
    timeout(Duration::from_secs(20), stream.read_to_end(&mut rest)).await.unwrap().unwrap();
    String::from_utf8_lossy(&rest).into_owned()
}

#[tokio::test]
async fn tunnels_move_bytes_and_end_with_the_proxy() {
    let port = server().await;
    let setting = setting(&allowing("127.0.0.1"), &[&[]]).await;
    let answer = through_tunnel(&setting, &format!("127.0.0.1:{port}")).await;
    assert!(answer.ends_with("\r\n\r\nhello in the tunnel"), "{answer}");
    assert!(setting.account.traffic().counts()[1] > 40);
    // One that is open and silent.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent_port = silent.local_addr().unwrap().port();
    let mut stream = TcpStream::connect(("127.0.0.1", setting.proxy.port())).await.unwrap();
    let head = format!("CONNECT 127.0.0.1:{silent_port} HTTP/1.1\r\n{}\r\n", setting.header);
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut far, _) = silent.accept().await.unwrap();
    stream.read_exact(&mut [0; 12]).await.unwrap();
    drop(setting.proxy);
    let ended = timeout(Duration::from_secs(10), far.read(&mut [0; 10])).await.expect("it ends in time");
    assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
}

#[tokio::test]
async fn the_proxy_of_the_user_is_used_for_public_places() {
    let port = server().await;
    let user = format!("http://me:secret@127.0.0.1:{port}");
    let rules = NetworkRules { proxy: Some(user), ..allowing("near.example") };
    let setting = setting(&rules, &[&["8.8.8.8"], &["127.0.0.1"], &["10.0.0.1"], &[]]).await;
    let answer = setting.send("GET http://public.example/x HTTP/1.1", "").await;
    assert!(answer.contains("GET http://public.example/x HTTP/1.1"), "{answer}");
    assert!(answer.contains("Basic bWU6c2VjcmV0"), "{answer}");
    let answer = setting.send(&format!("GET http://near.example:{port}/x HTTP/1.1"), "").await;
    assert!(answer.contains("GET /x HTTP/1.1") && !answer.contains("Basic"), "{answer}");
    assert!(setting.send("GET http://hidden.example/ HTTP/1.1", "").await.starts_with("HTTP/1.1 403 "));
    // Names that only that proxy can resolve.
    let answer = setting.send("GET http://far.example/ HTTP/1.1", "").await;
    assert!(answer.contains("GET http://far.example/ HTTP/1.1"), "{answer}");
    for local in ["localhost", "printer", "printer.local", "metadata.internal"] {
        let answer = setting.send(&format!("GET http://{local}/ HTTP/1.1"), "").await;
        assert!(answer.starts_with("HTTP/1.1 502 "), "{local}: {answer}");
    }
}

#[tokio::test]
async fn large_heads_are_refused() {
    let setting = setting(&NetworkRules::default(), &[&[]]).await;
    let large = format!("X-Large: {}\r\n", "x".repeat(2 * super::MOST_HEAD));
    let answer = setting.send("GET http://a.example/ HTTP/1.1", &large).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
}
