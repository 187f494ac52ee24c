//! Questions about a table with answers that are computed.

use std::sync::atomic::AtomicBool;

use super::explanation::next_goals;
use super::shown_as::{in_words, shows_goal, table_of};
use super::table::{Book, Region, Table};
use super::view::LEGEND;
use super::{claims, misread};
use mageyard_domain::{Claim, Misreading, Observation, Probe, ProbeForm, ProbeKind, Probes};

const TOP: ProbeKind = ProbeKind { name: "top", summary: "which book is on top of each region" };
const COUNT: ProbeKind = ProbeKind { name: "count", summary: "how many books are in each region" };
const WHERE: ProbeKind =
    ProbeKind { name: "where", summary: "in which region the smallest and the largest book are" };
const BOTTOM: ProbeKind = ProbeKind { name: "bottom", summary: "which book is at the bottom of each region" };

/// The answer for a region without books.
const EMPTY: &str = "empty";

/// The questions of Book Hanoi.
#[derive(Debug)]
pub(super) struct TableProbes;

impl Probes for TableProbes {
    fn kinds(&self) -> &'static [ProbeKind] {
        &[TOP, BOTTOM, COUNT, WHERE]
    }

    fn subgoal(&self, seen: &Observation, _stop: &AtomicBool) -> Option<String> {
        next_goals(&table_of(seen).ok()?)
    }

    fn probes(&self, seen: &Observation, kind: &str, _seed: u64) -> Vec<Probe> {
        let Ok(table) = table_of(seen) else { return Vec::new() };
        let regions = Region::ALL.into_iter();
        match kind {
            "top" => regions.map(|region| end_probe(&table, region, TOP.name, table.top(region))).collect(),
            "bottom" => regions
                .map(|region| end_probe(&table, region, BOTTOM.name, table.pile(region).last()))
                .collect(),
            "count" => regions.map(|region| count_probe(&table, region)).collect(),
            "where" => {
                let books = [("smallest", 1), ("largest", table.count())];
                books.map(|(name, book)| where_probe(&table, name, book)).into()
            }
            _ => Vec::new(),
        }
    }

    fn in_words(&self, seen: &Observation) -> Option<String> {
        let table = table_of(seen).ok()?;
        let words = format!("{}\n\n{LEGEND}\n", in_words(&table));
        let goal = || format!("\nThe goal:\n\n{}\n", in_words(&table.solved()));
        Some(if shows_goal(seen) { words + &goal() } else { words })
    }

    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        table_of(seen).map_or_else(|_| Vec::new(), |table| claims::claims(&table, seen, analysis))
    }

    fn misreadings(&self) -> &'static [Misreading] {
        misread::MISREADINGS
    }

    fn misread(&self, seen: &Observation, misreading: &str) -> Option<Observation> {
        let table = table_of(seen).ok()?;
        let wrong = misread::misread(&table, misreading).filter(|wrong| *wrong != table)?;
        Some(misread::shown(wrong, shows_goal(seen)))
    }
}

/// A question about the book at one end of a pile.
fn end_probe(table: &Table, region: Region, kind: &str, book: Option<Book>) -> Probe {
    let end = if kind == TOP.name { "on top of" } else { "at the bottom of" };
    let books = (1..=table.count()).map(|book| book.to_string());
    Probe {
        kind: kind.to_owned(),
        about: region.letter().to_owned(),
        question: format!("Which book is {end} the pile in region {region}? 1 is the smallest book."),
        form: ProbeForm::Choice(books.chain([EMPTY.to_owned()]).collect()),
        right: book.map_or_else(|| EMPTY.to_owned(), |book| book.to_string()),
    }
}

fn count_probe(table: &Table, region: Region) -> Probe {
    Probe {
        kind: COUNT.name.to_owned(),
        about: region.letter().to_owned(),
        question: format!("How many books are in region {region}?"),
        form: ProbeForm::Number { least: 0, most: table.count().into() },
        right: table.pile(region).count().to_string(),
    }
}

fn where_probe(table: &Table, name: &str, book: Book) -> Probe {
    Probe {
        kind: WHERE.name.to_owned(),
        about: name.to_owned(),
        question: format!("In which region is the {name} book?"),
        form: ProbeForm::Choice(Region::ALL.map(|region| region.letter().to_owned()).into()),
        right: table.region_of(book).letter().to_owned(),
    }
}
