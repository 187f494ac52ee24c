//! What the browser can reach: tried with servers of this machine.

use std::sync::{Arc, Mutex};

use libtest_mimic::Trial;
use mageyard::browser::web::{Happening, LoadErrorKind, NetworkRules, WebFault, WebSession};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::sites::{Sites, html};
use super::{browser, browser_with, rules, session_of, until, until_happened, value};
use crate::harness::trial;
use crate::server::Counter;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::network::loopback_is_refused", loopback_is_refused),
        trial("web::network::no_way_leads_to_a_private_address", no_way_leads_to_a_private_address),
        trial("web::network::what_is_allowed_is_reached", what_is_allowed_is_reached),
        trial("web::network::a_redirect_to_a_private_address_is_refused", a_redirect_is_refused),
        trial("web::network::names_without_an_address_are_known", no_host),
        trial("web::network::local_sites_are_served_under_their_names", local_sites),
        trial("web::network::local_sites_have_no_encryption", no_encryption),
        trial("web::network::the_proxy_of_the_user_is_used", the_proxy_of_the_user),
        trial("web::network::a_request_without_the_password_is_refused", without_the_password),
        trial("web::network::web_sockets_pass", web_sockets_pass),
        trial("web::network::pages_cannot_use_the_proxy_itself", not_the_proxy_itself),
        trial("web::network::web_rtc_reaches_nothing", web_rtc),
        trial("web::network::wrong_rules_are_a_failure", wrong_rules),
    ]
}

/// A server that keeps the first lines and the hosts of its requests, and answers with a page; web sockets and tunnels
/// are accepted.
struct Server {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let kept = heads.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, kept.clone()));
            }
        });
        Self { port, heads }
    }

    /// The heads that have all of these parts.
    fn with(&self, parts: &[&str]) -> usize {
        let heads = self.heads.lock().unwrap();
        heads.iter().filter(|head| parts.iter().all(|part| head.contains(part))).count()
    }
}

async fn answer(mut stream: TcpStream, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = vec![0; 8192];
    let length = stream.read(&mut head).await.unwrap_or_default();
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    heads.lock().unwrap().push(head.clone());
    let body = "<!doctype html><title>server</title><p>reached";
    let is_socket = head.to_ascii_lowercase().contains("upgrade: websocket");
    let text = if is_socket {
        // The key of a handshake is answered as RFC 6455 has it; a test page only needs to see the handshake arrive.
        "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
    } else {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let _ = stream.write_all(text.as_bytes()).await;
}

fn refused(fault: Result<(), WebFault>) -> String {
    match fault {
        Err(WebFault::NetworkError(error)) if error.kind == LoadErrorKind::Refused => error.text,
        other => panic!("not refused: {other:?}"),
    }
}

async fn loopback_is_refused() {
    let counter = Counter::start().await;
    let session = session_of(&browser()).await;
    let port = counter.port;
    for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "sub.localhost"] {
        for scheme in ["http", "https"] {
            let fault = session.goto(&format!("{scheme}://{host}:{port}/x")).await;
            let Err(WebFault::NetworkError(error)) = fault else { panic!("{scheme} {host}: {fault:?}") };
            let kinds = [LoadErrorKind::Refused, LoadErrorKind::NoHost];
            assert!(kinds.contains(&error.kind), "{scheme} {host}: {error:?}");
            assert!(host.ends_with("localhost") || error.text.contains("is not public"), "{error:?}");
            let document = session.document();
            assert_eq!((document.status, document.error), (None, Some(error)), "{scheme} {host}");
        }
    }
    assert_eq!(counter.count(), 0);
    assert!(session.requests().refused >= 6, "{:?}", session.requests());
    let is_refused =
        |it: &Happening| matches!(it, Happening::Refused { why, .. } if why.contains("loopback"));
    until_happened(&session, is_refused).await;
}

