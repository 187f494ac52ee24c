//! Runs that follow orders. The clock of Tokio is paused: it goes on when nothing else is left to do, so that an hour takes
//! no time.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::claims::{End, Next, Reason, State, Timing, cell_states};
use crate::orders::{Changes, GivenOrder, Order, Requeue, WorkerLimits, give_order, requeue_cells};
use crate::{SweepOverrides, plan_sweep};
use mageyard_config::{Config, Folders, SourceFile};
use mageyard_domain::Prices;
use mageyard_lab::{RunEvent, SpendingLimits};

/// Two cells with six episodes each.
const SWEEP: &str = "levels = \"hanoi/first/1..3\"\nrepeats = 2\n[settings]\nplay.agent = \"random\"\n\
                     play.max_steps = 3\n[[grid]]\nplay.setting = [\"online\", \"global\"]\n";
const EPISODES: usize = 12;

const HOUR: Duration = Duration::from_hours(1);

struct Fixture {
    root: tempfile::TempDir,
    lab: Lab,
    plan: Arc<SweepPlan>,
}

/// What a run has reported so far.
#[derive(Default)]
struct Reported {
    claimed: usize,
    finished: usize,
    orders: Vec<GivenOrder>,
    blocked: Vec<String>,
    unblocked: usize,
}

impl Fixture {
    fn new() -> Self {
        let lab = Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None));
        let root = tempfile::tempdir().unwrap();
        let config = Config::shipped(Folders::under(root.path())).unwrap();
        let sheet = SourceFile { path: "plans/small.toml".into(), text: SWEEP.into() };
        let plan = plan_sweep(&lab, &sheet, &SweepOverrides::default(), &config).unwrap().into();
        let fixture = Self { root, lab, plan };
        fixture.claims();
        fixture
    }

    fn claims(&self) -> Claims {
        let mut claims = Claims::open(self.root.path(), "test", Timing::default()).unwrap();
        claims.add(self.plan.cells.iter().map(|cell| cell.name.as_str())).unwrap();
        claims
    }

    fn start(&self, jobs: usize) -> SweepRun {
        let claims = self.claims();
        let limits = WorkerLimits { jobs, max_connections: None, cost: None, tokens: None, time: None };
        let options = SweepRunOptions {
            failure_limit: 0,
            breakpoints: Breakpoints::default(),
            retries: 0,
            retry_delay: Duration::from_secs(1),
            spending: Spending::new(SpendingLimits::default(), Prices::default()).into(),
            orders: FollowedOrders::start(self.root.path(), claims.worker(), limits).unwrap(),
            waits_for_others: true,
        };
        let folder = self.root.path().to_owned();
        run_sweep(&self.lab, self.plan.clone(), folder, claims, options, &CancellationToken::new())
    }

    fn give(&self, order: Order) {
        give_order(self.root.path(), order, "ada@node1", Some("a test")).unwrap();
    }

    fn set(&self, values: &str) {
        self.give(Order::Set { values: Changes::parse([values]).unwrap(), worker: None });
    }

    fn states(&self) -> Vec<State> {
        cell_states(self.root.path()).unwrap().into_values().map(|cell| cell.state).collect()
    }
}

impl Reported {
    fn take(&mut self, event: SweepEvent) {
        match event {
            SweepEvent::Claimed { .. } => self.claimed += 1,
            SweepEvent::Episode(_, event) => {
                self.finished += usize::from(matches!(event.event, RunEvent::Finished(_)));
            }
            SweepEvent::Ordered(given) => self.orders.push(given),
            SweepEvent::Blocked(why) => self.blocked.push(why),
            SweepEvent::Unblocked => self.unblocked += 1,
            _ => {}
        }
    }

