//! An element, or a point of it.

use serde::{Deserialize, Serialize};

use super::Target;

/// Where a step acts: `{"css": "#map", "index": 2, "offset": [10, -5]}`, the last two optional.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Written")]
pub struct Place {
    /// The element.
    #[serde(flatten)]
    pub target: Target,
    /// Which of the elements that fit, from 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub index: usize,
    /// Pixels to the right and down from the click point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<[i32; 2]>,
}

impl From<Target> for Place {
    fn from(target: Target) -> Self {
        Self { target, index: 0, offset: None }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(index: &usize) -> bool {
    *index == 0
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Option<String>,
    class: Option<String>,
    css: Option<String>,
    xpath: Option<String>,
    text: Option<String>,
    link_text: Option<String>,
    name: Option<String>,
    #[serde(default)]
    index: usize,
    offset: Option<[i32; 2]>,
}

impl TryFrom<Written> for Place {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let targets = [
            written.id.map(Target::Id),
            written.class.map(Target::Class),
            written.css.map(Target::Css),
            written.xpath.map(Target::Xpath),
            written.text.map(Target::Text),
            written.link_text.map(Target::LinkText),
            written.name.map(Target::Name),
        ];
        let mut named = targets.into_iter().flatten();
        let (Some(target), None) = (named.next(), named.next()) else {
            return Err("an element needs exactly one of id, class, css, xpath, text, link_text, name");
        };
        Ok(Self { target, index: written.index, offset: written.offset })
    }
}
