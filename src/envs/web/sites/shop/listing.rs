//! Lists of products with filters and an order, all in the query.

use super::super::address::{Address, encoded, query};
use super::super::template::{escaped, fill};
use super::catalog::{CATALOG, Product};
use super::product;

const COLOURS: [&str; 4] = ["Blue/Grey", "Pine", "Red & Black", "Sand"];

/// Names in the query, titles, and the cents that a price must be below and not below.
const PRICES: [(&str, &str, u32, u32); 4] = [
    ("under-50", "Under $50", 0, 5_000),
    ("50-100", "$50 to $100", 5_000, 10_000),
    ("under-200", "Under $200", 0, 20_000),
    ("200-up", "$200 and more", 20_000, u32::MAX),
];

const PRICE_ORDERS: [(&str, &str); 2] =
    [("price-asc", "Price, low to high"), ("price-desc", "Price, high to low")];
const RATING_ORDERS: [(&str, &str); 2] = [("rating", "Best rating"), ("reviews", "Most reviews")];

/// What a list is narrowed to, and its order.
#[derive(Clone)]
struct Choice<'a> {
    search: &'a str,
    colour: &'a str,
    price: &'a str,
    sort: &'a str,
}

impl<'a> Choice<'a> {
    fn read(address: &'a Address) -> Self {
        // A colour is percent-encoded twice; once is read too.
        let value = address.get("colour");
        let is_meant = |colour: &&&str| value == **colour || value == encoded(colour);
        let colour = COLOURS.iter().find(is_meant).copied().unwrap_or_default();
        Self { search: address.get("q"), colour, price: address.get("price"), sort: address.get("sort") }
    }

    fn query(&self) -> String {
        let colour = encoded(self.colour);
        let parameters =
            [("q", self.search), ("colour", &colour), ("price", self.price), ("sort", self.sort)];
        query(&parameters)
    }

    fn has(&self, product: &Product) -> bool {
        let price = PRICES.iter().find(|price| price.0 == self.price);
        (self.colour.is_empty() || product.colours.iter().any(|colour| colour == self.colour))
            && price.is_none_or(|price| (price.2..price.3).contains(&product.cents))
            && product.matches(self.search)
    }
}

/// The list of a department, or of a search.
pub(super) fn page(address: &Address, category: Option<&str>, title: &str) -> String {
    let choice = Choice::read(address);
    let is_listed = |product: &&Product| {
        category.is_none_or(|category| product.category == category) && choice.has(product)
    };
    let mut products: Vec<&Product> = CATALOG.iter().filter(is_listed).collect();
    sort(&mut products, choice.sort);
    let found = match products.len() {
        0 => "No products".to_owned(),
        1 => "1 product".to_owned(),
        many => format!("{many} products"),
    };
    let cards: String = products.into_iter().map(product::card).collect();
    let values = [
        ("title", escaped(title)),
        ("colours", colours(&choice, &address.path)),
        ("prices", prices(&choice, &address.path)),
        ("found", found),
        ("base", escaped(&address.path)),
        ("kept", kept(&choice)),
        ("price_order", options(&PRICE_ORDERS, choice.sort)),
        ("rating_order", options(&RATING_ORDERS, choice.sort)),
        ("cards", cards),
    ];
    fill(include_str!("listing.html"), &values)
}

fn sort(products: &mut [&Product], order: &str) {
    match order {
        "price-asc" => products.sort_by_key(|product| product.cents),
        "price-desc" => products.sort_by_key(|product| u32::MAX - product.cents),
        "rating" => products.sort_by_key(|product| u32::MAX - product.rating),
        "reviews" => products.sort_by_key(|product| u32::MAX - product.reviews),
        _ => {}
    }
}

fn colours(choice: &Choice<'_>, base: &str) -> String {
    let all = [("", "All colours")].into_iter().chain(COLOURS.map(|colour| (colour, colour)));
    let link = |(value, title)| {
        facet(base, &Choice { colour: value, ..choice.clone() }, title, value == choice.colour)
    };
    all.map(link).collect()
}

fn prices(choice: &Choice<'_>, base: &str) -> String {
    let all = [("", "Any price")].into_iter().chain(PRICES.map(|price| (price.0, price.1)));
    let link = |(value, title)| {
        facet(base, &Choice { price: value, ..choice.clone() }, title, value == choice.price)
    };
    all.map(link).collect()
}

fn facet(base: &str, choice: &Choice<'_>, title: &str, current: bool) -> String {
    let href = escaped(&format!("{base}{}", choice.query()));
    let mark = if current { " aria-current=\"true\"" } else { "" };
    format!("<li><a href=\"{href}\"{mark}>{}</a></li>", escaped(title))
}

/// The filters as fields of the form that changes the order.
fn kept(choice: &Choice<'_>) -> String {
    let colour = encoded(choice.colour);
    let fields = [("q", choice.search), ("colour", &colour), ("price", choice.price)];
    let field = |(name, value): &(&str, &str)| {
        format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value))
    };
    fields.iter().filter(|(_, value)| !value.is_empty()).map(field).collect()
}

fn options(orders: &[(&str, &str)], current: &str) -> String {
    let option = |(value, title): &(&str, &str)| {
        let mark = if *value == current { " selected" } else { "" };
        format!("<option value=\"{value}\"{mark}>{title}</option>")
    };
    orders.iter().map(option).collect()
}
