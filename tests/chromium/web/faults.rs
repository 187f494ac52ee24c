//! Hostile and broken pages: each ends within the limits, is reported, and the session continues.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::browser::web::{Happening, LoadErrorKind, Settled, WebBrowser, WebFault, WebSession};
use serde_json::json;

use super::sites::{Sites, html};
use super::{
    browser, browser_with, opened, rules, session_of, short_browser, until_happened, until_tabs, value,
};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::faults::a_script_that_does_not_end_is_stopped", an_endless_script),
        trial("web::faults::a_script_that_keeps_a_page_from_loading_is_stopped", an_endless_load),
        trial("web::faults::a_script_that_keeps_a_new_tab_from_starting_is_stopped", an_endless_opener),
        trial("web::faults::dialogs_are_accepted_and_reported", dialogs),
        trial("web::faults::a_storm_of_dialogs_ends", a_storm_of_dialogs),
        trial("web::faults::a_tab_that_crashes_is_lost", a_crash),
        trial("web::faults::a_tab_with_too_much_memory_is_lost", too_much_memory),
        trial("web::faults::downloads_and_files_are_denied", downloads_and_files),
        trial("web::faults::permissions_are_denied", permissions),
        trial("web::faults::a_redirect_loop_ends", a_redirect_loop),
        trial("web::faults::a_slow_page_ends", a_slow_page),
        trial("web::faults::a_dead_browser_is_replaced", a_dead_browser),
        trial("web::faults::a_silent_browser_is_given_up", a_silent_browser),
        trial("web::faults::a_browser_with_a_window_says_that_it_needs_a_display", a_window),
    ]
}

/// That the session still works.
async fn goes_on(session: &WebSession) {
    session.goto("http://fine.test/").await.unwrap();
    assert_eq!(value(session, "document.body.innerText").await, json!("fine"));
    session.screenshot().await.unwrap();
}

fn sites(page: &str) -> Sites {
    let page = format!("<!doctype html><body style='margin:0'>{page}");
    Sites::default().page("fine.test", "/", html("<p>fine")).page("bad.test", "/", html(&page))
}

/// A session at a bad page, with short limits.
async fn at(page: &str) -> WebSession {
    let session = session_of(&short_browser(rules(&sites(page)))).await;
    session.goto("http://bad.test/").await.unwrap();
    session
}

const BUTTON: &str = "style='position:absolute;left:0;top:0;width:100px;height:20px'";

