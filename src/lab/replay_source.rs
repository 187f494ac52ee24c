//! Recordings to repeat: finds the recorded episode that a new episode repeats.

use std::path::{Path, PathBuf};

use super::replaced_settings::replace_settings;
use super::{Lab, LabError, unix_time};
use mageyard_agents::Recording;
use mageyard_config::{Config, Origin, Problem};
use mageyard_domain::{Budget, SideRole};
use mageyard_engine::{
    Head, RecordedAgent, RecordedRole, Store, read_journal, recorded_replies, recorded_side_replies,
};

/// The maximum number of recordings listed in an error message.
const MAX_LISTED: usize = 8;

/// The recorded episodes of a session.
pub struct ReplaySource {
    /// The agent that repeats them.
    agent: &'static str,
    /// The reference that found them.
    given: String,
    episodes: Vec<(PathBuf, Head)>,
}

/// The configured recording; `None` if the configured agent repeats none.
pub fn replay_source(lab: &Lab, config: &Config) -> Result<Option<ReplaySource>, LabError> {
    let play = &config.settings().play;
    let Some(row) = lab.agent(&play.agent).filter(|row| row.repeats_recording) else {
        let takes_replies = lab.agent(&play.agent).is_some_and(|row| row.takes_replies);
        let unused = if takes_replies { Ok(()) } else { refuse_unused_flag(config) };
        return unused.map(|()| None).map_err(LabError::from);
    };
    if play.from.is_empty() {
        let problem = config.problem_with(
            "play.agent",
            format!("the agent {} needs a recording, and none is given", row.name),
        );
        return Err(problem
            .with_help("add --from SESSION: a session name, `last`, a folder or a journal")
            .into());
    }
    let found = Store::new(config.store_folder()).find(&play.from);
    let journals = found?.into_iter();
    let head = |path: PathBuf| {
        let head = read_journal(&path)?.head;
        refuse_branch(&head, &path)?;
        Ok((std::path::absolute(&path).unwrap_or(path), head))
    };
    let episodes = journals.map(head).collect::<Result<_, LabError>>()?;
    Ok(Some(ReplaySource { agent: row.name, given: play.from.clone(), episodes }))
}

/// The head of an episode that repeats a recording: everything comes from the recording, except what flags set to
/// find out whether it makes a difference.
pub fn replayed_head(lab: &Lab, recorded: &Head, journal: &Path, config: &Config) -> Result<Head, Problem> {
    let row = lab.agents().iter().find(|row| row.repeats_recording);
    let row = row.ok_or_else(|| Problem::new("no agent repeats recordings"))?;
    replay_head(row.name, recorded, journal, config)
}

impl ReplaySource {
    /// The heads that repeat all episodes of the recording.
    pub fn heads(&self, config: &Config) -> Result<Vec<Head>, Problem> {
        self.episodes.iter().map(|(path, recorded)| replay_head(self.agent, recorded, path, config)).collect()
    }

    /// Makes a new episode repeat its recording: the one of the same level. Several recordings of a level are told
    /// apart by seed and setting. Everything but what flags set comes from the recording. The head of another agent
    /// is not changed.
    pub fn assign(&self, head: &mut Head, config: &Config) -> Result<(), Problem> {
        if head.agent.name != self.agent {
            return Ok(());
        }
        let fits = |recorded: &Head| {
            recorded.environment == head.environment
                && recorded.level.is_same_level(&head.level)
                && (!is_flag(config, "play.seed") || recorded.seed == head.seed)
                && (!is_flag(config, "play.setting") || recorded.setting == head.setting)
        };
        let mut fitting: Vec<_> = self.episodes.iter().filter(|(_, recorded)| fits(recorded)).collect();
        if fitting.len() > 1 {
            fitting.retain(|(_, recorded)| recorded.seed == head.seed && recorded.setting == head.setting);
        }
        match fitting.as_slice() {
            [(path, recorded)] => {
                *head = replay_head(self.agent, recorded, path, config)?;
                Ok(())
            }
            [] => Err(Problem::new(format!("{}: there is no recording of {}", self.given, describe(head)))
                .with_help(format!("it has: {}", self.available()))),
            several => {
                let folders: Vec<_> = several.iter().map(|(path, _)| episode_folder(path)).collect();
                let what = format!("{}: has {} recordings of {}", self.given, several.len(), describe(head));
                Err(Problem::new(what).with_help(format!("name the folder of one: {}", folders.join(", "))))
            }
        }
    }

