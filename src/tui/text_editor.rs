//! A text that is being edited: the text, and where the cursor stands in it. Positions are bytes at the
//! bounds of what a reader sees as one character. It draws nothing.
//!
//! The text area crates that were looked at move by code points, which takes an accent from its letter, and
//! draw characters that steer a terminal or hide them; so this one is small and our own.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::domain::sanitize;

/// The most bytes a text may have; what is larger is refused whole.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// Columns that a tab takes.
const TAB: &str = "    ";

/// A text and a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextEditor {
    text: String,
    cursor: usize,
    /// The column that going up and down keeps to.
    kept_column: Option<usize>,
}

impl TextEditor {
    /// This text, the cursor at its end.
    pub(crate) fn new(text: String) -> Self {
        Self { cursor: text.len(), text, kept_column: None }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The byte before which the cursor stands.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Writes at the cursor; line breaks of any sort become our own, and what else controls a terminal is
    /// left out. False when there is no room left for all of it.
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let plain: String = lines.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        if self.text.len() + plain.len() > MAX_BYTES {
            return false;
        }
        self.text.insert_str(self.cursor, &plain);
        self.move_to(self.cursor + plain.len());
        true
    }

    /// Takes this stretch away and leaves the cursor where it was.
    fn remove(&mut self, range: Range<usize>) {
        self.text.replace_range(range.clone(), "");
        self.move_to(range.start);
    }

    pub(crate) fn backspace(&mut self) {
        self.remove(self.previous_boundary()..self.cursor);
    }

    pub(crate) fn delete(&mut self) {
        self.remove(self.cursor..self.next_boundary());
    }

    pub(crate) fn delete_word(&mut self) {
        let kept = self.text[..self.cursor].trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        self.remove(start.min(self.cursor)..self.cursor);
    }

    pub(crate) fn delete_to_line_start(&mut self) {
        self.remove(self.line().start..self.cursor);
    }

    pub(crate) fn left(&mut self) {
        self.move_to(self.previous_boundary());
    }

    pub(crate) fn right(&mut self) {
        self.move_to(self.next_boundary());
    }

    pub(crate) fn home(&mut self) {
        self.move_to(self.line().start);
    }

    pub(crate) fn end(&mut self) {
        self.move_to(self.line().end);
    }

    /// Goes so many rows down, or up, where rows are `width` columns wide.
    pub(crate) fn move_rows(&mut self, rows: isize, width: u16) {
        let all = self.wrapped_rows(width);
        let row = row_of(&all, self.cursor);
        let column = self
            .kept_column
            .unwrap_or_else(|| self.text[all[row].start..self.cursor].graphemes(true).map(columns).sum());
        let to = row.saturating_add_signed(rows).min(all.len() - 1);
        // The end of a row that goes on in the next one is the beginning of that one.
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

    /// The text in rows of at most so many columns, broken at spaces where there are any; a row that ends a
    /// line leaves the line break out. There is always one.
    pub(crate) fn wrapped_rows(&self, width: u16) -> Vec<Range<usize>> {
        let room = usize::from(width).saturating_sub(1).max(1);
        let mut rows = Vec::new();
        let mut start = 0;
        for line in self.text.split('\n') {
            wrap_line(line, start, room, &mut rows);
            start += line.len() + 1;
        }
        rows
    }

    /// The row in which the cursor stands.
    pub(crate) fn cursor_row(&self, rows: &[Range<usize>]) -> usize {
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

    /// The line that the cursor is in, without its break.
    fn line(&self) -> Range<usize> {
        let start = self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1);
        start..self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }
}

fn wrap_line(line: &str, offset: usize, room: usize, rows: &mut Vec<Range<usize>>) {
    let (mut start, mut used, mut space) = (0, 0, None);
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

/// A character as it is drawn: what would steer the terminal is made visible.
pub(crate) fn visible_text(piece: &str) -> String {
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
    fn a_letter_and_its_accents_are_one() {
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
    fn lines_are_walked_by_column() {
        let mut page = page("one\n\nthree", 2);
        page.move_rows(1, 40);
        assert_eq!(page.cursor(), 4);
        page.move_rows(1, 40);
        assert_eq!(page.cursor(), 7, "the column is kept over the empty line");
        page.home();
        assert_eq!(page.cursor(), 5);
        page.end();
        assert_eq!(page.cursor(), 10);
        page.move_rows(-9, 40);
        assert_eq!(page.cursor(), 3);
    }

    #[test]
    fn a_long_line_is_broken_at_spaces_and_every_byte_stands_in_one_row() {
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
    fn up_and_down_never_stick_in_a_broken_line() {
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
    fn what_controls_a_terminal_is_not_written_and_what_stands_there_is_shown() {
        let mut page = TextEditor::default();
        assert!(page.insert("a\u{1b}[31m\r\nb\tc\r"));
        assert_eq!(page.text(), "a[31m\nb\tc\n");
        assert_eq!(
            (visible_text("\u{1b}"), visible_text("\u{202e}"), visible_text("\t")),
            ("␛".into(), "⟨U+202E⟩".into(), TAB.into())
        );
        assert!(!page.insert(&"x".repeat(MAX_BYTES)), "too much is refused whole");
        assert_eq!(page.text().len(), 10);
    }

    #[test]
    fn words_and_lines_are_erased() {
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
