//! Level collections: which lines of a file are boards, and which title belongs to which board.
//! What a board means is not decided here, nor what its notes do.
//!
//! A line is a board row when it begins with a wall, or consists of board characters and holds a
//! player or a box, or goes on with the board above it. A title is, in order of rank: a `Title:`
//! line below the board or directly above it; the comment or text line directly above it; a single
//! such line set apart by blank lines. Lines directly below a board may say how it is solved: a
//! `Solution:` line or block, or one of the notes that the game itself writes. Other comments and
//! metadata say nothing to the game.

use super::notes;
use super::notes::is_lurd;

/// A board as it stands in a file, not yet understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawLevel<'a> {
    /// The line of its first row in the file, from 1.
    pub(super) line: usize,
    pub(super) rows: Vec<&'a str>,
    pub(super) title: Option<&'a str>,
    /// What is noted below it, each with its line.
    pub(super) notes: Vec<(usize, notes::NoteLine<'a>)>,
}

/// Keys of metadata lines that collections carry.
const KEYS: &[&str] = &[
    "author",
    "collection",
    "comment",
    "comment-end",
    "copyright",
    "date",
    "description",
    "difficulty",
    "email",
    "homepage",
    "id",
    "license",
    "name",
    "set",
    "source",
    "url",
    "website",
];

#[derive(Clone, Copy)]
enum SourceLine<'a> {
    Blank,
    BoardRow(&'a str),
    Caption(&'a str),
    Title(&'a str),
    /// A note, and the whole line as words, should it belong to no board.
    Note(notes::NoteLine<'a>, &'a str),
    /// The heading of a solution that stands in the lines below it.
    SolutionHeading,
    Metadata,
}

/// The boards of a file in order.
pub(super) fn split(text: &str) -> Vec<RawLevel<'_>> {
    let mut splitter = Splitter::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let line = if splitter.in_solution && is_lurd(line.trim()) {
            SourceLine::Note(notes::NoteLine::Solution(line.trim()), line.trim())
        } else {
            classify(line, splitter.in_board)
        };
        splitter.take(line, index + 1);
    }
    splitter.end_board();
    splitter.drafts
}

fn classify(line: &str, open: bool) -> SourceLine<'_> {
    let core = line.trim_matches([' ', '\t', '-', '_']);
    if core.is_empty() {
        SourceLine::Blank
    } else if let Some(comment) = line.trim_start().strip_prefix(';') {
        let comment = comment.trim();
        notes::NoteLine::from_comment(comment)
            .map_or(SourceLine::Caption(comment), |note| SourceLine::Note(note, comment))
    } else if is_row(core, open) {
        SourceLine::BoardRow(line)
    } else {
        classify_words(line.trim())
    }
}

fn is_row(core: &str, open: bool) -> bool {
    let drawn = core.chars().all(|c| "#@+$*. -_".contains(c));
    let packed = core.contains('#') && core.chars().all(|c| "#@+$*. -_|0123456789".contains(c));
    core.starts_with('#')
        || packed
        || (drawn && (open || core.contains(['@', '+', '$'])))
        || (open && core.ends_with('#'))
}

fn classify_words(line: &str) -> SourceLine<'_> {
    let (key, value) = line.split_once(':').unwrap_or((line, ""));
    let key = key.trim().to_ascii_lowercase();
    let is_solution = key == "solution" || key.starts_with("solution/");
    match key.as_str() {
        _ if is_solution && is_lurd(value.trim()) => {
            SourceLine::Note(notes::NoteLine::Solution(value.trim()), line)
        }
        _ if is_solution && value.trim().is_empty() => SourceLine::SolutionHeading,
        _ if is_solution => SourceLine::Metadata,
        _ if !line.contains(':') => SourceLine::Caption(line),
        "title" => SourceLine::Title(value.trim()),
        key if KEYS.contains(&key) => SourceLine::Metadata,
        _ => SourceLine::Caption(line),
    }
}

#[derive(Default)]
struct Splitter<'a> {
    drafts: Vec<RawLevel<'a>>,
    /// The line before was a board row.
    in_board: bool,
    /// No blank line since the last board.
    attached: bool,
    caption: Option<&'a str>,
    /// Lines of the caption's block; 0 after a blank line.
    caption_lines: usize,
    heading: Option<&'a str>,
    /// A solution is under way in the lines below a board.
    in_solution: bool,
}

