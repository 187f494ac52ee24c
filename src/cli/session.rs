//! Session folders: their names, and the flag that selects their store.

use std::path::Path;
use std::path::PathBuf;

use super::attribution::EpisodeId;
use super::context::unix_time;
use super::diagnostics::print_message;
use super::episode_builder;
use super::error_codes;
use super::exit::Failure;
use super::level_ref::SelectedLevel;
use crate::config::Config;
use crate::config::Origin;
use crate::domain::shell_quote;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::engine::read_last_event;

/// Creates the folder of a new session, named after its level and agent.
pub(super) fn create(store: &Store, selected: &[SelectedLevel], config: &Config) -> Result<PathBuf, Failure> {
    let environment = selected.first().map_or("", |selected| selected.spec.name());
    let reference = selected.first().map_or("", |selected| selected.reference.as_str());
    let reference = reference.strip_prefix(environment).unwrap_or(reference);
    // Of a path only the file name is used, of several levels only the name of the set.
    let place = if selected.len() > 1 {
        reference.rsplit_once(['/', '#']).map_or("", |pair| pair.0)
    } else {
        reference
    };
    let place = if Path::new(place).components().count() > 3 {
        Path::new(place).file_name().and_then(|name| name.to_str()).unwrap_or(place)
    } else {
        place
    };
    let agent = &config.settings().play.agent;
    let label = format!("{environment} {place} {agent}");
    store.create_session(unix_time(), &label).map_err(|error| error_codes::store_failure(&error))
}

/// The `--store` flag that selects the same store again, if one was given. Settings from files and variables
/// apply without it.
pub(super) fn store_flag(config: &Config) -> String {
    let row = config.resolved_settings().iter().find(|row| row.name() == "store.folder");
    match row.map(|row| (&row.origin, row.value.as_str())) {
        Some((Origin::Flag(flag), Some(folder))) => format!(" {flag} {}", shell_quote(folder)),
        _ => String::new(),
    }
}

/// The command that resumes this unfinished episode; a session with a plan is completed by `run`.
pub(super) fn resume_command(store: &Store, journal: &Path, config: &Config) -> String {
    let folder = EpisodeId::of_journal(journal).session;
    let planned = store.read_plan(&folder).is_ok_and(|plan| plan.is_some());
    let reference = store.reference(journal);
    let session = reference.rsplit_once('/').map_or(reference.as_str(), |(session, _)| session);
    let (verb, name) = if planned { ("run ", session) } else { ("", reference.as_str()) };
    format!("mageyard {verb}--resume {}{}", shell_quote(name), store_flag(config))
}

/// Whether the episode of a journal can be resumed. Most journals tell by their last event; others are replayed.
pub(super) async fn is_unfinished(journal: &Path) -> bool {
    if !read_last_event(journal).is_ok_and(|event| event.is_none_or(|event| !event.is_final())) {
        return false;
    }
    let Ok(contents) = read_journal(journal) else { return false };
    let restored = episode_builder::restore_episode(journal, &contents).await;
    restored.is_ok_and(|(_, episode, _)| episode.ending().is_none())
}

/// Prints on standard error how to resume unfinished episodes.
pub(super) fn print_resume_commands(mut commands: Vec<String>) {
    commands.dedup();
    for command in commands {
        print_message(&format!("unfinished: resume it with `{command}`"));
    }
}
