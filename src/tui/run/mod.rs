//! The loop: wait for one message, take all others already there, update, do what must be done,
//! and draw if something changed and a frame's time has passed.

mod drawing;
mod effects;
mod screen;
#[cfg(test)]
mod tests;

use tokio::sync::mpsc::UnboundedReceiver;

use self::screen::Screen;
pub use self::screen::Sitting;
use super::exit::Exit;
use super::exit::ScreenError;
use super::inbox::Inbox;
use super::keyboard::keyboard;
use super::look::House;
use super::look::Look;
use super::terminal::Terminal;

/// Whether standard input and output are a terminal, so that there can be a screen.
pub fn is_terminal() -> bool {
    Terminal::is_there()
}

/// Takes the terminal and shows the sitting until somebody leaves. `changes` says that files that
/// people edit have changed. Every live session has been told to leave when this returns.
pub async fn run(
    house: &mut dyn House,
    sitting: Sitting,
    look: Look,
    changes: UnboundedReceiver<()>,
) -> Result<Exit, ScreenError> {
    if !Terminal::is_there() {
        return Err(ScreenError::NoTerminal);
    }
    // Signals first: one that comes while the terminal is being taken must not leave it taken.
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), changes);
    inbox.listen()?;
    let mut terminal = Terminal::take(look.settings.mouse)?;
    inbox.hear(keyboard()?);
    Screen::new(house, sitting, look, inbox, &mut terminal)?.run().await
}
