//! 200 episodes at once against a model server in another process, beside a bare HTTP client that sends the bodies of
//! such episodes, as many at once. The server answers after 20 ms, which two cores cannot keep up with, and after
//! 200 ms, which is nearer to a real server. Each case runs in a process of its own and prints the requests a second of
//! both clients and their ratio, over the whole run (which opens and ends the episodes too) and while all of them play;
//! the processor time of a request beyond that of the bare client; and the peak of the resident memory of the episodes.
//!
//! Then the calls of an ask, in the same way.
//!
//! The number of steps of an episode and a case can be given: `cargo bench --bench episodes -- 40 text`; `-- ask` measures asks
//! only.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

mod asking;
mod bare;
mod measured;
mod plan;
mod server;

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use mimalloc::MiMalloc;
use tokio::process::Command;

use self::measured::{Measured, load, peak};
use self::plan::Plan;
use self::server::serve;

/// That of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const EPISODES: usize = 200;
/// The steps of an episode: the limit that `run` has without a setting.
const STEPS: usize = 50;
/// The delays of the server in milliseconds.
const DELAYS: [usize; 2] = [20, 200];
/// The episodes whose requests the bare client repeats.
const SAMPLE: usize = 10;
/// The first argument of the process that plays the episodes of a case.
const CHILD: &str = "case";
/// The first argument of the process that makes the calls of an ask.
const ASK: &str = "ask";

/// The names of the cases and their settings, which end in the table of the model.
const CASES: [(&str, &str); 3] = [
    ("text", "prompt = \"HD-CoT-NoIMG\"\n[model]"),
    ("painted", "[model]\nresolution = 0"),
    ("256px", "[model]"),
];

/// The bodies of some episodes, in order.
async fn sample(settings: &str, steps: usize) -> Vec<Bytes> {
    let root = plan::new_root();
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let url = serve(Some(bodies.clone()));
    Plan::new(&root, &format!("{url}/0/v1"), settings, steps).play(SAMPLE, 1).await;
    std::mem::take(&mut *bodies.lock().expect("no panic")).into_iter().map(Bytes::from).collect()
}

/// Measures one case against the server at this URL: episodes, or calls of an ask.
async fn measure_case(sort: &str, name: &str, url: &str, delay: usize, steps: usize) {
    let (_, settings) = CASES.iter().find(|(case, _)| *case == name).expect("a known case");
    match sort {
        ASK => asking::measure(name, settings, url, delay).await,
        _ => measure(name, settings, url, delay, steps).await,
    }
}

/// Measures the episodes of a case.
async fn measure(name: &str, settings: &str, url: &str, delay: usize, steps: usize) {
    let root = plan::new_root();
    let url = format!("{url}/{delay}/v1");
    let plan = Plan::new(&root, &url, settings, steps);
    let mut at_once = 0.0;
    let episodes = async {
        let (steps, rate) = plan.play(EPISODES, EPISODES).await;
        at_once = rate;
        steps
    };
    let ours = Measured::of(episodes).await;
    let peak = peak();
    let bodies = sample(settings, steps).await;
    let floor = Measured::of(async {
        bare::send_all(&url, &bodies, EPISODES, steps).await;
        EPISODES * steps
    });
    let floor = floor.await;
    println!(
        "{name:<8} {delay:>3} ms  body {:>7} bytes  bare {:>5.0}/s {:.2} ms  episodes {:>5.0}/s ({:>3.0} %)  \
         all at once {at_once:>5.0}/s ({:>3.0} %)  own work {:>5.2} ms  peak {peak:>3} MB  load {}",
        bodies.iter().map(Bytes::len).sum::<usize>() / bodies.len(),
        floor.rate(),
        floor.milliseconds(),
        ours.rate(),
        100.0 * ours.rate() / floor.rate(),
        100.0 * at_once / floor.rate(),
        ours.milliseconds() - floor.milliseconds(),
        load(),
    );
}

/// Serves, and measures each case in a process of its own.
async fn measure_all(sorts: &[&str], wanted: Option<&str>, steps: usize) {
    let url = serve(None);
    let program = std::env::current_exe().expect("this program");
    let stores = tempfile::tempdir().expect("a folder");
    for (name, _) in CASES.iter().filter(|(name, _)| wanted.is_none_or(|wanted| *name == wanted)) {
        for (sort, delay) in sorts.iter().flat_map(|sort| DELAYS.map(|delay| (sort, delay))) {
            let mut child = Command::new(&program);
            child.args([sort, *name, &url, &delay.to_string(), &steps.to_string()]);
            child.env("TMPDIR", stores.path());
            assert!(child.status().await.expect("a process").success(), "{name}");
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let [sort @ (CHILD | ASK), name, url, delay, steps] = words[..] {
        let delay = delay.parse().expect("a number");
        let steps = steps.parse().expect("a number");
        let sort = sort.to_owned();
        let name = name.to_owned();
        let url = url.to_owned();
        let measured = runtime.spawn(async move { measure_case(&sort, &name, &url, delay, steps).await });
        runtime.block_on(measured).expect("no panic");
    } else {
        let wanted = CASES.iter().map(|(name, _)| *name).find(|name| words.contains(name));
        let sorts = if words.contains(&ASK) { &[ASK][..] } else { &[CHILD, ASK][..] };
        runtime.block_on(measure_all(sorts, wanted, arguments.iter().find_map(number).unwrap_or(STEPS)));
    }
}
