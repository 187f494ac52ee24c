//! The prompt variants of an environment: those that ship with it and the user's own, and those that are
//! written on the screen.

use crate::config::Catalog;
use crate::config::CatalogEntry;
use crate::config::Config;
use crate::config::Folders;
use crate::config::Problem;
use crate::config::SourceFile;
use crate::dialog::Prompt;
use crate::domain::EnvironmentSpec;
use crate::domain::Options;
use crate::domain::is_hidden;
use crate::engine::AtomicFile;

/// The shelf of prompt variants.
pub(super) fn catalog(kind: &dyn EnvironmentSpec, folders: &Folders) -> Catalog {
    let home = format!("src/envs/{}/prompts", kind.name());
    Catalog::new("prompt", home, kind.prompts().iter().copied(), folders.prompts(kind.name()), &["md"])
}

/// A variant, read and checked.
pub(super) fn read_variant(shelf: &Catalog, entry: &CatalogEntry) -> Result<Prompt, Problem> {
    parse_checked(&shelf.read(entry)?, &entry.name)
}

/// The variant in a file of this name, checked.
pub(super) fn parse_checked(sheet: &SourceFile, name: &str) -> Result<Prompt, Problem> {
    let prompt = Prompt::parse(&sheet.text).map_err(|error| sheet.problem_at(error.message, error.span))?;
    if prompt.name == name {
        return Ok(prompt);
    }
    let what = format!("the prompt calls itself {:?}, but its file is named {name:?}", prompt.name);
    let at = sheet.text.find(&prompt.name).unwrap_or(0);
    Err(sheet.problem_at(what, at..at + prompt.name.len()).with_help("give both the same name"))
}

/// All variants for frames of these options, the default first.
pub(super) fn all(
    kind: &dyn EnvironmentSpec,
    folders: &Folders,
    options: &Options,
) -> Result<Vec<Prompt>, Problem> {
    let (shelf, picture) = (catalog(kind, folders), kind.picture_legend(options));
    let read = |entry| read_variant(&shelf, entry).map(|prompt| prompt.with_picture_legend(picture));
    shelf.entries().iter().map(read).collect()
}

/// Refuses the `play.prompt` setting where the environment has variants and none of that name.
pub(super) fn check_prompt_setting(kind: &dyn EnvironmentSpec, config: &Config) -> Result<(), Problem> {
    let (entries, wanted) = (catalog(kind, config.folders()).entries(), &config.settings().play.prompt);
    if entries.is_empty() || entries.iter().any(|entry| entry.name == *wanted) {
        return Ok(());
    }
    let problem = config.problem_with("play.prompt", format!("there is no prompt {wanted}"));
    Err(problem.with_suggestions(wanted, entries.iter().map(|entry| entry.name.as_str())))
}

/// The text of a variant with the name of a new one in its head: `mine` becomes `mine-edited`.
pub(super) fn copy_for_editing(
    kind: &dyn EnvironmentSpec,
    folders: &Folders,
    from: &str,
) -> Result<String, Problem> {
    let shelf = catalog(kind, folders);
    let sheet = shelf.find(from)?;
    let taken: Vec<String> = shelf.entries().into_iter().map(|entry| entry.name).collect();
    let name = unused_name(from, &taken);
    let Some(span) = name_line(&sheet.text) else { return Ok(sheet.text.to_string()) };
    let mut text = sheet.text.to_string();
    text.replace_range(span, &format!("name = {name:?}"));
    Ok(text)
}

/// The first name after this one that no variant has.
fn unused_name(from: &str, taken: &[String]) -> String {
    let base = match from.rsplit_once("-edited") {
        Some((base, rest)) if rest.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()) => base,
        _ => from,
    };
    let numbered = (2..).map(|number| format!("{base}-edited-{number}"));
    let mut names = std::iter::once(format!("{base}-edited")).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Where the head of a prompt file gives its name.
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

