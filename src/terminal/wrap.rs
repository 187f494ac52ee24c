//! Wraps and cuts text to a width. Control characters in text from outside are made visible here, so that no pane
//! can forget it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use mageyard_domain::sanitize;

/// The spaces that replace a tab.
const TAB: &str = "    ";

/// Wraps text into lines of at most `width` columns, at spaces where possible. Every line begins with the gutter,
/// which counts.
pub fn wrap(text: &str, width: u16, gutter: &Span<'static>, style: Style) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(gutter.width()).max(1);
    let shown = sanitize(text).replace('\t', TAB);
    let rows = shown.split('\n').flat_map(|line| break_line(line, room));
    rows.map(|row| Line::from(vec![gutter.clone(), Span::styled(row, style)])).collect()
}

/// One line of text, cut with an ellipsis at `width` columns.
pub fn truncate(text: &str, width: u16) -> String {
    let shown = sanitize(text).replace(['\n', '\t'], " ");
    let room = usize::from(width);
    // Only the visible beginning is measured: a line of a megabyte costs no more than a short one.
    if fitting_prefix(&shown, room).len() == shown.len() {
        return shown;
    }
    let mut kept = fitting_prefix(&shown, room.saturating_sub(1)).to_owned();
    kept.extend((room > 0).then_some('…'));
    kept
}

/// `width` columns of a line of text from column `from`, with an ellipsis at each cut end.
pub fn column_window(text: &str, from: usize, width: u16) -> String {
    let shown = sanitize(text).replace('\t', TAB);
    let end = from + usize::from(width);
    // What is to the right of the window is never measured.
    let cut_before = from > 0 && !shown.is_empty();
    let cut_after = fitting_prefix(&shown, end).len() < shown.len();
    let kept = from + usize::from(cut_before)..end.saturating_sub(usize::from(cut_after));
    let mut row = String::from(if cut_before { "…" } else { "" });
    let mut at = 0;
    for piece in shown.graphemes(true) {
        if at >= kept.end {
            break;
        }
        let columns = at..at + piece.width();
        at = columns.end;
        if kept.start <= columns.start && columns.end <= kept.end {
            row.push_str(piece);
        } else {
            // A wide character that is cut leaves spaces.
            let rest = columns.end.min(kept.end).saturating_sub(columns.start.max(kept.start));
            row.push_str(&" ".repeat(rest));
        }
    }
    row.push_str(if cut_after { "…" } else { "" });
    row
}

/// Breaks a line into rows of at most `room` columns, at spaces where possible.
pub fn break_line(line: &str, room: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut rest = line.trim_end();
    // The rest is never measured as a whole, so that a line of 100 KB takes linear time.
    loop {
        let head = fitting_prefix(rest, room);
        if head.len() == rest.len() {
            break;
        }
        // At least one character is taken, even if it is wider than the room.
        let head = if head.is_empty() { rest.graphemes(true).next().unwrap_or(rest) } else { head };
        let end = break_position(rest, head);
        rows.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    if !rest.is_empty() || rows.is_empty() {
        rows.push(rest.to_owned());
    }
    rows
}

/// Where to break: after the last space in `head`, or at its end.
fn break_position(rest: &str, head: &str) -> usize {
    if rest[head.len()..].starts_with(' ') {
        return head.len();
    }
    match head.rfind(' ') {
        Some(space) if !head[..space].trim().is_empty() => space + 1,
        _ => head.len(),
    }
}

/// The longest prefix that fits into `room` columns.
fn fitting_prefix(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, piece) in text.grapheme_indices(true) {
        used += piece.width();
        if used > room {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: u16) -> Vec<String> {
        let lines = wrap(text, width, &Span::raw(""), Style::new());
        lines.iter().map(|line| line.spans[1].content.to_string()).collect()
    }

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(lines("push the box left", 9), ["push the", "box left"]);
        assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(lines("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(lines("", 4), [""]);
        assert_eq!(lines("  indented text", 10), ["  indented", "text"]);
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(lines("箱を左に押す", 6), ["箱を左", "に押す"]);
        assert_eq!(lines("箱", 1), ["箱"]);
    }

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(lines("\u{1b}[2Jx\u{202e}", 40), ["␛[2Jx⟨U+202E⟩"]);
        assert_eq!(truncate("a\u{1b}b\nc", 40), "a␛b c");
    }

    #[test]
    fn truncated_text_ends_in_an_ellipsis() {
        assert_eq!(truncate("sokoban/mini/7", 8), "sokoban…");
        assert_eq!(truncate("abc", 3), "abc");
        assert_eq!((truncate("abc", 1).as_str(), truncate("abc", 0).as_str()), ("…", ""));
    }

    #[test]
    fn a_column_window_marks_both_cut_ends() {
        for (from, row) in [(0, "abcd…"), (1, "…cde…"), (5, "…ghij"), (9, "…"), (40, "…")] {
            assert_eq!(column_window("abcdefghij", from, 5), row, "from {from}");
        }
        assert_eq!((column_window("abc", 0, 3).as_str(), column_window("", 4, 3).as_str()), ("abc", ""));
        assert_eq!(column_window("箱を左に押す", 2, 6), "… 左 …");
        assert_eq!(column_window("\u{1b}x", 0, 5), "␛x");
    }

    #[test]
    fn no_line_is_wider_than_the_width() {
        let text = "one two  three\tfour 箱を左に押す five-six-seven-eight-nine\nten";
        for width in 2..40 {
            for line in wrap(text, width + 2, &Span::raw("│ "), Style::new()) {
                assert!(line.width() <= usize::from(width) + 2, "{width}: {line:?}");
            }
        }
    }
}
