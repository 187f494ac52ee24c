//! What people are shown of a score: views of target and generated page, boxes of pairs, and where points are lost.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::details::DETAILS_MEDIA;
use super::details::Details;
use super::details::ElementDetails;
use super::details::PairDetails;
use super::details::ShotDetails;
use super::details::StateDetails;
use super::details::file_media;
use super::figures::LOSSES;
use super::files::Files;
use super::files::KINDS;
use crate::domain::BlobHandle;
use crate::domain::BoxPair;
use crate::domain::DetailsError;
use crate::domain::Observation;
use crate::domain::ObservationDetails;
use crate::domain::ObservationInspector;
use crate::domain::ObservationPart;
use crate::domain::PairBoxes;
use crate::domain::Picture;
use crate::domain::PictureView;
use crate::domain::PixelBox;
use crate::domain::ScoreRow;
use crate::domain::ViewPage;
use crate::domain::difference;
use crate::domain::side_by_side;

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
        shown.pages = details.states.iter().map(|state| view_page(state, observation)).collect();
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
fn view_page(state: &StateDetails, observation: &Observation) -> ViewPage {
    let picture = |shot: &ShotDetails| {
        let part = observation.parts().get(usize::from(shot.picture?))?;
        Picture::open(part.blob()?.clone(), 1).ok().map(Arc::new)
    };
    let (target, generated) = (picture(&state.target), picture(&state.generated));
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
    ViewPage { title: state.name.clone(), views }
}

/// The boxes of the pairs, in their order, and then those of the targets without a match.
fn boxes(state: &StateDetails) -> PairBoxes {
    let pair = |pair: &PairDetails| BoxPair {
        boxes: [&pair.target, &pair.generated].map(|side| Some(pixel_box(side, &state.generated))),
        label: format!("{:.0}", 100.0 * pair.explanation.score),
    };
    let lone = |target: &ElementDetails| BoxPair {
        boxes: [Some(pixel_box(target, &state.generated)), None],
        label: "none".to_owned(),
    };
    let unmatched = state.unmatched.iter().map(|one| lone(&one.target));
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
    let (left, top) = ((x - shot.scroll[0]).round() as i64, (y - shot.scroll[1]).round() as i64);
    PixelBox { left, top, width: width.round() as u32, height: height.round() as u32 }
}

/// Where the points are: the score, the kinds of losses, and the sub-pages with their pairs.
fn score_rows(details: &Details) -> Vec<ScoreRow> {
    let result = &details.result;
    let row = |label: &str, share: f64| ScoreRow::new(label, points(share)).with_share(share.clamp(0.0, 1.0));
    let losses = serde_json::to_value(result.losses).unwrap_or_default();
    let lost = LOSSES.iter().map(|loss| row(loss.label, losses[loss.name].as_f64().unwrap_or_default()));
    let mut rows = vec![row("AES", result.aes).with_rows(lost.collect())];
    let pages = result.pages.iter().zip(&details.states).enumerate();
    rows.extend(pages.map(|(index, (page, state))| {
        let counts = format!(
            "{}: {} of {} matched, {} count 0, {} do not count",
            points(page.aes),
            page.matched,
            page.targets,
            page.zero,
            page.dropped
        );
        let counts = state.fault.as_ref().map_or(counts, |fault| format!("failed: {fault}"));
        ScoreRow::new(state.name.clone(), counts).with_rows(page_rows(index, state))
    }));
    let [width, height] = result.rendering.viewport;
    let how =
        format!("{}, {width}x{height}, {} waits, {}", result.mode, details.waits, result.rendering.browser);
    rows.push(ScoreRow::new("rules", how));
    for (side, urls) in [("target", &details.target_blocked), ("page", &details.generated_blocked)] {
        let urls: Vec<_> = urls.iter().map(|url| ScoreRow::new(url.clone(), "")).collect();
        if !urls.is_empty() {
            rows.push(
                ScoreRow::new(format!("refused requests of the {side}"), urls.len().to_string())
                    .with_rows(urls),
            );
        }
    }
    rows
}

fn points(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// The pairs of a sub-page, those that cost most first, and the targets without a match.
fn page_rows(page: usize, state: &StateDetails) -> Vec<ScoreRow> {
    let mut pairs: Vec<_> = state.pairs.iter().enumerate().collect();
    pairs.sort_by(|one, other| other.1.lost.total_cmp(&one.1.lost));
    let mut rows: Vec<_> = pairs.into_iter().map(|(index, pair)| pair_row(page, index, pair)).collect();
    rows.extend(state.unmatched.iter().enumerate().map(|(index, one)| {
        let what = if one.counts { "no match, counts 0" } else { "no match, does not count" };
        ScoreRow::new(one.target.name.clone(), what).about(page, state.pairs.len() + index)
    }));
    rows
}

fn pair_row(page: usize, index: usize, pair: &PairDetails) -> ScoreRow {
    let explanation = &pair.explanation;
    let missing = 1.0 - explanation.score;
    // The part of all points that this pair has.
    let whole = if missing > 0.0 { pair.lost / 100.0 / missing } else { 0.0 };
    let share = |lost: f64| (lost * whole).clamp(0.0, 1.0);
    let position = format!("{:.1}", 100.0 * explanation.position.value);
    let mut rows = vec![ScoreRow::new("position", position).with_share(share(explanation.position.lost))];
    rows.extend(explanation.attributes.iter().map(|part| {
        let name =
            part.shorthand.as_ref().map_or(part.name.clone(), |whole| format!("{whole}: {}", part.name));
        let value = part.value.map_or("not compared".to_owned(), points);
        let values = format!("{value}, target {}, page {}", quoted(&part.target), quoted(&part.generated));
        ScoreRow::new(name, values).with_share(share(part.lost))
    }));
    let (target, generated) = (&pair.target.name, &pair.generated.name);
    let label = if target == generated { target.clone() } else { format!("{target}, {generated}") };
    ScoreRow::new(label, points(explanation.score))
        .with_share((pair.lost / 100.0).clamp(0.0, 1.0))
        .about(page, index)
        .with_rows(rows)
}

fn quoted(value: &str) -> String {
    format!("{value:?}")
}
