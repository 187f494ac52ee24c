//! Tables.

use std::rc::Rc;

use super::{Paragraph, Reader, Scope, wraps};
use crate::office::Element;

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// How many columns its grid has.
    pub(crate) columns: usize,
    /// Its rows.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Its paragraphs.
    pub(crate) paragraphs: Vec<Paragraph>,
    /// How many columns it has.
    span: usize,
    /// Whether it belongs to the cell above.
    continues: bool,
}

impl Cell {
    /// The paragraphs, one a line.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect();
        texts.join("\n")
    }

    fn read(element: &Element, reader: &Reader<'_>) -> Self {
        let properties = element.child("w:tcPr");
        let value = |name: &'static str| properties?.child(name)?.attr("w:val");
        let merge = properties.and_then(|properties| properties.child("w:vMerge"));
        let mut cell = Self {
            span: value("w:gridSpan").and_then(|span| span.parse().ok()).unwrap_or(1),
            continues: merge.is_some_and(|merge| merge.attr("w:val") != Some("restart")),
            paragraphs: Vec::new(),
        };
        cell.paragraphs(element, reader);
        cell
    }

    fn paragraphs(&mut self, parent: &Element, reader: &Reader<'_>) {
        for element in parent.elements() {
            if element.is("w:p") {
                self.paragraphs.push(Paragraph::read(element, reader));
            } else if reader.scope == Scope::All && (wraps(element) || inner_table(element)) {
                self.paragraphs(element, reader);
            }
        }
    }
}

/// The levels of a table in a cell: its text belongs to the cell for a reader.
fn inner_table(element: &Element) -> bool {
    ["w:tbl", "w:tr", "w:tc"].iter().any(|name| element.is(name))
}

impl Table {
    pub(super) fn read(element: &Element, reader: &Reader<'_>) -> Self {
        let grid = element.child("w:tblGrid");
        let columns = grid.map_or(0, |grid| grid.children("w:gridCol").count());
        let mut rows = Vec::new();
        collect(element, "w:tr", reader.scope, &mut |row| {
            let mut cells = Vec::new();
            collect(row, "w:tc", reader.scope, &mut |cell| cells.push(Cell::read(cell, reader)));
            rows.push(cells);
        });
        Self { columns, rows }
    }

    /// The texts of the cells by rows and columns of the grid: a merged cell is at each of its places
    /// that the grid has.
    pub(crate) fn grid(&self) -> Vec<Vec<Rc<str>>> {
        let mut grid: Vec<Vec<Rc<str>>> = Vec::new();
        for cells in &self.rows {
            let mut row: Vec<Rc<str>> = Vec::new();
            for cell in cells {
                let above = grid.last().and_then(|above| above.get(row.len())).filter(|_| cell.continues);
                let text = above.cloned().unwrap_or_else(|| cell.text().into());
                let span = cell.span.min(self.columns.saturating_sub(row.len())).max(1);
                row.extend(std::iter::repeat_n(text, span));
            }
            grid.push(row);
        }
        grid
    }

    /// The paragraphs in its cells.
    pub(crate) fn paragraphs(&self) -> impl Iterator<Item = &Paragraph> {
        self.rows.iter().flatten().flat_map(|cell| &cell.paragraphs)
    }
}

fn collect(parent: &Element, name: &str, scope: Scope, take: &mut dyn FnMut(&Element)) {
    for element in parent.elements() {
        if element.is(name) {
            take(element);
        } else if scope == Scope::All && wraps(element) {
            collect(element, name, scope, take);
        }
    }
}
