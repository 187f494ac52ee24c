//! `log delete`, `trash`, `restore` and `empty`: what is deleted, and brought back or removed for good.

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::{Exit, Failure};
use super::log_records::DeletedRecord;
use super::output::{Output, count_noun};
use super::runtime::single_thread_runtime;
use super::session::store_flag;
use mageyard_config::{Config, Problem};
use mageyard_domain::shell_quote;
use mageyard_engine::{Deleted, Store};
use mageyard_lab::unix_time;
use mageyard_sweep::check_deletion;

/// Move sessions and sweeps to the trash of the store
///
/// Nothing is copied or removed: `log restore` brings them back. What is being played is refused, and so is a recording
/// that an unfinished episode repeats.
#[derive(Debug, clap::Args)]
pub(super) struct DeleteArgs {
    /// Whole names of sessions or sweeps, as `log list` prints them
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// List what is in the trash, newest first
#[derive(Debug, clap::Args)]
pub(super) struct TrashArgs {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Bring back sessions and sweeps from the trash
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// Names, or addresses of `log trash` if a name was deleted several times [without: the newest of the name]
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Remove everything in the trash for good
#[derive(Debug, clap::Args)]
pub(super) struct EmptyArgs {
    /// Remove it; without this nothing is removed
    #[arg(long)]
    force: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

fn store(context: &Context) -> Result<(Config, Store), Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    Ok((config, store))
}

pub(super) fn delete(args: &DeleteArgs, context: &Context) -> Result<Exit, Failure> {
    let (config, store) = store(context)?;
    let mut names: Vec<String> = Vec::new();
    for name in &args.names {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    single_thread_runtime()?.block_on(check_deletion(&context.lab, &store, config.folders(), &names))?;
    let mut out = Output::open();
    for name in &names {
        let deleted = store.delete(name, unix_time())?;
        let text = format!(
            "deleted {name}; `mageyard log restore {}{}` brings it back",
            shell_quote(name),
            store_flag(&config)
        );
        print(&mut out, &deleted, "deleted", args.json, &text)?;
    }
    Ok(Exit::Done)
}

pub(super) fn trash(args: &TrashArgs, context: &Context) -> Result<Exit, Failure> {
    let store = store(context)?.1;
    let trash = store.trash()?;
    let mut out = Output::open();
    if trash.is_empty() && !args.json {
        print_message("the trash is empty");
    }
    let mut rows = Vec::new();
    for deleted in &trash {
        if args.json {
            out.record(&DeletedRecord::of(deleted, "in_trash"))?;
        } else {
            rows.push(vec![
                deleted.address(),
                kind(deleted).to_owned(),
                format!("deleted {}", deleted.time()),
            ]);
        }
    }
    out.table(&rows)?;
    Ok(Exit::Done)
}

pub(super) fn restore(args: &RestoreArgs, context: &Context) -> Result<Exit, Failure> {
    let store = store(context)?.1;
    let mut out = Output::open();
    for name in &args.names {
        let restored = store.restore(name)?;
        let text = format!("restored {}", restored.name());
        print(&mut out, &restored, "restored", args.json, &text)?;
    }
    Ok(Exit::Done)
}

pub(super) fn empty(args: &EmptyArgs, context: &Context) -> Result<Exit, Failure> {
    let store = store(context)?.1;
    let trash = store.trash()?;
    if trash.is_empty() {
        print_message("the trash is empty");
        return Ok(Exit::Done);
    }
    if !args.force {
        let what = format!("{} in the trash would be removed for good", count(&trash));
        let help = "add --force to remove them; `mageyard log trash` lists them";
        return Err(Problem::new(what).with_help(help).into());
    }
    let mut out = Output::open();
    for deleted in &trash {
        store.remove_deleted(deleted)?;
        print(&mut out, deleted, "removed", args.json, &format!("removed {}", deleted.address()))?;
    }
    Ok(Exit::Done)
}

fn count(trash: &[Deleted]) -> String {
    let sweeps = trash.iter().filter(|deleted| deleted.is_sweep()).count();
    let sessions = trash.len() - sweeps;
    let counts = [
        (sessions, count_noun(sessions, "session", "sessions")),
        (sweeps, count_noun(sweeps, "sweep", "sweeps")),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(_, text)| text).collect::<Vec<_>>().join(" and ")
}

fn kind(deleted: &Deleted) -> &'static str {
    if deleted.is_sweep() { "sweep" } else { "session" }
}

fn print(
    out: &mut Output,
    deleted: &Deleted,
    state: &'static str,
    json: bool,
    text: &str,
) -> Result<(), Failure> {
    if json {
        return Ok(out.record(&DeletedRecord::of(deleted, state))?);
    }
    Ok(out.line(text)?)
}
