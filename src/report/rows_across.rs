//! The rows of a table that has a column for each environment, level set and setting. Settings that an environment does not
//! have, or that differ only because environments differ (the texts of prompts, limits, sizes of frames), do not split a row:
//! only what differs between episodes of one agent in the same column does.

use std::collections::BTreeMap;

use super::condition::{AGENT, Condition, RowDifferences};

/// The label of a property that has no single value in a row.
const NONE: &str = "–";

/// The rows of such a table.
#[derive(Debug)]
pub struct RowsAcross<'a> {
    /// The properties beside the agent that tell rows apart, in the order of their columns.
    pub names: Vec<String>,
    /// The rows in the order of their conditions.
    pub rows: Vec<RowAcross<'a>>,
}

/// A row: an agent with what tells it apart from other rows of the same agent.
#[derive(Debug)]
pub struct RowAcross<'a> {
    /// The agent, then the value of each of the names.
    pub labels: Vec<String>,
    /// The conditions of its cells, each in another column.
    pub cells: Vec<&'a Condition>,
}

impl<'a> RowsAcross<'a> {
    /// The rows for these conditions if the values of the properties in `columns` tell columns apart.
    pub fn of(conditions: impl Iterator<Item = &'a Condition>, columns: &[&str]) -> Self {
        let mut agents: Vec<(&str, Vec<&Condition>)> = Vec::new();
        for condition in conditions {
            let agent = condition.shown(AGENT);
            match agents.iter_mut().find(|(known, _)| *known == agent) {
                Some((_, own)) => own.push(condition),
                None => agents.push((agent, vec![condition])),
            }
        }
        let agents: Vec<AgentRows<'a>> =
            agents.into_iter().map(|(_, own)| AgentRows::of(own, columns)).collect();
        let mut names: Vec<String> = Vec::new();
        for name in agents.iter().flat_map(|agent| &agent.splitting) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let rows = agents.iter().flat_map(|agent| agent.rows(&names)).collect();
        Self { names, rows }
    }
}

/// The conditions of an agent.
struct AgentRows<'a> {
    conditions: Vec<&'a Condition>,
    /// The properties that differ within a column.
    splitting: Vec<String>,
    /// The differences within the column of each condition.
    within: Vec<RowDifferences>,
    /// The index in `within`, by condition.
    columns: Vec<usize>,
}

impl<'a> AgentRows<'a> {
    fn of(conditions: Vec<&'a Condition>, columns: &[&str]) -> Self {
        let mut groups: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for (index, condition) in conditions.iter().enumerate() {
            let place = columns.iter().map(|name| condition.shown(name)).collect();
            groups.entry(place).or_default().push(index);
        }
        let mut splitting: Vec<String> = Vec::new();
        let mut within = Vec::new();
        let mut places = vec![0; conditions.len()];
        for members in groups.values() {
            let own: Vec<&Condition> = members.iter().map(|index| conditions[*index]).collect();
            for name in own.iter().flat_map(|other| own[0].differences(other)) {
                if !splitting.iter().any(|known| known == name) {
                    splitting.push(name.to_owned());
                }
            }
            for index in members {
                places[*index] = within.len();
            }
            within.push(RowDifferences::of(own.into_iter()));
        }
        Self { conditions, splitting, within, columns: places }
    }

    /// The value of a property of the condition at this index: values that look equal in its column are told apart.
    fn label(&self, index: usize, name: &str) -> String {
        self.within[self.columns[index]].cell(self.conditions[index], name)
    }

    /// The rows of this agent, with the labels of these properties.
    fn rows(&self, names: &[String]) -> Vec<RowAcross<'a>> {
        let mut rows: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
        for index in 0..self.conditions.len() {
            let key: Vec<String> = self.splitting.iter().map(|name| self.label(index, name)).collect();
            match rows.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.push(index),
                None => rows.push((key, vec![index])),
            }
        }
        let row = |members: Vec<usize>| {
            let shared = |name: &str| {
                let mut labels: Vec<String> = members.iter().map(|index| self.label(*index, name)).collect();
                labels.dedup();
                if labels.len() == 1 { labels.remove(0) } else { NONE.to_owned() }
            };
            let labels = std::iter::once(AGENT).chain(names.iter().map(String::as_str)).map(shared).collect();
            RowAcross { labels, cells: members.iter().map(|index| self.conditions[*index]).collect() }
        };
        rows.into_iter().map(|(_, members)| row(members)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::condition::{ENVIRONMENT, SETTING};
    use super::*;

    const COLUMNS: [&str; 2] = [ENVIRONMENT, SETTING];

    fn condition(values: [&str; 5]) -> Condition {
        let names = [AGENT, ENVIRONMENT, SETTING, "prompt", "model.resolution"];
        Condition::with(&names.into_iter().zip(values).collect::<Vec<_>>())
    }

    fn shown(rows: &RowsAcross<'_>) -> Vec<(String, usize)> {
        rows.rows.iter().map(|row| (row.labels.join(" "), row.cells.len())).collect()
    }

    #[test]
    fn differences_between_environments_do_not_split_a_row() {
        let all = [
            condition(["a", "football", "Online", "p", "1280"]),
            condition(["a", "sokoban", "Global", "p", "256"]),
            condition(["a", "sokoban", "Online", "p", "256"]),
            condition(["b", "sokoban", "Online", "p", "512"]),
        ];
        let rows = RowsAcross::of(all.iter(), &COLUMNS);
        assert!(rows.names.is_empty(), "{:?}", rows.names);
        assert_eq!(shown(&rows), [("a".to_owned(), 3), ("b".to_owned(), 1)]);
    }

    #[test]
    fn a_difference_within_a_column_does() {
        let all = [
            condition(["a", "football", "Online", "p", "1280"]),
            condition(["a", "sokoban", "Online", "p", "256"]),
            condition(["a", "sokoban", "Online", "q", "256"]),
            condition(["b", "sokoban", "Online", "r", "256"]),
        ];
        let rows = RowsAcross::of(all.iter(), &COLUMNS);
        assert_eq!(rows.names, ["prompt"]);
        let expected = [("a p".to_owned(), 2), ("a q".to_owned(), 1), ("b r".to_owned(), 1)];
        assert_eq!(shown(&rows), expected);
    }
}
