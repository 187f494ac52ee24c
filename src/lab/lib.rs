//! Puts environments, agents and engine together: finds levels, opens, resumes and restores episodes, makes branches,
//! seats agents, runs many episodes at once, and reads recordings.
//!
//! It prints nothing and has no exit codes: its callers show its results and its errors ([`LabError`]). Questions about one
//! state are in `study`, grids of settings in `sweep`, tables over many episodes in `report`.
//!
//! [`Lab`] is a context that is passed down: the lists of environments and agents, and what they share. What is done with it
//! are functions of the modules. Start with `open` and `new_head` (a new episode), `restore` and `resume` (a recorded one),
//! `fork` (a branch) and `runner` (many).

mod annotations;
mod answer_reference;
mod answering;
mod branches;
mod break_effects;
mod browser;
mod conditions;
mod connection;
mod distance;
mod divergence;
mod environments;
mod episode_fields;
mod episode_id;
mod error;
mod expectation;
mod export;
mod find;
mod fork;
mod generate;
mod given_replies;
mod http_recording;
mod json;
mod level_files;
mod level_limits;
mod levels;
mod model_at;
mod models;
mod needs;
mod new_head;
mod new_heads;
mod open;
mod opinion;
mod preset;
mod prompt_cache;
mod prompt_files;
mod prompt_import;
mod prompt_versions;
mod prompts;
mod readers;
mod receipt;
mod recorded_session;
mod recordings;
mod rejudge;
mod repeats;
mod repeats_text;
mod replaced_settings;
mod replay_source;
mod request_tokens;
mod rereading;
mod restore;
mod resume;
mod retry;
mod roles;
mod runner;
mod seat;
mod server_trials;
mod services;
mod session;
mod session_facts;
mod session_index;
mod start;
mod step_ref;
mod stored_session;
#[cfg(test)]
pub(crate) mod testing;
mod trial;
mod user_files;
mod verify;
mod written_args;
mod written_names;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mageyard_agents::{AgentRow, AgentSettings, EndpointLoad, KeyLookup, ModelPool};
use mageyard_config::{Problem, Sources};
use mageyard_domain::{EnvironmentSpec, SharedResources};
use mageyard_engine::WriteGuard;

pub use self::annotations::{AnnotatedStep, AnnotationList, annotate, annotation_counts, list_annotations};
pub use self::answer_reference::{AnswerLookup, AnswerReference, PickedAnswer};
pub use self::branches::{Branch, Meeting};
pub use self::browser::browser_settings;
pub use self::conditions::{condition_problem, read_breakpoints, read_condition};
pub use self::distance::{DistanceAfter, search_distances, search_limits};
pub use self::divergence::{AnswerDifference, Divergence, answer_differences, first_divergence};
pub use self::environments::RefusedOption;
pub use self::environments::create_environment;
pub use self::environments::create_for_level;
pub use self::environments::known_environment;
pub use self::environments::level_of;
pub use self::environments::reply_format;
pub use self::episode_fields::EpisodeFields;
pub use self::episode_fields::EpisodeIdentity;
pub use self::episode_fields::EpisodeSettings;
pub use self::episode_fields::LevelName;
pub use self::episode_id::EpisodeId;
pub use self::error::{LabError, journal_problem, store_problem};
pub use self::expectation::{Expectation, ExpectationOutcome, list_branches};
pub use self::export::{ExportCounts, ExportedResults, export_results, export_sessions, result_format_names};
pub use self::find::{FoundStep, FoundSteps, StepQuery};
pub use self::fork::{
    FORK_SETTINGS, Fork, ForkArgs, ForkChanges, ForkPlan, ForkRequest, StepEdits, branch_head,
    fork_change_names, fork_plan_lines, make_fork, meeting_text, plan_fork, read_fork_changes,
};
pub use self::generate::{
    GeneratedGroup, GenerationError, GenerationLimits, GroupRequest, LevelFilter, generate_group,
};
pub use self::given_replies::{ReplyFile, given_replies};
pub use self::http_recording::HttpRecording;
pub use self::http_recording::start_http_recording;
pub use self::json::SCHEMA_VERSION;
pub use self::json::json_line;
pub use self::level_files::copy_level_files;
pub use self::level_limits::EpisodeLimits;
pub use self::levels::{
    ChosenLevels, LEVEL_FILE_LIMIT, LevelList, LevelTitle, NotedLevels, SelectedLevel, TitledLevels,
    check_levels, choose_levels, level_catalog, level_file_errors, level_name, level_source, level_titles,
    levels_from_stdin, noted_levels, playable_levels, read_level_files, select_level, select_levels,
    select_one_level,
};
pub use self::model_at::ModelAt;
pub use self::models::{
    CheckOutcome, LOCAL_SERVERS, LocalServer, ModelCheck, ModelFacts, ModelKind, SavedProfile, check_model,
    check_profiles, find_local_servers, find_servers_at, model_facts, save_profile, served_models,
    with_served_models,
};
pub use self::needs::{Bounds, CostBounds, Needs, UNLIMITED_REPLY, unpriced_words};
pub use self::new_head::{config_for, new_head};
pub use self::new_heads::{new_heads, refuse_person, refuse_without_person};
pub use self::open::{PreparedEpisode, check_head, open_idle, open_new, open_scripted, open_without_journal};
pub use self::opinion::{OracleOpinion, oracle_opinion};
pub use self::preset::{PRESET_KEY, agent_options, model_preset};
use self::prompt_cache::PromptCache;
pub use self::prompt_cache::prompts_of;
pub use self::prompt_files::{
    PromptOrigin, PromptText, WrittenPrompt, delete_prompt, prompt_text, renamed_prompt, save_prompt,
};
pub use self::prompt_import::imported_prompt_text;
pub use self::prompt_versions::{PromptVersionText, keep_prompt_version, prompt_versions};
pub use self::prompts::{check_prompt_setting, parse_prompt, prompt_catalog, read_prompt};
pub use self::readers::{
    all_readers, configured_reader, parse_draft, parse_reader, reader, reader_by_name_or_path,
    reader_catalog, save_reader,
};
pub use self::receipt::{Receipt, ReceiptDifference, ReceiptStep};
pub use self::recorded_session::open_recorded;
pub use self::recordings::{RecordedEpisode, Recordings, RestoredEpisode, read_recordings, recorded_episode};
pub use self::rejudge::{OpenQuestions, Rejudged};
pub use self::repeats::{Choice, Parting, Repeats, compare_repeats};
pub use self::repeats_text::{choice_words, parting_text, repeats_title};
pub use self::replay_source::{ReplaySource, replay_source, replayed_head};
pub use self::request_tokens::request_tokens;
pub use self::rereading::{
    ChangedStep, Doubt, EpisodeReplies, ReparseCounts, ReplyPlace, ReplyShape, Rereading, read_again,
};
pub use self::restore::{new_environment, restore_episode, restore_error};
pub use self::resume::resume_episode;
pub use self::retry::next_try;
pub use self::roles::{check_role_prompt, read_role_prompt, role_prompt_catalog, role_prompt_entries};
pub use self::runner::{
    AskedPerson, AtStop, EpisodeEnd, EpisodeEvent, EpisodeSpent, EpisodeWait, FinishedEpisode, Parking,
    PlannedEpisode, Queue, Reporter, Run, RunEnds, RunEvent, RunOptions, RunTask, Shared, Spending,
    SpendingLimits, Spent, Task, opening_permits, run_episodes, run_pool,
};
pub use self::seat::{
    agent_names, agent_problem, check_agent_settings, request_encoder, side_request_encoder,
};
pub use self::server_trials::{AbilityResult, AbilityVerdict};
pub use self::services::{SeatRules, episode_services};
pub use self::session::create_session;
pub use self::session_facts::{SessionFacts, SessionFields};
pub use self::session_index::SessionIndex;
pub use self::start::{assign_starts, missing_start, online_head};
pub use self::step_ref::{check_step_exists, parse_step_reference, step_reference};
pub use self::stored_session::{StoredSession, stored_session};
pub use self::trial::{key_report, model_route, request_limits, trial_agent};
pub use self::verify::{Verification, Verified};
use self::written_args::SettingNames;
pub use self::written_args::{WrittenArgs, read_written_args};
pub use self::written_names::{WrittenName, written_names};

