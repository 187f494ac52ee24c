//! The columns that `--columns` chooses.

use serde_json::{Map, Value};

use mageyard_config::Problem;
use mageyard_domain::nearest_names;

/// The wanted columns in their order; all if none is named.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection(Vec<String>);

impl Selection {
    pub(super) fn of(names: &[String]) -> Self {
        Self(names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
    }

    pub(super) fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether columns are chosen.
    pub(super) fn is_chosen(&self) -> bool {
        !self.0.is_empty()
    }

    /// The wanted fields of a row, in the wanted order.
    pub(super) fn of_row(&self, mut row: Map<String, Value>) -> Result<Map<String, Value>, Problem> {
        if !self.is_chosen() {
            return Ok(row);
        }
        self.check(row.keys().map(String::as_str))?;
        Ok(self.0.iter().filter_map(|name| row.remove_entry(name)).collect())
    }

    /// Refuses names that are none of these.
    pub(super) fn check<'a>(&self, known: impl Iterator<Item = &'a str> + Clone) -> Result<(), Problem> {
        let is_known = |name: &&String| known.clone().any(|column| column == *name);
        let Some(unknown) = self.0.iter().find(|name| !is_known(name)) else { return Ok(()) };
        let near = nearest_names(unknown, known.clone());
        let help = match near.as_slice() {
            [] => format!("the columns are {}", known.collect::<Vec<_>>().join(", ")),
            near => format!("the nearest are {}; without --columns all are written", near.join(", ")),
        };
        Err(Problem::new(format!("--columns: there is no column {unknown:?}")).with_help(help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_are_chosen_in_the_named_order() {
        let row =
            || json!({"agent": "a", "score": 1.5, "model.temperature": null}).as_object().unwrap().clone();
        let names =
            |names: &[&str]| Selection::of(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&[]).of_row(row()).unwrap(), row());
        let chosen = names(&["score", " agent"]).of_row(row()).unwrap();
        assert_eq!(Value::Object(chosen).to_string(), r#"{"score":1.5,"agent":"a"}"#);
        let error = names(&["agent", "skore"]).of_row(row()).unwrap_err();
        assert_eq!(error.message, "--columns: there is no column \"skore\"");
        assert!(error.help.is_some_and(|help| help.starts_with("the nearest are score;")));
    }
}
