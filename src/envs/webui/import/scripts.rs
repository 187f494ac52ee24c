//! The few scripts of interactions that have a step: scrolling. No script is run.

use mageyard_browser::{Place, Scroll};

/// The end of the document, as scripts write it.
const ENDS: [&str; 2] = ["document.body.scrollHeight", "document.documentElement.scrollHeight"];

/// The step of a script, with the element that it gets as `arguments[0]`.
pub(super) fn scroll(script: &str, element: Option<&Place>) -> Result<Scroll, String> {
    let plain: String = script.chars().filter(|c| !c.is_whitespace() && !"\"'".contains(*c)).collect();
    let plain = plain.trim_end_matches(';');
    let call = plain.strip_prefix("window.").unwrap_or(plain);
    let parsed = match (call.split_once('('), element) {
        (Some(("scrollTo" | "scroll", rest)), None) => arguments(rest)
            .and_then(|(x, y)| if ENDS.contains(&y) { end(x) } else { point(x, y).map(Scroll::To) }),
        (Some(("scrollBy", rest)), None) => arguments(rest)
            .and_then(|(x, y)| if ENDS.contains(&y) { end(x) } else { point(x, y).map(Scroll::By) }),
        (_, Some(place)) if plain == "arguments[0].scrollIntoView({block:center})" => {
            Some(Scroll::IntoView(place.clone()))
        }
        _ => None,
    };
    parsed.ok_or_else(|| {
        format!(
            "the script {script:?} has no step; known are window.scrollTo(x, y), window.scrollBy(x, y), the end \
             document.body.scrollHeight as y, and arguments[0].scrollIntoView({{block: 'center'}})"
        )
    })
}

fn arguments(rest: &str) -> Option<(&str, &str)> {
    rest.strip_suffix(')')?.split_once(',')
}

fn point(x: &str, y: &str) -> Option<[i32; 2]> {
    Some([x.parse().ok()?, y.parse().ok()?])
}

fn end(x: &str) -> Option<Scroll> {
    (x == "0").then_some(Scroll::ToEnd {})
}
