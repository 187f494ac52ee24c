//! Files that a person makes here: prompts and readers, by name in their folders.

use std::io;
use std::path::Path;

use mageyard_domain::is_hidden;
use mageyard_engine::AtomicFile;

/// Whether the name is a plain file name, which leads to no other folder.
pub(super) fn is_valid_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+');
    let short = (1..=100).contains(&name.len());
    short && !name.starts_with(['.', ' ']) && name.chars().all(|c| plain(c) && !is_hidden(c))
}

/// Writes a file at once, in a folder that is created if necessary; `AlreadyExists` if there is one and it is not replaced.
pub(super) fn write(path: &Path, text: &str, replaces: bool) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let file = AtomicFile::stage(path, text.as_bytes())?.synced()?;
    if replaces { file.replace() } else { file.create_new() }.map(drop)
}
