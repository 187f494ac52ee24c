//! A page as it was read: its lines, and the numbered elements.

use serde::{Deserialize, Serialize};

use super::PageSigns;

/// Which tree is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreeForm {
    /// What is rendered, with roles by HTML-AAM and names by the accessible name computation, frames and open shadow trees
    /// included.
    #[default]
    Visible,
    /// The tree of the released code of `WebCanvas`, made from the HTML of the main document. That code parses the HTML again
    /// with libxml2. The content of templates and `noscript`, and void elements that contain their followers, are
    /// imitated; other repairs of that parser (such as where it closes `p` in tables) are not, so places in broken
    /// HTML may differ.
    Code,
}

/// How a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSettings {
    /// Which tree.
    pub form: TreeForm,
    /// The maximum number of lines with numbers; 0 for all.
    pub lines: usize,
}

impl Default for ReadSettings {
    /// The visible tree, at most 3,000 lines.
    fn default() -> Self {
        Self { form: TreeForm::Visible, lines: 3_000 }
    }
}

/// What a numbered line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElementKind {
    /// An element with a role.
    Element,
    /// A text; its element is the one around it.
    Text,
    /// The element that holds a frame.
    Frame,
}

/// A numbered element. Its texts are those of the page: they are untrusted and may have any characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadElement {
    /// Its number, from 1.
    pub number: u32,
    /// What it is.
    pub kind: ElementKind,
    /// Its role in the tree, such as `link`.
    pub role: String,
    /// Its label; a long one ends with how much was left out.
    pub label: String,
    /// Its tag in small letters.
    pub tag: String,
    /// What is typed or chosen in it.
    pub value: Option<String>,
    /// States such as `checked`, in the order of the line.
    pub states: Vec<String>,
    /// Left, top, width and height in CSS pixels of the viewport.
    pub rect: [f64; 4],
    /// Whether a person operates it, so that its number is worth an outline.
    pub acts: bool,
    /// How many listed elements are around it.
    pub depth: u32,
    /// Its frame in [`PageReading::frames`].
    pub frame: usize,
    /// Its key within the frame.
    pub(super) key: u32,
}

/// A frame that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadFrame {
    /// What the browser calls it.
    pub id: String,
    /// The frame around it, an earlier one.
    pub parent: Option<usize>,
    /// The address of its document.
    pub url: String,
    /// Left and top of its content in the viewport of the page.
    pub origin: [f64; 2],
    /// Which reading of its document it was; a stored page cannot be acted on.
    #[serde(skip)]
    pub(super) reading: String,
}

/// A page at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageReading {
    /// The lines: the title, elements and texts, at the end how many are missing. None has a line break, a control
    /// character or a mark that changes the reading order. Empty where the released code has no observation.
    pub lines: Vec<String>,
    /// How many elements and texts the limit left out.
    pub cut: usize,
    /// The numbered elements; number `n` is at `n - 1`.
    pub elements: Vec<ReadElement>,
    /// The frames that were read; the main one is first.
    pub frames: Vec<ReadFrame>,
    /// The title of the page.
    pub title: String,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: [f64; 2],
    /// How far the page is scrolled to the right and down.
    pub scroll: [f64; 2],
    /// Width and height of the whole page.
    pub extent: [f64; 2],
    /// What tells walls and errors from pages.
    pub signs: PageSigns,
}

impl PageReading {
    /// The lines as one text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The element with this number.
    pub fn element(&self, number: u32) -> Option<&ReadElement> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.elements.get(index)
    }

    /// The largest number.
    pub fn last(&self) -> u32 {
        self.elements.last().map_or(0, |element| element.number)
    }
}
