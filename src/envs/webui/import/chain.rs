//! A chain of actions of the pointer and the keyboard, done when it is performed.

use super::keys;
use super::waiting::wait;
use mageyard_browser::{DragEnd, Place, Step};
use mageyard_kit::Expression;

/// What a chain does when it is performed.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub(super) steps: Vec<Step>,
    /// Where its pointer is, as far as the file says.
    at: Option<Place>,
}

impl Chain {
    /// Keywords of arguments.
    pub(super) const KEYWORDS: [&'static str; 8] =
        ["on_element", "to_element", "source", "target", "element", "xoffset", "yoffset", "seconds"];

    /// Adds an action with its elements and numbers, or nothing if it is not known.
    pub(super) fn act(
        &mut self,
        name: &str,
        elements: &[Place],
        numbers: &[f64],
        arguments: &[(Option<String>, Expression)],
    ) -> Option<Result<(), String>> {
        let place = |at: &Option<Place>| {
            let lost = || format!("{name}() has no element, and the chain does not say where the pointer is");
            elements.first().or(at.as_ref()).cloned().ok_or_else(lost)
        };
        let at = self.at.clone();
        let count = elements.len();
        let steps =
            match (name, count, numbers.len()) {
                ("move_to_element", 1, 0) => place(&None).map(|to| vec![Step::Hover(to)]),
                ("move_to_element_with_offset", 1, 2) => offset(numbers)
                    .and_then(|by| Ok(vec![Step::Hover(Place { offset: Some(by), ..place(&None)? })])),
                ("move_by_offset", 0, 2) => offset(numbers).map(|by| vec![Step::MouseMove(DragEnd::By(by))]),
                ("click", 0 | 1, 0) => place(&at).map(|on| vec![Step::Click(on)]),
                ("double_click", 0 | 1, 0) => place(&at).map(|on| vec![Step::DoubleClick(on)]),
                ("context_click", 0 | 1, 0) => place(&at).map(|on| vec![Step::RightClick(on)]),
                ("click_and_hold", 0 | 1, 0) => place(&at).map(|on| vec![Step::MouseDown(on)]),
                ("release", 0, 0) => Ok(vec![Step::MouseUp {}]),
                ("release", 1, 0) => {
                    place(&None).map(|on| vec![Step::MouseMove(DragEnd::Onto(on)), Step::MouseUp {}])
                }
                ("drag_and_drop", 2, 0) => {
                    let from = elements[0].clone();
                    let onto = elements[1].clone();
                    Ok(vec![Step::Drag { from, to: DragEnd::Onto(onto) }])
                }
                ("drag_and_drop_by_offset", 1, 2) => offset(numbers)
                    .map(|by| vec![Step::Drag { from: elements[0].clone(), to: DragEnd::By(by) }]),
                ("pause", 0, 1) => wait(numbers[0]).map(|wait| vec![wait]),
                ("send_keys", 0, _) => keys::typed(arguments, None),
                ("send_keys_to_element", 1, _) => place(&None)
                    .and_then(|into| keys::typed(arguments.get(1..).unwrap_or_default(), Some(into))),
                _ => return None,
            };
        Some(steps.map(|steps| self.add(steps)))
    }

    /// Adds steps and follows the pointer.
    fn add(&mut self, steps: Vec<Step>) {
        for step in &steps {
            match step {
                Step::Hover(place)
                | Step::Click(place)
                | Step::DoubleClick(place)
                | Step::RightClick(place)
                | Step::MouseDown(place)
                | Step::MouseMove(DragEnd::Onto(place)) => self.at = Some(place.clone()),
                Step::Drag { .. } | Step::MouseMove(_) => self.at = None,
                _ => {}
            }
        }
        self.steps.extend(steps);
    }
}

/// Pixels to the right and down.
fn offset(numbers: &[f64]) -> Result<[i32; 2], String> {
    let whole = |number: f64| {
        let fits = number.fract() == 0.0 && number.abs() <= 100_000.0;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 100,000")]
        let pixels = number as i32;
        fits.then_some(pixels).ok_or_else(|| format!("{number} is not a whole number of pixels"))
    };
    Ok([whole(numbers[0])?, whole(numbers[1])?])
}
