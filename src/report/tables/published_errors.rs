//! Published shares of episodes with invalid and repeated actions.

use super::ReportTables;
use super::errors::ERRORS_TITLE;
use super::published::{Column, NONE, agents, source_notes, title};
use crate::LEVEL_SET;
use crate::document::{Rows, Section, Table};
use mageyard_domain::{EnvironmentSpec, PublishedErrors};

impl ReportTables<'_> {
    /// The published IA and RA of the environments in the report, in the form of one's own table.
    pub(super) fn published_errors(&self) -> Option<Section> {
        let columns = self
            .published_columns(|published| published.errors.iter().map(|errors| errors.setting).collect());
        let errors = |spec: &'static dyn EnvironmentSpec| spec.capabilities().published.errors;
        let titles = [ERRORS_TITLE.to_owned(), LEVEL_SET.to_owned()].into_iter();
        let mut rows: Rows = vec![titles.chain(columns.iter().map(title)).collect()];
        for agent in agents(&columns, |spec| errors(spec).iter().map(|errors| errors.agent).collect()) {
            let cell = |(spec, setting): &Column| {
                let mut found = errors(*spec).iter().filter(|errors| errors.setting == *setting);
                let found = found.find(|errors| errors.agent == agent);
                found.map_or_else(|| NONE.to_owned(), errors_text)
            };
            let names = [agent.to_owned(), "mini".to_owned()].into_iter();
            rows.push(names.chain(columns.iter().map(cell)).collect());
        }
        let title = "Published invalid and repeated actions (MageBench, supplement, table 7)";
        let notes = source_notes(&columns);
        Section::table(title, false, Table { rows, names: 2 }).map(|section| section.with_notes(notes))
    }
}

/// `0.0/43.0 (passes only)`.
fn errors_text(errors: &PublishedErrors) -> String {
    let remark = errors.remark.map_or_else(String::new, |remark| format!(" ({remark})"));
    format!("{:.1}/{:.1}{remark}", errors.invalid, errors.repeated)
}
