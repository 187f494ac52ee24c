//! Slides, with the layouts and masters that they inherit from.

use std::collections::HashMap;
use std::rc::Rc;

use super::placeholder::{Parents, Placeholder};
use super::shape::Shape;
use super::text::{self, TextParagraph};
use super::theme::Theme;
use crate::office::{Element, Package, Relations, Unreadable};

/// A slide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slide {
    /// The shapes, the lowest first.
    pub(crate) shapes: Vec<Shape>,
    /// The background that it has: a color, or what else fills it.
    pub(crate) background: Option<String>,
    /// The notes; `None` without a page of notes.
    pub(crate) notes: Option<Notes>,
    /// All paragraphs that have text, as the released code lists bullets.
    pub(crate) bullets: Vec<Bullet>,
    /// Whether a run has no text, at which the released code ends with an error.
    pub(crate) empty_run: bool,
}

/// The notes of a slide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The text; `None` if the page has no place for it.
    pub(crate) text: Option<String>,
}

/// A paragraph as the released code compares bullets: what is said at the paragraph itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bullet {
    /// The level, as the file has it.
    pub(crate) level: Option<String>,
    /// The character of the bullet.
    pub(crate) character: Option<String>,
    /// The text.
    pub(crate) text: String,
    /// The color of the bullet.
    pub(crate) color: Option<String>,
}

/// The layouts that were read already, by the name of their part.
pub(super) struct Layouts {
    read: HashMap<String, Rc<Layout>>,
    default_text: Option<Element>,
}

struct Layout {
    parents: Parents,
    theme: Theme,
}

impl Layouts {
    pub(super) fn new(default_text: Option<Element>) -> Self {
        Self { read: HashMap::new(), default_text }
    }

    fn of(&mut self, slide: &Relations, package: &mut Package<'_>) -> Result<Rc<Layout>, Unreadable> {
        let part = slide.first("slideLayout").ok_or_else(|| Unreadable::Missing("slideLayout".to_owned()))?;
        if let Some(layout) = self.read.get(part) {
            return Ok(Rc::clone(layout));
        }
        let layout = package.required(part)?;
        let relations = Relations::of(package, part)?;
        let master =
            relations.first("slideMaster").ok_or_else(|| Unreadable::Missing("slideMaster".to_owned()))?;
        let theme_part = Relations::of(package, master)?.first("theme").map(str::to_owned);
        let master = package.required(master)?;
        let theme = match theme_part {
            Some(part) => package.xml(&part)?,
            None => None,
        };
        let theme = Theme::read(theme.as_ref(), &master);
        let parents = Parents { layout: Some(layout), master, default_text: self.default_text.clone() };
        let layout = Rc::new(Layout { parents, theme });
        self.read.insert(part.to_owned(), Rc::clone(&layout));
        Ok(layout)
    }
}

impl Slide {
    pub(super) fn read(
        part: &str,
        package: &mut Package<'_>,
        layouts: &mut Layouts,
    ) -> Result<Self, Unreadable> {
        let root = package.required(part)?;
        let relations = Relations::of(package, part)?;
        let layout = layouts.of(&relations, package)?;
        let tree = root.at(&["p:cSld", "p:spTree"]);
        let tree = tree.ok_or_else(|| Unreadable::part(part, "it is not a slide"))?;
        let paragraphs = root.descendants("a:p");
        let texts = root.descendants("a:t");
        Ok(Self {
            shapes: Shape::all(tree, &layout.parents, &layout.theme),
            background: background(&root, &layout),
            notes: notes(package, &relations)?,
            bullets: paragraphs
                .into_iter()
                .map(bullet)
                .filter(|bullet| !bullet.text.trim().is_empty())
                .collect(),
            empty_run: texts.iter().any(|text| text.text().is_empty()),
        })
    }
}

fn background(slide: &Element, layout: &Layout) -> Option<String> {
    let roots = [Some(slide), layout.parents.layout.as_ref(), Some(&layout.parents.master)];
    let found = roots.into_iter().flatten().find_map(|root| root.at(&["p:cSld", "p:bg"]))?;
    let element = found.elements().next()?;
    if element.is("p:bgRef") {
        return layout.theme.color(element);
    }
    let fill = element.elements().next()?;
    if fill.is("a:solidFill") { layout.theme.color(fill) } else { Some(fill.local().to_owned()) }
}

fn notes(package: &mut Package<'_>, relations: &Relations) -> Result<Option<Notes>, Unreadable> {
    let Some(part) = relations.first("notesSlide") else { return Ok(None) };
    let root = package.required(part)?;
    let shapes = root.at(&["p:cSld", "p:spTree"]);
    let mut shapes = shapes.into_iter().flat_map(Element::elements);
    let is_body =
        |shape: &&Element| Placeholder::of(shape).is_some_and(|placeholder| placeholder.kind == "body");
    let body = shapes.find(is_body).and_then(|shape| shape.child("p:txBody"));
    let paragraphs: Option<Vec<TextParagraph>> = body.map(|body| text::read(body, &[], &Theme::default()));
    Ok(Some(Notes { text: paragraphs.as_deref().map(text::joined) }))
}

fn bullet(paragraph: &Element) -> Bullet {
    let properties = paragraph.child("a:pPr");
    let attribute = |child: &'static str, name: &str| properties?.child(child)?.attr(name).map(str::to_owned);
    let color = properties.and_then(|properties| properties.at(&["a:buClr", "a:srgbClr"])?.attr("val"));
    Bullet {
        level: properties.map(|properties| properties.attr("lvl").unwrap_or_default().to_owned()),
        character: attribute("a:buChar", "char"),
        text: paragraph.descendants("a:t").iter().map(|text| text.text()).collect(),
        color: color.map(str::to_owned),
    }
}
