//! A question about pictures: what is shown, what can be answered, and what is right.

mod operations;
mod place;
mod success;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::options::{CriticOptions, GroundOptions, IdmOptions};
use super::record::{About, Area};
use super::results::{Fields, place_fields};
use mageyard_domain::{Action, ActionSpace, Verdict};

use self::operations::Operations;
pub(super) use self::place::POINT;
use self::place::Place;
use self::success::Success;

/// The score of a right answer.
pub(super) const FULL_SCORE: f64 = 100.0;

/// A question that was made from a record with the options of its environment.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// What is asked, in a line for people.
    pub(super) title: String,
    /// The instruction that is shown, if one is.
    pub(super) instruction: Option<String>,
    /// The pictures by the names in the record, in the order in which they are shown.
    pub(super) pictures: Vec<String>,
    /// What is shown, in order.
    pub(super) shown: Vec<Shown>,
    /// The elements that the actions before each picture's end are about, by the index of the picture.
    pub(super) areas: Vec<(usize, Area)>,
    pub(super) about: About,
    asked: Asked,
}

/// A part of what is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shown {
    Text(Arc<str>),
    /// The picture with this index.
    Picture(usize),
}

#[derive(Clone, Debug)]
enum Asked {
    Place(Place),
    Operations(Operations),
    Success(Success),
}

/// An answer that was judged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    pub(super) right: bool,
    /// What is right or wrong, in a sentence.
    pub(super) sentence: String,
    /// Numbers by their names in the table of metrics.
    pub(super) figures: BTreeMap<String, f64>,
}

impl Question {
    pub(super) fn ground(record: &super::record::Ground, options: GroundOptions) -> Self {
        place::question(record, options)
    }

    pub(super) fn idm(record: &super::record::Transition, options: IdmOptions) -> Self {
        operations::question(record, options)
    }

    pub(super) fn critic(record: &super::record::Trajectory, options: CriticOptions) -> Self {
        success::question(record, options)
    }

    /// The actions that answer it. `size` is that of the first picture.
    pub(super) fn space(&self, size: (u32, u32)) -> ActionSpace {
        match &self.asked {
            Asked::Place(place) => place.space(size),
            Asked::Operations(operations) => operations.space(),
            Asked::Success(success) => success.space(),
        }
    }

    /// The right answer.
    pub(super) fn right(&self, size: (u32, u32)) -> Action {
        match &self.asked {
            Asked::Place(place) => place.right(size),
            Asked::Operations(operations) => operations.right_answer(),
            Asked::Success(success) => success.right(),
        }
    }

    /// The judgement of an answer, or of none.
    pub(super) fn judge(&self, answer: Option<&Action>, size: (u32, u32)) -> Judged {
        match &self.asked {
            Asked::Place(place) => place.judge(answer, size),
            Asked::Operations(operations) => operations.judge(answer),
            Asked::Success(success) => success.judge(answer),
        }
    }

    /// The verdict on an answer, or on none.
    pub(super) fn verdict(&self, answer: Option<&Action>, size: (u32, u32)) -> Verdict {
        let Judged { right, sentence, figures } = self.judge(answer, size);
        Verdict {
            score: Some(if right { FULL_SCORE } else { 0.0 }),
            success: right,
            feedback: vec![sentence],
            figures,
            details: json!({"answer": answer.map(Action::to_string)}),
            questions: Vec::new(),
        }
    }

    /// The dataset, as names of results files have it.
    pub(super) fn dataset(&self) -> &'static str {
        match &self.asked {
            Asked::Place(_) => "gui_grounding",
            Asked::Operations(operations) if operations.is_single() => "idm",
            Asked::Operations(_) => "idmn2n",
            Asked::Success(_) => "success_detection",
        }
    }

    /// What results files have of this kind of question: the answer, what is right, and how far they are apart.
    pub(super) fn result_fields(
        &self,
        answer: Option<&Action>,
        size: (u32, u32),
        record: &Map<String, Value>,
    ) -> Fields {
        match &self.asked {
            Asked::Place(place) => {
                let point = answer.and_then(|answer| place.point(answer, size));
                place_fields(point, place.size(size), record)
            }
            Asked::Operations(operations) => operations.result_fields(answer),
            Asked::Success(success) => vec![("ref_answer", success.is_done().into())],
        }
    }

    /// The place in pixels that an answer names, if it names one.
    pub(super) fn point(&self, answer: &Action, size: (u32, u32)) -> Option<(f64, f64)> {
        match &self.asked {
            Asked::Place(place) => place.point(answer, size),
            Asked::Operations(_) | Asked::Success(_) => None,
        }
    }
}

/// Figures by their names.
fn figures<const N: usize>(rows: [(&str, f64); N]) -> BTreeMap<String, f64> {
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn share(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

/// The letter of an operation by its index.
fn letter(index: usize) -> char {
    u8::try_from(index).map_or('?', |index| char::from(b'A'.saturating_add(index)))
}

/// The operations with their letters and this between them.
fn lettered(space: &[String], between: &str) -> String {
    let rows = space.iter().enumerate().map(|(index, name)| format!("{}. {name}", letter(index)));
    rows.collect::<Vec<_>>().join(between)
}
