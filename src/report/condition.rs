//! The condition of an episode: agent, environment, prompt, memory window and every other setting that can change its
//! outcome. Episodes with the same condition form one row of a report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use mageyard_domain::{
    AttemptLimit, Confirm, Digest, EnvironmentSpec, Level, Setting, TimeChecked, table_label,
};
use mageyard_engine::{EpisodeSummary, Head};
use mageyard_lab::Lab;

use super::agent_settings::outcome_settings;
use super::level_sets::LevelSetName;
use super::reference::{SAME_LEVELS, property};

/// The property with the name of the agent, for [`Condition::shown`] and titles of columns.
pub const AGENT: &str = "agent";
/// The property with the name of the environment.
pub const ENVIRONMENT: &str = "environment";
/// The property with the set that the levels are from.
pub const LEVEL_SET: &str = "level set";
/// The property with the setting of the benchmark: `global` or `online`.
pub const SETTING: &str = "setting";
/// The property with the prompt variant.
pub(super) const PROMPT: &str = "prompt";
/// The property with the past outputs in memory.
pub const AM: &str = "AM";
/// The property with the past observations in memory.
pub const OM: &str = "OM";
pub(super) const ENGINE: &str = "engine";

/// One property of a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Property {
    name: String,
    /// What is compared and sorted.
    key: String,
    shown: String,
}

impl Property {
    /// A digest of what is compared, if that is more than what is shown.
    fn digest(&self) -> Option<String> {
        let shown_key = json!(self.shown).to_string();
        (self.key != shown_key).then(|| Digest::of(self.key.as_bytes()).to_string())
    }
}

/// The condition of an episode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    properties: Vec<Property>,
    agent: String,
    model: Option<String>,
}

/// An episode whose condition is wanted.
#[derive(Clone, Copy)]
pub(super) struct Conditioned<'a> {
    pub(super) head: &'a Head,
    pub(super) summary: &'a EpisodeSummary,
    pub(super) level_set: &'a LevelSetName,
    /// The name of its session.
    pub(super) session: &'a str,
}

/// Properties that a row cannot be without.
pub const NEVER_IGNORED: [&str; 3] = [AGENT, ENVIRONMENT, LEVEL_SET];

impl Condition {
    /// The condition of an episode. With `own_thresholds` the repetition thresholds of the episode belong to it.
    pub(crate) fn of(lab: &Lab, of: Conditioned<'_>, own_thresholds: bool) -> Self {
        let Conditioned { head, summary, level_set, .. } = of;
        let mut all = Properties(Vec::new());
        let model = head.model().map(str::to_owned);
        all.text(AGENT, head.agent.display_name());
        all.text(ENVIRONMENT, &head.environment);
        let engines = lab.environment(&head.environment).and_then(|spec| spec.capabilities().engines);
        if let Some(engine) = engines.and_then(|engines| (engines.chosen)(&head.options)) {
            all.text(ENGINE, engine);
        }
        all.keyed(LEVEL_SET, &level_set.shown, &json!(level_set.key));
        all.text(SETTING, &head.setting.to_string());
        if sends_requests(lab, head) {
            all.keyed(PROMPT, &head.prompt, &json!([head.prompt, prompt_version(summary)]));
            all.value(AM, &json!(head.window.am()));
            all.value(OM, &json!(head.window.om()));
        }
        all.keyed("reader", &head.rules.to_string(), &json!(head.rules));
        all.settings(lab, head, own_thresholds);
        Self { properties: all.0, agent: head.agent.name.clone(), model }
    }

    /// What makes two episodes with the same level, repeat and seed one: everything but the level set.
    pub(super) fn identity(&self) -> Digest {
        let settings = self.properties.iter().filter(|property| property.name != LEVEL_SET);
        let lines: Vec<String> =
            settings.map(|property| format!("{}={}\n", property.name, property.key)).collect();
        Digest::of(format!("{}\n{}", self.agent, lines.concat()).as_bytes())
    }

