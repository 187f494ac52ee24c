//! Workbooks of Excel (ECMA-376, part 1, section 18): values, frozen panes, charts and pivot tables.

mod cells;
mod charts;
mod formats;
mod pivots;

use std::collections::BTreeMap;

pub(crate) use self::cells::{Position, Value};
pub(crate) use self::charts::{Chart, Plot, Title};
use self::formats::Formats;
pub(crate) use self::pivots::{Pivot, PivotField};
use super::relations::main_part;
use super::{Element, Package, Relations, Unreadable};

/// A workbook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workbook {
    /// The sheets, in the order of their tabs.
    pub(crate) sheets: Vec<Sheet>,
}

/// A sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// Its name.
    pub(crate) name: String,
    /// The cells that have something.
    pub(crate) cells: BTreeMap<Position, Value>,
    /// The pane, if the sheet is split or frozen.
    pub(crate) pane: Option<Pane>,
    /// Its charts.
    pub(crate) charts: Vec<Chart>,
    /// Its pivot tables.
    pub(crate) pivots: Vec<Pivot>,
}

/// How a sheet is split.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pane {
    /// The first cell that scrolls, as shown when the file was saved.
    pub(crate) top_left: Option<String>,
    /// Columns that stay, if frozen.
    pub(crate) columns: f64,
    /// Rows that stay, if frozen.
    pub(crate) rows: f64,
    /// Whether it is frozen, not only split.
    pub(crate) frozen: bool,
}

impl Workbook {
    /// Reads a workbook.
    ///
    /// # Errors
    /// It is damaged, hostile, or no workbook of Excel.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let mut package = Package::open(bytes)?;
        let part = main_part(&mut package)?;
        let root = package.required(&part)?;
        let sheets = root.child("s:sheets").ok_or_else(|| Unreadable::part(&part, "it is not a workbook"))?;
        let relations = Relations::of(&mut package, &part)?;
        let strings = match relations.first("sharedStrings") {
            Some(part) => package.xml(part)?.map(|root| cells::shared_strings(&root)).unwrap_or_default(),
            None => Vec::new(),
        };
        let formats = match relations.first("styles") {
            Some(part) => package.xml(part)?.map(|root| Formats::read(&root)).unwrap_or_default(),
            None => Formats::default(),
        };
        let mut workbook = Self::default();
        for sheet in sheets.children("s:sheet") {
            let name = sheet.attr("name").unwrap_or_default();
            let target = sheet.attr("r:id").and_then(|id| relations.part(id));
            let target =
                target.ok_or_else(|| Unreadable::part(&part, format!("the sheet {name:?} has no part")))?;
            workbook.sheets.push(Sheet::read(name, target, &mut package, &strings, &formats)?);
        }
        Ok(workbook)
    }

    /// The sheet with a name.
    pub(crate) fn sheet(&self, name: &str) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.name == name)
    }
}

impl Sheet {
    fn read(
        name: &str,
        part: &str,
        package: &mut Package<'_>,
        strings: &[String],
        formats: &Formats,
    ) -> Result<Self, Unreadable> {
        let root = package.required(part)?;
        let relations = Relations::of(package, part)?;
        Ok(Self {
            name: name.to_owned(),
            cells: cells::read(&root, strings, formats).map_err(|reason| Unreadable::part(part, reason))?,
            pane: root.at(&["s:sheetViews", "s:sheetView", "s:pane"]).map(pane),
            charts: charts::read(package, &relations)?,
            pivots: pivots::read(package, &relations)?,
        })
    }
}

fn pane(pane: &Element) -> Pane {
    let split = |name| pane.attr(name).and_then(|count| count.parse().ok()).unwrap_or(0.0);
    Pane {
        top_left: pane.attr("topLeftCell").map(str::to_owned),
        columns: split("xSplit"),
        rows: split("ySplit"),
        frozen: matches!(pane.attr("state"), Some("frozen" | "frozenSplit")),
    }
}
