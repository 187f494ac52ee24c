//! What the tests share: one browser for all of them, folders with pages, and the decision whether there is a browser.

use std::fs;
use std::future::Future;
use std::sync::LazyLock;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use mageyard::browser::{
    BrowserError, BrowserPool, BrowserSettings, NamedProgram, Page, PageFault, Step, Viewport, find_browser,
};
use mageyard::domain::Seconds;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// How long a test may take before it fails.
const TIMEOUT: Duration = Duration::from_secs(40);

/// The kind that the list shows where there is no browser.
const MISSING: &str = "Chromium is not installed";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// The program that the variable names, as in the program itself.
fn program() -> Option<NamedProgram> {
    let path = std::env::var_os("MAGEYARD_CHROMIUM").filter(|path| !path.is_empty())?;
    Some(NamedProgram { path: path.into(), origin: "MAGEYARD_CHROMIUM".to_owned() })
}

/// Whether there is a browser, or there must be one.
static RUN: LazyLock<bool> = LazyLock::new(|| {
    let required = std::env::var("MAGEYARD_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
    required || find_browser(program().as_ref()).is_ok()
});

/// A test that needs a browser.
pub(crate) fn trial<F>(name: &str, test: fn() -> F) -> Trial
where
    F: Future<Output = ()> + Send + 'static,
{
    let run = move || -> Result<(), Failed> {
        let done = RUNTIME.block_on(async { tokio::time::timeout(TIMEOUT, test()).await });
        done.map_err(|_| Failed::from(format!("not done within {TIMEOUT:?}")))
    };
    let trial = Trial::test(name, run).with_ignored_flag(!*RUN);
    if *RUN { trial } else { trial.with_kind(MISSING) }
}

fn seconds(text: &str) -> Seconds {
    serde_json::from_str(text).unwrap()
}

/// Limits that a busy machine does not reach.
pub(crate) fn settings() -> BrowserSettings {
    BrowserSettings {
        program: program(),
        start_timeout: seconds("30"),
        load_timeout: seconds("20"),
        evaluate_timeout: seconds("20"),
        interaction_timeout: seconds("20"),
        idle_timeout: seconds("30"),
        page_memory: 400,
        ..BrowserSettings::default()
    }
}

/// Limits that a hostile page reaches soon.
pub(crate) fn short() -> BrowserSettings {
    BrowserSettings {
        load_timeout: seconds("2"),
        evaluate_timeout: seconds("1"),
        interaction_timeout: seconds("1"),
        idle_timeout: seconds("0.5"),
        ..settings()
    }
}

/// The browser of most tests.
pub(crate) fn pool() -> BrowserPool {
    static POOL: LazyLock<BrowserPool> = LazyLock::new(|| BrowserPool::new(settings()));
    POOL.clone()
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::Builder::new().prefix("mageyard-page-").tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A page of this body that was opened, with its folder.
pub(crate) async fn opened(body: &str) -> (Page, TempDir) {
    opened_in(&pool(), body).await
}

/// The same in another browser.
pub(crate) async fn opened_in(pool: &BrowserPool, body: &str) -> (Page, TempDir) {
    let folder = folder(&[("index.html", &format!("<!doctype html><body>{body}"))]);
    let page = pool.page(folder.path(), Viewport::default()).await.unwrap();
    page.open("index.html").await.unwrap();
    (page, folder)
}

/// The value of an expression.
pub(crate) async fn value(page: &Page, expression: &str) -> Value {
    page.evaluate(expression, 1 << 20).await.unwrap()
}

/// Performs a step given as JSON.
pub(crate) async fn perform(page: &Page, step: &str) -> Result<(), BrowserError> {
    page.perform(&serde_json::from_str::<Step>(step).unwrap()).await
}

/// The fault of the page.
pub(crate) fn fault<T: std::fmt::Debug>(result: Result<T, BrowserError>) -> PageFault {
    match result {
        Err(BrowserError::Page(fault)) => fault,
        other => panic!("no fault of the page: {other:?}"),
    }
}

/// Waits until an expression is true.
pub(crate) async fn until(page: &Page, expression: &str) {
    for _ in 0..200 {
        if value(page, expression).await == Value::Bool(true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not true in time: {expression}");
}