    /// The condition without the settings in `ignore` and with what is recorded of those in `by`.
    pub(super) fn arranged(
        mut self,
        lab: &Lab,
        of: Conditioned<'_>,
        ignore: &[String],
        by: &[String],
    ) -> Self {
        self.properties.retain(|own| !ignore.iter().any(|name| property(name) == own.name));
        for name in by.iter().filter(|name| !self.has(property(name))).collect::<Vec<_>>() {
            if let Some(value) = recorded_value(lab, of, name) {
                let mut all = Properties(std::mem::take(&mut self.properties));
                all.value(name, &value);
                self.properties = all.0;
            }
        }
        self
    }

    /// Whether its levels and its engine are those of another one.
    pub fn has_same_levels(&self, other: &Self) -> bool {
        SAME_LEVELS.iter().all(|name| self.is_same(other, name))
    }

    /// Whether it and another one have the same value of a property, or both have none.
    pub fn is_same(&self, other: &Self, name: &str) -> bool {
        self.find(name).map(|own| &own.key) == other.find(name).map(|own| &own.key)
    }

    fn find(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The value of a property as text.
    pub fn shown(&self, name: &str) -> &str {
        self.find(name).map_or("–", |property| property.shown.as_str())
    }

    /// Whether it has a property with this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The name of the agent, also if it is a model.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The name of its model; `None` for an agent without one.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// AM and OM; `None` for an agent that sends no requests.
    pub(crate) fn window(&self) -> Option<(u16, u16)> {
        Some((self.shown(AM).parse().ok()?, self.shown(OM).parse().ok()?))
    }

    /// The names of the properties with another value, or which only one of the two has.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        let missing = other.properties.iter().filter(|property| !self.has(&property.name));
        let changed =
            |property: &&Property| other.find(&property.name).is_none_or(|found| found.key != property.key);
        self.properties.iter().filter(changed).chain(missing).map(|property| property.name.as_str())
    }

    /// The key of a property, by which its values are compared and sorted.
    pub(super) fn key(&self, name: &str) -> &str {
        self.find(name).map_or("", |property| property.key.as_str())
    }

    /// The names and keys of all other properties.
    pub(super) fn keys_without(&self, name: &str) -> Vec<(&str, &str)> {
        let others = self.properties.iter().filter(|property| property.name != name);
        others.map(|property| (property.name.as_str(), property.key.as_str())).collect()
    }

    /// Whether its agent is a model.
    pub(super) fn is_of_model(&self) -> bool {
        self.model.is_some()
    }

    /// The environment and the first letter of the setting, as in the tables of the paper.
    pub fn column(&self, with_level_set: bool) -> String {
        let place = self.shown(if with_level_set { LEVEL_SET } else { ENVIRONMENT });
        format!("{place}-{:.1}", self.shown(SETTING))
    }

    /// Its fields in output; properties without a field of their own are in `settings`.
    pub fn fields(&self) -> ConditionFields {
        let number = |name: &str| self.shown(name).parse::<u16>().ok();
        let settings = [Setting::Global, Setting::Online];
        let others = self.properties.iter().filter(|property| property.name.contains('.'));
        let value = |shown: &str| serde_json::from_str(shown).unwrap_or_else(|_| Value::from(shown));
        ConditionFields {
            agent: self.agent.clone(),
            model: self.model.clone(),
            environment: self.shown(ENVIRONMENT).to_owned(),
            engine: self.find(ENGINE).map(|engine| engine.shown.clone()),
            level_set: self.shown(LEVEL_SET).to_owned(),
            level_set_digest: self.find(LEVEL_SET).and_then(Property::digest),
            setting: settings.into_iter().find(|setting| setting.to_string() == self.shown(SETTING)),
            prompt: self.find(PROMPT).map(|prompt| prompt.shown.clone()),
            am: number(AM),
            om: number(OM),
            reader: self.shown("reader").to_owned(),
            settings: others.map(|property| (property.name.clone(), value(&property.shown))).collect(),
        }
    }
}

