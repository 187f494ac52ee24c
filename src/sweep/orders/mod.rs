//! Orders: what people order all workers of a sweep to do from another terminal, such as to pause.
//!
//! Each order is a file in the control folder, `orders/NNNNNN`, that is created with the next number and never changed or
//! removed. Of two people who order something at once one gets the number and the other the next one, also on a network
//! file system, so all workers follow the same orders in the same sequence. A worker lists that one folder about once a
//! second and before each episode, and reads only files that it has not read before.
//!
//! An order never changes what is measured. It is not part of the claims: a worker of an older program ignores orders, and
//! plays the same cells.

mod change;
mod control;
mod error;
mod follow;
mod give;
mod given;
mod log;
mod requeue;
#[cfg(test)]
mod tests;

pub use self::change::{Changes, WorkerLimits};
pub use self::control::{ControlState, control_state};
pub use self::error::OrderError;
pub use self::follow::FollowedOrders;
pub(crate) use self::follow::requeued;
pub use self::give::{give_order, lift_cancel, person_at_host};
pub use self::given::{GivenOrder, Order};
pub use self::log::orders;
pub use self::requeue::{Requeue, RequeuedCell, requeue_cells};
