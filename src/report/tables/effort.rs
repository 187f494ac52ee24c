//! Time, tokens and money per step and per solved level.

use super::ReportTables;
use crate::Rates;
use crate::document::Section;

impl ReportTables<'_> {
    /// The table for the groups with steps.
    pub(super) fn effort(&self) -> Option<Section> {
        let requests = self.groups.values().any(|stats| stats.effort.has_requests());
        let mut titles = vec!["s/step", "s/solved"];
        let with_requests =
            ["tokens in/step", "out/step", "tokens in/solved", "out/solved", "cost/step", "cost/solved"];
        titles.extend(with_requests.into_iter().filter(|_| requests));
        let table = self.table(&titles, |_, stats| {
            let rates = [stats.effort.per_step()?.into(), stats.effort.per_solved_level()];
            let mut cells: Vec<String> = rates.iter().map(|rates| seconds(rates.as_ref())).collect();
            if requests {
                cells.extend(rates.iter().flat_map(|rates| tokens(rates.as_ref())));
                cells.extend(rates.iter().map(|rates| cost(rates.as_ref())));
            }
            Some(cells)
        });
        let note = "per solved: all that finished episodes took, divided by how often a level was solved";
        Section::table("Time, tokens and cost per step and per solved level", false, table)
            .map(|section| section.with_notes(vec![note.to_owned()]))
    }
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

fn seconds(rates: Option<&Rates>) -> String {
    or_dash(rates.map(|rates| format!("{:.1$}", rates.seconds, if rates.seconds < 0.1 { 5 } else { 3 })))
}

fn tokens(rates: Option<&Rates>) -> [String; 2] {
    let text = |tokens: fn(&Rates) -> Option<f64>| match rates {
        None => "–".to_owned(),
        Some(rates) => tokens(rates).map_or_else(|| "unknown".to_owned(), |tokens| format!("{tokens:.0}")),
    };
    [text(|rates| rates.tokens_in), text(|rates| rates.tokens_out)]
}

fn cost(rates: Option<&Rates>) -> String {
    let Some(rates) = rates else { return "–".to_owned() };
    let Some(costs) = &rates.costs else { return "unknown".to_owned() };
    let texts: Vec<String> = costs.iter().map(|(currency, cost)| format!("{cost:.5} {currency}")).collect();
    if texts.is_empty() { "–".to_owned() } else { texts.join(" + ") }
}
