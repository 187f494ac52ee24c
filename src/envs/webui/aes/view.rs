//! An element together with the page that it is read from.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::super::snapshot::{Element, Snapshot};
use super::rules::{PaperRule, Rules};
use super::table::Kind;

/// A page with its computed styles by name.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) snapshot: &'a Snapshot,
    columns: FxHashMap<&'a str, usize>,
}

impl<'a> Page<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        let columns = snapshot.properties.iter().enumerate().map(|(column, name)| (name.as_str(), column));
        Self { snapshot, columns: columns.collect() }
    }

    pub(super) fn view(&self, index: usize) -> Option<View<'_>> {
        Some(View { page: self, element: self.snapshot.elements.get(index)? })
    }
}

/// An element of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    page: &'a Page<'a>,
    pub(super) element: &'a Element,
}

impl<'a> View<'a> {
    /// A computed style; empty if the snapshot has none of this name.
    pub(super) fn style(self, property: &str) -> &'a str {
        let column = self.page.columns.get(property);
        column.and_then(|column| self.element.styles.get(*column)).map_or("", String::as_str)
    }

    /// The text that an attribute is compared by.
    pub(super) fn source(self, kind: Kind, rules: Rules) -> &'a str {
        let real = rules.has(PaperRule::RealAttributes);
        match kind {
            Kind::Field(name) | Kind::Html(name) if real => self.html(name),
            // The released code reads a computed style of this name, which does not exist.
            Kind::Html(_) => "",
            Kind::HasText | Kind::Text | Kind::Field(_) => &self.element.text,
            Kind::Class => &self.element.class,
            Kind::Colour(property) | Kind::Length(property) | Kind::Word(property) => self.style(property),
            Kind::TopWidth if rules.has(PaperRule::OwnTopWidth) => self.style("border-top-width"),
            Kind::TopWidth => self.style("border-left-width"),
            Kind::TextShadow => self.style("text-shadow"),
            Kind::BoxShadow => self.style("box-shadow"),
            Kind::Gradient if rules.has(PaperRule::CompareMissing) => self.style("background-image"),
            Kind::Gradient => self.style("background"),
            Kind::BackgroundSize => self.style("background-size"),
        }
    }

    /// A value in which addresses may start at the page's folder.
    pub(super) fn relative(self, value: &'a str, rules: Rules) -> Cow<'a, str> {
        let base = self.page.snapshot.base.as_str();
        if base.is_empty() || !rules.has(PaperRule::RelativeAddresses) || !value.contains(base) {
            return Cow::Borrowed(value);
        }
        Cow::Owned(value.replace(base, ""))
    }

    fn html(self, name: &str) -> &'a str {
        self.element.attributes.get(name).map_or("", String::as_str)
    }
}
