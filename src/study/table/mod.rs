//! The table of a study as people read it: what a verb prints, what the screen draws and what its lines say. Numbers are
//! formatted here once; the statistics are made where the study is.

mod words;

use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use self::words::{
    MOST_LINES, compared_line, compared_lines, comparison_lines, pair_of_variants, struck_line, tokens_cell,
};
pub use self::words::{percent, share_words};
use crate::StudySort;
use mageyard_domain::{Rating, Reply};
use mageyard_statistics::Share;

/// A cell without a value.
pub(crate) const NONE: &str = "–";

/// A study as people read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyTable {
    /// What it makes.
    pub sort: StudySort,
    /// The name of an ask for replies: a digest.
    pub id: String,
    /// The folder that the replies are stored in.
    pub folder: PathBuf,
    /// What is asked, in one line.
    pub title: String,
    /// What is asked, what cannot be, and what counts.
    pub head: Vec<String>,
    /// What the cells of the rows are.
    pub columns: Vec<Column>,
    /// What is compared, in the order in which it is shown.
    pub rows: Vec<StudyRow>,
    /// The share of accepted answers by category, the titles first; empty without categories.
    pub categories: Vec<Vec<String>>,
    /// The comparisons, the notes about the server, and the digests.
    pub tail: Vec<String>,
    /// The states of a suite, those in which the variants differ most first.
    pub states: Vec<ComparedState>,
    /// In how many of them the answers differ.
    pub differing: usize,
    /// What is missing of the calls about a suite, and what was changed.
    pub end: Vec<String>,
    /// The replies that are there, or the branches that are over.
    pub done: usize,
    /// The calls or the branches of the complete study; the most that a search for a step needs.
    pub all: usize,
    /// The step that lost the episode, once it is found.
    pub blamed: Option<u32>,
}

/// What the cells of a column are, and how one is said where there are no columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The title.
    pub title: String,
    said: Said,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// Not: it is part of the name of the row, or drawn as bars.
    Apart,
    /// `5 replies`.
    Before,
    /// `cost 0.1 USD`.
    After,
    /// Only the cell.
    Alone,
}

impl Column {
    /// A part of the name of the row, or what is drawn as bars.
    pub fn apart(title: impl Into<String>) -> Self {
        Self { title: title.into(), said: Said::Apart }
    }

    /// A number of something: `5 replies`.
    pub fn count(title: impl Into<String>) -> Self {
        Self { title: title.into(), said: Said::Before }
    }

    /// A figure with a name: `cost 0.1 USD`.
    pub fn figure(title: impl Into<String>) -> Self {
        Self { title: title.into(), said: Said::After }
    }

    /// What needs no title.
    pub fn alone(title: impl Into<String>) -> Self {
        Self { title: title.into(), said: Said::Alone }
    }

    fn said(&self, cell: &str) -> Option<String> {
        let title = &self.title;
        match self.said {
            _ if cell.is_empty() || cell == NONE => None,
            Said::Apart => None,
            Said::Before => Some(format!("{cell} {title}")),
            Said::After => Some(format!("{title} {cell}")),
            Said::Alone => Some(cell.to_owned()),
        }
    }
}

/// What a variant answered, or what playing on from a step led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyRow {
    /// The number of the variant, from 1; that of the step if a step is looked for.
    pub number: usize,
    /// What it is: prompt, window and model, what is left out, or where it begins.
    pub name: String,
    /// A cell for each column.
    pub cells: Vec<String>,
    /// Its answers, the most frequent first.
    pub answers: Vec<AnswerBar>,
    /// Its calls, or its branches, in order.
    pub samples: Vec<Arc<Sample>>,
}

/// How often an answer was given.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerBar {
    /// The action, or that the reply cannot be read.
    pub answer: String,
    /// Its share, from 0 to 1, and the ends of its interval.
    pub share: [f64; 3],
    /// The share and its interval in words.
    pub words: String,
    /// What the answer is: the action that was taken, that of the oracle, the target.
    pub notes: String,
}

impl AnswerBar {
    /// The bar of a share.
    pub(crate) fn of(answer: &str, share: Share, notes: String) -> Self {
        let ends = share.interval.map_or((0.0, 0.0), |ends| (ends.low, ends.high));
        Self {
            answer: answer.to_owned(),
            share: [share.value().unwrap_or_default(), ends.0, ends.1],
            words: share_words(share),
            notes,
        }
    }
}

/// A call and what came back, or a branch and how it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Its number, from 1.
    pub number: u32,
    /// The action, or how a branch ended; `None` for a reply that cannot be read, and if there is none.
    pub answer: Option<String>,
    /// The reply with its thoughts; `None` if the call failed.
    pub text: Option<String>,
    /// The reply as it came; `None` if the call failed.
    pub reply: Option<Reply>,
    /// Tokens, time, and what went wrong.
    pub facts: Vec<String>,
    /// The branch, if one is played on instead of a call.
    pub branch: Option<PlayedBranch>,
    /// What a person thinks of it.
    pub rating: Option<Rating>,
    /// Whether its answer counts; `None` without a target, and if there is no reply.
    pub meets_target: Option<bool>,
}

