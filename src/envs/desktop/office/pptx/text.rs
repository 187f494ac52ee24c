//! The text of a shape or cell: paragraphs and runs (section 21.1.2).

use std::rc::Rc;

use super::Reader;
use super::format::{ParagraphFormat, RunFormat, whole};
use super::list::{Chain, ListStyle};
use super::mark::Places;
use super::theme::Theme;
use crate::office::Element;

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    /// Its text. A line break is a vertical tab.
    pub(crate) text: String,
    /// Its level, from 0.
    pub(crate) level: i64,
    /// What it says itself.
    pub(crate) direct: ParagraphFormat,
    /// What it has, with all that it inherits.
    pub(crate) format: ParagraphFormat,
    /// Its runs, line breaks and fields.
    pub(crate) runs: Vec<Run>,
    /// Its place in the marks of the slide.
    pub(crate) mark: Option<usize>,
}

/// A run: text with one formatting.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// What it is.
    pub(crate) kind: RunKind,
    /// Its text.
    pub(crate) text: String,
    /// What it says itself.
    pub(crate) direct: RunFormat,
    /// What it has, with all that it inherits.
    pub(crate) format: RunFormat,
}

/// What a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// Text.
    Text,
    /// A line break.
    Break,
    /// A text that the program computes, such as `slidenum`.
    Field(Rc<str>),
}

/// What a text inherits.
pub(super) struct Inherited<'a> {
    pub(super) theme: &'a Theme,
    pub(super) places: &'a Places,
    /// List styles below the one of the text itself.
    pub(super) chain: Chain,
}

impl<'a> Inherited<'a> {
    pub(super) fn new(reader: &Reader<'a>, chain: Chain) -> Self {
        Self { theme: reader.layout.theme(), places: reader.places, chain }
    }
}

/// The paragraphs of `p:txBody` or `a:txBody`.
pub(super) fn read(body: &Element, inherited: Inherited<'_>) -> Result<Vec<Paragraph>, String> {
    let Inherited { theme, places, mut chain } = inherited;
    chain.0.insert(0, Rc::new(ListStyle::read(body.child("a:lstStyle"), theme)?));
    let paragraph = |element: &Element| Paragraph::read(element, theme, places, &chain);
    body.children("a:p").map(paragraph).collect()
}

/// The text of the paragraphs, one a line.
pub(super) fn plain(body: &Element) -> String {
    let paragraphs = body.children("a:p");
    let texts = paragraphs.map(|paragraph| paragraph.elements().filter_map(piece).collect::<String>());
    texts.collect::<Vec<String>>().join("\n")
}

fn kind(element: &Element) -> Option<RunKind> {
    match element.local() {
        "r" if element.is("a:r") => Some(RunKind::Text),
        "br" if element.is("a:br") => Some(RunKind::Break),
        "fld" if element.is("a:fld") => Some(RunKind::Field(element.attr("type").unwrap_or_default().into())),
        _ => None,
    }
}

fn piece(element: &Element) -> Option<String> {
    Some(match kind(element)? {
        RunKind::Break => "\u{b}".to_owned(),
        RunKind::Text | RunKind::Field(_) => element.child("a:t").map(Element::text).unwrap_or_default(),
    })
}

impl Paragraph {
    fn read(element: &Element, theme: &Theme, places: &Places, chain: &Chain) -> Result<Self, String> {
        let properties = element.child("a:pPr");
        let level = match properties {
            Some(properties) => whole(properties, "lvl")?.unwrap_or(0),
            None => 0,
        };
        let place = usize::try_from(level).ok().filter(|level| *level < 9);
        let place = place.ok_or_else(|| format!("lvl=\"{level}\" is not from 0 to 8"))?;
        let direct = ParagraphFormat::read(properties, theme)?;
        let mut paragraph = Self {
            level,
            format: chain.paragraph(&direct, place),
            direct,
            mark: places.of(element),
            ..Self::default()
        };
        for child in element.elements() {
            let (Some(kind), Some(text)) = (kind(child), piece(child)) else { continue };
            paragraph.text.push_str(&text);
            let direct = RunFormat::read(child.child("a:rPr"), theme)?;
            let format = chain.run(&direct, place, theme);
            paragraph.runs.push(Run { kind, text, direct, format });
        }
        Ok(paragraph)
    }

    /// Whether nothing but blanks is in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}
