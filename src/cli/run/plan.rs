//! The episodes that `run` is asked for: new ones, those of a recording, or those of a session that is resumed.

use mageyard_lab::{
    given_replies, level_of, missing_start, new_heads, next_try, playable_levels, refuse_without_person,
    replay_source,
};
use std::path::Path;

use super::Args;
use crate::context::Context;
use crate::diagnostics::{print_message, print_problem};
use crate::exit::Failure;
use crate::output::count_noun;
use crate::runtime::single_thread_runtime;
use crate::session;
use mageyard_config::{Config, Problem};
use mageyard_engine::{Head, Store};
use mageyard_lab::{PlannedEpisode, SelectedLevel};

/// The most records that are left out whose mistakes are printed.
const MOST_PROBLEMS: usize = 5;

/// The episodes in order. A new session is created for new ones, unless they need a person who is not there.
pub(super) fn planned(
    args: &Args,
    context: &Context,
    (config, has_person): (&Config, bool),
    store: &Store,
) -> Result<Vec<PlannedEpisode>, Failure> {
    let (levels, heads) = match (&args.resume, &args.levels) {
        (Some(session), _) => {
            session::refuse_changed_settings(context)?;
            return resumed(store, session);
        }
        (None, None) => recorded(context, config)?,
        (None, Some(levels)) => {
            let (selected, left_out) = playable_levels(&context.lab, config, levels)?;
            say_left_out(&left_out);
            let heads = new(&selected, args.repeats, context, config, store)?;
            (selected, heads)
        }
    };
    if !has_person {
        refuse_without_person(&context.lab, &heads, config)?;
    }
    new_session(&levels, heads, config, store)
}

/// Says which records are not played.
fn say_left_out(left_out: &[Problem]) {
    left_out.iter().take(MOST_PROBLEMS).for_each(print_problem);
    if !left_out.is_empty() {
        let count = count_noun(left_out.len(), "record is", "records are");
        print_message(&format!("{count} left out; `mageyard levels check` lists all mistakes of a file"));
    }
}

fn new(
    selected: &[SelectedLevel],
    repeats: u32,
    context: &Context,
    config: &Config,
    store: &Store,
) -> Result<Vec<Head>, Failure> {
    let heads = new_heads(&context.lab, config, selected, repeats, store);
    let heads = single_thread_runtime()?.block_on(heads)?;
    if let Some(replies) = given_replies(&context.lab, config)? {
        replies.refuse_unused(&heads)?;
    }
    if let Some(setting) = heads.iter().find_map(|head| missing_start(&context.lab, head)) {
        print_message(&format!(
            "Online episodes begin from nothing; --set {setting}=SESSION starts them from the Global ones of a session"
        ));
    }
    Ok(heads)
}

/// All episodes of the configured recording, in order.
fn recorded(context: &Context, config: &Config) -> Result<(Vec<SelectedLevel>, Vec<Head>), Failure> {
    let Some(source) = replay_source(&context.lab, config)? else {
        let problem = Problem::new("no level is given");
        return Err(problem.with_help("name one: mageyard run LEVELS").into());
    };
    let heads = source.heads(config)?;
    let levels =
        heads.iter().map(|head| level_of(&context.lab, head)).collect::<Result<Vec<_>, Problem>>()?;
    Ok((levels, heads))
}

/// The next tries of the episodes that failed and may be tried again, in a session of their own; `None` if there are none.
pub(super) fn next_tries(
    tried: &[PlannedEpisode],
    context: &Context,
    config: &Config,
    store: &Store,
) -> Result<Option<Vec<PlannedEpisode>>, Failure> {
    let next = |planned: &PlannedEpisode| next_try(&context.lab, planned.head.as_ref()?, &planned.journal);
    let heads: Vec<Head> = tried.iter().filter_map(next).collect();
    if heads.is_empty() {
        return Ok(None);
    }
    let levels = heads.iter().map(|head| level_of(&context.lab, head));
    let levels = levels.collect::<Result<Vec<_>, Problem>>()?;
    new_session(&levels, heads, config, store).map(Some)
}

/// Creates a session with this plan, which is written before the first episode starts.
fn new_session(
    levels: &[SelectedLevel],
    heads: Vec<Head>,
    config: &Config,
    store: &Store,
) -> Result<Vec<PlannedEpisode>, Failure> {
    let session = mageyard_lab::create_session(store, levels, config)?;
    store.write_plan(&session, &heads)?;
    Ok(of_session(store, &session, heads))
}

/// The episodes of a session: those of its plan, or of a session without a plan those that were started.
fn resumed(store: &Store, run: &str) -> Result<Vec<PlannedEpisode>, Failure> {
    if store.sweep(run).is_some() {
        let problem = Problem::new(format!("{run} is a sweep, not a session"));
        return Err(problem.with_help("`mageyard sweep run` with its file completes it").into());
    }
    if !Path::new(run).is_file() {
        let session = store.session_folder(run)?;
        if let Some(heads) = store.read_plan(&session).map_err(Failure::running)? {
            return Ok(of_session(store, &session, heads));
        }
    }
    let journals = store.find(run)?.into_iter();
    Ok(journals.map(|journal| PlannedEpisode { journal, head: None }).collect())
}

fn of_session(store: &Store, session: &Path, heads: Vec<Head>) -> Vec<PlannedEpisode> {
    let numbered = (1..).zip(heads);
    numbered
        .map(|(number, head)| PlannedEpisode {
            journal: store.journal_path(session, number),
            head: Some(head),
        })
        .collect()
}