    /// Takes events until nothing happens for an hour; whether the run goes on.
    async fn until_quiet(&mut self, run: &mut SweepRun) -> bool {
        loop {
            match timeout(HOUR, run.next()).await {
                Ok(Some(event)) => self.take(event),
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    fn order_names(&self) -> Vec<&str> {
        self.orders.iter().map(|given| given.order.name()).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_of_a_paused_sweep_waits_until_it_is_resumed() {
    let fixture = Fixture::new();
    fixture.give(Order::Pause);
    let mut run = fixture.start(2);
    let mut reported = Reported::default();
    assert!(reported.until_quiet(&mut run).await, "it waits");
    assert_eq!((reported.order_names(), reported.claimed), (vec!["pause"], 0));
    fixture.give(Order::Resume);
    assert!(!reported.until_quiet(&mut run).await);
    assert!(matches!(run.end().await.unwrap(), SweepEnd::Complete));
    assert_eq!((reported.order_names(), reported.finished), (vec!["pause", "resume"], EPISODES));
}

#[tokio::test(start_paused = true)]
async fn a_pause_finishes_what_is_running_and_starts_nothing() {
    let fixture = Fixture::new();
    let mut run = fixture.start(1);
    let mut reported = Reported::default();
    while reported.finished == 0 {
        reported.take(run.next().await.unwrap());
    }
    fixture.give(Order::Pause);
    assert!(reported.until_quiet(&mut run).await);
    let finished = reported.finished;
    assert!(finished <= 3, "one that was running, and one whose start was not reported yet: {finished}");
    fixture.set("jobs=3");
    assert!(reported.until_quiet(&mut run).await, "new limits resume nothing");
    assert_eq!(reported.finished, finished);
    fixture.give(Order::Resume);
    assert!(!reported.until_quiet(&mut run).await);
    assert!(matches!(run.end().await.unwrap(), SweepEnd::Complete));
    assert_eq!((reported.finished, reported.order_names()), (EPISODES, vec!["pause", "set", "resume"]));
    assert_eq!(fixture.states(), [State::Done; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_a_run_and_gives_its_cells_back() {
    let fixture = Fixture::new();
    let mut run = fixture.start(1);
    let mut reported = Reported::default();
    while reported.finished == 0 {
        reported.take(run.next().await.unwrap());
    }
    fixture.give(Order::Pause);
    assert!(reported.until_quiet(&mut run).await);
    fixture.give(Order::Cancel);
    assert!(!reported.until_quiet(&mut run).await);
    let SweepEnd::Cancelled(why) = run.end().await.unwrap() else { panic!("it ended otherwise") };
    assert_eq!(why, "the sweep was cancelled by ada@node1: a test");
    assert_eq!(fixture.states(), [State::Queued; 2]);
    let mut late = fixture.start(1);
    let mut none = Reported::default();
    assert!(!none.until_quiet(&mut late).await);
    assert!(matches!(late.end().await.unwrap(), SweepEnd::Cancelled(_)), "a worker that starts now ends");
    assert_eq!((none.claimed, none.finished), (0, 0));
    fixture.give(Order::Resume);
    let mut again = fixture.start(1);
    let mut rest = Reported::default();
    assert!(!rest.until_quiet(&mut again).await);
    assert!(matches!(again.end().await.unwrap(), SweepEnd::Complete));
    assert_eq!(fixture.states(), [State::Done; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_counts_the_time_of_a_pause() {
    let fixture = Fixture::new();
    fixture.give(Order::Pause);
    let mut run = fixture.start(1);
    let began = Instant::now();
    let mut reported = Reported::default();
    assert!(reported.until_quiet(&mut run).await);
    fixture.set("max-time=5000");
    assert!(!reported.until_quiet(&mut run).await);
    let SweepEnd::Limit(why) = run.end().await.unwrap() else { panic!("it ended otherwise") };
    assert_eq!(why, "the time limit of 5000 s is reached");
    assert_eq!((began.elapsed().as_secs(), reported.claimed), (5000, 0));
}

#[tokio::test(start_paused = true)]
async fn an_order_that_cannot_be_read_starts_nothing_until_it_can() {
    let fixture = Fixture::new();
    fixture.give(Order::Pause);
    let mut run = fixture.start(2);
    let mut reported = Reported::default();
    assert!(reported.until_quiet(&mut run).await);
    fixture.give(Order::Resume);
    let file = fixture.root.path().join(".sweep/orders/000002");
    let good = fs::read(&file).unwrap();
    fs::write(&file, "damaged").unwrap();
    assert!(reported.until_quiet(&mut run).await);
    assert_eq!((reported.blocked.len(), reported.claimed), (1, 0), "it is said once");
    assert!(reported.blocked[0].contains(".sweep/orders/000002"), "{}", reported.blocked[0]);
    fs::write(&file, good).unwrap();
    assert!(!reported.until_quiet(&mut run).await);
    assert_eq!((reported.unblocked, reported.finished), (1, EPISODES));
    assert!(matches!(run.end().await.unwrap(), SweepEnd::Complete));
}

#[tokio::test(start_paused = true)]
async fn a_failed_cell_is_tried_again_by_a_run_that_has_no_other_cell() {
    let fixture = Fixture::new();
    let mut other = fixture.claims();
    let Next::Claimed(claim) = other.claim_next().unwrap() else { panic!("nothing to claim") };
    let reason = Reason { class: "server".to_owned(), text: "overloaded".to_owned() };
    fs::create_dir(fixture.root.path().join(claim.cell())).unwrap();
    claim.finish(&End::Failed(reason)).unwrap();
    fixture.set("jobs=1");
    let mut run = fixture.start(4);
    let mut reported = Reported::default();
    while reported.finished == 0 {
        reported.take(run.next().await.unwrap());
    }
    assert_eq!(reported.claimed, 1);
    fixture.give(Order::Pause);
    assert!(reported.until_quiet(&mut run).await);
    requeue_cells(fixture.root.path(), &Requeue::default(), "test", "ada@node1", None).unwrap();
    fixture.give(Order::Resume);
    assert!(!reported.until_quiet(&mut run).await);
    assert!(matches!(run.end().await.unwrap(), SweepEnd::Complete));
    assert_eq!((reported.finished, fixture.states()), (EPISODES, vec![State::Done; 2]));
    assert_eq!(reported.order_names(), ["set", "pause", "requeue", "resume"]);
}
