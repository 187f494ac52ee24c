//! Themes: the fonts and colors that slides name instead of their own (section 20.1.6).

use std::collections::HashMap;
use std::rc::Rc;

use super::color::{self, Paint};
use crate::office::{Element, Package, Relations, Unreadable};

/// The fonts and colors of a master.
#[derive(Clone, Debug, Default)]
pub(super) struct Theme {
    minor_font: Option<Rc<str>>,
    major_font: Option<Rc<str>>,
    colors: HashMap<String, Paint>,
    /// Names of slides by the names of the theme.
    map: HashMap<String, String>,
}

impl Theme {
    /// Reads the theme of a master.
    pub(super) fn read(
        package: &mut Package<'_>,
        master: &Element,
        relations: &Relations,
    ) -> Result<Self, Unreadable> {
        let mut theme = Self::default();
        let Some(part) = relations.first("theme") else { return Ok(theme) };
        let root = package.required(part)?;
        let font = |kind| {
            let latin = root.at(&["a:themeElements", "a:fontScheme", kind, "a:latin"])?;
            latin.attr("typeface").map(Rc::from)
        };
        theme.minor_font = font("a:minorFont");
        theme.major_font = font("a:majorFont");
        let none = Self::default();
        for element in root.at(&["a:themeElements", "a:clrScheme"]).into_iter().flat_map(Element::elements) {
            if let Some(paint) =
                color::read(element, &none).map_err(|reason| Unreadable::part(part, reason))?
            {
                theme.colors.insert(element.local().to_owned(), paint);
            }
        }
        for (from, to) in master.child("p:clrMap").into_iter().flat_map(Element::plain_attributes) {
            theme.map.insert(from.to_owned(), to.to_owned());
        }
        Ok(theme)
    }

    /// The font of a name such as `+mn-lt`; other names are fonts themselves.
    pub(super) fn font(&self, name: &str) -> Option<Rc<str>> {
        if name.starts_with("+mn") {
            self.minor_font.clone()
        } else if name.starts_with("+mj") {
            self.major_font.clone()
        } else {
            Some(name.into())
        }
    }

    /// The color of a name such as `accent1` or `tx1`.
    pub(super) fn color(&self, name: &str) -> Option<Paint> {
        let usual = match name {
            "tx1" => "dk1",
            "tx2" => "dk2",
            "bg1" => "lt1",
            "bg2" => "lt2",
            other => other,
        };
        let mapped = self.map.get(name).map_or(usual, String::as_str);
        self.colors.get(mapped).cloned()
    }
}
