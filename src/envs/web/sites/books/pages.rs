//! Pages of titles, of authors and of lists.

use super::super::address::query;
use super::super::template::{dollars, escaped, fill, tenths};
use super::catalog::{self, CATALOG, Work};

/// Titles that a list shows at once.
const PART: usize = 8;

/// The page of a title.
pub(super) fn work(work: &Work) -> String {
    filled(include_str!("work.html"), work)
}

/// The page of an author.
pub(super) fn author(author: &str) -> String {
    let works: Vec<&Work> = CATALOG.iter().filter(|work| work.author == author).collect();
    let values = [("author", escaped(author)), ("count", count(works.len())), ("rows", rows(works))];
    fill(include_str!("author.html"), &values)
}

/// A shelf with its first titles; the page loads the others.
pub(super) fn list(title: &str, genre: &str) -> String {
    let (rows, next) = part(genre, 0);
    let values = [
        ("title", escaped(title)),
        ("count", count(catalog::on_shelf(genre).count())),
        ("rows", rows),
        ("next", escaped(&next)),
    ];
    fill(include_str!("list.html"), &values)
}

/// Some titles of a shelf after the first ones, and the address of those that follow; empty at the end.
pub(super) fn part(genre: &str, after: usize) -> (String, String) {
    let works = catalog::on_shelf(genre).skip(after).take(PART);
    let has_more = catalog::on_shelf(genre).nth(after.saturating_add(PART)).is_some();
    let next = if has_more {
        format!("/part{}", query(&[("genre", genre), ("after", &(after + PART).to_string())]))
    } else {
        String::new()
    };
    (rows(works), next)
}

/// The titles in whose title or author each word of a search occurs.
pub(super) fn search(text: &str) -> String {
    let words = text.to_lowercase();
    let is_found = |work: &&Work| {
        let text = format!("{} {}", work.title, work.author).to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    };
    let found: Vec<&Work> = CATALOG.iter().filter(is_found).collect();
    let title = format!("Search for \"{text}\"");
    let values = [("title", escaped(&title)), ("count", count(found.len())), ("rows", rows(found))];
    fill(include_str!("list.html"), &values)
}

/// The page of the archive.
pub(super) fn archive() -> String {
    let row = |(number, (title, year, place)): (usize, (String, u32, String))| {
        format!("<tr><td>{}</td><td>{title}</td><td>{year}</td><td>{place}</td></tr>", number + 1)
    };
    let rows: String = catalog::archive().enumerate().map(row).collect();
    fill(include_str!("archive.html"), &[("rows", &rows)])
}

fn count(many: usize) -> String {
    if many == 1 { "1 title".to_owned() } else { format!("{many} titles") }
}

fn rows<'a>(works: impl IntoIterator<Item = &'a Work>) -> String {
    works.into_iter().map(|work| filled(include_str!("row.html"), work)).collect()
}

fn filled(template: &str, work: &Work) -> String {
    let values = [
        ("slug", work.slug.clone()),
        ("title", escaped(&work.title)),
        ("author", escaped(&work.author)),
        ("author_slug", work.author_slug()),
        ("genre", work.genre.clone()),
        ("shelf", catalog::shelf(&work.genre).unwrap_or_default().to_owned()),
        ("text", escaped(&work.text)),
        ("year", work.year.to_string()),
        ("pages", work.pages.to_string()),
        ("price", dollars(work.cents)),
        ("stars", "★".repeat((work.rating as usize + 5) / 10)),
        ("rating", tenths(work.rating)),
        ("cover", cover(work)),
        ("similar", similar(work)),
    ];
    fill(template, &values)
}

fn similar(work: &Work) -> String {
    let others = catalog::on_shelf(&work.genre).filter(|other| other.slug != work.slug).take(4);
    let row = |other: &Work| {
        format!("<li><a href=\"/title/{}\">{}</a>, {}</li>", other.slug, escaped(&other.title), other.author)
    };
    others.map(row).collect()
}

/// A drawn cover, whose colours come from the year.
fn cover(work: &Work) -> String {
    let hue = work.year * 47 % 360;
    let height = 30 + work.pages % 50;
    format!(
        "<svg class=\"cover\" viewBox=\"0 0 64 92\" aria-hidden=\"true\">\
         <rect width=\"64\" height=\"92\" fill=\"hsl({hue} 35% 40%)\"/>\
         <rect x=\"6\" width=\"2\" height=\"92\" fill=\"hsl({hue} 35% 28%)\"/>\
         <circle cx=\"36\" cy=\"{height}\" r=\"14\" fill=\"hsl({hue} 45% 70%)\"/></svg>"
    )
}
