//! Which kinds of office documents a file can be read as.

use super::docx::{Document, Scope};
use super::odt::OpenDocument;
use super::pptx::Presentation;
use super::xlsx::Workbook;

/// A kind of office document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// A text document of Word.
    Word,
    /// A text of `OpenDocument`.
    OpenDocument,
    /// A workbook of Excel.
    Workbook,
    /// A presentation of `PowerPoint`.
    Presentation,
}

/// The kinds as which the bytes of a file can be read, by reading them as each, within the limits of the
/// readers.
pub fn document_kinds(bytes: &[u8]) -> Vec<DocumentKind> {
    let is_word = [Scope::All, Scope::Direct].map(|scope| Document::read(bytes, scope).is_ok());
    let kinds = [
        (is_word.contains(&true), DocumentKind::Word),
        (OpenDocument::read(bytes).is_ok(), DocumentKind::OpenDocument),
        (Workbook::read(bytes).is_ok(), DocumentKind::Workbook),
        (Presentation::read(bytes).is_ok(), DocumentKind::Presentation),
    ];
    kinds.into_iter().filter(|(is_read, _)| *is_read).map(|(_, kind)| kind).collect()
}
