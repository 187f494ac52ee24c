//! What a memory costs and what it is worth: the parts of recorded requests by sort and by how far back they are, and which of
//! them decide.

mod answers;
mod audit;
mod confirm;
mod curve;
mod draw;
mod parts;
mod plan_text;
mod reach;
mod study;
mod study_text;
#[cfg(test)]
mod tests;
mod text;

pub use self::answers::{MemoryAnswers, MemoryPart, Remembered};
pub use self::audit::{MemoryAudit, ModelAudit, PartCost};
pub use self::confirm::{
    CandidateWindows, ConfirmArgs, ConfirmPlanRecord, ConfirmResultRecord, ConfirmSubject,
    ConfirmedWindowRecord, KeptWindow, MarginSize, MemoryConfirm, write_window,
};
pub use self::curve::{DistanceValue, distance_values};
pub(crate) use self::draw::{DrawnStep, asked_steps, drawn};
pub use self::reach::{MemoryReach, Reach};
pub use self::study::{MemoryArgs, MemoryStudy};
pub use self::text::{AuditTable, AuditText, audit_text};
