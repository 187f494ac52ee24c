//! Ways to see a page wrongly.

use std::any::Any;

use serde_json::{Value, json};

use super::list::{Kind, Listed, PageList};
use super::subject::Subject;
use mageyard_domain::{Misreading, Observation, ObservationPart, ObservationSource};

const MIRRORED: &str = "mirror";
const MISSED: &str = "element";
const SWAPPED: &str = "texts";

/// The ways to see a page wrongly.
pub(super) const MISREADINGS: &[Misreading] = &[
    Misreading { name: MIRRORED, summary: "left and right are swapped" },
    Misreading { name: MISSED, summary: "an element is not seen, a button if there is one" },
    Misreading { name: SWAPPED, summary: "the texts of two elements are swapped, of one kind if possible" },
];

/// A page that is seen wrongly, as a list of elements.
#[derive(Clone)]
pub(super) struct Misread(pub(super) Subject);

impl ObservationSource for Misread {
    fn parts(&self) -> Vec<ObservationPart> {
        vec![ObservationPart::Text(self.text().into())]
    }

    fn text(&self) -> String {
        self.0.list.words()
    }

    fn facts(&self) -> Value {
        let element =
            |one: &Listed| json!({"number": one.number, "tag": one.tag, "text": one.text, "area": one.area});
        let elements: Vec<Value> = self.0.list.elements.iter().map(element).collect();
        json!({"page": self.0.name, "size": self.0.list.size, "elements": elements})
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// The page as it is seen wrongly in this way; `None` if that is the page itself.
pub(super) fn misread(subject: &Subject, misreading: &str) -> Option<Observation> {
    let list = match misreading {
        MIRRORED => mirrored(&subject.list),
        MISSED => without_one(&subject.list)?,
        SWAPPED => with_texts_swapped(&subject.list)?,
        _ => return None,
    };
    let wrong = Subject { list, name: subject.name.clone() };
    (wrong != *subject).then(|| Observation::from_source(Misread(wrong)))
}

fn mirrored(list: &PageList) -> PageList {
    let width = i32::try_from(list.size[0]).unwrap_or(i32::MAX);
    let mut mirrored = list.clone();
    for one in &mut mirrored.elements {
        let [left, top, wide, high] = one.area;
        one.area = [width.saturating_sub(left).saturating_sub(wide), top, wide, high];
    }
    mirrored
}

/// The list without the first button, or without the first text if there is no button. The others keep their numbers.
fn without_one(list: &PageList) -> Option<PageList> {
    let elements = &list.elements;
    let missed = elements
        .iter()
        .position(|one| one.kind == Kind::Button)
        .or_else(|| elements.iter().position(|one| !one.text.is_empty()))?;
    let mut fewer = list.clone();
    fewer.elements.remove(missed);
    Some(fewer)
}

/// The list with the first two different texts of one kind swapped, or else with the first two.
fn with_texts_swapped(list: &PageList) -> Option<PageList> {
    let texts: Vec<usize> =
        (0..list.elements.len()).filter(|index| !list.elements[*index].text.is_empty()).collect();
    let first_pair = |kind: Option<Kind>| {
        let mut of_kind =
            texts.iter().copied().filter(|index| kind.is_none_or(|kind| list.elements[*index].kind == kind));
        let first = of_kind.next()?;
        Some((first, of_kind.find(|other| list.elements[*other].text != list.elements[first].text)?))
    };
    let kinds = [Some(Kind::Button), Some(Kind::Heading), Some(Kind::Link), None];
    let (one, other) = kinds.into_iter().find_map(first_pair)?;
    let mut swapped = list.clone();
    let text = swapped.elements[one].text.clone();
    swapped.elements[one].text = std::mem::replace(&mut swapped.elements[other].text, text);
    Some(swapped)
}
