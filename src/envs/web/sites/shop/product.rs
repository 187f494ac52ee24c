//! A product: its card in a list and its page.

use super::super::template::{dollars, escaped, fill, tenths};
use super::catalog::{Product, department};

/// The card of a product in a list.
pub(super) fn card(product: &Product) -> String {
    filled(include_str!("card.html"), product)
}

/// The page of a product, without the layout.
pub(super) fn page(product: &Product) -> String {
    filled(include_str!("product.html"), product)
}

fn filled(template: &str, product: &Product) -> String {
    let values = [
        ("slug", product.slug.clone()),
        ("name", escaped(&product.name)),
        ("category", product.category.clone()),
        ("department", department(&product.category).unwrap_or_default().to_owned()),
        ("picture", picture(product)),
        ("stars", "★".repeat((product.rating as usize + 5) / 10)),
        ("rating", tenths(product.rating)),
        ("reviews", product.reviews.to_string()),
        ("price", dollars(product.cents)),
        ("cents", product.cents.to_string()),
        ("grams", product.grams.to_string()),
        ("text", escaped(&product.text)),
        ("swatches", swatches(product)),
        ("sizes", sizes(product).to_owned()),
    ];
    fill(template, &values)
}

fn swatches(product: &Product) -> String {
    let swatch = |(index, colour): (usize, &String)| {
        let colour = escaped(colour);
        let checked = index == 0;
        format!(
            "<div class=\"swatch\" role=\"radio\" tabindex=\"0\" aria-checked=\"{checked}\">{colour}</div>"
        )
    };
    product.colours.iter().enumerate().map(swatch).collect()
}

fn sizes(product: &Product) -> &'static str {
    match product.category.as_str() {
        "jackets" => include_str!("sizes-jackets.html"),
        "boots" => include_str!("sizes-boots.html"),
        _ => "",
    }
}

/// A drawing of the kind of product in its first colour.
fn picture(product: &Product) -> String {
    let colour = match product.colours.first().map(String::as_str) {
        Some("Pine") => "#3b6b52",
        Some("Sand") => "#c9a66b",
        Some("Blue/Grey") => "#5b7f9c",
        _ => "#a63d40",
    };
    let shape = match product.category.as_str() {
        "tents" => "M30 118 80 40l50 78H92L80 92l-12 26z",
        "jackets" => "M60 40h40l28 18-10 26-12-6v42H54V78l-12 6-10-26z",
        "boots" => "M52 40h34v40l34 14q8 4 8 14v10H52z",
        "packs" => "M54 60q0-24 26-24t26 24v52q0 6-6 6H60q-6 0-6-6zm12 24v22h28V84z",
        "lamps" => "M66 40h28l6 50H60zm-2 56h32v10H64zm8 14h16v8H72z",
        _ => "M44 66h72v40q0 12-12 12H56q-12 0-12-12zm20-10q0-14 16-14t16 14z",
    };
    format!(
        "<svg class=\"picture\" viewBox=\"0 0 160 150\" aria-hidden=\"true\"><path d=\"{shape}\" fill=\"{colour}\" fill-rule=\"evenodd\"/></svg>"
    )
}
