//! The published figures of `WebCanvas` (arXiv 2406.12373) and of its leaderboard, on the 104 tasks of the test set of
//! Mind2Web-Live. The rows of its tables 2, 8 and 9 that are not here were not legible to us.

use mageyard_domain::{PublishedColumn, PublishedTable};

/// How what is shipped here differs.
pub const DEVIATIONS: &str = "tasks on sites of our own, or those of the file that was given; pages of today";

const ALL: &[PublishedColumn] = &[PublishedColumn { title: "all tasks", levels: &[] }];

/// The published tables, in the order of the paper.
pub const TABLES: &[PublishedTable] = &[
    table(
        "Mind2Web-Live test, key node completion in % (WebCanvas, table 2 and leaderboard)",
        "completion",
        COMPLETION,
    ),
    table("Mind2Web-Live test, task success in % (WebCanvas, table 2 and leaderboard)", "success", SUCCESS),
    table("Mind2Web-Live test, US dollars for each node that was met (WebCanvas)", "usd_efficiency", COST),
    table(
        "gpt-3.5-0125 by place and browser, completion in % (WebCanvas)",
        "completion",
        COMPLETION_BY_PLACE,
    ),
    table("gpt-3.5-0125 by place and browser, success in % (WebCanvas)", "success", SUCCESS_BY_PLACE),
    table(
        "gpt-3.5-0125 by place and browser, efficiency score, lower is better (WebCanvas)",
        "efficiency_with_zeros",
        EFFICIENCY_BY_PLACE,
    ),
];

const fn table(
    title: &'static str,
    measure: &'static str,
    rows: &'static [(&'static str, &'static [f64])],
) -> PublishedTable {
    PublishedTable { title, measure, levels: None, option: None, columns: ALL, rows }
}

const COMPLETION: &[(&str, &[f64])] = &[
    ("GPT-4-0125", &[48.8]),
    ("Claude-3-Sonnet", &[47.9]),
    ("GPT-4o", &[47.6]),
    ("GPT-4-turbo", &[44.3]),
    ("SeeAct-V, GPT-4", &[50.7]),
    ("SeeAct-V, GPT-4o", &[50.8]),
    ("WebDreamer, GPT-4o", &[49.9]),
    ("GPT-4o-0513", &[51.4]),
    ("Llama-3.1-405B", &[47.8]),
    ("GPT-4o-mini", &[42.9]),
];

const SUCCESS: &[(&str, &[f64])] = &[
    ("GPT-4-0125", &[23.1]),
    ("Claude-3-Sonnet", &[22.1]),
    ("GPT-4o", &[22.1]),
    ("GPT-4-turbo", &[21.1]),
    ("SeeAct-V, GPT-4", &[23.1]),
    ("SeeAct-V, GPT-4o", &[19.2]),
    ("WebDreamer, GPT-4o", &[25.0]),
    ("AGUVIS-72B", &[27.1]),
    ("GPT-4o-0513", &[28.8]),
    ("Llama-3.1-405B", &[24.0]),
    ("GPT-4o-mini", &[21.2]),
];

const COST: &[(&str, &[f64])] =
    &[("GPT-4o-0513", &[0.142]), ("Llama-3.1-405B", &[0.174]), ("GPT-4o-mini", &[0.004])];

const COMPLETION_BY_PLACE: &[(&str, &[f64])] = &[
    ("United States, Windows, Chrome", &[40.2]),
    ("United States, Windows, Firefox", &[42.1]),
    ("United States, Linux", &[36.5]),
    ("United Kingdom", &[23.6]),
    ("Singapore", &[42.3]),
];

const SUCCESS_BY_PLACE: &[(&str, &[f64])] = &[
    ("United States, Windows, Chrome", &[16.5]),
    ("United States, Windows, Firefox", &[20.2]),
    ("United States, Linux", &[15.4]),
    ("United Kingdom", &[8.65]),
    ("Singapore", &[21.2]),
];

const EFFICIENCY_BY_PLACE: &[(&str, &[f64])] = &[
    ("United States, Windows, Chrome", &[3.03]),
    ("United States, Windows, Firefox", &[2.79]),
    ("United States, Linux", &[3.33]),
    ("United Kingdom", &[7.78]),
    ("Singapore", &[2.95]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::MEASURES;

    #[test]
    fn every_row_has_a_value_for_each_column_of_a_known_measure() {
        for table in TABLES {
            assert!(MEASURES.iter().any(|measure| measure.name == table.measure), "{}", table.title);
            assert!(
                table.rows.iter().all(|(_, values)| values.len() == table.columns.len()),
                "{}",
                table.title
            );
            let mut names: Vec<&str> = table.rows.iter().map(|(name, _)| *name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.rows.len(), "{}", table.title);
        }
    }
}
