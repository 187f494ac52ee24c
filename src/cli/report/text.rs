//! Writes a report for the terminal.

use std::io;

use crate::output::Output;
use mageyard_report::document::{Block, Document, Section, Table};

pub(super) fn write(document: &Document, out: &mut Output) -> io::Result<()> {
    out.table(&[vec![document.common.clone()]])?;
    document.findings.iter().try_for_each(|finding| out.table(&[vec![finding.clone()]]))?;
    out.line("")?;
    document.sections.iter().try_for_each(|section| write_section(section, out))?;
    document.notes.iter().try_for_each(|note| out.table(&[vec![note.clone()]]))
}

fn write_section(section: &Section, out: &mut Output) -> io::Result<()> {
    if !section.explains_itself {
        out.table(&[vec![section.title.clone()]])?;
    }
    match &section.block {
        Block::Table(table) => write_table(table, out)?,
        Block::Map(map) => write_table(&map.to_table(), out)?,
        Block::Curves(curves) => write_table(&curves.to_table(), out)?,
    }
    section.notes.iter().try_for_each(|note| out.table(&[vec![note.clone()]]))?;
    out.line("")
}

fn write_table(table: &Table, out: &mut Output) -> io::Result<()> {
    out.column_blocks(&table.rows, table.names)
}
