//! Paragraphs and runs.

use super::format::{ParagraphFormat, RunFormat};
use super::{Reader, Scope, wraps};
use crate::office::Element;

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    /// Its text: tabs as `\t`, breaks of lines as `\n`.
    pub(crate) text: String,
    /// Its runs.
    pub(crate) runs: Vec<Run>,
    /// What is said at the paragraph itself.
    pub(crate) direct: ParagraphFormat,
    /// What it has, with its styles.
    pub(crate) format: ParagraphFormat,
    /// How many equations are in it.
    pub(crate) equations: usize,
    /// How many pictures are in it.
    pub(crate) pictures: usize,
    /// Whether a field shows the number of the page.
    pub(crate) page_number: bool,
}

/// A run: text with one formatting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// Its text.
    pub(crate) text: String,
    /// What is said at the run itself.
    pub(crate) direct: RunFormat,
    /// What it has, with its styles.
    pub(crate) format: RunFormat,
    /// Whether a picture or another graphic is in it.
    pub(crate) graphic: bool,
}

impl Paragraph {
    pub(super) fn read(element: &Element, reader: &Reader<'_>) -> Self {
        let properties = element.child("w:pPr");
        let style = properties.and_then(|properties| style(properties, "w:pStyle"));
        let direct = ParagraphFormat::read(properties);
        let mut paragraph = Self {
            format: reader.styles.paragraph(&direct, style),
            direct,
            equations: element.descendants("m:oMath").len(),
            pictures: element.descendants("a:blip").len(),
            page_number: has_page_number(element),
            ..Self::default()
        };
        paragraph.inline(element, reader, style);
        paragraph
    }

    fn inline(&mut self, parent: &Element, reader: &Reader<'_>, paragraph_style: Option<&str>) {
        for element in parent.elements() {
            if element.is("w:r") {
                let run = Run::read(element, reader, paragraph_style);
                self.text.push_str(&run.text);
                self.runs.push(run);
            } else if reader.scope == Scope::All && wraps(element) {
                self.inline(element, reader, paragraph_style);
            } else if element.is("w:hyperlink") {
                element.children("w:r").for_each(|run| push_text(run, &mut self.text));
            }
        }
    }

    /// Whether nothing but blanks is in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

impl Run {
    fn read(element: &Element, reader: &Reader<'_>, paragraph_style: Option<&str>) -> Self {
        let properties = element.child("w:rPr");
        let style = properties.and_then(|properties| style(properties, "w:rStyle"));
        let direct = RunFormat::read(properties);
        let mut text = String::new();
        push_text(element, &mut text);
        let format = reader.styles.run(&direct, style, paragraph_style);
        Self { text, direct, format, graphic: element.has("a:graphicData") }
    }
}

fn style<'a>(properties: &'a Element, name: &'static str) -> Option<&'a str> {
    properties.child(name)?.attr("w:val")
}

fn push_text(run: &Element, text: &mut String) {
    for element in run.elements() {
        match element.local() {
            "t" if element.is("w:t") => text.push_str(&element.text()),
            "tab" | "ptab" => text.push('\t'),
            "br" if !matches!(element.attr("w:type"), Some("page" | "column")) => text.push('\n'),
            "cr" => text.push('\n'),
            "noBreakHyphen" => text.push('-'),
            _ => {}
        }
    }
}

/// The field `PAGE`, simple or with its code in runs (section 17.16.5.44).
fn has_page_number(paragraph: &Element) -> bool {
    let simple = paragraph.descendants("w:fldSimple");
    let mut simple = simple.iter().filter_map(|field| field.attr("w:instr"));
    let is_page =
        |code: &str| code.split_whitespace().next().is_some_and(|name| name.eq_ignore_ascii_case("PAGE"));
    simple.any(is_page) || codes(paragraph).iter().any(|code| is_page(code))
}

/// The codes of fields in runs. One may be in many runs; the characters of fields end it.
fn codes(paragraph: &Element) -> Vec<String> {
    let mut codes = vec![String::new()];
    for element in paragraph.descendants("w:r").into_iter().flat_map(Element::elements) {
        if element.is("w:fldChar") {
            codes.push(String::new());
        } else if element.is("w:instrText")
            && let Some(code) = codes.last_mut()
        {
            code.push_str(&element.text());
        }
    }
    codes
}