impl<'a> Splitter<'a> {
    fn take(&mut self, line: SourceLine<'a>, number: usize) {
        self.in_solution =
            matches!(line, SourceLine::SolutionHeading | SourceLine::Note(notes::NoteLine::Solution(_), _));
        match line {
            SourceLine::Note(note, words) => self.note(note, words, number),
            SourceLine::SolutionHeading => self.end_board(),
            SourceLine::BoardRow(row) => self.row(row, number),
            SourceLine::Blank => self.blank_line(),
            SourceLine::Caption(text) => self.caption(text),
            SourceLine::Title(text) if self.attached => self.title_last(text),
            SourceLine::Title(text) => self.heading = Some(text),
            SourceLine::Metadata => self.end_board(),
        }
    }

    fn row(&mut self, row: &'a str, line: usize) {
        match self.drafts.last_mut().filter(|_| self.in_board) {
            Some(draft) => draft.rows.push(row),
            None => self.begin_level(row, line),
        }
    }

    fn begin_level(&mut self, row: &'a str, line: usize) {
        let title = self.heading.take().or(self.caption.take()).filter(|title| !title.is_empty());
        self.drafts.push(RawLevel { line, rows: vec![row], title, notes: Vec::new() });
        self.in_board = true;
        self.attached = true;
        self.caption_lines = 0;
    }

    /// A note belongs to the board directly above it, a solution to the last one; else it is words.
    fn note(&mut self, note: notes::NoteLine<'a>, words: &'a str, line: usize) {
        let belongs = self.attached || matches!(note, notes::NoteLine::Solution(_));
        match self.drafts.last_mut().filter(|_| belongs) {
            Some(draft) => draft.notes.push((line, note)),
            None => return self.caption(words),
        }
        self.end_board();
    }

    fn blank_line(&mut self) {
        self.end_board();
        if self.caption_lines > 1 {
            self.caption = None;
        }
        self.caption_lines = 0;
        self.attached = false;
    }

    fn caption(&mut self, text: &'a str) {
        self.end_board();
        self.caption = Some(text);
        self.caption_lines += 1;
    }

    /// A `Title:` that no board followed at once belongs to the board before it.
    fn end_board(&mut self) {
        self.in_board = false;
        if let Some(title) = self.heading.take() {
            self.title_last(title);
        }
    }

    fn title_last(&mut self, title: &'a str) {
        self.in_board = false;
        if let Some(draft) = self.drafts.last_mut().filter(|_| !title.is_empty()) {
            draft.title = Some(title);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<(usize, usize, Option<&str>)> {
        split(text).into_iter().map(|draft| (draft.line, draft.rows.len(), draft.title)).collect()
    }

    #[test]
    fn titles_are_found_where_collections_put_them() {
        for (text, found) in [
            ("; 0\n###\n###\n\n; 1\n###\n", vec![(2, 2, Some("0")), (6, 1, Some("1"))]),
            ("; 7\n\n###\n", vec![(3, 1, Some("7"))]),
            ("; about\n; this file\n\n###\n", vec![(4, 1, None)]),
            ("; about\n; the hall\n###\n", vec![(3, 1, Some("the hall"))]),
            ("###\nTitle: a\nAuthor: b\n\n###\nTitle: c\n", vec![(1, 1, Some("a")), (5, 1, Some("c"))]),
            ("###\n\nTitle: a\n\n###\n", vec![(1, 1, Some("a")), (5, 1, None)]),
            ("Title: a\n###\n\nTitle: b\n###\n", vec![(2, 1, Some("a")), (5, 1, Some("b"))]),
            ("Title: all of it\n\n###\n", vec![(3, 1, None)]),
            ("The Hall\n###\n###\nThe Yard\n###\n", vec![(2, 2, Some("The Hall")), (5, 1, Some("The Yard"))]),
            ("Level 1: x\r\n###\r\n", vec![(2, 1, Some("Level 1: x"))]),
            ("; before\n###\nTitle: after\n", vec![(2, 1, Some("after"))]),
            ("\u{feff}###\n", vec![(1, 1, None)]),
            ("***\n\n---\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(titles(text), found, "{text:?}");
        }
    }

    #[test]
    fn rows_are_told_from_words() {
        for (text, rows) in [
            ("#####\n#@$.#\n  $  \n#####", 4),
            ("-####\n_#@$#", 2),
            ("@$.", 1),
            ("####\nx@.#", 2),
            ("4#", 1),
            ("\t####", 1),
        ] {
            assert_eq!(titles(text), [(1, rows, None)], "{text:?}");
        }
    }
}
