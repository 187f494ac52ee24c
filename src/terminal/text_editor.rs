//! A text buffer with a cursor. Positions are byte offsets at grapheme boundaries. It draws nothing.
//!
//! The text area crates that were tried (tui-textarea, ratatui-textarea, tui-input) move by code points,
//! which separates an accent from its letter, and draw control characters as they are or hide them.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use mageyard_domain::sanitize;

/// Maximum size of a text in bytes; an insertion beyond it is refused.
pub const TEXT_LIMIT: usize = 1 << 20;

/// A tab as drawn.
const TAB: &str = "    ";

/// A text and its cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEditor {
    text: String,
    cursor: usize,
    /// The column that vertical movement keeps.
    kept_column: Option<usize>,
}

impl TextEditor {
    /// A buffer with the cursor at the end of the text.
    pub fn new(text: String) -> Self {
        Self { cursor: text.len(), text, kept_column: None }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn text_to_cursor(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// Byte offset of the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Inserts at the cursor. Line breaks become `\n`; other control characters are dropped. Returns false,
    /// with nothing inserted, if the text would become too long.
    pub fn insert(&mut self, text: &str) -> bool {
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let plain: String = lines.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        if self.text.len() + plain.len() > TEXT_LIMIT {
            return false;
        }
        self.text.insert_str(self.cursor, &plain);
        self.move_to(self.cursor + plain.len());
        true
    }

    /// Removes this range; the cursor moves to its start.
    fn remove(&mut self, range: Range<usize>) {
        self.text.replace_range(range.clone(), "");
        self.move_to(range.start);
    }

    /// Removes the grapheme before the cursor.
    pub fn backspace(&mut self) {
        self.remove(self.previous_boundary()..self.cursor);
    }

    /// Removes the grapheme after the cursor.
    pub fn delete(&mut self) {
        self.remove(self.cursor..self.next_boundary());
    }

    /// Removes the word before the cursor, with the blanks between them.
    pub fn delete_word(&mut self) {
        let kept = self.text[..self.cursor].trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        self.remove(start.min(self.cursor)..self.cursor);
    }

    /// Removes from the start of the line to the cursor.
    pub fn delete_to_line_start(&mut self) {
        self.remove(self.line().start..self.cursor);
    }

    /// Moves back by one grapheme, also to the line before.
    pub fn left(&mut self) {
        self.move_to(self.previous_boundary());
    }

    /// Moves on by one grapheme, also to the next line.
    pub fn right(&mut self) {
        self.move_to(self.next_boundary());
    }

    /// Moves to the start of the line.
    pub fn home(&mut self) {
        self.move_to(self.line().start);
    }

    /// Moves to the end of the line.
    pub fn end(&mut self) {
        self.move_to(self.line().end);
    }

    /// Moves the cursor by rows of `width` columns; negative is up.
    pub fn move_rows(&mut self, rows: isize, width: u16) {
        let all = self.wrapped_rows(width);
        let row = row_of(&all, self.cursor);
        let column = self
            .kept_column
            .unwrap_or_else(|| self.text[all[row].start..self.cursor].graphemes(true).map(columns).sum());
        let to = row.saturating_add_signed(rows).min(all.len() - 1);
        // The end of a wrapped row is the start of the next one.
        let goes_on = all.get(to + 1).is_some_and(|next| next.start == all[to].end);
        let mut at = all[to].start;
        let mut used = 0;
        for piece in self.text[all[to].clone()].graphemes(true) {
            used += columns(piece);
            if used > column || (goes_on && at + piece.len() == all[to].end) {
                break;
            }
            at += piece.len();
        }
        self.cursor = at;
        self.kept_column = Some(column);
    }

    /// The text in rows of at most `width` columns, wrapped at spaces where possible, without line breaks.
    /// There is at least one row.
    pub fn wrapped_rows(&self, width: u16) -> Vec<Range<usize>> {
        let room = usize::from(width).saturating_sub(1).max(1);
        let mut rows = Vec::new();
        let mut start = 0;
        for line in self.text.split('\n') {
            wrap_line(line, start, room, &mut rows);
            start += line.len() + 1;
        }
        rows
    }

    /// Index of the row with the cursor.
    pub fn cursor_row(&self, rows: &[Range<usize>]) -> usize {
        row_of(rows, self.cursor)
    }

    fn move_to(&mut self, at: usize) {
        self.cursor = at;
        self.kept_column = None;
    }

    fn previous_boundary(&self) -> usize {
        self.text[..self.cursor].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn next_boundary(&self) -> usize {
        self.cursor + self.text[self.cursor..].graphemes(true).next().map_or(0, str::len)
    }

    /// The line of the cursor, without its line break.
    fn line(&self) -> Range<usize> {
        let start = self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1);
        start..self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }
}

fn wrap_line(line: &str, offset: usize, room: usize, rows: &mut Vec<Range<usize>>) {
    let mut start = 0;
    let mut used = 0;
    let mut space = None;
    for (at, piece) in line.grapheme_indices(true) {
        let wide = columns(piece);
        while used + wide > room && at > start {
            let cut = space.unwrap_or(at);
            rows.push(offset + start..offset + cut);
            used = line[cut..at].graphemes(true).map(columns).sum();
            (start, space) = (cut, None);
        }
        used += wide;
        if piece == " " {
            space = Some(at + 1);
        }
    }
    rows.push(offset + start..offset + line.len());
}

fn row_of(rows: &[Range<usize>], at: usize) -> usize {
    rows.partition_point(|row| row.start <= at).saturating_sub(1)
}

/// A character as drawn: control characters are made visible.
pub fn visible_text(piece: &str) -> String {
    sanitize(piece).replace('\t', TAB)
}

fn columns(piece: &str) -> usize {
    visible_text(piece).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, at: usize) -> TextEditor {
        TextEditor { cursor: at, ..TextEditor::new(text.into()) }
    }

    #[test]
    fn the_cursor_moves_by_graphemes() {
        let mut page = TextEditor::new("ae\u{301}👩‍🚀".into());
        page.left();
        assert_eq!(page.cursor(), 4);
        page.backspace();
        assert_eq!((page.text(), page.cursor()), ("a👩‍🚀", 1));
        page.delete();
        assert_eq!((page.text(), page.cursor()), ("a", 1));
        page.delete();
        page.right();
        assert_eq!((page.text(), page.cursor()), ("a", 1));
    }

    #[test]
    fn vertical_movement_keeps_the_column() {
        let mut page = page("one\n\nthree", 2);
        page.move_rows(1, 40);
        assert_eq!(page.cursor(), 4);
        page.move_rows(1, 40);
        assert_eq!(page.cursor(), 7, "the column is kept across the empty line");
        page.home();
        assert_eq!(page.cursor(), 5);
        page.end();
        assert_eq!(page.cursor(), 10);
        page.move_rows(-9, 40);
        assert_eq!(page.cursor(), 3);
    }

    #[test]
    fn a_long_line_is_wrapped_at_spaces_without_losing_a_byte() {
        let text = "push the box\nleft-left-left 箱を押す";
        for width in 2..30 {
            let page = TextEditor::new(text.into());
            let rows = page.wrapped_rows(width);
            let joined: Vec<&str> = rows.iter().map(|row| &text[row.clone()]).collect();
            assert_eq!(joined.concat(), text.replace('\n', ""), "{width}");
            let wide = |row: &&str| row.width() < usize::from(width) || row.graphemes(true).count() == 1;
            assert!(joined.iter().all(wide), "{width}: {joined:?}");
        }
        let rows = TextEditor::new("push the box".into()).wrapped_rows(10);
        assert_eq!(rows, [0..9, 9..12]);
        assert_eq!(TextEditor::default().wrapped_rows(10).first(), Some(&(0..0)));
    }

    #[test]
    fn vertical_movement_reaches_every_row_of_a_wrapped_line() {
        for width in 2..14 {
            let mut page = page("push the box left\nand right", 0);
            let rows = page.wrapped_rows(width).len();
            for row in 1..rows {
                page.move_rows(1, width);
                assert_eq!(page.cursor_row(&page.wrapped_rows(width)), row, "width {width}");
            }
        }
    }

    #[test]
    fn control_characters_are_dropped_on_insert_and_shown_when_present() {
        let mut page = TextEditor::default();
        assert!(page.insert("a\u{1b}[31m\r\nb\tc\r"));
        assert_eq!(page.text(), "a[31m\nb\tc\n");
        assert_eq!(
            (visible_text("\u{1b}"), visible_text("\u{202e}"), visible_text("\t")),
            ("␛".into(), "⟨U+202E⟩".into(), TAB.into())
        );
        assert!(!page.insert(&"x".repeat(TEXT_LIMIT)), "text that is too long is refused");
        assert_eq!(page.text().len(), 10);
    }

    #[test]
    fn words_and_lines_are_deleted() {
        let mut page = TextEditor::new("one\ntwo words ".into());
        page.delete_word();
        assert_eq!(page.text(), "one\ntwo ");
        page.delete_to_line_start();
        assert_eq!(page.text(), "one\n");
        page.delete_word();
        assert_eq!(page.text(), "");
        page.delete_word();
        page.delete_to_line_start();
    }
}
