//! Systems without Landlock.

use crate::protocol::Allowed;

pub(crate) fn probe() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

pub(crate) fn restrict_files(_: &Allowed, _: bool) -> Result<(), String> {
    probe()
}

pub(crate) fn restrict_programs(_: bool, _: bool) -> Result<(), String> {
    Ok(())
}

pub(crate) fn adopt_orphans() {}
