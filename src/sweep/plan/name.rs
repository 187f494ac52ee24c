//! The stable names of cells: words for people, and digits of a digest of all that determines the episodes.
//!
//! What is at its default is not in the digest, so a new version of the program with more settings has the same names.
//! Settings of the connection, such as the address of the server, count only if the grids of the file have them: each
//! machine may have its own.

use mageyard_lab::config_for;
use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;

use super::axis::Axis;
use super::cell::PlannedCell;
use super::product::Combination;
use mageyard_agents::{AgentRow, find_agent};
use mageyard_config::{Config, Problem, ResolvedSetting};
use mageyard_domain::{Capabilities, Digest, EnvironmentSpec, Setting};
use mageyard_lab::{Lab, SelectedLevel};

/// The largest length of a name, in bytes.
const LENGTH: usize = 100;
/// The number of digits of the digest in a name. Ten thousand cells of the same words have different ones.
const DIGITS: usize = 10;

/// Settings beside those of the connection that change what is asked.
const ASKED: [&str; 2] = ["name", "system_role"];

/// What the digest is made of, one line each. Equal lines are equal cells.
pub(super) struct Identity {
    lines: BTreeSet<String>,
}

/// A cell without its name, with what its name is made of.
pub(super) struct Subject<'a> {
    pub(super) combination: &'a Combination<'a>,
    /// Its settings with the defaults of its environment.
    pub(super) config: &'a Config,
    pub(super) levels: &'a [SelectedLevel],
    pub(super) spec: &'static dyn EnvironmentSpec,
}

/// The identity of a valid cell.
pub(super) fn cell_identity(lab: &Lab, subject: &Subject<'_>) -> Result<Identity, Problem> {
    let Subject { combination, config, levels, spec } = *subject;
    let row = agent_row(lab, spec, config)?;
    let settings = &config.settings();
    let mut lines: BTreeSet<String> = setting_lines(lab, subject, row)?.into_iter().collect();
    let mut add = |name: &str, value: &dyn std::fmt::Display| lines.insert(format!("{name}={value}"));
    add("environment", &spec.name());
    add("levels", &levels_digest(levels));
    add("repeats", &combination.grid.repeats);
    add("seed", &settings.play.seed);
    let reader = mageyard_lab::reader_catalog(config.folders()).find(&settings.play.reader)?;
    add("reader", &Digest::of(reader.text.as_bytes()));
    if row.requests.is_some() && !spec.prompts().is_empty() {
        let prompt = mageyard_lab::prompt_catalog(spec, config.folders()).find(&settings.play.prompt)?;
        add("prompt", &Digest::of(prompt.text.as_bytes()));
    }
    if let Some(profile) = config.profile().filter(|_| row.requests.is_some()) {
        // Two profiles with equal settings may have different servers.
        lines.insert(format!("profile={}", profile.name));
    }
    Ok(Identity { lines })
}

/// The row of the configured agent.
pub(crate) fn agent_row(
    lab: &Lab,
    spec: &dyn EnvironmentSpec,
    config: &Config,
) -> Result<&'static AgentRow, Problem> {
    let agent = &config.settings().play.agent;
    let row = find_agent(lab.agents(), spec.capabilities().policies.named, agent);
    row.map_err(|error| config.problem_with("play.agent", error.to_string()))
}

