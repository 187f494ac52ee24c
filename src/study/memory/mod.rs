//! What a memory costs: the parts of the recorded requests, by sort and by how far back they are.

mod audit;
mod parts;
mod text;

pub use self::audit::{MemoryAudit, ModelAudit, PartCost};
pub use self::text::{AuditTable, AuditText, audit_text};
