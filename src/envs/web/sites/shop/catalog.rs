//! What the shop sells.

use std::sync::LazyLock;

use serde::Deserialize;

/// A product.
#[derive(Debug, Deserialize)]
pub(super) struct Product {
    /// Its name in addresses.
    pub(super) slug: String,
    /// Its name.
    pub(super) name: String,
    /// Its department, as addresses name it.
    pub(super) category: String,
    /// Its colours, the first one chosen at first.
    pub(super) colours: Vec<String>,
    /// Its price in cents.
    pub(super) cents: u32,
    /// Tenths of points, up to 50.
    pub(super) rating: u32,
    /// The number of ratings.
    pub(super) reviews: u32,
    /// Its weight in grams.
    pub(super) grams: u32,
    /// A sentence about it.
    pub(super) text: String,
}

/// All products, in the order of the shop. A test reads the same file.
pub(super) static CATALOG: LazyLock<Vec<Product>> =
    LazyLock::new(|| serde_json::from_str(include_str!("products.json")).unwrap_or_default());

/// The departments: name in addresses and title.
const DEPARTMENTS: [(&str, &str); 6] = [
    ("tents", "Tents and tarps"),
    ("jackets", "Jackets"),
    ("boots", "Boots and shoes"),
    ("packs", "Packs and bags"),
    ("lamps", "Lamps"),
    ("stoves", "Stoves and pots"),
];

/// The title of a department.
pub(super) fn department(category: &str) -> Option<&'static str> {
    DEPARTMENTS.iter().find(|(name, _)| *name == category).map(|(_, title)| *title)
}

impl Product {
    /// Whether each word of a search occurs in its name, its department or its text; plural and singular are one word.
    pub(super) fn matches(&self, search: &str) -> bool {
        let text = format!("{} {} {}", self.name, self.category, self.text).to_lowercase();
        let search = search.to_lowercase();
        search.split_whitespace().all(|word| text.contains(word.strip_suffix('s').unwrap_or(word)))
    }
}
