//! What an analysis says of a table: in which region books are, which books a pile has, and which book lies above which. A
//! sentence that speaks of the goal or of a move is not read, nor is one that is not a statement about the present.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::canvas::Area;
use super::painter::{WIDTH, book_area, region_area};
use super::shown_as::listed;
use super::table::{Book, Region, Table};
use mageyard_domain::{ActionShape, Claim, Observation, PixelBox};
use mageyard_kit::statements;

/// Sentences about the goal or a move.
static UNREAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(goal|target|finally?|must|needs?|needed|want|can|once|so that|moves?|moved|moving|puts?|putting|takes?|goes|becomes?)\b",
    )
    .ok()
});

/// Numbers of books: `3, 2 and 1`, `book 3 (bottom), book 1 (top)`.
const BOOKS: &str = r"\[?(?i:books?\s+)?\d+(?:\s*\((?i:bottom|top|largest|smallest)\))?(?:\s*(?:,\s*(?i:and\s+)?|(?i:and)\s+)(?i:book\s+)?\d+(?:\s*\((?i:bottom|top|largest|smallest)\))?)*\]?";

/// How something is somewhere.
const IS: &str = r"\s+(?i:is|are|lies?|sits?|rests?)(?:\s+(?i:both|all|alone|currently|now|already|still|also|located))*\s+";

/// A region: the letter is the group.
const REGION: &str = r"(?:(?i:the\s+)?(?i:region|pile|pile\s+in\s+region|pile\s+in)\s+)?([ABC])\b";

type Read = fn(&Seen<'_>, &Captures<'_>) -> Vec<Claim>;

/// The forms of claims, each with its reader.
static FORMS: LazyLock<Vec<(Regex, Read)>> = LazyLock::new(|| {
    let size = "(?i:(smallest|largest|biggest)\\s+book)";
    let name = r"(?i:region|pile)\s+([ABC])\b[*_]*";
    let order = r"(\s*[,(]?\s*(?i:from\s+)?(?i:bottom\s+to\s+top|top\s+to\s+bottom)\s*\)?)?";
    let has = r"[*_]*\s*(?::|(?i:has|contains|holds))[*_]*\s*(?i:only\s+|just\s+)?";
    let forms: [(String, Read); 6] = [
        (
            format!(
                r"\b((?i:books?)\s+\d+(?:\s*(?:,\s*(?i:and\s+)?|(?i:and)\s+)(?i:book\s+)?\d+)*){IS}(?i:on\s+top\s+of|on|in|at)\s+{REGION}"
            ),
            books_in_region,
        ),
        (format!(r"\b{size}{IS}(?i:on\s+top\s+of|on|in|at)\s+{REGION}"), sized_book_in_region),
        (format!(r"\b{name}{order}{has}({BOOKS})(\s+(?i:books?\b))?"), books_of_region),
        (format!(r"\b{name}(?:{IS}|{has})\(?((?i:empty))\b"), region_is_empty),
        (
            format!(r"\b(?i:book)\s+(\d+){IS}(?i:on\s+top\s+of|directly\s+on|on)\s+(?i:book)\s+(\d+)\b"),
            book_above_book,
        ),
        (format!(r"\b(?i:top\s+book)\s+(?i:of|in|on)\s+{REGION}{IS}(?i:book\s+)?(\d+)\b"), top_book),
    ];
    forms.into_iter().filter_map(|(form, read)| Some((Regex::new(&form).ok()?, read))).collect()
});

/// A table with the pixels of its picture.
struct Seen<'a> {
    table: &'a Table,
    /// The pixels of a dot, if there is a picture.
    scale: Option<u32>,
    /// The byte of the analysis at which the sentence begins.
    start: usize,
}

/// What an analysis says of the table.
pub(super) fn claims(table: &Table, seen: &Observation, analysis: &str) -> Vec<Claim> {
    let scale = seen.picture().and_then(|picture| picture.width().checked_div(u32::try_from(WIDTH).ok()?));
    let is_read = |(_, text): &(usize, &str)| UNREAD.as_ref().is_some_and(|unread| !unread.is_match(text));
    let mut claims: Vec<Claim> = statements(analysis)
        .filter(is_read)
        .flat_map(|(start, text)| {
            let seen = Seen { table, scale, start };
            let of_form = |(form, read): &(Regex, Read)| {
                form.captures_iter(text).flat_map(|found| read(&seen, &found)).collect::<Vec<Claim>>()
            };
            FORMS.iter().flat_map(of_form).collect::<Vec<Claim>>()
        })
        .collect();
    claims.sort_by_key(|claim| claim.at.start);
    claims
}

