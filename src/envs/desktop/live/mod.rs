//! Live tasks: a sandbox for each episode, with a Python kernel.

mod computer;
mod environment;

use mageyard_domain::Options;
use mageyard_sandbox::{Confinement, found};

pub(crate) use self::environment::Desktop;
use crate::options::{DesktopOptions, SandboxChoice};

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
