//! Colors, and the scheme of a theme that names them.

use std::collections::HashMap;

use crate::office::Element;
use crate::office::docx::rgb;

/// The colors and fonts of a theme, by the names that slides use.
#[derive(Clone, Debug, Default)]
pub(super) struct Theme {
    colors: HashMap<String, [u8; 3]>,
    minor_font: Option<String>,
    major_font: Option<String>,
}

impl Theme {
    /// Reads a theme, with the names that a master maps to others.
    pub(super) fn read(theme: Option<&Element>, master: &Element) -> Self {
        let elements = theme.and_then(|theme| theme.child("a:themeElements"));
        let mut colors = HashMap::new();
        for scheme in elements
            .and_then(|elements| elements.child("a:clrScheme"))
            .into_iter()
            .flat_map(Element::elements)
        {
            let color =
                scheme.elements().find_map(|color| color.attr("lastClr").or_else(|| color.attr("val")));
            if let Some(color) = color.and_then(rgb) {
                colors.insert(scheme.local().to_owned(), color);
            }
        }
        let map = master.child("p:clrMap");
        for name in ["bg1", "tx1", "bg2", "tx2"] {
            let target = map.and_then(|map| map.attr(name));
            if let Some(color) = target.and_then(|target| colors.get(target)).copied() {
                colors.insert(name.to_owned(), color);
            }
        }
        let font = |kind| {
            let latin = elements?.at(&["a:fontScheme", kind, "a:latin"])?;
            latin.attr("typeface").map(str::to_owned)
        };
        Self { colors, minor_font: font("a:minorFont"), major_font: font("a:majorFont") }
    }

    /// The name of a font; `+mn-lt` and `+mj-lt` are those of the theme.
    pub(super) fn font(&self, name: &str) -> String {
        let font = match name {
            "+mn-lt" => self.minor_font.as_deref(),
            "+mj-lt" => self.major_font.as_deref(),
            _ => None,
        };
        font.unwrap_or(name).to_owned()
    }

    /// The color of a fill such as `a:solidFill`: six digits, or a name with what changes it if it is not plain.
    pub(super) fn color(&self, fill: &Element) -> Option<String> {
        let color = fill.elements().next()?;
        let value = color.attr("val").or_else(|| color.attr("lastClr")).unwrap_or_default();
        let hex = if color.is("a:srgbClr") { rgb(value) } else { self.colors.get(value).copied() };
        let mut text = hex
            .map_or_else(|| value.to_owned(), |[red, green, blue]| format!("{red:02X}{green:02X}{blue:02X}"));
        for change in color.elements() {
            text.push_str(&format!(" {} {}", change.local(), change.attr("val").unwrap_or_default()));
        }
        Some(text)
    }
}
