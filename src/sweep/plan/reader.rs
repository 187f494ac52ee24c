//! Reads a sweep file: TOML with grids of settings. Names, types and ranges are checked here, with line and field; what
//! only a combination of settings can have wrong is not.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::axis::{Axis, key_of, origin};
use super::file::{Grid, SweepFile, checked_difference, checked_name, checked_repeats};
use mageyard_config::{AssignedSetting, Origin, Problem, SourceFile};

/// The keys of a sweep file.
const KEYS: [&str; 12] = [
    "name",
    "about",
    "levels",
    "repeats",
    "seed",
    "difference",
    "pilot",
    "reference",
    "baselines",
    "settings",
    "grid",
    "overrides",
];

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;
type Written<'a> = Spanned<DeValue<'a>>;

/// Reads a sweep file.
pub(super) fn parse(sheet: &SourceFile) -> Result<SweepFile, Problem> {
    let document = DeTable::parse(&sheet.text).map_err(|error| sheet.toml_problem(&error))?;
    let reader = SweepReader { sheet };
    let mut file = reader.file(document.get_ref())?;
    for (key, value) in in_order(document.get_ref()) {
        if key.get_ref() == "overrides" {
            reader.overrides(value, &mut file)?;
        }
    }
    Ok(file)
}

/// The entries of a table in the order of the file.
fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Key<'a>, &'t Written<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

struct SweepReader<'a> {
    sheet: &'a SourceFile,
}

/// What all grids have unless they say otherwise.
struct Shared {
    axes: Vec<Axis>,
    repeats: u32,
}

