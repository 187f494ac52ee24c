//! The views of a table: pictures in several styles, text, both, and a list of piles. All have the same content.

use std::sync::Arc;

use super::options;
use super::oracle::table_from_facts;
use super::painter::Painter;
use super::table::{Book, Region, Table};
use super::view::TableView;
use mageyard_domain::{Observation, ObservationPart, Options, View};

/// What a table is shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ShownAs {
    /// A picture.
    #[default]
    Image,
    /// A picture of three times the size.
    Large,
    /// A picture in few strong colours.
    Contrast,
    /// The piles in characters.
    Text,
    /// The picture, and the text.
    ImageText,
    /// The books of each region.
    Words,
}

/// The views by name, the default first.
pub(super) const NAMES: &[(&str, ShownAs)] = &[
    ("image", ShownAs::Image),
    ("large", ShownAs::Large),
    ("contrast", ShownAs::Contrast),
    ("text", ShownAs::Text),
    ("image-text", ShownAs::ImageText),
    ("words", ShownAs::Words),
];

/// The views, in the order of [`NAMES`].
pub(super) const VIEWS: &[View] = &[
    View::picture("image", "a picture of the table"),
    View::picture("large", "a picture of three times the size, at most 16 pixels for each dot"),
    View::picture("contrast", "a picture in few strong colours"),
    View::written(
        "text",
        "the piles in characters",
        "text.\n\nEach pile of books is above the letter of its region. A book looks like [ 2 ]: the larger the book is, \
         the wider it is drawn, and the number is its size. 1 is the smallest book",
    ),
    View::written(
        "image-text",
        "the picture, and the piles in characters",
        "an image, and as text with each pile of books above the letter of its region; both show the same.\n\nIn the \
         image, {picture}",
    ),
    View::written(
        "words",
        "the books of each region in words",
        "a list of the books in each region. Books are numbered by size: 1 is the smallest book",
    ),
];

/// The largest side of a dot in pixels.
const LARGEST_SCALE: u32 = 16;

impl ShownAs {
    /// The pixels of a dot in this view.
    pub(super) fn scale(self, scale: u32) -> u32 {
        if self == Self::Large { (3 * scale).min(LARGEST_SCALE) } else { scale }
    }
}

/// An observation of a table as the view of these options shows it. The goal is shown if the observation shows it.
pub(super) fn show(seen: &Observation, options: &Options) -> Result<Observation, String> {
    let look = options::look(options).map_err(|error| error.to_string())?;
    let table = table_of(seen)?;
    let painter = Arc::new(Painter::new(look.scale, look.numbers, look.style()));
    let with_goal = shows_goal(seen);
    Ok(Observation::from_source(TableView { table, painter, with_goal, shown: look.view }))
}

/// The table of an observation, which may be a recorded one.
pub(super) fn table_of(seen: &Observation) -> Result<Table, String> {
    match seen.source::<TableView>() {
        Some(view) => Ok(view.table),
        None => table_from_facts(seen).map_err(|error| error.to_string()),
    }
}

/// Whether an observation shows the goal: it has a second picture, or a second text.
pub(super) fn shows_goal(seen: &Observation) -> bool {
    let second =
        |is_kind: fn(&ObservationPart) -> bool| seen.parts().iter().filter(|part| is_kind(part)).count() > 1;
    match seen.source::<TableView>() {
        Some(view) => view.with_goal,
        None => {
            second(|part| matches!(part, ObservationPart::Image(_)))
                || second(|part| matches!(part, ObservationPart::Text(_)))
        }
    }
}

/// The books of each region in words: all that the text of a table says.
pub(super) fn in_words(table: &Table) -> String {
    let piles = Region::ALL.map(|region| {
        let books: Vec<Book> = table.pile(region).rev().collect();
        match books.as_slice() {
            [] => format!("Region {region}: empty."),
            [one] => format!("Region {region}: book {one}."),
            several => format!("Region {region}, from bottom to top: books {}.", listed(several)),
        }
    });
    piles.join("\n")
}

/// Books in a sentence, such as `3, 1`.
pub(super) fn listed(books: &[Book]) -> String {
    books.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
