//! Interactions with a page as data, never code: what to do, and with which element.

mod place;
mod target;

#[cfg(test)]
mod tests;

pub use place::Place;
pub use target::Target;

use serde::{Deserialize, Serialize};

/// One interaction. Its JSON is an object with the name of the step, such as `{"click": {"css": "#send"}}`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Clicks; on an option it chooses the option.
    Click(Place),
    /// Clicks with the right button.
    RightClick(Place),
    /// Clicks twice.
    DoubleClick(Place),
    /// Chooses an option of a list.
    Choose {
        /// The list.
        from: Place,
        /// The visible text of the option.
        option: String,
    },
    /// Types text, key by key.
    Type {
        /// Where; without it into whatever has the focus.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        into: Option<Place>,
        /// The text; a line break is the Enter key.
        text: String,
    },
    /// Empties a field.
    Clear(Place),
    /// Presses a key and releases it.
    Press {
        /// The key by its DOM name, such as `Enter` or `a`, with modifiers in front: `Control+a`.
        key: String,
        /// Where; without it at whatever has the focus.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<Place>,
    },
    /// Submits the form of an element.
    Submit(Place),
    /// Moves the pointer over an element.
    Hover(Place),
    /// Moves the pointer with the button held down.
    Drag {
        /// Where the button goes down.
        from: Place,
        /// Where it goes up.
        to: DragEnd,
    },
    /// Presses the left button over an element.
    MouseDown(Place),
    /// Moves the pointer.
    MouseMove(DragEnd),
    /// Releases the left button.
    MouseUp {},
    /// Scrolls.
    Scroll(Scroll),
    /// Waits this many milliseconds, at most 10,000.
    WaitMs(WaitMs),
}

/// Where a movement of the pointer ends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DragEnd {
    /// Over an element: `{"onto": {"css": "#bin"}}`.
    Onto(Place),
    /// So many pixels to the right and down: `{"by": [40, 0]}`.
    By([i32; 2]),
}

/// A way to scroll.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Scroll {
    /// Until the top of an element is at the top of the viewport, as `scrollIntoView()` does.
    IntoView(Place),
    /// So many pixels to the right and down.
    By([i32; 2]),
    /// To this point of the document.
    To([i32; 2]),
    /// To the end of the document.
    ToEnd {},
}

/// Milliseconds of waiting within a list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "u64")]
pub struct WaitMs(u64);

impl WaitMs {
    /// The longest time.
    pub const MOST: u64 = 10_000;

    /// The number of milliseconds.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for WaitMs {
    type Error = String;

    fn try_from(milliseconds: u64) -> Result<Self, String> {
        let fits = milliseconds <= Self::MOST;
        fits.then_some(Self(milliseconds))
            .ok_or_else(|| format!("wait_ms is {milliseconds}, the most is {}", Self::MOST))
    }
}
