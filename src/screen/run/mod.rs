//! The event loop: waits for a message, takes all others that are ready, updates the model, performs the
//! effects, and draws if something changed and the minimum time since the last frame has passed.

mod drawing;
mod effects;
mod frame_clock;
mod late_answers;
mod linear;
mod pictures;
mod screen;
mod sessions;
mod spec;
#[cfg(test)]
mod tests;

use tokio::sync::mpsc::UnboundedReceiver;

use self::screen::Screen;
pub use self::spec::ScreenSpec;
use super::appearance::Appearance;
use super::inbox::Inbox;
use super::requests::LabLink;
use mageyard_terminal::{
    Canvas, ScreenError, ScreenExit, Terminal, TerminalInput, TerminalReport, ask_terminal, spawn_keyboard,
};

/// Whether standard input and output are a terminal.
pub fn is_terminal() -> bool {
    Terminal::is_available()
}

/// Takes over the terminal and shows the sessions until the user quits. What the screen asks of the lab goes through `link`;
/// `changes` reports changed files.
/// When this returns, every live session was told to end.
pub async fn run(
    link: LabLink,
    spec: ScreenSpec,
    look: Appearance,
    changes: UnboundedReceiver<()>,
) -> Result<ScreenExit, ScreenError> {
    if look.settings.linear {
        return Box::pin(linear::run(link, spec, look, changes)).await;
    }
    if !Terminal::is_available() {
        return Err(ScreenError::NoTerminal);
    }
    // Signals first: a signal during the terminal setup must still restore the terminal.
    let mut inbox = Inbox::new(Box::pin(futures_util::stream::pending()), changes);
    inbox.listen_to_signals()?;
    let mut terminal =
        Terminal::take(look.settings.mouse, look.settings.console, look.settings.assumed_size)?;
    let (mut input, mut report, mut typed) =
        (TerminalInput::default(), TerminalReport::default(), Vec::new());
    if look.settings.can_ask {
        (report, typed) = ask_terminal(&mut std::io::stdout(), &mut input, look.settings.surroundings())?;
    }
    terminal.set_abilities(&report);
    inbox.set_terminal_events(spawn_keyboard(input, typed)?);
    let mut screen = Screen::new(link, spec, look, inbox, &mut terminal)?;
    screen.set_report(report);
    screen.frame_cache.set_owner(Terminal::process_number());
    screen.make_pictures_beside(pictures::ENCODING_PATIENCE)?;
    Box::pin(screen.run()).await
}
