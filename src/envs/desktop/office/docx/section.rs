//! Sections: the size of their pages, and their footers.

use super::format::twips;
use super::{Document, Paragraph, Reader};
use crate::office::{Element, Package, Relations, Unreadable};

/// A section.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// The width of the page, in twips.
    pub(crate) page_width: Option<f64>,
    /// The left margin, in twips.
    pub(crate) left_margin: Option<f64>,
    /// The right margin, in twips.
    pub(crate) right_margin: Option<f64>,
    /// The paragraphs of the footer of most pages; that of the section before if this one has none of its own.
    pub(crate) footer: Vec<Paragraph>,
}

impl Section {
    /// The width of the text, in twips.
    pub(crate) fn text_width(&self) -> Option<f64> {
        Some(self.page_width? - self.left_margin? - self.right_margin?)
    }
}

pub(super) fn read(
    body: &Element,
    package: &mut Package<'_>,
    relations: &Relations,
    reader: &Reader<'_>,
) -> Result<Vec<Section>, Unreadable> {
    let mut sections: Vec<Section> = Vec::new();
    for properties in properties(body) {
        let mut footer = sections.last().map(|section| section.footer.clone()).unwrap_or_default();
        if let Some(part) = footer_part(properties, relations) {
            footer = footer_of(&package.required(part)?, reader);
        }
        let measure =
            |element: &'static str, name: &str| properties.child(element)?.attr(name).and_then(twips);
        sections.push(Section {
            page_width: measure("w:pgSz", "w:w"),
            left_margin: measure("w:pgMar", "w:left").or_else(|| measure("w:pgMar", "w:start")),
            right_margin: measure("w:pgMar", "w:right").or_else(|| measure("w:pgMar", "w:end")),
            footer,
        });
    }
    Ok(sections)
}

/// The properties of the sections, without the former ones in them of a tracked change (section 17.13.5.32).
fn properties(parent: &Element) -> Vec<&Element> {
    let inside = |element| {
        if Element::is(element, "w:sectPr") { vec![element] } else { properties(element) }
    };
    parent.elements().flat_map(inside).collect()
}

fn footer_part<'a>(properties: &Element, relations: &'a Relations) -> Option<&'a str> {
    let mut references = properties.children("w:footerReference");
    let default = references.find(|reference| matches!(reference.attr("w:type"), None | Some("default")))?;
    relations.part(default.attr("r:id")?)
}

fn footer_of(root: &Element, reader: &Reader<'_>) -> Vec<Paragraph> {
    let mut footer = Document::default();
    footer.blocks(root, reader);
    let cells = footer.tables.into_iter().flat_map(|table| table.rows).flatten();
    let in_tables: Vec<Paragraph> = cells.flat_map(|cell| cell.paragraphs).collect();
    footer.paragraphs.into_iter().chain(in_tables).collect()
}
