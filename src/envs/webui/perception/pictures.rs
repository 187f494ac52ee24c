//! Which page each picture of an observation shows, and where its layout is stored.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::super::details::{DETAILS_MEDIA, Details, ShotDetails};
use super::super::snapshot::Snapshot;
use super::list::PageList;
use mageyard_domain::{BlobHandle, BlobRef, Observation, ObservationPart, Picture};

/// The media type of the list of pictures of an observation. It is not a text, so no request has it.
pub(in super::super) const PICTURES_MEDIA: &str = "application/vnd.mageyard.webui-pictures";

/// The two pages of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Side {
    /// The page that is to be rebuilt.
    Wanted,
    /// The page that the present files give.
    Present,
}

/// The layout of the page in a picture of an observation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct LayoutPart {
    /// The part of the observation.
    pub(in super::super) part: u16,
    /// Whose page it is.
    pub(in super::super) side: Side,
    /// The state of the page: 0 as it is loaded, N after interaction N.
    pub(in super::super) state: usize,
    /// How far the page is scrolled, to the right and down.
    pub(in super::super) scroll: [f64; 2],
    /// The snapshot.
    pub(in super::super) snapshot: BlobRef,
}

/// A picture of a page in an observation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct PagePicture {
    /// The picture as it was taken.
    pub(in super::super) picture: BlobRef,
    #[serde(flatten)]
    pub(in super::super) layout: LayoutPart,
}

/// The pictures of an observation with their store.
pub(in super::super) struct Pictures {
    pub(super) store: BlobHandle,
    pub(in super::super) pictures: Vec<PagePicture>,
}

impl Pictures {
    /// A picture as it was taken.
    pub(super) fn picture(&self, of: &PagePicture) -> Result<Picture, String> {
        let name = |error: &dyn std::fmt::Display| format!("the picture of part {}: {error}", of.layout.part);
        Picture::open(self.store.beside(&of.picture), 1).map_err(|error| name(&error))
    }

    /// The elements of a picture.
    pub(super) fn list(&self, of: &PagePicture) -> Result<PageList, String> {
        let LayoutPart { part, scroll, ref snapshot, .. } = of.layout;
        let name =
            |error: &dyn std::fmt::Display| format!("the layout of the picture of part {part}: {error}");
        let picture = self.picture(of)?;
        let text = self.store.beside(snapshot).load_text().map_err(|error| name(&error))?;
        let page = Snapshot::parse(&text).map_err(|error| name(&error))?;
        Ok(PageList::new(&page, scroll, [picture.width(), picture.height()]))
    }
}

/// The pictures of an observation. Recordings of earlier versions have no list of them: there a picture is one of those that the
/// details of the score name, and one without is an error.
pub(in super::super) fn pictures(seen: &Observation) -> Result<Pictures, String> {
    if let Some(stored) = newest(seen, PICTURES_MEDIA) {
        let bytes = stored.load().map_err(|error| error.to_string())?;
        let pictures = serde_json::from_slice(&bytes)
            .map_err(|error| format!("the list of the pictures of the observation is malformed: {error}"))?;
        return Ok(Pictures { store: stored.clone(), pictures });
    }
    let Some(stored) = newest(seen, DETAILS_MEDIA) else { return Err(older(seen)) };
    Ok(Pictures { store: stored.clone(), pictures: of_details(seen, &details(stored)?)? })
}

/// The elements of all stored states of a page, in their whole documents.
pub(super) fn all_lists(seen: &Observation, side: Side) -> Result<Vec<PageList>, String> {
    let found = pictures(seen)?;
    let shown = found.pictures.iter().filter(|picture| picture.layout.side == side);
    let mut snapshots: Vec<BlobRef> = shown.map(|picture| picture.layout.snapshot.clone()).collect();
    if let Some(stored) = newest(seen, DETAILS_MEDIA) {
        let shots = details(stored)?.states.into_iter().map(|state| match side {
            Side::Wanted => state.target,
            Side::Present => state.generated,
        });
        snapshots.extend(shots.filter_map(|shot| shot.snapshot));
    }
    let mut known = HashSet::new();
    snapshots.retain(|snapshot| known.insert(snapshot.digest));
    let list = |snapshot: &BlobRef| {
        let text = found.store.beside(snapshot).load_text().map_err(|error| error.to_string())?;
        let page = Snapshot::parse(&text).map_err(|error| error.to_string())?;
        Ok(PageList::new(&page, [0.0; 2], page.document.map(whole_pixels)))
    };
    snapshots.iter().map(list).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
fn whole_pixels(side: f64) -> u32 {
    side.clamp(0.0, 1e6).ceil() as u32
}

/// The details of a score.
fn details(stored: &BlobHandle) -> Result<Details, String> {
    let bytes = stored.load().map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| format!("the details of the score are malformed: {error}"))
}

/// The layouts that an observation names, if it has a list of its pictures.
pub(in super::super) fn recorded_layouts(seen: &Observation) -> Option<Vec<LayoutPart>> {
    newest(seen, PICTURES_MEDIA)?;
    Some(pictures(seen).ok()?.pictures.into_iter().map(|picture| picture.layout).collect())
}

fn older(seen: &Observation) -> String {
    match seen.images().count() {
        0 => "the observation has no picture of a page".to_owned(),
        count => format!(
            "the layout of the page is not stored for the {count} pictures of the observation: it is an opening that an earlier \
             version recorded; later steps of the episode, and new episodes, have it"
        ),
    }
}

/// The last data of this media type.
fn newest<'a>(seen: &'a Observation, media: &str) -> Option<&'a BlobHandle> {
    let mut data = seen.parts().iter().rev().filter_map(|part| match part {
        ObservationPart::Data(handle) => Some(handle),
        _ => None,
    });
    data.find(|handle| &*handle.blob().media_type == media)
}

/// The pictures that have the same bytes as one of the details.
fn of_details(seen: &Observation, details: &Details) -> Result<Vec<PagePicture>, String> {
    let task = seen.task_parts();
    let of_image = |(part, picture): (u16, &std::sync::Arc<Picture>)| {
        let side = if usize::from(part) < task { Side::Wanted } else { Side::Present };
        let blob = picture.blob().map(|handle| handle.blob().clone());
        let found = blob.and_then(|blob| same_picture(seen, details, (part, side), blob));
        found.ok_or_else(|| {
            format!(
                "the layout of the page in the picture of part {part} is not stored: an earlier version recorded the episode, and \
                 the page looked otherwise when it was scored; new episodes have it"
            )
        })
    };
    seen.images().map(of_image).collect()
}

fn same_picture(
    seen: &Observation,
    details: &Details,
    (part, side): (u16, Side),
    picture: BlobRef,
) -> Option<PagePicture> {
    let shown = |shot: &ShotDetails| {
        let part = seen.parts().get(usize::from(shot.picture?))?;
        Some(part.blob()?.blob().digest == picture.digest)
    };
    let states = details.states.iter().map(|state| match side {
        Side::Wanted => &state.target,
        Side::Present => &state.generated,
    });
    let (state, shot) = states.enumerate().find(|(_, shot)| shown(shot) == Some(true))?;
    let snapshot = shot.snapshot.clone()?;
    Some(PagePicture { picture, layout: LayoutPart { part, side, state, scroll: shot.scroll, snapshot } })
}
