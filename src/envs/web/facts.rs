//! What is recorded of each act: everything that key nodes compare (`WebCanvas`, section 2.3 of the paper and appendix C).

use serde::{Deserialize, Serialize};

/// What an act did and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActFacts {
    /// The address of the current page before the act.
    pub before: String,
    /// The address of the current page after the act has settled.
    pub after: String,
    /// The verb of the action, such as `click`; empty at the opening.
    pub verb: String,
    /// The element that was chosen, as it was before the act; `None` for acts without one and for numbers that no element has.
    pub element: Option<ChosenElement>,
    /// The text that was typed, chosen, kept or answered.
    pub text: Option<String>,
    /// Whether the act did what it says.
    pub done: bool,
    /// Whether a person did it in the window of the browser: the element is the one that was really touched.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_window: bool,
}

/// An element that an act chose. Its texts are those of the page, so they are untrusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChosenElement {
    /// Its number in the observation; 0 for one that was touched in the window.
    pub number: u32,
    /// Its tag in small letters.
    pub tag: String,
    /// Its role in the tree, such as `link`.
    pub role: String,
    /// Its label in the tree.
    pub label: String,
    /// A CSS selector that finds exactly this element in its document; `None` if none was found.
    pub css: Option<String>,
    /// The selector that the released code makes (`WebCanvas`, released code): it may find another element or none.
    pub code_css: Option<String>,
    /// Its path in its document.
    pub xpath: String,
    /// Left, top, width and height in CSS pixels of the viewport.
    pub rect: [f64; 4],
    /// The address of its document, which may be a frame.
    pub document: String,
    /// Each reference path of the task that is looked for here, with what was found.
    pub paths: Vec<PathFacts>,
}

/// How a reference path of a task and the chosen element are related in the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PathFacts {
    /// The reference, as the task has it: CSS, or `XPath` of the method `xpath`.
    pub path: String,
    /// The tag of the first element that it finds, in small letters; `None` if it finds none or cannot be read.
    pub tag: Option<String>,
    /// What that element is to the chosen one.
    pub relation: Option<Relation>,
    /// What that element is to the first one that [`ChosenElement::code_css`] finds.
    pub code_relation: Option<Relation>,
}

/// What the element of a reference is to the chosen element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The same element.
    Same,
    /// Below the chosen one, which is this many levels above it, from 1 to 3.
    Above(u8),
    /// An option of the chosen select, the one that was chosen.
    ChosenOption,
    /// The select of the chosen option.
    SelectOfOption,
    /// Inside the chosen button, such as a part of its drawing.
    Inside,
    /// What is operated by touching the chosen one, such as the button around it, or related to that as above.
    Operated,
}
