//! Texts of shapes: paragraphs and runs, with what they inherit.

use super::theme::Theme;
use crate::office::Element;

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TextParagraph {
    /// Its text; breaks of lines are vertical tabs, as python-pptx has them.
    pub(crate) text: String,
    /// The alignment that is said here, such as `ctr`.
    pub(crate) direct_alignment: Option<String>,
    /// The alignment that it has; `l` if nothing is said.
    pub(crate) alignment: String,
    /// The level, from 0.
    pub(crate) level: u8,
    /// The bullet that it has.
    pub(crate) bullet: Option<String>,
    /// The color of the bullet, if it is not that of the text.
    pub(crate) bullet_color: Option<String>,
    /// Its runs.
    pub(crate) runs: Vec<TextRun>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TextRun {
    /// Its text.
    pub(crate) text: String,
    /// What is said at the run itself.
    pub(crate) direct: RunFormat,
    /// What it has.
    pub(crate) format: RunFormat,
    /// Whether it is a field, such as the number of the slide.
    pub(crate) field: bool,
}

/// Formatting of a run; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunFormat {
    /// The font of Latin text.
    pub(crate) font: Option<String>,
    /// Hundredths of a point.
    pub(crate) size: Option<u32>,
    /// Whether it is bold.
    pub(crate) bold: Option<bool>,
    /// Whether it is italic.
    pub(crate) italic: Option<bool>,
    /// Such as `sng`, `none`.
    pub(crate) underline: Option<String>,
    /// Such as `sngStrike`, `noStrike`.
    pub(crate) strike: Option<String>,
    /// The color, as [`Theme::color`] writes it.
    pub(crate) color: Option<String>,
    /// The digits of a color that is said as red, green and blue.
    pub(crate) rgb: Option<String>,
}

impl RunFormat {
    fn read(properties: Option<&Element>, theme: &Theme) -> Self {
        let Some(properties) = properties else { return Self::default() };
        let text = |name: &str| properties.attr(name).map(str::to_owned);
        let flag = |name: &str| properties.attr(name).map(|value| matches!(value, "1" | "true" | "on"));
        let fill = properties.child("a:solidFill");
        let latin = properties.child("a:latin").and_then(|latin| latin.attr("typeface"));
        let rgb = fill.and_then(|fill| fill.child("a:srgbClr")).and_then(|color| color.attr("val"));
        Self {
            font: latin.map(|font| theme.font(font)),
            size: properties.attr("sz").and_then(|size| size.parse().ok()),
            bold: flag("b"),
            italic: flag("i"),
            underline: text("u"),
            strike: text("strike"),
            color: fill.and_then(|fill| theme.color(fill)),
            rgb: rgb.map(str::to_ascii_uppercase),
        }
    }

    fn over(&self, below: &Self) -> Self {
        Self {
            font: self.font.clone().or_else(|| below.font.clone()),
            size: self.size.or(below.size),
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            underline: self.underline.clone().or_else(|| below.underline.clone()),
            strike: self.strike.clone().or_else(|| below.strike.clone()),
            color: self.color.clone().or_else(|| below.color.clone()),
            rgb: self.rgb.clone().or_else(|| below.rgb.clone()),
        }
    }
}

/// The paragraphs of a text body, with the lists of styles above it, the nearest first.
pub(super) fn read(body: &Element, above: &[&Element], theme: &Theme) -> Vec<TextParagraph> {
    let lists: Vec<&Element> = body.child("a:lstStyle").into_iter().chain(above.iter().copied()).collect();
    body.children("a:p").map(|element| paragraph(element, &lists, theme)).collect()
}

/// The texts of paragraphs, one a line.
pub(crate) fn joined(paragraphs: &[TextParagraph]) -> String {
    let texts: Vec<&str> = paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect();
    texts.join("\n")
}

/// The highest level, counted from 0.
const LAST_LEVEL: u8 = 8;

fn paragraph(element: &Element, lists: &[&Element], theme: &Theme) -> TextParagraph {
    let own = element.child("a:pPr");
    let level =
        own.and_then(|own| own.attr("lvl")).and_then(|level| level.parse().ok()).unwrap_or(0).min(LAST_LEVEL);
    let style_name = format!("a:lvl{}pPr", level + 1);
    let styles: Vec<&Element> =
        own.into_iter().chain(lists.iter().filter_map(|list| list.at(&[style_name.as_str()]))).collect();
    let defaults = styles.iter().map(|style| RunFormat::read(style.child("a:defRPr"), theme));
    let inherited = defaults.reduce(|near, far| near.over(&far)).unwrap_or_default();
    let alignment = |style: &&Element| style.attr("algn").map(str::to_owned);
    let mut paragraph = TextParagraph {
        direct_alignment: own.as_ref().and_then(alignment),
        alignment: styles.iter().find_map(alignment).unwrap_or_else(|| "l".to_owned()),
        level,
        bullet: styles.iter().find_map(|style| bullet(style)).flatten(),
        bullet_color: styles.iter().find_map(|style| theme.color(style.child("a:buClr")?)),
        ..TextParagraph::default()
    };
    for child in element.elements() {
        let is_field = child.is("a:fld");
        if child.is("a:br") {
            paragraph.text.push('\u{b}');
        } else if is_field || child.is("a:r") {
            let text = child.child("a:t").map(Element::text).unwrap_or_default();
            let direct = RunFormat::read(child.child("a:rPr"), theme);
            paragraph.text.push_str(&text);
            let format = direct.over(&inherited);
            paragraph.runs.push(TextRun { text, format, direct, field: is_field });
        }
    }
    paragraph
}

/// The bullet that a style says: `Some(None)` if it says that there is none.
fn bullet(style: &Element) -> Option<Option<String>> {
    style.elements().find_map(|element| match element.local() {
        "buNone" => Some(None),
        "buChar" => Some(element.attr("char").map(str::to_owned)),
        "buAutoNum" => Some(element.attr("type").map(|kind| format!("numbers {kind}"))),
        "buBlip" => Some(Some("a picture".to_owned())),
        _ => None,
    })
}
