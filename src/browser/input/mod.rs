//! Performs steps with real events of the pointer and the keyboard, by the rules of `WebDriver`: the element is scrolled
//! into view, the pointer moves to the middle of what is visible of its first rectangle, and what lies under it there
//! must be the element or something inside it.

mod element;
mod key_codes;
mod keyboard;
mod pointer;
#[cfg(test)]
mod tests;

use super::{BrowserError, DragEnd, Page, Scroll, Step};
pub(super) use keyboard::events as key_events;
pub(super) use pointer::{Pointer, mouse_event};

use element::Use;
use pointer::Button;

/// Performs a step, without a limit.
pub(super) async fn perform(page: &Page, step: &Step) -> Result<(), BrowserError> {
    match step {
        Step::Click(place) => pointer::click(page, place, Button::Left, 1).await,
        Step::RightClick(place) => pointer::click(page, place, Button::Right, 1).await,
        Step::DoubleClick(place) => pointer::click(page, place, Button::Left, 2).await,
        Step::Choose { from, option } => element::prepare(page, from, Use::Option(option)).await.map(drop),
        Step::Type { into, text } => {
            if let Some(place) = into
                && element::prepare(page, place, Use::Type(text)).await?.done
            {
                return Ok(());
            }
            keyboard::type_text(page, text).await
        }
        Step::Clear(place) => element::prepare(page, place, Use::Clear).await.map(drop),
        Step::Press { key, on } => {
            if let Some(place) = on {
                element::prepare(page, place, Use::Focus).await?;
            }
            keyboard::press(page, key).await
        }
        Step::Submit(place) => element::prepare(page, place, Use::Submit).await.map(drop),
        Step::Hover(place) => pointer::hover(page, place).await,
        Step::Drag { from, to } => drag(page, from, to).await,
        Step::MouseDown(place) => pointer::press(page, place).await.map(drop),
        Step::MouseMove(end) => pointer::move_to(page, end).await,
        Step::MouseUp {} => pointer::release(page).await,
        Step::Scroll(Scroll::IntoView(place)) => element::prepare(page, place, Use::Scroll).await.map(drop),
        Step::Scroll(Scroll::By([x, y])) => scroll(page, &format!("scrollBy({{left:{x},top:{y},")).await,
        Step::Scroll(Scroll::To([x, y])) => scroll(page, &format!("scrollTo({{left:{x},top:{y},")).await,
        Step::Scroll(Scroll::ToEnd {}) => {
            scroll(page, "scrollTo({top:document.documentElement.scrollHeight,").await
        }
        // Waiting has its own limit.
        Step::WaitMs(_) => Ok(()),
    }
}

async fn drag(page: &Page, from: &super::Place, to: &DragEnd) -> Result<(), BrowserError> {
    pointer::press(page, from).await?;
    let moved = pointer::move_to(page, to).await;
    // A button that stays down would change every later step.
    let released = pointer::release(page).await;
    moved.and(released)
}

/// Scrolls at once, also where the page wants it smooth.
async fn scroll(page: &Page, call: &str) -> Result<(), BrowserError> {
    page.value(&format!("{call}behavior:'instant'}})"), element::MOST_BYTES).await.map(drop)
}
