//! The user's prompts as files: read to be edited, saved in place, and deleted. A shipped prompt is copied on its first change,
//! under its own name: the user's file takes its place.

use std::io;
use std::path::{Path, PathBuf};

use mageyard_config::{CatalogEntry, Folders, Problem, SourceFile};
use mageyard_dialog::Prompt;
use mageyard_domain::EnvironmentSpec;

use super::prompts::prompt_catalog;
use super::user_files;

/// Whose text a prompt has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptOrigin {
    /// It is shipped with the program.
    Shipped,
    /// It is a file of the user.
    Own,
    /// It is a file of the user that takes the place of the shipped prompt of this name.
    InPlaceOfShipped,
}

impl PromptOrigin {
    /// The origin of an entry of the catalog.
    pub fn of(spec: &dyn EnvironmentSpec, entry: &CatalogEntry) -> Self {
        let is_shipped = spec.prompts().iter().any(|(name, _)| *name == entry.name);
        match (&entry.path, is_shipped) {
            (None, _) => Self::Shipped,
            (Some(_), false) => Self::Own,
            (Some(_), true) => Self::InPlaceOfShipped,
        }
    }

    /// In a few words: `yours, in place of the shipped one`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Own => "yours",
            Self::InPlaceOfShipped => "yours, in place of the shipped one",
        }
    }
}

/// The file of a prompt, to be edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptText {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whose it is.
    pub origin: PromptOrigin,
}

/// A prompt that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPrompt {
    /// The prompt.
    pub prompt: Prompt,
    /// Its file.
    pub path: PathBuf,
    /// Whose the prompt of this name was before; `None` if there was none.
    pub before: Option<PromptOrigin>,
}

impl WrittenPrompt {
    /// What was saved, and that a shipped prompt is replaced by a copy.
    pub fn summary(&self) -> String {
        let name = &self.prompt.name;
        let path = self.path.display();
        match self.before {
            Some(PromptOrigin::Shipped) => format!(
                "saved your own {name}, in place of the shipped one, to {path}; deleting it brings the shipped one back"
            ),
            Some(_) => format!("saved {name} to {path}"),
            None => format!("saved the new prompt {name} to {path}"),
        }
    }
}

/// The text of the prompt of this name, as it is edited.
pub fn prompt_text(spec: &dyn EnvironmentSpec, folders: &Folders, name: &str) -> Result<PromptText, Problem> {
    let catalog = prompt_catalog(spec, folders);
    let file = catalog.find(name)?;
    let name = catalog.name_now(name).to_owned();
    let entry = catalog.entries().into_iter().find(|entry| entry.name == name);
    let origin = entry.map_or(PromptOrigin::Shipped, |entry| PromptOrigin::of(spec, &entry));
    Ok(PromptText { name, text: file.text.to_string(), origin })
}

/// The text of a prompt with this name in its head.
pub fn renamed_prompt(text: &str, name: &str) -> String {
    let mut renamed = text.to_owned();
    if let Some(span) = name_line(text) {
        renamed.replace_range(span, &format!("name = {}", serde_json::Value::from(name)));
    }
    renamed
}

/// The span of the name in the head of a prompt file.
fn name_line(text: &str) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let key = line.split('=').next().unwrap_or_default().trim();
        if key == "name" && line.contains('=') {
            return Some(at..at + line.trim_end().len());
        }
        at += line.len();
    }
    None
}

