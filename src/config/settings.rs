//! The settings as types, with their ranges. Names and defaults are in the default file.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::bounded::{bounded, deserialize_amount, limit, seconds};
use super::log_settings::LogSettings;
use super::role_settings::RoleSettings;
use super::screen_settings::{LayoutSettings, ScreenSettings};
use mageyard_dialog::{DroppedFrame, EmptyReply, FeedbackMemory, History, Keep, ThoughtMemory};
use mageyard_domain::{
    Amount, AttemptLimit, Confirm, EpisodePolicy, OnCut, OnRepeating, OnReplyFailure, OnUnreadable, Options,
    RepetitionThresholds, Seconds, Setting, TimeChecked, TimeCounted, UnknownUsage, WithoutPerson,
};

/// All settings, merged and checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Settings {
    /// How an episode is played.
    pub play: PlaySettings,
    /// How `run` plays many episodes.
    pub run: RunSettings,
    /// How sweeps are run.
    pub sweep: SweepSettings,
    /// The memory window.
    pub memory: MemorySettings,
    /// Who answers side requests.
    pub roles: RoleSettings,
    /// Requests to a model.
    pub model: ModelSettings,
    /// The screen.
    pub screen: ScreenSettings,
    /// The sizes of the panes.
    pub layout: LayoutSettings,
    /// Thresholds of error categories.
    pub faults: FaultSettings,
    /// The log file.
    pub log: LogSettings,
    /// The session store.
    pub store: StoreSettings,
    /// The browser of environments with pages.
    pub browser: BrowserTable,
    /// One table per environment, and per agent with settings; they check the values.
    #[serde(flatten)]
    tables: BTreeMap<String, Options>,
}

impl Settings {
    /// The table of this environment or agent; empty if there is none.
    pub fn options(&self, table: &str) -> Options {
        if table == MODEL_TABLE {
            return self.model.options.clone();
        }
        self.tables.get(table).cloned().unwrap_or_default()
    }

    /// The policy of a new episode without a time limit.
    pub fn episode_policy(&self) -> EpisodePolicy {
        EpisodePolicy {
            attempts: self.play.attempts,
            on_unreadable: self.play.on_unreadable,
            on_repeating: self.play.on_repeating,
            on_cut: self.play.on_cut,
            on_refusal: self.play.on_refusal,
            continue_replies: self.play.continue_replies,
            // A rule of an environment, not a setting.
            last_look: false,
            thresholds: self.faults.thresholds(),
            time_checked: self.play.time_checked,
            time_counted: TimeCounted::default(),
            confirm: self.play.confirm,
        }
    }
}

/// How an episode is played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaySettings {
    /// The level to open when none is named, as a reference.
    pub level: String,
    /// The agent's name; the caller checks that it exists.
    pub agent: String,
    /// The recording of the `replay` agent, as a reference for the store; empty for none.
    pub from: String,
    /// Global or Online.
    pub setting: Setting,
    /// The name of the prompt in the environment's catalog.
    pub prompt: String,
    /// The name of the reader in its catalog.
    pub reader: String,
    /// The random seed.
    #[serde(deserialize_with = "bounded::<_, _, 0, { i64::MAX }>")]
    pub seed: u64,
    /// The maximum number of steps, at least 1.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000_000>")]
    pub max_steps: u32,
    /// The maximum time, in seconds; 0 for no limit.
    #[serde(deserialize_with = "seconds")]
    max_time: Seconds,
    /// When the time limit is checked.
    pub time_checked: TimeChecked,
    /// Most seconds of the verdict of an environment that judges episodes when they are over.
    #[serde(deserialize_with = "bounded::<_, _, 1, 86_400>")]
    verdict_time: u64,
    /// The maximum number of tokens; 0 for no limit.
    #[serde(deserialize_with = "bounded::<_, _, 0, { i64::MAX }>")]
    max_tokens: u64,
    /// The maximum cost, in the currency of the model's price; 0 for no limit.
    #[serde(deserialize_with = "deserialize_amount")]
    cost_limit: Amount,
    /// How requests whose tokens are unknown count against these limits.
    pub unknown_usage: UnknownUsage,
    /// The attempts of a step, as the first one may be unreadable.
    pub attempts: AttemptLimit,
    /// What happens after the last unreadable attempt of a step.
    pub on_unreadable: OnUnreadable,
    /// What happens at the repetition limit.
    pub on_repeating: OnRepeating,
    /// What happens after a reply that was truncated.
    pub on_cut: OnCut,
    /// What happens after a reply that was refused or filtered, or that calls a tool.
    pub on_refusal: OnReplyFailure,
    /// Whether a person confirms actions.
    pub confirm: Confirm,
    /// What happens to episodes that ask a person where none is.
    pub without_person: WithoutPerson,
    /// Whether a reply with an open code block is continued.
    pub continue_replies: bool,
    /// Whether a person sees what only a solver knows before the end.
    pub solver_visible: bool,
}

impl PlaySettings {
    /// Most seconds of a verdict.
    pub fn verdict_limit(&self) -> Seconds {
        Seconds::whole(self.verdict_time)
    }

    /// The maximum time of an episode, if there is a limit.
    pub fn max_time(&self) -> Option<Seconds> {
        (!self.max_time.is_zero()).then_some(self.max_time)
    }
}

impl PlaySettings {
    /// The maximum number of tokens of an episode, if there is a limit.
    pub fn max_tokens(&self) -> Option<u64> {
        (self.max_tokens > 0).then_some(self.max_tokens)
    }

