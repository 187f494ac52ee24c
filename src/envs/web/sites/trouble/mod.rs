//! Pages that misbehave, one way each: statuses, delays, redirects, endless scripts, storms of dialogs and windows, sizes, and
//! hostile text.

mod generated;

use std::time::Duration;

use super::SiteAnswer;
use super::address::Address;
use super::site::{Entry, File, Site};
use super::template::fill;

/// The site.
pub(super) const SITE: Site = Site {
    host: "trouble.test",
    name: "Bad Weather Depot",
    header: include_str!("header.html"),
    footer: include_str!("footer.html"),
    style: include_str!("style.css"),
    script: include_str!("script.js"),
    files: FILES,
    answer,
    entries,
};

/// The longest delay, in milliseconds.
const MOST_MILLISECONDS: u64 = 120_000;

macro_rules! file {
    ($path:literal, $title:literal, $summary:literal, $file:literal) => {
        File { path: $path, title: $title, summary: $summary, main: include_str!($file) }
    };
}

const FILES: &[File] = &[
    file!("/", "Front page", "Rain gauges, old forms and a mail room.", "home.html"),
    file!("/all", "All kinds of trouble", "", "all.html"),
    file!("/reports", "Reports", "The rainfall report and the stock list.", "reports.html"),
    file!("/stock-2027", "Stock list 2027", "Gauges, umbrellas and boots in stock.", "stock-2027.html"),
    file!("/inbox", "Mail room", "Letters to the depot.", "inbox.html"),
    file!("/mail/1", "Keys of the shed", "", "mail-1.html"),
    file!("/mail/2", "Umbrellas", "", "mail-2.html"),
    file!("/hostile", "Invoice 77", "", "hostile.html"),
    file!("/captcha", "Are you human?", "", "captcha.html"),
    file!("/members", "Sign in", "", "login.html"),
    file!("/restless", "Live gauge", "A gauge that counts drops.", "restless.html"),
    file!("/endless", "A script without end", "", "endless.html"),
    file!("/alerts", "Warnings", "", "alerts.html"),
    file!("/popups", "Windows", "", "popups.html"),
    file!("/popup", "Window", "", "popup.html"),
    file!("/closing", "Closing", "", "closing.html"),
    file!("/wandering", "Catch it", "", "wandering.html"),
    file!("/grow", "More and more", "", "grow.html"),
    file!("/leaving", "Do not leave", "", "leaving.html"),
];

/// Pages that are only a status and a sentence: path, status, title, sentence.
const STATUSES: [(&str, u16, &str, &str); 6] = [
    ("/gone", 410, "Gone", "This page was removed and will not come back."),
    ("/stock", 404, "Page not found", "The old stock list was removed. See the list of this year."),
    ("/forbidden", 403, "Access denied", "You do not have permission to view this page."),
    ("/busy", 429, "Too many requests", "You have sent too many requests. Wait a minute."),
    ("/broken", 500, "Internal error", "Something failed on our side."),
    ("/away", 503, "Service unavailable", "The depot is closed for maintenance."),
];

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    let path = address.path.as_str();
    if let Some((_, status, title, text)) = STATUSES.iter().find(|row| row.0 == path) {
        let answer = site.page_with_status(*status, title, &format!("<h1>{title}</h1><p>{text}</p>"));
        return Some(if *status == 429 { answer.with_header("retry-after", "60") } else { answer });
    }
    let html = |body| SiteAnswer::new(200, "text/html; charset=utf-8", body);
    let answer = match path {
        "/login" => site.page_with_status(401, "Sign in", include_str!("login.html")),
        "/slow" => slow(site, address),
        "/loop" => SiteAnswer::redirect(302, "/loop"),
        "/hops" => hops(site, address),
        "/refresh" => html(include_str!("refresh.html").to_owned()),
        "/tick" => SiteAnswer::new(204, "text/plain; charset=utf-8", String::new()),
        "/empty" => html(String::new()),
        "/plain" => SiteAnswer::new(200, "text/plain; charset=utf-8", "Only text.\n".to_owned()),
        "/download" => SiteAnswer::new(200, "text/csv; charset=utf-8", "gauge,mm\nSkarn,12\n".to_owned())
            .with_header("content-disposition", "attachment; filename=\"rain.csv\""),
        "/many" => site.page("Many elements", &generated::many(number(address, "n", 1_000, 100_000))),
        "/deep" => site.page("Many levels", &generated::deep(5_000)),
        "/long" => site.page("Much text", &generated::long(number(address, "mb", 1, 16))),
        _ => return None,
    };
    Some(answer)
}

fn slow(site: &Site, address: &Address) -> SiteAnswer {
    let milliseconds = number(address, "ms", 2_500, MOST_MILLISECONDS);
    let main = fill(include_str!("slow.html"), &[("ms", &milliseconds.to_string())]);
    SiteAnswer { delay: Duration::from_millis(milliseconds), ..site.page("Rainfall report", &main) }
}

/// Redirects until the number in the query is 0.
fn hops(site: &Site, address: &Address) -> SiteAnswer {
    match number(address, "n", 0, 100) {
        0 => site.page("Arrived", "<h1>Arrived</h1>"),
        left => SiteAnswer::redirect(302, &format!("/hops?n={}", left - 1)),
    }
}

/// A number of the query; the usual one if it is missing, unreadable or too large.
fn number(address: &Address, name: &str, usual: u64, most: u64) -> u64 {
    address.get(name).parse().ok().filter(|number| *number <= most).unwrap_or(usual)
}

fn entries() -> Vec<Entry> {
    let report = Entry {
        target: "/slow?ms=2500".to_owned(),
        title: format!("Rainfall report - {}", SITE.name),
        summary: "Millimetres of rain in Harrow Bay, High Pass and Denning.".to_owned(),
    };
    vec![report]
}
