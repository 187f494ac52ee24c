//! The themes by name: shipped ones, and those of the user.

use super::Theme;
use mageyard_config::{Catalog, Config, Folders, Problem};

/// The configured theme; an unknown name is reported at the place where it was set.
pub fn configured_theme(folders: &Folders, config: &Config) -> Result<Theme, Problem> {
    let wanted = &config.settings().screen.theme;
    let names: Vec<String> = theme_catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.problem_with("screen.theme", format!("there is no theme {wanted}"));
        return Err(problem.with_suggestions(wanted, names.iter().map(String::as_str)));
    }
    load_theme(folders, wanted)
}

/// The themes: shipped ones and the user's own.
pub fn theme_catalog(folders: &Folders) -> Catalog {
    let shipped = Theme::shipped().iter().copied();
    Catalog::new("theme", "themes", shipped, folders.themes(), &["toml"])
}

/// A theme by name; the user's own take precedence over shipped ones.
pub fn load_theme(folders: &Folders, name: &str) -> Result<Theme, Problem> {
    let catalog = theme_catalog(folders);
    let file = catalog.find(name)?;
    let parent = |name: &str| {
        let file = catalog.find(name).ok()?;
        Some((file.path, file.text.to_string()))
    };
    Theme::parse(name, &file.path, &file.text, &parent)
}
