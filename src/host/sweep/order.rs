//! Orders from the dashboard for all workers of a sweep.

use mageyard_cli::sweep::run::worker_label;
use mageyard_config::{Config, Problem};
use mageyard_lab::Lab;
use mageyard_screen::SweepOrder;
use mageyard_sweep::{
    ControlState, Order, OrderError, Requeue, control_state, existing_sweep, give_order, orders,
    person_at_host, requeue_cells,
};

/// Gives an order to the workers of this sweep, and says what they do now.
pub(crate) fn order_sweep(
    sweep: &str,
    order: SweepOrder,
    lab: &Lab,
    config: &Config,
) -> Result<String, Problem> {
    let folder = existing_sweep(sweep, config)?;
    let person = person_at_host(&lab.key_lookup);
    let order = match order {
        SweepOrder::Cancel => Order::Cancel,
        SweepOrder::PauseOrResume => {
            match control_state(&orders(&folder).map_err(|error| problem(&error))?) {
                ControlState::Running => Order::Pause,
                ControlState::Paused { .. } | ControlState::Cancelled { .. } => Order::Resume,
            }
        }
        SweepOrder::Requeue => {
            let wanted = Requeue { cells: Vec::new(), only: None };
            let given = requeue_cells(&folder, &wanted, &worker_label(), &person, None);
            let messages: Vec<String> =
                given.map_err(|error| problem(&error))?.iter().map(|given| given.message(sweep)).collect();
            let none = || "no cell has failed or is parked".to_owned();
            return Ok(if messages.is_empty() { none() } else { messages.join("; ") });
        }
    };
    Ok(give_order(&folder, order, &person, None).map_err(|error| problem(&error))?.message(sweep))
}

fn problem(error: &OrderError) -> Problem {
    Problem::new(error.to_string())
}
