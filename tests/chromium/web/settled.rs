//! When a page counts as settled.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::browser::web::{Settled, SiteAnswer};
use serde_json::json;

use super::sites::{Sites, html};
use super::{browser_with, rules, session_of, value};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::settled::a_page_that_never_settles_ends_at_5_s", never_settles),
        trial("web::settled::late_content_is_waited_for", late_content),
        trial("web::settled::streams_do_not_count", streams),
        trial("web::settled::changes_in_frames_of_the_same_site_are_waited_for", frames),
    ]
}

fn sites() -> Sites {
    let slow = |delay| SiteAnswer { delay: Duration::from_millis(delay), ..html("late") };
    Sites::default()
        .page(
            "s.test",
            "/changes",
            html("<p id=p>0<script>setInterval(() => { p.textContent = Math.random() }, 50)</script>"),
        )
        .page("s.test", "/polls", html("<p>polls<script>setTimeout(() => fetch('/never'), 10)</script>"))
        .page("s.test", "/never", slow(60_000))
        .page("s.test", "/chain", html(CHAIN))
        .page("s.test", "/late", slow(900))
        .page(
            "s.test",
            "/around",
            html("<p>around<iframe src=/inside></iframe><iframe src=http://ad.test/></iframe>"),
        )
        .page("s.test", "/inside", html(INSIDE))
        .page(
            "ad.test",
            "/",
            html("<p id=p>0<script>setInterval(() => { p.textContent = Math.random() }, 50)</script>"),
        )
        .page("s.test", "/stream", html("<p>stream<script>new EventSource('/never')</script>"))
        .page(
            "s.test",
            "/moves",
            html("<p>moves<script>setTimeout(() => { location = '/arrived' }, 300)</script>"),
        )
        .page("s.test", "/arrived", html("<title>arrived</title><p>arrived"))
}

const CHAIN: &str = "<p id=p>wait<script>
setTimeout(async () => { const text = await (await fetch('/late')).text();
  setTimeout(() => { p.textContent = text }, 400) }, 200)</script>";

async fn never_settles() {
    let browser = browser_with(rules(&sites()));
    for (path, requests, changing) in [("changes", 0, true), ("polls", 1, false)] {
        let session = session_of(&browser).await;
        session.goto(&format!("http://s.test/{path}")).await.unwrap();
        let began = Instant::now();
        let settled = session.settle().await;
        assert_eq!(settled, Settled::TimedOut { loading: false, requests, changing }, "{path}");
        let took = began.elapsed();
        assert!(took >= Duration::from_secs(5) && took < Duration::from_secs(8), "{path}: {took:?}");
    }
}

async fn late_content() {
    let browser = browser_with(rules(&sites()));
    let session = session_of(&browser).await;
    session.goto("http://s.test/chain").await.unwrap();
    assert_eq!(session.settle().await, Settled::Quiet);
    assert_eq!(value(&session, "document.body.innerText").await, json!("late"));
    session.goto("http://s.test/moves").await.unwrap();
    assert_eq!(session.settle().await, Settled::Quiet);
    assert_eq!(
        (session.address().as_str(), session.tabs()[0].title.as_str()),
        ("http://s.test/arrived", "arrived")
    );
}

const INSIDE: &str = "<p id=p>0<script>let count = 0; const change = () => {
p.textContent = ++count; if (count < 6) setTimeout(change, 300) }; setTimeout(change, 300)</script>";

/// What a frame of another site does is its own affair.
async fn frames() {
    let browser = browser_with(rules(&sites()));
    let session = session_of(&browser).await;
    session.goto("http://s.test/around").await.unwrap();
    assert_eq!(session.settle().await, Settled::Quiet);
    let frames = session.frames().await.unwrap();
    let inside = frames.iter().find(|frame| frame.url.ends_with("/inside")).unwrap();
    let text = session.evaluate(&inside.id, "() => document.body.innerText", &json!(null)).await;
    assert_eq!(text.unwrap(), json!("6"));
}

async fn streams() {
    let browser = browser_with(rules(&sites()));
    let session = session_of(&browser).await;
    session.goto("http://s.test/stream").await.unwrap();
    assert_eq!(session.settle().await, Settled::Quiet);
}
