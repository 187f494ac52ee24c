//! The inline pictures of iTerm2, which `WezTerm`, Konsole and others know as well.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::layout::Size;

/// Draws a picture (PNG) over this many cells from the cursor, which stays where it is.
pub(super) fn draw(png: &[u8], cells: Size) -> String {
    format!(
        "\x1b]1337;File=inline=1;size={};width={};height={};preserveAspectRatio=0;doNotMoveCursor=1:{}\x07",
        png.len(),
        cells.width,
        cells.height,
        STANDARD.encode(png)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_in_cells_and_the_length_that_of_the_file() {
        let start =
            "\x1b]1337;File=inline=1;size=3;width=4;height=2;preserveAspectRatio=0;doNotMoveCursor=1:";
        assert_eq!(draw(b"png", Size::new(4, 2)), format!("{start}cG5n\x07"));
    }
}
