//! No page reaches the network, another folder, or another page: each way is tried against a server that counts.

use std::time::Duration;

use libtest_mimic::Trial;
use mageyard::browser::Viewport;
use serde_json::json;

use crate::harness::{folder, opened, pool, trial, until, value};
use crate::server::Counter;

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("isolation::no_way_leads_to_the_network", no_way_leads_to_the_network),
        trial("isolation::navigation_away_is_refused", navigation_away_is_refused),
        trial("isolation::web_rtc_reaches_nothing", web_rtc_reaches_nothing),
        trial("isolation::files_outside_are_refused", files_outside_are_refused),
        trial("isolation::files_of_the_folder_load", files_of_the_folder_load),
        trial("isolation::what_is_blocked_is_listed", what_is_blocked_is_listed),
    ]
}

/// Elements and calls that each try to reach `HOST`; what throws says nothing.
const WAYS: &[&str] = &[
    "<img src='http://HOST/img'><img srcset='http://HOST/srcset 1x'><picture><source srcset='http://HOST/p'><img></picture>",
    "<script src='http://HOST/script'></script><script type=module src='http://HOST/module'></script>",
    "<link rel=stylesheet href='http://HOST/css'><style>@import 'http://HOST/import'; body { background: url(http://HOST/bg) }
     @font-face { font-family: f; src: url(http://HOST/font) } p { font-family: f }</style><p>text",
    "<link rel=prefetch href='http://HOST/prefetch'><link rel=preload as=image href='http://HOST/preload'>
     <link rel=preconnect href='http://HOST'><link rel=dns-prefetch href='http://HOST'>
     <link rel=modulepreload href='http://HOST/mp'><link rel=prerender href='http://HOST/pr'>
     <link rel=icon href='http://HOST/icon'><link rel=manifest href='http://HOST/manifest'>",
    "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"http://HOST/s\"]}],
     \"prerender\":[{\"source\":\"list\",\"urls\":[\"http://HOST/s2\"]}]}</script>",
    "<iframe src='http://HOST/frame'></iframe><iframe srcdoc=\"<img src='http://HOST/srcdoc'>\"></iframe>
     <iframe src=\"data:text/html,<img src='http://HOST/dataframe'><script>new WebSocket('ws://HOST/fws')</script>\"></iframe>
     <iframe sandbox='allow-scripts' srcdoc=\"<script>fetch('http://HOST/sandboxed')</script>\"></iframe>",
    "<object data='http://HOST/object'></object><embed src='http://HOST/embed'>
     <video src='http://HOST/video' poster='http://HOST/poster' autoplay></video><audio src='http://HOST/audio' autoplay></audio>
     <svg><image href='http://HOST/svg'></image><use href='http://HOST/use#x'></use></svg><track src='http://HOST/track'>",
    "<a id=ping href='#' ping='http://HOST/ping'>a</a><script>document.getElementById('ping').click()</script>",
    "<script>fetch('http://HOST/fetch', { mode: 'no-cors' }).catch(() => 0);
     fetch('http://HOST/keep', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }).catch(() => 0)</script>",
    "<script>const xhr = new XMLHttpRequest(); xhr.open('GET', 'http://HOST/xhr'); xhr.send()</script>",
    "<script>try { const xhr = new XMLHttpRequest(); xhr.open('GET', 'http://HOST/sync', false); xhr.send() } catch (_) {}</script>",
    "<script>new WebSocket('ws://HOST/ws'); new EventSource('http://HOST/events')</script>",
    "<script>try { new WebTransport('https://HOST/wt').ready.catch(() => 0) } catch (_) {}</script>",
    "<script>navigator.sendBeacon('http://HOST/beacon', 'x')</script>",
    "<script>new Image().src = 'http://HOST/image'; window.open('http://HOST/open'); window.open('http://HOST/noopener', '', 'noopener')</script>",
    "<a id=blank target=_blank href='http://HOST/blank'>a</a><script>document.getElementById('blank').click()</script>",
    "<form id=form action='http://HOST/form' method=post target=_blank></form><script>form.submit()</script>",
    "<script>navigator.serviceWorker?.register('http://HOST/sw').catch(() => 0)</script>",
    "<script>const inner = \"try { importScripts('http://HOST/import') } catch (_) {}; fetch('http://HOST/wf', { mode: 'no-cors' }).catch(() => 0); \
       new WebSocket('ws://HOST/wws'); \
       new Worker(URL.createObjectURL(new Blob([`fetch('http://HOST/nested', { mode: 'no-cors' })`])))\";
     new Worker(URL.createObjectURL(new Blob([inner])));
     new Worker('data:text/javascript,' + encodeURIComponent(inner));
     new SharedWorker('data:text/javascript,' + encodeURIComponent(inner));
     try { new Worker('http://HOST/worker') } catch (_) {}</script>",
    "<script>const sheet = new CSSStyleSheet(); document.documentElement.style.background = 'url(http://HOST/style)';
     import('http://HOST/dynamic').catch(() => 0);
     CSS.paintWorklet?.addModule('http://HOST/paint').catch(() => 0);
     new AudioContext().audioWorklet?.addModule('http://HOST/audio').catch(() => 0)</script>",
    "<script>new Notification('x', { icon: 'http://HOST/n' })</script>",
    "<a id=download download href='http://HOST/download'>a</a><script>document.getElementById('download').click()</script>",
];

/// Ways that replace the page; each in a page of its own.
const AWAY: &[&str] = &[
    "<meta http-equiv=refresh content='0; url=http://HOST/refresh'><p>here",
    "<p>here</p><script>location = 'http://HOST/location'</script>",
    "<p>here</p><script>setTimeout(() => location.replace('http://HOST/replace'), 10)</script>",
    "<p>here</p><form id=form action='http://HOST/form'></form><script>setTimeout(() => form.submit(), 10)</script>",
    "<p>here</p><a id=a href='http://HOST/link'>a</a><script>setTimeout(() => a.click(), 10)</script>",
    "<p>here</p><script>setTimeout(() => { location = 'file:///etc/passwd' }, 10)</script>",
    "<p>here</p><script>setTimeout(() => { location = 'view-source:http://HOST/' }, 10)</script>",
    "<p>here</p><script>setTimeout(() => { location = 'missing.html' }, 10)</script>",
];

async fn no_way_leads_to_the_network() {
    let server = Counter::start().await;
    let names = [format!("127.0.0.1:{}", server.port), format!("localhost:{}", server.port)];
    for host in &names {
        for ways in WAYS.chunks(8) {
            let body: String = ways.iter().map(|way| way.replace("HOST", host)).collect();
            let (page, _folder) = opened(&format!("<p id=here>{body}")).await;
            tokio::time::sleep(Duration::from_millis(600)).await;
            assert_eq!(server.count(), 0, "{host}: {:?}", page.blocked());
            assert!(page.blocked().len() > 5, "{:?}", page.blocked());
            assert_eq!(value(&page, "Boolean(document.getElementById('here'))").await, json!(true));
        }
    }
}

async fn navigation_away_is_refused() {
    let server = Counter::start().await;
    for way in AWAY {
        let (page, _folder) = opened(&way.replace("HOST", &format!("127.0.0.1:{}", server.port))).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        assert_eq!(value(&page, "document.querySelector('p').innerText").await, json!("here"), "{way}");
        assert_eq!(server.count(), 0, "{way}");
    }
}

async fn web_rtc_reaches_nothing() {
    let server = Counter::start().await;
    let (page, _folder) = opened(
        &"<script>window.gathered = false; (async () => {
            const urls = ['stun:127.0.0.1:PORT', 'turn:127.0.0.1:PORT?transport=udp', 'turn:127.0.0.1:PORT?transport=tcp',
              'stun:localhost:PORT'];
            const peer = new RTCPeerConnection({ iceServers: urls.map((url) => ({ urls: url, username: 'u', credential: 'c' })) });
            peer.createDataChannel('x');
            await peer.setLocalDescription(await peer.createOffer());
            const remote = peer.localDescription.sdp.trim() + '\\r\\n' +
              'a=candidate:1 1 udp 2122260223 127.0.0.1 PORT typ host\\r\\na=candidate:2 1 tcp 2122260222 127.0.0.1 PORT typ host tcptype passive\\r\\n';
            const other = new RTCPeerConnection();
            await other.setRemoteDescription({ type: 'offer', sdp: remote });
            await other.setLocalDescription(await other.createAnswer());
            document.body.dataset.tried = 'yes';
        })().catch((error) => { document.body.dataset.tried = String(error) })</script>"
            .replace("PORT", &server.port.to_string()),
    )
    .await;
    until(&page, "'tried' in document.body.dataset").await;
    assert_eq!(value(&page, "document.body.dataset.tried").await, json!("yes"));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.count(), 0);
}

