//! Hostile pages: each ends within the limits, as a fault of the page, and the browser goes on.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::browser::{BrowserError, BrowserFailure, BrowserPool, PageFault, ScreenshotSpeed, Viewport};
use serde_json::json;

use crate::harness::{fault, folder, opened, opened_in, perform, pool, short, trial, value};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("limits::endless_scripts_end", endless_scripts_end),
        trial("limits::a_page_that_never_loads_is_closed", a_page_that_never_loads_is_closed),
        trial("limits::dialogs_are_answered_at_once", dialogs_are_answered_at_once),
        trial("limits::storms_end", storms_end),
        trial("limits::memory_is_limited", memory_is_limited),
        trial("limits::a_page_that_closes_itself_is_a_fault", a_page_that_closes_itself),
        trial("limits::a_dead_browser_is_replaced", a_dead_browser_is_replaced),
        trial("limits::a_silent_browser_is_given_up", a_silent_browser_is_given_up),
        trial("limits::dropped_calls_leave_nothing_behind", dropped_calls),
    ]
}

/// That the browser still works.
async fn lives(pool: &BrowserPool) {
    let (page, _folder) = opened_in(pool, "<p>fine").await;
    assert_eq!(value(&page, "document.body.innerText").await, json!("fine"));
}

async fn endless_scripts_end() {
    let pool = BrowserPool::new(short());
    let endless = "<script>onload = () => setTimeout(() => { while (true); }, 200)</script>";
    let loops = || async {
        let opened = opened_in(&pool, endless).await;
        tokio::time::sleep(Duration::from_millis(600)).await;
        opened
    };
    let (page, _folder) = loops().await;
    let began = Instant::now();
    assert!(matches!(fault(page.evaluate("1", 10).await), PageFault::ScriptTimeout(_)));
    assert!(matches!(fault(page.screenshot(ScreenshotSpeed::Fast).await), PageFault::ScriptTimeout(_)));
    let (page, _folder) = loops().await;
    assert!(matches!(fault(page.screenshot(ScreenshotSpeed::Fast).await), PageFault::DrawTimeout(_)));
    let (page, _folder) = opened_in(&pool, "<button onclick='while(true);'>b</button>").await;
    let click = perform(&page, r#"{"click": {"css": "button"}}"#).await;
    assert!(matches!(fault(click), PageFault::InteractionTimeout(_)));
    let (page, _folder) = opened_in(&pool, "").await;
    let own = page.evaluate("(() => { while (true); })()", 10).await;
    assert!(matches!(fault(own), PageFault::ScriptTimeout(_)));
    assert!(began.elapsed() < Duration::from_secs(25));
    lives(&pool).await;
    let group = pool.process_group().await.unwrap();
    for _ in 0..100 {
        if crate::left_behind::renderers(group) <= 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} pages still run", crate::left_behind::renderers(group));
}

async fn a_page_that_never_loads_is_closed() {
    let pool = BrowserPool::new(short());
    for text in ["<script>while(true);</script>", "<script>while(true) alert(1)</script>"] {
        let folder = folder(&[("index.html", text)]);
        let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
        let began = Instant::now();
        assert!(matches!(fault(page.open("index.html").await), PageFault::LoadTimeout(_)));
        assert!(began.elapsed() < Duration::from_secs(8));
    }
    lives(&pool).await;
}

async fn dialogs_are_answered_at_once() {
    let (page, _folder) = opened(
        "<script>alert('x'); document.title = [confirm('y'), prompt('z', 'w')].join(); \
         onbeforeunload = (event) => event.preventDefault()</script><button onclick='alert(1)'>b</button>",
    )
    .await;
    assert_eq!(value(&page, "document.title").await, json!("true,w"));
    perform(&page, r#"{"click": {"css": "button"}}"#).await.unwrap();
    page.open("index.html").await.unwrap();
    page.close().await;
    lives(&pool()).await;
}

async fn storms_end() {
    let (page, _folder) = opened(
        "<button onclick=\"for (let i = 0; i < 20; i++) window.open('about:blank')\">w</button><input type=file>\
         <a download=x href='data:application/x,1'>d</a>",
    )
    .await;
    for step in
        [r#"{"click": {"css": "button"}}"#, r#"{"click": {"css": "input"}}"#, r#"{"click": {"css": "a"}}"#]
    {
        perform(&page, step).await.unwrap();
    }
    page.wait(Duration::from_millis(300)).await.unwrap();
    assert!(!page.blocked().is_empty());
    assert_eq!(value(&page, "document.querySelector('input').files.length").await, json!(0));
    let pool = BrowserPool::new(short());
    let (reloading, _folder) =
        opened_in(&pool, "<script>setTimeout(() => location.reload(), 1)</script>").await;
    let drawn = reloading.screenshot(ScreenshotSpeed::Fast).await;
    assert!(matches!(drawn, Ok(_) | Err(BrowserError::Page(PageFault::DrawTimeout(_)))), "{drawn:?}");
    let dom =
        "<script>for (let i = 0; i < 50000; i++) document.body.append(document.createElement('p'))</script>";
    let (large, _folder) = opened(dom).await;
    assert_eq!(value(&large, "document.querySelectorAll('p').length").await, json!(50_000));
    lives(&pool).await;
}

async fn memory_is_limited() {
    let grow = [
        "const kept = []; while (true) kept.push(new Array(1e5).fill(Math.random()));",
        "const kept = []; setInterval(() => kept.push(new Uint8Array(2e7).fill(1)), 1);",
    ];
    for script in grow {
        let (page, _folder) = opened(&format!("<script>setTimeout(() => {{ {script} }}, 30)</script>")).await;
        let began = Instant::now();
        let found = fault(page.wait(Duration::from_secs(15)).await);
        // A quick script reaches the limit of the script engine before its memory is measured; that ends like a crash.
        let expected = [PageFault::OutOfMemory(400), PageFault::Crashed];
        assert!(expected.contains(&found), "{found:?} after {:?}", began.elapsed());
        assert_eq!(fault(page.evaluate("1", 10).await), found);
    }
    lives(&pool()).await;
}

async fn a_page_that_closes_itself() {
    let (page, _folder) = opened("<script>setTimeout(() => window.close(), 30)</script>").await;
    if let Err(error) = page.wait(Duration::from_millis(500)).await {
        assert_eq!(error, BrowserError::Page(PageFault::ClosedItself));
    }
    lives(&pool()).await;
}

async fn a_dead_browser_is_replaced() {
    let pool = BrowserPool::new(short());
    let folder = folder(&[("index.html", "<!doctype html>")]);
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    crate::left_behind::kill_browser(pool.process_group().await.unwrap());
    let began = Instant::now();
    let waited = page.wait(Duration::from_secs(10)).await;
    assert!(matches!(waited, Err(BrowserError::Browser(BrowserFailure::Ended(_)))), "{waited:?}");
    assert!(began.elapsed() < Duration::from_secs(2));
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    pool.close().await;
}

async fn a_silent_browser_is_given_up() {
    let pool = BrowserPool::new(short());
    let folder = folder(&[("index.html", "<!doctype html>")]);
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    let group = pool.process_group().await.unwrap();
    crate::left_behind::stop_browser(group);
    let found = page.evaluate("1", 10).await;
    assert!(matches!(found, Err(BrowserError::Browser(BrowserFailure::Silent { .. }))), "{found:?}");
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    pool.close().await;
    assert_eq!(crate::left_behind::members(group), 0);
}

async fn dropped_calls() {
    let pool = BrowserPool::new(short());
    let folder = folder(&[("index.html", "<!doctype html>")]);
    for milliseconds in [0, 1, 5, 20, 50, 100, 200] {
        let soon = Duration::from_millis(milliseconds);
        let _ = tokio::time::timeout(soon, pool.page(folder.path(), Viewport::default())).await;
    }
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    for milliseconds in [0, 1, 5] {
        let soon = Duration::from_millis(milliseconds);
        let _ = tokio::time::timeout(soon, page.screenshot(ScreenshotSpeed::Small)).await;
    }
    assert_eq!(value(&page, "1").await, json!(1));
    drop(page);
    // All places are free again.
    let pages: Vec<_> = (0..short().pages).map(|_| pool.page(folder.path(), Viewport::default())).collect();
    for page in pages {
        page.await.unwrap();
    }
    pool.close().await;
}