/// The environments and agents of this program, the pool that its model agents share, and what its environments share.
/// There is one value, made at the start and passed down; its clones share all of that.
#[derive(Clone)]
pub struct Lab {
    environments: &'static [&'static dyn EnvironmentSpec],
    agents: &'static [AgentRow],
    /// Returns the secret with a name, such as the value of a variable.
    pub key_lookup: KeyLookup,
    /// The connections and limits that all model agents share.
    pub models: ModelPool,
    prompts: PromptCache,
    resources: SharedResources,
    /// What must allow every write to a journal.
    guard: Option<Arc<dyn WriteGuard>>,
    /// Shorter names of settings.
    pub setting_names: SettingNames,
    /// Finds stored answers, with which a branch can begin.
    answers: AnswerLookup,
    /// Where settings are read again, so that a profile that was saved meanwhile is found.
    sources: Option<Arc<Sources>>,
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
            answers: |_, _, answer| Err(Problem::new(format!("{answer}: no answers are stored here")).into()),
            sources: None,
        }
    }

    /// The same lab, which reads settings again from here when an agent with another model is seated.
    #[must_use]
    pub fn with_sources(self, sources: Sources) -> Self {
        Self { sources: Some(Arc::new(sources)), ..self }
    }

    /// The same lab, in which settings can be written with these shorter names.
    #[must_use]
    pub fn with_setting_names(self, setting_names: fn(&str) -> Option<&'static str>) -> Self {
        Self { setting_names, ..self }
    }

    /// The same lab, whose branches can begin with the answers that this finds.
    #[must_use]
    pub fn with_answers(self, answers: AnswerLookup) -> Self {
        Self { answers, ..self }
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
    pub fn asking_agent(&self) -> Result<(&'static AgentRow, AgentSettings), Problem> {
        let found =
            self.agents.iter().find_map(|row| row.requests.and(row.settings).map(|settings| (row, settings)));
        found.ok_or_else(|| Problem::new("no agent sends requests"))
    }

    /// The agent that asks this model, with its settings: the one that has it in itself, or else the one that asks a server.
    pub fn agent_of_model(&self, model: &str) -> Result<(&'static AgentRow, AgentSettings), Problem> {
        let has = |row: &&AgentRow| row.requests.is_some_and(|asks| asks.own_models.contains(&model));
        let own = self.agents.iter().find(has).and_then(|row| Some((row, row.settings?)));
        own.map_or_else(|| self.asking_agent(), Ok)
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
