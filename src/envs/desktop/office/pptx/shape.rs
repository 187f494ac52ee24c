//! Shapes: what they are, where they are, and their text.

use super::placeholder::{Parents, Placeholder};
use super::text::{self, TextParagraph};
use super::theme::Theme;
use crate::office::{Element, quote};

/// A shape.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Its name.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: ShapeKind,
    /// Which placeholder it is, if it is one.
    pub(crate) placeholder: Option<Placeholder>,
    /// Where it is; `None` if nothing says it.
    pub(crate) frame: Option<Frame>,
    /// Its paragraphs; `None` if it cannot have text of its own.
    pub(crate) text: Option<Vec<TextParagraph>>,
    /// The paragraphs of the cells by rows, for a table.
    pub(crate) cells: Vec<Vec<Vec<TextParagraph>>>,
    /// The shapes in a group.
    pub(crate) members: Vec<Shape>,
}

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeKind {
    /// A form or a text.
    Form,
    /// A form that was drawn freely.
    Freeform,
    /// A picture.
    Picture,
    /// A table.
    Table,
    /// A chart, a diagram, an object.
    Graphic,
    /// A group.
    Group,
    /// A line between shapes.
    Connector,
}

/// A place, in EMU (1/914400 inch) from the upper left corner of the slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The left side.
    pub(crate) left: i64,
    /// The upper side.
    pub(crate) top: i64,
    /// The width.
    pub(crate) width: i64,
    /// The height.
    pub(crate) height: i64,
}

impl Frame {
    /// The place that a shape says itself.
    pub(super) fn of(shape: &Element) -> Option<Self> {
        let transform = shape
            .child("p:xfrm")
            .or_else(|| shape.at(&["p:spPr", "a:xfrm"]))
            .or_else(|| shape.at(&["p:grpSpPr", "a:xfrm"]))?;
        let number =
            |element: &'static str, name: &str| transform.child(element)?.attr(name)?.trim().parse().ok();
        Some(Self {
            left: number("a:off", "x")?,
            top: number("a:off", "y")?,
            width: number("a:ext", "cx")?,
            height: number("a:ext", "cy")?,
        })
    }
}

impl Shape {
    /// Reads the shapes of a slide or a group, in their order.
    pub(super) fn all(tree: &Element, parents: &Parents, theme: &Theme) -> Vec<Self> {
        tree.elements().filter_map(|element| Self::read(element, parents, theme)).collect()
    }

    fn read(element: &Element, parents: &Parents, theme: &Theme) -> Option<Self> {
        let kind = kind(element)?;
        let styles = parents.text_styles(element);
        let body = element.child("p:txBody");
        let has_text = matches!(kind, ShapeKind::Form | ShapeKind::Freeform);
        let properties = element.elements().find(|element| element.local().starts_with("nv"));
        let name = properties.and_then(|properties| properties.child("p:cNvPr")?.attr("name"));
        let paragraphs =
            |body: Option<&Element>| body.map(|body| text::read(body, &styles, theme)).unwrap_or_default();
        let table = element.at(&["a:graphic", "a:graphicData", "a:tbl"]);
        let rows = table.into_iter().flat_map(|table| table.children("a:tr"));
        let cells =
            rows.map(|row| row.children("a:tc").map(|cell| paragraphs(cell.child("a:txBody"))).collect());
        let is_group = kind == ShapeKind::Group;
        Some(Self {
            name: name.unwrap_or_default().to_owned(),
            kind,
            placeholder: Placeholder::of(element),
            frame: parents.frame(element),
            text: has_text.then(|| paragraphs(body)),
            cells: cells.collect(),
            members: if is_group { Self::all(element, parents, theme) } else { Vec::new() },
        })
    }

    /// The text: one line a paragraph.
    pub(crate) fn text(&self) -> Option<String> {
        self.text.as_deref().map(text::joined)
    }

    /// What it is called in a sentence.
    pub(crate) fn called(&self) -> String {
        format!("shape {}", quote(&self.name))
    }
}

fn kind(element: &Element) -> Option<ShapeKind> {
    let drawn = || element.at(&["p:spPr", "a:custGeom"]).is_some();
    Some(match element.local() {
        "sp" if drawn() => ShapeKind::Freeform,
        "sp" => ShapeKind::Form,
        "pic" => ShapeKind::Picture,
        "graphicFrame" if element.has("a:tbl") => ShapeKind::Table,
        "graphicFrame" => ShapeKind::Graphic,
        "grpSp" => ShapeKind::Group,
        "cxnSp" => ShapeKind::Connector,
        _ => return None,
    })
}