    /// The maximum cost of an episode, if there is a limit.
    pub fn cost_limit(&self) -> Option<Amount> {
        (!self.cost_limit.is_zero()).then_some(self.cost_limit)
    }
}

/// How `run` plays many episodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The number of episodes at once.
    #[serde(deserialize_with = "bounded::<_, _, 1, 10_000>")]
    pub jobs: usize,
    /// The number of equal failures of the model server in a row that stops a run; 0 for no limit.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000_000>")]
    pub failure_limit: u32,
    /// Whether records that cannot be played are left out.
    pub keep_going: bool,
}

/// How the cells of a sweep are run by one or more processes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSettings {
    /// How often an episode that the model server failed is tried again.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000>")]
    pub retries: u32,
    /// The time before the first of these tries, in seconds.
    #[serde(deserialize_with = "bounded::<_, _, 0, 3_600>")]
    pub retry_delay: u64,
    /// The time between two heartbeats, in seconds.
    #[serde(deserialize_with = "bounded::<_, _, 1, 3_600>")]
    pub heartbeat: u64,
    /// How long the owner of a cell may write after a heartbeat, in seconds.
    #[serde(deserialize_with = "bounded::<_, _, 2, 86_400>")]
    pub lease: u64,
    /// Where processes share the limit of requests at once: `file`, or the address of a Redis server; empty if they do not.
    pub permits: String,
}

/// The memory window, as two numbers that are not checked together yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemorySettings {
    /// Action memory.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000>")]
    pub am: u16,
    /// Observation memory.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000>")]
    pub om: u16,
    /// What replaces a frame that is no longer in OM.
    pub dropped_frame: DroppedFrame,
    /// What stands for an empty reply of the agent.
    pub empty_reply: EmptyReply,
    /// Whether what changes at every step is at the end of the newest state.
    pub stable_prefix: bool,
    /// Whether remembered outputs contain their thoughts.
    pub thoughts: ThoughtMemory,
    /// Which feedback on actions that were refused or failed is in a request.
    pub feedback: FeedbackMemory,
    /// What past outputs are in a request.
    #[serde(deserialize_with = "settable_history")]
    pub history: History,
    /// Which older frames stay beside those of OM.
    pub keep: Keep,
    /// The maximum number of images in a Global request; 0 for no limit.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000>")]
    pub plan_images: u16,
}

/// A form of the history that a setting can have: that of an environment whose state is what the agent wrote is its own.
fn settable_history<'de, D: Deserializer<'de>>(written: D) -> Result<History, D::Error> {
    match History::deserialize(written)? {
        History::State => Err(D::Error::custom("unknown variant `state`, expected `turns` or `code`")),
        history => Ok(history),
    }
}

/// Requests to a model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelSettings {
    /// Whether the model accepts a system message; if not, the system text opens the first user message.
    pub system_role: bool,
    /// The rest of the table; the agent checks the values.
    #[serde(flatten)]
    options: Options,
}

/// The table of [`ModelSettings`].
const MODEL_TABLE: &str = "model";

/// The numbers of repetitions from which an episode counts as repeating (RA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSettings {
    /// The same action so many times in a row, each leaving the state as it was.
    #[serde(deserialize_with = "bounded::<_, _, 2, 1_000_000>")]
    pub same_unchanged: usize,
    /// The same action so many times in a row, whatever it did.
    #[serde(deserialize_with = "bounded::<_, _, 2, 1_000_000>")]
    pub same: usize,
}

impl FaultSettings {
    /// The same, as an episode is judged by them.
    pub fn thresholds(self) -> RepetitionThresholds {
        RepetitionThresholds { unchanged: self.same_unchanged, same: self.same }
    }
}

/// The session store.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// The folder as written; `Config::store` makes it absolute.
    pub(super) folder: String,
}

/// The browser of environments with pages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrowserTable {
    /// The program; empty to look for it.
    pub program: String,
    /// The maximum number of pages open at once.
    #[serde(deserialize_with = "bounded::<_, _, 1, 64>")]
    pub pages: usize,
    /// The maximum time until the browser answers, in seconds.
    #[serde(deserialize_with = "limit")]
    pub start_timeout: Seconds,
    /// The maximum time until a page has loaded, in seconds.
    #[serde(deserialize_with = "limit")]
    pub load_timeout: Seconds,
    /// The maximum time to read or to draw a page, in seconds.
    #[serde(deserialize_with = "limit")]
    pub evaluate_timeout: Seconds,
    /// The maximum time of an interaction, in seconds.
    #[serde(deserialize_with = "limit")]
    pub interaction_timeout: Seconds,
    /// The maximum memory of a page, in mebibytes.
    #[serde(deserialize_with = "bounded::<_, _, 128, 65_536>")]
    pub page_memory: u64,
    /// The time without pages after which the browser is closed, in seconds.
    #[serde(deserialize_with = "limit")]
    pub idle_timeout: Seconds,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;

    #[test]
    fn the_policy_of_old_journals_differs_from_the_default_file_only_in_failed_replies() {
        let known = Schema::load().unwrap();
        let settings =
            known.to_settings(known.settings().iter().map(|setting| setting.default.clone())).unwrap();
        let EpisodePolicy { on_cut, on_refusal, .. } = settings.episode_policy();
        assert_eq!((on_cut, on_refusal), (OnCut::Unreadable, OnReplyFailure::Unreadable));
        let old = EpisodePolicy {
            on_cut: OnCut::Stop,
            on_refusal: OnReplyFailure::Stop,
            continue_replies: false,
            ..settings.episode_policy()
        };
        assert_eq!(old, EpisodePolicy::default());
    }
}
