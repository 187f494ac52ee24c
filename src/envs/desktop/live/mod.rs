//! Live tasks: a sandbox for each episode, with a Python kernel.

mod computer;
mod environment;

use mageyard_domain::Options;
use mageyard_sandbox::{Confinement, Settings, found};

pub(crate) use self::environment::Desktop;
use crate::options::{DesktopOptions, SandboxChoice};

/// The form of sandbox of these settings on this machine.
fn confinement(options: &DesktopOptions) -> Confinement {
    match options.sandbox {
        SandboxChoice::Best => found().best(),
        SandboxChoice::Form(form) => form,
    }
}

/// How a sandbox is made with these settings on this machine. This program is its supervisor.
pub(crate) fn sandbox_settings(options: &DesktopOptions) -> std::io::Result<Settings> {
    Ok(Settings {
        confinement: confinement(options),
        program: std::env::current_exe()?,
        python: options.python.clone(),
        network: options.network,
        limits: options.limits,
    })
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
