//! 200 episodes at once against a server in this process that answers after 20 ms, beside a bare HTTP client that sends
//! as many requests of the same size, as many at once, and beside episodes one after the other. Prints the requests a
//! second, their ratio, the processor time of each request beyond that of the bare client, and the peak of the resident
//! memory of the process.
//!
//! The number of steps of an episode can be given: `cargo bench --bench episodes -- 40`.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use mageyard::agents;
use mageyard::config::Config;
use mageyard::config::Folders;
use mageyard::config::Sources;
use mageyard::engine::Breakpoints;
use mageyard::engine::Head;
use mageyard::engine::Store;
use mageyard::lab;
use mageyard::lab::Lab;
use mageyard::lab::PlannedEpisode;
use mageyard::lab::RunEvent;
use mageyard::lab::RunOptions;
use rustix::time::ClockId;
use rustix::time::clock_gettime;
use tokio_util::sync::CancellationToken;

const EPISODES: usize = 200;
const DELAY: Duration = Duration::from_millis(20);
const REPLY: &str = r##"{"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message":
    {"role": "assistant", "content": "# analyze\nThe crate is near.\n\n# action\nLeft\n"}}],
    "usage": {"prompt_tokens": 1200, "completion_tokens": 34}}"##;

/// The newest body that the server has received.
type LastBody = Arc<Mutex<Bytes>>;

async fn answer(State(last): State<LastBody>, body: Bytes) -> impl IntoResponse {
    *last.lock().expect("no panic") = body;
    tokio::time::sleep(DELAY).await;
    ([(CONTENT_TYPE, "application/json")], REPLY)
}

/// Starts the server; returns its base URL.
async fn serve(last: LastBody) -> String {
    let router = Router::new().route("/v1/chat/completions", post(answer));
    let router = router.layer(DefaultBodyLimit::max(64 << 20)).with_state(last);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// What was measured.
#[derive(Clone, Copy)]
struct Measured {
    requests: usize,
    wall: Duration,
    processor: Duration,
}

impl Measured {
    #[expect(clippy::cast_precision_loss, reason = "there are few requests")]
    fn per_second(self) -> f64 {
        self.requests as f64 / self.wall.as_secs_f64()
    }

    /// Processor time of a request.
    #[expect(clippy::cast_precision_loss, reason = "there are few requests")]
    fn milliseconds(self) -> f64 {
        self.processor.as_secs_f64() * 1000.0 / self.requests as f64
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

async fn measure(requests: usize, work: impl Future<Output = ()>) -> Measured {
    let (began, before) = (Instant::now(), processor_time());
    work.await;
    Measured { requests, wall: began.elapsed(), processor: processor_time().saturating_sub(before) }
}

/// Sends this body so many times in each of so many tasks.
async fn bare(url: &str, body: Bytes, tasks: usize, each: u32) {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = format!("{url}/chat/completions");
    let tasks: Vec<_> = (0..tasks)
        .map(|_| {
            let (client, url, body) = (client.clone(), url.clone(), body.to_vec());
            tokio::spawn(async move {
                for _ in 0..each {
                    let request = client.post(&url).header("content-type", "application/json");
                    let response = request.body(body.clone()).send().await.expect("an answer");
                    assert!(response.bytes().await.expect("a body").len() > 100);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic");
    }
}

/// The settings and the plan of a run.
struct Plan {
    lab: Lab,
    config: Arc<Config>,
    store: Store,
}

impl Plan {
    fn new(root: &Path, url: &str, settings: &str, steps: u32) -> Self {
        let text = format!(
            "[play]\nagent = \"model\"\nmax_steps = {steps}\n{settings}\n\
             name = \"m\"\nbase_url = \"{url}\"\nstream = false\nmax_connections = {EPISODES}\n"
        );
        fs::create_dir_all(root.join("working")).expect("a folder");
        fs::write(root.join("working/mageyard.toml"), text).expect("a file");
        let folders = Folders::under(root);
        let config = Sources { folders, user_file_override: None, overrides: Vec::new() }.read();
        let lab = Lab::new(mageyard::envs::environments(), agents::AGENTS, Arc::new(|_| None));
        Self { lab, config: Arc::new(config.expect("valid settings")), store: Store::new(root.join("store")) }
    }

    fn episodes(&self, count: usize) -> Vec<PlannedEpisode> {
        let levels = self.lab.levels(self.config.folders(), "sokoban/mini").expect("shipped levels");
        let rules = lab::configured_reader(self.config.folders(), &self.config).expect("a shipped reader");
        let session = lab::create_session(&self.store, &levels[..1], &self.config).expect("a session");
        let head = |number: usize| -> Head {
            let level = &levels[number % levels.len()];
            self.lab.new_head(&self.config, level, rules.clone(), number as u64).expect("a head")
        };
        (1..=count)
            .map(|number| PlannedEpisode {
                journal: self.store.journal_path(&session, number),
                head: Some(head(number)),
            })
            .collect()
    }

    /// Plays so many episodes, so many at once.
    async fn play(&self, count: usize, jobs: usize) {
        let options = RunOptions {
            config: self.config.clone(),
            store: self.store.clone(),
            breakpoints: Breakpoints::default(),
            jobs,
            failure_limit: 1,
        };
        let mut run = self.lab.run(self.episodes(count), options, &CancellationToken::new());
        let mut finished = 0;
        while let Some(event) = run.next().await {
            finished += usize::from(matches!(event.event, RunEvent::Finished(_)));
        }
        assert_eq!(finished, count, "every episode ends");
    }
}

/// The peak of the resident memory, in megabytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

async fn compare(name: &str, settings: &str, steps: u32) {
    let (root, last) = (tempfile::tempdir().expect("a folder"), LastBody::default());
    let url = serve(last.clone()).await;
    let plan = Plan::new(root.path(), &url, settings, steps);
    // Also opens the connections of the pool.
    plan.play(2, 2).await;
    let body = last.lock().expect("no panic").clone();
    let requests = EPISODES * usize::try_from(steps).expect("few steps");
    let bare = measure(requests, bare(&url, body.clone(), EPISODES, steps)).await;
    let ours = measure(requests, plan.play(EPISODES, EPISODES)).await;
    let few = 4;
    let one = measure(few * requests / EPISODES, plan.play(few, 1)).await;
    println!(
        "{name:<22} body {:>6} bytes  bare {:>6.0}/s  episodes {:>6.0}/s ({:>3.0} %)  one by one {:>4.0}/s  \
         own work {:.2} ms  peak {} MB",
        body.len(),
        bare.per_second(),
        ours.per_second(),
        100.0 * ours.per_second() / bare.per_second(),
        one.per_second(),
        ours.milliseconds() - bare.milliseconds(),
        peak(),
    );
}

fn main() {
    let steps = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(20);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        compare("text", "prompt = \"HD-CoT-NoIMG\"\n[model]", steps).await;
        compare("frames as painted", "[model]\nresolution = 0", steps).await;
        compare("frames of 256 px", "[model]", steps).await;
    });
}
