//! The page: what the actions so far have made of it, as texts, pictures and a tree.

use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec, Status};
use serde_json::{Value, json};

use super::level::PageLevel;

const SIZE: (u32, u32) = (160, 90);
/// Left, top, right and bottom of the button.
const BUTTON: (u32, u32, u32, u32) = (100, 50, 150, 80);
/// What is left of this can be covered.
const COVERED: i64 = 50;
/// A point on the button.
pub(super) const BUTTON_CENTER: (i64, i64) = (125, 65);

/// The page after some actions.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    pub(super) typed: String,
    pub(super) clicks: Vec<(i64, i64)>,
    pub(super) submitted: bool,
}

impl Page {
    /// Carries out an action, which must be allowed.
    pub(super) fn apply(&mut self, action: &Action, level: &PageLevel) {
        let field = &level.field;
        match (action.args.get("text"), action.args.get("at")) {
            (Some(Arg::Text(_)), _) if level.stuck => {}
            (Some(Arg::Text(text)), _) => self.typed.clone_from(text),
            (_, Some(&Arg::Point { x, y })) => {
                self.clicks.push((x, y));
                self.submitted = on_button(x, y) && self.typed == *field;
            }
            _ => {}
        }
    }

    pub(super) fn status(&self) -> Status {
        if self.submitted { Status::Won } else { Status::Running }
    }

    /// What the page says.
    pub(super) fn text(&self, field: &str) -> String {
        format!("wanted: {field:?}\ntyped: {:?}\nclicks: {}", self.typed, self.clicks.len())
    }

    /// The elements, as an accessibility tree has them.
    pub(super) fn tree(&self, field: &str) -> Value {
        let input = json!({"role": "textbox", "name": field, "value": self.typed});
        json!({"role": "form", "children": [input, {"role": "button", "name": "Submit"}]})
    }

    /// The pixels of a part of the page.
    fn paint(&self, lit: bool, (left, top, right, bottom): (u32, u32, u32, u32)) -> image::RgbImage {
        let typed = u32::try_from(self.typed.chars().count()).unwrap_or(0).min(20) * 5;
        let clicked =
            |x, y| self.clicks.iter().any(|&(a, b)| (a - i64::from(x)).abs() + (b - i64::from(y)).abs() < 3);
        image::RgbImage::from_fn(right - left, bottom - top, |x, y| {
            let x = x + left;
            let y = y + top;
            image::Rgb(match () {
                () if lit && x < 4 && y < 4 => [250, 200, 40],
                () if clicked(x, y) => [200, 30, 30],
                () if on_button(x.into(), y.into()) => [40, 90, 200],
                () if (20..30).contains(&y) && (10..10 + typed).contains(&x) => [20, 20, 20],
                () => [240, 240, 240],
            })
        })
    }

    /// The whole page and a close-up of its button, as PNG.
    pub(super) fn pictures(&self, lit: bool) -> [(Vec<u8>, (u32, u32)); 2] {
        [(0, 0, SIZE.0, SIZE.1), BUTTON].map(|area| {
            let painted = self.paint(lit, area);
            let mut bytes = std::io::Cursor::new(Vec::new());
            painted.write_to(&mut bytes, image::ImageFormat::Png).expect("memory does not fail");
            (bytes.into_inner(), painted.dimensions())
        })
    }
}

/// Whether an action is a click on the part that a level can cover.
pub(super) fn is_covered(action: &Action) -> bool {
    matches!(action.args.get("at"), Some(&Arg::Point { x, .. }) if x < COVERED)
}

/// Whether an action is a click on the button.
pub(super) fn is_on_button(action: &Action) -> bool {
    matches!(action.args.get("at"), Some(&Arg::Point { x, y }) if on_button(x, y))
}

/// Whether an action says that the task is done.
pub(super) fn is_done(action: &Action) -> bool {
    action.name == "done"
}

fn on_button(x: i64, y: i64) -> bool {
    let (left, top, right, bottom) = BUTTON;
    (i64::from(left)..right.into()).contains(&x) && (i64::from(top)..bottom.into()).contains(&y)
}

/// The actions of every page.
pub(crate) fn action_space() -> ActionSpace {
    let point = ParamKind::Point { width: SIZE.0, height: SIZE.1 };
    [
        ActionSpec::new("type", "replace the text of the field").with_param(ParamSpec::new(
            "text",
            "the new text",
            ParamKind::Text { max_chars: Some(40) },
        )),
        ActionSpec::new("click", "click a point of the page").with_param(ParamSpec::new(
            "at",
            "the point",
            point,
        )),
    ]
    .into_iter()
    .collect()
}
