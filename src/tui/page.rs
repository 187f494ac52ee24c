//! A text that is being edited: the text, and where the cursor stands in it. Positions are bytes at the
//! bounds of what a reader sees as one character. It draws nothing.
//!
//! The text area crates that were looked at move by code points, which takes an accent from its letter, and
//! draw characters that steer a terminal or hide them; so this one is small and our own.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::domain::visible;

/// The most bytes a text may have; what is larger is refused whole.
pub(crate) const LONGEST: usize = 1 << 20;

/// Columns that a tab takes.
const TAB: &str = "    ";

/// A text and a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    text: String,
    at: usize,
    /// The column that going up and down keeps to.
    column: Option<usize>,
}

impl Page {
    /// This text, the cursor at its end.
    pub(crate) fn new(text: String) -> Self {
        Self { at: text.len(), text, column: None }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The byte before which the cursor stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Writes at the cursor; line breaks of any sort become our own, and what else controls a terminal is
    /// left out. False when there is no room left for all of it.
    pub(crate) fn write(&mut self, text: &str) -> bool {
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let plain: String = lines.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        if self.text.len() + plain.len() > LONGEST {
            return false;
        }
        self.text.insert_str(self.at, &plain);
        self.go(self.at + plain.len());
        true
    }

    /// Takes this stretch away and leaves the cursor where it was.
    fn cut(&mut self, range: Range<usize>) {
        self.text.replace_range(range.clone(), "");
        self.go(range.start);
    }

    pub(crate) fn erase(&mut self) {
        self.cut(self.before()..self.at);
    }

    pub(crate) fn delete(&mut self) {
        self.cut(self.at..self.after());
    }

    pub(crate) fn erase_word(&mut self) {
        let kept = self.text[..self.at].trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        self.cut(start.min(self.at)..self.at);
    }

    pub(crate) fn erase_line(&mut self) {
        self.cut(self.line().start..self.at);
    }

    pub(crate) fn left(&mut self) {
        self.go(self.before());
    }

    pub(crate) fn right(&mut self) {
        self.go(self.after());
    }

    pub(crate) fn home(&mut self) {
        self.go(self.line().start);
    }

    pub(crate) fn end(&mut self) {
        self.go(self.line().end);
    }

    /// Goes so many rows down, or up, where rows are `width` columns wide.
    pub(crate) fn vertical(&mut self, rows: isize, width: u16) {
        let all = self.rows(width);
        let row = row_of(&all, self.at);
        let column = self
            .column
            .unwrap_or_else(|| self.text[all[row].start..self.at].graphemes(true).map(cells).sum());
        let to = row.saturating_add_signed(rows).min(all.len() - 1);
        // The end of a row that goes on in the next one is the beginning of that one.
        let goes_on = all.get(to + 1).is_some_and(|next| next.start == all[to].end);
        let mut at = all[to].start;
        let mut used = 0;
        for piece in self.text[all[to].clone()].graphemes(true) {
            used += cells(piece);
            if used > column || (goes_on && at + piece.len() == all[to].end) {
                break;
            }
            at += piece.len();
        }
        self.at = at;
        self.column = Some(column);
    }

    /// The text in rows of at most so many columns, broken at spaces where there are any; a row that ends a
    /// line leaves the line break out. There is always one.
    pub(crate) fn rows(&self, width: u16) -> Vec<Range<usize>> {
        let room = usize::from(width).saturating_sub(1).max(1);
        let mut rows = Vec::new();
        let mut start = 0;
        for line in self.text.split('\n') {
            broken(line, start, room, &mut rows);
            start += line.len() + 1;
        }
        rows
    }

    /// The row in which the cursor stands.
    pub(crate) fn row(&self, rows: &[Range<usize>]) -> usize {
        row_of(rows, self.at)
    }

    fn go(&mut self, at: usize) {
        self.at = at;
        self.column = None;
    }

    fn before(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len)
    }

