//! `log`: what journals hold, whether they are whole, and the good part of a damaged one.

use std::io::Write;
use std::path::Path;

use clap::Args;
use clap::Subcommand;
use serde_json::json;

use super::Context;
use super::SCHEMA;
use super::failure::Exit;
use super::failure::Failure;
use super::stage;
use crate::domain::visible;
use crate::engine::Checked;
use crate::engine::JournalError;
use crate::engine::Store;
use crate::engine::check;
use crate::engine::read;
use crate::engine::repair;

/// Look after the journals of sessions
#[derive(Debug, Subcommand)]
pub(super) enum Log {
    List(List),
    Check(Check),
}

/// List the sessions, oldest first
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Check that journals are whole and lead back to their episodes
#[derive(Debug, Args)]
pub(super) struct Check {
    /// A session's name, the beginning of it, `last`, a folder or a journal; all sessions if none
    runs: Vec<String>,
    /// Write the good part of a damaged journal to a new file beside it
    #[arg(long)]
    repair: bool,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

impl Log {
    pub(super) async fn run(&self, context: &mut Context) -> Result<Exit, Failure> {
        match self {
            Self::List(list) => list.run(context),
            Self::Check(check) => check.run(context).await,
        }
    }
}

impl List {
    fn run(&self, context: &mut Context) -> Result<Exit, Failure> {
        let store = Store::new(context.config.store());
        for session in store.sessions().map_err(stage::failed)? {
            let Ok(journals) = store.find(&session) else { continue };
            let first = journals.first().and_then(|journal| read(journal).ok());
            let head = first.map(|recorded| recorded.head);
            let line = if self.json {
                json!({
                    "schema": SCHEMA, "session": session, "episodes": journals.len(),
                    "level": head.as_ref().map(|head| &head.reference),
                    "agent": head.as_ref().map(|head| &head.agent),
                    "setting": head.as_ref().map(|head| head.setting),
                })
                .to_string()
            } else {
                let what = head.map_or("(unreadable: log check tells why)".to_owned(), |head| {
                    format!("{}  {}  {}", head.reference, head.agent, head.setting)
                });
                visible(&format!("{session}  {} episodes  {what}", journals.len())).into_owned()
            };
            writeln!(context.out, "{line}")?;
        }
        Ok(Exit::Done)
    }
}

impl Check {
    async fn run(&self, context: &mut Context) -> Result<Exit, Failure> {
        let store = Store::new(context.config.store());
        let runs = if self.runs.is_empty() { store.sessions().map_err(stage::failed)? } else { self.runs.clone() };
        let mut worst = Exit::Done;
        for run in runs {
            for journal in store.find(&run).map_err(Failure::wrong)? {
                if !self.journal(&journal, context).await? {
                    worst = Exit::Mismatch;
                }
            }
        }
        Ok(worst)
    }

    /// Checks one journal and says what is with it; true when it is whole and leads back.
    async fn journal(&self, path: &Path, context: &mut Context) -> Result<bool, Failure> {
        let checked = match check(path) {
            Ok(checked) => checked,
            Err(error @ JournalError::Newer { .. }) => return Err(stage::journal_failure(error)),
            Err(error) => return Err(stage::journal_failure(error)),
        };
        let verdict = verdict(path, &checked).await;
        let repaired = match (&checked.damage, &checked.recorded, self.repair) {
            (Some(_), Some(good), true) => Some(repair(path, good).map_err(stage::journal_failure)?),
            _ => None,
        };
        let lines = checked.recorded.as_ref().map_or(0, |good| good.lines.len() + 1);
        let line = if self.json {
            json!({
                "schema": SCHEMA, "journal": path, "whole": verdict.is_ok(), "lines": lines,
                "torn": checked.recorded.as_ref().and_then(|good| good.torn).map(|torn| torn.bytes),
                "line": checked.damage.as_ref().map(|damage| damage.line),
                "why": verdict.as_ref().err(), "lost": checked.lost, "repaired": repaired,
            })
            .to_string()
        } else {
            let end = match &verdict {
                Ok(remark) => format!("whole, {lines} lines{remark}"),
                Err(why) => format!("DAMAGED: {why}; {lines} lines before are good, {} are not", checked.lost),
            };
            let new = repaired.map_or(String::new(), |path| format!("; the good part is now in {}", path.display()));
            visible(&format!("{}: {end}{new}", path.display())).into_owned()
        };
        writeln!(context.out, "{line}")?;
        Ok(verdict.is_ok())
    }
}

/// A remark on a journal that is good, or why it is not.
async fn verdict(path: &Path, checked: &Checked) -> Result<String, String> {
    if let Some(damage) = &checked.damage {
        return Err(format!("line {}: {}", damage.line, damage.why));
    }
    let Some(recorded) = &checked.recorded else {
        return Err("line 1: there is no whole line, so not even the head is known".into());
    };
    stage::relive(path, recorded).await.map_err(|failure| failure.problem.what)?;
    Ok(recorded.torn.map_or(String::new(), |torn| {
        format!("; a last line of {} bytes was cut off, never counted, and will be dropped", torn.bytes)
    }))
}
