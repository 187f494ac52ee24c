//! Links, hosts, statuses and what single pages show.

use std::time::Duration;

use super::*;
use crate::sites::{SITES, template};

/// Addresses that do not answer 200, as they are meant to.
const MEANT: [(&str, u16); 18] = [
    ("http://trouble.test/away", 503),
    ("http://trouble.test/broken", 500),
    ("http://trouble.test/busy", 429),
    ("http://trouble.test/forbidden", 403),
    ("http://trouble.test/gone", 410),
    ("http://trouble.test/hops?n=1", 302),
    ("http://trouble.test/hops?n=2", 302),
    ("http://trouble.test/hops?n=3", 302),
    ("http://trouble.test/hops?n=4", 302),
    ("http://trouble.test/hops?n=5", 302),
    ("http://trouble.test/login", 401),
    ("http://trouble.test/loop", 302),
    ("http://trouble.test/mail/..%2f..%2fetc%2fpasswd", 404),
    ("http://trouble.test/missing", 404),
    ("http://trouble.test/stock", 404),
    ("http://trouble.test/tick?n=1", 204),
    ("http://forms.test/favicon.ico", 204),
    ("http://forms.test/nothing", 404),
];

#[test]
fn every_link_is_answered_as_meant() {
    let pages =
        crawl(&[&BY_SCRIPT[..], &["http://forms.test/favicon.ico", "http://forms.test/nothing"]].concat());
    let others = pages.iter().filter(|(_, answer)| answer.status != 200);
    let others: BTreeMap<&str, u16> = others.map(|(url, answer)| (url.as_str(), answer.status)).collect();
    assert_eq!(others, BTreeMap::from(MEANT));
    for host in hosts() {
        let start = format!("http://{host}/");
        assert!(pages.keys().filter(|url| url.starts_with(&start)).count() > 5, "{host}");
    }
}

#[test]
fn no_page_names_an_outside_host() {
    for (url, answer) in crawl(&BY_SCRIPT) {
        let body = text(&answer);
        for (at, _) in body.match_indices("//") {
            let is_address =
                body[..at].ends_with("http:") || body[..at].ends_with("https:") || body[..at].ends_with('"');
            let host = body[at + 2..]
                .split(|end: char| !(end.is_alphanumeric() || ".-".contains(end)))
                .next()
                .unwrap();
            assert!(!is_address || serves(host), "{url} names {host:?}");
        }
    }
}

#[test]
fn every_page_has_a_title_of_its_own_kind_and_closed_places() {
    for (url, answer) in crawl(&BY_SCRIPT) {
        let is_page = header(&answer, "content-type").is_some_and(|kind| kind.starts_with("text/html"));
        let is_part = url.contains("/part?") || url.ends_with("/empty") || url.ends_with("/refresh");
        if is_page && !is_part {
            let body = text(&answer);
            let site = SITES.iter().find(|site| url.contains(site.host)).unwrap();
            assert!(body.contains(&format!(" - {}</title>", site.name)), "{url}");
            assert_eq!(
                body.matches("<h1>").count(),
                usize::from(!url.contains("find.test/search") && !url.contains("/weather")),
                "{url}"
            );
            assert!(!body.contains("{{") || url.contains("/hostile"), "{url}");
        }
    }
}

#[test]
fn the_same_request_gives_the_same_answer() {
    assert_eq!(crawl(&BY_SCRIPT), crawl(&BY_SCRIPT));
}

#[test]
fn hosts_are_found_with_port_and_in_capitals_and_others_are_refused() {
    for host in ["shop.test", "SHOP.test:80", "www.shop.test"] {
        assert!(serves(host), "{host}");
    }
    for host in ["shop.test.example", "test", "", "xshop.test", "www.test"] {
        assert!(!serves(host), "{host}");
        assert_eq!(answer(&SiteRequest { host: host.to_owned(), ..SiteRequest::default() }).status, 404);
    }
}

#[test]
fn only_get_and_head_are_answered() {
    let request = |method: &str| SiteRequest {
        method: method.to_owned(),
        host: "shop.test".to_owned(),
        target: "/".to_owned(),
        body: Vec::new(),
    };
    let (get, head, post) = (answer(&request("GET")), answer(&request("HEAD")), answer(&request("POST")));
    assert_eq!((get.status, head.status, post.status), (200, 200, 405));
    assert!(head.body.is_empty() && head.headers == get.headers);
    assert_eq!(header(&post, "allow"), Some("GET, HEAD"));
}

