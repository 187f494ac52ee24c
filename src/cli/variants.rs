//! The prompt variants of an environment: those that ship with it and the user's own.

use crate::config::Entry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Shelf;
use crate::dialog::Prompt;
use crate::domain::Kind;

/// The shelf of prompt variants.
pub(super) fn shelf(kind: &dyn Kind, folders: &Folders) -> Shelf {
    let home = format!("src/envs/{}/prompts", kind.name());
    Shelf::new("prompt", home, kind.prompts().iter().copied(), folders.prompts(kind.name()), &["md"])
}

/// A variant, read and checked.
pub(super) fn variant(shelf: &Shelf, entry: &Entry) -> Result<Prompt, Problem> {
    let sheet = shelf.read(entry)?;
    let prompt = Prompt::parse(&sheet.text).map_err(|error| sheet.problem(error.why, error.span))?;
    if prompt.name == entry.name {
        return Ok(prompt);
    }
    let what = format!("the prompt calls itself {:?}, but its file is named {:?}", prompt.name, entry.name);
    let at = sheet.text.find(&prompt.name).unwrap_or(0);
    Err(sheet.problem(what, at..at + prompt.name.len()).help("give both the same name"))
}

/// All variants, the default first.
pub(super) fn all(kind: &dyn Kind, folders: &Folders) -> Result<Vec<Prompt>, Problem> {
    let shelf = shelf(kind, folders);
    shelf.entries().iter().map(|entry| variant(&shelf, entry)).collect()
}
