//! Sets the thoughts in the text of a reply apart, while it streams. The result does not depend on how the text is
//! split into chunks, and nothing is lost: the pieces together are the text.
//!
//! An opening delimiter counts at the beginning of a line. A closing delimiter outside a thought means that the opening
//! one is missing, because the template of the model wrote it: then everything since the last thought was a thought.

use std::sync::Arc;

use self::delimiter::{Match, delimiter_at};
use mageyard_domain::{OptionError, ReplyFormat};

/// The delimiters of a thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ThoughtTags {
    pub(super) open: String,
    pub(super) close: String,
}

/// Parses pairs such as `<think> </think>, [THINK] [/THINK]`; an empty text has none.
pub(super) fn parse_tags(text: &str) -> Result<Arc<[ThoughtTags]>, OptionError> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| match pair.split_whitespace().collect::<Vec<_>>().as_slice() {
            [open, close] if open != close => {
                Ok(ThoughtTags { open: (*open).to_owned(), close: (*close).to_owned() })
            }
            _ => Err(OptionError {
                name: "thoughts".to_owned(),
                why: format!(
                    "{pair:?} is not an opening and a closing delimiter with a space between them, such as \
                     \"<think> </think>\"; separate pairs with commas"
                ),
            }),
        })
        .collect()
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text outside thoughts.
    Text(&'a str),
    /// An opening delimiter: a thought begins.
    Open(&'a str),
    /// Text within a thought.
    Thought(&'a str),
    /// The closing delimiter of the thought.
    Close(&'a str),
    /// A closing delimiter without an opening one: the text since the last thought was a thought.
    CloseOnly(&'a str),
    /// White space after a thought.
    Space(&'a str),
}

/// Where the splitter is.
#[derive(Debug)]
enum Place {
    Text,
    /// In a thought with this opening delimiter.
    Thought(String),
    /// In the white space after a thought.
    AfterThought,
}

/// Splits a text into pieces.
#[derive(Debug)]
pub(super) struct ThoughtSplitter {
    tags: Arc<[ThoughtTags]>,
    /// The first characters of all delimiters.
    first_characters: String,
    /// The end of the text, while it may be the beginning of a delimiter.
    held: String,
    place: Place,
    /// Whether the current line has only white space so far.
    line_is_blank: bool,
}

/// What a delimiter does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
}

/// The result of a search for the next delimiter.
enum Found {
    Delimiter {
        at: usize,
        length: usize,
        kind: Kind,
        /// The delimiter as it is configured.
        name: String,
    },
    /// The text may end within a delimiter that begins here.
    Undecided(usize),
    Nothing,
}

impl ThoughtSplitter {
    /// A splitter for replies of this format, whose own tags are no delimiters of thoughts.
    pub(super) fn new(tags: &Arc<[ThoughtTags]>, format: &ReplyFormat) -> Self {
        let is_own = |tags: &ThoughtTags| format.has_tag(&tags.open, &tags.close);
        let tags = if tags.iter().any(is_own) {
            tags.iter().filter(|tags| !is_own(tags)).cloned().collect()
        } else {
            tags.clone()
        };
        let delimiters = tags.iter().flat_map(|tags| [&tags.open, &tags.close]);
        let first_characters = delimiters.filter_map(|delimiter| delimiter.chars().next()).collect();
        Self { tags, first_characters, held: String::new(), place: Place::Text, line_is_blank: true }
    }

    /// Adds a chunk.
    pub(super) fn push(&mut self, chunk: &str, sink: &mut impl FnMut(Piece<'_>)) {
        if self.held.is_empty() {
            self.held = self.split(chunk, false, sink).to_owned();
            return;
        }
        let mut text = std::mem::take(&mut self.held);
        text.push_str(chunk);
        self.held = self.split(&text, false, sink).to_owned();
    }

    /// Ends the text. Returns the opening delimiter of a thought that is not closed.
    pub(super) fn finish(&mut self, sink: &mut impl FnMut(Piece<'_>)) -> Option<&str> {
        let text = std::mem::take(&mut self.held);
        self.split(&text, true, sink);
        match &self.place {
            Place::Thought(open) => Some(open),
            Place::Text | Place::AfterThought => None,
        }
    }

    /// Passes on the pieces of the text; returns its undecided end, which is empty if the text is `complete`.
    fn split<'t>(&mut self, text: &'t str, complete: bool, sink: &mut impl FnMut(Piece<'_>)) -> &'t str {
        let mut rest = text;
        while !rest.is_empty() {
            if matches!(self.place, Place::AfterThought) {
                rest = self.skip_space(rest, sink);
                continue;
            }
            match self.find(rest, complete) {
                Found::Delimiter { at, length, kind, name } => {
                    self.pass_on(&rest[..at], sink);
                    self.take_delimiter(&rest[at..at + length], kind, name, sink);
                    rest = &rest[at + length..];
                }
                Found::Undecided(at) => {
                    self.pass_on(&rest[..at], sink);
                    return &rest[at..];
                }
                Found::Nothing => {
                    self.pass_on(rest, sink);
                    return "";
                }
            }
        }
        ""
    }

    fn skip_space<'t>(&mut self, text: &'t str, sink: &mut impl FnMut(Piece<'_>)) -> &'t str {
        let rest = text.trim_start();
        let space = &text[..text.len() - rest.len()];
        if !space.is_empty() {
            sink(Piece::Space(space));
        }
        if !rest.is_empty() {
            // The text before a thought is empty or ends with a line.
            (self.place, self.line_is_blank) = (Place::Text, true);
        }
        rest
    }

    fn pass_on(&mut self, text: &str, sink: &mut impl FnMut(Piece<'_>)) {
        if text.is_empty() {
            return;
        }
        self.line_is_blank = text.chars().fold(self.line_is_blank, continues_blank_line);
        sink(match self.place {
            Place::Thought(_) => Piece::Thought(text),
            Place::Text | Place::AfterThought => Piece::Text(text),
        });
    }

    fn take_delimiter(
        &mut self,
        delimiter: &str,
        kind: Kind,
        name: String,
        sink: &mut impl FnMut(Piece<'_>),
    ) {
        let in_thought = matches!(self.place, Place::Thought(_));
        match kind {
            Kind::Open => {
                sink(Piece::Open(delimiter));
                self.place = Place::Thought(name);
            }
            Kind::Close => {
                sink(if in_thought { Piece::Close(delimiter) } else { Piece::CloseOnly(delimiter) });
                self.place = Place::AfterThought;
            }
        }
    }

    /// The first delimiter, and the longest one at its position.
    fn find(&self, text: &str, complete: bool) -> Found {
        let mut blank = self.line_is_blank;
        for (at, first) in text.char_indices() {
            let may_open = blank;
            blank = continues_blank_line(blank, first);
            if !self.first_characters.contains(first) {
                continue;
            }
            let rest = &text[at..];
            let mut best: Option<(usize, &str, Kind)> = None;
            for (name, kind) in self.delimiters(may_open) {
                match delimiter_at(rest, name) {
                    Match::Begun if !complete => return Found::Undecided(at),
                    Match::Complete(length) if best.is_none_or(|best| best.0 <= length) => {
                        best = Some((length, name, kind));
                    }
                    Match::Begun | Match::Complete(_) | Match::Different => {}
                }
            }
            if let Some((length, name, kind)) = best {
                return Found::Delimiter { at, length, kind, name: name.to_owned() };
            }
        }
        Found::Nothing
    }

    /// The delimiters that count here.
    fn delimiters(&self, may_open: bool) -> impl Iterator<Item = (&str, Kind)> {
        let inside = match &self.place {
            Place::Thought(open) => Some(open),
            Place::Text | Place::AfterThought => None,
        };
        let opens = self.tags.iter().filter(move |_| may_open && inside.is_none());
        let closes = self.tags.iter().filter(move |tags| inside.is_none_or(|open| *open == tags.open));
        let opens = opens.map(|tags| (tags.open.as_str(), Kind::Open));
        opens.chain(closes.map(|tags| (tags.close.as_str(), Kind::Close)))
    }
}

/// Whether a line has only white space after this character, if it had so far.
fn continues_blank_line(blank: bool, next: char) -> bool {
    next == '\n' || (blank && next.is_whitespace())
}

mod delimiter;
#[cfg(test)]
mod tests;
