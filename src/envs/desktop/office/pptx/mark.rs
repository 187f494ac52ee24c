//! What is written at paragraphs of a slide's part: the level, the bullet and its color, as written there.

use std::collections::HashMap;

use crate::office::Element;

/// What a paragraph itself says of its bullet. Nothing is inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Whether it has properties at all (`a:pPr`).
    pub(crate) has_properties: bool,
    /// The level.
    pub(crate) level: Option<String>,
    /// The character.
    pub(crate) character: Option<String>,
    /// The color of the bullet, as six digits.
    pub(crate) color: Option<String>,
    /// All text in it.
    pub(crate) text: String,
    /// Whether a text element in it is empty.
    pub(crate) has_empty_text: bool,
}

/// The places of paragraphs in the list of marks, by their addresses in the tree.
#[derive(Default)]
pub(super) struct Places(HashMap<*const Element, usize>);

impl Places {
    pub(super) fn of(&self, paragraph: &Element) -> Option<usize> {
        self.0.get(&std::ptr::from_ref(paragraph)).copied()
    }
}

/// The marks of all paragraphs below an element, in the order of the text.
pub(super) fn read(root: &Element) -> Result<(Vec<Mark>, Places), String> {
    let paragraphs = root.descendants("a:p");
    if paragraphs.iter().any(|paragraph| paragraph.has("a:p")) {
        return Err("a paragraph is in a paragraph".to_owned());
    }
    let keys = paragraphs.iter().map(|paragraph| std::ptr::from_ref::<Element>(paragraph));
    let places = Places(keys.zip(0..).collect());
    Ok((paragraphs.into_iter().map(mark).collect(), places))
}

fn mark(paragraph: &Element) -> Mark {
    let properties = paragraph.child("a:pPr");
    let attr = |path: &[&str], name: &str| {
        let element = properties.and_then(|properties| properties.at(path));
        element.and_then(|element| element.attr(name)).map(str::to_owned)
    };
    let texts: Vec<String> = paragraph.descendants("a:t").into_iter().map(Element::text).collect();
    Mark {
        has_properties: properties.is_some(),
        level: attr(&[], "lvl"),
        character: attr(&["a:buChar"], "char"),
        color: attr(&["a:buClr", "a:srgbClr"], "val"),
        has_empty_text: texts.iter().any(String::is_empty),
        text: texts.concat(),
    }
}