    /// The line that the cursor is in, without its break.
    fn line(&self) -> Range<usize> {
        let start = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        start..self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }
}

fn broken(line: &str, offset: usize, room: usize, rows: &mut Vec<Range<usize>>) {
    let (mut start, mut used, mut space) = (0, 0, None);
    for (at, piece) in line.grapheme_indices(true) {
        let wide = cells(piece);
        while used + wide > room && at > start {
            let cut = space.unwrap_or(at);
            rows.push(offset + start..offset + cut);
            used = line[cut..at].graphemes(true).map(cells).sum();
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
pub(crate) fn shown(piece: &str) -> String {
    visible(piece).replace('\t', TAB)
}

fn cells(piece: &str) -> usize {
    shown(piece).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, at: usize) -> Page {
        Page { at, ..Page::new(text.into()) }
    }

    #[test]
    fn a_letter_and_its_accents_are_one() {
        let mut page = Page::new("ae\u{301}👩‍🚀".into());
        page.left();
        assert_eq!(page.at(), 4);
        page.erase();
        assert_eq!((page.text(), page.at()), ("a👩‍🚀", 1));
        page.delete();
        assert_eq!((page.text(), page.at()), ("a", 1));
        page.delete();
        page.right();
        assert_eq!((page.text(), page.at()), ("a", 1));
    }

    #[test]
    fn lines_are_walked_by_column() {
        let mut page = page("one\n\nthree", 2);
        page.vertical(1, 40);
        assert_eq!(page.at(), 4);
        page.vertical(1, 40);
        assert_eq!(page.at(), 7, "the column is kept over the empty line");
        page.home();
        assert_eq!(page.at(), 5);
        page.end();
        assert_eq!(page.at(), 10);
        page.vertical(-9, 40);
        assert_eq!(page.at(), 3);
    }

    #[test]
    fn a_long_line_is_broken_at_spaces_and_every_byte_stands_in_one_row() {
        let text = "push the box\nleft-left-left 箱を押す";
        for width in 2..30 {
            let page = Page::new(text.into());
            let rows = page.rows(width);
            let joined: Vec<&str> = rows.iter().map(|row| &text[row.clone()]).collect();
            assert_eq!(joined.concat(), text.replace('\n', ""), "{width}");
            let wide = |row: &&str| row.width() < usize::from(width) || row.graphemes(true).count() == 1;
            assert!(joined.iter().all(wide), "{width}: {joined:?}");
        }
        let rows = Page::new("push the box".into()).rows(10);
        assert_eq!(rows, [0..9, 9..12]);
        assert_eq!(Page::default().rows(10).first(), Some(&(0..0)));
    }

    #[test]
    fn up_and_down_never_stick_in_a_broken_line() {
        for width in 2..14 {
            let mut page = page("push the box left\nand right", 0);
            let rows = page.rows(width).len();
            for row in 1..rows {
                page.vertical(1, width);
                assert_eq!(page.row(&page.rows(width)), row, "width {width}");
            }
        }
    }

    #[test]
    fn what_controls_a_terminal_is_not_written_and_what_stands_there_is_shown() {
        let mut page = Page::default();
        assert!(page.write("a\u{1b}[31m\r\nb\tc\r"));
        assert_eq!(page.text(), "a[31m\nb\tc\n");
        assert_eq!(
            (shown("\u{1b}"), shown("\u{202e}"), shown("\t")),
            ("␛".into(), "⟨U+202E⟩".into(), TAB.into())
        );
        assert!(!page.write(&"x".repeat(LONGEST)), "too much is refused whole");
        assert_eq!(page.text().len(), 10);
    }

    #[test]
    fn words_and_lines_are_erased() {
        let mut page = Page::new("one\ntwo words ".into());
        page.erase_word();
        assert_eq!(page.text(), "one\ntwo ");
        page.erase_line();
        assert_eq!(page.text(), "one\n");
        page.erase_word();
        assert_eq!(page.text(), "");
        page.erase_word();
        page.erase_line();
    }
}
