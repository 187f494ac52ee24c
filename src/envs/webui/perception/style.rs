//! The computed styles of an element that can be seen, in words.

use super::super::snapshot::{Element, Snapshot};
use mageyard_domain::sanitize;

/// The sides of borders, clockwise.
const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];
/// The corners, clockwise.
const CORNERS: [&str; 4] = ["top-left", "top-right", "bottom-right", "bottom-left"];
/// The maximum number of characters of a value that a page writes.
const LONGEST: usize = 200;
/// The least weight of fonts that are called bold.
const BOLD: f64 = 600.0;

/// The computed styles of an element.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    page: &'a Snapshot,
    element: &'a Element,
}

impl<'a> Style<'a> {
    pub(super) fn new(page: &'a Snapshot, element: &'a Element) -> Self {
        Self { page, element }
    }

    /// A computed style; empty if the snapshot has none of this name.
    fn get(self, property: &str) -> &'a str {
        let column = self.page.column(property);
        column.and_then(|column| self.element.styles.get(column)).map_or("", String::as_str)
    }

    /// The colour of its background; `None` if it is transparent.
    pub(super) fn background(self) -> Option<String> {
        colour(self.get("background-color"))
    }

    /// The picture or gradient of its background, as the page writes it.
    fn background_picture(self) -> Option<&'a str> {
        Some(self.get("background-image")).filter(|value| !matches!(*value, "" | "none"))
    }

    /// Whether something of it is painted beside its content: a background, a border or a shadow.
    pub(super) fn is_painted(self) -> bool {
        self.background().is_some()
            || self.background_picture().is_some()
            || SIDES.iter().any(|side| self.border(side).is_some())
            || self.shadow("box-shadow").is_some()
    }

    /// The background in one colour that nothing shines through; `None` if it has another one, or none.
    pub(super) fn plain_background(self) -> Option<String> {
        let plain = self.background().filter(|colour| colour.starts_with('#'));
        plain.filter(|_| self.background_picture().is_none())
    }

    /// How it looks, each property in a few words; the properties of a text only if it has one.
    pub(super) fn words(self, has_text: bool) -> Vec<String> {
        let mut words = if has_text { self.text_words() } else { Vec::new() };
        words.extend(self.background().map(|colour| format!("background {colour}")));
        words.extend(self.background_picture().map(background_words));
        words.extend(self.border_words());
        words.extend(self.corner_words());
        words.extend(self.shadow("box-shadow").map(|value| format!("shadow {value}")));
        words
    }

    fn text_words(self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(colour(self.get("color")).map(|colour| format!("text {colour}")));
        let size = self.get("font-size");
        let weight: f64 = self.get("font-weight").parse().unwrap_or_default();
        let bold = if weight >= BOLD { " bold" } else { "" };
        let slanted = if matches!(self.get("font-style"), "" | "normal") { "" } else { " italic" };
        let family = self.get("font-family").split(',').next().unwrap_or_default().trim();
        let family = if family.is_empty() { String::new() } else { format!(" {}", written(family)) };
        words.extend((!size.is_empty()).then(|| format!("font {}{bold}{slanted}{family}", written(size))));
        let spacing = self.get("letter-spacing");
        let is_spaced = !matches!(spacing, "" | "normal" | "0px");
        words.extend(is_spaced.then(|| format!("letter spacing {}", written(spacing))));
        words.extend(self.shadow("text-shadow").map(|value| format!("text shadow {value}")));
        words
    }

    /// Width, style and colour of a side's border; `None` if it cannot be seen.
    fn border(self, side: &str) -> Option<String> {
        let get = |what: &str| self.get(&format!("border-{side}-{what}"));
        let is_drawn = !matches!(get("style"), "" | "none" | "hidden") && !matches!(get("width"), "" | "0px");
        let colour = colour(get("color")).filter(|_| is_drawn)?;
        Some(format!("{} {} {colour}", written(get("width")), written(get("style"))))
    }

    fn border_words(self) -> Vec<String> {
        let borders = SIDES.map(|side| self.border(side));
        if let Some(border) = borders[0].as_ref().filter(|_| borders.iter().all(|side| *side == borders[0])) {
            return vec![format!("border {border}")];
        }
        let sides = SIDES.iter().zip(borders);
        sides.filter_map(|(side, border)| Some(format!("{side} border {}", border?))).collect()
    }

    fn corner_words(self) -> Option<String> {
        let radii = CORNERS.map(|corner| written(self.get(&format!("border-{corner}-radius"))));
        if radii.iter().all(|radius| radius.is_empty() || radius == "0px") {
            return None;
        }
        let same = radii.iter().all(|radius| *radius == radii[0]);
        Some(format!("corners {}", if same { radii[0].clone() } else { radii.join(" ") }))
    }

    fn shadow(self, property: &str) -> Option<String> {
        let value = self.get(property);
        (!matches!(value, "" | "none")).then(|| written(value))
    }
}

/// A gradient as the page writes it. The address of a picture cannot be seen.
fn background_words(value: &str) -> String {
    if value.contains("url(") {
        "background picture".to_owned()
    } else {
        format!("background {}", written(value))
    }
}

/// A value of a page, safe to show in a line.
fn written(value: &str) -> String {
    let shown = sanitize(value).replace(['\n', '\t'], " ");
    match shown.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… ({} characters)", &shown[..at], shown.chars().count()),
        None => shown,
    }
}

/// A colour as `#rrggbb`, or as the page writes it if something shines through or it has another form; `None` if it is transparent.
fn colour(css: &str) -> Option<String> {
    if matches!(css, "" | "transparent") {
        return None;
    }
    let numbers = css.split_once('(').and_then(|(name, rest)| {
        let inside = rest.strip_suffix(')').filter(|_| matches!(name, "rgb" | "rgba"))?;
        inside.split(',').map(|number| number.trim().parse::<f64>().ok()).collect::<Option<Vec<f64>>>()
    });
    match numbers.as_deref() {
        Some([_, _, _, 0.0]) => None,
        Some([red, green, blue] | [red, green, blue, 1.0]) => {
            Some(format!("#{:02x}{:02x}{:02x}", channel(*red), channel(*green), channel(*blue)))
        }
        _ => Some(written(css)),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
fn channel(value: f64) -> u8 {
    value.clamp(0.0, 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_hexadecimal_unless_something_shines_through() {
        let cases = [
            ("rgb(20, 60, 120)", Some("#143c78")),
            ("rgba(20, 60, 120, 0)", None),
            ("rgba(20, 60, 120, 0.5)", Some("rgba(20, 60, 120, 0.5)")),
            ("oklch(0.5 0.1 20)", Some("oklch(0.5 0.1 20)")),
            ("transparent", None),
            ("", None),
        ];
        for (css, expected) in cases {
            assert_eq!(colour(css).as_deref(), expected, "{css}");
        }
        assert_eq!(written("a\nb\u{1b}").lines().count(), 1);
        assert!(written(&"x".repeat(500)).ends_with("… (500 characters)"));
    }
}
