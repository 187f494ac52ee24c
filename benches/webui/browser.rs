//! Speed of the score in a real browser: snapshots of two open pages with their score, whole pairs with interactions,
//! and the way from nothing to the first score.

use std::fmt::Write;
use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion};
use futures_util::future::try_join;
use mageyard::browser::{
    BrowserError, BrowserPool, BrowserSettings, NamedProgram, Page, Viewport, find_browser,
};
use mageyard::envs::webui::aes::{Rules, compare};
use mageyard::envs::webui::snapshot::{MAX_BYTES, SCRIPT, Snapshot};
use mageyard::envs::webui::{
    Interaction, PageSource, ScoreSettings, WaitRule, parse_interactions, score_pages,
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

const STYLES: &str = "body { font-family: sans-serif; margin: 0 } .card { float: left; width: 300px; margin: 8px; \
    padding: 12px; border: 1px solid #ccc; border-radius: 6px; box-shadow: 0 1px 3px rgb(0, 0, 0); color: #123 } \
    .on { background-color: teal }";
/// What each card of a target is compared by.
const EVALBY: &str =
    "has_text|text|color|background-color|font-size|border-radius|border|box-shadow|width|height";
/// Three interactions without waiting.
const STEPS: &str = r#"[{"name": "one", "steps": [{"click": {"id": "b0"}}], "wait_ms": 0},
    {"name": "two", "steps": [{"click": {"id": "b1"}}], "wait_ms": 0},
    {"name": "three", "steps": [{"click": {"id": "b2"}}], "wait_ms": 0}]"#;

/// A page of cards, three elements each, in a folder of its own; the heading of each card is annotated.
fn page(cards: usize, shift: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut html = format!("<!doctype html><style>{STYLES} .card {{ {shift} }}</style><body>");
    for card in 0..cards {
        let title = format!("<h2 data-filter-by='text' data-evalby='{EVALBY}'>Card {card}</h2>");
        let button = format!(
            "<button id='b{card}' onclick='this.parentNode.classList.toggle(\"on\")'>Choose</button>"
        );
        write!(html, "<div class='card'>{title}{button}</div>").expect("a text");
    }
    fs::write(folder.path().join("index.html"), html).expect("a file");
    folder
}

/// A browser for benchmarks, which are not hurried by limits.
fn settings() -> BrowserSettings {
    let program = std::env::var_os("MAGEYARD_CHROMIUM").filter(|path| !path.is_empty());
    let program =
        program.map(|path| NamedProgram { path: path.into(), origin: "MAGEYARD_CHROMIUM".to_owned() });
    BrowserSettings { program, ..BrowserSettings::default() }
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    runtime: Runtime,
    pool: BrowserPool,
}

impl Bench<'_> {
    /// Measures a future that is made again and again.
    fn measure<F: Future>(&mut self, name: &str, samples: usize, mut work: impl FnMut() -> F) {
        let mut group = self.criterion.benchmark_group("browser");
        group.sample_size(samples).measurement_time(Duration::from_secs(8));
        group.bench_function(name, |bench| bench.iter(|| self.runtime.block_on(work())));
        group.finish();
    }

    fn opened(&self, folder: &Path) -> Page {
        let opened = async {
            let page = self.pool.page(folder, Viewport::default()).await?;
            page.open("index.html").await?;
            Ok::<_, BrowserError>(page)
        };
        self.runtime.block_on(opened).expect("a page")
    }

    /// Two open pages: both snapshots, read and scored.
    fn pair(&mut self, name: &str, cards: usize) {
        let folders = [page(cards, ""), page(cards, "margin: 9px")];
        let [target, generated] = [&folders[0], &folders[1]].map(|folder| self.opened(folder.path()));
        self.measure(name, 60, async || {
            let (target, generated) =
                try_join(snapshot(&target), snapshot(&generated)).await.expect("snapshots");
            let score = compare(&target, &generated, Rules::released());
            assert_eq!(score.targets, cards);
            score
        });
    }

    /// One snapshot of a large page.
    fn large(&mut self, name: &str, cards: usize) {
        let folder = page(cards, "");
        let opened = self.opened(folder.path());
        self.measure(name, 30, async || snapshot(&opened).await.expect("a snapshot"));
    }

    /// A whole pair: loading, interactions, snapshots and scores; in windows that were opened in advance, as those of an
    /// episode are, or in new ones.
    fn walk(&mut self, name: &str, cards: usize, in_advance: usize) {
        let folders = [page(cards, ""), page(cards, "margin: 9px")];
        let steps = parse_interactions(STEPS).expect("interactions");
        let pool = self.pool.clone();
        let runtime = &self.runtime;
        let mut group = self.criterion.benchmark_group("browser");
        group.sample_size(20).measurement_time(Duration::from_secs(8));
        group.bench_function(name, |bench| {
            bench.iter_batched(
                || runtime.block_on(pool.prepare(in_advance, Viewport::default())).expect("windows"),
                |()| runtime.block_on(score(&pool, &folders, &steps)),
                BatchSize::PerIteration,
            );
        });
        group.finish();
    }

    /// From no browser to the first score.
    fn cold(&mut self, name: &str, cards: usize) {
        let folders = [page(cards, ""), page(cards, "margin: 9px")];
        self.measure(name, 10, async || {
            let pool = BrowserPool::new(settings());
            let score = score(&pool, &folders, &[]).await;
            // The end of the browser is not a part of it: dropping the pool does not wait.
            drop(pool);
            score
        });
    }
}

async fn snapshot(page: &Page) -> Result<Snapshot, BrowserError> {
    let text = page.evaluate(SCRIPT, MAX_BYTES).await?;
    Ok(Snapshot::parse(text.as_str().expect("a text")).expect("a snapshot"))
}

async fn score(pool: &BrowserPool, folders: &[TempDir; 2], steps: &[Interaction]) -> f64 {
    let [target, generated] = [0, 1].map(|side: usize| PageSource::new(folders[side].path(), "index.html"));
    let settings =
        ScoreSettings { rules: Rules::released(), viewport: Viewport::default(), waiting: WaitRule::Nominal };
    let scored = score_pages(pool, [&target, &generated], steps, settings).await.expect("a score");
    assert_eq!(scored.result.pages.len(), steps.len() + 1);
    scored.result.aes
}

/// All benchmarks that need a browser; without one a message.
pub(super) fn browser(criterion: &mut Criterion) {
    if let Err(missing) = find_browser(settings().program.as_ref()) {
        println!("browser: skipped: {missing}");
        return;
    }
    let runtime = Runtime::new().expect("a runtime");
    let pool = BrowserPool::new(settings());
    let mut bench = Bench { criterion, runtime, pool };
    bench.pair("two snapshots and score, 24 elements", 8);
    bench.pair("two snapshots and score, 81 elements", 27);
    bench.large("snapshot, 999 elements", 333);
    bench.walk("pair with 4 sub-pages, 24 elements, new windows", 8, 0);
    bench.walk("pair with 4 sub-pages, 24 elements", 8, 2);
    bench.cold("cold start to first score, 24 elements", 8);
    let pool = bench.pool.clone();
    bench.runtime.block_on(pool.close());
}
