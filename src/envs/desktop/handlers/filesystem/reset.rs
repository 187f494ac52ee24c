//! Changes of files that prepare a computer and clean it up.

use crate::handlers::{Case, Change, Finding, Params};

use super::{expand, permissions};

fn path(params: &Params<'_>, case: &Case<'_>, name: &str) -> Result<String, Finding> {
    Ok(expand(case, params.text(name)?))
}

fn apply(case: &mut Case<'_>, change: &Change<'_>, path: &str) -> Result<(), Finding> {
    case.computer.change(change).map_err(|trouble| trouble.as_error(path))
}

/// Writes a file, empty without a content.
pub(super) fn create_file(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = path(params, case, "path")?;
    let content = if params.get("content").is_some() { params.text("content")? } else { "" };
    apply(case, &Change::Write { path: &path, content: content.as_bytes() }, &path)
}

/// Makes a folder and those that it needs.
pub(super) fn mkdir(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = path(params, case, "path")?;
    apply(case, &Change::Folder { path: &path }, &path)
}

/// Removes a file if it is there.
pub(super) fn rm(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = path(params, case, "path")?;
    apply(case, &Change::Remove { path: &path, folder: false }, &path)
}

/// Removes a folder with everything in it, if it is there.
pub(super) fn rmdir(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = path(params, case, "path")?;
    apply(case, &Change::Remove { path: &path, folder: true }, &path)
}

/// Renames a file or folder.
pub(super) fn rename(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let from = path(params, case, "old_name")?;
    let to = path(params, case, "new_name")?;
    apply(case, &Change::Move { from: &from, to: &to }, &from)
}

/// Copies a file or folder. That it fails is an error here; the released code goes on.
pub(super) fn copy(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let from = path(params, case, "src")?;
    let to = path(params, case, "dest")?;
    apply(case, &Change::Copy { from: &from, to: &to }, &from)
}

/// Moves a file or folder. That it fails is an error here; the released code goes on.
pub(super) fn move_file(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let from = path(params, case, "src")?;
    let to = path(params, case, "dest")?;
    apply(case, &Change::Move { from: &from, to: &to }, &from)
}

/// Sets permissions.
pub(super) fn chmod(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = path(params, case, "path")?;
    let text = params.text("mode")?;
    let mode = permissions::octal(text).filter(|mode| *mode <= 0o7777);
    let mode =
        mode.ok_or_else(|| Finding::error("the parameter mode must be an octal number such as 0o644"))?;
    apply(case, &Change::Mode { path: &path, mode }, &path)
}