/// The settings that are not at their defaults and change the episodes.
fn setting_lines(lab: &Lab, subject: &Subject<'_>, row: &AgentRow) -> Result<Vec<String>, Problem> {
    let Subject { combination, config, spec, .. } = *subject;
    let shipped = config_for(lab, &Config::shipped(config.folders().clone())?, spec)?;
    let asks = row.requests.is_some();
    let starts = config.settings().play.setting == Setting::Online;
    let own = row.settings.map(|own| (own.table, own));
    let written = |name: &str| {
        let axis = axis_of(combination, name);
        axis.is_some_and(|axis| !axis.overrides || axis.replaced.is_some())
    };
    let Capabilities { episodes, tools, .. } = spec.capabilities();
    let counts = |table: &str, key: &str| match (table, key) {
        ("play", "level" | "seed") => false,
        ("play", "from") => row.repeats_recording || row.takes_replies,
        ("play", "prompt") => asks,
        ("play" | "faults", _) => true,
        ("memory", _) => asks,
        (table, key) if table == spec.name() && episodes.start_setting() == Some(key) => starts,
        (table, key) if table == spec.name() => !tools.solver.is_some_and(|solver| solver.is_limit(key)),
        (table, key) => own.is_some_and(|(name, own)| {
            let connects = own.is_transport(table, key) && !ASKED.contains(&key);
            (name == table || own.part == Some(table)) && (!connects || written(&format!("{table}.{key}")))
        }),
    };
    // A connection that the command line replaces leaves the cell what it is.
    let value = |row: &ResolvedSetting| {
        let connects =
            own.is_some_and(|(table, own)| table == row.table && own.connection.contains(&row.key.as_str()));
        let axis = axis_of(combination, &row.name()).filter(|_| connects);
        let replaced = axis.and_then(|axis| axis.replaced.as_ref());
        replaced.map_or_else(|| row.value.clone(), |replaced| replaced.value.clone())
    };
    let rows = config.resolved_settings().iter().zip(shipped.resolved_settings());
    let rows = rows.filter(|(row, _)| counts(&row.table, &row.key));
    let changed = rows.map(|(row, default)| (row, value(row), &default.value));
    let changed = changed.filter(|(_, value, default)| value != *default);
    Ok(changed.map(|(row, value, _)| format!("{}={}", row.name(), sorted(&value))).collect())
}

fn axis_of<'a>(combination: &Combination<'a>, name: &str) -> Option<&'a Axis> {
    combination.grid.axes.iter().find(|axis| axis.setting == name)
}

/// A value as JSON, with the entries of a table by name.
fn sorted(value: &Value) -> String {
    let Value::Object(entries) = value else { return value.to_string() };
    let entries: BTreeSet<String> = entries.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
    format!("{entries:?}")
}

fn levels_digest(levels: &[SelectedLevel]) -> Digest {
    let mut text = String::new();
    for level in levels {
        let identity = level.level.source.identity();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}:{identity}", identity.len());
    }
    Digest::of(text.as_bytes())
}

impl Identity {
    /// The text that two cells have in common exactly if they are equal.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// The name of a cell with this identity.
pub(super) fn cell_name(subject: &Subject<'_>, row: &AgentRow, identity: &str) -> String {
    let mut words = file_safe(&words(subject, row));
    let digits = Digest::of(identity.as_bytes()).digits();
    words.truncate(LENGTH - DIGITS - 1);
    let words = words.trim_end_matches(['-', '.']);
    format!("{words}-{}", String::from_utf8_lossy(&digits[..DIGITS]))
}

/// Words that say what a cell is: levels, setting, model or agent, prompt and memory window.
fn words(subject: &Subject<'_>, row: &AgentRow) -> String {
    let settings = subject.config.settings();
    let play = &settings.play;
    let mut words =
        vec![level_words(&play.level, subject.spec.name()), play.setting.to_string().to_lowercase()];
    if row.requests.is_none() {
        return [words, vec![play.agent.clone()]].concat().join("-");
    }
    let options = row.settings.map(|own| own.read(|table| settings.options(table))).unwrap_or_default();
    let model = row.model(&options).and_then(|model| model.rsplit('/').next()).unwrap_or(&play.agent);
    let window = subject.config.window();
    words.extend([model.to_owned(), play.prompt.clone(), format!("am{}-om{}", window.am(), window.om())]);
    words.join("-")
}

/// The words for a reference of levels; of a path only the name of the file.
fn level_words(reference: &str, environment: &str) -> String {
    if reference.split('/').next() == Some(environment) {
        return reference.to_owned();
    }
    let file = reference.rsplit('/').next().unwrap_or(reference);
    format!("{environment}-{file}")
}

/// The text with a hyphen for each run of characters that a file name should not have.
fn file_safe(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || (matches!(c, '.' | '_') && !safe.is_empty()) {
            safe.push(c);
        } else if !safe.ends_with('-') && !safe.is_empty() {
            safe.push('-');
        }
    }
    safe
}

impl PlannedCell {
    /// Whether it has these values of these settings.
    pub(super) fn has(&self, settings: &[mageyard_config::AssignedSetting]) -> bool {
        let equal = |wanted: &mageyard_config::AssignedSetting| {
            self.config.given_value(&wanted.name).is_some_and(|row| row.value == wanted.value)
        };
        settings.iter().all(equal)
    }
}