impl SweepReader<'_> {
    fn at(&self, span: Range<usize>, what: impl Into<String>) -> Problem {
        self.sheet.problem_at(what, span)
    }

    fn file(&self, table: &DeTable<'_>) -> Result<SweepFile, Problem> {
        let entries = in_order(table);
        entries.iter().try_for_each(|(key, _)| self.check_key(key))?;
        let find =
            |wanted: &str| entries.iter().find(|(key, _)| key.get_ref() == wanted).map(|(_, value)| *value);
        let shared = self.shared(&entries)?;
        Ok(SweepFile {
            name: self.name(find("name"))?,
            is_named_by_file: find("name").is_none(),
            about: find("about").map_or(Ok(String::new()), |value| self.text("about", value))?,
            grids: self.grids(find("grid"), &shared)?,
            reference: find("reference").map(|value| self.reference(value)).transpose()?,
            difference: find("difference").map(|value| self.difference(value)).transpose()?,
            pilot: find("pilot").map(|value| self.text("pilot", value)).transpose()?,
            baselines: find("baselines").map_or(Ok(Vec::new()), |value| self.baselines(value))?,
        })
    }

    fn check_key(&self, key: &Key<'_>) -> Result<(), Problem> {
        let name = key.get_ref().as_ref();
        if KEYS.contains(&name) {
            return Ok(());
        }
        let table = name.split_once('.').map_or(name, |(table, _)| table);
        if mageyard_config::is_settings_table(table)? {
            let problem = self.at(key.span(), format!("{name} is outside [settings] and [[grid]]"));
            return Err(problem.with_help(if super::axis::is_foreign(table) {
                super::axis::OUTSIDE_HELP.to_owned()
            } else {
                format!("write it as {table}.NAME = VALUE, below [settings] for all cells or below [[grid]]")
            }));
        }
        Err(self.at(key.span(), format!("unknown key {name}")).with_suggestions(name, KEYS))
    }

    fn shared(&self, entries: &[(&Key<'_>, &Written<'_>)]) -> Result<Shared, Problem> {
        let mut shared = Grid { axes: Vec::new(), repeats: 1, origin: Origin::Default };
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                name @ ("levels" | "seed") => shared.set(Axis::parse(self.sheet, name, key.span(), value)?),
                "repeats" => shared.repeats = self.repeats(value)?,
                "settings" => {
                    let table = self.table("settings", value)?;
                    self.axes(table, "", &mut |axis| shared.set(axis))?;
                }
                _ => {}
            }
        }
        Ok(Shared { axes: shared.axes, repeats: shared.repeats })
    }

    fn grids(&self, written: Option<&Written<'_>>, shared: &Shared) -> Result<Vec<Grid>, Problem> {
        let empty = |origin| Grid { axes: shared.axes.clone(), repeats: shared.repeats, origin };
        let Some(written) = written else { return Ok(vec![empty(origin(self.sheet, 0..0))]) };
        let DeValue::Array(blocks) = written.get_ref() else {
            let problem = self.at(written.span(), "grid is not a list of tables");
            return Err(problem.with_help("write [[grid]], with two brackets, above each grid"));
        };
        if blocks.is_empty() {
            return Err(self.at(written.span(), "grid has no table, so the sweep has no cell"));
        }
        let grid = |block: &Written<'_>| {
            let mut grid = empty(origin(self.sheet, block.span()));
            self.fill(self.table("grid", block)?, &mut grid)?;
            Ok(grid)
        };
        blocks.iter().map(grid).collect()
    }

    /// Puts the keys of a block into a grid.
    fn fill(&self, table: &DeTable<'_>, grid: &mut Grid) -> Result<(), Problem> {
        if let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "repeats") {
            grid.repeats = self.repeats(value)?;
        }
        self.axes(table, "", &mut |axis| grid.set(axis))
    }

    /// The axes of a table, in which `memory.am = 1` is a table of its own.
    fn axes(&self, table: &DeTable<'_>, above: &str, found: &mut dyn FnMut(Axis)) -> Result<(), Problem> {
        for (key, value) in in_order(table) {
            let own = key.get_ref();
            let name = if above.is_empty() { own.to_string() } else { format!("{above}.{own}") };
            if above.is_empty() && name == "repeats" {
                continue;
            }
            match value.get_ref() {
                DeValue::Table(below) if !name.contains('.') => {
                    self.check_table(&name, key)?;
                    self.axes(below, &name, found)?;
                }
                _ => found(Axis::parse(self.sheet, &name, key.span(), value)?),
            }
        }
        Ok(())
    }

    fn check_table(&self, name: &str, key: &Key<'_>) -> Result<(), Problem> {
        if mageyard_config::is_settings_table(name)? {
            return Ok(());
        }
        // The lookup of a name in this table knows the nearest tables.
        let unknown = mageyard_config::setting_kind(&format!("{name}.x"), &origin(self.sheet, key.span()));
        unknown.map(drop)
    }

    fn overrides(&self, written: &Written<'_>, file: &mut SweepFile) -> Result<(), Problem> {
        let DeValue::Array(blocks) = written.get_ref() else {
            return Err(self
                .at(written.span(), "overrides is not a list of tables")
                .with_help("write [[overrides]]"));
        };
        for block in blocks {
            for (key, value) in in_order(self.table("overrides", block)?) {
                self.override_key(key, value, file)?;
            }
        }
        Ok(())
    }

    fn override_key(&self, key: &Key<'_>, value: &Written<'_>, file: &mut SweepFile) -> Result<(), Problem> {
        match key.get_ref().as_ref() {
            "name" => (file.name, file.is_named_by_file) = (self.name(Some(value))?, false),
            "difference" => file.difference = Some(self.difference(value)?),
            "repeats" => {
                let repeats = self.repeats(value)?;
                file.set_repeats(repeats);
            }
            name => match value.get_ref() {
                DeValue::Table(below) if !name.contains('.') => {
                    self.axes(below, name, &mut |axis| file.override_axis(&axis))?;
                }
                _ => file.override_axis(&Axis::parse(self.sheet, name, key.span(), value)?),
            },
        }
        Ok(())
    }

    fn reference(&self, written: &Written<'_>) -> Result<(Vec<AssignedSetting>, Origin), Problem> {
        let mut values = Vec::new();
        let mut lists = Vec::new();
        self.axes(self.table("reference", written)?, "", &mut |axis| match axis.values.as_slice() {
            [value] => values.push(value.clone()),
            _ => lists.push(key_of(&axis.setting).to_owned()),
        })?;
        match lists.first() {
            Some(name) => {
                let what = format!("reference: {name} has several values, but it is one cell");
                Err(self.at(written.span(), what).with_help("write one value"))
            }
            None => Ok((values, origin(self.sheet, written.span()))),
        }
    }

    fn name(&self, written: Option<&Written<'_>>) -> Result<String, Problem> {
        let Some(written) = written else {
            let stem = self.sheet.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let problem = |what| Problem::new(what).at(self.sheet.path.clone(), "", 0..0);
            let help = "add a line such as name = \"my-sweep\" to the file";
            return checked_name(stem).map_err(|what| problem(what).with_help(help));
        };
        let name = self.text("name", written)?;
        checked_name(&name).map_err(|what| self.at(written.span(), what))
    }

    fn text(&self, key: &str, written: &Written<'_>) -> Result<String, Problem> {
        let text = written.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| self.at(written.span(), format!("{key} must be text in quotes")))
    }

    fn baselines(&self, written: &Written<'_>) -> Result<Vec<String>, Problem> {
        let list = written.get_ref().as_array().ok_or_else(|| {
            let problem = self.at(written.span(), "baselines must be a list of recorded sessions or folders");
            problem.with_help("write for example baselines = [\"people\"]")
        })?;
        list.iter().map(|value| self.text("baselines", value)).collect()
    }

    fn repeats(&self, written: &Written<'_>) -> Result<u32, Problem> {
        let number = mageyard_config::toml_value(written.get_ref()).ok().and_then(|value| value.as_i64());
        checked_repeats(number).map_err(|what| self.at(written.span(), what))
    }

    fn difference(&self, written: &Written<'_>) -> Result<f64, Problem> {
        let number = mageyard_config::toml_value(written.get_ref()).ok().and_then(|value| value.as_f64());
        checked_difference(number).map_err(|what| self.at(written.span(), what))
    }

    fn table<'t, 'a>(&self, key: &str, written: &'t Written<'a>) -> Result<&'t DeTable<'a>, Problem> {
        let table = written.get_ref().as_table();
        table.ok_or_else(|| self.at(written.span(), format!("{key} must be a table of settings")))
    }
}
