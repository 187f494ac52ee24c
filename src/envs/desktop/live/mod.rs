//! Live tasks: a sandbox for each episode, with a Python kernel.

mod computer;
mod environment;

use mageyard_domain::{OptionError, Options};
use mageyard_sandbox::{Confinement, found};

pub(crate) use self::environment::Desktop;
use crate::options::{DesktopOptions, Observe, SandboxChoice};
use crate::task::{Need, Task};

/// The form of sandbox of these settings on this machine.
fn confinement(options: &DesktopOptions) -> Confinement {
    match options.sandbox {
        SandboxChoice::Best => found().best(),
        SandboxChoice::Form(form) => form,
    }
}

/// Whether the programs of an episode are kept apart from the machine.
pub(crate) fn is_apart(options: &Options) -> bool {
    DesktopOptions::read(options).is_ok_and(|options| confinement(&options) != Confinement::Nothing)
}

/// Whether a person confirms each action: nothing keeps the programs apart, and nobody has said that they may do everything.
pub(crate) fn needs_confirmation(options: &Options) -> bool {
    let Ok(options) = DesktopOptions::read(options) else { return false };
    !options.trust && confinement(&options) == Confinement::Nothing
}

/// Why a task cannot be played with these settings.
pub(crate) fn refuse_unplayable(task: &Task, options: &DesktopOptions) -> Result<(), OptionError> {
    let sees_screen = task.visual && options.observe == Observe::Task;
    let missing = task.needs().into_iter().find(|need| match need {
        Need::Account(_) => true,
        Need::Display => sees_screen,
        Need::Program(_) | Need::Fixture(_) => false,
    });
    let Some(missing) = missing else { return Ok(()) };
    let how = if missing == Need::Display {
        ", which is not built yet; desktop.observe=text plays it by cells alone"
    } else {
        ", which cannot be used"
    };
    Err(OptionError { name: "level".to_owned(), why: format!("the task {:?} {missing}{how}", task.id) })
}