/// Ways of a page to reach `HOST`.
const WAYS: &str = "<img src='http://HOST/img'><iframe src='http://HOST/frame'></iframe>
<link rel=prefetch href='http://HOST/prefetch'><link rel=preconnect href='http://HOST'>
<script src='http://HOST/script'></script><link rel=stylesheet href='http://HOST/css'>
<script>
fetch('http://HOST/fetch', { mode: 'no-cors' }).catch(() => 0);
fetch('http://HOST/keep', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }).catch(() => 0);
navigator.sendBeacon('http://HOST/beacon', 'x');
new WebSocket('ws://HOST/ws'); new EventSource('http://HOST/events');
try { new WebTransport('https://HOST/wt').ready.catch(() => 0) } catch (_) {}
const inner = \"fetch('http://HOST/wf', { mode: 'no-cors' }).catch(() => 0); new WebSocket('ws://HOST/wws')\";
new Worker(URL.createObjectURL(new Blob([inner])));
new SharedWorker('data:text/javascript,' + encodeURIComponent(inner));
</script>";

async fn no_way_leads_to_a_private_address() {
    let counter = Counter::start().await;
    for host in [format!("127.0.0.1:{}", counter.port), format!("localhost:{}", counter.port)] {
        let page = html(&format!("<!doctype html><p>here{}", WAYS.replace("HOST", &host)));
        let session = session_of(&browser_with(rules(&Sites::default().page("ways.test", "/", page)))).await;
        session.goto("http://ways.test/").await.unwrap();
        session.settle().await;
        assert_eq!(counter.count(), 0, "{host}");
        let refused = session.requests().refused;
        assert!(refused >= 8, "{host}: {refused}");
        assert_eq!(value(&session, "document.querySelector('p').innerText").await, json!("here"));
    }
}

async fn what_is_allowed_is_reached() {
    let server = Server::start().await;
    let place = format!("127.0.0.1:{}", server.port);
    for allowed in [place.clone(), "127.0.0.0/8".to_owned()] {
        let session =
            session_of(&browser_with(NetworkRules { allowed: vec![allowed], ..NetworkRules::default() }))
                .await;
        session.goto(&format!("http://{place}/page?q=1")).await.unwrap();
        assert_eq!(value(&session, "document.body.innerText").await, json!("reached"));
        assert_eq!(session.document().status, Some(200));
        assert!(server.with(&["GET /page?q=1 HTTP/1.1", &format!("Host: {place}")]) >= 1);
        let other = Server::start().await;
        let next = session.goto(&format!("http://localhost:{}/", other.port)).await;
        assert_eq!(next.is_ok(), other.with(&["GET / "]) > 0, "{next:?}");
    }
}

async fn a_redirect_is_refused() {
    let session = session_of(&browser()).await;
    let why = refused(session.goto("http://shop.test/to_private").await);
    assert!(why.contains("127.0.0.1") && why.contains("loopback"), "{why}");
    let document = session.document();
    assert_eq!((document.url.as_str(), document.redirects.len()), ("http://127.0.0.1:8123/secret", 1));
}

async fn no_host() {
    let session = session_of(&browser()).await;
    for address in ["http://no-such-name.invalid/", "https://no-such-name.invalid/"] {
        let fault = session.goto(address).await;
        let Err(WebFault::NetworkError(error)) = fault else { panic!("{fault:?}") };
        assert_eq!(error.kind, LoadErrorKind::NoHost, "{error:?}");
        assert_eq!((session.address().as_str(), session.document().status), (address, None));
    }
    session.goto("http://shop.test/").await.unwrap();
}

async fn local_sites() {
    let page = html(
        "<!doctype html><form method=post action=/sent><input name=a value='b c'></form><script src='/code.js'></script>",
    );
    let sites = Sites::default().page("local.test", "/", page).page("local.test", "/sent", html("<p>sent"));
    let session = session_of(&browser_with(rules(&sites))).await;
    session.goto("http://LOCAL.test./").await.unwrap();
    session.goto("http://local.test/").await.unwrap();
    value(&session, "void document.forms[0].submit()").await;
    session.settle().await;
    assert_eq!(session.address(), "http://local.test/sent");
    let sent = sites.requests("local.test", "/sent");
    assert_eq!((sent[0].method.as_str(), sent[0].body.as_slice()), ("POST", b"a=b+c".as_slice()));
    assert!(!sites.requests("local.test", "/code.js").is_empty());
}

