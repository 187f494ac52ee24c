//! Pages: loading, values, pictures, contexts, and the sharing of one browser.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::browser::{
    BrowserError, BrowserFailure, BrowserPool, BrowserSettings, NamedProgram, PageFault, ScreenshotSpeed,
    Viewport, find_browser,
};
use serde_json::json;

use crate::harness::{fault, folder, opened, pool, settings, short, trial, until, value};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("pages::a_page_has_the_viewport_and_is_in_front", a_page_has_the_viewport_and_is_in_front),
        trial("pages::values_are_read_apart_from_the_page", values_are_read_apart_from_the_page),
        trial("pages::pictures_show_the_viewport", pictures_show_the_viewport),
        trial("pages::a_stable_picture_is_that_of_a_page_at_rest", a_stable_picture),
        trial("pages::a_page_that_always_moves_has_no_stable_picture", a_page_that_always_moves),
        trial("pages::fonts_are_those_that_draw_the_text", fonts_that_draw_the_text),
        trial("pages::two_pages_share_nothing", two_pages_share_nothing),
        trial("pages::pages_wait_for_a_free_place", pages_wait_for_a_free_place),
        trial("pages::windows_opened_in_advance_are_used", windows_opened_in_advance),
        trial("pages::an_idle_browser_is_closed_and_another_started", an_idle_browser_is_closed),
        trial("pages::a_missing_program_is_a_failure_of_the_browser", a_missing_program),
        trial("pages::a_browser_that_crashes_at_its_start_is_started_once_more", a_crash_at_the_start),
    ]
}

async fn a_page_has_the_viewport_and_is_in_front() {
    let folder = folder(&[("index.html", "<!doctype html><body style='height:2000px'>")]);
    for (width, height) in [(1920, 937), (1920, 1080), (300, 200)] {
        let page = pool().page(folder.path(), Viewport { width, height }).await.unwrap();
        page.open("index.html").await.unwrap();
        let facts = "[innerWidth, innerHeight, document.documentElement.clientWidth, devicePixelRatio, \
                     document.hasFocus(), document.visibilityState, navigator.language]";
        let expected = json!([width, height, width - 15, 1, true, "visible", "en-US"]);
        assert_eq!(value(&page, facts).await, expected);
        page.close().await;
    }
}

async fn values_are_read_apart_from_the_page() {
    let (page, _folder) = opened(
        "<p id=p>text<script>var seen = 1; JSON.stringify = () => 'forged'; \
         Element.prototype.getBoundingClientRect = () => 'forged'; document.title = 'ä'</script>",
    )
    .await;
    let facts = "[typeof seen, typeof p.getBoundingClientRect().x, document.title, null, 1.5]";
    assert_eq!(value(&page, facts).await, json!(["undefined", "number", "ä", null, 1.5]));
    assert_eq!(value(&page, "(async () => 7)() // a comment").await, json!(7));
    assert_eq!(value(&page, "undefined").await, json!(null));
    for text in ["", "t", "j1", "\u{7f}\u{2028}\"\\"] {
        assert_eq!(value(&page, &json!(text).to_string()).await, json!(text));
    }
    assert_eq!(
        value(&page, "(() => { globalThis.text = globalThis.value = 5; return text + value })()").await,
        json!(10)
    );
    assert_eq!(page.evaluate("'x'.repeat(100)", 100).await.unwrap().as_str().map(str::len), Some(100));
    for (script, bytes) in [("'x'.repeat(101)", 101), ("'ä'.repeat(98)", 196), ("['x'.repeat(97)]", 101)] {
        assert_eq!(fault(page.evaluate(script, 100).await), PageFault::TooLarge { bytes, most: 100 });
    }
    let thrown = fault(page.evaluate("missing.field", 100).await);
    assert!(thrown.to_string().starts_with("the script failed: ReferenceError: missing"), "{thrown}");
}

async fn pictures_show_the_viewport() {
    let (page, _folder) = opened("<style>body { margin: 0; background: rgb(10, 200, 30) }</style>").await;
    for speed in [ScreenshotSpeed::Small, ScreenshotSpeed::Fast] {
        let picture = page.screenshot(speed).await.unwrap();
        let picture = image::load_from_memory(&picture).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (1920, 937));
        assert_eq!(picture.get_pixel(1919, 936).0, [10, 200, 30]);
    }
}