/// The addresses of what a list shows.
fn listed(url: &str) -> Vec<String> {
    let page = get(url);
    let results = text(&page).split("id=\"results\"").nth(1).unwrap().split("</section>").next().unwrap();
    attribute(results, "href")
}

#[test]
fn a_filter_is_encoded_twice_and_kept_with_the_order() {
    let all = listed("http://shop.test/c/jackets");
    let some = listed("http://shop.test/c/jackets?colour=Blue%252FGrey&sort=price-asc");
    assert_eq!(some[0], "/p/harrow-fleece");
    assert!(some.len() < all.len() && !some.contains(&"/p/fenwick-parka".to_owned()));
    assert_eq!(some, listed("http://shop.test/c/jackets?sort=price-asc&colour=Blue%2FGrey"));
    let page = get("http://shop.test/c/jackets?colour=Blue%252FGrey");
    assert!(
        attribute(text(&page), "href")
            .iter()
            .any(|href| href.contains("colour=Blue%252FGrey&price=under-50"))
    );
    assert!(text(&page).contains("name=\"colour\" value=\"Blue%2FGrey\""));
}

#[test]
fn a_list_loads_all_its_titles_once() {
    let mut url = Url::parse("http://books.test/part?genre=sea&after=0").unwrap();
    let mut seen = BTreeSet::new();
    loop {
        let part = get(url.as_str());
        let works = attribute(text(&part), "href");
        assert!((1..=8).contains(&works.len()), "{url}");
        assert!(works.into_iter().all(|work| seen.insert(work)), "{url}");
        match header(&part, "x-next").unwrap() {
            "" => break,
            next => url = url.join(next).unwrap(),
        }
    }
    assert_eq!(seen.len(), 16);
}

#[test]
fn search_results_are_ordered_and_all_pages_are_in_the_index() {
    let page = get("http://find.test/search?q=the+salt+clock+reviews");
    assert_eq!(
        attribute(text(&page), "href").iter().find(|href| href.contains("/title/")).unwrap(),
        "http://books.test/title/the-salt-clock"
    );
    for site in SITES {
        for entry in site.index() {
            assert_eq!(get(&format!("http://{}{}", site.host, entry.target)).status, 200, "{entry:?}");
        }
    }
}

#[test]
fn trouble_is_as_large_and_as_late_as_it_says() {
    let many = get("http://trouble.test/many?n=100000");
    assert_eq!(
        text(&many).matches("<a href=\"#main\">").count() + text(&many).matches("class=\"cell\"").count(),
        100_000
    );
    assert!(get("http://trouble.test/long?mb=8").body.len() > 7_900_000);
    assert_eq!(get("http://trouble.test/slow?ms=60000").delay, Duration::from_mins(1));
    assert_eq!(get("http://trouble.test/slow?ms=999999999").delay, Duration::from_millis(2_500));
    assert_eq!(header(&get("http://trouble.test/busy"), "retry-after"), Some("60"));
    let hostile = get("http://trouble.test/hostile");
    // Control characters are references, so that files and logs have none.
    assert!(!text(&hostile).contains(|character: char| character.is_control() && character != '\n'));
    assert!(text(&hostile).contains("&#x1b;[31m") && text(&hostile).contains("&#x202e;"));
}

#[test]
fn text_of_a_request_is_shown_and_never_markup() {
    for url in [
        "http://shop.test/search?q=%3Cb%3E%22",
        "http://shop.test/stores/near?zip=%3Cb%3E%22",
        "http://forms.test/directory?who=%3Cb%3E%22",
        "http://books.test/search?q=%3Cb%3E%22",
        "http://tabs.test/cancelled?ref=%3Cb%3E%22",
        "http://tabs.test/booked?leaves=%3Cb%3E%22",
        "http://find.test/search?q=%3Cb%3E%22",
        "http://find.test/%3Cb%3E%22",
    ] {
        let page = get(url);
        assert!(!text(&page).contains("<b>"), "{url}");
        assert!(text(&page).contains("&lt;b&gt;&quot;") || text(&page).contains("%3Cb%3E%22"), "{url}");
    }
}

#[test]
fn places_are_filled_once() {
    assert_eq!(template::fill("{{a}} {{b}}{{c}} {{", &[("a", "{{b}}"), ("b", "2")]), "{{b}} 2 {{");
}