/// Saves a text as the prompt of the user with the name in its head. The text of `edited`, the prompt that was edited, is
/// replaced; a shipped one is copied. A text that is not valid, or that has the name of another prompt, is refused.
pub fn save_prompt(
    spec: &dyn EnvironmentSpec,
    folders: &Folders,
    text: &str,
    edited: Option<&str>,
) -> Result<WrittenPrompt, Problem> {
    let folder = folders.prompts(spec.name());
    let called = name_line(text).and_then(|span| text[span].split('"').nth(1));
    let called = called.filter(|name| user_files::is_valid_name(name)).unwrap_or("unnamed");
    let path = folder.join(format!("{called}.md"));
    let file = SourceFile { path: path.clone(), text: text.into() };
    let prompt = Prompt::parse(text).map_err(|error| file.problem_at(error.message, error.span))?;
    let at_name = |what: String| file.problem_at(what, name_line(text).unwrap_or(0..0));
    if !user_files::is_valid_name(&prompt.name) || prompt.name != called {
        let what = format!("{:?} cannot be the name of a prompt file", prompt.name);
        return Err(at_name(what).with_help("use letters, digits, - _ and ., such as name = \"mine\""));
    }
    let taken =
        || at_name(format!("a prompt named {called} already exists")).with_help("choose another name");
    let entry = prompt_catalog(spec, folders).entries().into_iter().find(|entry| entry.name == prompt.name);
    let before = entry.map(|entry| PromptOrigin::of(spec, &entry));
    let is_edited = edited == Some(prompt.name.as_str());
    if before.is_some() && !is_edited {
        return Err(taken());
    }
    match user_files::write(&path, text, is_edited) {
        Ok(()) => Ok(WrittenPrompt { prompt, path, before }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken()),
        Err(error) => Err(Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0)),
    }
}

/// Moves the user's prompt of this name out of the folder of prompts, into the trash of prompts; the result is its path there.
/// A shipped prompt stays.
pub fn delete_prompt(spec: &dyn EnvironmentSpec, folders: &Folders, name: &str) -> Result<PathBuf, Problem> {
    let catalog = prompt_catalog(spec, folders);
    let entry = catalog.entries().into_iter().find(|entry| entry.name == name);
    let Some(entry) = entry else { return catalog.find(name).map(|file| file.path) };
    let Some(path) = entry.path else {
        let problem = Problem::new(format!("{name} is shipped with the program and cannot be deleted"));
        return Err(problem.with_help("only prompts of your own are deleted"));
    };
    let failed = |error: io::Error| Problem::new(format!("cannot be deleted: {error}")).at(&path, "", 0..0);
    // The folders of settings and of data can be on two disks.
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let target =
        put_in_trash(&folders.prompt_data(spec.name()).join(".trash"), name, &text).map_err(failed)?;
    std::fs::remove_file(&path).map_err(failed)?;
    Ok(target)
}

