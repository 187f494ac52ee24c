//! Puts the other layers together: finds levels, opens, resumes and restores episodes, seats agents, and reads
//! recordings. It prints nothing and has no exit codes: its callers show its results and its errors.

mod annotations;
mod ask;
mod blame;
mod branches;
mod break_effects;
mod browser;
mod conditions;
mod continuations;
mod distance;
mod divergence;
mod environments;
mod episode_id;
mod error;
mod expectation;
mod export;
mod find;
mod fork;
mod generate;
mod http_recording;
mod json;
mod level_check;
mod levels;
mod model_at;
mod new_head;
mod new_heads;
mod open;
mod opinion;
mod preset;
mod prompt_cache;
mod prompts;
mod readers;
mod receipt;
mod recorded_session;
mod recordings;
mod reparse;
mod repeats;
mod replaced_settings;
mod replay_source;
pub(crate) mod report;
mod request_tokens;
mod restore;
mod resume;
mod runner;
mod seat;
mod server_trials;
mod services;
mod session;
mod start;
pub mod statistics;
mod step_ref;
mod stored_session;
mod suite;
mod suite_ask;
pub mod sweep;
#[cfg(test)]
pub(crate) mod testing;
mod trial;
mod tutorial;
mod verify;

pub use self::ask::calls_left;
pub use self::ask::judge_ask;
pub use self::ask::plan_ask;
pub use self::ask::read_ask;
pub use self::ask::run_ask;
pub use self::ask::run_asks;
pub use self::blame::blame_by_playing;
pub use self::blame::blame_by_solver;
pub use self::blame::blame_steps;
pub use self::blame::plan_probe;
pub use self::blame::read_blame;
pub use self::conditions::read_breakpoints;
pub use self::conditions::read_condition;
pub use self::continuations::plan_continuations;
pub use self::continuations::run_continuations;
pub use self::environments::known_environment;
pub use self::environments::level_of;
pub use self::expectation::list_branches;
pub use self::export::export_sessions;
pub use self::fork::make_fork;
pub use self::fork::plan_fork;
pub use self::fork::read_fork_changes;
pub use self::http_recording::start_http_recording;
pub use self::level_check::check_levels;
pub use self::levels::level_file_errors;
pub use self::levels::level_source;
pub use self::levels::levels_from_stdin;
pub use self::levels::noted_levels;
pub use self::levels::select_level;
pub use self::levels::select_levels;
pub use self::new_head::config_for;
pub use self::new_head::new_head;
pub use self::new_heads::new_heads;
pub use self::open::open_new;
pub use self::open::open_without_journal;
pub use self::opinion::oracle_opinion;
pub use self::preset::agent_options;
pub use self::preset::model_preset;
pub use self::recorded_session::open_recorded;
pub use self::recordings::read_recordings;
pub use self::recordings::recorded_episode;
pub use self::replay_source::replay_source;
pub use self::replay_source::replayed_head;
pub use self::restore::restore_episode;
pub use self::resume::resume_episode;
pub use self::runner::run_episodes;
pub use self::seat::check_agent_settings;
pub use self::seat::request_encoder;
pub use self::server_trials::server_abilities;
pub use self::services::episode_services;
pub use self::start::assign_starts;
pub use self::stored_session::stored_session;
pub use self::suite::add_to_suite;
pub use self::suite::check_suite_state;
pub use self::suite::collect_suite;
pub use self::suite::open_suite;
pub use self::suite_ask::confirming_sweep;
pub use self::suite_ask::estimate_suite;
pub use self::suite_ask::plan_suite;
pub use self::suite_ask::stored_suite_asks;
pub use self::sweep::cell_heads;
pub use self::sweep::cell_summary;
pub use self::sweep::count_spending;
pub use self::sweep::estimate_sweep;
pub use self::sweep::leave_shared_permits;
pub use self::sweep::plan_sweep;
pub use self::sweep::run_sweep;
pub use self::sweep::share_permits;
pub use self::sweep::sweep_models;
pub use self::trial::key_report;
pub use self::trial::model_route;
pub use self::trial::request_limits;
pub use self::trial::trial_agent;
pub use self::tutorial::write_tutorial;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use self::annotations::{AnnotatedStep, AnnotationList, annotate, list_annotations};
pub use self::ask::{
    ActionVerdict, ActionVerdicts, AnswerReference, AnswerShare, Arrived, AskCall, AskEstimate, AskOutcome,
    AskPlan, AskRecord, AskRequest, AskStop, AskTable, Comparison, PartMark, ServerNote, Share, StoredAsk,
    StruckVariant, Target, Variant, VariantRow, WrittenAsk, part_marks, rate_answer, stored_asks,
};
use self::ask::{comparisons, distinct, possible_windows};
pub use self::blame::{
    BlameRequest, PlayedBlame, PlayedVerdict, Probe, ProbeEvent, ProbeReport, SolverVerdict, WrittenBlame,
};
pub use self::branches::{Branch, Meeting};
pub use self::browser::browser_settings;
pub use self::conditions::condition_problem;
pub use self::continuations::{
    ContinuationOutcome, ContinuationPlan, ContinuationRequest, ContinuationRow, ContinuationVariant,
    EndedContinuation, StoredContinuation,
};
pub use self::distance::{DistanceAfter, search_distances, search_limits};
pub use self::divergence::{Divergence, first_divergence};
pub use self::environments::{RefusedOption, create_environment, create_for_level, reply_format};
pub use self::episode_id::{EpisodeId, head_fields};
pub use self::error::LabError;
pub use self::expectation::{Expectation, ExpectationOutcome};
pub use self::export::ExportCounts;
pub use self::find::{FoundStep, FoundSteps, StepQuery};
use self::fork::SettingNames;
pub use self::fork::{FORK_SETTINGS, Fork, ForkChanges, ForkPlan, ForkRequest, StepEdits};
pub use self::generate::{
    GeneratedGroup, GenerationError, GenerationLimits, GroupRequest, LevelFilter, generate_group,
};
pub use self::http_recording::HttpRecording;
pub use self::json::{json_line, merged};
pub use self::levels::{
    LEVEL_FILE_LIMIT, LevelSource, NotedLevels, SelectedLevel, level_catalog, select_one_level,
};
pub use self::model_at::ModelAt;
pub use self::open::PreparedEpisode;
pub use self::opinion::OracleOpinion;
use self::prompt_cache::PromptCache;
pub use self::prompts::{
    check_prompt_setting, copy_prompt_for_editing, parse_prompt, prompt_catalog, read_prompt, save_prompt,
};
pub use self::readers::{configured_reader, parse_reader, reader, reader_by_name_or_path, reader_catalog};
pub use self::receipt::{Receipt, ReceiptDifference, ReceiptStep};
pub use self::recordings::{RecordedEpisode, Recordings, RestoredEpisode};
pub use self::reparse::{ChangedStep, ReparseCounts};
pub use self::repeats::{Choice, Parting, Repeats, compare_repeats};
pub use self::replay_source::ReplaySource;
pub use self::runner::{
    EpisodeEvent, EpisodeWait, FinishedEpisode, PlannedEpisode, Run, RunEvent, RunOptions, Spending,
    SpendingLimits, Spent,
};
pub use self::seat::agent_problem;
pub use self::server_trials::{AbilityResult, AbilityVerdict, ServerAbilities};
pub use self::services::SeatRules;
pub use self::session::create_session;
pub use self::step_ref::{check_step_exists, parse_step_reference, step_reference};
pub use self::stored_session::StoredSession;
pub use self::suite::{
    CollectedSuite, ExtendedSuite, OpenedState, Suite, SuiteLevel, SuiteState, SuiteStep, checked_suite_name,
    parse_suite, suite_catalog, suite_file,
};
pub use self::suite_ask::{
    AcceptedBy, DifferingState, JudgedState, MEASURES, Measure, MeasuredShare, StateAnswers, StoredSuiteAsk,
    SuiteComparison, SuitePlan, SuiteRow, SuiteTable, Threshold, ThresholdResult, no_effect_on_suite,
};
pub use self::sweep::claims;
pub use self::sweep::{
    Bounds, CellEstimate, CellSummary, CostBounds, PlannedCell, StruckCell, SweepEstimate, SweepOverrides,
    SweepPlan, sweep_catalog, sweep_file, sweep_summary,
};
pub use self::sweep::{CellStatus, Merge, MergeError, MergedCell, Shard, StatusError, sweep_status};
pub use self::verify::{Verification, Verified};
use crate::agents::AgentRow;
use crate::agents::AgentSettings;
use crate::agents::EndpointLoad;
use crate::agents::KeyLookup;
use crate::agents::ModelPool;
use crate::config::Problem;
use crate::domain::EnvironmentSpec;
use crate::domain::SharedResources;
use crate::engine::WriteGuard;

