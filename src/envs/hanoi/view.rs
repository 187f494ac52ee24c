//! The observation of a table: parts, text and facts, each made on first use.

use std::any::Any;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};

use super::painter::Painter;
use super::shown_as::{ShownAs, in_words};
use super::table::{Book, Region, Table};
use mageyard_domain::{ObservationPart, ObservationSource};

/// What every text of a table ends with.
pub(super) const LEGEND: &str = "A number is a size, 1 is the smallest.\nGoal: every book in region C.";

/// A table, and how it is shown.
#[derive(Clone)]
pub(super) struct TableView {
    pub(super) table: Table,
    pub(super) painter: Arc<Painter>,
    /// Whether the goal follows the table.
    pub(super) with_goal: bool,
    pub(super) shown: ShownAs,
}

impl TableView {
    /// The pictures of the table and of its goal, if that is shown.
    fn pictures(&self) -> impl Iterator<Item = ObservationPart> + '_ {
        let goal = self.with_goal.then(|| self.table.solved());
        let shown = [Some(self.table), goal].into_iter().flatten();
        shown
            .filter_map(|table| self.painter.frame(&table))
            .map(|picture| ObservationPart::Image(Arc::new(picture)))
    }

    /// The table as a text, and its goal as another if that is shown.
    fn texts(&self, table: String, write: fn(&Table) -> String) -> impl Iterator<Item = ObservationPart> {
        let goal = self.with_goal.then(|| format!("The goal:\n\n{}\n", write(&self.table.solved())));
        [Some(table), goal].into_iter().flatten().map(|text| ObservationPart::Text(text.into()))
    }
}

impl ObservationSource for TableView {
    fn parts(&self) -> Vec<ObservationPart> {
        match self.shown {
            ShownAs::Image | ShownAs::Large | ShownAs::Contrast => self.pictures().collect(),
            ShownAs::Text => self.texts(self.text(), table_text).collect(),
            ShownAs::ImageText => self.pictures().chain(self.texts(self.text(), table_text)).collect(),
            ShownAs::Words => {
                self.texts(format!("{}\n\n{LEGEND}\n", in_words(&self.table)), in_words).collect()
            }
        }
    }

    fn text(&self) -> String {
        format!("{}\n\n{LEGEND}\n", table_text(&self.table))
    }

    fn facts(&self) -> Value {
        let pile = |region| self.table.pile(region).rev().collect::<Vec<Book>>();
        json!({
            "board": self.table.to_string(),
            "books": self.table.count(),
            "regions": {"A": pile(Region::A), "B": pile(Region::B), "C": pile(Region::C)},
            "in_place": self.table.books_in_place(),
        })
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// The table in characters: a pile per region, a line per book.
fn table_text(table: &Table) -> String {
    let width = usize::from(table.count()) * 2 + 1;
    let piles = Region::ALL.map(|region| table.pile(region).rev().collect::<Vec<_>>());
    let mut rows = String::new();
    for level in (0..usize::from(table.count())).rev() {
        let row = piles.each_ref().map(|pile| {
            let book = pile.get(level).map(|book| book_text(*book)).unwrap_or_default();
            format!("{book:^width$}")
        });
        let _ = writeln!(rows, "{}", row.join("  ").trim_end());
    }
    rows + &Region::ALL.map(|region| format!("{:=^width$}", region.letter())).join("  ")
}

/// A book on its side: `[1]`, `[ 2 ]`, `[  3  ]`.
fn book_text(book: Book) -> String {
    format!("[{:^width$}]", book, width = usize::from(book) * 2 - 1)
}
