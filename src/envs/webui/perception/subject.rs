//! The page that questions are about.

use super::list::PageList;
use super::misread::Misread;
use super::pictures::{LayoutPart, Side, pictures};
use mageyard_domain::Observation;

/// A page that questions are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) list: PageList,
    /// What it is called in a sentence.
    pub(super) name: String,
}

impl Subject {
    /// The present page in its first picture, or the wanted page while there is no present one; `None` without a layout.
    pub(super) fn of(seen: &Observation) -> Option<Self> {
        if let Some(misread) = seen.source::<Misread>() {
            return Some(misread.0.clone());
        }
        let found = pictures(seen).ok()?;
        let first = |side: Side| {
            let of_side = found.pictures.iter().filter(|picture| picture.layout.side == side);
            of_side.min_by_key(|picture| picture.layout.state)
        };
        let picture = first(Side::Present).or_else(|| first(Side::Wanted))?;
        Some(Self { list: found.list(picture).ok()?, name: name(&picture.layout) })
    }
}

fn name(LayoutPart { side, state, .. }: &LayoutPart) -> String {
    let page = match side {
        Side::Wanted => "the wanted page",
        Side::Present => "the present page",
    };
    match state {
        0 => format!("{page} as it is loaded"),
        number => format!("{page} after interaction {number}"),
    }
}
