//! The layers: flag over variable over project file over user file over default.

use std::path::PathBuf;

use serde_json::Value;

use super::document;
use super::folders::Folders;
use super::known::Known;
use super::origin::Origin;
use super::origin::Row;
use super::problem::Place;
use super::problem::Problem;
use super::sheet::SMALL;
use super::sheet::Sheet;
use super::whole::Config;

/// A setting given for this one run, still as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The setting's name, such as `screen.theme`.
    pub name: &'static str,
    /// What was given.
    pub text: String,
    /// The flag or the variable.
    pub origin: Origin,
}

/// Where settings are read from; kept, so that they can be read again.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folders of this run.
    pub folders: Folders,
    /// A file to read in place of the user's own. It must exist.
    pub instead: Option<PathBuf>,
    /// What flags and variables gave, weakest first.
    pub given: Vec<Given>,
}

impl Sources {
    /// Reads all layers; the first mistake in any of them, also one that a stronger layer hides,
    /// refuses the whole.
    pub fn read(&self) -> Result<Config, Problem> {
        let known = Known::read()?;
        let mut rows = defaults(&known);
        for (rank, sheet) in self.sheets()?.iter().enumerate() {
            lay_file(&known, &mut rows, sheet, rank + 1)?;
        }
        for (rank, given) in self.given.iter().enumerate() {
            lay_given(&known, &mut rows, given, rank + 3)?;
        }
        Config::of(&known, rows, self.folders.clone())
    }

    /// The files that exist, weakest first.
    fn sheets(&self) -> Result<Vec<Sheet>, Problem> {
        let user = match &self.instead {
            Some(file) => Some(Sheet::read(file, SMALL)?),
            None => Sheet::find(self.folders.user_file(), SMALL)?,
        };
        let project = Sheet::find(self.folders.project_file(), SMALL)?;
        Ok(user.into_iter().chain(project).collect())
    }
}

fn defaults(known: &Known) -> Vec<Row> {
    let row = |setting: &super::known::Setting| Row {
        table: setting.table.clone(),
        key: setting.key.clone(),
        value: setting.default.clone(),
        origin: Origin::Default,
        rank: 0,
    };
    known.all().iter().map(row).collect()
}

fn lay_file(known: &Known, rows: &mut [Row], sheet: &Sheet, rank: usize) -> Result<(), Problem> {
    for written in document::rows(sheet)? {
        let Some(index) = known.judge(&written, sheet)? else { continue };
        let at = |what: String| sheet.problem(what, written.span.clone());
        let name = || known.all()[index].name();
        let value = written.value.map_err(|kind| at(format!("{} cannot be {kind}", name())))?;
        if let Some(what) = known.refusal(index, &value) {
            return Err(at(what));
        }
        let place = Place { file: sheet.path.clone(), text: sheet.text.clone(), span: written.span };
        rows[index] = Row { value, origin: Origin::File(place), rank, ..rows[index].clone() };
    }
    Ok(())
}

fn lay_given(known: &Known, rows: &mut [Row], given: &Given, rank: usize) -> Result<(), Problem> {
    let Some(index) = known.find(given.name) else {
        return Err(Problem::new(format!("there is no setting {}", given.name)));
    };
    let value = typed(&given.text, &known.all()[index].default);
    if let Some(what) = known.misfit(index, &given.text, &value).or_else(|| known.refusal(index, &value)) {
        return Err(Problem::new(format!("{}: {what}", given.origin)));
    }
    rows[index] = Row { value, origin: given.origin.clone(), rank, ..rows[index].clone() };
    Ok(())
}

/// The text as the type that its default has; as text when it cannot be that, to be refused.
fn typed(text: &str, like: &Value) -> Value {
    let parsed = match like {
        Value::Number(number) if number.is_f64() => text.parse::<f64>().ok().map(Value::from),
        Value::Number(_) => text.parse::<i64>().ok().map(Value::from),
        Value::Bool(_) => text.parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    parsed.unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Window;

    fn world() -> (tempfile::TempDir, Sources) {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::below(root.path());
        std::fs::create_dir_all(&folders.config).unwrap();
        std::fs::create_dir_all(&folders.working).unwrap();
        (root, Sources { folders, instead: None, given: Vec::new() })
    }

    fn given(name: &'static str, text: &str, origin: Origin) -> Given {
        Given { name, text: text.to_owned(), origin }
    }

    fn theme(sources: &Sources) -> (String, String) {
        let config = sources.read().unwrap();
        let row = config.rows().iter().find(|row| row.name() == "screen.theme").unwrap();
        (config.settings().screen.theme.clone(), row.origin.to_string())
    }

    #[test]
    fn each_layer_wins_over_the_one_below() {
        let (_root, mut sources) = world();
        assert_eq!(theme(&sources), ("dark".to_owned(), "default".to_owned()));
        let user = sources.folders.user_file();
        std::fs::write(&user, "\n[screen]\ntheme = \"light\"\n").unwrap();
        assert_eq!(theme(&sources), ("light".to_owned(), format!("{}:3", user.display())));
        let project = sources.folders.project_file();
        std::fs::write(&project, "screen.theme = \"mono\"").unwrap();
        assert_eq!(theme(&sources), ("mono".to_owned(), format!("{}:1", project.display())));
        let variable = Origin::Variable("MAGEYARD_THEME".to_owned());
        sources.given.push(given("screen.theme", "a", variable));
        assert_eq!(theme(&sources), ("a".to_owned(), "MAGEYARD_THEME".to_owned()));
        sources.given.push(given("screen.theme", "b", Origin::Flag("--theme".to_owned())));
        assert_eq!(theme(&sources), ("b".to_owned(), "--theme".to_owned()));
    }

    #[test]
    fn an_empty_file_equals_the_defaults() {
        let (_root, sources) = world();
        let bare = sources.read().unwrap();
        std::fs::write(sources.folders.user_file(), "").unwrap();
        std::fs::write(sources.folders.project_file(), "# nothing\n[play]\n").unwrap();
        assert_eq!(bare.rows(), sources.read().unwrap().rows());
        std::fs::write(sources.folders.user_file(), super::super::known::DEFAULTS).unwrap();
        assert_eq!(bare.settings(), sources.read().unwrap().settings());
    }

    #[test]
    fn a_window_is_judged_whole_and_blamed_on_who_broke_it() {
        let (_root, mut sources) = world();
        std::fs::write(sources.folders.user_file(), "[memory]\nam = 9\nom = 9\n").unwrap();
        assert_eq!(sources.read().unwrap().window(), Window::new(9, 9).unwrap());
        sources.given.push(given("memory.am", "2", Origin::Flag("--am".to_owned())));
        let problem = sources.read().unwrap_err();
        assert!(problem.what.starts_with("--am: OM=9 is more than AM=2"), "{problem}");
    }

    #[test]
    fn a_relative_store_starts_where_it_is_named() {
        let (root, mut sources) = world();
        assert_eq!(sources.read().unwrap().store(), root.path().join("data/sessions"));
        std::fs::write(sources.folders.user_file(), "store.folder = \"runs\"").unwrap();
        assert_eq!(sources.read().unwrap().store(), root.path().join("config/runs"));
        sources.given.push(given("store.folder", "here", Origin::Flag("--store".to_owned())));
        assert_eq!(sources.read().unwrap().store(), root.path().join("working/here"));
    }
}
