//! Speed of web tasks in a real browser: reading pages, the parts of an observation, recorded workflows, and episodes at once.
//!
//! Run with `cargo bench --bench web`. Without Chromium it says so and ends.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use mageyard::browser::web::{
    LocalSites, NetworkRules, SessionOptions, SiteAnswer, SiteRequest, WebBrowser, WebSession, WebSettings,
};
use mageyard::browser::{BrowserSettings, Viewport, find_browser};
use mageyard::domain::{
    Action, BlobHandle, BlobStore, EnvironmentContext, EnvironmentSpec, Level, MemoryBlobStore, NumberedBox,
    Options, Picture, Status,
};
use mageyard::envs::web::page::{PageReading, ReadSettings, TreeForm, read_page};
use mageyard::envs::web::{CurrentTab, Web};

/// How often each figure is measured; the median is printed.
const RUNS: usize = 7;

/// Pages with as many links as the path says.
#[derive(Debug)]
struct Links;

impl LocalSites for Links {
    fn serves(&self, host: &str) -> bool {
        host == "links.test"
    }

    fn answer(&self, request: &SiteRequest) -> SiteAnswer {
        let count: usize = request.target.trim_start_matches('/').parse().unwrap_or(0);
        let rows = (0..count).map(|index| {
            format!("<li class='row r{}'><a href='/{index}' title='t'>Link {index}</a></li>", index % 7)
        });
        let body = format!("<!doctype html><title>Links</title><ul>{}</ul>", rows.collect::<String>());
        let headers = vec![("content-type".to_owned(), "text/html".to_owned())];
        SiteAnswer { status: 200, headers, body: body.into_bytes(), delay: Duration::ZERO }
    }
}

fn settings() -> BrowserSettings {
    let seconds = |text: &str| serde_json::from_str(text).expect("a number of seconds");
    BrowserSettings {
        evaluate_timeout: seconds("60"),
        load_timeout: seconds("60"),
        pages: 16,
        page_memory: 4096,
        ..Default::default()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn print(what: &str, time: Duration, goal: &str) {
    println!("{what:<64} {:>8.0} ms   {goal}", time.as_secs_f64() * 1000.0);
}

async fn read(session: &WebSession) -> PageReading {
    read_page(&CurrentTab(session), ReadSettings { form: TreeForm::Visible, lines: 3000 })
        .await
        .expect("a tree")
}

/// The pixels and the PNG of a screenshot with numbers, as a request has them.
fn marked(png: &[u8], reading: &PageReading, blobs: &Arc<dyn BlobStore>) -> usize {
    let blob = BlobHandle::store(blobs, "image/png", png).expect("a blob");
    let boxes = reading.elements.iter().filter(|element| element.acts);
    #[allow(clippy::cast_possible_truncation, reason = "pages are small")]
    let boxes: Vec<NumberedBox> = boxes
        .map(|element| NumberedBox { number: element.number, rect: element.rect.map(|side| side as i32) })
        .collect();
    Picture::open(blob, 1).expect("a picture").with_numbers(boxes.into()).png().expect("a PNG").len()
}

async fn pages() {
    let network = NetworkRules { sites: Some(Arc::new(Links)), ..NetworkRules::default() };
    let browser = WebBrowser::new(WebSettings { browser: settings(), window: false, network });
    let viewport = Viewport { width: 1080, height: 720 };
    let session =
        browser.open(SessionOptions { viewport, cookies: None, listener: None }).await.expect("a session");
    let blobs: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    for (count, goal) in [(1_000, "60 ms"), (10_000, ""), (100_000, "3 s")] {
        session.goto(&format!("http://links.test/{count}")).await.expect("a page");
        session.settle().await;
        let mut times = Vec::new();
        for _ in 0..if count > 10_000 { 3 } else { RUNS } {
            let begin = Instant::now();
            read(&session).await;
            times.push(begin.elapsed());
        }
        print(&format!("tree, boxes and selectors of {count} links"), median(times), goal);
    }
    session.goto("http://links.test/1000").await.expect("a page");
    session.settle().await;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let begin = Instant::now();
        let reading = read(&session).await;
        let png = session.screenshot().await.expect("a screenshot");
        session.html().await.expect("the HTML");
        marked(&png, &reading, &blobs);
        times.push(begin.elapsed());
    }
    print("the same of 1000 with screenshot, HTML and numbers as PNG", median(times), "200 ms");
    session.close().await;
    browser.close().await;
}

async fn play(level: &Level, context: &EnvironmentContext) -> f64 {
    let mut environment = Web.open(level, &Options::new(), 0).expect("an episode");
    let opening = environment.open(context).await.expect("an opening");
    let (mut seen, mut sum) = (opening.observation, opening.points);
    while let Ok(Some(action)) = serde_json::from_value::<Option<Action>>(seen.facts()["next"].clone()) {
        let outcome = environment.act(&action, context).await.expect("an outcome");
        sum += outcome.reward;
        seen = outcome.observation;
        if outcome.status != Status::Running {
            break;
        }
    }
    environment.close().await;
    sum
}

async fn tasks() {
    let context = EnvironmentContext::default();
    context.resources.get_or_insert_with(|| mageyard::browser::BrowserPool::new(settings()));
    let levels = Web.parse_levels(Web.level_sets()[0].text).expect("tasks");
    let mut sums = [0.0, 0.0];
    let begin = Instant::now();
    for sum in &mut sums {
        for level in &levels {
            *sum += play(level, &context).await;
        }
    }
    print("24 recorded workflows, twice", begin.elapsed(), "60 s");
    println!("sums of rewards: {:.3} and {:.3} (equal, nodes with a judge left out)", sums[0], sums[1]);
    let begin = Instant::now();
    play(&levels[1], &context).await;
    let alone = begin.elapsed();
    let times = (0..10).map(|_| async {
        let begin = Instant::now();
        play(&levels[1], &context).await;
        begin.elapsed()
    });
    let slowest = futures_util::future::join_all(times).await.into_iter().max().unwrap_or_default();
    print("one episode alone", alone, "");
    print("the slowest of ten at once", slowest, "2 times one alone");
    println!("ratio {:.1}", slowest.as_secs_f64() / alone.as_secs_f64());
}

fn main() {
    if let Err(error) = find_browser(None) {
        println!("{error}");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        pages().await;
        tasks().await;
    });
}
