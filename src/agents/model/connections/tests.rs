//! The permits of one process, and those of several that share a limit.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::*;

/// Takes and keeps this many permits.
async fn take(connections: &Connections, count: usize) -> Vec<ConnectionPermit<'_>> {
    let mut permits = Vec::new();
    for _ in 0..count {
        permits.push(connections.acquire().await.unwrap());
    }
    permits
}

fn connections(most: usize) -> Connections {
    let connections = Connections::new();
    connections.allow(most);
    connections
}

#[tokio::test(start_paused = true)]
async fn the_limit_is_halved_once_for_all_requests_under_way() {
    let connections = connections(8);
    let permits = take(&connections, 8).await;
    tokio::time::advance(Duration::from_secs(1)).await;
    for permit in &permits {
        connections.rate_limited(permit);
    }
    let load = connections.load();
    assert_eq!((load.most, load.limit, load.rate_limited), (8, 4, 8));
    drop(permits);
    assert_eq!(connections.free(), 4, "the excess was destroyed");
    tokio::time::advance(Duration::from_secs(1)).await;
    for limit in [2, 1, 1] {
        let permit = connections.acquire().await.unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
        connections.rate_limited(&permit);
        drop(permit);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((connections.load().limit, connections.free()), (limit, limit));
    }
}

#[tokio::test(start_paused = true)]
async fn an_ordered_number_replaces_the_setting_and_ends_no_request() {
    let connections = connections(4);
    let mut permits = take(&connections, 4).await;
    connections.order(Some(2));
    assert_eq!((connections.load().most, connections.load().limit, connections.free()), (2, 2, 0));
    permits.truncate(2);
    assert_eq!(connections.free(), 0, "two are still used");
    permits.truncate(1);
    assert_eq!(connections.free(), 1);
    connections.allow(64);
    assert_eq!(connections.load().most, 2, "another agent with a larger setting");
    connections.order(Some(5));
    assert_eq!((connections.load().limit, connections.free()), (5, 4));
    connections.order(None);
    assert_eq!((connections.load().limit, connections.free()), (64, 63), "the largest setting again");
}

#[tokio::test(start_paused = true)]
async fn it_grows_by_one_for_each_round_of_successes_up_to_the_setting() {
    let connections = connections(4);
    let permit = connections.acquire().await.unwrap();
    connections.rate_limited(&permit);
    drop(permit);
    let mut limits = Vec::new();
    for _ in 0..9 {
        let _permit = connections.acquire().await.unwrap();
        connections.succeeded();
        limits.push(connections.load().limit);
    }
    assert_eq!(limits, [2, 3, 3, 3, 4, 4, 4, 4, 4]);
    assert_eq!(connections.free(), 4);
}

#[tokio::test(start_paused = true)]
async fn permits_in_use_are_counted_when_the_limit_grows_again() {
    let connections = connections(4);
    let mut permits = take(&connections, 4).await;
    connections.rate_limited(&permits[0]);
    connections.succeeded();
    connections.succeeded();
    assert_eq!(connections.load().limit, 3);
    permits.pop();
    assert_eq!(connections.free(), 0, "three are still in use");
    permits.pop();
    assert_eq!(connections.free(), 1);
    drop(permits);
    assert_eq!(connections.free(), 3);
}

/// Documents in memory. Every few calls fail, or succeed without a reply.
#[derive(Default)]
struct Documents {
    ledgers: Mutex<BTreeMap<String, (u64, Vec<u8>)>>,
    calls: AtomicU64,
}

impl Documents {
    /// Whether this call fails, and whether it does so after it had its effect.
    fn fault(&self) -> (bool, bool) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        (call % 23 == 7, call % 19 == 5)
    }
}

impl SharedDocuments for Documents {
    fn read(&self, name: &str) -> io::Result<SharedDocument> {
        if self.fault().0 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let (version, content) = lock(&self.ledgers).get(name).cloned().unwrap_or_default();
        Ok(SharedDocument { version: version.to_le_bytes().to_vec(), content })
    }

