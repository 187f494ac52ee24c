//! What replaces symbols of drawn cells on a console.
//!
//! The fonts of the Linux console have 256 or 512 characters. The replacements are in the font of the kernel and in all fonts
//! of Debian for Latin scripts (`Lat15`, `Lat2`, `Uni2`, `Uni3`), whose tables of characters were compared.

use ratatui::buffer::Buffer;

/// Replaces symbols that the fonts of consoles lack.
pub fn replace_for_console(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let mut letters = cell.symbol().chars();
        let single = letters.next().filter(|_| letters.next().is_none());
        if let Some(other) = single.and_then(console_symbol) {
            cell.set_symbol(other);
        }
    }
}

/// What replaces a symbol on a console, if its fonts lack it.
pub fn console_symbol(symbol: char) -> Option<&'static str> {
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
        '∅' => "0",
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
