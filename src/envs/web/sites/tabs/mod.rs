//! Train tours: new tabs, windows opened by scripts, a menu that opens by hovering, frames, shadow trees, dialogs, covers.

use std::sync::LazyLock;

use serde::Deserialize;

use super::SiteAnswer;
use super::address::Address;
use super::site::{Entry, File, Site};
use super::template::{escaped, fill};

/// The site.
pub(super) const SITE: Site = Site {
    host: "tabs.test",
    name: "Tandem Rail Tours",
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
        title: "Train tours for two",
        summary: "Four lines through the country, for people who like to look out.",
        main: include_str!("home.html"),
    },
    File {
        path: "/seats",
        title: "Choose a seat",
        summary: "Seat plans of the cars of Tandem Rail.",
        main: include_str!("seats.html"),
    },
    File {
        path: "/journey",
        title: "Journey planner",
        summary: "Weather on the line and timetables of the tours.",
        main: include_str!("journey.html"),
    },
    File {
        path: "/bookings",
        title: "My bookings",
        summary: "Cancel a booking by its reference.",
        main: include_str!("bookings.html"),
    },
    File {
        path: "/dialogs",
        title: "Travel tips",
        summary: "Tips of our guards.",
        main: include_str!("dialogs.html"),
    },
    File {
        path: "/contact",
        title: "Contact",
        summary: "Write to Tandem Rail Tours.",
        main: include_str!("contact.html"),
    },
    File { path: "/weather", title: "Weather", summary: "", main: include_str!("weather.html") },
    File { path: "/print", title: "Ticket", summary: "", main: include_str!("print.html") },
];

/// A line.
#[derive(Debug, Deserialize)]
struct Tour {
    slug: String,
    name: String,
    from: String,
    to: String,
    length: String,
    /// The fare of the second class.
    second: String,
    /// The fare of the first class.
    first: String,
    text: String,
    /// Number, departure, arrival, days.
    trains: Vec<[String; 4]>,
}

static TOURS: LazyLock<Vec<Tour>> =
    LazyLock::new(|| serde_json::from_str(include_str!("tours.json")).unwrap_or_default());

/// The pages of a line: start of the path, start of the title, template.
const TOUR_PAGES: [(&str, &str, &str); 3] = [
    ("/tour/", "", include_str!("tour.html")),
    ("/timetable/", "Timetable: ", include_str!("timetable.html")),
    ("/fares/", "Fares: ", include_str!("fares.html")),
];

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    for (prefix, title, template) in TOUR_PAGES {
        if let Some(slug) = address.below(prefix) {
            let tour = tour(slug)?;
            return Some(site.page(&format!("{title}{}", tour.name), &filled(template, tour)));
        }
    }
    match address.path.as_str() {
        "/booked" => Some(site.page("Booked", &booked(address))),
        "/cancelled" => {
            let main = fill(include_str!("cancelled.html"), &[("ref", &escaped(address.get("ref")))]);
            Some(site.page("Cancelled", &main))
        }
        _ => None,
    }
}

fn tour(slug: &str) -> Option<&'static Tour> {
    TOURS.iter().find(|tour| tour.slug == slug)
}

fn filled(template: &str, tour: &Tour) -> String {
    let cells =
        |train: &[String; 4]| train.each_ref().map(|cell| format!("<td>{}</td>", escaped(cell))).concat();
    let row = |train: &[String; 4]| format!("<tr>{}</tr>", cells(train));
    let rows: String = tour.trains.iter().map(row).collect();
    let values = [
        ("slug", tour.slug.as_str()),
        ("name", &tour.name),
        ("from", &tour.from),
        ("to", &tour.to),
        ("length", &tour.length),
        ("second", &tour.second),
        ("first", &tour.first),
        ("text", &tour.text),
        ("rows", &rows),
    ];
    fill(template, &values)
}

fn booked(address: &Address) -> String {
    let people = match address.get("people") {
        "" | "1" => "One seat".to_owned(),
        many => format!("{} seats", escaped(many)),
    };
    let name = tour(address.get("tour")).map_or("tour of your choice", |tour| tour.name.as_str());
    let leaves = escaped(address.get("leaves"));
    fill(include_str!("booked.html"), &[("people", people.as_str()), ("tour", name), ("leaves", &leaves)])
}

fn entries() -> Vec<Entry> {
    let tours = TOURS.iter().flat_map(|tour| {
        let line = Entry {
            target: format!("/tour/{}", tour.slug),
            title: format!("{} - {}", tour.name, SITE.name),
            summary: tour.text.clone(),
        };
        let timetable = Entry {
            target: format!("/timetable/{}", tour.slug),
            title: format!("Timetable of the {} - {}", tour.name, SITE.name),
            summary: format!("Departures in {} and arrivals in {}.", tour.from, tour.to),
        };
        [line, timetable]
    });
    tours.collect()
}
