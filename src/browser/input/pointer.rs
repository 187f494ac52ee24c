//! The pointer. It stays where the last step left it.

use serde_json::{Value, json};

use super::element;
use super::element::Use;
use crate::{BrowserError, DragEnd, Page, Place};

/// How many movements a drag has, so that pages see it as one.
const DRAG_MOVES: i32 = 5;

#[derive(Clone, Copy, Debug)]
pub(super) enum Button {
    Left,
    Right,
}

/// Where the pointer is, and whether the left button is down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pointer {
    at: [i32; 2],
    down: bool,
}

/// Clicks once or more on an element; an option is chosen without the pointer.
pub(super) async fn click(page: &Page, place: &Place, button: Button, times: u8) -> Result<(), BrowserError> {
    let found = element::prepare(page, place, Use::Point).await?;
    if found.done {
        return Ok(());
    }
    go(page, found.at).await?;
    for count in 1..=times {
        event(page, "mousePressed", button, count, true).await?;
        event(page, "mouseReleased", button, count, false).await?;
    }
    Ok(())
}

pub(super) async fn hover(page: &Page, place: &Place) -> Result<(), BrowserError> {
    let found = element::prepare(page, place, Use::Hover).await?;
    go(page, found.at).await
}

/// Presses the left button on an element.
pub(super) async fn press(page: &Page, place: &Place) -> Result<(), BrowserError> {
    let found = element::prepare(page, place, Use::Point).await?;
    go(page, found.at).await?;
    page.set_pointer(Pointer { down: true, ..page.pointer() });
    event(page, "mousePressed", Button::Left, 1, true).await
}

pub(super) async fn release(page: &Page) -> Result<(), BrowserError> {
    page.set_pointer(Pointer { down: false, ..page.pointer() });
    event(page, "mouseReleased", Button::Left, 1, false).await
}

/// Moves in a straight line.
pub(super) async fn move_to(page: &Page, end: &DragEnd) -> Result<(), BrowserError> {
    let [x, y] = page.pointer().at;
    let [to_x, to_y] = match end {
        DragEnd::Onto(place) => element::prepare(page, place, Use::Hover).await?.at,
        DragEnd::By([right, down]) => [x.saturating_add(*right), y.saturating_add(*down)],
    };
    for part in 1..=DRAG_MOVES {
        let between = |from: i32, to: i32| {
            let whole =
                i64::from(from) + (i64::from(to) - i64::from(from)) * i64::from(part) / i64::from(DRAG_MOVES);
            i32::try_from(whole).unwrap_or(to)
        };
        go(page, [between(x, to_x), between(y, to_y)]).await?;
    }
    // What is dragged first enters an element; only the next movement is over it.
    go(page, [to_x, to_y]).await
}

/// An event of the pointer at a point; with clicks the left button is pressed or released.
pub(crate) fn mouse_event(kind: &str, [x, y]: [f64; 2], clicks: u8) -> Value {
    let button = if clicks > 0 { "left" } else { "none" };
    let buttons = u8::from(kind == "mousePressed");
    json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": clicks })
}

async fn go(page: &Page, at: [i32; 2]) -> Result<(), BrowserError> {
    let down = page.pointer().down;
    page.set_pointer(Pointer { at, down });
    let button = if down { "left" } else { "none" };
    dispatch(
        page,
        json!({ "type": "mouseMoved", "x": at[0], "y": at[1], "button": button, "buttons": u8::from(down) }),
    )
    .await
}

async fn event(page: &Page, kind: &str, button: Button, count: u8, down: bool) -> Result<(), BrowserError> {
    let [x, y] = page.pointer().at;
    let (name, bit) = match button {
        Button::Left => ("left", 1),
        Button::Right => ("right", 2),
    };
    let buttons = if down { bit } else { 0 };
    let params = json!({
        "type": kind, "x": x, "y": y, "button": name, "buttons": buttons, "clickCount": count,
    });
    dispatch(page, params).await
}

async fn dispatch(page: &Page, params: Value) -> Result<(), BrowserError> {
    page.call("Input.dispatchMouseEvent", params).await.map(drop)
}
