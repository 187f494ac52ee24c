//! The visible elements of a page in a picture of it, with numbers: what the views and the questions are made of.

use super::super::snapshot::{Element, Snapshot};
use super::style::Style;

/// The maximum number of characters of a text; a longer one says how many it has.
const LONGEST: usize = 1_000;
/// Places and sizes in pixels are within this range.
const FAR: f64 = 1e6;

/// What an element is, as far as questions and claims name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Button,
    Link,
    Heading,
    Image,
    Field,
    Other,
}

impl Kind {
    /// The kinds with a noun of their own.
    pub(super) const NAMED: [Self; 5] = [Self::Button, Self::Link, Self::Heading, Self::Image, Self::Field];

    /// The noun.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Button => "button",
            Self::Link => "link",
            Self::Heading => "heading",
            Self::Image => "image",
            Self::Field => "field",
            Self::Other => "element",
        }
    }

    fn of(element: &Element) -> Self {
        match element.tag.as_str() {
            "button" => Self::Button,
            "input" if matches!(kind_of_input(element), "button" | "submit" | "reset") => Self::Button,
            "input" | "select" | "textarea" => Self::Field,
            "a" => Self::Link,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Self::Heading,
            "img" | "svg" | "canvas" | "video" => Self::Image,
            _ => Self::Other,
        }
    }
}

/// The attribute `type` of an input.
fn kind_of_input(element: &Element) -> &str {
    element.attributes.get("type").map_or("text", String::as_str)
}

/// A visible element of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// Its number, from 1, in the order of the document.
    pub(super) number: u32,
    pub(super) kind: Kind,
    /// The name of its tag, with the kind of an input.
    pub(super) tag: String,
    /// Its text in one line; empty if all of it is that of elements inside. Untrusted.
    pub(super) text: String,
    /// Left, top, width and height in pixels of the picture; it may reach out of the picture.
    pub(super) area: [i32; 4],
    /// The background in one colour that nothing shines through, as `#rrggbb`.
    pub(super) background: Option<String>,
    /// How it looks, each property in a few words. Untrusted.
    pub(super) look: Vec<String>,
}

impl Listed {
    /// The middle of its area.
    pub(super) fn middle(&self) -> [i32; 2] {
        let [left, top, width, height] = self.area;
        [left + width / 2, top + height / 2]
    }

    /// Whether a place is in its area.
    pub(super) fn has(&self, [x, y]: [i32; 2]) -> bool {
        contains(self.area, [x, y, 0, 0])
    }
}

/// Whether an area is completely in another one.
pub(super) fn contains([left, top, width, height]: [i32; 4], [x, y, wide, high]: [i32; 4]) -> bool {
    x >= left && y >= top && x + wide <= left + width && y + high <= top + height
}

/// The visible elements of a page in a picture of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageList {
    /// Width and height of the picture in pixels.
    pub(super) size: [u32; 2],
    /// The elements, in the order of the document.
    pub(super) elements: Vec<Listed>,
}

impl PageList {
    /// The elements of a page that is scrolled so far to the right and down. Elements that paint nothing of their own, such as
    /// wrappers, and parts of drawings are left out.
    pub(super) fn new(page: &Snapshot, scroll: [f64; 2], size: [u32; 2]) -> Self {
        let mut elements = Vec::new();
        let mut drawing_end = 0;
        let mut control = Control::default();
        for (index, element) in page.elements.iter().enumerate().filter(|(_, element)| element.shown) {
            let area = area_in_picture(element, scroll);
            let is_part = index < drawing_end && is_drawing(&element.tag);
            if element.tag == "svg" {
                drawing_end = end_of(index, element);
            }
            if is_part || !is_within(area, size) {
                continue;
            }
            let kind = Kind::of(element);
            let style = Style::new(page, element);
            let text = if kind == Kind::Other && control.repeats(index, element) {
                String::new()
            } else {
                shown_text(page, index, kind)
            };
            if matches!(kind, Kind::Button | Kind::Link | Kind::Heading) {
                control = Control {
                    end: end_of(index, element),
                    area: edges(element),
                    text: packed(&element.text),
                };
            }
            let is_content =
                !matches!(kind, Kind::Other | Kind::Heading) || matches!(&*element.tag, "iframe" | "hr");
            if text.is_empty() && !is_content && !style.is_painted() {
                continue;
            }
            elements.push(Listed {
                number: u32::try_from(elements.len() + 1).unwrap_or(u32::MAX),
                kind,
                tag: tag_words(element),
                area,
                background: style.plain_background(),
                look: style.words(!text.is_empty()),
                text,
            });
        }
        Self { size, elements }
    }
}

