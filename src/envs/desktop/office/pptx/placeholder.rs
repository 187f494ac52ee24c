//! What a shape inherits: place and text styles of the placeholder in the layout and in the master.

use super::shape::Frame;
use crate::office::Element;

/// Which placeholder a shape is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    /// Such as `title`; `obj` if nothing is said.
    pub(crate) kind: String,
    /// Its number.
    pub(crate) index: u32,
}

impl Placeholder {
    pub(super) fn of(shape: &Element) -> Option<Self> {
        let properties = shape.elements().find(|element| element.local().starts_with("nv"))?;
        let placeholder = properties.at(&["p:nvPr", "p:ph"])?;
        let index = placeholder.attr("idx").and_then(|index| index.parse().ok()).unwrap_or(0);
        Some(Self { kind: placeholder.attr("type").unwrap_or("obj").to_owned(), index })
    }

    /// Whether it is the title of the slide.
    pub(crate) fn is_title(&self) -> bool {
        matches!(self.kind.as_str(), "title" | "ctrTitle")
    }

    /// The kind in a master: titles are one, and contents are bodies there.
    fn master_kind(&self) -> &str {
        match self.kind.as_str() {
            "title" | "ctrTitle" => "title",
            kind @ ("dt" | "ftr" | "sldNum") => kind,
            _ => "body",
        }
    }
}

/// A layout and its master, or a master alone.
#[derive(Clone, Debug)]
pub(super) struct Parents {
    pub(super) layout: Option<Element>,
    pub(super) master: Element,
    pub(super) default_text: Option<Element>,
}

impl Parents {
    /// The placeholders that a shape inherits from, the nearest first.
    fn above(&self, placeholder: &Placeholder) -> Vec<&Element> {
        let in_layout = self.layout.as_ref().and_then(|layout| {
            shapes(layout)
                .find(|shape| Placeholder::of(shape).is_some_and(|other| other.index == placeholder.index))
        });
        let wanted = in_layout.and_then(Placeholder::of).unwrap_or_else(|| placeholder.clone());
        let in_master = shapes(&self.master).find(|shape| {
            Placeholder::of(shape).is_some_and(|other| other.master_kind() == wanted.master_kind())
        });
        in_layout.into_iter().chain(in_master).collect()
    }

    /// The place of a shape: its own, or that of the placeholder that it inherits from.
    pub(super) fn frame(&self, shape: &Element) -> Option<Frame> {
        let inherited = || self.above(&Placeholder::of(shape)?).into_iter().find_map(Frame::of);
        Frame::of(shape).or_else(inherited)
    }

    /// The lists of text styles that hold for a shape, the nearest first.
    pub(super) fn text_styles(&self, shape: &Element) -> Vec<&Element> {
        let placeholder = Placeholder::of(shape);
        let above = placeholder.as_ref().map(|placeholder| self.above(placeholder)).unwrap_or_default();
        let lists = above.into_iter().filter_map(|shape| shape.at(&["p:txBody", "a:lstStyle"]));
        let kind = match placeholder.as_ref().map(Placeholder::master_kind) {
            Some("title") => "p:titleStyle",
            Some("body") => "p:bodyStyle",
            _ => "p:otherStyle",
        };
        let of_master = self.master.at(&["p:txStyles", kind]);
        lists.chain(of_master).chain(self.default_text.as_ref()).collect()
    }
}

fn shapes(root: &Element) -> impl Iterator<Item = &Element> {
    root.at(&["p:cSld", "p:spTree"]).into_iter().flat_map(Element::elements)
}