impl Seen<'_> {
    fn range(&self, found: Match<'_>) -> Range<usize> {
        self.start + found.start()..self.start + found.end()
    }

    fn has(&self, book: Book) -> bool {
        (1..=self.table.count()).contains(&book)
    }

    /// That a book is in a region.
    fn in_region(&self, name: &str, book: Book, region: Region, at: Range<usize>) -> Claim {
        let holds = self.has(book) && self.table.region_of(book) == region;
        let actual = if holds { None } else { self.book(book) };
        Claim {
            at,
            says: format!("{name} in region {region}"),
            holds,
            claimed: self.area(region_area(region)).into_iter().collect(),
            actual: actual.into_iter().collect(),
        }
    }

    /// A claim about a whole region.
    fn of_region(&self, says: String, holds: bool, region: Region, at: Range<usize>) -> Claim {
        Claim {
            at,
            says,
            holds,
            claimed: self.area(region_area(region)).into_iter().collect(),
            actual: Vec::new(),
        }
    }

    /// Where a book is.
    fn book(&self, book: Book) -> Option<ActionShape> {
        let pile = |region: &Region| self.table.pile(*region).rev().position(|found| found == book);
        let level = Region::ALL.iter().find_map(pile)?;
        self.area(book_area(self.table, book, level))
    }

    /// An area of dots in pixels of the first picture.
    fn area(&self, Area(left, top, width, height): Area) -> Option<ActionShape> {
        let scale = self.scale?;
        let pixels = |dots: usize| u32::try_from(dots).ok().map(|dots| dots * scale);
        let (left, top) = (i64::from(pixels(left)?), i64::from(pixels(top)?));
        Some(ActionShape::Area(PixelBox { left, top, width: pixels(width)?, height: pixels(height)? }))
    }
}

fn region_of(found: Option<Match<'_>>) -> Option<Region> {
    let letter = found?.as_str();
    Region::ALL.into_iter().find(|region| region.letter() == letter)
}

/// The numbers in a text, each with its place in the sentence. A number that no book can have is 0.
fn books_in(found: Match<'_>) -> Vec<(Book, Range<usize>)> {
    let text = found.as_str();
    let mut books = Vec::new();
    let mut from = 0;
    for digits in text.split(|sign: char| !sign.is_ascii_digit()) {
        let at = found.start() + from;
        if !digits.is_empty() {
            books.push((digits.parse().unwrap_or(0), at..at + digits.len()));
        }
        from += digits.len() + text[from + digits.len()..].chars().next().map_or(0, char::len_utf8);
    }
    books
}

fn books_in_region(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let (Some(books), Some(region)) = (found.get(1), region_of(found.get(2))) else { return Vec::new() };
    let claim = |(book, at): (Book, Range<usize>)| {
        seen.in_region(&format!("book {book}"), book, region, seen.start + at.start..seen.start + at.end)
    };
    books_in(books).into_iter().map(claim).collect()
}

fn sized_book_in_region(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let (Some(size), Some(region)) = (found.get(1), region_of(found.get(2))) else { return Vec::new() };
    let is_smallest = size.as_str().eq_ignore_ascii_case("smallest");
    let (name, book) = if is_smallest { ("smallest book", 1) } else { ("largest book", seen.table.count()) };
    vec![seen.in_region(name, book, region, seen.range(size))]
}

/// All books of a region, in the order that the text names, or in any. A number of books is read as that.
fn books_of_region(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let (Some(region), Some(list)) = (region_of(found.get(1)), found.get(3)) else { return Vec::new() };
    let mut said: Vec<Book> = books_in(list).into_iter().map(|(book, _)| book).collect();
    let mut pile: Vec<Book> = seen.table.pile(region).rev().collect();
    if let (Some(_), [count]) = (found.get(4), said.as_slice()) {
        let says = format!("{count} books in region {region}");
        return vec![seen.of_region(says, usize::from(*count) == pile.len(), region, seen.range(list))];
    }
    let (says, in_order) = match found.get(2).map(|order| order.as_str().to_ascii_lowercase()) {
        Some(order) if order.contains("bottom to top") => ("from bottom to top", true),
        Some(_) => {
            said.reverse();
            ("from bottom to top", true)
        }
        None => ("in any order", false),
    };
    let says = format!("books {} in region {region}, {says}", listed(&said));
    if !in_order {
        said.sort_unstable();
        pile.sort_unstable();
    }
    vec![seen.of_region(says, said == pile, region, seen.range(list))]
}

fn region_is_empty(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let (Some(region), Some(word)) = (region_of(found.get(1)), found.get(2)) else { return Vec::new() };
    let holds = seen.table.top(region).is_none();
    vec![seen.of_region(format!("region {region} empty"), holds, region, seen.range(word))]
}

/// That a book is above another one in a pile, directly or not: the words do not say.
fn book_above_book(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let number = |found: Match<'_>| found.as_str().parse::<Book>().ok();
    let (Some(first), Some(second)) = (found.get(1), found.get(2)) else { return Vec::new() };
    let (Some(above), Some(below)) = (number(first), number(second)) else { return Vec::new() };
    let holds = Region::ALL.into_iter().any(|region| {
        let place = |book| seen.table.pile(region).position(|found| found == book);
        place(above).zip(place(below)).is_some_and(|(above, below)| above < below)
    });
    let shape = |book: Book| seen.book(book).into_iter().collect();
    vec![Claim {
        at: seen.range(second),
        says: format!("book {above} above book {below}"),
        holds,
        claimed: shape(below),
        actual: if holds { Vec::new() } else { shape(above) },
    }]
}

fn top_book(seen: &Seen<'_>, found: &Captures<'_>) -> Vec<Claim> {
    let (Some(region), Some(number)) = (region_of(found.get(1)), found.get(2)) else { return Vec::new() };
    let Some(book) = number.as_str().parse::<Book>().ok() else { return Vec::new() };
    let holds = seen.table.top(region) == Some(book);
    vec![seen.of_region(format!("book {book} on top of region {region}"), holds, region, seen.range(number))]
}