/// A combination of settings, as output has it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "condition")]
pub struct ConditionFields {
    /// Name of the agent.
    pub agent: String,
    /// Name of the model; null for other agents.
    pub model: Option<String>,
    /// Name of the environment.
    pub environment: String,
    /// Engine, such as `football/grf`, if there are several.
    pub engine: Option<String>,
    /// Reference of the level set.
    pub level_set: String,
    /// Digest of its levels, where the reference is that of several contents.
    pub level_set_digest: Option<String>,
    /// `online` or `global`.
    #[schemars(with = "Option<String>")]
    pub setting: Option<Setting>,
    /// Prompt variant; null, as the next two, for agents that send no requests.
    pub prompt: Option<String>,
    /// Action memory.
    pub am: Option<u16>,
    /// Observation memory.
    pub om: Option<u16>,
    /// Reader rules with version.
    pub reader: String,
    /// Other settings by name.
    pub settings: Map<String, Value>,
}

/// A value of an episode that is no setting of its outcome, or of one that is transport; `None` if it has none.
fn recorded_value(lab: &Lab, of: Conditioned<'_>, name: &str) -> Option<Value> {
    let Conditioned { head, summary, session, .. } = of;
    match name {
        "seed" | "play.seed" => Some(json!(head.seed)),
        "repeat" => Some(json!(head.repeat)),
        "program" => Some(json!(head.program)),
        "session" => Some(json!(session)),
        "level" => Some(json!(head.reference)),
        "served_model" => Some(json!(summary.served_models.iter().cloned().collect::<Vec<_>>().join(", "))),
        name if !name.contains('.') => {
            let scoring = lab.environment(&head.environment)?.capabilities().scoring;
            let properties = scoring.level_properties(&head.to_level());
            properties.into_iter().find(|(own, _)| *own == name).map(|(_, value)| json!(value))
        }
        name => {
            let (table, key) = name.split_once('.')?;
            let own = lab.agent(&head.agent.name).and_then(|row| row.settings);
            if own.is_some_and(|own| own.table == table) {
                head.agent.options.get(key).cloned()
            } else if own.is_some_and(|own| own.part == Some(table)) {
                head.agent.options.get(table)?.get(key).cloned()
            } else {
                head.options.get(key).filter(|_| table == head.environment).cloned()
            }
        }
    }
}

/// The reference without the number of the level: `hanoi/first`, `tables.hanoi`. The level of an episode that was
/// recorded before a built-in set was chosen anew is in an older version of the set, such as `mini-v1`, and
/// counts there: its score is not to be compared with those of the new set.
pub(super) fn set_name(lab: &Lab, head: &Head) -> String {
    let set = head.reference.rsplit_once(['/', '#']).map_or(head.reference.as_str(), |(set, _)| set);
    let name = set.strip_prefix(&head.environment).and_then(|rest| rest.strip_prefix('/'));
    let older = name.zip(lab.environment(&head.environment)).and_then(|(name, spec)| {
        let is_older = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with("-v"));
        let mut older = spec.level_sets().iter().filter(|other| is_older(other.name));
        older.find(|older| has_level(spec, older.text, head))
    });
    older.map_or_else(|| set.to_owned(), |older| format!("{}/{}", head.environment, older.name))
}

/// Whether the levels in this text have the level of the episode at its number.
fn has_level(spec: &dyn EnvironmentSpec, levels: &str, head: &Head) -> bool {
    let same = |level: &Level| level.number == head.number && level.source == head.level;
    spec.parse_levels(levels).is_ok_and(|levels| levels.iter().any(same))
}

/// Whether the agent sends requests to a model: only then its prompt and its memory window can change what it does.
fn sends_requests(lab: &Lab, head: &Head) -> bool {
    let row = lab.agent(&head.agent.name);
    head.model().is_some() || row.is_some_and(|row| row.requests.is_some())
}

/// The digests of the prompt's segments in the first recorded request; the text of a prompt may change while its name
/// stays.
fn prompt_version(summary: &EpisodeSummary) -> Value {
    summary.prompt_version.as_ref().map_or(Value::Null, |version| json!(version.segments))
}

/// Properties in the order of their columns.
struct Properties(Vec<Property>);

impl Properties {
    fn text(&mut self, name: &str, shown: &str) {
        self.keyed(name, shown, &json!(shown));
    }

    fn value(&mut self, name: &str, value: &Value) {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.keyed(name, &shown, value);
    }

