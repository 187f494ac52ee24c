//! The views of pages: pictures as they are taken, pictures with numbers, and lists of elements. All have the same content.

use std::sync::Arc;

use serde_json::Value;

use super::list::PageList;
use super::pictures::{PagePicture, Pictures, pictures};
use crate::options;
use mageyard_domain::{NumberedBox, Observation, ObservationPart, ObservationSource, Options, View};

/// What pages are shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum PageView {
    /// The screenshot.
    #[default]
    Image,
    /// The screenshot with the number of each visible element.
    Numbered,
    /// The visible elements in words.
    Elements,
}

/// The views by name, the default first.
pub(in super::super) const NAMES: &[(&str, PageView)] =
    &[("image", PageView::Image), ("numbered", PageView::Numbered), ("elements", PageView::Elements)];

/// The views, in the order of [`NAMES`]. Their words are a noun that follows an article, and has a plural with s.
pub(in super::super) const VIEWS: &[View] = &[
    View { name: "image", summary: "screenshots", words: "screenshot", is_picture: true },
    View {
        name: "numbered",
        summary: "screenshots with a numbered frame around each visible element",
        words: "numbered screenshot",
        is_picture: true,
    },
    View {
        name: "elements",
        summary: "lists of the visible elements: tag, text, place, size, colours",
        words: "numbered element list",
        is_picture: false,
    },
];

impl PageView {
    /// What a prompt says of its pictures, after a sentence; nothing for plain screenshots.
    pub(in super::super) fn legend(self) -> &'static str {
        match self {
            Self::Image => "",
            Self::Numbered => {
                " The frames and numbers in the screenshots mark the visible elements and are not part of the page."
            }
            Self::Elements => {
                " A list has the visible elements of a page as it is displayed, one in each line: number, tag, text, place and \
                 size in pixels from the top left corner, and how it looks. The numbers are not part of the page."
            }
        }
    }
}

/// An observation as the view of these options shows it.
pub(in super::super) fn show(seen: &Observation, options: &Options) -> Result<Observation, String> {
    show_as(seen, options::view(options).map_err(|error| error.to_string())?)
}

/// An observation in a view: the same state with other parts, each in the place of the one that it replaces. An error says which
/// picture has no stored layout.
pub(in super::super) fn show_as(seen: &Observation, view: PageView) -> Result<Observation, String> {
    let found = match pictures(seen) {
        // Before views were recorded all pictures were plain.
        Err(_) if view == PageView::Image => return Ok(seen.clone()),
        found => found?,
    };
    let mut parts = seen.parts().to_vec();
    for picture in &found.pictures {
        let part = picture.layout.part;
        let replaced = parts
            .get_mut(usize::from(part))
            .ok_or_else(|| format!("the observation has no part {part}, which its list of pictures names"))?;
        let is_plain = matches!(replaced, ObservationPart::Image(picture) if picture.numbers().is_empty());
        if view == PageView::Image && is_plain {
            continue;
        }
        *replaced = shown(&found, picture, view)?;
    }
    Ok(Observation::recorded(seen.digest(), ShownPage { seen: seen.clone(), parts }))
}

/// A picture in a view.
fn shown(found: &Pictures, picture: &PagePicture, view: PageView) -> Result<ObservationPart, String> {
    Ok(match view {
        PageView::Image => ObservationPart::Image(found.picture(picture)?.into()),
        PageView::Numbered => {
            let numbers = numbers(&found.list(picture)?);
            ObservationPart::Image(found.picture(picture)?.with_numbers(numbers).into())
        }
        PageView::Elements => ObservationPart::Text(found.list(picture)?.words().into()),
    })
}

/// The frames around the elements.
fn numbers(list: &PageList) -> Arc<[NumberedBox]> {
    list.elements.iter().map(|one| NumberedBox { number: one.number, rect: one.area }).collect()
}

/// An observation in another view. Text, facts and digest are those of the observation: a view is no other state.
#[derive(Clone)]
struct ShownPage {
    seen: Observation,
    parts: Vec<ObservationPart>,
}

impl ObservationSource for ShownPage {
    fn parts(&self) -> Vec<ObservationPart> {
        self.parts.clone()
    }

    fn text(&self) -> String {
        self.seen.text().to_string()
    }

    fn facts(&self) -> Value {
        self.seen.facts().clone()
    }
}
