//! 1,000 calls of one ask, 32 at once, beside a bare client that sends the same body as often.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;

use crate::measured::{Measured, load};
use crate::plan::Plan;
use crate::server::serve;
use crate::{bare, plan};

const AT_ONCE: usize = 32;
/// So many that each of the tasks of the bare client makes as many.
const CALLS: usize = 1024;

/// Measures asks with these settings against the server at this URL.
pub(crate) async fn measure(name: &str, settings: &str, url: &str, delay: usize) {
    let root = plan::new_root();
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let recorded = Plan::new(&root, &format!("{}/0/v1", serve(Some(bodies.clone()))), settings, 3);
    recorded.play(1, 1).await;
    let body = bodies.lock().expect("no panic").last().cloned().expect("a body");
    let asked = Plan::new(&root, &format!("{url}/{delay}/v1"), settings, 3);
    let ours = Measured::of(asked.ask(CALLS, AT_ONCE)).await;
    let floor = Measured::of(async {
        let body = [Bytes::from(body)];
        bare::send_all(&format!("{url}/{delay}/v1"), &body, AT_ONCE, CALLS / AT_ONCE).await;
        CALLS
    });
    let floor = floor.await;
    println!(
        "ask {name:<8} {delay:>3} ms  bare {:>5.0}/s {:.2} ms  ask {:>5.0}/s ({:>3.0} %)  own work {:>5.2} ms  load {}",
        floor.rate(),
        floor.milliseconds(),
        ours.rate(),
        100.0 * ours.rate() / floor.rate(),
        ours.milliseconds() - floor.milliseconds(),
        load(),
    );
}
