//! What is observed: the question with its pictures, and after an answer the same with what is right and what was answered
//! drawn on them. An agent sees only the first.

use std::sync::Arc;

use serde_json::{Value, json};

use super::drawn::Canvas;
use super::question::{Judged, Question, Shown};
use super::record::Area;
use mageyard_domain::{Action, Observation, ObservationPart, Picture};

/// The fact with what is asked, in a line.
pub(super) const TITLE: &str = "title";
/// The fact with the right answer, for policies.
pub(super) const RIGHT: &str = "right";
/// The fact with the actions to choose from.
pub(super) const SPACE: &str = "space";

const RIGHT_COLOR: [u8; 3] = [20, 150, 60];
const WRONG_COLOR: [u8; 3] = [210, 30, 40];
const AREA_COLOR: [u8; 3] = [30, 90, 220];

/// The observation of a question, or of its answer.
pub(super) fn observe(
    question: &Question,
    pictures: &[Arc<Picture>],
    answer: Option<&Action>,
) -> Observation {
    let size = size_of(pictures);
    let judged = answer.map(|answer| (answer, question.judge(Some(answer), size)));
    let mut parts = Vec::new();
    let mut texts = Vec::new();
    for part in &question.shown {
        match part {
            Shown::Text(text) => {
                parts.push(ObservationPart::Text(text.clone()));
                texts.push(text.to_string());
            }
            Shown::Picture(index) => {
                let Some(picture) = pictures.get(*index) else { continue };
                let marked =
                    judged.as_ref().map(|(answer, judged)| marked(question, picture, *index, answer, judged));
                parts.push(ObservationPart::Image(marked.map_or_else(|| picture.clone(), Arc::new)));
                texts.push(format!("[picture {}: {}]", index + 1, question.pictures[*index]));
            }
        }
    }
    let mut facts = json!({
        TITLE: question.title,
        "platform": question.about.platform,
        "source": question.about.source,
        "size": [size.0, size.1],
        SPACE: question.space(size),
        RIGHT: question.right(size),
    });
    if let Some((answer, judged)) = judged {
        texts.push(format!("Answer: {answer}. {}", judged.sentence));
        facts["answer"] = json!(answer);
        facts["sentence"] = Value::from(judged.sentence);
        facts["is_right"] = judged.right.into();
    }
    Observation::from_parts(parts, texts.join("\n\n"), facts)
}

/// The size of the first picture.
pub(super) fn size_of(pictures: &[Arc<Picture>]) -> (u32, u32) {
    pictures.first().map_or((1, 1), |picture| (picture.width(), picture.height()))
}

/// The size of the first picture of an observation.
pub(super) fn size_seen(seen: Option<&Observation>) -> (u32, u32) {
    let picture = seen.and_then(Observation::picture);
    size_of(picture.map(std::slice::from_ref).unwrap_or_default())
}

/// A picture with its elements, the place of the answer and a frame that says whether it is right.
fn marked(
    question: &Question,
    picture: &Arc<Picture>,
    index: usize,
    answer: &Action,
    judged: &Judged,
) -> Picture {
    let areas: Vec<Area> =
        question.areas.iter().filter(|(at, _)| *at == index).map(|(_, area)| *area).collect();
    let size = (picture.width(), picture.height());
    let point = question.point(answer, size).filter(|_| index == 0);
    let color = if judged.right { RIGHT_COLOR } else { WRONG_COLOR };
    picture.painted_over(move |pixels| {
        let thick = i32::try_from(size.0.max(size.1) / 320).unwrap_or(1).clamp(2, 12);
        let mut canvas = Canvas::new(pixels, size);
        for area in &areas {
            canvas.edge(rect(*area, thick), thick, AREA_COLOR);
        }
        if let Some((x, y)) = point {
            canvas.target([pixel(x), pixel(y)], 4 * thick, thick, color);
        }
        canvas.edge(rect(Area([0.0, 0.0, size.0.into(), size.1.into()]), 0), thick, color);
    })
}

/// The area with an edge around it.
fn rect(Area([left, top, right, bottom]): Area, edge: i32) -> super::drawn::Rect {
    let left = pixel(left) - edge;
    let top = pixel(top) - edge;
    super::drawn::Rect([left, top, pixel(right) + edge - left, pixel(bottom) + edge - top])
}

/// The nearest pixel; far ones are outside of every picture.
#[expect(clippy::cast_possible_truncation, reason = "the value is limited")]
fn pixel(at: f64) -> i32 {
    at.round().clamp(-1e6, 1e6) as i32
}