    fn replace(&self, name: &str, version: &[u8], content: &[u8]) -> io::Result<bool> {
        let (fails, loses_reply) = self.fault();
        if fails {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let mut ledgers = lock(&self.ledgers);
        let there = ledgers.entry(name.to_owned()).or_default();
        if there.0.to_le_bytes() != version {
            return Ok(false);
        }
        *there = (there.0 + 1, content.to_vec());
        if loses_reply { Err(io::ErrorKind::TimedOut.into()) } else { Ok(true) }
    }
}

thread_local! {
    static START: tokio::time::Instant = tokio::time::Instant::now();
}

fn clock() -> Duration {
    START.with(tokio::time::Instant::elapsed) + Duration::from_secs(1000)
}

/// The requests at once that a server sees.
#[derive(Default)]
struct Seen {
    open: AtomicUsize,
    peak: AtomicUsize,
    served: AtomicUsize,
}

/// A request that the server answers; it ends when it is dropped.
struct Open(Arc<Seen>);

impl Open {
    fn new(seen: &Arc<Seen>) -> Self {
        let open = seen.open.fetch_add(1, Ordering::Relaxed) + 1;
        seen.peak.fetch_max(open, Ordering::Relaxed);
        Self(seen.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
        self.0.served.fetch_add(1, Ordering::Relaxed);
    }
}

impl Seen {
    /// The requests that are served from now on in this time, and the largest number at once.
    async fn during(&self, seconds: u64) -> (usize, usize) {
        let before = self.served.load(Ordering::Relaxed);
        self.peak.store(self.open.load(Ordering::Relaxed), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        (self.served.load(Ordering::Relaxed) - before, self.peak.load(Ordering::Relaxed))
    }
}

/// A process: its permits, and tasks that renew its share and send requests of 100 ms.
struct Process {
    connections: Arc<Connections>,
    tasks: tokio::task::JoinSet<()>,
}

impl Process {
    fn start(name: &str, documents: &Arc<Documents>, seen: &Arc<Seen>, jobs: usize) -> Self {
        let [heartbeat, lease, takeover] = [5, 30, 40].map(Duration::from_secs);
        let documents = documents.clone();
        let process = name.to_owned();
        let permits = SharedPermits { documents, process, heartbeat, lease, takeover, clock };
        let connections = Arc::new(Connections::shared(clock));
        connections.allow(6);
        let mut tasks = tokio::task::JoinSet::new();
        let own = connections.clone();
        tasks.spawn(async move {
            let mut renewal = Renewal::new(permits, "server".to_owned());
            loop {
                renewal.renew(&own).await;
                renewal.wait(&own).await;
            }
        });
        for _ in 0..jobs {
            let own = connections.clone();
            let seen = seen.clone();
            tasks.spawn(async move {
                loop {
                    let _permit = own.acquire().await;
                    let _open = Open::new(&seen);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            });
        }
        Self { connections, tasks }
    }
}

#[tokio::test(start_paused = true)]
async fn processes_together_never_exceed_the_limit_and_use_it() {
    let documents = Arc::default();
    let seen = Arc::new(Seen::default());
    let start = |name| Process::start(name, &documents, &seen, 10);
    let mut processes: Vec<_> = ["a", "b", "c"].map(start).into();
    seen.during(5).await;
    let (served, peak) = seen.during(20).await;
    assert!(served > 6 * 10 * 20 * 9 / 10 && peak == 6, "{served} served, {peak} at once");
    drop(processes.remove(0).tasks);
    let (_, peak) = seen.during(38).await;
    assert!(peak <= 6, "the share of a dead process is not given to others before its lease ends");
    seen.during(8).await;
    let (served, peak) = seen.during(20).await;
    assert!(served > 6 * 10 * 20 * 9 / 10 && peak == 6, "{served} served, {peak} at once");
    processes.push(start("d"));
    let (served, peak) = seen.during(20).await;
    assert!(served > 6 * 10 * 20 * 8 / 10 && peak == 6, "{served} served, {peak} at once");
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_of_one_process_slows_all_of_them() {
    let documents = Arc::default();
    let seen = Arc::new(Seen::default());
    let processes = ["a", "b"].map(|name| Process::start(name, &documents, &seen, 10));
    seen.during(5).await;
    let limited = processes[0].connections.acquire().await.unwrap();
    processes[0].connections.rate_limited(&limited);
    drop(limited);
    seen.during(4).await;
    let (served, peak) = seen.during(10).await;
    assert!(peak == 3 && (240..=300).contains(&served), "{served} served, {peak} at once");
    for process in &processes {
        let load = process.connections.load();
        assert_eq!((load.most, load.limit, load.processes), (6, 3, 2));
    }
    processes[1].connections.update(|state, _| state.share.as_mut().unwrap().successes += 12);
    seen.during(4).await;
    assert_eq!(seen.during(5).await.1, 6, "successes of one let all grow");
}

#[tokio::test(start_paused = true)]
async fn a_process_that_cannot_renew_its_share_stops_when_its_lease_ends() {
    let documents = Arc::<Documents>::default();
    let seen = Arc::new(Seen::default());
    let mut one = Process::start("a", &documents, &seen, 10);
    seen.during(3).await;
    documents.ledgers.lock().unwrap().insert("server".to_owned(), (1, b"{".to_vec()));
    assert!(seen.during(25).await.0 > 1000, "the lease is not over");
    seen.during(7).await;
    assert_eq!(seen.during(5).await.0, 0);
    assert!(one.connections.load().problem.is_some());
    documents.ledgers.lock().unwrap().clear();
    seen.during(5).await;
    assert!(seen.during(5).await.0 > 200, "it goes on");
    one.tasks.abort_all();
}
