//! Whether a page is what it should be: `ok`, a wall, gone or broken.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a page shows that tells walls from pages. Its texts are those of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageSigns {
    /// How many visible fields for passwords there are.
    pub passwords: u32,
    /// How many links there are, at most 1,000.
    pub links: u32,
    /// The first 400 characters of its text.
    pub words: String,
    /// The characters of its text.
    pub length: u32,
    /// The first three headings.
    pub headings: Vec<String>,
    /// Where its first 20 frames lead.
    pub frames: Vec<String>,
}

/// What a page is worth for a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageState {
    /// A page.
    #[default]
    Ok,
    /// A wall: a captcha, a login, 401, 403 or 429.
    Blocked,
    /// Not there: 404, 410 or no host.
    Gone,
    /// Another error.
    Broken,
}

impl fmt::Display for PageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ok => "ok",
            Self::Blocked => "blocked",
            Self::Gone => "gone",
            Self::Broken => "broken",
        })
    }
}

/// What the state of a page follows from.
#[derive(Clone, Copy, Debug)]
pub struct StateEvidence<'a> {
    /// The status of the main document, if it came by HTTP.
    pub status: Option<u16>,
    /// The error of the network, such as `net::ERR_NAME_NOT_RESOLVED`.
    pub error: Option<&'a str>,
    /// The title of the page.
    pub title: &'a str,
    /// What the page shows.
    pub signs: &'a PageSigns,
}

/// Errors that say that there is no such host.
const NO_HOST: [&str; 3] = ["ERR_NAME_NOT_RESOLVED", "ERR_NAME_RESOLUTION_FAILED", "ERR_INVALID_URL"];
/// Parts of addresses of frames with a captcha.
const CAPTCHA_FRAMES: [&str; 8] = [
    "google.com/recaptcha/",
    "recaptcha.net/recaptcha/",
    "hcaptcha.com/",
    "challenges.cloudflare.com/",
    "arkoselabs.com/",
    "funcaptcha.com/",
    "captcha-delivery.com/",
    "geo.captcha",
];
/// What walls say in their titles, headings and first words.
const CAPTCHA_WORDS: [&str; 16] = [
    "unusual traffic from your",
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "confirm you are human",
    "prove you are human",
    "you are not a robot",
    "you're not a robot",
    "i'm not a robot",
    "are you a robot",
    "are you human",
    "complete the captcha",
    "solve the captcha",
    "checking your browser before",
    "enable javascript and cookies to continue",
    "press & hold to confirm",
];
/// Titles of walls as a whole.
const WALL_TITLES: [&str; 6] = [
    "just a moment...",
    "attention required! | cloudflare",
    "access denied",
    "robot check",
    "captcha",
    "403 forbidden",
];
/// What pages for logging in are called.
const LOGIN_WORDS: [&str; 7] =
    ["log in", "login", "log on", "sign in", "signin", "sign-in", "authentication required"];
/// A wall has little else: at most these characters and links.
const LITTLE_TEXT: u32 = 1_500;
const FEW_LINKS: u32 = 25;

/// The state of a page: by the network error, then by the status, then by what it shows. It is careful with what a page shows: a
/// login beside other content and a captcha in a form are not walls.
pub fn page_state(evidence: StateEvidence<'_>) -> PageState {
    if let Some(error) = evidence.error {
        return if NO_HOST.iter().any(|name| error.contains(name)) {
            PageState::Gone
        } else {
            PageState::Broken
        };
    }
    match evidence.status {
        Some(401 | 403 | 429) => PageState::Blocked,
        Some(404 | 410) => PageState::Gone,
        _ if is_captcha(evidence) || is_login(evidence) => PageState::Blocked,
        Some(400..) => PageState::Broken,
        _ => PageState::Ok,
    }
}