async fn no_encryption() {
    let session = session_of(&browser()).await;
    let why = refused(session.goto("https://shop.test/").await);
    assert!(why.contains("only http"), "{why}");
    session.goto("http://shop.test/").await.unwrap();
}

async fn the_proxy_of_the_user() {
    let proxy = Server::start().await;
    let url = format!("http://me:secret@127.0.0.1:{}", proxy.port);
    let network = NetworkRules { proxy: Some(url), ..rules(&Sites::all()) };
    let session = session_of(&browser_with(network)).await;
    session.goto("http://8.8.8.8/far").await.unwrap();
    assert_eq!(value(&session, "document.body.innerText").await, json!("reached"));
    assert!(proxy.with(&["GET http://8.8.8.8/far HTTP/1.1", "Basic bWU6c2VjcmV0"]) >= 1);
    // The server has no encryption, so the tunnel is all that it gets.
    session.goto("https://8.8.8.8/").await.unwrap_err();
    assert!(proxy.with(&["CONNECT 8.8.8.8:443 HTTP/1.1", "Basic bWU6c2VjcmV0"]) >= 1);
    session.goto("http://shop.test/").await.unwrap();
    assert_eq!(proxy.with(&["shop.test"]), 0);
    refused(session.goto(&format!("http://127.0.0.1:{}/", proxy.port)).await);
}

async fn without_the_password() {
    let browser = browser_with(rules(&Sites::all()));
    let session = session_of(&browser).await;
    session.goto("http://shop.test/").await.unwrap();
    let port = browser.proxy_port().await.unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(b"GET http://shop.test/ HTTP/1.1\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 407 ") && !answer.contains("Shop"), "{answer}");
}

async fn web_sockets_pass() {
    let server = Server::start().await;
    let place = format!("127.0.0.1:{}", server.port);
    let script = format!(
        "<p>here<script>const socket = new WebSocket('ws://{place}/socket');
         socket.onerror = () => {{ document.body.dataset.tried = 'yes' }}</script>"
    );
    let sites = Sites::default().page("socket.test", "/", html(&script));
    let network = NetworkRules { allowed: vec![place.clone()], ..rules(&sites) };
    let session = session_of(&browser_with(network)).await;
    session.goto("http://socket.test/").await.unwrap();
    until(&session, "document.body.dataset.tried === 'yes'").await;
    assert_eq!(server.with(&["GET /socket HTTP/1.1", &format!("Host: {place}"), "Upgrade: websocket"]), 1);
}

/// The port of the proxy is a place like any other of this machine.
async fn not_the_proxy_itself() {
    let browser = browser_with(rules(&Sites::all()));
    let session: WebSession = session_of(&browser).await;
    let port = browser.proxy_port().await.unwrap();
    refused(session.goto(&format!("http://127.0.0.1:{port}/")).await);
}

async fn web_rtc() {
    let counter = Counter::start().await;
    let script = "<p>here<script>(async () => {
        const urls = ['stun:127.0.0.1:PORT', 'turn:127.0.0.1:PORT?transport=udp'];
        const peer = new RTCPeerConnection({ iceServers: urls.map((url) => ({ urls: url, username: 'u', credential: 'c' })) });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        document.body.dataset.tried = 'yes';
    })().catch((error) => { document.body.dataset.tried = String(error) })</script>";
    let page = html(&script.replace("PORT", &counter.port.to_string()));
    let session = session_of(&browser_with(rules(&Sites::default().page("rtc.test", "/", page)))).await;
    session.goto("http://rtc.test/").await.unwrap();
    until(&session, "'tried' in document.body.dataset").await;
    assert_eq!(value(&session, "document.body.dataset.tried").await, json!("yes"));
    session.settle().await;
    assert_eq!(counter.count(), 0);
}

async fn wrong_rules() {
    let network = NetworkRules { allowed: vec!["10.0.0.0/99".to_owned()], ..NetworkRules::default() };
    assert!(network.check().is_err());
    let failure = browser_with(network).version().await.unwrap_err().to_string();
    assert!(failure.contains("\"10.0.0.0/99\" is not a place"), "{failure}");
}