/// The environments and agents of this program, the pool that its model agents share, and what its environments share.
/// There is one value, made at the start and passed down; its clones share all of that.
#[derive(Clone)]
pub struct Lab {
    environments: &'static [&'static dyn EnvironmentSpec],
    agents: &'static [AgentRow],
    key_lookup: KeyLookup,
    models: ModelPool,
    prompts: PromptCache,
    resources: SharedResources,
    /// What must allow every write to a journal.
    guard: Option<Arc<dyn WriteGuard>>,
    /// Shorter names of settings.
    setting_names: SettingNames,
}

impl Lab {
    /// A lab with these environments, of which the first is the default, and these agents. `key_lookup` returns
    /// the secret with a name, such as the value of a variable.
    pub fn new(
        environments: &'static [&'static dyn EnvironmentSpec],
        agents: &'static [AgentRow],
        key_lookup: KeyLookup,
    ) -> Self {
        Self {
            environments,
            agents,
            key_lookup,
            models: ModelPool::default(),
            prompts: PromptCache::default(),
            resources: SharedResources::default(),
            guard: None,
            setting_names: |_| None,
        }
    }

    /// The same lab, in which settings can be written with these shorter names.
    #[must_use]
    pub fn with_setting_names(self, setting_names: fn(&str) -> Option<&'static str>) -> Self {
        Self { setting_names, ..self }
    }

    /// The same lab, whose journals refuse to write once this guard does.
    #[must_use]
    pub fn guarded_by(&self, guard: Arc<dyn WriteGuard>) -> Self {
        Self { guard: Some(guard), ..self.clone() }
    }

    /// All environments; the first is the default.
    pub fn environments(&self) -> &'static [&'static dyn EnvironmentSpec] {
        self.environments
    }

    /// The environment with exactly this name.
    pub fn environment(&self, name: &str) -> Option<&'static dyn EnvironmentSpec> {
        self.environments.iter().copied().find(|spec| spec.name() == name)
    }

    /// How many requests at once each model server gets, by its URL, of those that were asked in this process.
    pub fn endpoint_loads(&self) -> Vec<(String, EndpointLoad)> {
        self.models.loads()
    }

    /// All agents.
    pub fn agents(&self) -> &'static [AgentRow] {
        self.agents
    }

    /// The agent with exactly this name.
    pub fn agent(&self, name: &str) -> Option<&'static AgentRow> {
        self.agents.iter().find(|row| row.name == name)
    }

    /// The agent that asks a model server, with its settings.
    fn asking_agent(&self) -> Result<(&'static AgentRow, AgentSettings), Problem> {
        let found =
            self.agents.iter().find_map(|row| row.requests.and(row.settings).map(|settings| (row, settings)));
        found.ok_or_else(|| Problem::new("no agent sends requests"))
    }
}

impl fmt::Debug for Lab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let environments: Vec<_> = self.environments.iter().map(|spec| spec.name()).collect();
        f.debug_struct("Lab").field("environments", &environments).finish_non_exhaustive()
    }
}

/// The time since 1970-01-01 UTC.
pub fn unix_time() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
