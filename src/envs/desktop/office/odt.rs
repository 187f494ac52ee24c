//! Text documents of `OpenDocument` (OASIS, version 1.3, part 3): paragraphs, headings, highlighting.

use std::collections::HashMap;

use super::{Element, Node, Package, Unreadable};

/// A text document.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenDocument {
    /// The paragraphs and headings, in the order of the text.
    pub(crate) paragraphs: Vec<OpenParagraph>,
    /// The texts of spans with a background, and the color as the file has it.
    pub(crate) highlighted: Vec<Highlight>,
}

/// A paragraph.
#[derive(Clone, Debug)]
pub(crate) struct OpenParagraph {
    /// All of its text.
    pub(crate) text: String,
    /// Its text without what is in elements other than direct spans: what the released code sees.
    pub(crate) plain: String,
    /// Whether it is a heading.
    pub(crate) heading: bool,
}

/// Text with a background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Highlight {
    /// The text.
    pub(crate) text: String,
    /// Such as `#ffff00`.
    pub(crate) color: String,
    /// Whether it is a span with an automatic style of its own, without the styles above it.
    pub(crate) own: bool,
}

/// The most blanks that the elements `text:s` of a document write together.
const MOST_BLANKS: usize = 1_000_000;
/// The longest chain of styles that is followed.
const LONGEST_CHAIN: usize = 30;

impl OpenDocument {
    /// Reads a document.
    ///
    /// # Errors
    /// It is damaged, hostile, or no text document.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let mut package = Package::open(bytes)?;
        let content = package.required("content.xml")?;
        let named = package.xml("styles.xml")?;
        let body = content.at(&["office:body", "office:text"]);
        let body = body.ok_or_else(|| Unreadable::part("content.xml", "it is not a text document"))?;
        let written = body.descendants("text:s").into_iter().map(blanks).fold(0, usize::saturating_add);
        if written > MOST_BLANKS {
            let reason = format!("it has more than {MOST_BLANKS} blanks in elements");
            return Err(Unreadable::part("content.xml", reason));
        }
        let mut styles = Backgrounds::default();
        if let Some(root) = &named {
            styles.read(root, "office:styles", false);
        }
        styles.read(&content, "office:automatic-styles", true);
        let mut document = Self::default();
        document.blocks(body, &styles);
        Ok(document)
    }

    fn blocks(&mut self, parent: &Element, styles: &Backgrounds) {
        for element in parent.elements() {
            let heading = element.is("text:h");
            if heading || element.is("text:p") {
                let mut text = String::new();
                push_text(element, &mut text);
                self.paragraphs.push(OpenParagraph { text, plain: plain(element), heading });
                let above = styles.of(element.attr("text:style-name")).cloned();
                let above = above.map(|background| Background { automatic: false, ..background });
                self.highlights(element, above.as_ref(), styles);
            }
            if !element.is("text:tracked-changes") {
                self.blocks(element, styles);
            }
        }
    }

    fn highlights(&mut self, parent: &Element, above: Option<&Background>, styles: &Backgrounds) {
        for node in parent.nodes() {
            match node {
                Node::Text(text) => self.highlight(text, above),
                Node::Element(element) if element.is("text:span") => {
                    let own = styles.of(element.attr("text:style-name"));
                    self.highlights(element, own.or(above), styles);
                }
                Node::Element(element) if element.is("text:a") => self.highlights(element, above, styles),
                Node::Element(_) => {}
            }
        }
    }

    fn highlight(&mut self, text: &str, background: Option<&Background>) {
        let Some(background) = background.filter(|background| background.color != "transparent") else {
            return;
        };
        if !text.trim().is_empty() {
            let color = background.color.clone();
            self.highlighted.push(Highlight { text: text.to_owned(), color, own: background.automatic });
        }
    }
}

#[derive(Default)]
struct Backgrounds {
    styles: HashMap<String, (Option<Background>, Option<String>)>,
}

#[derive(Clone, Debug)]
struct Background {
    color: String,
    automatic: bool,
}

impl Backgrounds {
    fn read(&mut self, root: &Element, place: &'static str, automatic: bool) {
        for style in root.child(place).into_iter().flat_map(|styles| styles.children("style:style")) {
            let Some(name) = style.attr("style:name") else { continue };
            let properties = style.child("style:text-properties");
            let color = properties.and_then(|properties| properties.attr("fo:background-color"));
            let color = color.map(|color| Background { color: color.to_ascii_lowercase(), automatic });
            let parent = style.attr("style:parent-style-name").map(str::to_owned);
            self.styles.insert(name.to_owned(), (color, parent));
        }
    }

    fn of(&self, name: Option<&str>) -> Option<&Background> {
        let mut style = self.styles.get(name?);
        for _ in 0..LONGEST_CHAIN {
            match style? {
                (Some(background), _) => return Some(background),
                (None, parent) => style = self.styles.get(parent.as_deref()?),
            }
        }
        None
    }
}

/// Blocks that are in a paragraph but are paragraphs of their own, or no text.
fn is_apart(element: &Element) -> bool {
    ["text:note", "office:annotation", "text:p", "text:h"].iter().any(|name| element.is(name))
}

/// How many blanks an element `text:s` writes (section 6.1.3).
fn blanks(element: &Element) -> usize {
    element.attr("text:c").and_then(|count| count.parse().ok()).unwrap_or(1)
}

fn push_text(parent: &Element, text: &mut String) {
    for node in parent.nodes() {
        match node {
            Node::Text(part) => text.push_str(part),
            Node::Element(element) if element.is("text:s") => {
                text.extend(std::iter::repeat_n(' ', blanks(element)));
            }
            Node::Element(element) if element.is("text:tab") => text.push('\t'),
            Node::Element(element) if element.is("text:line-break") => text.push('\n'),
            Node::Element(element) if is_apart(element) => {}
            Node::Element(element) => push_text(element, text),
        }
    }
}

fn plain(paragraph: &Element) -> String {
    let texts = paragraph.nodes().iter().map(|node| match node {
        Node::Text(text) => text.clone(),
        Node::Element(element) if element.is("text:span") => element.text(),
        Node::Element(_) => String::new(),
    });
    texts.collect()
}