async fn files_outside_are_refused() {
    let outside = folder(&[("secret.js", "document.body.dataset.secret = 1"), ("secret.html", "secret")]);
    let other = outside.path().display();
    let inside = folder(&[(
        "index.html",
        &format!(
            "<!doctype html><body><script src='file://{other}/secret.js'></script><script src=link.js></script>
             <script src='../{}/secret.js'></script>
             <iframe src='file://{other}/secret.html'></iframe><iframe src='file:///etc/passwd'></iframe>
             <iframe src='file:///'></iframe><iframe src='.'></iframe><img src='file:///etc/hostname'>",
            outside.path().file_name().unwrap().display()
        ),
    )]);
    std::os::unix::fs::symlink(outside.path().join("secret.js"), inside.path().join("link.js")).unwrap();
    let page = pool().page(inside.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    assert_eq!(value(&page, "document.body.dataset.secret ?? null").await, json!(null));
    let frames = "[...document.querySelectorAll('iframe')].map((f) => { try { return f.contentDocument?.body.innerText ?? '' } catch (_) { return 'other' } }).join('')";
    assert!(!value(&page, frames).await.to_string().contains("secret"));
    assert_eq!(page.blocked().len(), 8, "{:?}", page.blocked());
}

async fn files_of_the_folder_load() {
    let folder = folder(&[
        ("index.html", "<!doctype html><link rel=stylesheet href='style.css?v=1'><body><script src='./script.js'></script>
          <img src='a%20b.svg'><iframe src='frame.html'></iframe><img id=data src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'/>\">"),
        ("style.css", "body { color: rgb(1, 2, 3); background: url('a b.svg') }"),
        ("script.js", "document.body.dataset.ran = 1; const w = new Worker(URL.createObjectURL(new Blob(['postMessage(7)']))); w.onmessage = (e) => { document.body.dataset.worker = e.data }"),
        ("a b.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='5' height='5'/>"),
        ("frame.html", "<!doctype html>frame"),
    ]);
    let page = pool().page(folder.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    until(&page, "document.body.dataset.worker === '7'").await;
    let facts = "[getComputedStyle(document.body).color, document.body.dataset.ran, document.images[0].naturalWidth, document.images[1].naturalWidth]";
    assert_eq!(value(&page, facts).await, json!(["rgb(1, 2, 3)", "1", 5, 3]));
    assert_eq!(page.blocked(), []);
}

async fn what_is_blocked_is_listed() {
    let (page, _folder) = opened(
        "<img src='https://example.com/a.png'><script>fetch('http://x.invalid/f').catch(() => 0)</script>",
    )
    .await;
    until(&page, "true").await;
    let found = page.blocked();
    let urls: Vec<_> = found.iter().map(|it| (it.url.as_str(), it.kind.as_str())).collect();
    assert!(urls.contains(&("https://example.com/a.png", "Image")), "{urls:?}");
    assert!(urls.contains(&("http://x.invalid/f", "XHR")), "{urls:?}");
}
