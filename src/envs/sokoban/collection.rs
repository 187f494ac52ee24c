//! Level collections: which lines of a file are boards, titles, notes and comments. Boards and notes are
//! parsed elsewhere.
//!
//! A line is a board row if it begins with a wall, or consists of board characters and has a player or a box,
//! or continues the board above it. A title is, in order of rank: a `Title:` line below the board or directly
//! above it; the comment or text line directly above it; a single such line set apart by blank lines. Lines
//! directly below a board may be notes: a `Solution:` line or block, or a note that the game itself writes. A single text
//! line directly below a board and not directly above another one belongs to the board above: as a solution if it is one,
//! else as the title if it has none. A line `Key: value` with any other word as the key is never a title. All other lines are comments: of the board that they are directly above, else of the last board above them, and
//! before the first board of the whole collection.

use super::notes;
use super::notes::is_lurd;

/// The text lines of a file, each with its line number, from 1.
type TextLines<'a> = Vec<(usize, &'a str)>;

/// The parts of a file.
#[derive(Debug, Default)]
pub(super) struct Collection<'a> {
    /// Comments on the whole collection.
    pub(super) comments: TextLines<'a>,
    pub(super) levels: Vec<RawLevel<'a>>,
}

/// The lines of a level, not yet parsed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawLevel<'a> {
    /// The line of its first row in the file, from 1.
    pub(super) line: usize,
    pub(super) rows: Vec<&'a str>,
    pub(super) title: Option<&'a str>,
    title_line: usize,
    /// The notes below it, each with its line.
    pub(super) notes: Vec<(usize, notes::NoteLine<'a>)>,
    /// The single line of letters below the board without a heading, which is a solution if it solves the board.
    pub(super) bare_solution: Option<&'a str>,
    pub(super) comments: TextLines<'a>,
}

/// Keys of metadata lines in collections.
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
    /// A note, and the whole line as text, in case it belongs to no board.
    Note(notes::NoteLine<'a>, &'a str),
    /// The heading of a solution in the lines below it.
    SolutionHeading,
    Metadata,
}

/// The levels of a file in order.
pub(super) fn split(text: &str) -> Vec<RawLevel<'_>> {
    parse(text).levels
}

/// The levels and comments of a file.
pub(super) fn parse(text: &str) -> Collection<'_> {
    let mut splitter = Splitter::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let kind = if splitter.in_solution && is_lurd(line.trim()) {
            SourceLine::Note(notes::NoteLine::Solution(line.trim()), line.trim())
        } else {
            classify(line, splitter.in_board)
        };
        splitter.take(kind, (number, line.trim().trim_start_matches(';').trim()));
    }
    splitter.finish()
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
    // The second letters of the format `.sok`, and groups in parentheses. Words may have such letters, so only what begins
    // and ends like a row is one.
    let is_letter = |c: char| "#@+$*. -_|0123456789()pPbBo".contains(c);
    let begins =
        core.trim_start_matches(|c: char| c.is_ascii_digit() || c == '(' || c == '-').starts_with('#');
    let lettered = begins && core.ends_with(['#', ')', '|']) && core.chars().all(is_letter);
    core.starts_with('#')
        || packed
        || lettered
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
        key if KEYS.contains(&key) || is_property(key) => SourceLine::Metadata,
        _ => SourceLine::Caption(line),
    }
}

/// Whether the text before a colon is the name of a property: one word without digits.
fn is_property(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphabetic() || c == '-' || c == '_')
}

