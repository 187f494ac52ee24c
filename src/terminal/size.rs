//! The size of the terminal in columns and rows. A pseudo-terminal whose size was never set says 0x0, as from
//! `docker exec -t` or `expect`; a size is assumed then.

use std::io;

use ratatui::layout::Size;
use rustix::termios::tcgetwinsize;

/// The columns and rows of a terminal of which nothing is known.
pub const USUAL_SIZE: (u16, u16) = (80, 24);

/// The columns and rows of the terminal of standard output, or else of standard error or input. What it does not say is
/// that of `assumed`, columns and rows each.
pub fn terminal_size(assumed: (u16, u16)) -> (u16, u16) {
    let sizes = [tcgetwinsize(io::stdout()), tcgetwinsize(io::stderr()), tcgetwinsize(io::stdin())];
    let said = sizes.into_iter().flatten().next();
    said.map_or(assumed, |said| or_assumed((said.ws_col, said.ws_row), assumed))
}

/// The pixels of a cell by the size of the window, which the kernel has if the terminal has told it.
pub(crate) fn cell_of_window() -> Option<Size> {
    let window = tcgetwinsize(io::stdout()).ok()?;
    let cell =
        Size::new(window.ws_xpixel.checked_div(window.ws_col)?, window.ws_ypixel.checked_div(window.ws_row)?);
    (cell.width > 0 && cell.height > 0).then_some(cell)
}

fn or_assumed(said: (u16, u16), assumed: (u16, u16)) -> (u16, u16) {
    let known = |said: u16, assumed: u16| if said == 0 { assumed } else { said };
    (known(said.0, assumed.0), known(said.1, assumed.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_does_not_say_is_assumed() {
        for (said, size) in
            [((0, 0), (100, 30)), ((0, 50), (100, 50)), ((7, 0), (7, 30)), ((120, 40), (120, 40))]
        {
            assert_eq!(or_assumed(said, (100, 30)), size, "{said:?}");
        }
    }
}
