//! A small web of its own for tests and for a first look without network: six sites, compiled in, whose pages depend on nothing
//! but the request. Nothing is stored: a cart and the like are kept by the page. Serving them is the work of others.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod address;
mod books;
mod find;
mod forms;
mod shop;
mod site;
mod tabs;
mod template;
#[cfg(test)]
mod tests;
mod trouble;

use std::time::Duration;

use self::address::Address;
use self::site::Site;

/// The sites, in the order in which the search engine lists equally good pages.
const SITES: [&Site; 6] = [&shop::SITE, &forms::SITE, &books::SITE, &tabs::SITE, &find::SITE, &trouble::SITE];

/// What a browser asks of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteRequest {
    /// The method in capitals, such as `GET`.
    pub method: String,
    /// The host, with or without a port, such as `shop.test`.
    pub host: String,
    /// Path and query, such as `/search?q=tent`.
    pub target: String,
    /// The body; no page needs one.
    pub body: Vec<u8>,
}

/// What a site answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAnswer {
    /// The HTTP status.
    pub status: u16,
    /// Names and values of headers, without the length.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long to wait before the answer is sent.
    pub delay: Duration,
}

impl SiteAnswer {
    fn new(status: u16, kind: &str, body: String) -> Self {
        let headers = [("content-type", kind), ("cache-control", "no-store")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self { status, headers, body: body.into_bytes(), delay: Duration::ZERO }
    }

    fn redirect(status: u16, to: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", String::new()).with_header("location", to)
    }

    fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// The host names of the sites.
pub fn hosts() -> impl Iterator<Item = &'static str> {
    SITES.iter().map(|site| site.host)
}

/// Whether a host, with or without a port or `www.`, is one of these sites.
pub fn serves(host: &str) -> bool {
    site(host).is_some()
}

/// The answer of a site; 404 for another host, 405 for methods other than `GET` and `HEAD`.
pub fn answer(request: &SiteRequest) -> SiteAnswer {
    let plain = |status, text: &str| SiteAnswer::new(status, "text/plain; charset=utf-8", text.to_owned());
    let Some(site) = site(&request.host) else {
        return plain(404, "There is no such site here.\n");
    };
    match request.method.as_str() {
        "GET" => site.get(&Address::new(&request.target)),
        "HEAD" => SiteAnswer { body: Vec::new(), ..site.get(&Address::new(&request.target)) },
        _ => plain(405, "This site answers GET only.\n").with_header("allow", "GET, HEAD"),
    }
}

fn site(host: &str) -> Option<&'static Site> {
    let name = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_prefix("www.").unwrap_or(&name);
    SITES.into_iter().find(|site| site.host == name)
}
