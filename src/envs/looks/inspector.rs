//! What people see of a question beside its pictures: the pictures before and after an action side by side, and what was
//! right.

use std::sync::Arc;

use mageyard_domain::{
    Action, ActionShape, ActionSpace, Arg, DetailsError, Number, Observation, ObservationDetails,
    ObservationInspector, ParamKind, Picture, PictureView, ScoreRow, ViewPage, side_by_side,
};

use super::observation::{RIGHT, SPACE, TITLE};

/// Reads pictures and facts of an observation.
#[derive(Debug)]
pub(super) struct Inspector;

impl ObservationInspector for Inspector {
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        let pictures: Vec<&Arc<Picture>> = observation.images().map(|(_, picture)| picture).collect();
        let title = observation.facts()[TITLE].as_str().unwrap_or_default();
        let pages = match pictures.as_slice() {
            [only] => vec![single_page(title, only)],
            several => several.windows(2).filter_map(|pair| page(title, pair[0], pair[1])).collect(),
        };
        Ok(ObservationDetails { pages, score: rows(observation), ..ObservationDetails::default() })
    }

    fn action_shapes(&self, observation: &Observation, action: &Action) -> Vec<ActionShape> {
        let size = |index: usize| observation.facts()["size"][index].as_f64().unwrap_or(1.0);
        let number = |name: &str| match action.args.get(name) {
            Some(Arg::Number(number)) => Some(number.get()),
            _ => None,
        };
        let Some((x, y)) = number("x").zip(number("y")) else { return Vec::new() };
        let is_share = action.name == super::question::POINT;
        let (x, y) = if is_share { (x * size(0), y * size(1)) } else { (x, y) };
        let label = match action.args.get("button") {
            Some(Arg::Text(button)) => button.clone(),
            _ => String::new(),
        };
        vec![ActionShape::Point { at: (pixel(x), pixel(y)), label }]
    }

    fn action_at(&self, observation: &Observation, at: (u32, u32)) -> Option<Action> {
        action_at(observation, at)
    }
}

/// The place in the middle of this pixel, as the only action of a question says it.
fn action_at(observation: &Observation, (x, y): (u32, u32)) -> Option<Action> {
    let space: ActionSpace = serde_json::from_value(observation.facts()[SPACE].clone()).ok()?;
    let [spec] = space.specs() else { return None };
    let number = |name: &str, pixel: u32, index: usize| {
        let side = observation.facts()["size"][index].as_f64()?;
        let ParamKind::Number { max, .. } = spec.param(name)?.kind else { return None };
        Number::new((f64::from(pixel) + 0.5) / side * max).map(Arg::Number)
    };
    Some(Action::plain(&*spec.name).with("x", number("x", x, 0)?).with("y", number("y", y, 1)?))
}

#[expect(clippy::cast_possible_truncation, reason = "the value is limited")]
fn pixel(at: f64) -> i64 {
    at.round().clamp(-1e9, 1e9) as i64
}

fn single_page(title: &str, picture: &Arc<Picture>) -> ViewPage {
    let views = vec![PictureView::new("screenshot", picture.clone())];
    ViewPage { title: title.to_owned(), views, drawing: None }
}

/// The pictures before and after an action.
fn page(title: &str, before: &Arc<Picture>, after: &Arc<Picture>) -> Option<ViewPage> {
    let both = side_by_side(before, after).map(Arc::new)?;
    let views = vec![
        PictureView::new("side by side", both),
        PictureView::new("before", before.clone()),
        PictureView::new("after", after.clone()),
    ];
    Some(ViewPage { title: title.to_owned(), views, drawing: None })
}

/// What was answered and what is right, once there is an answer.
fn rows(observation: &Observation) -> Vec<ScoreRow> {
    let facts = observation.facts();
    let words =
        |name: &str| serde_json::from_value::<Action>(facts[name].clone()).map(|action| action.to_string());
    let (Ok(answer), Ok(right), Some(sentence)) = (words("answer"), words(RIGHT), facts["sentence"].as_str())
    else {
        return Vec::new();
    };
    vec![ScoreRow::new("answer", answer).with_note(sentence), ScoreRow::new("right", right)]
}
