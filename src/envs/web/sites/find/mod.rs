//! A search engine over all sites.

use super::SiteAnswer;
use super::address::{Address, query};
use super::site::{Entry, File, Site};
use super::template::{escaped, fill};

/// The site.
pub(super) const SITE: Site = Site {
    host: "find.test",
    name: "Findling",
    header: include_str!("header.html"),
    footer: include_str!("footer.html"),
    style: include_str!("style.css"),
    script: include_str!("script.js"),
    files: FILES,
    answer,
    entries: Vec::new,
};

const FILES: &[File] = &[
    File { path: "/", title: "Search", summary: "", main: include_str!("home.html") },
    File {
        path: "/about",
        title: "How Findling works",
        summary: "What the search engine counts.",
        main: include_str!("about.html"),
    },
];

/// Hits of a page.
const PAGE: usize = 5;

/// Words that a search does not need.
const SMALL_WORDS: [&str; 14] =
    ["a", "an", "the", "of", "in", "on", "at", "for", "to", "and", "by", "is", "what", "how"];

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    if address.path != "/search" {
        return None;
    }
    let text = address.get("q");
    let number = address.get("page").parse().unwrap_or(1).max(1);
    Some(site.page(text, &results(text, number)))
}

/// A page that was found: its address and its entry, with its points.
struct Hit {
    points: usize,
    url: String,
    entry: Entry,
}

fn results(text: &str, number: usize) -> String {
    let found = found(text);
    let count = match found.len() {
        0 => format!("Nothing was found for \"{}\".", escaped(text)),
        1 => "1 page".to_owned(),
        many => format!("{many} pages"),
    };
    let start = number.saturating_sub(1).saturating_mul(PAGE);
    let hits: String = found.iter().skip(start).take(PAGE).map(row).collect();
    let pager = pager(text, number, found.len().div_ceil(PAGE));
    let values = [("q", escaped(text)), ("count", count), ("hits", hits), ("pager", pager)];
    fill(include_str!("results.html"), &values)
}

/// The pages with any word of a search, the best first; equal ones in the order of the sites.
fn found(text: &str) -> Vec<Hit> {
    let text = text.to_lowercase();
    let words = text.split(|character: char| !character.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && !SMALL_WORDS.contains(word)).collect();
    let all = super::SITES.into_iter().flat_map(|site| {
        site.index().into_iter().map(|entry| (format!("http://{}{}", site.host, entry.target), entry))
    });
    let hits = all.map(|(url, entry)| Hit { points: points(&words, &url, &entry), url, entry });
    let mut hits: Vec<Hit> = hits.filter(|hit| hit.points > 0).collect();
    hits.sort_by_key(|hit| usize::MAX - hit.points);
    hits
}

/// A word in the title counts three times; each word that occurs at all counts ten.
fn points(words: &[&str], url: &str, entry: &Entry) -> usize {
    let title = entry.title.to_lowercase();
    let rest = format!("{url} {}", entry.summary).to_lowercase();
    let of_word = |word: &&str| {
        let counted = 3 * title.matches(word).count() + rest.matches(word).count();
        if counted > 0 { counted + 10 } else { 0 }
    };
    words.iter().map(of_word).sum()
}

fn row(hit: &Hit) -> String {
    let Hit { url, entry, .. } = hit;
    let where_to = escaped(url);
    format!(
        "<li><h3><a href=\"{where_to}\">{}</a></h3><div class=\"where\">{where_to}</div><div>{}</div></li>",
        escaped(&entry.title),
        escaped(&entry.summary)
    )
}

fn pager(text: &str, number: usize, pages: usize) -> String {
    let link = |page: usize| {
        let href = escaped(&format!("/search{}", query(&[("q", text), ("page", &page.to_string())])));
        if page == number {
            format!("<strong>{page}</strong>")
        } else {
            format!("<a href=\"{href}\" aria-label=\"Page {page}\">{page}</a>")
        }
    };
    if pages > 1 { (1..=pages).map(link).collect() } else { String::new() }
}
