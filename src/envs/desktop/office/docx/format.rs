//! Formatting of paragraphs and runs, and how one is laid over another.

use crate::office::Element;

/// Formatting of a paragraph; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParagraphFormat {
    /// The alignment.
    pub(crate) alignment: Option<Alignment>,
    /// The distance of lines.
    pub(crate) line_spacing: Option<LineSpacing>,
    /// The tab stops, sorted by position; those that are cleared too.
    pub(crate) tabs: Vec<TabStop>,
}

/// How lines are placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// To the left, or to the start.
    Left,
    /// In the middle.
    Center,
    /// To the right, or to the end.
    Right,
    /// To both.
    Both,
    /// Another one, as the file names it.
    Other(String),
}

/// The distance of lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LineSpacing {
    /// In lines.
    Lines(f64),
    /// In twips (1/1440 inch), exactly.
    Exactly(f64),
    /// In twips, or more where a line needs it.
    AtLeast(f64),
}

/// A tab stop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TabStop {
    /// Twips from the margin.
    pub(crate) position: f64,
    /// Such as `left` or `clear`.
    pub(crate) alignment: String,
}

impl ParagraphFormat {
    pub(super) fn read(properties: Option<&Element>) -> Self {
        let Some(properties) = properties else { return Self::default() };
        let alignment = properties.child("w:jc").and_then(|jc| jc.attr("w:val")).map(Alignment::named);
        let line_spacing = properties.child("w:spacing").and_then(LineSpacing::read);
        let tabs = properties.at(&["w:tabs"]).map(tabs).unwrap_or_default();
        Self { alignment, line_spacing, tabs }
    }

    /// This formatting, and that of `below` where this says nothing.
    pub(super) fn over(&self, below: &Self) -> Self {
        let mut tabs = self.tabs.clone();
        let free =
            |stop: &&TabStop| self.tabs.iter().all(|other| (other.position - stop.position).abs() > 1.0);
        tabs.extend(below.tabs.iter().filter(free).cloned());
        tabs.sort_by(|a, b| a.position.total_cmp(&b.position));
        Self {
            alignment: self.alignment.clone().or_else(|| below.alignment.clone()),
            line_spacing: self.line_spacing.or(below.line_spacing),
            tabs,
        }
    }
}

impl Alignment {
    fn named(name: &str) -> Self {
        match name {
            "left" | "start" => Self::Left,
            "center" => Self::Center,
            "right" | "end" => Self::Right,
            "both" => Self::Both,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl LineSpacing {
    fn read(spacing: &Element) -> Option<Self> {
        let line = spacing.attr("w:line")?;
        let rule = spacing.attr("w:lineRule").unwrap_or("auto");
        Some(match rule {
            "exact" => Self::Exactly(twips(line)?),
            "atLeast" => Self::AtLeast(twips(line)?),
            _ => Self::Lines(line.trim().parse::<f64>().ok()? / 240.0),
        })
    }
}

fn tabs(tabs: &Element) -> Vec<TabStop> {
    let stop = |tab: &Element| {
        let position = twips(tab.attr("w:pos")?)?;
        let alignment = match tab.attr("w:val")? {
            "start" => "left",
            "end" => "right",
            other => other,
        };
        Some(TabStop { position, alignment: alignment.to_owned() })
    };
    let mut stops: Vec<TabStop> = tabs.children("w:tab").filter_map(stop).collect();
    stops.sort_by(|a, b| a.position.total_cmp(&b.position));
    stops
}

/// Formatting of a run; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunFormat {
    /// The font of Latin text.
    pub(crate) font: Option<String>,
    /// The font of the theme that is used instead: `minor` or `major`.
    pub(crate) theme_font: Option<String>,
    /// Whether it is struck through, once or twice.
    pub(crate) strike: Option<bool>,
    /// Whether it is struck through once: what python-docx shows as `strike`.
    pub(crate) single_strike: Option<bool>,
    /// Whether it is subscript.
    pub(crate) subscript: Option<bool>,
    /// Red, green, blue.
    pub(crate) color: Option<[u8; 3]>,
}

impl RunFormat {
    pub(super) fn read(properties: Option<&Element>) -> Self {
        let Some(properties) = properties else { return Self::default() };
        let fonts = properties.child("w:rFonts");
        let theme = fonts.and_then(|fonts| fonts.attr("w:asciiTheme"));
        let single_strike = flag(properties, "w:strike");
        Self {
            font: fonts.and_then(|fonts| fonts.attr("w:ascii")).map(str::to_owned),
            theme_font: theme
                .map(|name| if name.starts_with("major") { "major" } else { "minor" }.to_owned()),
            strike: single_strike
                .filter(|strike| *strike)
                .or(flag(properties, "w:dstrike"))
                .or(single_strike),
            single_strike,
            subscript: properties
                .child("w:vertAlign")
                .and_then(|align| align.attr("w:val"))
                .map(|align| align == "subscript"),
            color: properties.child("w:color").and_then(|color| color.attr("w:val")).and_then(rgb),
        }
    }

    /// This formatting, and that of `below` where this says nothing.
    pub(super) fn over(&self, below: &Self) -> Self {
        let names_font = self.font.is_some() || self.theme_font.is_some();
        let fonts = if names_font { self } else { below };
        Self {
            font: fonts.font.clone(),
            theme_font: fonts.theme_font.clone(),
            strike: self.strike.or(below.strike),
            single_strike: self.single_strike.or(below.single_strike),
            subscript: self.subscript.or(below.subscript),
            color: self.color.or(below.color),
        }
    }
}

fn flag(properties: &Element, name: &str) -> Option<bool> {
    let element = properties.elements().find(|element| element.is(name))?;
    Some(!matches!(element.attr("w:val"), Some("0" | "false" | "off")))
}

/// A color of six hexadecimal digits.
pub(crate) fn rgb(text: &str) -> Option<[u8; 3]> {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(text, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

/// A length in twips; strict documents may give a unit.
pub(super) fn twips(text: &str) -> Option<f64> {
    const UNITS: &[(&str, f64)] =
        &[("pt", 20.0), ("in", 1440.0), ("cm", 1440.0 / 2.54), ("mm", 144.0 / 2.54)];
    let text = text.trim();
    let unit = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, &1.0));
    number.parse::<f64>().ok().map(|number| number * factor).filter(|number| number.is_finite())
}
