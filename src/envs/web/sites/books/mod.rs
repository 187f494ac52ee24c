//! The shop of printed works: long lists, loading on scroll, fragments, and facts to answer.

mod catalog;
mod pages;

use super::SiteAnswer;
use super::address::Address;
use super::site::{Entry, File, Site};

use self::catalog::CATALOG;

/// The site.
pub(super) const SITE: Site = Site {
    host: "books.test",
    name: "Quillmoor Books",
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
        title: "A small shop and a reading room",
        summary: "Forty titles about the sea, crime, gardens, travel and history.",
        main: include_str!("home.html"),
    },
    File {
        path: "/awards",
        title: "Halden Prize",
        summary: "All winners of the Halden Prize with years.",
        main: include_str!("awards.html"),
    },
    File {
        path: "/opening-hours",
        title: "Opening hours",
        summary: "When the shop in Quillmoor is open, Saturday too.",
        main: include_str!("opening-hours.html"),
    },
    File {
        path: "/events",
        title: "Readings",
        summary: "Readings and evenings in the shop.",
        main: include_str!("events.html"),
    },
    File {
        path: "/about",
        title: "About us",
        summary: "Opened in 1961 with one shelf.",
        main: include_str!("about.html"),
    },
    File { path: "/embed", title: "A title for the journey", summary: "", main: include_str!("embed.html") },
];

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    if let Some(slug) = address.below("/title/") {
        let work = CATALOG.iter().find(|work| work.slug == slug)?;
        return Some(site.page(&work.title, &pages::work(work)));
    }
    if let Some(slug) = address.below("/author/") {
        let author = &CATALOG.iter().find(|work| work.author_slug() == slug)?.author;
        return Some(site.page(author, &pages::author(author)));
    }
    match address.path.as_str() {
        "/list" => {
            let title = catalog::shelf(address.get("genre"))?;
            Some(site.page(title, &pages::list(title, address.get("genre"))))
        }
        "/part" => {
            let after = address.get("after").parse().ok()?;
            let (rows, next) = pages::part(address.get("genre"), after);
            Some(SiteAnswer::new(200, "text/html; charset=utf-8", rows).with_header("x-next", &next))
        }
        "/search" => Some(site.page("Search", &pages::search(address.get("q")))),
        "/archive" => Some(site.page("Archive", &pages::archive())),
        _ => None,
    }
}

fn entries() -> Vec<Entry> {
    let works = CATALOG.iter().map(|work| Entry {
        target: format!("/title/{}", work.slug),
        title: format!("{} by {} - {}", work.title, work.author, SITE.name),
        summary: format!("{} With reviews.", work.text),
    });
    works.collect()
}
