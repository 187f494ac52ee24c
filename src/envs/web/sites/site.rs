//! What all sites have in common: a layout, a style, a script, and a page for what is missing.

use super::SiteAnswer;
use super::address::Address;
use super::template::{escaped, fill};

const LAYOUT: &str = include_str!("layout.html");
const MISSING: &str = include_str!("missing.html");
const STYLE: &str = include_str!("shared.css");

/// A site: one host.
#[derive(Debug)]
pub(super) struct Site {
    /// Its host name.
    pub(super) host: &'static str,
    /// Its name in titles.
    pub(super) name: &'static str,
    /// The HTML above the content of each page.
    pub(super) header: &'static str,
    /// The HTML below the content of each page.
    pub(super) footer: &'static str,
    /// Its own rules, after the shared ones.
    pub(super) style: &'static str,
    /// The script of each page.
    pub(super) script: &'static str,
    /// Its pages that are files.
    pub(super) files: &'static [File],
    /// Its other pages; `None` if there is nothing at the address.
    pub(super) answer: fn(&Site, &Address) -> Option<SiteAnswer>,
    /// What the search engine knows of its other pages.
    pub(super) entries: fn() -> Vec<Entry>,
}

/// A page that is a file.
#[derive(Debug)]
pub(super) struct File {
    /// Its path.
    pub(super) path: &'static str,
    /// Its title without the name of the site.
    pub(super) title: &'static str,
    /// What the search engine shows of it; empty if it does not list the page.
    pub(super) summary: &'static str,
    /// Its HTML.
    pub(super) main: &'static str,
}

/// A page in the index of the search engine.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its path and query.
    pub(super) target: String,
    /// Its title.
    pub(super) title: String,
    /// A sentence about it.
    pub(super) summary: String,
}

impl Site {
    /// The answer to a `GET`.
    pub(super) fn get(&self, address: &Address) -> SiteAnswer {
        match address.path.as_str() {
            "/style.css" => SiteAnswer::new(200, "text/css; charset=utf-8", format!("{STYLE}{}", self.style)),
            "/site.js" => SiteAnswer::new(200, "text/javascript; charset=utf-8", self.script.to_owned()),
            "/favicon.ico" => SiteAnswer::new(204, "image/x-icon", String::new()),
            path => {
                let file = self.files.iter().find(|file| file.path == path);
                let file = file.map(|file| self.page(file.title, file.main));
                file.or_else(|| (self.answer)(self, address)).unwrap_or_else(|| self.missing(path))
            }
        }
    }

    /// A page in the layout of the site. The content is HTML, the title is text.
    pub(super) fn page(&self, title: &str, main: &str) -> SiteAnswer {
        self.page_with_status(200, title, main)
    }

    /// A page in the layout of the site with another status.
    pub(super) fn page_with_status(&self, status: u16, title: &str, main: &str) -> SiteAnswer {
        let title = format!("{} - {}", escaped(title), self.name);
        let values =
            [("title", title.as_str()), ("header", self.header), ("main", main), ("footer", self.footer)];
        SiteAnswer::new(status, "text/html; charset=utf-8", fill(LAYOUT, &values))
    }

    fn missing(&self, path: &str) -> SiteAnswer {
        let main = fill(MISSING, &[("path", escaped(path).as_str()), ("host", self.host)]);
        self.page_with_status(404, "Page not found", &main)
    }

    /// All pages that the search engine lists.
    pub(super) fn index(&self) -> Vec<Entry> {
        let listed = self.files.iter().filter(|file| !file.summary.is_empty());
        let files = listed.map(|file| Entry {
            target: file.path.to_owned(),
            title: format!("{} - {}", file.title, self.name),
            summary: file.summary.to_owned(),
        });
        files.chain((self.entries)()).collect()
    }
}