/// A branch that is played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBranch {
    /// Its journal.
    pub journal: PathBuf,
    /// Whether it is over.
    pub is_over: bool,
}

/// A state of a suite with the answers of each variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedState {
    /// Its number in the suite, from 1.
    pub number: usize,
    /// Its category and why it is in the suite.
    pub title: String,
    /// The step that opens it.
    pub address: String,
    /// The journal of this step.
    pub journal: PathBuf,
    /// Its number, from 1.
    pub step: u32,
    /// Which answers are right, and which are the known mistake.
    pub facts: Vec<String>,
    /// The answers of each variant, in order.
    pub variants: Vec<VariantAnswers>,
}

impl ComparedState {
    /// The answers of all variants in one line.
    pub fn answers(&self) -> String {
        let of = (1..).zip(&self.variants).map(|(number, found)| format!("{number}: {}", found.summary));
        of.collect::<Vec<_>>().join("   ")
    }
}

/// What a variant answered to a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariantAnswers {
    /// Its answers with their numbers.
    pub summary: String,
    /// Its calls, in order.
    pub samples: Vec<Arc<Sample>>,
}

impl StudyTable {
    /// The titles, and the cells of all rows.
    pub fn cells(&self) -> Vec<Vec<String>> {
        let titles = self.columns.iter().map(|column| column.title.clone()).collect();
        std::iter::once(titles).chain(self.rows.iter().map(|row| row.cells.clone())).collect()
    }

    /// The figures of a row in words, without its name and its answers.
    pub fn facts(&self, row: &StudyRow) -> Vec<String> {
        self.columns.iter().zip(&row.cells).filter_map(|(column, cell)| column.said(cell)).collect()
    }

    /// The cell of a row in the column of this title, if there is one with a value.
    pub fn figure<'a>(&self, row: &'a StudyRow, title: &str) -> Option<&'a str> {
        let index = self.columns.iter().position(|column| column.title == title)?;
        row.cells.get(index).map(String::as_str).filter(|cell| !cell.is_empty() && *cell != NONE)
    }

    /// The figures with a column for each row, and below them those of the categories.
    pub fn turned(&self) -> Vec<Vec<String>> {
        let numbers = self.rows.iter().map(|row| format!("variant {}", row.number));
        let mut turned = vec![std::iter::once(String::new()).chain(numbers).collect::<Vec<_>>()];
        let figures = self.columns.iter().enumerate().filter(|(_, column)| column.said != Said::Apart);
        turned.extend(figures.map(|(index, column)| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(index));
            // Each variant has a narrow column of its own.
            let cells = cells.map(|cell| cell.replace(" tokens in", " in"));
            std::iter::once(column.title.clone()).chain(cells).collect()
        }));
        turned.extend(self.categories.iter().enumerate().map(category_row));
        turned
    }
}

/// A row of the categories. The first one is their heading, and its cells are the titles of the columns again.
fn category_row((index, row): (usize, &Vec<String>)) -> Vec<String> {
    let mut row = row.clone();
    if index == 0 {
        row.truncate(1);
    } else if let Some(name) = row.first_mut() {
        *name = format!("  {name}");
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StudyTable {
        let row = |number: usize, cells: [&str; 5]| StudyRow {
            number,
            cells: cells.map(str::to_owned).to_vec(),
            ..StudyRow::default()
        };
        StudyTable {
            columns: vec![
                Column::apart("prompt"),
                Column::count("replies"),
                Column::figure("cost"),
                Column::alone("tokens"),
                Column::figure("score"),
            ],
            rows: vec![
                row(1, ["A", "5", "–", "12 tokens in, 3 out", ""]),
                row(2, ["B", "4", "1 USD", "–", "7"]),
            ],
            categories: [["accepted in", "variant 1"], ["walls", "60 %"]]
                .map(|row| row.map(str::to_owned).to_vec())
                .to_vec(),
            ..StudyTable::default()
        }
    }

    #[test]
    fn a_figure_is_said_with_its_title_and_one_that_is_not_known_is_left_out() {
        let table = table();
        assert_eq!(table.facts(&table.rows[0]), ["5 replies", "12 tokens in, 3 out"]);
        assert_eq!(table.facts(&table.rows[1]), ["4 replies", "cost 1 USD", "score 7"]);
        assert_eq!(table.cells()[0], ["prompt", "replies", "cost", "tokens", "score"]);
    }

    #[test]
    fn the_turned_table_has_a_column_for_each_variant_and_the_categories_below() {
        let turned = table().turned();
        assert_eq!(turned[0], ["", "variant 1", "variant 2"]);
        assert_eq!(turned[1], ["replies", "5", "4"]);
        assert_eq!(turned[3], ["tokens", "12 in, 3 out", "–"]);
        assert_eq!(
            &turned[5..],
            [vec!["accepted in".to_owned()], vec!["  walls".to_owned(), "60 %".to_owned()]]
        );
    }
}