/// A box that moves and fades in this time.
fn moving(time: &str) -> String {
    format!(
        "<style>@keyframes go {{ from {{ transform: translateX(0.3px); opacity: 0 }} to {{ transform: \
         translateX(200.6px) rotate(7deg); opacity: 1 }} }} div {{ width: 90px; height: 60px; background: #274; \
         animation: go {time} both }}</style><div>moving</div>"
    )
}

/// A busy machine may take too few pictures after the movement to find two that are equal; then it says so.
async fn a_stable_picture() {
    for _ in 0..20 {
        let (page, _folder) = opened(&moving("0.4s")).await;
        let taken = page.stable_screenshot(ScreenshotSpeed::Fast).await.unwrap();
        if taken.is_stable {
            tokio::time::sleep(Duration::from_millis(600)).await;
            let later = page.screenshot(ScreenshotSpeed::Fast).await.unwrap();
            assert!(taken.png == later, "it was taken too early");
            return;
        }
    }
    panic!("no picture is stable");
}

async fn a_page_that_always_moves() {
    let (page, _folder) = opened(&moving("3s linear infinite alternate")).await;
    let begin = Instant::now();
    let taken = page.stable_screenshot(ScreenshotSpeed::Fast).await.unwrap();
    assert!(!taken.is_stable);
    // The last of its pictures may take long on a busy machine.
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

async fn fonts_that_draw_the_text() {
    let (empty, _folder) = opened("<div style='font-family: serif'> </div>").await;
    assert!(empty.fonts().await.unwrap().is_empty());
    let mut drawn = Vec::new();
    for families in ["monospace", "'no such font', monospace", "serif"] {
        let (page, _folder) =
            opened(&format!("<div><p style=\"font-family: {families}\">text</p></div>")).await;
        drawn.push(page.fonts().await.unwrap());
    }
    assert!(drawn.iter().all(|fonts| fonts.len() == 1), "{drawn:?}");
    assert_eq!(drawn[0], drawn[1]);
    let (both, _folder) =
        opened("<p style='font-family: serif'>a</p><p style='font-family: monospace'>b</p>").await;
    let mut expected = [drawn[0].clone(), drawn[2].clone()].concat();
    expected.sort();
    expected.dedup();
    assert_eq!(both.fonts().await.unwrap(), expected);
    assert!(!expected.iter().any(|font| font == "monospace" || font == "serif"), "{expected:?}");
}

async fn two_pages_share_nothing() {
    let write = "<script>localStorage.x = 1; document.cookie = 'x=1'; name = 'x'</script>";
    let (first, folder) = opened(write).await;
    let stored = "localStorage.x ?? null";
    assert_eq!(value(&first, stored).await, json!("1"));
    let second = pool().page(folder.path(), Viewport::default()).await.unwrap();
    std::fs::write(folder.path().join("other.html"), "<!doctype html>").unwrap();
    second.open("other.html").await.unwrap();
    assert_eq!(value(&second, stored).await, json!(null));
    // Documents of one page do share it. A process that ends at once may lose what it has just stored.
    for _ in 0..10 {
        value(&first, "localStorage.x = '1'").await;
        first.open("other.html").await.unwrap();
        if value(&first, stored).await == json!("1") {
            return;
        }
    }
    panic!("the next document of a page never has what the one before it stored");
}

async fn pages_wait_for_a_free_place() {
    let pool = BrowserPool::new(BrowserSettings { pages: 1, ..short() });
    let folder = folder(&[]);
    let first = pool.page(folder.path(), Viewport::default()).await.unwrap();
    let mut second = Box::pin(pool.page(folder.path(), Viewport::default()));
    let soon = Duration::from_millis(300);
    assert!(tokio::time::timeout(soon, &mut second).await.is_err(), "two pages at once");
    drop(first);
    second.await.unwrap();
    pool.close().await;
}

async fn windows_opened_in_advance() {
    let pool = BrowserPool::new(BrowserSettings { pages: 1, ..settings() });
    let folder = folder(&[("index.html", "<!doctype html><title>a</title>")]);
    let viewport = Viewport { width: 640, height: 480 };
    pool.prepare(3, viewport).await.unwrap();
    let group = pool.process_group().await.unwrap();
    assert_eq!(pool.prepared(), 1, "as many as there may be pages");
    pool.prepare(1, viewport).await.unwrap();
    assert_eq!(pool.prepared(), 1, "one is enough");
    let page = pool.page(folder.path(), viewport).await.unwrap();
    assert_eq!(pool.prepared(), 0, "it is used");
    page.open("index.html").await.unwrap();
    assert_eq!(value(&page, "[innerWidth, document.title]").await, json!([640, "a"]));
    // One of another size is a new window; one of a browser that died is not used.
    page.close().await;
    pool.prepare(1, viewport).await.unwrap();
    let wide = pool.page(folder.path(), Viewport { width: 800, height: 480 }).await.unwrap();
    assert_eq!(pool.prepared(), 1, "it has another size");
    assert_eq!(value(&wide, "innerWidth").await, json!(800));
    crate::left_behind::kill_browser(group);
    let ended = wide.wait(Duration::from_secs(10)).await;
    assert!(ended.is_err(), "{ended:?}");
    drop(wide);
    let page = pool.page(folder.path(), viewport).await.unwrap();
    page.open("index.html").await.unwrap();
    pool.close().await;
}

async fn an_idle_browser_is_closed() {
    let pool = BrowserPool::new(short());
    let page = pool.page(folder(&[]).path(), Viewport::default()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    until(&page, "true").await;
    drop(page);
    let page = pool.page(folder(&[]).path(), Viewport::default()).await.unwrap();
    until(&page, "true").await;
    pool.close().await;
    let ended = page.evaluate("1", 100).await.unwrap_err();
    assert!(matches!(ended, BrowserError::Browser(BrowserFailure::Ended(_))), "{ended:?}");
    assert!(pool.version().await.unwrap().contains('/'));
    pool.close().await;
}

async fn a_missing_program() {
    let start = |program: &str| {
        let program = NamedProgram { path: program.into(), origin: "--set".to_owned() };
        let pool = BrowserPool::new(BrowserSettings { program: Some(program), ..short() });
        async move { pool.version().await.unwrap_err() }
    };
    assert!(matches!(start("/no/such/browser").await, BrowserFailure::Missing(_)));
    let began = Instant::now();
    let failure = start("/bin/false").await;
    assert!(matches!(failure, BrowserFailure::Start { .. }), "{failure:?}");
    let failure = start("ls").await;
    assert!(failure.to_string().contains("unrecognized option"), "{failure}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// A browser that crashes before it answers is started once more, one that gives up is not.
async fn a_crash_at_the_start() {
    let browser = find_browser(settings().program.as_ref()).unwrap();
    let starts = |first: &str| {
        let program = format!(
            "#!/bin/sh\ncd \"${{0%/*}}\" && echo >>starts && test -e again || {{ : >again; {first}; }}\nexec {} \"$@\"\n",
            browser.display()
        );
        let folder = folder(&[("text", &program)]);
        let path = folder.path().join("browser");
        // By another process: a file that this one has open for writing cannot be run by its children.
        let copy = std::process::Command::new("install")
            .arg("-m755")
            .args([&folder.path().join("text"), &path])
            .status();
        assert!(copy.unwrap().success());
        let program = Some(NamedProgram { path, origin: "--set".to_owned() });
        async move {
            let pool = BrowserPool::new(BrowserSettings { program, ..settings() });
            let version = pool.version().await;
            pool.close().await;
            (version, std::fs::read_to_string(folder.path().join("starts")).unwrap().len())
        }
    };
    let (version, count) = starts("echo broken >&2; kill -TRAP $$").await;
    assert!(version.unwrap().contains('/') && count == 2, "{count} starts");
    let (failure, count) = starts("echo no display >&2; exit 1").await;
    let failure = failure.unwrap_err().to_string();
    assert!(failure.contains("no display") && count == 1, "{failure}, {count} starts");
}
