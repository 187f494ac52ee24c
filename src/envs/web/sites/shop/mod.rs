//! The shop: search, filters in the query, grouped selects, a cart in the page.

mod catalog;
mod listing;
mod product;

use super::SiteAnswer;
use super::address::Address;
use super::site::{Entry, File, Site};
use super::template::{escaped, fill};

use self::catalog::{CATALOG, Product};

/// The site.
pub(super) const SITE: Site = Site {
    host: "shop.test",
    name: "Larkfield Outfitters",
    header: include_str!("header.html"),
    footer: include_str!("footer.html"),
    style: include_str!("style.css"),
    script: include_str!("script.js"),
    files: FILES,
    answer,
    entries,
};

const FILES: &[File] = &[
    File {
        path: "/",
        title: "Outdoor clothing and gear",
        summary: "Tents, jackets, boots, packs, lamps and stoves. Free returns within 60 days.",
        main: include_str!("home.html"),
    },
    File { path: "/cart", title: "Cart", summary: "", main: include_str!("cart.html") },
    File { path: "/checkout", title: "Checkout", summary: "", main: include_str!("checkout.html") },
    File { path: "/thanks", title: "Thank you", summary: "", main: include_str!("thanks.html") },
    File {
        path: "/stores",
        title: "Find a store",
        summary: "Larkfield stores by ZIP code, with opening hours.",
        main: include_str!("stores.html"),
    },
    File {
        path: "/stores/harrow-bay",
        title: "Store in Harrow Bay",
        summary: "Address and opening hours of Larkfield Harrow Bay. Boots are resoled here.",
        main: include_str!("store-harrow-bay.html"),
    },
    File {
        path: "/stores/millport",
        title: "Store in Millport",
        summary: "Address and opening hours of Larkfield Millport.",
        main: include_str!("store-millport.html"),
    },
    File {
        path: "/stores/east-denning",
        title: "Store in East Denning",
        summary: "Address and opening hours of Larkfield East Denning.",
        main: include_str!("store-east-denning.html"),
    },
    File {
        path: "/help/shipping",
        title: "Shipping",
        summary: "Times and costs of delivery.",
        main: include_str!("shipping.html"),
    },
    File {
        path: "/help/returns",
        title: "Returns",
        summary: "How to return what you do not like.",
        main: include_str!("returns.html"),
    },
];

/// Each store with its path and the ZIP code by which it is found.
const STORES: [(&str, &str, &str); 3] = [
    ("/stores/harrow-bay", "Larkfield Harrow Bay", "60431"),
    ("/stores/millport", "Larkfield Millport", "60110"),
    ("/stores/east-denning", "Larkfield East Denning", "48226"),
];

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    if let Some(slug) = address.below("/p/") {
        let product = CATALOG.iter().find(|product| product.slug == slug)?;
        return Some(site.page(&product.name, &product::page(product)));
    }
    if let Some(category) = address.below("/c/") {
        let department = catalog::department(category)?;
        return Some(site.page(department, &listing::page(address, Some(category), department)));
    }
    match address.path.as_str() {
        "/search" => {
            let title = format!("Results for \"{}\"", address.get("q"));
            Some(site.page(&title, &listing::page(address, None, &title)))
        }
        "/stores/near" => Some(site.page("Stores near you", &near(address.get("zip")))),
        _ => None,
    }
}

/// The stores whose ZIP code begins like this one; all if there are none.
fn near(zip: &str) -> String {
    let start: String = zip.trim().chars().take(2).collect();
    let mut stores: Vec<_> = STORES.iter().filter(|store| store.2.starts_with(&start)).collect();
    if stores.is_empty() {
        stores = STORES.iter().collect();
    }
    stores.sort_by_key(|store| store.2 != zip.trim());
    let rows =
        stores.iter().map(|(path, name, zip)| format!("<li><a href=\"{path}\">{name}</a>, {zip}</li>"));
    let rows: Vec<String> = rows.collect();
    fill(include_str!("near.html"), &[("zip", &escaped(zip)), ("stores", &rows.join("\n"))])
}

fn entries() -> Vec<Entry> {
    let products = CATALOG.iter().map(|product: &Product| Entry {
        target: format!("/p/{}", product.slug),
        title: format!("{} - {}", product.name, SITE.name),
        summary: product.text.clone(),
    });
    products.collect()
}
