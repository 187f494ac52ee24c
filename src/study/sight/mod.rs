//! Whether a state was seen wrongly, planned wrongly, or written wrongly: questions about states, and the verdicts on failed steps.

mod claims;
mod diagnosis;
mod diagnosis_states;
mod diagnosis_text;
mod judged;
mod probe_study;
mod probe_text;
mod rule;
mod states;
mod stored;

pub use self::claims::ReplyClaims;
pub use self::diagnosis::{DiagnoseArgs, DiagnosisShare, DiagnosisStudy, GroupShares};
pub use self::judged::StateDiagnosis;
pub use self::probe_study::{ProbeArgs, ProbeStudy, QuestionShare};
pub use self::rule::{Evidence, Finding, RULE, Rule};
pub use self::states::AskedAbout;
pub use self::stored::StoredDiagnoses;
