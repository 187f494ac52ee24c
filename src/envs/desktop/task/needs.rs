//! What a task needs beyond files: it is shown before a run, so that no episode is spent in vain.

use std::collections::BTreeSet;
use std::fmt;

use mageyard_domain::sanitize;
use serde_json::Value;

use super::variables::names;
use super::{Procedure, Stage, Task};

/// Where fixtures are, in task files.
const FIXTURES: &str = "${AS_ROOT}/data/";

/// What a task needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A desktop that the agent sees.
    Display,
    /// A program.
    Program(Program),
    /// An account of a service, by its evaluator.
    Account(String),
    /// A file of the published data, as the task writes its path.
    Fixture(String),
}

/// A program that tasks start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// Its word processor, sheets or slides.
    LibreOffice,
    /// The picture editor.
    Gimp,
    /// Visual Studio Code.
    VsCode,
}

impl Program {
    /// The program that a command starts.
    fn started_by(command: &str) -> Option<Self> {
        let name = command.rsplit('/').next().unwrap_or(command);
        match name {
            "libreoffice" | "soffice" | "soffice.bin" | "lowriter" | "localc" | "loimpress" => {
                Some(Self::LibreOffice)
            }
            "code" | "code-insiders" | "codium" => Some(Self::VsCode),
            name if name == "gimp" || name.starts_with("gimp-") => Some(Self::Gimp),
            _ => None,
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LibreOffice => "LibreOffice",
            Self::Gimp => "GIMP",
            Self::VsCode => "VS Code",
        })
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Display => f.write_str("needs a desktop"),
            Self::Program(program) => write!(f, "needs {program}"),
            Self::Account(evaluator) => write!(f, "needs an account for {evaluator}"),
            Self::Fixture(path) => write!(f, "needs the file {}", sanitize(path)),
        }
    }
}

/// The needs of a task for a list: one line each, such as `needs LibreOffice`; a line counts files if there are several.
pub fn lines(needs: &[Need]) -> Vec<String> {
    let (files, others): (Vec<_>, Vec<_>) = needs.iter().partition(|need| matches!(need, Need::Fixture(_)));
    let mut lines: Vec<String> = others.iter().map(ToString::to_string).collect();
    match files.as_slice() {
        [] => {}
        [file] => lines.push(file.to_string()),
        files => lines.push(format!("needs {} files of the published data", files.len())),
    }
    lines
}

impl Task {
    /// What the task needs, each once: desktop, programs, accounts, files.
    pub fn needs(&self) -> Vec<Need> {
        let mut needs = BTreeSet::new();
        if self.visual {
            needs.insert(Need::Display);
        }
        for stage in Stage::ALL {
            for procedure in self.written(stage) {
                add_programs(procedure, &mut needs);
                add_accounts(procedure, &mut needs);
            }
        }
        needs.extend(self.fixtures().into_iter().map(Need::Fixture));
        needs.into_iter().collect()
    }

    /// The files below the folder of fixtures that the procedures use and do not make.
    fn fixtures(&self) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        for stage in [Stage::Reset, Stage::Evaluation] {
            for procedure in self.written(stage) {
                procedure.texts().into_iter().for_each(|text| add_paths(text, &mut used));
            }
        }
        for procedure in self.reset.iter().chain(&self.evaluation) {
            for path in made_by(procedure) {
                used.remove(path);
            }
        }
        used
    }
}

/// The paths that a procedure makes, or expects the agent to make.
fn made_by(procedure: &Procedure) -> Vec<&str> {
    let name = match (procedure.evaluator.as_str(), procedure.function.as_str()) {
        ("filesystem", "create_file" | "mkdir" | "create_directory") => "path",
        ("filesystem", "rename") => "new_name",
        ("filesystem", "copy" | "move") => "dest",
        ("filesystem", "verify_ini") => "target_path",
        ("filesystem", _) => {
            let table = procedure.params.get("file_to_check").and_then(Value::as_object);
            return table.into_iter().flat_map(|table| table.keys().map(String::as_str)).collect();
        }
        _ => return Vec::new(),
    };
    procedure.params.get(name).and_then(Value::as_str).into_iter().collect()
}

fn add_paths(text: &str, paths: &mut BTreeSet<String>) {
    for (start, _) in text.match_indices(FIXTURES) {
        let path = text.get(start..).unwrap_or_default();
        // In a command a path ends at a blank or a quote; a text that begins with the folder is a path as a whole.
        let ends = |c: char| c.is_whitespace() || "\"';|&<>()".contains(c);
        let end = if start == 0 { None } else { path.find(ends) };
        let path = path.get(..end.unwrap_or(path.len())).unwrap_or_default();
        if path.len() > FIXTURES.len() {
            paths.insert(path.to_owned());
        }
    }
}

fn add_programs(procedure: &Procedure, needs: &mut BTreeSet<Need>) {
    let mut commands = Vec::new();
    match (procedure.evaluator.as_str(), procedure.function.as_str()) {
        ("vscode", _) => commands.push("code"),
        ("process", "create_process") => match procedure.params.get("cmd") {
            Some(Value::Array(words)) => commands.extend(words.first().and_then(Value::as_str)),
            Some(Value::String(text)) => commands.extend(first_words(text)),
            _ => {}
        },
        ("system", "exec") => {
            let text = procedure.params.get("command").and_then(Value::as_str);
            commands.extend(first_words(text.unwrap_or_default()));
        }
        _ => {}
    }
    let programs = commands.into_iter().filter_map(Program::started_by);
    needs.extend(programs.map(Need::Program));
}

/// The first words of the commands of a line for the shell.
fn first_words(line: &str) -> impl Iterator<Item = &str> {
    line.split([';', '&', '|', '\n']).filter_map(|part| part.split_whitespace().next())
}

fn add_accounts(procedure: &Procedure, needs: &mut BTreeSet<Need>) {
    if procedure.needs_account() {
        needs.insert(Need::Account(procedure.evaluator.clone()));
    }
    for name in procedure.texts().into_iter().flat_map(names) {
        match name {
            "AS_GMAIL_RECIPIENT" => needs.insert(Need::Account("gmail".to_owned())),
            "AS_GCALENDAR_ID" => needs.insert(Need::Account("google_calendar".to_owned())),
            _ => continue,
        };
    }
}