async fn an_endless_script() {
    let session = at(&format!("<button {BUTTON} onclick='while (true);'>b</button><p id=p>still here")).await;
    let began = Instant::now();
    session.click_at(10.0, 10.0).await.unwrap();
    assert_eq!(session.take_happenings(), [Happening::ScriptStopped { tab: 1 }]);
    assert_eq!(value(&session, "document.getElementById('p').innerText").await, json!("still here"));
    // Scripts of this program too.
    let frame = session.frames().await.unwrap()[0].id.clone();
    let own = session.evaluate(&frame, "() => { while (true); }", &json!(null)).await;
    assert!(
        matches!(own, Err(WebFault::Refused { .. } | WebFault::Script(_) | WebFault::Timeout { .. })),
        "{own:?}"
    );
    let never = session.evaluate(&frame, "() => new Promise(() => {})", &json!(null)).await;
    assert!(matches!(never, Err(WebFault::Timeout { .. })), "{never:?}");
    value(&session, "void setTimeout(() => { while (true); }, 50)").await;
    assert_eq!(session.settle().await, Settled::Stopped);
    value(&session, "void setTimeout(() => { while (true); }, 50)").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    session.screenshot().await.unwrap();
    assert_eq!(session.tabs().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    goes_on(&session).await;
}

async fn an_endless_load() {
    let session =
        session_of(&short_browser(rules(&sites("<p>before<script>while (true);</script><p>after")))).await;
    session.goto("http://bad.test/").await.unwrap();
    assert_eq!(session.take_happenings(), [Happening::ScriptStopped { tab: 1 }]);
    assert_eq!(value(&session, "document.querySelectorAll('p').length").await, json!(2));
    goes_on(&session).await;
}

async fn an_endless_opener() {
    let script = "setTimeout(() => { window.open(\"/\"); while (true); }, 50)";
    let session = at(&format!("<button {BUTTON} onclick='{script}'>b</button><p>still here")).await;
    session.click_at(10.0, 10.0).await.unwrap();
    until_tabs(&session, |tabs| tabs.len() == 2).await;
    session.settle().await;
    assert_eq!(value(&session, "document.querySelector('p').innerText").await, json!("still here"));
    session.switch_tab(1).await.unwrap();
    goes_on(&session).await;
    // Both tabs may be in one process; then either of them is named.
    let happened = session.take_happenings();
    assert!(happened.iter().any(|it| matches!(it, Happening::ScriptStopped { .. })), "{happened:?}");
}

async fn dialogs() {
    let session =
        at("<script>alert('a \u{1b}[31m'); document.title = [confirm('b'), prompt('c', 'd')].join();
         addEventListener('beforeunload', (event) => { event.preventDefault() })</script>
         <p style='height:500px'>text")
        .await;
    assert_eq!(value(&session, "document.title").await, json!("true,d"));
    session.click_at(50.0, 50.0).await.unwrap();
    goes_on(&session).await;
    let dialog =
        |dialog: &str, text: &str| Happening::Dialog { dialog: dialog.to_owned(), text: text.to_owned() };
    let expected = [
        dialog("alert", "a \u{1b}[31m"),
        dialog("confirm", "b"),
        dialog("prompt", "c"),
        dialog("beforeunload", ""),
    ];
    assert_eq!(session.take_happenings(), expected);
}

async fn a_storm_of_dialogs() {
    let page = format!("<button {BUTTON} onclick='while (true) alert(1)'>b</button>");
    let session = session_of(&browser_with(rules(&sites(&page)))).await;
    session.goto("http://bad.test/").await.unwrap();
    let began = Instant::now();
    session.click_at(10.0, 10.0).await.unwrap();
    session.settle().await;
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let stopped = Happening::ScriptStopped { tab: 1 };
    assert!(session.take_happenings().contains(&stopped));
    goes_on(&session).await;
}

/// Ends the processes of pages of a browser.
async fn kill_pages(browser: &WebBrowser) {
    let group = browser.process_group().await.unwrap();
    crate::left_behind::kill_renderers(group);
}

async fn a_crash() {
    let page = format!("<a {BUTTON} href='http://fine.test/' target=_blank rel=noopener>a</a>");
    let browser = browser_with(rules(&sites(&page)));
    let session = session_of(&browser).await;
    session.goto("http://bad.test/").await.unwrap();
    kill_pages(&browser).await;
    let lost =
        |number| move |it: &Happening| matches!(it, Happening::TabLost { number: of, .. } if *of == number);
    until_happened(&session, lost(1)).await;
    let tabs = until_tabs(&session, |tabs| tabs.len() == 1).await;
    assert_eq!((tabs[0].number, tabs[0].url.as_str()), (2, "about:blank"));
    goes_on(&session).await;
    // An act that is waiting ends at once.
    let frame = session.frames().await.unwrap()[0].id.clone();
    let waiting = session.evaluate(&frame, "() => new Promise(() => {})", &json!(null));
    let killing = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        kill_pages(&browser).await;
    };
    let began = Instant::now();
    let (answer, ()) = tokio::join!(waiting, killing);
    assert!(matches!(answer, Err(WebFault::TabLost { number: 2, .. })), "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(10));
    goes_on(&session).await;
}

async fn too_much_memory() {
    let grow = "const kept = []; setInterval(() => kept.push(new Uint8Array(2e7).fill(1)), 1);";
    let session = session_of(&browser_with(rules(&sites(&format!(
        "<script>setTimeout(() => {{ {grow} }}, 300)</script>"
    )))))
    .await;
    session.goto("http://bad.test/").await.unwrap();
    let is_lost = |it: &Happening| matches!(it, Happening::TabLost { number: 1, .. });
    let mut all = Vec::new();
    for _ in 0..6 {
        session.settle().await;
        all.extend(session.take_happenings());
        if all.iter().any(is_lost) {
            break;
        }
    }
    let why = all.iter().find_map(|it| match it {
        Happening::TabLost { why, .. } => Some(why.as_str()),
        _ => None,
    });
    assert!(
        why.is_some_and(|why| why == "it used more than 400 MiB of memory" || why == "it crashed"),
        "{all:?}"
    );
    goes_on(&session).await;
}

async fn downloads_and_files() {
    let session = at(&format!(
        "<a {BUTTON} download='a name.bin' href='data:application/x,1'>d</a>
         <input type=file style='position:absolute;left:0;top:40px;width:100px;height:20px'>"
    ))
    .await;
    session.click_at(10.0, 10.0).await.unwrap();
    let is_download = |it: &Happening| matches!(it, Happening::Download { name, .. } if name == "a name.bin");
    until_happened(&session, is_download).await;
    session.click_at(10.0, 50.0).await.unwrap();
    until_happened(&session, |it| *it == Happening::FileChooser).await;
    assert_eq!(value(&session, "document.querySelector('input').files.length").await, json!(0));
    goes_on(&session).await;
}

async fn permissions() {
    let session = opened("http://shop.test/").await;
    let asked =
        "(async () => { const asked = []; for (const name of ['geolocation', 'notifications', 'camera'])
        asked.push((await navigator.permissions.query({ name })).state); return asked })()";
    assert_eq!(value(&session, asked).await, json!(["denied", "denied", "denied"]));
}

