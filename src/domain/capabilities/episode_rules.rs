//! How the episodes of an environment differ from those of others.

use crate::{Level, LevelLimits, Observation, Options, Window};

/// Defaults and rules of episodes.
#[derive(Clone, Copy)]
pub struct EpisodeRules {
    /// Settings whose defaults are others in this environment: names, such as `play.reader`, and values as flags have
    /// them. So it also says its own rules: `play.attempts`, `play.on_unreadable`, `play.on_repeating`, `play.time_checked`.
    pub setting_defaults: &'static [(&'static str, &'static str)],
    /// The memory window, if requests have no history because the newest observation has what the agent wrote. `None`
    /// if past outputs are sent and the window is a setting.
    pub fixed_window: Option<Window>,
    /// Whether a request has the parts of observations that belong to the task once, in its first turn.
    pub task_once: bool,
    /// Whether an Online reply that has an odd number of code fences is continued by one more request.
    pub continues_replies: bool,
    /// Whether the modules of the agent look at the state once more before a won Online episode ends.
    pub last_look: bool,
    /// Actions of which an episode must have others too: with nothing else, twice or more, it counts as repeating (RA).
    pub one_sided_actions: &'static [&'static str],
    /// Online episodes that begin where a Global one has ended.
    pub start: Option<StartFromEpisode>,
    /// Failed episodes that are tried again with the sentences of their verdicts.
    pub retry: Option<RetryWithFeedback>,
    /// The limits that a level has of its own. Its file was read before, so they are right.
    pub level_limits: fn(&Level) -> LevelLimits,
}

impl EpisodeRules {
    /// The settings of the program, a window that is a setting, and no further rule.
    pub const NONE: Self = Self {
        setting_defaults: &[],
        fixed_window: None,
        task_once: false,
        continues_replies: false,
        last_look: false,
        one_sided_actions: &[],
        start: None,
        retry: None,
        level_limits: |_| LevelLimits::NONE,
    };

    /// The setting with the session that episodes begin from, if they can.
    pub fn start_setting(&self) -> Option<&'static str> {
        self.start.map(|start| start.setting)
    }

    /// Whether an option is data of an episode that begins from another one, and no setting.
    pub fn is_start_data(&self, option: &str) -> bool {
        let start = self.start.map(|start| start.data);
        let retry = self.retry.map(|retry| retry.data);
        [start, retry].contains(&Some(option))
    }
}

/// Begins Online episodes where Global ones of the same level have ended.
#[derive(Clone, Copy)]
pub struct StartFromEpisode {
    /// The setting with the session of the Global episodes, such as `start`. Its value is a text.
    pub setting: &'static str,
    /// The option that has what the other episode has left, such as whole files. It is data of an episode and no setting, so
    /// reports do not tell episodes apart by it.
    pub data: &'static str,
    /// The options of an episode that begins at this last observation of another one. An error is the reason why it
    /// cannot.
    pub options: fn(&Observation) -> Result<Options, String>,
}

/// Tries failed episodes again. Each try is an episode of its own, in a session of its own, so that the first tries alone are the
/// results of a session.
#[derive(Clone, Copy)]
pub struct RetryWithFeedback {
    /// The option with the number of a try, from 2; the first try has none. Reports tell episodes apart by it.
    pub number: &'static str,
    /// The option with the sentences of the verdict on the try before, a list of texts. It is data of an episode and no setting.
    pub data: &'static str,
    /// How many times these options allow another try.
    pub tries: fn(&Options) -> u32,
}
