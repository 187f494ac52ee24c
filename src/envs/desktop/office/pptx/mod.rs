//! Presentations of PowerPoint (ECMA-376, part 1, section 19): slides in their order, with shapes, texts and notes.

mod placeholder;
mod shape;
mod slide;
mod text;
mod theme;

pub(crate) use self::shape::{Frame, Shape, ShapeKind};
pub(crate) use self::slide::{Bullet, Slide};
pub(crate) use self::text::{RunFormat, TextParagraph, TextRun};
use super::relations::main_part;
use super::{Package, Relations, Unreadable};

/// A presentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presentation {
    /// The slides, as they are shown.
    pub(crate) slides: Vec<Slide>,
}

impl Presentation {
    /// Reads a presentation.
    ///
    /// # Errors
    /// It is damaged, hostile, or no presentation of PowerPoint.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let mut package = Package::open(bytes)?;
        let part = main_part(&mut package)?;
        let root = package.required(&part)?;
        if !root.is("p:presentation") {
            return Err(Unreadable::part(&part, "it is not a presentation"));
        }
        let relations = Relations::of(&mut package, &part)?;
        let mut layouts = slide::Layouts::new(root.child("p:defaultTextStyle").cloned());
        let mut slides = Vec::new();
        for id in root.child("p:sldIdLst").into_iter().flat_map(|list| list.children("p:sldId")) {
            let slide = id.attr("r:id").and_then(|id| relations.part(id));
            let slide = slide.ok_or_else(|| Unreadable::part(&part, "a slide has no part"))?;
            slides.push(Slide::read(slide, &mut package, &mut layouts)?);
        }
        Ok(Self { slides })
    }
}