async fn a_redirect_loop() {
    let session = session_of(&browser()).await;
    let fault = session.goto("http://trouble.test/loop").await;
    let Err(WebFault::NetworkError(error)) = fault else { panic!("{fault:?}") };
    assert_eq!((error.kind, error.text.as_str()), (LoadErrorKind::Other, "net::ERR_TOO_MANY_REDIRECTS"));
    let document = session.document();
    assert!(document.url.starts_with("http://trouble.test/loop"), "{document:?}");
    assert_eq!((document.status, document.error), (None, Some(error)));
    assert!(document.redirects.len() > 10);
    session.goto("http://shop.test/").await.unwrap();
    assert_eq!(session.document().error, None);
}

async fn a_slow_page() {
    let session = session_of(&short_browser(rules(&Sites::all()))).await;
    let began = Instant::now();
    let fault = session.goto("http://trouble.test/slow").await;
    assert!(matches!(fault, Err(WebFault::Timeout { .. })), "{fault:?}");
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    assert_eq!(session.take_happenings(), []);
    session.goto("http://shop.test/").await.unwrap();
    assert_eq!(session.address(), "http://shop.test/");
}

async fn a_dead_browser() {
    let browser = short_browser(rules(&sites("")));
    let session = session_of(&browser).await;
    crate::left_behind::kill_browser(browser.process_group().await.unwrap());
    let began = Instant::now();
    let fault = session.goto("http://fine.test/").await;
    assert!(matches!(fault, Err(WebFault::Browser(_))), "{fault:?}");
    assert_eq!(session.settle().await, Settled::Lost);
    assert!(began.elapsed() < Duration::from_secs(3));
    goes_on(&session_of(&browser).await).await;
    browser.close().await;
}

async fn a_silent_browser() {
    let browser = short_browser(rules(&sites("")));
    let session = session_of(&browser).await;
    let group = browser.process_group().await.unwrap();
    crate::left_behind::stop_browser(group);
    let fault = session.goto("http://fine.test/").await;
    assert!(matches!(fault, Err(WebFault::Browser(_))), "{fault:?}");
    goes_on(&session_of(&browser).await).await;
    browser.close().await;
    assert_eq!(crate::left_behind::members(group), 0);
}

async fn a_window() {
    use mageyard::browser::web::{NetworkRules, SessionOptions, WebSettings};
    if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let settings =
        WebSettings { browser: crate::harness::settings(), window: true, network: NetworkRules::default() };
    let failure = WebBrowser::new(settings).open(SessionOptions::default()).await.unwrap_err().to_string();
    assert!(failure.contains("does not start") && failure.contains("display"), "{failure}");
}
