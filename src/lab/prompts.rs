//! The prompt variants of an environment: shipped ones and the user's own.

use mageyard_config::{Catalog, CatalogEntry, Config, Folders, Problem, SourceFile};
use mageyard_dialog::Prompt;
use mageyard_domain::{EnvironmentSpec, VIEW_OPTION};

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

/// Rejects the `play.prompt` setting if the environment has variants and none has that name, or if the one that has it is not right
/// for the view of the settings.
pub fn check_prompt_setting(spec: &dyn EnvironmentSpec, config: &Config) -> Result<(), Problem> {
    let config =
        &config.with_environment_defaults(spec.name(), spec.capabilities().episodes.setting_defaults)?;
    let catalog = prompt_catalog(spec, config.folders());
    let (entries, wanted) = (catalog.entries(), &config.settings().play.prompt);
    match entries.iter().find(|entry| entry.name == *wanted) {
        Some(entry) => check_view(spec, config, &catalog, entry),
        None if entries.is_empty() => Ok(()),
        None => {
            let problem = config.problem_with("play.prompt", format!("there is no prompt {wanted}"));
            Err(problem.with_suggestions(wanted, entries.iter().map(|entry| entry.name.as_str())))
        }
    }
}

/// Rejects a view that a prompt does not speak of.
fn check_view(
    spec: &dyn EnvironmentSpec,
    config: &Config,
    catalog: &Catalog,
    entry: &CatalogEntry,
) -> Result<(), Problem> {
    let view = spec.capabilities().perception.view(&config.settings().options(spec.name()));
    let Some(view) = view.filter(|view| !view.is_picture) else { return Ok(()) };
    if read_prompt(catalog, entry)?.allows_view(view) {
        return Ok(());
    }
    let what =
        format!("the prompt {} does not say that the state is given in the view {}", entry.name, view.name);
    let problem = config.problem_with(&format!("{}.{VIEW_OPTION}", spec.name()), what);
    Err(problem.with_help("write {view} in the prompt where it says what the state is given as, or choose a view that is a picture"))
}
