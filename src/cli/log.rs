//! `log`: which sessions there are, and whether their journals are whole.

use std::path::Path;

use serde_json::json;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::open::runtime;
use super::output::Output;
use super::output::columns;
use super::stage;
use crate::engine::Checked;
use crate::engine::Store;
use crate::engine::check;
use crate::engine::read;
use crate::engine::repair;

/// Look after the journals of sessions
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List the sessions of the store, oldest first
    List {
        /// Print one object a line
        #[arg(long)]
        json: bool,
    },
    /// Say whether a journal is whole, and where it is damaged
    Check {
        /// Sessions or journal files; all sessions of the store when left out
        #[arg(value_name = "RUN")]
        runs: Vec<String>,
        /// Write what can be saved into a new file; the old one stays as it is
        #[arg(long)]
        repair: bool,
        /// Print one object a line
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(verb: &Verb, house: &House) -> Result<Exit, Failure> {
    let store = Store::new(house.config()?.store());
    match verb {
        Verb::List { json } => list(&store, *json),
        Verb::Check { runs, repair, json } => {
            let check = Check { repair: *repair, json: *json, out: Output::open() };
            runtime()?.block_on(check.run(&store, runs))
        }
    }
}

fn list(store: &Store, json: bool) -> Result<Exit, Failure> {
    let mut out = Output::open();
    let mut rows = Vec::new();
    for session in store.sessions().map_err(Failure::running)? {
        let journals = store.find(&session).unwrap_or_default();
        let head = journals.first().and_then(|journal| read(journal).ok()).map(|recorded| recorded.head);
        if json {
            out.object(&json!({
                "session": session, "episodes": journals.len(),
                "level": head.as_ref().map(|head| &head.reference),
                "agent": head.as_ref().map(|head| &head.agent),
                "setting": head.as_ref().map(|head| head.setting),
            }))?;
            continue;
        }
        let count =
            format!("{} {}", journals.len(), if journals.len() == 1 { "episode" } else { "episodes" });
        let what = head.map_or(["unreadable: see log check".into(), String::new(), String::new()], |head| {
            [head.reference, head.agent, head.setting.to_string()]
        });
        rows.push([session, count].into_iter().chain(what).collect());
    }
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(Exit::Done)
}

struct Check {
    repair: bool,
    json: bool,
    out: Output,
}

impl Check {
    async fn run(mut self, store: &Store, runs: &[String]) -> Result<Exit, Failure> {
        let all = if runs.is_empty() { store.sessions().map_err(Failure::running)? } else { Vec::new() };
        let mut exit = Exit::Done;
        for run in runs.iter().chain(&all) {
            for journal in store.find(run).map_err(|error| stage::unfound(&error))? {
                if !self.journal(&journal).await? {
                    exit = Exit::Mismatch;
                }
            }
        }
        Ok(exit)
    }

    /// Checks one journal and says what is with it; true when it is whole and leads back.
    async fn journal(&mut self, path: &Path) -> Result<bool, Failure> {
        let checked = check(path).map_err(|error| stage::refused(&error))?;
        let verdict = verdict(path, &checked).await;
        let repaired = match (&checked.damage, &checked.recorded) {
            (Some(_), Some(good)) if self.repair => {
                Some(repair(path, good).map_err(|error| stage::refused(&error))?)
            }
            _ => None,
        };
        let lines = checked.recorded.as_ref().map_or(0, |good| good.lines.len() + 1);
        if self.json {
            self.out.object(&json!({
                "journal": path, "whole": verdict.is_ok(), "lines": lines,
                "torn": checked.recorded.as_ref().and_then(|good| good.torn).map(|torn| torn.bytes),
                "line": checked.damage.as_ref().map(|damage| damage.line),
                "why": verdict.as_ref().err(), "lost": checked.lost, "repaired": repaired,
            }))?;
            return Ok(verdict.is_ok());
        }
        let said = match &verdict {
            Ok(remark) => format!("whole, {lines} lines{remark}"),
            Err(why) => format!(
                "DAMAGED, {why}; {lines} lines before it are good, {} from it on are not",
                checked.lost
            ),
        };
        let new =
            repaired.map_or_else(String::new, |new| format!("; the good part is now in {}", new.display()));
        self.out.line(format!("{}: {said}{new}", path.display()))?;
        Ok(verdict.is_ok())
    }
}

/// A remark on a journal that is good, or why it is not.
async fn verdict(path: &Path, checked: &Checked) -> Result<String, String> {
    if let Some(damage) = &checked.damage {
        return Err(format!("line {}: {}", damage.line, damage.why));
    }
    let Some(recorded) = &checked.recorded else {
        return Err("line 1: there is no whole line, so not even the head is known".to_owned());
    };
    if let Err(Failure::Problem(_, problem)) = stage::relive(path, recorded).await {
        return Err(problem.what);
    }
    Ok(recorded.torn.map_or_else(String::new, |torn| {
        format!("; a last line of {} bytes was cut off: it never counted and will be dropped", torn.bytes)
    }))
}
