//! What people see of a page: the screenshot with and without numbered boxes, a checklist of the key nodes, and what numbers
//! stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use mageyard_domain::{
    Action, ActionShape, Arg, DetailsError, Observation, ObservationDetails, ObservationInspector,
    PictureView, PixelBox, ScoreRow, SharedDrawing, ViewPage,
};

use crate::actions::{CLICK, FILL_FORM, ID, SELECT_OPTION, TAB, on_element};
use crate::drawing::PageDrawing;
use crate::look::Course;
use crate::observation::{STATE, numbers, reading, screenshot};
use crate::page::{PageReading, ReadElement};

/// Reads what observations have stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        let reading = reading(observation).map_err(DetailsError)?;
        let mut views = Vec::new();
        if let Some(picture) = screenshot(observation) {
            let plain = picture.map_err(|error| DetailsError(error.to_string()))?;
            let marked = screenshot(observation).and_then(Result::ok);
            let marked = marked.map(|picture| picture.with_numbers(numbers(&reading)));
            views.extend(marked.map(|picture| PictureView::new("marks", Arc::new(picture))));
            views.push(PictureView::new("screenshot", Arc::new(plain)));
        }
        let title = title(observation, &reading);
        let drawing = Some(SharedDrawing::new(PageDrawing::new(&reading)));
        let facts = observation.facts();
        Ok(ObservationDetails {
            pages: vec![ViewPage { title, views, drawing }],
            score: checklist(&Course::of_facts(facts)),
            numbers: named_numbers(observation, &reading),
            ..ObservationDetails::default()
        })
    }

    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        let reading = reading(observation).ok()?;
        Some(SharedDrawing::new(PageDrawing::new(&reading)))
    }

    fn action_shapes(&self, observation: &Observation, action: &Action) -> Vec<ActionShape> {
        let number = match action.args.get(ID) {
            Some(Arg::Number(number)) => number.as_integer().and_then(|number| u32::try_from(number).ok()),
            _ => None,
        };
        let Some(number) = number else { return Vec::new() };
        // Called for each drawing: the boxes that are painted on the picture need no loading.
        let painted = observation.picture().and_then(|picture| {
            picture.numbers().iter().find(|painted| painted.number == number).map(|painted| painted.rect)
        });
        let loaded = || Some(reading(observation).ok()?.element(number)?.rect);
        let rect = painted.map(|rect| rect.map(f64::from)).or_else(loaded);
        rect.map(|rect| ActionShape::Area(area(rect))).into_iter().collect()
    }

    /// The act that a click there means: a field is filled, a list is chosen from, anything else is clicked.
    fn action_at(&self, observation: &Observation, (x, y): (u32, u32)) -> Option<Action> {
        let reading = reading(observation).ok()?;
        let inside = |element: &&ReadElement| {
            let [left, top, width, height] = element.rect;
            let at = [f64::from(x), f64::from(y)];
            element.acts && at[0] >= left && at[0] < left + width && at[1] >= top && at[1] < top + height
        };
        let size = |element: &&ReadElement| element.rect[2] * element.rect[3];
        let elements = reading.elements.iter().filter(inside);
        let smallest = elements.min_by(|one, other| size(one).total_cmp(&size(other)))?;
        Some(on_element(verb(smallest), smallest.number))
    }
}

/// The verb of a person who chooses this element on the picture.
fn verb(element: &ReadElement) -> &'static str {
    match (element.tag.as_str(), element.role.as_str()) {
        ("select", _) => SELECT_OPTION,
        (_, "textbox" | "searchbox" | "spinbutton" | "input" | "textarea") => FILL_FORM,
        ("input" | "textarea", "combobox") => FILL_FORM,
        _ => CLICK,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is limited")]
fn area(rect: [f64; 4]) -> PixelBox {
    let [left, top, width, height] = rect.map(f64::round);
    let at = |side: f64| side.clamp(-1e6, 1e6) as i64;
    let long = |side: f64| side.clamp(0.0, 1e6) as u32;
    PixelBox { left: at(left), top: at(top), width: long(width), height: long(height) }
}

fn title(observation: &Observation, reading: &PageReading) -> String {
    let state = observation.facts()[STATE].as_str().unwrap_or_default();
    let sign = if state == "ok" { String::new() } else { format!("{state}: ") };
    let tabs = observation.facts()["tabs"].as_array().map_or(0, Vec::len);
    let current = observation.facts()["tabs"].as_array().and_then(|tabs| {
        tabs.iter().find(|tab| tab["current"] == true).and_then(|tab| tab["number"].as_u64())
    });
    let tab = match current {
        Some(number) if tabs > 1 => format!("tab {number} of {tabs}: "),
        _ => String::new(),
    };
    format!("{sign}{tab}{}", reading.title)
}

/// A row for each node: whether and when it was met, and both sides of the last comparison that failed.
fn checklist(course: &Course) -> Vec<ScoreRow> {
    let row = |(index, node): (usize, &crate::nodes::NodeProgress)| {
        let name = format!("node {}", index + 1);
        let result = match node.act {
            Some(act) if node.is_full() => format!("✓ met at act {act}"),
            Some(act) => format!("{:.2} at act {act}", node.score),
            None => "not met".to_owned(),
        };
        let failed = course.failed.iter().find(|failed| failed.node == index);
        let row = ScoreRow::new(name, result);
        match failed {
            Some(failed) => row.with_note(failed.sentence.clone()),
            None => row,
        }
    };
    course.progress.nodes.iter().enumerate().map(row).collect()
}

/// What the numbers of elements and tabs stand for.
fn named_numbers(observation: &Observation, reading: &PageReading) -> BTreeMap<String, Arc<[(i64, String)]>> {
    let elements = reading.elements.iter().filter(|element| element.acts);
    let elements = elements.map(|element| (element.number.into(), element_words(element)));
    let tabs = observation.facts()["tabs"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let tabs = tabs.filter_map(|tab| Some((tab["number"].as_i64()?, tab["title"].as_str()?.to_owned())));
    [(ID.to_owned(), elements.collect()), (TAB.to_owned(), tabs.collect())].into()
}

fn element_words(element: &ReadElement) -> String {
    format!("{} '{}'", element.role, mageyard_domain::sanitize(&element.label))
}