fn is_captcha(StateEvidence { title, signs, .. }: StateEvidence<'_>) -> bool {
    let title = title.trim().to_lowercase();
    let has_little = signs.length <= LITTLE_TEXT && signs.links <= FEW_LINKS;
    if !has_little {
        return false;
    }
    let frames = signs.frames.iter().any(|frame| CAPTCHA_FRAMES.iter().any(|part| frame.contains(part)));
    // A form to contact the site may have a captcha too, but more fields and words than a wall.
    let is_bare = frames && signs.length <= LITTLE_TEXT / 5 && signs.passwords == 0;
    let says = |text: &str| {
        let text = text.to_lowercase();
        CAPTCHA_WORDS.iter().any(|words| text.contains(words))
    };
    is_bare
        || WALL_TITLES.contains(&title.as_str())
        || says(&title)
        || says(&signs.words)
        || signs.headings.iter().any(|heading| says(heading))
}

fn is_login(StateEvidence { title, signs, .. }: StateEvidence<'_>) -> bool {
    let named = |text: &str| {
        let text = text.to_lowercase();
        LOGIN_WORDS.iter().any(|words| text.contains(words))
    };
    let is_called = named(title) || signs.headings.iter().any(|heading| named(heading));
    signs.passwords > 0 && signs.length <= LITTLE_TEXT && signs.links <= FEW_LINKS && is_called
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(status: Option<u16>, error: Option<&str>, title: &str, signs: &PageSigns) -> PageState {
        page_state(StateEvidence { status, error, title, signs })
    }

    #[test]
    fn errors_and_statuses_decide_first() {
        let signs = PageSigns::default();
        for (status, error, expected) in [
            (Some(200), None, PageState::Ok),
            (None, None, PageState::Ok),
            (Some(304), None, PageState::Ok),
            (Some(401), None, PageState::Blocked),
            (Some(403), None, PageState::Blocked),
            (Some(429), None, PageState::Blocked),
            (Some(404), None, PageState::Gone),
            (Some(410), None, PageState::Gone),
            (Some(400), None, PageState::Broken),
            (Some(500), None, PageState::Broken),
            (Some(503), None, PageState::Broken),
            (None, Some("net::ERR_NAME_NOT_RESOLVED"), PageState::Gone),
            (None, Some("net::ERR_CONNECTION_REFUSED"), PageState::Broken),
            (None, Some("net::ERR_CERT_DATE_INVALID"), PageState::Broken),
            (Some(200), Some("net::ERR_TOO_MANY_REDIRECTS"), PageState::Broken),
        ] {
            assert_eq!(state(status, error, "Shop", &signs), expected, "{status:?} {error:?}");
        }
    }

    fn signs(words: &str, length: u32, links: u32) -> PageSigns {
        PageSigns { words: words.to_owned(), length, links, ..PageSigns::default() }
    }

    fn framed(address: &str, length: u32) -> PageSigns {
        PageSigns { frames: vec![address.to_owned()], length, ..PageSigns::default() }
    }

    fn field(heading: &str, length: u32, links: u32) -> PageSigns {
        PageSigns { passwords: 1, headings: vec![heading.to_owned()], ..signs("", length, links) }
    }

    #[test]
    fn walls_are_pages_with_little_else() {
        let captcha = "https://www.google.com/recaptcha/api2/anchor?k=1";
        for (title, signs, expected) in [
            ("Sorry", signs("Our systems have detected unusual traffic from your network", 300, 2), true),
            ("Just a moment...", signs("", 40, 0), true),
            ("Shop", signs("Please verify you are human", 100, 1), true),
            ("Just a moment in time", signs("An essay", 900, 3), false),
            ("Essay", signs("verify you are human: a history", 9_000, 3), false),
            ("Check", framed("https://challenges.cloudflare.com/turnstile", 50), true),
            ("Contact", framed(captcha, 1_200), false),
            ("Shop", framed("https://ads.example/", 10), false),
            ("Log in", field("", 200, 5), true),
            ("Welcome", field("Sign in to go on", 400, 8), true),
            ("Shop", field("All books", 400, 8), false),
            ("Login", field("", 5_000, 8), false),
            ("Login", field("", 400, 200), false),
            ("Login", signs("How to log in", 300, 5), false),
        ] {
            let found = state(Some(200), None, title, &signs);
            assert_eq!(found == PageState::Blocked, expected, "{title} {signs:?}");
        }
    }

    #[test]
    fn a_wall_is_a_wall_with_an_error_status_too() {
        assert_eq!(state(Some(503), None, "Just a moment...", &signs("", 40, 0)), PageState::Blocked);
    }
}
