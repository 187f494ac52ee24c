//! A page of 640 by 320 pixels whose environment has views of it: a small stand-in for a live surface.

use std::sync::Arc;
use std::time::Duration;

use super::sample_episode;
use crate::model::Model;
use mageyard_domain::{
    Action, BoxPair, CellDrawing, CellGrid, CellRole, DetailsError, Film, FilmFrame, FittedText, Glyph,
    Observation, ObservationDetails, ObservationInspector, ObservationPart, PairBoxes, Picture, PictureView,
    PixelBox, Presentation, RealTime, ScoreRow, SharedDrawing, ViewPage, difference, side_by_side,
};
use mageyard_engine::{Snapshot, Step};

/// Left, top, width and height of the elements of the wanted page.
const WANTED: [(u32, u32, u32, u32); 3] = [(0, 0, 640, 60), (40, 100, 240, 160), (400, 220, 160, 60)];
/// Those of the page that was made: the last one is elsewhere, with another colour.
const MADE: [(u32, u32, u32, u32); 3] = [(0, 0, 640, 60), (40, 100, 240, 160), (360, 180, 160, 60)];
const COLORS: [[u8; 3]; 3] = [[40, 60, 120], [230, 210, 160], [180, 40, 60]];

/// Paints a page; its last element is green on another page than the first.
fn paint(elements: [(u32, u32, u32, u32); 3], page: usize) -> Arc<Picture> {
    let picture = Picture::painted(640, 320, 1, move |pixels| {
        pixels.fill(250);
        for (index, (left, top, width, height)) in elements.into_iter().enumerate() {
            let color = if page > 0 && index == 2 { [30, 140, 60] } else { COLORS[index] };
            for (x, y) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
                let at = (y as usize * 640 + x as usize) * 3;
                pixels[at..at + 3].copy_from_slice(&color);
            }
        }
    });
    Arc::new(picture.unwrap())
}

fn boxes() -> PairBoxes {
    let pixel_box = |(left, top, width, height): (u32, u32, u32, u32)| PixelBox {
        left: left.into(),
        top: top.into(),
        width,
        height,
    };
    let pair = |index: usize, label: &str| BoxPair {
        boxes: [Some(pixel_box(WANTED[index])), Some(pixel_box(MADE[index]))],
        label: label.into(),
    };
    let pairs = vec![pair(0, "100"), pair(1, "97"), pair(2, "61")];
    PairBoxes { names: ["wanted", "made"], pairs }
}

fn page(index: usize) -> ViewPage {
    let wanted = paint(WANTED, index);
    let made = paint(MADE, index);
    let both = [side_by_side(&wanted, &made), difference(&wanted, &made)].map(|one| Arc::new(one.unwrap()));
    let [both, difference] = both;
    let views = vec![
        PictureView::new("page", made.clone()),
        PictureView::new("wanted", wanted),
        PictureView::new("side by side", both),
        PictureView::new("difference", difference),
        PictureView::new("pairs", made).with_boxes(boxes()),
    ];
    ViewPage { title: ["as opened", "after \u{1b}[2J a click"][index].into(), views, drawing: None }
}

fn score() -> Vec<ScoreRow> {
    let attribute = |name: &str, value: &str, share| ScoreRow::new(name, value).with_share(share);
    let pair = |index: usize, name: &str, share, rows| {
        ScoreRow::new(name, "").with_share(share).about(0, index).with_rows(rows)
    };
    let color = attribute("color", "rgb(0, 0, 0) / rgb(1, 2, 3)", 0.05);
    vec![
        attribute("score", "86.0", 0.86),
        ScoreRow::new("as opened", "86.0").with_rows(vec![
            pair(0, "header", 0.0, Vec::new()),
            pair(2, "button.send \u{1b}[2J", 0.14, vec![attribute("position", "61", 0.09), color]),
        ]),
        attribute("unmatched", "0.0", 0.0),
    ]
}

/// A text that has one size.
#[derive(Debug)]
struct Caption(String);

impl FittedText for Caption {
    fn draw(&self, _: usize, _: usize) -> String {
        self.0.clone()
    }

    fn glyph(&self, _: char) -> Option<Glyph> {
        None
    }
}

/// A drawing of a line, a mark and a text in a corner each.
#[derive(Debug)]
struct Corners;

impl CellDrawing for Corners {
    fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid {
        let mut grid = CellGrid::new(columns, rows);
        let right = i32::from(columns) - 1;
        let bottom = i32::from(rows) - 1;
        grid.outline([0, 0], [right, bottom], CellRole::Line);
        grid.write((2, 1), right - 3, "@ in cells \u{1b}[2J", CellRole::Text);
        grid.put(2, 1, '@', CellRole::Thing(Glyph::Agent));
        grid.put(right - 2, 1, '*', CellRole::Trail);
        grid.put(right - 2, bottom - 1, '=', CellRole::Alike);
        let action = action.map_or_else(|| "中文".to_owned(), ToString::to_string);
        grid.write((2, bottom - 1), right - 5, &action, CellRole::Action);
        grid
    }
}

/// The environment of the page.
#[derive(Debug)]
struct PageInspector;

impl ObservationInspector for PageInspector {
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        if observation.text().contains("broken") {
            return Err(DetailsError("the page is broken".into()));
        }
        if !observation.text().contains("page") {
            return Ok(ObservationDetails::default());
        }
        let mut pages = vec![page(0), page(1)];
        if observation.text().contains("drawn") {
            for page in &mut pages {
                page.drawing = Some(SharedDrawing::new(Corners));
            }
        }
        let code = [("html".to_owned(), "<p>one</p>\n<p>two</p>\n".into())].into();
        Ok(ObservationDetails { pages, score: score(), code, ..ObservationDetails::default() })
    }

    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        observation.text().contains("small drawing").then(|| SharedDrawing::new(Corners))
    }

    fn real_time(&self) -> Option<RealTime> {
        Some(RealTime { interval: Duration::from_millis(100), idle: "Up", settings: "page.clock = \"on\"" })
    }

    fn film(&self, observation: &Observation) -> Option<Film> {
        let frame = |index: usize| FilmFrame {
            picture: paint(MADE, index),
            text: Arc::new(Caption(format!("frame {index} of the film"))),
            drawing: None,
        };
        let count = observation.text().split(' ').find_map(|word| word.parse().ok()).unwrap_or(3);
        let frames = (0..count).map(frame).collect();
        observation.text().contains("film").then_some(Film { frames, interval: Duration::from_millis(100) })
    }
}

/// The sample episode whose newest observation is the page, or has a film, with a picture of it or without.
pub(crate) fn page_model(text: &str, has_picture: bool, width: u16, height: u16) -> Model {
    let mut snapshot = {
        let base = sample_episode().snapshot();
        Snapshot {
            presentation: Presentation { inspector: Some(&PageInspector), ..base.presentation },
            ..base
        }
    };
    let parts = has_picture.then(|| ObservationPart::Image(paint(MADE, 0)));
    let observation = Observation::from_parts(parts.into_iter().collect(), text, ());
    let step = snapshot.steps.get_mut(6).unwrap();
    *step = Step { observation, ..Step::clone(step) }.into();
    let mut model = super::model_of(snapshot, width, height);
    model.prepare();
    model
}