/// Keeps a text as a variant of the user's, in a file named as it calls itself. What is wrong, or would take
/// the place of another variant or file, is refused and not written.
pub(super) fn save(kind: &dyn EnvironmentSpec, folders: &Folders, text: &str) -> Result<Prompt, Problem> {
    let folder = folders.prompts(kind.name());
    let called = name_line(text).and_then(|span| text[span].split('"').nth(1));
    let called = called.filter(|name| is_valid_name(name)).unwrap_or("unnamed");
    let path = folder.join(format!("{called}.md"));
    let sheet = SourceFile { path: path.clone(), text: text.into() };
    let prompt = Prompt::parse(text).map_err(|error| sheet.problem_at(error.message, error.span))?;
    let at_name = |what: String| sheet.problem_at(what, name_line(text).unwrap_or(0..0));
    if !is_valid_name(&prompt.name) || prompt.name != called {
        let what = format!("{:?} cannot be the name of a prompt file", prompt.name);
        return Err(at_name(what).with_help("take letters, digits, - _ and ., such as name = \"mine\""));
    }
    let taken =
        || at_name(format!("there is a prompt {called} already")).with_help("give this one another name");
    if catalog(kind, folders).entries().iter().any(|entry| entry.name == prompt.name) {
        return Err(taken());
    }
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| AtomicFile::stage(&path, text.as_bytes()))
        .and_then(AtomicFile::synced)
        .and_then(AtomicFile::create_new);
    match written {
        Ok(_) => Ok(prompt),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(taken()),
        Err(error) => Err(Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0)),
    }
}

/// A name that is a file of its own folder, and nothing else.
fn is_valid_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+');
    let short = (1..=100).contains(&name.len());
    short && !name.starts_with(['.', ' ']) && name.chars().all(|c| plain(c) && !is_hidden(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Folders, &'static dyn EnvironmentSpec) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        (root, folders, crate::envs::environment("sokoban").unwrap())
    }

    #[test]
    fn an_edited_prompt_is_a_new_one_and_the_shipped_one_stays() {
        let (_root, folders, kind) = world();
        let text = copy_for_editing(kind, &folders, "0s-CoT").unwrap();
        let prompt = save(kind, &folders, &text.replace("You play", "Mind the walls. You play")).unwrap();
        assert_eq!(prompt.name, "0s-CoT-edited");
        let file = folders.prompts("sokoban").join("0s-CoT-edited.md");
        assert!(std::fs::read_to_string(&file).unwrap().contains("Mind the walls."));
        let again = copy_for_editing(kind, &folders, "0s-CoT-edited").unwrap();
        assert!(again.contains("name = \"0s-CoT-edited-2\"") && again.contains("Mind the walls."), "{again}");
        assert_eq!(std::fs::read_dir(folders.prompts("sokoban")).unwrap().count(), 1, "nothing is left over");
        assert_eq!(
            all(kind, &folders, &Options::new())
                .unwrap()
                .iter()
                .filter(|other| other.name == prompt.name)
                .count(),
            1
        );
    }

    #[test]
    fn nothing_is_written_over_nor_outside_the_folder() {
        let (root, folders, kind) = world();
        let text = copy_for_editing(kind, &folders, "0s-CoT").unwrap();
        save(kind, &folders, &text).unwrap();
        let named = |name: &str| text.replace("\"0s-CoT-edited\"", &format!("\"{name}\""));
        for (name, says) in [
            ("0s-CoT-edited", "there is a prompt 0s-CoT-edited already; give this one another name"),
            ("0s-CoT", "there is a prompt 0s-CoT already"),
            ("../mine", "cannot be the name of a prompt file"),
            ("/tmp/mine", "cannot be the name of a prompt file"),
            (".mine", "cannot be the name of a prompt file"),
            ("", "cannot be the name of a prompt file"),
            ("a\u{202e}b", "cannot be the name of a prompt file"),
        ] {
            let problem = save(kind, &folders, &named(name)).unwrap_err().to_string();
            assert!(problem.contains(says) && problem.contains(".md:2: "), "{name:?}: {problem}");
        }
        let odd = save(kind, &folders, &text.replace("{format}", "{formt}")).unwrap_err().to_string();
        assert!(odd.contains("0s-CoT-edited.md:") && odd.contains("did you mean {format}?"), "{odd}");
        assert_eq!(std::fs::read_dir(folders.prompts("sokoban")).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