#[derive(Default)]
struct Splitter<'a> {
    collection: Collection<'a>,
    /// The previous line was a board row.
    in_board: bool,
    /// No blank line since the last board.
    attached: bool,
    caption: Option<(usize, &'a str)>,
    /// Lines of the caption's block; 0 after a blank line.
    caption_lines: usize,
    heading: Option<(usize, &'a str)>,
    /// A solution continues in the lines below a board.
    in_solution: bool,
    /// Text lines since the last board or blank line.
    block: TextLines<'a>,
}

impl<'a> Splitter<'a> {
    /// Takes the next line: its kind, its number and its text without a leading semicolon.
    fn take(&mut self, kind: SourceLine<'a>, line: (usize, &'a str)) {
        let number = line.0;
        self.in_solution =
            matches!(kind, SourceLine::SolutionHeading | SourceLine::Note(notes::NoteLine::Solution(_), _));
        if matches!(kind, SourceLine::Caption(_) | SourceLine::Title(_) | SourceLine::Metadata) {
            self.block.push(line);
        }
        match kind {
            SourceLine::Note(note, text) => self.note(note, (number, text)),
            SourceLine::SolutionHeading | SourceLine::Metadata => self.end_board(),
            SourceLine::BoardRow(row) => self.row(row, number),
            SourceLine::Blank => self.blank_line(),
            SourceLine::Caption(text) => self.caption((number, text)),
            SourceLine::Title(text) if self.attached => self.title_last((number, text)),
            SourceLine::Title(text) => self.heading = Some((number, text)),
        }
    }

    fn row(&mut self, row: &'a str, line: usize) {
        match self.collection.levels.last_mut().filter(|_| self.in_board) {
            Some(level) => level.rows.push(row),
            None => self.begin_level(row, line),
        }
    }

    fn begin_level(&mut self, row: &'a str, line: usize) {
        if self.attached {
            self.flush_block();
        }
        let title = self.heading.take().or(self.caption.take()).filter(|(_, title)| !title.is_empty());
        self.collection.levels.push(RawLevel {
            line,
            rows: vec![row],
            title: title.map(|(_, title)| title),
            title_line: title.map_or(0, |(line, _)| line),
            notes: Vec::new(),
            bare_solution: None,
            comments: std::mem::take(&mut self.block),
        });
        self.in_board = true;
        self.attached = true;
        self.caption_lines = 0;
    }

    /// A note belongs to the board directly above it, and a solution to the last board; otherwise it is text.
    fn note(&mut self, note: notes::NoteLine<'a>, line: (usize, &'a str)) {
        let belongs = self.attached || matches!(note, notes::NoteLine::Solution(_));
        let Some(level) = self.collection.levels.last_mut().filter(|_| belongs) else {
            self.block.push(line);
            return self.caption(line);
        };
        level.notes.push((line.0, note));
        self.end_board();
    }

    fn blank_line(&mut self) {
        self.end_board();
        self.title_above();
        self.flush_block();
        if self.caption_lines > 1 {
            self.caption = None;
        }
        self.caption_lines = 0;
        self.attached = false;
    }

    /// A single text line below a board and directly below nothing else belongs to the board: as its title, if it has
    /// none, or as a solution.
    fn title_above(&mut self) {
        if !self.attached {
            return;
        }
        let Some((line, text)) = self.caption.take() else { return };
        let single = self.caption_lines == 1 && !text.is_empty();
        let Some(level) = self.collection.levels.last_mut().filter(|_| single) else { return };
        if is_lurd(text) {
            level.bare_solution = Some(text);
        } else if level.title.is_none() {
            (level.title, level.title_line) = (Some(text), line);
        }
    }

    fn caption(&mut self, line: (usize, &'a str)) {
        self.end_board();
        self.caption = Some(line);
        self.caption_lines += 1;
    }

    /// A `Title:` that is not directly above a board belongs to the board before it.
    fn end_board(&mut self) {
        self.in_board = false;
        if let Some(title) = self.heading.take() {
            self.title_last(title);
        }
    }

    fn title_last(&mut self, (line, title): (usize, &'a str)) {
        self.in_board = false;
        if let Some(level) = self.collection.levels.last_mut().filter(|_| !title.is_empty()) {
            (level.title, level.title_line) = (Some(title), line);
        }
    }

    /// Makes the collected text lines comments of the last board, or of the collection.
    fn flush_block(&mut self) {
        let Collection { comments, levels } = &mut self.collection;
        levels.last_mut().map_or(comments, |level| &mut level.comments).append(&mut self.block);
    }

    fn finish(mut self) -> Collection<'a> {
        self.end_board();
        self.title_above();
        self.flush_block();
        let Collection { comments, levels } = &mut self.collection;
        let titles: Vec<usize> = levels.iter().map(|level| level.title_line).collect();
        let is_comment =
            |(line, text): &(usize, &str)| !text.is_empty() && titles.binary_search(line).is_err();
        comments.retain(is_comment);
        for level in levels {
            level.comments.retain(is_comment);
        }
        self.collection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> Vec<(usize, usize, Option<&str>)> {
        split(text).into_iter().map(|raw| (raw.line, raw.rows.len(), raw.title)).collect()
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
            // Lines below a board belong to it.
            ("###\n; 1\n\n###\n; 2\n", vec![(1, 1, Some("1")), (4, 1, Some("2"))]),
            ("###\nR\n\n###\nL\n", vec![(1, 1, None), (4, 1, None)]),
            ("; a\n###\n; easy\n\n###\n", vec![(2, 1, Some("a")), (5, 1, None)]),
            ("###\n; two\n; lines\n\n###\n", vec![(1, 1, None), (5, 1, None)]),
            ("###\nRating: 5\n\n###\n", vec![(1, 1, None), (4, 1, None)]),
            ("Rating: 5\n###\n", vec![(2, 1, None)]),
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
            ("#####\n#pbo#\n#####", 3),
            ("--3#|3#-#|#pbo#|5#", 1),
            ("2(#2(#))\n#@$.2(#)\n6#", 3),
            ("Bob 3\n####", 1),
        ] {
            let found: Vec<_> = titles(text).into_iter().map(|(_, rows, _)| rows).collect();
            assert_eq!(found, [rows], "{text:?}");
        }
    }

    #[test]
    fn other_lines_are_comments_of_their_board_or_of_the_collection() {
        let text = "Title: All of it\nAuthor: Ann\n\n; 1\n###\nTitle: one\nComment: easy\nSolution: r\n\n; apart\n\n\
                    ; about two\n; two\n###\n; made in May\nSolution\nlR\n; the end\n";
        let Collection { comments, levels } = parse(text);
        let texts =
            |lines: TextLines<'_>| lines.into_iter().map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(texts(comments), ["Title: All of it", "Author: Ann"]);
        let found: Vec<_> = levels.into_iter().map(|level| (level.title, texts(level.comments))).collect();
        let expected = [
            (Some("one"), vec!["1", "Comment: easy", "apart"]),
            (Some("two"), vec!["about two", "made in May", "the end"]),
        ];
        assert_eq!(
            found,
            expected.map(|(title, lines)| (title, lines.into_iter().map(str::to_owned).collect()))
        );
    }
}
