//! Text documents of Word (ECMA-376, part 1, section 17): paragraphs, tables, pictures and footers, with their formatting.

mod format;
mod paragraph;
mod section;
mod styles;
mod table;

use std::collections::HashMap;
use std::rc::Rc;

pub(crate) use self::format::{Alignment, LineSpacing, ParagraphFormat, TabStop, rgb};
pub(crate) use self::paragraph::Paragraph;
pub(crate) use self::section::Section;
use self::styles::Styles;
pub(crate) use self::table::Table;
use super::relations::main_part;
use super::{Element, Package, Relations, Unreadable};

/// Which parts of a text are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All that a reader sees, also in content controls, links, fields and insertions.
    All,
    /// What python-docx shows: the direct children of the body, runs of a paragraph without those in links.
    #[default]
    Direct,
}

/// A document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// The paragraphs outside of tables.
    pub(crate) paragraphs: Vec<Paragraph>,
    /// The tables.
    pub(crate) tables: Vec<Table>,
    /// The order of both.
    pub(crate) order: Vec<Block>,
    /// The sections; the last one too.
    pub(crate) sections: Vec<Section>,
    /// The bytes of the pictures: in the order of the text for [`Scope::All`], of the relations otherwise.
    pub(crate) pictures: Vec<Rc<[u8]>>,
}

/// What follows what in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// The next paragraph.
    Paragraph,
    /// The next table.
    Table,
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// It is damaged, hostile, or no document of Word.
    pub(crate) fn read(bytes: &[u8], scope: Scope) -> Result<Self, Unreadable> {
        let mut package = Package::open(bytes)?;
        let part = main_part(&mut package)?;
        let root = package.required(&part)?;
        let body =
            root.child("w:body").ok_or_else(|| Unreadable::part(&part, "it is not a text document"))?;
        let relations = Relations::of(&mut package, &part)?;
        let styles = Styles::read(&mut package, &relations)?;
        let mut document = Self::default();
        let reader = Reader { styles: &styles, scope };
        document.blocks(body, &reader);
        document.sections = section::read(body, &mut package, &relations, &reader)?;
        document.pictures = pictures(body, &mut package, &relations, scope)?;
        Ok(document)
    }

    /// All paragraphs, those in tables at their place.
    pub(crate) fn all_paragraphs(&self) -> Vec<&Paragraph> {
        let mut paragraphs = self.paragraphs.iter();
        let mut tables = self.tables.iter();
        let mut all = Vec::new();
        for block in &self.order {
            match block {
                Block::Paragraph => all.extend(paragraphs.next()),
                Block::Table => all.extend(tables.next().into_iter().flat_map(Table::paragraphs)),
            }
        }
        all
    }

    fn blocks(&mut self, parent: &Element, reader: &Reader<'_>) {
        for element in parent.elements() {
            if element.is("w:p") {
                self.paragraphs.push(Paragraph::read(element, reader));
                self.order.push(Block::Paragraph);
            } else if element.is("w:tbl") {
                self.tables.push(Table::read(element, reader));
                self.order.push(Block::Table);
            } else if reader.scope == Scope::All && wraps(element) {
                self.blocks(element, reader);
            }
        }
    }
}

/// What elements are read with.
#[derive(Clone, Copy)]
struct Reader<'a> {
    styles: &'a Styles,
    scope: Scope,
}

/// Whether an element only wraps what a reader sees. Deletions (`w:del`) do not.
fn wraps(element: &Element) -> bool {
    const WRAPPERS: &[&str] = &[
        "w:sdt",
        "w:sdtContent",
        "w:ins",
        "w:moveTo",
        "w:smartTag",
        "w:customXml",
        "w:hyperlink",
        "w:fldSimple",
    ];
    WRAPPERS.iter().any(|name| element.is(name))
}

fn pictures(
    body: &Element,
    package: &mut Package<'_>,
    relations: &Relations,
    scope: Scope,
) -> Result<Vec<Rc<[u8]>>, Unreadable> {
    let parts: Vec<&str> = match scope {
        Scope::Direct => relations.kind("image").collect(),
        Scope::All => {
            let blips = body.descendants("a:blip");
            blips.iter().filter_map(|blip| relations.part(blip.attr("r:embed")?)).collect()
        }
    };
    let mut cache: HashMap<&str, Rc<[u8]>> = HashMap::new();
    let mut pictures = Vec::new();
    for part in parts {
        if !cache.contains_key(part) {
            let bytes = package.bytes(part)?.ok_or_else(|| Unreadable::Missing(part.to_owned()))?;
            cache.insert(part, bytes.into());
        }
        pictures.extend(cache.get(part).cloned());
    }
    Ok(pictures)
}