/// Writes a text under the first number that is free.
fn put_in_trash(trash: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    for number in 1..=u32::MAX {
        let path = trash.join(format!("{name}-{number}.md"));
        match user_files::write(&path, text, false) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Folders, &'static dyn EnvironmentSpec) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        (root, folders, crate::testing::sokoban())
    }

    fn with_walls(text: &str) -> String {
        text.replace("You are playing", "Mind the walls. You are playing")
    }

    #[test]
    fn a_shipped_prompt_is_copied_on_the_first_change_and_replaced_after_that() {
        let (_root, folders, spec) = world();
        let shipped = prompt_text(spec, &folders, "0s-CoT").unwrap();
        assert_eq!(shipped.origin, PromptOrigin::Shipped);
        let text = with_walls(&shipped.text);
        let saved = save_prompt(spec, &folders, &text, Some("0s-CoT")).unwrap();
        assert_eq!((saved.prompt.name.as_str(), saved.before), ("0s-CoT", Some(PromptOrigin::Shipped)));
        assert!(saved.summary().contains("in place of the shipped one"), "{}", saved.summary());
        let own = prompt_text(spec, &folders, "0s-CoT").unwrap();
        assert_eq!((own.origin, own.text.as_str()), (PromptOrigin::InPlaceOfShipped, text.as_str()));
        let more = text.replace("Mind", "Watch");
        let saved = save_prompt(spec, &folders, &more, Some("0s-CoT")).unwrap();
        assert_eq!(saved.before, Some(PromptOrigin::InPlaceOfShipped));
        assert_eq!(prompt_text(spec, &folders, "0s-CoT").unwrap().text, more);
        let folder = folders.prompts("sokoban");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "no temporary file and no numbered copy");
        let entries = prompt_catalog(spec, &folders).entries();
        assert_eq!(entries.len(), spec.prompts().len());
        assert_eq!(entries[0].name, spec.prompts()[0].0, "the default stays the first one");
    }

    #[test]
    fn another_name_makes_a_variant_and_never_replaces_one() {
        let (_root, folders, spec) = world();
        let shipped = prompt_text(spec, &folders, "0s-CoT").unwrap().text;
        let named = renamed_prompt(&shipped, "a \"b");
        assert!(Prompt::parse(&named).is_ok_and(|prompt| prompt.name == "a \"b"), "{named}");
        let text = renamed_prompt(&shipped, "mine");
        let saved = save_prompt(spec, &folders, &text, Some("0s-CoT")).unwrap();
        assert_eq!((saved.prompt.name.as_str(), saved.before), ("mine", None));
        assert_eq!(prompt_text(spec, &folders, "mine").unwrap().origin, PromptOrigin::Own);
        for edited in [None, Some("0s-CoT")] {
            let taken = save_prompt(spec, &folders, &text, edited).unwrap_err().to_string();
            assert!(taken.contains("a prompt named mine already exists"), "{taken}");
        }
        save_prompt(spec, &folders, &with_walls(&text), Some("mine")).unwrap();
        assert!(prompt_text(spec, &folders, "mine").unwrap().text.contains("Mind the walls"));
    }

    #[test]
    fn no_file_is_overwritten_or_written_outside_the_folder() {
        let (root, folders, spec) = world();
        let text = renamed_prompt(&prompt_text(spec, &folders, "0s-CoT").unwrap().text, "first");
        save_prompt(spec, &folders, &text, None).unwrap();
        let named = |name: &str| text.replace("\"first\"", &format!("\"{name}\""));
        for (name, says) in [
            ("first", "a prompt named first already exists; choose another name"),
            ("0s-CoT", "a prompt named 0s-CoT already exists"),
            ("../mine", "cannot be the name of a prompt file"),
            ("/tmp/mine", "cannot be the name of a prompt file"),
            (".mine", "cannot be the name of a prompt file"),
            ("", "cannot be the name of a prompt file"),
            ("a\u{202e}b", "cannot be the name of a prompt file"),
        ] {
            for edited in [None, Some("HD-CoT"), Some(name).filter(|_| name.contains('/'))] {
                let problem = save_prompt(spec, &folders, &named(name), edited).unwrap_err().to_string();
                assert!(problem.contains(says) && problem.contains(".md:2: "), "{name:?}: {problem}");
            }
        }
        let odd = text.replace("{format}", "{formt}");
        let odd = save_prompt(spec, &folders, &odd, Some("first")).unwrap_err().to_string();
        assert!(odd.contains("first.md:") && odd.contains("did you mean {format}?"), "{odd}");
        assert_eq!(std::fs::read_dir(folders.prompts("sokoban")).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_deleted_prompt_is_kept_in_the_trash_and_the_shipped_one_is_back() {
        let (_root, folders, spec) = world();
        let shipped = prompt_text(spec, &folders, "0s-CoT").unwrap().text;
        let refused = delete_prompt(spec, &folders, "0s-CoT").unwrap_err().to_string();
        assert!(refused.contains("is shipped with the program"), "{refused}");
        assert!(delete_prompt(spec, &folders, "soup").is_err());
        save_prompt(spec, &folders, &with_walls(&shipped), Some("0s-CoT")).unwrap();
        let kept = delete_prompt(spec, &folders, "0s-CoT").unwrap();
        assert_eq!(std::fs::read_to_string(kept).unwrap(), with_walls(&shipped));
        save_prompt(spec, &folders, &shipped, Some("0s-CoT")).unwrap();
        assert!(delete_prompt(spec, &folders, "0s-CoT").unwrap().ends_with("0s-CoT-2.md"));
        assert_eq!(prompt_text(spec, &folders, "0s-CoT").unwrap().text, shipped);
    }
}
