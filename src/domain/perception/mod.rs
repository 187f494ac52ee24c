//! What can be seen of a state: views of equal content, questions with known answers, and what an analysis says of it.

mod claim;
mod probe;
mod view;

pub use claim::Claim;
pub use probe::{Misreading, Probe, ProbeForm, ProbeKind, Probes};
pub use view::{StateWords, VIEW_OPTION, View};
