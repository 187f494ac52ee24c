//! A computer for tests: files in memory, processes and results of commands as written down, and a log of what was done.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Access, Change, Computer, FileFacts, FileKind, Finding, Params, Ran, RunningProcess, Trouble};
use super::{Case, Rules, find};

/// A computer for tests.
#[derive(Default)]
pub(crate) struct Scripted {
    /// Files by their paths; folders are those that files need.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// Files that may not be read.
    pub(crate) denied: Vec<String>,
    /// The processes of each look; the last ones stay.
    pub(crate) processes: Vec<Vec<RunningProcess>>,
    /// What commands give; a missing one cannot be run.
    pub(crate) ran: Option<Ran>,
    /// What was done.
    pub(crate) log: Vec<String>,
}

impl Scripted {
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
        Self { files, ..Self::default() }
    }
}

pub(crate) fn process(id: u32, name: &str, program: &str) -> RunningProcess {
    RunningProcess { id, name: name.to_owned(), program: program.to_owned(), arguments: Vec::new() }
}

/// Calls a handler with parameters.
pub(crate) fn call(
    computer: &mut dyn Computer,
    name: &str,
    params: &serde_json::Value,
    rules: Rules,
) -> Result<(), Finding> {
    let (evaluator, function) = name.split_once('.').unwrap();
    let handler = find(evaluator, function).unwrap();
    let mut case = Case { computer, rules, reply: None, answer: None };
    (handler.call)(&Params(params.as_object().unwrap()), &mut case)
}

/// The sentence of a fail.
pub(crate) fn fail(result: Result<(), Finding>) -> String {
    match result {
        Err(Finding::Fail(sentence)) => sentence,
        other => panic!("a fail was expected, not {other:?}"),
    }
}

/// The reason of an error.
pub(crate) fn error(result: Result<(), Finding>) -> String {
    match result {
        Err(Finding::Error(reason)) => reason,
        other => panic!("an error was expected, not {other:?}"),
    }
}

impl Computer for Scripted {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Trouble> {
        if self.denied.iter().any(|denied| denied == path) {
            return Err(Trouble::Denied(Access::Read));
        }
        if self.files.keys().any(|file| file.starts_with(&format!("{path}/"))) {
            return Err(Trouble::NotAFile);
        }
        self.files.get(path).cloned().ok_or(Trouble::Missing)
    }

    fn facts(&mut self, path: &str) -> Result<Option<FileFacts>, Trouble> {
        let Some(bytes) = self.files.get(path) else { return Ok(None) };
        Ok(Some(FileFacts {
            kind: FileKind::File,
            size: bytes.len() as u64,
            mode: 0o644,
            modified: 1_709_294_400.0,
            changed: 1_709_294_401.5,
            owner: "ada".to_owned(),
            group: "staff".to_owned(),
        }))
    }

    fn list(&mut self, path: &str) -> Result<Vec<String>, Trouble> {
        let inside = self.files.keys().filter_map(|file| file.strip_prefix(&format!("{path}/")));
        let mut names: Vec<String> =
            inside.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        if names.is_empty() { Err(Trouble::Missing) } else { Ok(names) }
    }

    fn change(&mut self, change: &Change<'_>) -> Result<(), Trouble> {
        self.log.push(format!("{change:?}"));
        Ok(())
    }

    fn processes(&mut self) -> Result<Vec<RunningProcess>, Trouble> {
        if self.processes.len() > 1 {
            return Ok(self.processes.remove(0));
        }
        self.processes.first().cloned().ok_or(Trouble::Unsupported("processes"))
    }

    fn end(&mut self, processes: &[u32]) -> Result<(), Trouble> {
        self.log.push(format!("end {processes:?}"));
        Ok(())
    }

    fn run(&mut self, command: &str, limit: Duration) -> Result<Ran, Trouble> {
        self.log.push(format!("run {command} {}", limit.as_secs()));
        // A command of the extensions changes their list.
        if let Some(id) =
            command.strip_prefix("code --uninstall-extension ").and_then(|rest| rest.split(' ').next())
        {
            let marked = format!("/extensions/{id}-");
            self.files.retain(|path, _| !path.contains(&marked));
        }
        self.ran.clone().ok_or(Trouble::Unsupported("commands"))
    }

    fn start(&mut self, command: &[String]) -> Result<(), Trouble> {
        self.log.push(format!("start {command:?}"));
        Ok(())
    }

    fn sleep(&mut self, duration: Duration) {
        self.log.push(format!("sleep {}", duration.as_millis()));
    }

    fn home(&self) -> &'static str {
        "/home/ada"
    }
}
