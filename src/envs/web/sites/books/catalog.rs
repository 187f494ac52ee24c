//! The titles of the shop and of its archive.

use std::sync::LazyLock;

use serde::Deserialize;

/// A title.
#[derive(Debug, Deserialize)]
pub(super) struct Work {
    /// Its name in addresses.
    pub(super) slug: String,
    /// Its title.
    pub(super) title: String,
    /// Who wrote it.
    pub(super) author: String,
    /// Its shelf, as addresses name it.
    pub(super) genre: String,
    /// The year in which it first appeared.
    pub(super) year: u32,
    /// The number of its pages.
    pub(super) pages: u32,
    /// Tenths of points, up to 50.
    pub(super) rating: u32,
    /// Its price in cents.
    pub(super) cents: u32,
    /// A sentence about it.
    pub(super) text: String,
}

impl Work {
    /// The name of its author in addresses.
    pub(super) fn author_slug(&self) -> String {
        self.author.to_lowercase().replace(' ', "-")
    }
}

/// All titles, in the order of the shelves.
pub(super) static CATALOG: LazyLock<Vec<Work>> =
    LazyLock::new(|| serde_json::from_str(include_str!("titles.json")).unwrap_or_default());

/// The title of a shelf; that of the empty name is all.
pub(super) fn shelf(genre: &str) -> Option<&'static str> {
    let title = match genre {
        "" => "All titles",
        "sea" => "Sea stories",
        "garden" => "Gardens",
        "crime" => "Crime",
        "travel" => "Travel",
        "history" => "History",
        _ => return None,
    };
    Some(title)
}

/// The titles of a shelf; all for the empty name.
pub(super) fn on_shelf(genre: &str) -> impl Iterator<Item = &'static Work> {
    CATALOG.iter().filter(move |work| genre.is_empty() || work.genre == genre)
}

/// The cards of the archive: title, year and place, made from lists of words.
pub(super) fn archive() -> impl Iterator<Item = (String, u32, String)> {
    const FIRST: [&str; 8] =
        ["Old", "Silent", "Northern", "Common", "Hidden", "Broken", "Distant", "Painted"];
    const SECOND: [&str; 5] = ["Harbour", "Orchard", "Bridge", "Letters", "Lanterns"];
    let names = FIRST.into_iter().flat_map(|first| SECOND.map(|second| format!("{first} {second}")));
    names.zip(0_u32..).map(|(name, index)| {
        let place = format!("Cabinet {}, drawer {}", 1 + index / 10, 1 + index % 10 / 2);
        (name, 1800 + index * 37 % 150, place)
    })
}
