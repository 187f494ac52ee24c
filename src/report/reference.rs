//! Which group the others are compared with.

use super::condition::{AGENT, AM, Condition, ENGINE, ENVIRONMENT, LEVEL_SET, OM, PROMPT, SETTING};

/// The wanted reference: settings with their values, such as `memory.am=1`. Empty for the smallest window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReferenceQuery(Vec<(String, String)>);

/// Why there is no reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReference {
    /// No group has these values.
    NotFound,
    /// Several groups fit equally well.
    Ambiguous(usize),
    /// All groups have the same window, and no reference was named.
    NotNamed,
}

/// Properties that baselines share with what they are shown beside: scores on other levels, or of another engine, say
/// nothing about an agent.
pub const SAME_LEVELS: [&str; 3] = [ENVIRONMENT, ENGINE, LEVEL_SET];

/// Properties of a condition by their names in the settings. The agent and its model are found by [`value`].
const SETTINGS: [(&str, &str); 6] = [
    ("memory.am", AM),
    ("memory.om", OM),
    ("play.prompt", PROMPT),
    ("play.setting", SETTING),
    ("play.reader", "reader"),
    ("level_set", LEVEL_SET),
];

/// What a sweep can vary and no row has: levels and seeds are compared within rows.
const NO_PROPERTY: [&str; 2] = ["levels", "seed"];

/// Properties in which the nearest row is alike first, the most important one first; then the number of others counts.
const NEAREST_FIRST: [&str; 4] = [LEVEL_SET, AGENT, SETTING, PROMPT];

impl std::fmt::Display for ReferenceQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pairs: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&pairs.join(","))
    }
}

impl ReferenceQuery {
    /// Reads `memory.am=1,memory.om=1`; an error is the part that has no value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let pair = |part: &str| {
            let (name, value) = part.split_once('=').ok_or_else(|| part.trim().to_owned())?;
            let value = value.trim().trim_matches('"');
            Ok((property(name.trim()).to_owned(), value.to_owned()))
        };
        text.split(',').map(pair).collect::<Result<_, _>>().map(Self)
    }

    /// The query with these settings of a sweep, without those that no row has.
    pub fn of(settings: &[(String, String)]) -> Self {
        let wanted = settings.iter().filter(|(name, _)| !NO_PROPERTY.contains(&name.as_str()));
        Self(wanted.map(|(name, value)| (property(name).to_owned(), value.clone())).collect())
    }

    /// Whether no settings are wanted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names in the query that no condition has.
    pub(crate) fn unknown_names<'a>(&'a self, conditions: &[&Condition]) -> Vec<&'a str> {
        let unknown = |name: &&str| !conditions.iter().any(|condition| value(condition, name).is_some());
        self.0.iter().map(|(name, _)| name.as_str()).filter(unknown).collect()
    }

    /// The reference of a condition among all. It has the wanted values, and in everything else it is as much like the
    /// condition as possible: always of the same environment and engine, and of the same level set or one that shares
    /// levels, as `shares_levels` says, unless those are wanted. Without wanted values it is the smallest window, if everything
    /// else is equal.
    pub(crate) fn find<'a>(
        &self,
        condition: &Condition,
        all: &[&'a Condition],
        shares_levels: &dyn Fn(&Condition, &Condition) -> bool,
    ) -> Result<&'a Condition, NoReference> {
        if self.0.is_empty() {
            return smallest_window(condition, all);
        }
        let wanted = |name: &str| self.0.iter().any(|(wanted, _)| wanted == name);
        let fits = |other: &&&Condition| {
            self.0.iter().all(|(name, wanted)| value(other, name).is_some_and(|found| equal(found, wanted)))
                && [ENVIRONMENT, ENGINE].iter().all(|name| wanted(name) || other.is_same(condition, name))
                && (wanted(LEVEL_SET)
                    || other.is_same(condition, LEVEL_SET)
                    || shares_levels(other, condition))
        };
        let fitting: Vec<&Condition> = all.iter().filter(fits).copied().collect();
        let nearest =
            fitting.iter().map(|other| distance(other, condition)).min().ok_or(NoReference::NotFound)?;
        let nearest: Vec<&Condition> =
            fitting.into_iter().filter(|other| distance(other, condition) == nearest).collect();
        match nearest.as_slice() {
            [one] => Ok(one),
            several => Err(NoReference::Ambiguous(several.len())),
        }
    }
}

/// The property of a condition that this setting is.
pub(super) fn property(setting: &str) -> &str {
    SETTINGS.iter().find(|(name, _)| *name == setting).map_or(setting, |(_, property)| property)
}

