//! What people are shown of a score: views of target and generated page, boxes of pairs, and where points are lost.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::details::{
    DETAILS_MEDIA, Details, ElementDetails, PairDetails, ShotDetails, StateDetails, file_media,
};
use super::drawing::PageDrawing;
use super::files::{Files, KINDS};
use super::score_rows::score_rows;
use super::snapshot::Snapshot;
use mageyard_domain::{
    BlobHandle, BoxPair, DetailsError, Observation, ObservationDetails, ObservationInspector,
    ObservationPart, PairBoxes, Picture, PictureError, PictureView, PixelBox, SharedDrawing, ViewPage,
    difference, side_by_side,
};

/// Reads the details that an act has stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        let error = |error: &dyn std::fmt::Display| DetailsError(error.to_string());
        let files = files(observation).map_err(DetailsError)?;
        let code = files.written().map(|(kind, text)| (kind.parameter.to_owned(), text.clone()));
        let mut shown = ObservationDetails { code: code.collect(), ..ObservationDetails::default() };
        let Some(stored) = newest(observation, DETAILS_MEDIA) else { return Ok(shown) };
        let bytes = stored.load().map_err(|why| error(&why))?;
        let details: Details = serde_json::from_slice(&bytes).map_err(|why| error(&why))?;
        let pages = details.states.iter().enumerate().map(|(index, state)| {
            let page = view_page(state, observation)?;
            Ok(ViewPage {
                drawing: Some(drawing(&details, index, stored)).filter(|_| !page.views.is_empty()),
                ..page
            })
        });
        shown.pages = pages.collect::<Result<_, PictureError>>().map_err(|why| error(&why))?;
        shown.score = score_rows(&details);
        Ok(shown)
    }
}

/// The present files of an observation.
pub(super) fn files(observation: &Observation) -> Result<Files, String> {
    let mut texts = [None, None, None];
    for (text, kind) in texts.iter_mut().zip(KINDS) {
        if let Some(file) = newest(observation, &file_media(kind.parameter)) {
            *text = Some(file.load_text().map_err(|error| error.to_string())?);
        }
    }
    Ok(Files::new(texts))
}

/// The last data of this media type.
fn newest<'a>(observation: &'a Observation, media: &str) -> Option<&'a BlobHandle> {
    let mut data = observation.parts().iter().rev().filter_map(|part| match part {
        ObservationPart::Data(handle) => Some(handle),
        _ => None,
    });
    data.find(|handle| &*handle.blob().media_type == media)
}

/// The views of a sub-page. A side without a picture has no views.
fn view_page(state: &StateDetails, observation: &Observation) -> Result<ViewPage, PictureError> {
    let picture = |shot: &ShotDetails| {
        let part = shot.picture.and_then(|part| observation.parts().get(usize::from(part)));
        let blob = part.and_then(ObservationPart::blob);
        blob.map(|blob| Picture::open(blob.clone(), 1).map(Arc::new)).transpose()
    };
    let target = picture(&state.target)?;
    let generated = picture(&state.generated)?;
    let mut views = Vec::new();
    views.extend(generated.clone().map(|page| PictureView::new("page", page)));
    views.extend(target.clone().map(|page| PictureView::new("target", page)));
    if let (Some(target), Some(generated)) = (&target, &generated) {
        let both = side_by_side(target, generated).map(Arc::new);
        views.extend(both.map(|picture| PictureView::new("side by side", picture)));
        let difference = difference(target, generated).map(Arc::new);
        views.extend(difference.map(|picture| PictureView::new("difference", picture)));
    }
    if let Some(page) = generated.or(target) {
        views.push(PictureView::new("pairs", page).with_boxes(boxes(state)));
    }
    let fault = state.fault.as_ref().map_or_else(String::new, |fault| format!(": {fault}"));
    Ok(ViewPage { title: format!("{}{fault}", state.name), views, drawing: None })
}

/// A sub-page in cells. Without its snapshot it has no texts.
fn drawing(details: &Details, index: usize, stored: &BlobHandle) -> SharedDrawing {
    let unknown = StateDetails::default();
    let state = details.states.get(index).unwrap_or(&unknown);
    let score = details.result.pages.get(index).map_or(0.0, |page| page.aes);
    let snapshot = state.generated.snapshot.as_ref().and_then(|blob| stored.beside(blob).load_text().ok());
    let snapshot = snapshot.and_then(|text| Snapshot::parse(&text).ok());
    let viewport = details.result.rendering.viewport;
    SharedDrawing::new(PageDrawing::new(state, score, viewport, snapshot.as_ref()))
}

/// The boxes of the pairs, in their order, and then those of the targets without a match. All are where they are in the
/// document, in the picture of the generated page.
fn boxes(state: &StateDetails) -> PairBoxes {
    let pair = |pair: &PairDetails| BoxPair {
        boxes: [&pair.target, &pair.generated].map(|side| Some(pixel_box(side, &state.generated))),
        label: format!("{:.0}", 100.0 * pair.explanation.score),
    };
    let unmatched = state.unmatched.iter().map(|one| BoxPair {
        boxes: [Some(pixel_box(&one.target, &state.generated)), None],
        label: if one.counts { "0".to_owned() } else { "not counted".to_owned() },
    });
    let pairs = state.pairs.iter().map(pair).chain(unmatched).collect();
    PairBoxes { names: ["target", "page"], pairs }
}

/// The box of an element in a picture of the visible part.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts of floats are limited to the range"
)]
fn pixel_box(element: &ElementDetails, shot: &ShotDetails) -> PixelBox {
    let [x, y, width, height] = element.area;
    let left = (x - shot.scroll[0]).round() as i64;
    let top = (y - shot.scroll[1]).round() as i64;
    PixelBox { left, top, width: width.round() as u32, height: height.round() as u32 }
}
