//! A place in a picture: a point, or a click with its kind.

use std::fmt::Write;

use super::super::options::{Ask, GroundOptions, Instruction};
use super::super::record::{Area, BUTTONS, Click, Ground};
use super::{Asked, Judged, Question, Shown, figures, share};
use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, Number, ParamKind, ParamSpec};

/// The actions of the two ways to ask.
pub(crate) const POINT: &str = "point";
const CLICK: &str = "click";

/// What is right.
#[derive(Clone, Debug)]
pub(super) struct Place {
    area: Area,
    resolution: Option<(u32, u32)>,
    click: Click,
    ask: Ask,
}

pub(super) fn question(record: &Ground, options: GroundOptions) -> Question {
    let raw = record.raw_instruction.as_ref().filter(|_| options.instruction == Instruction::Raw);
    let instruction = raw.unwrap_or(&record.instruction);
    let place = Place {
        area: record.area,
        resolution: record.resolution,
        click: record.click.clone(),
        ask: options.ask,
    };
    Question {
        title: instruction.clone(),
        instruction: Some(instruction.clone()),
        pictures: vec![record.image.clone()],
        shown: vec![Shown::Text(format!("Instruction: {instruction}").into()), Shown::Picture(0)],
        areas: vec![(0, record.area)],
        about: record.about.clone(),
        asked: Asked::Place(place),
    }
}

impl Place {
    /// The size that counts: the one of the record, if it has one.
    pub(super) fn size(&self, picture: (u32, u32)) -> (f64, f64) {
        let (width, height) = self.resolution.unwrap_or(picture);
        (f64::from(width), f64::from(height))
    }

    pub(super) fn space(&self, picture: (u32, u32)) -> ActionSpace {
        let number = |max: f64| ParamKind::Number { min: 0.0, max, integer: false };
        let (width, height) = self.size(picture);
        let spec = match self.ask {
            Ask::Point => ActionSpec::new(POINT, "the middle of the element, as shares of the picture")
                .with_param(ParamSpec::new("x", "from the left, 0 to 1", number(1.0)))
                .with_param(ParamSpec::new("y", "from the top, 0 to 1", number(1.0))),
            Ask::Code => ActionSpec::new(CLICK, "click the element")
                .with_param(ParamSpec::new("x", "pixels from the left", number(width)))
                .with_param(ParamSpec::new("y", "pixels from the top", number(height)))
                .with_param(
                    ParamSpec::new("button", "the button of the mouse", ParamKind::choice(BUTTONS))
                        .optional(),
                )
                .with_param(
                    ParamSpec::new(
                        "clicks",
                        "how many clicks",
                        ParamKind::Number { min: 1.0, max: 3.0, integer: true },
                    )
                    .optional(),
                ),
        };
        ActionSpace::from_iter([spec])
    }

    /// An action at this place in pixels, of the left button.
    fn at(&self, (x, y): (f64, f64), picture: (u32, u32)) -> Action {
        let (width, height) = self.size(picture);
        let share = |at: f64, side: f64| (at / side).clamp(0.0, 1.0);
        let ((x, y), name) = match self.ask {
            Ask::Point => ((share(x, width), share(y, height)), POINT),
            Ask::Code => ((x.clamp(0.0, width), y.clamp(0.0, height)), CLICK),
        };
        let number = |value: f64| Arg::Number(Number::new(value).unwrap_or_else(|| 0.into()));
        Action::plain(name).with("x", number(x)).with("y", number(y))
    }

    pub(super) fn right(&self, picture: (u32, u32)) -> Action {
        let action = self.at(self.area.center(), picture);
        let Click { button, clicks } = &self.click;
        match self.ask {
            Ask::Code if self.click != Click::default() => {
                let clicks = Number::new(f64::from(*clicks)).unwrap_or_else(|| 1.into());
                action.with("button", Arg::Text(button.clone())).with("clicks", Arg::Number(clicks))
            }
            Ask::Code | Ask::Point => action,
        }
    }

    /// The place in pixels.
    pub(super) fn point(&self, answer: &Action, picture: (u32, u32)) -> Option<(f64, f64)> {
        let number = |name: &str| match answer.args.get(name) {
            Some(Arg::Number(number)) => Some(number.get()),
            _ => None,
        };
        let at = number("x").zip(number("y"))?;
        let (width, height) = self.size(picture);
        Some(if self.ask == Ask::Point { (at.0 * width, at.1 * height) } else { at })
    }

    pub(super) fn judge(&self, answer: Option<&Action>, picture: (u32, u32)) -> Judged {
        let point = answer.and_then(|answer| self.point(answer, picture));
        let Some((x, y)) = point else {
            let sentence = "No answer was read.".to_owned();
            return Judged { right: false, sentence, figures: self.figures(false, false) };
        };
        let inside = self.area.contains(x, y);
        let kind = answer.is_some_and(|answer| click_of(answer) == self.click);
        let mut sentence = if inside {
            format!("Hit: ({x:.0}, {y:.0}) is inside of the element.")
        } else {
            format!(
                "Missed: ({x:.0}, {y:.0}) is outside of the element, {:.0} pixels away.",
                self.area.distance(x, y)
            )
        };
        if self.ask == Ask::Code && !kind {
            let Click { button, clicks } = &self.click;
            // Writing to a string does not fail.
            let _ = write!(sentence, " Wrong kind: right is {clicks} x {button}.");
        }
        let right = inside && (self.ask == Ask::Point || kind);
        Judged { right, sentence, figures: self.figures(inside, kind) }
    }

    fn figures(&self, place: bool, kind: bool) -> std::collections::BTreeMap<String, f64> {
        match self.ask {
            Ask::Point => figures([("place", share(place))]),
            Ask::Code => figures([("place", share(place)), ("kind", share(kind))]),
        }
    }
}

impl Default for Click {
    fn default() -> Self {
        Self { button: BUTTONS[0].to_owned(), clicks: 1 }
    }
}

/// The kind of a click; what is left out is one click of the left button.
fn click_of(answer: &Action) -> Click {
    let usual = Click::default();
    let button = match answer.args.get("button") {
        Some(Arg::Text(button)) => button.clone(),
        _ => usual.button,
    };
    let clicks = match answer.args.get("clicks") {
        Some(Arg::Number(number)) => number.as_integer().and_then(|clicks| u32::try_from(clicks).ok()),
        _ => None,
    };
    Click { button, clicks: clicks.unwrap_or(usual.clicks) }
}
