//! The services of a town: every kind of input, and a search without a button.

use std::sync::LazyLock;

use serde::Deserialize;

use super::SiteAnswer;
use super::address::Address;
use super::site::{Entry, File, Site};
use super::template::{escaped, fill};

/// The site.
pub(super) const SITE: Site = Site {
    host: "forms.test",
    name: "Harrow Bay Town Services",
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
        title: "Services of the town",
        summary: "Permits, appointments, gift cards and people of the town hall of Harrow Bay.",
        main: include_str!("home.html"),
    },
    File {
        path: "/gift-card",
        title: "Gift card",
        summary: "Check the balance of a Harrow Bay gift card, or send a gift card by e-mail.",
        main: include_str!("gift-card.html"),
    },
    File {
        path: "/newsletter",
        title: "Newsletter",
        summary: "Subscribe to the newsletter about roads, parks and events.",
        main: include_str!("newsletter.html"),
    },
    File {
        path: "/permit",
        title: "Parking permit",
        summary: "Apply for a parking permit for a day, a week or a year.",
        main: include_str!("permit.html"),
    },
    File {
        path: "/appointments",
        title: "Appointments",
        summary: "Appointments for passports, a new address and marriage.",
        main: include_str!("appointments.html"),
    },
    File {
        path: "/feedback",
        title: "Feedback",
        summary: "Say what you think of our services.",
        main: include_str!("feedback.html"),
    },
    File {
        path: "/register",
        title: "Create an account",
        summary: "One account for all services of the town.",
        main: include_str!("register.html"),
    },
    File {
        path: "/survey",
        title: "Survey",
        summary: "How do you get to work? Four questions.",
        main: include_str!("survey.html"),
    },
    File { path: "/terms", title: "Terms", summary: "", main: include_str!("terms.html") },
];

/// A person of the directory.
#[derive(Debug, Deserialize)]
struct Person {
    slug: String,
    name: String,
    subject: String,
    room: String,
    phone: String,
}

static STAFF: LazyLock<Vec<Person>> =
    LazyLock::new(|| serde_json::from_str(include_str!("staff.json")).unwrap_or_default());

fn answer(site: &Site, address: &Address) -> Option<SiteAnswer> {
    if address.path == "/directory" {
        return Some(site.page("Staff directory", &directory(address.get("who"))));
    }
    let slug = address.below("/directory/")?;
    let person = STAFF.iter().find(|person| person.slug == slug)?;
    Some(site.page(&person.name, &page(person)))
}

fn directory(who: &str) -> String {
    let wanted = who.to_lowercase();
    let is_found = |person: &&Person| {
        let text = format!("{} {}", person.name, person.subject).to_lowercase();
        wanted.split_whitespace().all(|word| text.contains(word))
    };
    let row = |person: &Person| {
        let Person { slug, name, subject, .. } = person;
        format!("<li><a href=\"/directory/{slug}\">{}</a><br>{}</li>", escaped(name), escaped(subject))
    };
    let rows: String = STAFF.iter().filter(is_found).map(row).collect();
    let found = match (who.is_empty(), rows.is_empty()) {
        (true, _) => String::new(),
        (false, true) => "<p class=\"note\">No person was found.</p>".to_owned(),
        (false, false) => format!("<ul class=\"rows\" id=\"found\">{rows}</ul>"),
    };
    fill(include_str!("directory.html"), &[("who", &escaped(who)), ("found", &found)])
}

fn page(person: &Person) -> String {
    let values = [
        ("name", escaped(&person.name)),
        ("subject", escaped(&person.subject)),
        ("room", escaped(&person.room)),
        ("phone", escaped(&person.phone)),
    ];
    fill(include_str!("person.html"), &values)
}

fn entries() -> Vec<Entry> {
    let directory = Entry {
        target: "/directory".to_owned(),
        title: format!("Staff directory - {}", SITE.name),
        summary: "Who in the town hall is responsible for trees, bins, noise and parks.".to_owned(),
    };
    vec![directory]
}
