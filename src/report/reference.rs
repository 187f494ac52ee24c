//! Which group the others are compared with.

use super::condition::{AM, Condition, ENGINE, ENVIRONMENT, LEVEL_SET, OM};

/// The wanted reference: properties with their values, such as `memory.am=1`. Empty for the smallest window.
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

/// Properties that compared groups share: scores on other levels, or of another engine, say nothing about an agent.
pub const SAME_LEVELS: [&str; 3] = [ENVIRONMENT, ENGINE, LEVEL_SET];

/// Properties of a condition by their names in the settings.
const SETTINGS: [(&str, &str); 8] = [
    ("memory.am", AM),
    ("memory.om", OM),
    ("play.prompt", "prompt"),
    ("play.setting", "setting"),
    ("play.reader", "reader"),
    ("play.agent", "agent"),
    ("model.name", "agent"),
    ("level_set", LEVEL_SET),
];

impl ReferenceQuery {
    /// Reads `memory.am=1,memory.om=1`; an error is the part that has no value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let pair = |part: &str| {
            let (name, value) = part.split_once('=').ok_or_else(|| part.trim().to_owned())?;
            let name = name.trim();
            let value = value.trim().trim_matches('"');
            let known = SETTINGS.iter().find(|(setting, _)| *setting == name);
            Ok((known.map_or(name, |(_, property)| property).to_owned(), value.to_owned()))
        };
        text.split(',').map(pair).collect::<Result<_, _>>().map(Self)
    }

    /// The query with these settings, without those that are no property of a condition.
    pub fn of(settings: &[(String, String)]) -> Self {
        let property = |(name, value): &(String, String)| {
            let (_, property) = SETTINGS.iter().find(|(setting, _)| setting == name)?;
            Some(((*property).to_owned(), value.clone()))
        };
        Self(settings.iter().filter_map(property).collect())
    }

    /// The names in the query that no condition has.
    pub(crate) fn unknown_names<'a>(&'a self, conditions: &[&Condition]) -> Vec<&'a str> {
        let unknown = |name: &&str| !conditions.iter().any(|condition| condition.has(name));
        self.0.iter().map(|(name, _)| name.as_str()).filter(unknown).collect()
    }

    /// The reference of a condition among all. It has the wanted values, and in everything else it is as much like the
    /// condition as possible: always of the same environment, engine and level set, unless those are wanted. Without wanted
    /// values it is the smallest window, if everything else is equal.
    pub(crate) fn find<'a>(
        &self,
        condition: &Condition,
        all: &[&'a Condition],
    ) -> Result<&'a Condition, NoReference> {
        if self.0.is_empty() {
            return smallest_window(condition, all);
        }
        let wanted = |name: &str| self.0.iter().any(|(wanted, _)| wanted == name);
        let fits = |other: &&&Condition| {
            self.0.iter().all(|(name, value)| other.shown(name).eq_ignore_ascii_case(value))
                && SAME_LEVELS.iter().all(|name| wanted(name) || other.shown(name) == condition.shown(name))
        };
        let distance = |other: &Condition| other.differences(condition).filter(|name| !wanted(name)).count();
        let fitting: Vec<&Condition> = all.iter().filter(fits).copied().collect();
        let nearest = fitting.iter().map(|other| distance(other)).min().ok_or(NoReference::NotFound)?;
        let nearest: Vec<&Condition> =
            fitting.into_iter().filter(|other| distance(other) == nearest).collect();
        match nearest.as_slice() {
            [one] => Ok(one),
            several => Err(NoReference::Ambiguous(several.len())),
        }
    }
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
        all.iter().map(|of| query.find(of, &all).map(|found| index(found).unwrap())).collect()
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
        let query = ReferenceQuery::parse("model.name=m").unwrap();
        assert_eq!(
            found(&query, &all)[3],
            Err(NoReference::Ambiguous(2)),
            "one has another prompt, one another AM"
        );
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
