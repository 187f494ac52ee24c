//! What replaces symbols of drawn cells on a console.
//!
//! The fonts of the Linux console have 256 or 512 characters. The replacements are in the font of the kernel and in all fonts
//! of Debian for Latin scripts (`Lat15`, `Lat2`, `Uni2`, `Uni3`), whose tables of characters were compared.

use ratatui::buffer::Buffer;

/// Replaces symbols that the fonts of consoles lack.
pub(crate) fn replace_for_console(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let mut letters = cell.symbol().chars();
        let single = letters.next().filter(|_| letters.next().is_none());
        if let Some(other) = single.and_then(console_symbol) {
            cell.set_symbol(other);
        }
    }
}

/// What replaces a symbol on a console, if its fonts lack it.
fn console_symbol(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '╭' => "┌",
        '╮' => "┐",
        '╰' => "└",
        '╯' => "┘",
        '━' | '╍' => "═",
        '┃' | '╏' => "║",
        '┏' => "╔",
        '┓' => "╗",
        '┗' => "╚",
        '┛' => "╝",
        '╌' | '–' | '−' => "-",
        '╎' | '┆' | '┊' | '⋮' => ":",
        '╱' | '↗' | '↙' => "/",
        '↖' | '↘' => "\\",
        '▸' | '▶' => ">",
        '◂' => "<",
        '▾' => "v",
        '●' => "•",
        '○' | '◇' | '□' => "o",
        '◎' => "@",
        '◆' | '▣' => "■",
        '▌' => "█",
        '▏' => "│",
        '▓' => "#",
        '▁' => ".",
        '▂' => "_",
        '▅' => "▒",
        '…' => "»",
        '×' | '✗' => "x",
        '✓' => "+",
        '✂' => "%",
        '✎' => "&",
        '≡' => "#",
        '≠' => "!",
        '†' => "¶",
        '▨' => "N",
        '⌁' => "F",
        '‖' => "P",
        '⏎' => "$",
        '⇥' => "»",
        '⟦' => "[",
        '⟧' => "]",
        '⟨' => "<",
        '⟩' => ">",
        '\u{2400}'..='\u{2421}' => "^",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_engine::Mark;
    use mageyard_screen::mark_symbol;
    use mageyard_screen::render;
    use mageyard_screen::tests::hostile::models;

    /// The characters outside of ASCII that all these fonts have, of those that are used.
    const IN_ALL_FONTS: &str = "·•←↑→↓≈─│┌┐└┘═║╔╗╚╝█▒░■▲▼»¶";

    fn is_in_all_fonts(symbol: &str) -> bool {
        symbol.chars().all(|c| c.is_ascii() || IN_ALL_FONTS.contains(c))
    }

    #[test]
    fn every_pane_and_dialog_has_only_characters_that_consoles_have() {
        for (index, mut model) in models("a text").into_iter().enumerate() {
            model.frame_view = mageyard_screen::FrameView::Text;
            for (width, height) in [(120, 40), (80, 24), (60, 16)] {
                model.size = ratatui::layout::Size::new(width, height);
                let mut drawn = render(&model);
                replace_for_console(&mut drawn);
                let other = drawn.content.iter().find(|cell| !is_in_all_fonts(cell.symbol()));
                assert_eq!(other.map(ratatui::buffer::Cell::symbol), None, "model {index}");
            }
        }
    }

    #[test]
    fn marks_stay_different_on_a_console() {
        let shown = Mark::ALL.map(|mark| {
            let symbol = mark_symbol(mark).0;
            symbol.chars().next().and_then(console_symbol).unwrap_or(symbol)
        });
        let different: std::collections::HashSet<_> = shown.into();
        assert_eq!(different.len(), Mark::ALL.len(), "{shown:?}");
        assert!(shown.iter().all(|symbol| is_in_all_fonts(symbol)), "{shown:?}");
    }
}
