//! The dialog of models in lines.

use super::draw::{facts, said, suggestion};
use super::sheet::{Field, ModelRow, ModelSheet};
use mageyard_domain::sanitize;

/// The models with their numbers, what is known of the checked one, and what can be answered.
pub(crate) fn lines(sheet: &ModelSheet) -> Vec<String> {
    let mut lines = match (&sheet.field, &sheet.models) {
        (Some(Field::Url(_)), _) => vec!["Question: the base URL of the server?".to_owned()],
        (Some(field), _) => {
            vec![format!("Question: the name of the profile? An empty line takes {}", field.text())]
        }
        (None, None) => vec!["Models: being read".to_owned()],
        (None, Some(Err(problem))) => vec![format!("Error: {problem}")],
        (None, Some(Ok(_))) if sheet.is_finding => vec!["Models: servers are being asked".to_owned()],
        (None, Some(Ok(_))) => list(sheet),
    };
    lines.extend(sheet.said.iter().map(|said| format!("Note: {said}")));
    lines.iter().map(|line| sanitize(line).into_owned()).collect()
}

fn list(sheet: &ModelSheet) -> Vec<String> {
    let rows = sheet.rows();
    let mut lines = vec!["Question: which model?".to_owned()];
    lines.extend((1..).zip(&rows).map(|(number, row): (usize, _)| {
        let name = match row {
            ModelRow::Named(entry) => format!("{}, {}", entry.name, entry.kind),
            ModelRow::Served { url, model, .. } => format!("{model} at {url}"),
            ModelRow::Silent { url, .. } => url.clone(),
        };
        format!("  {number}: {name}: {}", facts(row).join("; "))
    }));
    if sheet.is_checking {
        lines.push("Checks: being made".to_owned());
    } else {
        lines.extend(sheet.checks.iter().map(|check| format!("Check: {}", said(check))));
        let offer = suggestion(&sheet.suggested());
        lines.extend(offer.map(|settings| format!("Suggested: {settings}; apply uses the model with it")));
    }
    lines.push(
        "Answer: a number uses a model; check and a number checks it; look looks for servers on this machine; url URL asks \
         one; an empty line closes."
            .to_owned(),
    );
    lines
}
