//! Reads office documents: just what the handlers compare, from files that may be damaged or hostile.
//!
//! Nothing here writes, runs macros, follows a link outside the archive, or computes a formula.

pub(crate) mod docx;
mod error;
mod kinds;
pub(crate) mod odt;
mod package;
pub(crate) mod pptx;
mod relations;
pub(crate) mod xlsx;
mod xml;

pub(crate) use self::error::Unreadable;
pub use self::kinds::{DocumentKind, document_kinds};
pub(crate) use self::package::Package;
pub(crate) use self::relations::Relations;
pub(crate) use self::xml::{Element, Node};

/// A text for a sentence: in quotes, control characters escaped, cut after 80 characters.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("{cut:?}")
}

#[cfg(test)]
pub(crate) mod tests;