    fn keyed(&mut self, name: &str, shown: &str, key: &Value) {
        // Numbers are sorted by their value.
        let key = key.as_u64().map_or_else(|| key.to_string(), |number| format!("{number:020}"));
        self.0.push(Property { name: name.to_owned(), key, shown: shown.to_owned() });
    }

    /// The other settings, named as in `config.toml`.
    fn settings(&mut self, lab: &Lab, head: &Head, own_thresholds: bool) {
        // Episodes with the limits of their levels are of one condition.
        let limit = |of_level: bool, value: Value| if of_level { json!("level") } else { value };
        self.value("play.max_steps", &limit(head.limits_of_level.steps, json!(head.max_steps)));
        let time = json!(head.max_time.unwrap_or_default());
        self.value("play.max_time", &limit(head.limits_of_level.time, time));
        self.value("play.max_tokens", &json!(head.budget.tokens.unwrap_or(0)));
        let cost = head.budget.cost.as_ref();
        self.value("play.cost_limit", &cost.map_or(json!(0), |(limit, _)| json!(limit)));
        self.value("play.unknown_usage", &json!(head.budget.unknown));
        self.value("play.on_unreadable", &json!(head.conduct.on_unreadable));
        self.value("play.on_repeating", &json!(head.conduct.on_repeating));
        // Only what differs: older heads have neither.
        if head.conduct.attempts != AttemptLimit::MOST {
            self.value("play.attempts", &json!(head.conduct.attempts));
        }
        if head.max_time.is_some() && head.conduct.time_checked != TimeChecked::Always {
            self.value("play.time_checked", &json!(head.conduct.time_checked));
        }
        if head.conduct.confirm != Confirm::Never {
            self.value("play.confirm", &json!(head.conduct.confirm));
        }
        // Only a model's replies can be cut or refused.
        if head.model().is_some() {
            self.value("play.on_cut", &json!(head.conduct.on_cut));
            self.value("play.on_refusal", &json!(head.conduct.on_refusal));
            self.value("memory.thoughts", &json!(head.layout.thoughts));
            // Only what differs from older heads.
            if !head.layout.keep.is_empty() {
                self.text("memory.keep", &head.layout.keep.to_string());
            }
            if head.layout.history.is_code() {
                self.value("memory.history", &json!(head.layout.history));
            }
            if !head.layout.feedback.is_keep() {
                self.value("memory.feedback", &json!(head.layout.feedback));
            }
            // Only what has an effect: older heads have neither.
            if head.conduct.continue_replies {
                self.value("play.continue_replies", &json!(true));
            }
            if head.setting == Setting::Global && head.layout.plan_images > 0 {
                self.value("memory.plan_images", &json!(head.layout.plan_images));
            }
        }
        if sends_requests(lab, head) {
            self.value("memory.dropped_frame", &json!(head.layout.dropped_frame));
            self.value("memory.empty_reply", &json!(head.layout.empty_reply));
            self.value("memory.stable_prefix", &json!(head.layout.stable_prefix));
            self.value("model.system_role", &json!(head.layout.system_role));
        }
        if own_thresholds {
            self.value("faults.same_unchanged", &json!(head.conduct.thresholds.unchanged));
            self.value("faults.same", &json!(head.conduct.thresholds.same));
        }
        if let Some(journal) = &head.agent.recording {
            self.text("play.from", &session_name(journal));
        }
        if let Some(given) = &head.agent.given {
            self.text("play.from", &given.file);
        }
        for (name, value) in outcome_settings(lab, &head.agent) {
            self.value(&name, &value);
        }
        for (role, recorded) in &head.roles {
            let key = json!([
                recorded.agent.name,
                outcome_settings(lab, &recorded.agent),
                Digest::of(recorded.prompt.as_bytes()).to_string(),
                recorded.tries,
            ]);
            self.keyed(&format!("roles.{role}"), recorded.agent.display_name(), &key);
        }
        // The limits of the solver do not change what an agent does, and files that an episode begins with are its data.
        let spec = lab.environment(&head.environment);
        let offered = spec.map(EnvironmentSpec::capabilities);
        let solver = offered.and_then(|offered| offered.tools.solver);
        let engines = offered.and_then(|offered| offered.engines);
        let is_no_setting = |name: &str| {
            solver.is_some_and(|solver| solver.is_limit(name))
                || engines.is_some_and(|engines| engines.local_settings.contains(&name))
                || offered.is_some_and(|offered| offered.episodes.is_start_data(name))
        };
        for (name, value) in head.options.iter().filter(|(name, _)| !is_no_setting(name)) {
            self.value(&format!("{}.{name}", head.environment), value);
        }
    }
}

