//! The prompt variants of an environment: those that ship with it and the user's own.

use crate::config::Config;
use crate::config::Entry;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::Sheet;
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
    judged(&shelf.read(entry)?, &entry.name)
}

/// The variant in a file of this name, checked.
pub(super) fn judged(sheet: &Sheet, name: &str) -> Result<Prompt, Problem> {
    let prompt = Prompt::parse(&sheet.text).map_err(|error| sheet.problem(error.why, error.span))?;
    if prompt.name == name {
        return Ok(prompt);
    }
    let what = format!("the prompt calls itself {:?}, but its file is named {name:?}", prompt.name);
    let at = sheet.text.find(&prompt.name).unwrap_or(0);
    Err(sheet.problem(what, at..at + prompt.name.len()).help("give both the same name"))
}

/// All variants, the default first.
pub(super) fn all(kind: &dyn Kind, folders: &Folders) -> Result<Vec<Prompt>, Problem> {
    let shelf = shelf(kind, folders);
    shelf.entries().iter().map(|entry| variant(&shelf, entry)).collect()
}

/// Refuses the `play.prompt` setting where the environment has variants and none of that name.
pub(super) fn known(kind: &dyn Kind, config: &Config) -> Result<(), Problem> {
    let (entries, wanted) = (shelf(kind, config.folders()).entries(), &config.settings().play.prompt);
    if entries.is_empty() || entries.iter().any(|entry| entry.name == *wanted) {
        return Ok(());
    }
    let problem = config.refuse("play.prompt", format!("there is no prompt {wanted}"));
    Err(problem.known(wanted, entries.iter().map(|entry| entry.name.as_str())))
}
