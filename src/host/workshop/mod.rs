//! The workshop of a prompt, beside the screen: drafts are filled in, versions are looked up, and a draft is asked on the pinned
//! states.

mod given;
mod room;
mod shop;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

use tokio::sync::oneshot;

use self::given::Drafted;
use self::room::Room;
use crate::asking::{Asker, PlannedCalls, Ready, confirming};
use mageyard_config::Problem;
use mageyard_screen::WorkshopOrder;
use mageyard_study::SuiteStudy;

/// What works on a prompt. Orders are carried out one after the other, on a thread of its own.
#[derive(Default)]
pub(crate) struct WorkshopTask {
    orders: Option<Sender<Given>>,
    newest: Arc<Newest>,
    calls: PlannedCalls,
    /// The draft that is planned, with the number of its ask.
    planned: Option<(u64, String)>,
}

/// The numbers of the newest orders: what an earlier one fills in is not wanted any more.
#[derive(Default)]
struct Newest {
    opened: AtomicU64,
    filled: AtomicU64,
    /// How many orders there were.
    sent: AtomicU64,
}

/// An order with its number, and what it needs.
struct Given {
    number: u64,
    order: Order,
    asker: Asker,
}

/// What the thread does.
enum Order {
    Of(WorkshopOrder),
    /// Give what a draft needs to be planned, so many samples in each state.
    Draft(String, u32, oneshot::Sender<Result<Box<Drafted>, Problem>>),
    /// Keep a draft as a version.
    Keep(String),
}

impl WorkshopTask {
    /// Carries out an order beside the screen.
    pub(crate) fn take(&mut self, order: WorkshopOrder, asker: Asker) {
        match order {
            WorkshopOrder::Plan { number, text, samples } => {
                let (give, given) = oneshot::channel();
                self.planned = Some((number, text.clone()));
                self.send(Order::Draft(text, samples, give), asker.clone());
                let planned = planned(asker.clone(), given);
                self.calls = PlannedCalls::begin(number, &asker, planned);
            }
            WorkshopOrder::Make(number) => {
                if let Some((_, text)) = self.planned.take_if(|(planned, _)| *planned == number) {
                    self.send(Order::Keep(text), asker);
                }
                self.calls.make(number);
            }
            WorkshopOrder::Stop => self.calls = PlannedCalls::default(),
            WorkshopOrder::Close => {
                self.outdate();
                self.orders = None;
                self.planned = None;
                self.calls = PlannedCalls::default();
            }
            order => self.send(Order::Of(order), asker),
        }
    }

    fn send(&mut self, order: Order, asker: Asker) {
        let number = match &order {
            Order::Of(WorkshopOrder::Open(_)) => {
                self.newest.filled.fetch_add(1, Ordering::Relaxed);
                self.newest.opened.fetch_add(1, Ordering::Relaxed) + 1
            }
            Order::Of(WorkshopOrder::Fill(..)) => self.newest.filled.fetch_add(1, Ordering::Relaxed) + 1,
            _ => 0,
        };
        self.newest.sent.fetch_add(1, Ordering::Relaxed);
        let orders = self.orders.get_or_insert_with(|| start(Arc::clone(&self.newest)));
        // The thread ends only with this task.
        let _ = orders.send(Given { number, order, asker });
    }

    /// What was ordered so far is not wanted any more.
    fn outdate(&self) {
        for count in [&self.newest.opened, &self.newest.filled, &self.newest.sent] {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for WorkshopTask {
    fn drop(&mut self) {
        self.outdate();
    }
}

fn start(newest: Arc<Newest>) -> Sender<Given> {
    let (orders, received) = channel();
    // The order that it begins with is counted already.
    let taken = newest.sent.load(Ordering::Relaxed).saturating_sub(1);
    tokio::task::spawn_blocking(move || Room::new(newest, taken).work(&received));
    orders
}

/// Plans to ask a draft, once the thread has given what that needs.
async fn planned(
    asker: Asker,
    given: oneshot::Receiver<Result<Box<Drafted>, Problem>>,
) -> Result<Ready, Problem> {
    let closed = |_| Problem::new("the workshop is closed");
    let Drafted { suite, request, at_once, config } = *given.await.map_err(closed)??;
    let confirm = confirming(&suite);
    let study = SuiteStudy::plan(&asker.lab, suite, (&request, at_once), &config, confirm).await;
    Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)))
}
