//! The layers of settings: a flag overrides a variable, then the profile of the model, the project file, the user file and
//! the defaults.

use std::path::PathBuf;

use super::document;
use super::document::WrittenSetting;
use super::folders::Folders;
use super::origin::{Origin, ResolvedSetting};
use super::overrides::SettingOverride;
use super::problem::{Problem, SourceLocation};
use super::profiles;
use super::profiles::Profiles;
use super::resolved::Config;
use super::schema::Schema;
use super::source_file::{SMALL_FILE_LIMIT, SourceFile};

/// Where settings are read from. Kept, so that they can be read again.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folders of this run.
    pub folders: Folders,
    /// A file to read instead of the user's. It must exist.
    pub user_file_override: Option<PathBuf>,
    /// The settings from flags and variables, weakest first.
    pub overrides: Vec<SettingOverride>,
}

impl Sources {
    /// Reads all layers. A mistake in any layer is an error, even if a stronger layer overrides the setting.
    pub fn read(&self) -> Result<Config, Problem> {
        let known = Schema::load()?;
        let mut rows = known.default_settings();
        let mut profiles = Profiles::default();
        for (rank, sheet) in self.files()?.iter().enumerate() {
            let written = document::parse_settings(sheet)?;
            let (of_profiles, written) = written.into_iter().partition(profiles::is_of_profile);
            profiles.add(known, sheet, of_profiles)?;
            apply_file(known, &mut rows, sheet, written, rank + 1)?;
        }
        for (rank, given) in self.overrides.iter().enumerate() {
            given.apply(known, &mut rows, rank + profiles::RANK)?;
        }
        Config::resolve(known, rows, profiles.into(), self.folders.clone())
    }

    /// Checks the settings from flags and variables, without reading a file.
    pub fn check_overrides(&self) -> Result<(), Problem> {
        let known = Schema::load()?;
        self.overrides.iter().try_for_each(|given| given.check(known))
    }

    /// The files that exist, weakest first.
    fn files(&self) -> Result<Vec<SourceFile>, Problem> {
        let user = match &self.user_file_override {
            Some(file) => Some(SourceFile::read(file, SMALL_FILE_LIMIT)?),
            None => SourceFile::read_if_exists(self.folders.user_file(), SMALL_FILE_LIMIT)?,
        };
        let project = SourceFile::read_if_exists(self.folders.project_file(), SMALL_FILE_LIMIT)?;
        Ok(user.into_iter().chain(project).collect())
    }
}

fn apply_file(
    known: &Schema,
    rows: &mut [ResolvedSetting],
    sheet: &SourceFile,
    written: Vec<WrittenSetting>,
    rank: usize,
) -> Result<(), Problem> {
    for written in written {
        let Some(index) = known.resolve(&written, sheet)? else { continue };
        let at = |what: String| sheet.problem_at(what, written.span.clone());
        let name = || known.settings()[index].name();
        let value = written.value.map_err(|kind| at(format!("{} cannot be {kind}", name())))?;
        if let Some(what) = known.value_error(index, &value) {
            return Err(at(what));
        }
        let place = SourceLocation {
            file: sheet.path.clone(),
            text: sheet.text.clone(),
            lines_before: 0,
            span: written.span,
        };
        rows[index] = ResolvedSetting { value, origin: Origin::File(place), rank, ..rows[index].clone() };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::Window;

    fn world() -> (tempfile::TempDir, Sources) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        std::fs::create_dir_all(&folders.config).unwrap();
        std::fs::create_dir_all(&folders.working).unwrap();
        (root, Sources { folders, user_file_override: None, overrides: Vec::new() })
    }

    fn setting_override(name: &'static str, text: &str, origin: Origin) -> SettingOverride {
        SettingOverride::new(name, text, origin)
    }

    fn theme(sources: &Sources) -> (String, String) {
        let config = sources.read().unwrap();
        let row = config.resolved_settings().iter().find(|row| row.name() == "screen.theme").unwrap();
        (config.settings().screen.theme.clone(), row.origin.to_string())
    }

    #[test]
    fn each_layer_overrides_the_layer_below() {
        let (_root, mut sources) = world();
        assert_eq!(theme(&sources), ("dark".to_owned(), "default".to_owned()));
        let user = sources.folders.user_file();
        std::fs::write(&user, "\n[screen]\ntheme = \"light\"\n").unwrap();
        assert_eq!(theme(&sources), ("light".to_owned(), format!("{}:3", user.display())));
        let project = sources.folders.project_file();
        std::fs::write(&project, "screen.theme = \"mono\"").unwrap();
        assert_eq!(theme(&sources), ("mono".to_owned(), format!("{}:1", project.display())));
        let variable = Origin::Variable("MAGEYARD_THEME".to_owned());
        sources.overrides.push(setting_override("screen.theme", "a", variable));
        assert_eq!(theme(&sources), ("a".to_owned(), "MAGEYARD_THEME".to_owned()));
        sources.overrides.push(setting_override("screen.theme", "b", Origin::Flag("--theme".to_owned())));
        assert_eq!(theme(&sources), ("b".to_owned(), "--theme".to_owned()));
    }

    #[test]
    fn an_empty_file_equals_the_defaults() {
        let (_root, sources) = world();
        let bare = sources.read().unwrap();
        std::fs::write(sources.folders.user_file(), "").unwrap();
        std::fs::write(sources.folders.project_file(), "# nothing\n[play]\n").unwrap();
        assert_eq!(bare.resolved_settings(), sources.read().unwrap().resolved_settings());
        std::fs::write(sources.folders.user_file(), super::super::schema::DEFAULTS).unwrap();
        assert_eq!(bare.settings(), sources.read().unwrap().settings());
    }

    #[test]
    fn an_invalid_window_is_reported_at_the_strongest_setting() {
        let (_root, mut sources) = world();
        std::fs::write(sources.folders.user_file(), "[memory]\nam = 9\nom = 9\n").unwrap();
        assert_eq!(sources.read().unwrap().window(), Window::new(9, 9).unwrap());
        sources.overrides.push(setting_override("memory.am", "2", Origin::Flag("--am".to_owned())));
        let problem = sources.read().unwrap_err();
        assert!(problem.message.starts_with("--am: OM=9 is more than AM=2"), "{problem}");
    }

    #[test]
    fn a_relative_store_folder_is_relative_to_the_file_that_sets_it() {
        let (root, mut sources) = world();
        assert_eq!(sources.read().unwrap().store_folder(), root.path().join("data/sessions"));
        std::fs::write(sources.folders.user_file(), "store.folder = \"runs\"").unwrap();
        assert_eq!(sources.read().unwrap().store_folder(), root.path().join("config/runs"));
        sources.overrides.push(setting_override("store.folder", "here", Origin::Flag("--store".to_owned())));
        assert_eq!(sources.read().unwrap().store_folder(), root.path().join("working/here"));
    }
}
