//! All types of objects, by the sections of docs/json.md.

use super::RecordType;
use crate::ask::control::ControlRecord;
use crate::ask::records as ask;
use crate::ask::suite::answers_record::AnswersRecord;
use crate::ask::suite::margin_record::MarginRecord;
use crate::ask::suite::records as suite_ask;
use crate::ask::table_records as ask_table;
use crate::blame::records as blame;
use crate::config::{PathRow, SettingRow};
use crate::continuations::records as continuation;
use crate::diff_records::{DivergenceRecord, RepeatsRecord, RequestsRecord};
use crate::episode_record::{EpisodeRecord, StepRecord};
use crate::export::ExportRecord;
use crate::find::FoundRecord;
use crate::finding::Finding;
use crate::fork_records::{BranchRecord, ForkRecord};
use crate::levels::{
    CheckoutLevelRecord, GroupRow, LevelRecord, MissingSetRecord, RefusedLevelRecord, SetRecord,
    SolutionCheck, SolveResult, StatsRecord, TracedStep,
};
use crate::log_records::{DeletedRecord, JournalRecord, ListedSweepRecord, SessionRecord};
use crate::memory::{AuditRecord, DistanceRecord, PlannedMemoryRecord, WindowRecord};
use crate::models::{ModelRecord, SavedRecord, ServerRecord};
use crate::presets::PresetRecord;
use crate::prices::PriceRecord;
use crate::prompts::PromptRecord;
use crate::readers::{ReaderRow, ReadingRecord};
use crate::rejudge::{RejudgedRecord, TotalRecord as RejudgeTotal};
use crate::reparse::{ChangeOfStepRecord, CountsRecord, ReaderCountsRecord, ReplyShapeRecord, TotalRecord};
use crate::replay::ReplayRecord;
use crate::report::comparison::ComparisonRecord;
use crate::report::main_effects::MainEffectRecord;
use crate::report::published::{PublishedErrorsRecord, PublishedMeasureRecord, PublishedScoreRecord};
use crate::report::records::ReportRecord;
use crate::report::rows::episode::EpisodeRowRecord;
use crate::report::rows::step::StepRowRecord;
use crate::sight::{
    DiagnosisRecord, FindingRecord, PlannedDiagnosisRecord, PlannedProbesRecord, QuestionRecord,
};
use crate::suite::{SuiteFileRecord, SuiteRecord, SuiteStateRecord};
use crate::sweep::{
    CellEndRecord, CellObject, CellStatusRecord, MergedCellRecord, OrderRecord, StruckObject, SweepObject,
    SweepRow, SweepStatusRecord,
};
use crate::tag::AnnotationRecord;

