//! Every page of the local web, and the tasks on it.

mod pages;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::{SiteAnswer, SiteRequest, answer, hosts, serves};

fn get(url: &str) -> SiteAnswer {
    let url = Url::parse(url).unwrap();
    let query = url.query().map_or(String::new(), |query| format!("?{query}"));
    answer(&SiteRequest {
        method: "GET".to_owned(),
        host: url.host_str().unwrap().to_owned(),
        target: format!("{}{query}", url.path()),
        body: Vec::new(),
    })
}

fn text(answer: &SiteAnswer) -> &str {
    std::str::from_utf8(&answer.body).unwrap()
}

fn header<'a>(answer: &'a SiteAnswer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The values of an attribute in HTML.
fn attribute(html: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    let values = html.split(&start).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

/// Where a page leads to: links, frames, styles, scripts, forms and redirects.
fn links(url: &Url, answer: &SiteAnswer) -> BTreeSet<String> {
    let mut found: Vec<String> = header(answer, "location").map(str::to_owned).into_iter().collect();
    if header(answer, "content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        for name in ["href", "src", "action", "data-next"] {
            found.extend(attribute(text(answer), name));
        }
    }
    let joined = found.iter().filter(|link| !link.is_empty()).map(|link| url.join(link).unwrap());
    let pages = joined.filter(|link| link.scheme() != "data");
    let without_fragment = pages.map(|mut link| {
        link.set_fragment(None);
        link.to_string()
    });
    without_fragment.collect()
}

/// All pages that can be reached from the front pages and from some more addresses.
fn crawl(more: &[&str]) -> BTreeMap<String, SiteAnswer> {
    let mut open: Vec<String> = hosts().map(|host| format!("http://{host}/")).collect();
    open.extend(more.iter().map(|url| Url::parse(url).unwrap().to_string()));
    let mut pages = BTreeMap::new();
    while let Some(url) = open.pop() {
        pages.entry(url).or_insert_with_key(|url| {
            let answer = get(url);
            open.extend(links(&Url::parse(url).unwrap(), &answer));
            answer
        });
    }
    pages
}

/// Pages that only scripts and forms lead to.
const BY_SCRIPT: [&str; 6] = [
    "http://tabs.test/fares/high-pass",
    "http://tabs.test/booked?tour=fjord-line&leaves=07%3A15&people=2",
    "http://tabs.test/cancelled?ref=TR-2048",
    "http://trouble.test/tick?n=1",
    "http://forms.test/directory?who=a",
    "http://find.test/search?q=a+tent+of+paper&page=2",
];