/// The value of a property or of the agent's settings; `None` where there is none.
fn value<'a>(condition: &'a Condition, name: &str) -> Option<&'a str> {
    match name {
        "play.agent" => Some(condition.agent()),
        "model.name" => condition.model(),
        name => condition.has(name).then(|| condition.shown(name)),
    }
}

/// Whether two values are equal; numbers by their value, and texts whatever the case.
fn equal(found: &str, wanted: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let same_number =
        number(found).zip(number(wanted)).is_some_and(|(one, other)| one.total_cmp(&other).is_eq());
    same_number || found.eq_ignore_ascii_case(wanted)
}

/// How far a row is from a condition: less is nearer.
fn distance(other: &Condition, condition: &Condition) -> ([bool; NEAREST_FIRST.len()], usize) {
    let differences: Vec<&str> = other.differences(condition).collect();
    (NEAREST_FIRST.map(|name| differences.contains(&name)), differences.len())
}

/// The condition with the least AM, and of those the least OM, that differs in nothing else.
fn smallest_window<'a>(condition: &Condition, all: &[&'a Condition]) -> Result<&'a Condition, NoReference> {
    let alike = all.iter().filter(|other| other.differences(condition).all(|name| name == AM || name == OM));
    let windows: Vec<&Condition> = alike.copied().collect();
    let smallest = windows.iter().min_by_key(|other| other.window());
    smallest.copied().filter(|_| windows.len() > 1).ok_or(NoReference::NotNamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conditions of one level set, by agent, prompt, AM and OM.
    fn conditions(rows: &[[&str; 4]]) -> Vec<Condition> {
        let condition = |[agent, prompt, am, om]: &[&str; 4]| {
            Condition::with(&[
                ("agent", *agent),
                (LEVEL_SET, "s/mini"),
                ("prompt", *prompt),
                (AM, *am),
                (OM, *om),
            ])
        };
        rows.iter().map(condition).collect()
    }

    fn found(query: &ReferenceQuery, all: &[Condition]) -> Vec<Result<usize, NoReference>> {
        let all: Vec<&Condition> = all.iter().collect();
        let index = |of: &Condition| all.iter().position(|other| **other == *of);
        all.iter().map(|of| query.find(of, &all, &|_, _| false).map(|found| index(found).unwrap())).collect()
    }

    #[test]
    fn without_a_query_it_is_the_smallest_window_with_the_same_other_settings() {
        let all = conditions(&[
            ["m", "A", "10", "1"],
            ["m", "A", "5", "2"],
            ["m", "A", "5", "1"],
            ["m", "B", "1", "1"],
        ]);
        assert_eq!(
            found(&ReferenceQuery::default(), &all),
            [Ok(2), Ok(2), Ok(2), Err(NoReference::NotNamed)]
        );
    }

    #[test]
    fn the_nearest_row_with_the_wanted_values_is_taken() {
        let all = conditions(&[
            ["m", "A", "1", "1"],
            ["m", "B", "1", "1"],
            ["m", "A", "5", "1"],
            ["n", "B", "5", "1"],
        ]);
        let query = ReferenceQuery::parse("memory.am=1").unwrap();
        assert_eq!(found(&query, &all), [Ok(0), Ok(1), Ok(0), Ok(1)]);
        let query = ReferenceQuery::parse("prompt=b, AM = 5").unwrap();
        assert_eq!(found(&query, &all)[2], Ok(3));
        let query = ReferenceQuery::parse("agent=m").unwrap();
        assert_eq!(found(&query, &all)[3], Ok(1), "the prompt is the same, only AM differs");
        let query = ReferenceQuery::parse("prompt=A").unwrap();
        assert_eq!(found(&query, &all)[3], Ok(2), "AM is the same");
        assert_eq!(found(&query, &all)[1], Ok(0));
        let query = ReferenceQuery::parse("memory.am=2").unwrap();
        assert_eq!(found(&query, &all)[0], Err(NoReference::NotFound));
    }

    #[test]
    fn a_part_without_a_value_is_refused_and_unknown_names_are_named() {
        assert_eq!(ReferenceQuery::parse("memory.am"), Err("memory.am".to_owned()));
        let all = conditions(&[["m", "A", "1", "1"]]);
        let query = ReferenceQuery::parse("memory.amm=1,play.prompt=A").unwrap();
        assert_eq!(query.unknown_names(&[&all[0]]), ["memory.amm"]);
    }
}