/// The sections of the page with their types.
pub(crate) const SECTIONS: &[(&str, &[RecordType])] = &[
    (
        "Episodes",
        &[
            RecordType::of::<StepRecord<'_>>(),
            RecordType::of::<EpisodeRecord<'_>>(),
            RecordType::of::<FoundRecord<'_>>(),
            RecordType::of::<AnnotationRecord<'_>>(),
            RecordType::of::<ChangeOfStepRecord>(),
            RecordType::of::<CountsRecord<'_>>(),
            RecordType::of::<ReaderCountsRecord>(),
            RecordType::of::<ReplyShapeRecord>(),
            RecordType::of::<AuditRecord<'_>>(),
            RecordType::of::<PlannedMemoryRecord>(),
            RecordType::of::<DistanceRecord>(),
            RecordType::of::<WindowRecord>(),
            RecordType::of::<mageyard_study::ConfirmPlanRecord>(),
            RecordType::of::<mageyard_study::ConfirmedWindowRecord>(),
            RecordType::of::<mageyard_study::ConfirmResultRecord>(),
            RecordType::of::<RejudgedRecord>(),
            RecordType::of::<RejudgeTotal>(),
            RecordType::of::<TotalRecord<'_>>(),
            RecordType::of::<ReplayRecord<'_>>(),
            RecordType::of::<ForkRecord<'_>>(),
            RecordType::of::<BranchRecord<'_>>(),
            RecordType::of::<RequestsRecord<'_>>(),
            RecordType::of::<RepeatsRecord<'_>>(),
            RecordType::of::<DivergenceRecord<'_>>(),
            RecordType::of::<SessionRecord<'_>>(),
            RecordType::of::<ListedSweepRecord<'_>>(),
            RecordType::of::<DeletedRecord<'_>>(),
            RecordType::of::<JournalRecord<'_>>(),
            RecordType::of::<ExportRecord<'_>>(),
        ],
    ),
    (
        "Questions",
        &[
            RecordType::of::<ask::AskedRecord<'_>>(),
            RecordType::of::<ask::CallRecord<'_>>(),
            RecordType::of::<ask_table::VariantRecord<'_>>(),
            RecordType::of::<ask_table::ComparisonRecord<'_>>(),
            RecordType::of::<ask_table::ResultRecord<'_>>(),
            RecordType::of::<ControlRecord<'_>>(),
            RecordType::of::<continuation::PlanRecord<'_>>(),
            RecordType::of::<continuation::EndedRecord<'_>>(),
            RecordType::of::<continuation::VariantRecord<'_>>(),
            RecordType::of::<continuation::ComparisonRecord<'_>>(),
            RecordType::of::<PlannedProbesRecord>(),
            RecordType::of::<QuestionRecord<'_>>(),
            RecordType::of::<PlannedDiagnosisRecord>(),
            RecordType::of::<DiagnosisRecord<'_>>(),
            RecordType::of::<FindingRecord<'_>>(),
            RecordType::of::<blame::PlanRecord<'_>>(),
            RecordType::of::<blame::ProbeRecord<'_>>(),
            RecordType::of::<blame::BlameRecord<'_>>(),
        ],
    ),
    (
        "Suites",
        &[
            RecordType::of::<SuiteRecord<'_>>(),
            RecordType::of::<SuiteFileRecord<'_>>(),
            RecordType::of::<SuiteStateRecord<'_>>(),
            RecordType::of::<suite_ask::AskedRecord<'_>>(),
            RecordType::of::<suite_ask::VariantRecord<'_>>(),
            RecordType::of::<suite_ask::ComparisonRecord<'_>>(),
            RecordType::of::<AnswersRecord<'_>>(),
            RecordType::of::<MarginRecord<'_>>(),
            RecordType::of::<suite_ask::ThresholdRecord<'_>>(),
            RecordType::of::<suite_ask::ConfirmRecord<'_>>(),
            RecordType::of::<suite_ask::ResultRecord<'_>>(),
        ],
    ),
    (
        "Levels",
        &[
            RecordType::of::<LevelRecord<'_>>(),
            RecordType::of::<SetRecord<'_>>(),
            RecordType::of::<CheckoutLevelRecord<'_>>(),
            RecordType::of::<RefusedLevelRecord<'_>>(),
            RecordType::of::<MissingSetRecord<'_>>(),
            RecordType::of::<GroupRow>(),
            RecordType::of::<SolveResult>(),
            RecordType::of::<SolutionCheck>(),
            RecordType::of::<TracedStep>(),
            RecordType::of::<StatsRecord<'_>>(),
        ],
    ),
    (
        "Settings, files and checks",
        &[
            RecordType::of::<Finding>(),
            RecordType::of::<SettingRow<'_>>(),
            RecordType::of::<PathRow>(),
            RecordType::of::<PromptRecord>(),
            RecordType::of::<ReaderRow>(),
            RecordType::of::<ReadingRecord>(),
            RecordType::of::<ModelRecord>(),
            RecordType::of::<ServerRecord>(),
            RecordType::of::<SavedRecord>(),
            RecordType::of::<PriceRecord>(),
            RecordType::of::<PresetRecord>(),
        ],
    ),
    (
        "Sweeps",
        &[
            RecordType::of::<SweepRow>(),
            RecordType::of::<SweepObject<'_>>(),
            RecordType::of::<CellObject<'_>>(),
            RecordType::of::<StruckObject<'_>>(),
            RecordType::of::<CellEndRecord<'_>>(),
            RecordType::of::<SweepStatusRecord<'_>>(),
            RecordType::of::<CellStatusRecord<'_>>(),
            RecordType::of::<OrderRecord<'_>>(),
            RecordType::of::<MergedCellRecord<'_>>(),
        ],
    ),
    (
        "Reports",
        &[
            RecordType::of::<ReportRecord<'_>>(),
            RecordType::of::<ComparisonRecord>(),
            RecordType::of::<MainEffectRecord<'_>>(),
            RecordType::of::<EpisodeRowRecord<'_>>(),
            RecordType::of::<StepRowRecord<'_>>(),
            RecordType::of::<PublishedScoreRecord>(),
            RecordType::of::<PublishedErrorsRecord>(),
            RecordType::of::<PublishedMeasureRecord>(),
        ],
    ),
];

/// Types that are described by hand, because their structs are not records yet.
pub(super) const WRITTEN: &str = include_str!("written.md");

/// The type with this name.
pub(crate) fn find(name: &str) -> Option<&'static RecordType> {
    SECTIONS.iter().flat_map(|(_, types)| types.iter()).find(|one| one.name == name)
}
