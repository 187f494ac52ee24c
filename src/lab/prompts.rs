//! The prompt variants of an environment: shipped ones, the user's own, and those written on the screen.

use mageyard_config::{Catalog, CatalogEntry, Config, Folders, Problem, SourceFile};
use mageyard_dialog::Prompt;
use mageyard_domain::EnvironmentSpec;

use super::user_files;

/// The prompt variants of an environment.
pub fn prompt_catalog(spec: &dyn EnvironmentSpec, folders: &Folders) -> Catalog {
    let home = format!("src/envs/{}/prompts", spec.name());
    Catalog::new("prompt", home, spec.prompts().iter().copied(), folders.prompts(spec.name()), &["md"])
}

/// Reads and checks a variant.
pub fn read_prompt(catalog: &Catalog, entry: &CatalogEntry) -> Result<Prompt, Problem> {
    parse_prompt(&catalog.read(entry)?, &entry.name)
}

/// Parses a prompt file and checks that its name matches the file name.
pub fn parse_prompt(file: &SourceFile, name: &str) -> Result<Prompt, Problem> {
    let prompt = Prompt::parse(&file.text).map_err(|error| file.problem_at(error.message, error.span))?;
    if prompt.name == name {
        return Ok(prompt);
    }
    let what = format!("the name of the prompt is {:?}, but its file is named {name:?}", prompt.name);
    let at = file.text.find(&prompt.name).unwrap_or(0);
    Err(file.problem_at(what, at..at + prompt.name.len()).with_help("use the same name for both"))
}

/// Rejects the `play.prompt` setting if the environment has variants and none has that name.
pub fn check_prompt_setting(spec: &dyn EnvironmentSpec, config: &Config) -> Result<(), Problem> {
    let config =
        &config.with_environment_defaults(spec.name(), spec.capabilities().episodes.setting_defaults)?;
    let (entries, wanted) =
        (prompt_catalog(spec, config.folders()).entries(), &config.settings().play.prompt);
    if entries.is_empty() || entries.iter().any(|entry| entry.name == *wanted) {
        return Ok(());
    }
    let problem = config.problem_with("play.prompt", format!("there is no prompt {wanted}"));
    Err(problem.with_suggestions(wanted, entries.iter().map(|entry| entry.name.as_str())))
}

/// The text of a variant with a new name in its head: `mine` becomes `mine-edited`.
pub fn copy_prompt_for_editing(
    spec: &dyn EnvironmentSpec,
    folders: &Folders,
    from: &str,
) -> Result<String, Problem> {
    let catalog = prompt_catalog(spec, folders);
    let file = catalog.find(from)?;
    let taken: Vec<String> = catalog.entries().into_iter().map(|entry| entry.name).collect();
    let name = unused_name(from, &taken);
    let Some(span) = name_line(&file.text) else { return Ok(file.text.to_string()) };
    let mut text = file.text.to_string();
    text.replace_range(span, &format!("name = {name:?}"));
    Ok(text)
}

/// The first name based on this one that is not taken.
fn unused_name(from: &str, taken: &[String]) -> String {
    let base = match from.rsplit_once("-edited") {
        Some((base, rest)) if rest.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()) => base,
        _ => from,
    };
    let numbered = (2..).map(|number| format!("{base}-edited-{number}"));
    let mut names = std::iter::once(format!("{base}-edited")).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
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

/// Saves a text as a new variant of the user, in a file with the name from its head. An invalid text, or one
/// that would replace another variant or file, is rejected.
pub fn save_prompt(spec: &dyn EnvironmentSpec, folders: &Folders, text: &str) -> Result<Prompt, Problem> {
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
    if prompt_catalog(spec, folders).entries().iter().any(|entry| entry.name == prompt.name) {
        return Err(taken());
    }
    match user_files::write(&path, text, false) {
        Ok(()) => Ok(prompt),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(taken()),
        Err(error) => Err(Problem::new(format!("cannot be written: {error}")).at(path, "", 0..0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, Folders, &'static dyn EnvironmentSpec) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        (root, folders, crate::testing::sokoban())
    }

    #[test]
    fn an_edited_prompt_is_saved_as_a_new_one() {
        let (_root, folders, spec) = world();
        let text = copy_prompt_for_editing(spec, &folders, "0s-CoT").unwrap();
        let prompt =
            save_prompt(spec, &folders, &text.replace("You are playing", "Mind the walls. You are playing"))
                .unwrap();
        assert_eq!(prompt.name, "0s-CoT-edited");
        let file = folders.prompts("sokoban").join("0s-CoT-edited.md");
        assert!(std::fs::read_to_string(&file).unwrap().contains("Mind the walls."));
        let again = copy_prompt_for_editing(spec, &folders, "0s-CoT-edited").unwrap();
        assert!(again.contains("name = \"0s-CoT-edited-2\"") && again.contains("Mind the walls."), "{again}");
        assert_eq!(
            std::fs::read_dir(folders.prompts("sokoban")).unwrap().count(),
            1,
            "no temporary file is left"
        );
        let entries = prompt_catalog(spec, &folders).entries();
        assert_eq!(entries.iter().filter(|entry| entry.name == prompt.name).count(), 1);
    }

    #[test]
    fn no_file_is_overwritten_or_written_outside_the_folder() {
        let (root, folders, spec) = world();
        let text = copy_prompt_for_editing(spec, &folders, "0s-CoT").unwrap();
        save_prompt(spec, &folders, &text).unwrap();
        let named = |name: &str| text.replace("\"0s-CoT-edited\"", &format!("\"{name}\""));
        for (name, says) in [
            ("0s-CoT-edited", "a prompt named 0s-CoT-edited already exists; choose another name"),
            ("0s-CoT", "a prompt named 0s-CoT already exists"),
            ("../mine", "cannot be the name of a prompt file"),
            ("/tmp/mine", "cannot be the name of a prompt file"),
            (".mine", "cannot be the name of a prompt file"),
            ("", "cannot be the name of a prompt file"),
            ("a\u{202e}b", "cannot be the name of a prompt file"),
        ] {
            let problem = save_prompt(spec, &folders, &named(name)).unwrap_err().to_string();
            assert!(problem.contains(says) && problem.contains(".md:2: "), "{name:?}: {problem}");
        }
        let odd = save_prompt(spec, &folders, &text.replace("{format}", "{formt}")).unwrap_err().to_string();
        assert!(odd.contains("0s-CoT-edited.md:") && odd.contains("did you mean {format}?"), "{odd}");
        assert_eq!(std::fs::read_dir(folders.prompts("sokoban")).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
