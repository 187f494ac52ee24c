//! Calls that the screen has planned: they begin once a person wants them, and stop when their place is taken.

use std::collections::BTreeMap;

use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};

use mageyard_config::Problem;
use mageyard_study::{AskCall, AskOutcome, AskPlan, AskStop, StoredAsk};

/// The planned calls or those in progress, which stop when it is dropped.
#[derive(Default)]
pub struct PlannedCalls(Option<Planned>);

struct Planned {
    number: u64,
    /// Lets the calls begin, once.
    make: Option<oneshot::Sender<()>>,
    _stop: DropGuard,
}

/// What the calls wait for.
pub struct Signals {
    /// They are wanted.
    pub wanted: oneshot::Receiver<()>,
    /// They are to stop, or not to begin.
    pub stop: CancellationToken,
}

impl PlannedCalls {
    /// The calls of the plan with this number.
    pub fn new(number: u64) -> (Self, Signals) {
        let (make, wanted) = oneshot::channel();
        let stop = CancellationToken::new();
        let planned = Planned { number, make: Some(make), _stop: stop.clone().drop_guard() };
        (Self(Some(planned)), Signals { wanted, stop })
    }

    /// Lets the calls with this number begin.
    pub fn make(&mut self, number: u64) {
        let planned = self.0.as_mut().filter(|planned| planned.number == number);
        if let Some(make) = planned.and_then(|planned| planned.make.take()) {
            // The plan was refused.
            let _ = make.send(());
        }
    }
}

/// A planned ask of which no call was made.
pub fn nothing_made(plan: &AskPlan) -> StoredAsk {
    let record = plan.record.clone();
    StoredAsk { folder: plan.folder(), record, calls: Vec::new(), ratings: BTreeMap::new() }
}

/// Adds a call, in place of an earlier one that has failed.
pub fn add_call(calls: &mut Vec<AskCall>, call: &AskCall) {
    let same = |known: &AskCall| (known.variant, known.sample) == (call.variant, call.sample);
    match calls.iter().position(same) {
        Some(index) => {
            let spent = calls[index].spent.plus(call.spent);
            calls[index] = AskCall { spent, ..call.clone() };
        }
        None => calls.push(call.clone()),
    }
}

/// Why the calls ended, if they failed.
pub fn failure(outcome: &AskOutcome) -> Result<(), Problem> {
    match &outcome.stopped {
        Some(AskStop::Failing(why)) => Err(Problem::new(format!("calls keep failing: {why}"))
            .with_help("the same ask makes the calls that are missing")),
        Some(AskStop::Cancelled(_)) | None => Ok(()),
    }
}