/// The last button, link or heading, whose text elements inside repeat.
#[derive(Default)]
struct Control {
    /// Where the elements inside of it end at the latest.
    end: usize,
    /// Left, top, right and bottom in the document.
    area: [f64; 4],
    /// Its text without white space.
    text: String,
}

impl Control {
    /// Whether all that an element says is said by the control around it.
    fn repeats(&self, index: usize, element: &Element) -> bool {
        index < self.end && packed(&element.text) == self.text && has_middle(self.area, element)
    }
}

/// Where the elements inside of an element end at the latest: those that are not shown are not in the snapshot.
fn end_of(index: usize, element: &Element) -> usize {
    index.saturating_add(1).saturating_add(usize::try_from(element.descendants).unwrap_or(usize::MAX))
}

/// Left, top, right and bottom in the document.
fn edges(element: &Element) -> [f64; 4] {
    [element.x, element.y, element.x + element.w, element.y + element.h]
}

/// Whether the middle of an element is within these edges.
fn has_middle([left, top, right, bottom]: [f64; 4], element: &Element) -> bool {
    let [x, y] = [element.x + element.w / 2.0, element.y + element.h / 2.0];
    (left..=right).contains(&x) && (top..=bottom).contains(&y)
}

/// A text without white space.
fn packed(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace()).collect()
}

/// The tags of parts of a drawing.
fn is_drawing(tag: &str) -> bool {
    matches!(
        tag,
        "path"
            | "circle"
            | "ellipse"
            | "rect"
            | "line"
            | "polygon"
            | "polyline"
            | "g"
            | "use"
            | "image"
            | "defs"
            | "stop"
            | "lineargradient"
            | "radialgradient"
            | "clippath"
            | "mask"
            | "pattern"
            | "filter"
            | "symbol"
    )
}

#[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
fn area_in_picture(element: &Element, [right, down]: [f64; 2]) -> [i32; 4] {
    [element.x - right, element.y - down, element.w, element.h]
        .map(|side| side.clamp(-FAR, FAR).round() as i32)
}

/// Whether a part of an area is in a picture of this size.
fn is_within([left, top, width, height]: [i32; 4], size: [u32; 2]) -> bool {
    let [right, bottom] = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    width > 0 && height > 0 && left < right && top < bottom && left + width > 0 && top + height > 0
}

/// The tag in words: an input with its type.
fn tag_words(element: &Element) -> String {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).take(30).collect::<String>();
    let tag = letters(&element.tag);
    if element.tag == "input" { format!("{tag} {}", letters(kind_of_input(element))) } else { tag }
}

/// The text of an element in one line, unless elements inside of a wrapper have all of it. That of an input is what it shows.
fn shown_text(page: &Snapshot, index: usize, kind: Kind) -> String {
    let element = &page.elements[index];
    let attribute = |name: &str| element.attributes.get(name).map_or("", String::as_str);
    let text = match element.tag.as_str() {
        "input" => match kind_of_input(element) {
            "password" | "checkbox" | "radio" | "range" | "color" | "file" | "image" => "",
            _ if attribute("value").is_empty() => attribute("placeholder"),
            _ => attribute("value"),
        },
        "textarea" if element.text.is_empty() => attribute("placeholder"),
        _ if kind == Kind::Other && is_repeated(page, index) => "",
        _ => &element.text,
    };
    one_line(text)
}

/// A text of a page as one line, safe to show.
pub(super) fn one_line(text: &str) -> String {
    let line = mageyard_domain::sanitize(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… ({} characters)", &line[..at], line.chars().count()),
        None => line,
    }
}

/// Whether the elements inside have all of the text of an element. Elements that are not shown are not in the snapshot, so what is
/// inside is what follows within its area.
fn is_repeated(page: &Snapshot, index: usize) -> bool {
    let element = &page.elements[index];
    let whole = packed(&element.text);
    if whole.is_empty() || element.descendants == 0 {
        return false;
    }
    let inside =
        page.elements[index + 1..].iter().take(usize::try_from(element.descendants).unwrap_or(usize::MAX));
    let mut rest = whole.as_str();
    for one in inside.filter(|one| one.shown && !one.text.trim().is_empty()) {
        let after = rest.strip_prefix(&*packed(&one.text));
        rest = after.filter(|_| has_middle(edges(element), one)).unwrap_or(rest);
    }
    rest.is_empty()
}