    fn available(&self) -> String {
        let names: Vec<_> = self.episodes.iter().take(MAX_LISTED).map(|(_, head)| describe(head)).collect();
        match self.episodes.len().saturating_sub(MAX_LISTED) {
            0 => names.join("; "),
            more => format!("{}; and {more} more", names.join("; ")),
        }
    }
}

/// Refuses a branch where a new episode would repeat it from its first step: the steps of its parent have other settings.
pub(super) fn refuse_branch(head: &Head, journal: &Path) -> Result<(), Problem> {
    if head.parent.is_none() {
        return Ok(());
    }
    let what = format!("{}: a branch cannot be repeated from its first step", journal.display());
    Err(Problem::new(what).with_help("repeat its episode; `mageyard replay SESSION#b1` verifies the branch"))
}

/// Rejects a recording given by a flag when the agent does not use one.
fn refuse_unused_flag(config: &Config) -> Result<(), Problem> {
    let row = config.resolved_settings().iter().find(|row| row.name() == "play.from");
    match row.map(|row| &row.origin) {
        Some(Origin::Flag(flag)) => {
            let agent = &config.settings().play.agent;
            Err(Problem::new(format!("{flag} has no effect: the agent {agent} does not use a recording"))
                .with_help("add --agent replay or --agent replies, or remove the flag"))
        }
        _ => Ok(()),
    }
}

/// Whether a flag sets this setting.
pub(super) fn is_flag(config: &Config, name: &str) -> bool {
    let mut rows = config.resolved_settings().iter();
    rows.any(|row| row.name() == name && matches!(row.origin, Origin::Flag(_)))
}

/// The head of an episode that repeats a recording: everything comes from the recording, except what flags set to
/// find out whether it makes a difference.
fn replay_head(agent: &str, recorded: &Head, journal: &Path, config: &Config) -> Result<Head, Problem> {
    let flag = |name: &str| is_flag(config, name);
    // The path is stored as text.
    let path = std::path::absolute(journal).unwrap_or_else(|_| journal.to_owned());
    let recording = Some(PathBuf::from(path.to_string_lossy().into_owned()));
    let repeats = RecordedAgent { recording, ..RecordedAgent::named(agent) };
    let role = |(role, of): (&SideRole, &RecordedRole)| {
        let agent = if of.agent.is_person() { &of.agent } else { &repeats };
        (*role, RecordedRole { agent: agent.clone(), price: None, ..of.clone() })
    };
    let mut head = Head {
        agent: repeats.clone(),
        roles: recorded.roles.iter().map(role).collect(),
        // Nothing is sent, so nothing is spent.
        budget: Budget::default(),
        ..recorded.restarted(unix_time().as_secs())
    };
    replace_settings(&mut head, &flag, config)?;
    Ok(head)
}

fn describe(head: &Head) -> String {
    format!("{}, seed {}, {}", head.reference, head.seed, head.setting)
}

fn episode_folder(journal: &Path) -> String {
    journal.parent().unwrap_or(journal).display().to_string()
}

/// The replies of a role that this agent repeats; `None` if it repeats no recording.
pub(super) fn recording_for_role(
    agent: &RecordedAgent,
    role: SideRole,
) -> Result<Option<Recording>, LabError> {
    let Some(from) = &agent.recording else { return Ok(None) };
    let recorded = read_journal(from)?;
    let replies = recorded_side_replies(&recorded.lines, role);
    let model = recorded.head.roles.get(&role).map(|role| role.agent.options.clone());
    Ok(Some(Recording { source: episode_folder(from), model: model.unwrap_or_default(), replies }))
}

/// The recording that this agent repeats; `None` if it repeats none.
pub(super) fn recording_for(agent: &RecordedAgent) -> Result<Option<Recording>, LabError> {
    let Some(from) = &agent.recording else { return Ok(None) };
    let recorded = read_journal(from)?;
    let mut replies = recorded_replies(&recorded.lines);
    let model = recorded.head.agent.options;
    // Those of its parent may be of another agent.
    let first = recorded.head.parent.map_or(1, |parent| parent.step);
    replies.retain(|reply| reply.step >= first);
    Ok(Some(Recording { source: episode_folder(from), model, replies }))
}
