//! What tasks need of this machine, and whether it has it.

use std::path::Path;

use mageyard_domain::{Level, LevelNeeds, Options};

use crate::Desktop;
use crate::options::{DesktopOptions, Observe};
use crate::task::{Need, Program, Task, lines};

/// Where programs of the system are, which sandboxes have too.
const PLACES: [&str; 3] = ["/usr/bin", "/usr/local/bin", "/bin"];

impl LevelNeeds for Desktop {
    fn needs(&self, level: &Level) -> Vec<String> {
        Task::of_level(level).map(|task| lines(&task.needs())).unwrap_or_default()
    }

    fn missing(&self, level: &Level, options: &Options) -> Option<String> {
        let (task, options) = (Task::of_level(level).ok()?, DesktopOptions::read(options).ok()?);
        missing_of(&task, &options)
    }
}

/// Why a task cannot be played on this machine with these options.
pub(crate) fn missing_of(task: &Task, options: &DesktopOptions) -> Option<String> {
    task.needs().into_iter().find_map(|need| missing(&need, options))
}

/// Why a need cannot be met. Fixtures are files of the level, which are checked as such.
fn missing(need: &Need, options: &DesktopOptions) -> Option<String> {
    match need {
        Need::Account(_) => Some(format!("{need}, and tasks with accounts are not built")),
        Need::Display if options.observe == Observe::Task => {
            Some(format!("{need}, which is not built; --set desktop.observe=text plays it by cells alone"))
        }
        Need::Program(program) if !is_installed(*program) => {
            Some(format!("{need}, which is not installed here"))
        }
        Need::Display | Need::Program(_) | Need::Fixture(_) => None,
    }
}

#[expect(clippy::disallowed_methods, reason = "a program is looked for")]
fn is_installed(program: Program) -> bool {
    let names: &[&str] = match program {
        Program::LibreOffice => &["libreoffice", "soffice"],
        Program::Gimp => &["gimp"],
        Program::VsCode => &["code", "code-insiders", "codium"],
    };
    PLACES.iter().any(|place| names.iter().any(|name| Path::new(place).join(name).exists()))
}