/// The name of a journal's session folder.
fn session_name(journal: &Path) -> String {
    let folder = journal.ancestors().nth(2).and_then(Path::file_name);
    folder.unwrap_or(journal.as_os_str()).to_string_lossy().into_owned()
}

/// What a set of conditions has in common, and what differs.
#[derive(Debug)]
pub struct RowDifferences {
    /// Properties with different values, in the order of their columns.
    pub differing: Vec<String>,
    /// Values that are equal in all rows: name and value.
    pub common: Vec<(String, String)>,
    /// Values that are equal in all rows that have the property, which others do not have.
    pub where_present: Vec<(String, String)>,
    /// Names and shown values that stand for several keys.
    ambiguous: BTreeSet<(String, String)>,
}

impl RowDifferences {
    /// Compares these conditions; equal properties that say nothing are left out.
    pub fn of<'a>(conditions: impl Iterator<Item = &'a Condition>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut values: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        let mut count = 0;
        for condition in conditions {
            count += 1;
            for property in &condition.properties {
                if !values.contains_key(property.name.as_str()) {
                    names.push(&property.name);
                }
                values.entry(&property.name).or_default().insert(&property.key, &property.shown);
                *rows.entry(&property.name).or_default() += 1;
            }
        }
        let differs = |name: &&&str| values.get(**name).is_some_and(|values| values.len() > 1);
        let differing = names.iter().filter(differs).map(|name| (*name).to_owned()).collect();
        let equal = names.iter().filter(|name| !differs(name)).filter_map(|name| {
            let shown = values.get(name)?.values().next()?;
            is_worth_saying(name, shown).then(|| (*name, table_label(shown)))
        });
        let (common, where_present): (Vec<_>, Vec<_>) =
            equal.partition(|(name, _)| rows.get(name) == Some(&count));
        let owned = |pairs: Vec<(&str, String)>| {
            pairs.into_iter().map(|(name, shown)| (name.to_owned(), shown)).collect()
        };
        let mut ambiguous = BTreeSet::new();
        for (name, values) in &values {
            let mut seen = BTreeSet::new();
            for shown in values.values() {
                if !seen.insert(shown) {
                    ambiguous.insert(((*name).to_owned(), (*shown).to_owned()));
                }
            }
        }
        Self { differing, common: owned(common), where_present: owned(where_present), ambiguous }
    }

    /// The value of a property as a label; values that only look equal get a part of their digest.
    pub fn cell(&self, condition: &Condition, name: &str) -> String {
        let shown = condition.shown(name);
        match condition.find(name) {
            Some(property) if self.ambiguous.contains(&(name.to_owned(), shown.to_owned())) => {
                let digest = Digest::of(property.key.as_bytes()).to_string();
                format!("{}~{}", table_label(shown), digest.get(..4).unwrap_or_default())
            }
            _ => table_label(shown),
        }
    }
}

/// Whether a value that all rows share is stated: the main ones always, others if they are not the default.
fn is_worth_saying(name: &str, shown: &str) -> bool {
    let default = mageyard_config::setting_default(name);
    let number = |text: &str| text.parse::<f64>().ok();
    let same = default == shown || (number(default).is_some() && number(default) == number(shown));
    !name.contains('.') || name == "play.max_steps" || !same
}

#[cfg(test)]
impl Condition {
    /// A condition with these properties.
    pub(super) fn with(properties: &[(&str, &str)]) -> Self {
        let mut all = Properties(Vec::new());
        for (name, shown) in properties {
            all.text(name, shown);
        }
        Self { properties: all.0, agent: "a".to_owned(), model: Some("m".to_owned()) }
    }
}
