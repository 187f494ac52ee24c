//! Resuming sessions from the command line: the command that does it, and the flags that it refuses.

use mageyard_lab::start_http_recording;
use std::path::{Path, PathBuf};

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::Failure;
use super::flags;
use super::set_flag::SET;
use mageyard_config::{Config, Origin, Problem, SettingOverride};
use mageyard_domain::shell_quote;
use mageyard_engine::Store;
use mageyard_lab::{EpisodeId, HttpRecording, Lab};

/// The `--store` flag that selects the same store again, if one was given. Settings from files and variables
/// apply without it.
pub fn store_flag(config: &Config) -> String {
    let row = config.resolved_settings().iter().find(|row| row.name() == "store.folder");
    match row.map(|row| (&row.origin, row.value.as_str())) {
        Some((Origin::Flag(_), Some(folder))) => format!(" --store {}", shell_quote(folder)),
        _ => String::new(),
    }
}

/// The command that resumes this unfinished episode; a session with a plan is completed by `run`.
pub fn resume_command(store: &Store, journal: &Path, config: &Config) -> String {
    let folder = EpisodeId::of_journal(journal).session;
    let planned = store.read_plan(&folder).is_ok_and(|plan| plan.is_some());
    let reference = store.reference(journal);
    let session = reference.rsplit_once('/').map_or(reference.as_str(), |(session, _)| session);
    let (verb, name) = if planned { ("run", session) } else { ("play", reference.as_str()) };
    format!("mageyard {verb} --resume {}{}", shell_quote(name), store_flag(config))
}

/// The only journal that a reference names, for a verb that is about one episode. `end` is what follows its address in
/// such a reference, such as `#5`.
pub(super) fn one_episode(store: &Store, given: &str, end: &str) -> Result<PathBuf, Failure> {
    let journals = store.find(given)?;
    match journals.as_slice() {
        [journal] => Ok(journal.clone()),
        several => {
            let what = format!("{given} has {} episodes", several.len());
            let first = several.first().map(|journal| store.reference(journal)).unwrap_or_default();
            Err(Problem::new(what).with_help(format!("name one, such as {first}{end}")).into())
        }
    }
}

/// Prints on standard error how to resume unfinished episodes.
pub fn print_resume_commands(mut commands: Vec<String>) {
    commands.dedup();
    for command in commands {
        print_message(&format!("unfinished: resume it with `{command}`"));
    }
}

/// Records the conversations with model servers in this file, if one is given.
pub(super) fn record_http(lab: &Lab, path: Option<&Path>) -> Result<Option<HttpRecording>, Problem> {
    let Some(path) = path else { return Ok(None) };
    let recording = HttpRecording::create(path)?;
    start_http_recording(lab, &recording);
    Ok(Some(recording))
}

/// The tables of settings that an episode keeps from its start.
const KEPT_TABLES: [&str; 4] = ["play.", "memory.", "model.", "demo."];

fn is_kept(given: &SettingOverride) -> bool {
    KEPT_TABLES.iter().any(|table| given.name.starts_with(table))
}

/// The names of the settings of an episode that flags give.
pub(super) fn kept_flags(context: &Context) -> Vec<String> {
    let given = context.sources.overrides.iter();
    let given = given.filter(|given| matches!(given.origin, Origin::Flag(_)) && is_kept(given));
    given.map(|given| given.name.clone()).collect()
}

/// The first `--set` of a setting that an episode keeps from its start, and that this does not use all the same.
fn ignored_set<'a>(context: &'a Context, is_used: &dyn Fn(&str) -> bool) -> Option<&'a SettingOverride> {
    let ignored = |given: &&SettingOverride| {
        given.origin == Origin::Flag(SET.to_owned()) && is_kept(given) && !is_used(&given.name)
    };
    context.sources.overrides.iter().find(ignored)
}

/// Whether a setting says how the server of a model is reached.
fn connects(lab: &Lab, name: &str) -> bool {
    let own = lab.asking_agent().ok().map(|(_, settings)| settings);
    own.is_some_and(|own| {
        name.split_once('.').is_some_and(|(table, key)| table == own.table && own.connection.contains(&key))
    })
}

/// Rejects a flag that would change the settings of a resumed episode, which keeps those it was started with, besides
/// those of the connection.
pub(super) fn refuse_changed_settings(context: &Context) -> Result<(), Problem> {
    let changes = |given: &&SettingOverride| {
        matches!(given.origin, Origin::Flag(_)) && is_kept(given) && !connects(&context.lab, &given.name)
    };
    let Some(given) = context.sources.overrides.iter().find(changes) else { return Ok(()) };
    let what = format!(
        "{} has no effect with --resume: an episode keeps the settings it was started with",
        given.origin
    );
    Err(Problem::new(what).with_help("remove the flag, or start a new episode"))
}

/// Rejects a `--set` that a replay ignores: the recording has these settings, and only some can be replaced.
pub(super) fn refuse_recorded_settings(context: &Context) -> Result<(), Problem> {
    let replaced = |name: &str| flags::replayed_settings().any(|replayed| replayed == name);
    let Some(given) = ignored_set(context, &replaced) else { return Ok(()) };
    let what = format!("{} {} has no effect in a replay", given.origin, given.name);
    let names: Vec<_> = flags::replayed_settings().collect();
    Err(Problem::new(what).with_help(format!("a replay can change only {}", names.join(", "))))
}

/// Rejects a `--set` that printing a recording ignores. On the screen it applies to levels that `:open` starts.
pub(super) fn refuse_settings_of_printed(context: &Context) -> Result<(), Problem> {
    let Some(given) = ignored_set(context, &|_| false) else { return Ok(()) };
    let what = format!(
        "{} {} has no effect on what is printed: a recording keeps the settings it was played with",
        given.origin, given.name
    );
    Err(Problem::new(what)
        .with_help("remove it, or play again: mageyard replay, mageyard run --agent replay"))
}
