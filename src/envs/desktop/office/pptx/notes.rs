//! The notes of a slide.

use super::text;
use crate::office::{Package, Relations, Unreadable};

/// The notes of a slide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notes {
    /// The slide has none.
    Missing,
    /// There is a page for notes, without a place for text.
    NoPlaceholder,
    /// The text.
    Text(String),
}

pub(super) fn read(package: &mut Package<'_>, relations: &Relations) -> Result<Notes, Unreadable> {
    let Some(part) = relations.first("notesSlide") else { return Ok(Notes::Missing) };
    let root = package.required(part)?;
    let tree = root.at(&["p:cSld", "p:spTree"]);
    let tree = tree.ok_or_else(|| Unreadable::part(part, "it is not a page of notes"))?;
    let body = tree.children("p:sp").find(|shape| {
        let placeholder = shape.at(&["p:nvSpPr", "p:nvPr", "p:ph"]);
        placeholder.is_some_and(|placeholder| placeholder.attr("type") == Some("body"))
    });
    let Some(body) = body else { return Ok(Notes::NoPlaceholder) };
    let text = body.child("p:txBody").map(text::plain).unwrap_or_default();
    Ok(Notes::Text(text))
}
