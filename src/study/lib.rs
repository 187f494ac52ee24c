//! Studies of recorded states: what would have been answered, and what it would have led to.
//!
//! `ask` puts one state to several prompts, windows and models; `suite` keeps lists of states and `suite_ask` asks about all
//! of them; `continuations` plays a step on to the end, several times; `blame` finds the step that lost an episode. A
//! recording is only read: answers are stored beside it, and what is played on is a branch.
//!
//! It prints nothing, and does not compare episodes of different settings: that is a sweep and its report. Start with
//! [`Study`], which each of them is, and [`plan_ask`], which fixes everything before the first call.

mod ask;
mod blame;
mod comparison;
mod continuations;
mod memory;
mod pinned;
mod sight;
mod study;
mod suite;
mod suite_ask;
mod table;

pub use self::ask::{
    ActionVerdict, ActionVerdicts, Aid, AnswerJudge, AnswerShare, Arrived, AskArgs, AskCall, AskOutcome,
    AskPlan, AskRecord, AskRequest, AskStop, AskStudy, AskTable, AskTarget, Changes, DraftImage,
    DraftRequest, PartMark, ServerControl, ServerNote, StoredAsk, StruckVariant, Variant, VariantRow,
    ask_spending, ask_table, find_answer, judge_ask, part_marks, plan_ask, rate_answer, run_ask, run_asks,
    stored_asks,
};
pub use self::blame::{
    BlameArgs, BlameStudy, Judged, PlayedBlame, PlayedVerdict, Probe, ProbeEvent, ProbeReport, SolverVerdict,
    blame_by_playing, blame_by_solver, blame_steps, judge_blame, most_steps_of_probes, plan_probe,
    played_hint, solver_hint, solver_lines,
};
pub use self::comparison::VariantComparison;
pub use self::continuations::{
    ContinuationOutcome, ContinuationPlan, ContinuationRequest, ContinuationRow, ContinuationStudy,
    ContinuationVariant, EndedContinuation, StoredContinuation, plan_continuations, run_continuations,
};
pub use self::memory::{
    AuditTable, AuditText, CandidateWindows, ConfirmArgs, ConfirmPlanRecord, ConfirmResultRecord,
    ConfirmSubject, ConfirmedWindowRecord, DistanceValue, KeptWindow, MarginSize, MemoryAnswers, MemoryArgs,
    MemoryAudit, MemoryConfirm, MemoryPart, MemoryReach, MemoryStudy, ModelAudit, PartCost, Reach,
    Remembered, audit_text, distance_values, write_window,
};
pub use self::pinned::{
    AskedVersion, MoreStates, PinnedState, PinnedStates, VersionCell, VersionComparison, VersionRow,
    VersionTable, present_suite,
};
pub use self::sight::{
    AskedAbout, DiagnoseArgs, DiagnosisShare, DiagnosisStudy, Evidence, Finding, GroupShares, ProbeArgs,
    ProbeStudy, QuestionShare, RULE, ReplyClaims, Rule, StateDiagnosis, StoredDiagnoses,
};
pub use self::study::{PlannedStudy, Samples, Study, StudyEnd, StudyEvent, StudyReport, StudySort};
pub use self::suite::{
    CollectedSuite, ExtendedSuite, OpenedState, Suite, SuiteLevel, SuiteState, SuiteStep, add_to_suite,
    check_suite_state, checked_suite_name, collect_suite, open_suite, parse_suite, remove_from_suite,
    suite_catalog, suite_file,
};
pub use self::suite_ask::{
    Accepted, AcceptedBy, AskedSuite, DifferingState, JudgedState, MEASURES, Margin, MarginResult, Measure,
    MeasuredShare, StateAnswers, StoredSuiteAsk, SuiteComparison, SuitePlan, SuiteRow, SuiteStudy,
    SuiteTable, Threshold, ThresholdResult, confirming_sweep, margin_line, no_effect_on_suite, plan_suite,
    state_lines, stored_suite_asks, suite_table, threshold_line,
};
pub use self::table::{
    AnswerBar, Column, ComparedState, PlayedBranch, Sample, StudyRow, StudyTable, VariantAnswers, percent,
    share_words,
};
