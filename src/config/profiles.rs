//! Profiles of models: the tables `[models.NAME]` of settings files. A profile has settings of `[model]`, and the price of
//! its model. The `model.name` setting selects one by its name; its settings then replace those of `[model]` in files, but
//! not those of flags and variables.

use serde_json::Value;
use toml::de::DeValue;

use super::document::{PROFILES, WrittenSetting};
use super::origin::{Origin, ResolvedSetting};
use super::prices::{MODEL_KEYS, PriceField, demo_models, price_of};
use super::problem::{Problem, SourceLocation};
use super::schema::Schema;
use super::source_file::SourceFile;
use mageyard_domain::Price;

/// The setting that names a model or a profile.
pub(super) const MODEL_NAME: &str = "model.name";

/// The rank of a profile: above the files and below what is given on the command line.
pub(super) const RANK: usize = 3;

/// The maximum length of the name of a profile.
const LONGEST_NAME: usize = 64;

/// The settings that belong to one server. A profile that has one of [`SERVER`] takes none of them from `[model]`, so that no
/// key is sent to a server that it is not for.
const OF_SERVER: [&str; 8] =
    ["protocol", "base_url", "key_variable", "key_header", "headers", "query", "client_cert", "client_key"];
const SERVER: [&str; 2] = ["protocol", "base_url"];

/// Settings of a model under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelProfile {
    /// Its name.
    pub name: String,
    /// What it sets, with the places: settings of `[model]` and keys of a price.
    pub settings: Vec<ResolvedSetting>,
    /// The price of its model, if it has one.
    pub price: Option<Price>,
    /// Where it begins, in the strongest file that has it.
    pub place: SourceLocation,
}

impl ModelProfile {
    /// The name of the model, as spelt by its server: its `name`, or else that of the profile.
    pub fn model(&self) -> &str {
        self.setting("name").and_then(|row| row.value.as_str()).unwrap_or(&self.name)
    }

    /// The setting with this name in `[model]`, if the profile has it.
    pub fn setting(&self, key: &str) -> Option<&ResolvedSetting> {
        self.settings.iter().find(|row| row.key == key)
    }

    /// The full names of the settings of `[model]` that depend on this profile.
    pub fn setting_names(&self) -> Vec<String> {
        let own = self.settings.iter().map(|row| row.key.as_str()).filter(|key| !MODEL_KEYS.contains(key));
        let server = OF_SERVER.into_iter().filter(|key| self.has_server() && self.setting(key).is_none());
        own.chain(server).map(|key| format!("model.{key}")).collect()
    }

    fn has_server(&self) -> bool {
        SERVER.iter().any(|key| self.setting(key).is_some())
    }

    /// The setting of a model with this profile; `None` for one that the profile leaves as it is.
    fn applied(&self, row: &ResolvedSetting, known: &Schema, index: usize) -> Option<ResolvedSetting> {
        if row.name() == MODEL_NAME {
            let origin =
                self.setting("name").map_or(Origin::File(self.place.clone()), |row| row.origin.clone());
            return Some(ResolvedSetting { value: self.model().into(), origin, ..row.clone() });
        }
        if row.table != "model" || (row.rank >= RANK && !row.origin.is_shared_variable()) {
            return None;
        }
        if let Some(own) = self.setting(&row.key) {
            let value = own.value.clone();
            return Some(ResolvedSetting { value, origin: own.origin.clone(), rank: RANK, ..row.clone() });
        }
        let is_reset = self.has_server() && OF_SERVER.contains(&row.key.as_str());
        let value = is_reset.then(|| known.settings()[index].default.clone())?;
        Some(ResolvedSetting { value, origin: Origin::Default, rank: 0, ..row.clone() })
    }
}

/// All profiles, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Profiles(Vec<ModelProfile>);

impl Profiles {
    pub(super) fn all(&self) -> &[ModelProfile] {
        &self.0
    }

    /// The profile that these settings name.
    pub(super) fn chosen(&self, rows: &[ResolvedSetting]) -> Option<&ModelProfile> {
        let name = rows.iter().find(|row| row.name() == MODEL_NAME)?.value.as_str()?;
        self.0.iter().find(|profile| profile.name == name)
    }

    /// The settings with those of the profile that they name.
    pub(super) fn applied(&self, known: &Schema, rows: &[ResolvedSetting]) -> Vec<ResolvedSetting> {
        let Some(profile) = self.chosen(rows) else { return rows.to_vec() };
        let row = |(index, row): (usize, &ResolvedSetting)| {
            profile.applied(row, known, index).unwrap_or_else(|| row.clone())
        };
        rows.iter().enumerate().map(row).collect()
    }

    /// Adds the profiles of a file, whose settings replace those of the files before. `rows` are those of which
    /// [`is_of_profile`] is true.
    pub(super) fn add(
        &mut self,
        known: &Schema,
        sheet: &SourceFile,
        rows: Vec<WrittenSetting>,
    ) -> Result<(), Problem> {
        let mut prices: Vec<(String, Vec<WrittenSetting>)> = Vec::new();
        for row in rows {
            let name = profile_name(&row, sheet)?.to_owned();
            if row.key.is_empty() {
                self.begin(&name, sheet, &row)?;
                prices.push((name, Vec::new()));
                continue;
            }
            let value = checked_value(known, sheet, &row)?;
            self.set(&name, &row, value, sheet);
            if MODEL_KEYS.contains(&row.key.as_str())
                && let Some((_, fields)) = prices.iter_mut().find(|(profile, _)| *profile == name)
            {
                fields.push(row);
            }
        }
        for (name, fields) in prices.iter().filter(|(_, fields)| !fields.is_empty()) {
            let price = read_price(sheet, fields, name)?;
            self.0
                .iter_mut()
                .filter(|profile| profile.name == *name)
                .for_each(|it| it.price = Some(price.clone()));
        }
        self.0.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }

    fn begin(&mut self, name: &str, sheet: &SourceFile, row: &WrittenSetting) -> Result<(), Problem> {
        check_profile_name(name).map_err(|problem| Problem {
            help: problem.help,
            ..sheet.problem_at(problem.message, row.name_span.clone())
        })?;
        let place = location(sheet, row.name_span.clone());
        if let Some(profile) = self.0.iter_mut().find(|profile| profile.name == name) {
            profile.place = place;
        } else {
            let name = name.to_owned();
            self.0.push(ModelProfile { name, settings: Vec::new(), price: None, place });
        }
        Ok(())
    }

    fn set(&mut self, name: &str, row: &WrittenSetting, value: Value, sheet: &SourceFile) {
        let Some(profile) = self.0.iter_mut().find(|profile| profile.name == name) else { return };
        let origin = Origin::File(location(sheet, row.span.clone()));
        let table = row.table.clone();
        let key = row.key.clone();
        let set = ResolvedSetting { table, key, value, origin, rank: RANK };
        match profile.settings.iter_mut().find(|known| known.key == set.key) {
            Some(known) => *known = set,
            None => profile.settings.push(set),
        }
    }
}

/// Whether a row of a file is about profiles.
pub(super) fn is_of_profile(row: &WrittenSetting) -> bool {
    row.table == PROFILES || row.table.starts_with(PREFIX) || (row.table.is_empty() && row.key == PROFILES)
}

/// The table of a profile is `models.NAME`.
const PREFIX: &str = "models.";

/// Refuses a name that a profile cannot have, because it would not be found by it.
pub fn check_profile_name(name: &str) -> Result<(), Problem> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/:+-".contains(c);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        let what = format!("{name:?} cannot be the name of a profile");
        return Err(Problem::new(what)
            .with_help(format!("use 1 to {LONGEST_NAME} letters, digits and the signs . _ / : + -")));
    }
    if demo_models().any(|own| own == name) {
        let what =
            format!("{name} is a simulated model inside the program, so no profile can have this name");
        return Err(Problem::new(what).with_help("choose another name"));
    }
    Ok(())
}

fn profile_name<'a>(row: &'a WrittenSetting, sheet: &SourceFile) -> Result<&'a str, Problem> {
    row.table.strip_prefix(PREFIX).ok_or_else(|| {
        let name = if row.table.is_empty() { PROFILES.to_owned() } else { format!("{PROFILES}.{}", row.key) };
        let what = format!("{name} is a table of settings, not a value");
        sheet.problem_at(what, row.name_span.clone()).with_help("write [models.NAME]")
    })
}

fn location(sheet: &SourceFile, span: std::ops::Range<usize>) -> SourceLocation {
    SourceLocation { file: sheet.path.clone(), text: sheet.text.clone(), lines_before: 0, span }
}

/// The value of a setting of a profile, checked as in `[model]`.
fn checked_value(known: &Schema, sheet: &SourceFile, row: &WrittenSetting) -> Result<Value, Problem> {
    let WrittenSetting { table, key, .. } = row;
    let at = |what: String| sheet.problem_at(what, row.span.clone());
    let name = format!("{table}.{key}");
    let value = || row.value.clone().map_err(|kind| at(format!("{name} cannot be {kind}")));
    if MODEL_KEYS.contains(&key.as_str()) {
        return value();
    }
    let Some(index) = known.index_of(&format!("model.{key}")) else {
        let keys = known.settings().iter().filter(|setting| setting.table == "model");
        let keys: Vec<&str> = keys.map(|setting| setting.key.as_str()).chain(MODEL_KEYS).collect();
        let what = format!("unknown setting {key} in [{table}]");
        return Err(sheet.problem_at(what, row.name_span.clone()).with_suggestions(key, keys));
    };
    let value = value()?;
    match known.value_error_as(&name, index, &value) {
        Some(what) => Err(at(what)),
        None => Ok(value),
    }
}

/// The price that the rows of a profile give.
fn read_price(sheet: &SourceFile, rows: &[WrittenSetting], name: &str) -> Result<Price, Problem> {
    let field = |row: &WrittenSetting| {
        let value = sheet.text.get(row.span.clone()).and_then(|text| DeValue::parse(text).ok());
        let value = value.map(|value| value.get_ref().clone());
        let unread =
            || sheet.problem_at(format!("{}.{} cannot be read", row.table, row.key), row.span.clone());
        Ok(PriceField { key: row.key.clone(), value: value.ok_or_else(unread)?, span: row.span.clone() })
    };
    let fields = rows.iter().map(field).collect::<Result<Vec<_>, Problem>>()?;
    let place = rows.first().map_or(0..0, |row| row.name_span.clone());
    price_of(sheet, (&format!("{PREFIX}{name}"), place), &fields, None)
}

#[cfg(test)]
mod tests;
