//! The loop: wait for one message, take all others already there, update, do what must be done,
//! and draw if something changed and a frame's time has passed.

mod drawing;
mod effects;
mod screen;
#[cfg(test)]
mod tests;

use tokio::sync::mpsc::UnboundedReceiver;

use self::screen::Screen;
pub use self::screen::ScreenSpec;
use super::appearance::Appearance;
use super::appearance::Host;
use super::exit::Exit;
use super::exit::ScreenError;
use super::inbox::Inbox;
use super::keyboard::spawn_keyboard;
use super::terminal::Terminal;

/// Whether standard input and output are a terminal, so that there can be a screen.
pub fn is_terminal() -> bool {
    Terminal::is_available()
}

/// Takes the terminal and shows the sitting until somebody leaves. `changes` says that files that
/// people edit have changed. Every live session has been told to leave when this returns.
pub async fn run(
    house: &mut dyn Host,
    sitting: ScreenSpec,
    look: Appearance,
    changes: UnboundedReceiver<()>,
) -> Result<Exit, ScreenError> {
    if !Terminal::is_available() {
        return Err(ScreenError::NoTerminal);
    }
    // Signals first: one that comes while the terminal is being taken must not leave it taken.
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), changes);
    inbox.listen_to_signals()?;
    let mut terminal = Terminal::take(look.settings.mouse)?;
    inbox.set_terminal_events(spawn_keyboard()?);
    Screen::new(house, sitting, look, inbox, &mut terminal)?.run().await
}
