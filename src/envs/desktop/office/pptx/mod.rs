//! Presentations of `PowerPoint` (ECMA-376, part 1, sections 19 and 21): slides with shapes, text, tables and pictures, what they
//! inherit from layouts, masters and themes, backgrounds, and notes.

mod background;
mod color;
mod format;
mod frame;
mod layout;
mod list;
mod mark;
mod notes;
mod shape;
mod text;
mod theme;

use std::collections::HashMap;
use std::rc::Rc;

pub(crate) use self::color::Paint;
pub(crate) use self::format::{Bullet, BulletColor, RunFormat};
pub(crate) use self::frame::Frame;
use self::layout::Layouts;
pub(crate) use self::mark::Mark;
use self::mark::Places;
pub(crate) use self::notes::Notes;
pub(crate) use self::shape::{Kind, Shape};
pub(crate) use self::text::{Paragraph, Run, RunKind};
use super::relations::main_part;
use super::{Element, Package, Relations, Unreadable};

/// What is read of a presentation at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Slides.
    pub(crate) slides: usize,
    /// Elements of all slides together; a part that is shown twice counts twice.
    pub(crate) elements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slides: 5_000, elements: 1_000_000 }
    }
}

/// A presentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presentation {
    /// The size of all slides; left and top are not set.
    pub(crate) size: Frame,
    /// The slides, in the order in which they are shown.
    pub(crate) slides: Vec<Slide>,
}

/// A slide.
#[derive(Clone, Debug)]
pub(crate) struct Slide {
    /// The shapes, the lowest first.
    pub(crate) shapes: Vec<Shape>,
    /// What is at each paragraph of the part itself, groups and tables included.
    pub(crate) marks: Vec<Mark>,
    /// What fills the slide, also if its layout or master says so; `None` if nothing is said.
    pub(crate) background: Option<Paint>,
    /// The notes.
    pub(crate) notes: Notes,
}

/// Pictures by the names of their parts.
type Pictures = HashMap<String, Rc<[u8]>>;

/// What the shapes of a slide are read with.
struct Reader<'a> {
    layout: &'a layout::Layout,
    relations: &'a Relations,
    pictures: &'a Pictures,
    places: &'a Places,
}

impl Presentation {
    /// Reads a presentation.
    ///
    /// # Errors
    /// It is damaged, hostile, or no presentation of `PowerPoint`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        Self::read_within(bytes, Limits::default())
    }

    /// Reads a presentation with limits of its own.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(crate) fn read_within(bytes: &[u8], limits: Limits) -> Result<Self, Unreadable> {
        let mut package = Package::open(bytes)?;
        let part = main_part(&mut package)?;
        let root = package.required(&part)?;
        if !root.is("p:presentation") {
            return Err(Unreadable::part(&part, "it is not a presentation"));
        }
        let relations = Relations::of(&mut package, &part)?;
        let size = frame::size(root.child("p:sldSz")).map_err(|reason| Unreadable::part(&part, reason))?;
        let mut layouts = Layouts::new(&root, &part)?;
        let mut pictures = Pictures::new();
        let mut presentation = Self { size, slides: Vec::new() };
        let mut elements = 0;
        for target in targets(&root, &part, &relations, limits.slides)? {
            let root = package.required(target)?;
            elements += root.count();
            if elements > limits.elements {
                let reason = format!("the slides have more than {} elements", limits.elements);
                return Err(Unreadable::part(target, reason));
            }
            let slide = Slide::read(&root, target, &mut package, &mut layouts, &mut pictures)?;
            presentation.slides.push(slide);
        }
        Ok(presentation)
    }
}

fn targets<'a>(
    root: &Element,
    part: &str,
    relations: &'a Relations,
    limit: usize,
) -> Result<Vec<&'a str>, Unreadable> {
    let slides: Vec<&Element> =
        root.child("p:sldIdLst").into_iter().flat_map(|list| list.children("p:sldId")).collect();
    if slides.len() > limit {
        return Err(Unreadable::part(part, format!("it has more than {limit} slides")));
    }
    let target = |slide: &&Element| slide.attr("r:id").and_then(|id| relations.part(id));
    let missing = || Unreadable::part(part, "a slide has no part");
    slides.iter().map(|slide| target(slide).ok_or_else(missing)).collect()
}

impl Slide {
    fn read(
        root: &Element,
        part: &str,
        package: &mut Package<'_>,
        layouts: &mut Layouts,
        pictures: &mut Pictures,
    ) -> Result<Self, Unreadable> {
        let tree = root.at(&["p:cSld", "p:spTree"]);
        let tree = tree.ok_or_else(|| Unreadable::part(part, "it is not a slide"))?;
        let relations = Relations::of(package, part)?;
        let layout = layouts.of_slide(package, &relations)?;
        load_pictures(root, &relations, package, pictures)?;
        let damaged = |reason: String| Unreadable::part(part, reason);
        let (marks, places) = mark::read(root).map_err(damaged)?;
        let reader = Reader { layout: &layout, relations: &relations, pictures, places: &places };
        let shapes = shape::read_all(tree, &reader).map_err(damaged)?;
        let own = background::read(root, layout.theme(), &relations).map_err(damaged)?;
        let background = own.or_else(|| layout.background.clone());
        let notes = notes::read(package, &relations)?;
        Ok(Self { shapes, marks, background, notes })
    }
}

fn load_pictures(
    root: &Element,
    relations: &Relations,
    package: &mut Package<'_>,
    pictures: &mut Pictures,
) -> Result<(), Unreadable> {
    for blip in root.descendants("a:blip") {
        let Some(part) = blip.attr("r:embed").and_then(|id| relations.part(id)) else { continue };
        if !pictures.contains_key(part) {
            let bytes = package.bytes(part)?.ok_or_else(|| Unreadable::Missing(part.to_owned()))?;
            pictures.insert(part.to_owned(), bytes.into());
        }
    }
    Ok(())
}
