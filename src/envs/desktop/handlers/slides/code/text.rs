//! Text and what runs say themselves of their formatting.

use super::super::{Examine, Finding};
use super::Pair;
use super::bullets::Bullets;
use crate::office::pptx::{Paragraph, Run, RunKind, Shape};
use crate::office::quote;

/// The text of a shape as python-pptx shows it; `None` if it has none.
pub(super) fn whole_text(shape: &Shape) -> Option<String> {
    let texts = shape.text.as_ref()?.iter().map(|paragraph| paragraph.text.as_str());
    Some(texts.collect::<Vec<_>>().join("\n"))
}

pub(super) fn compare(pair: &Pair<'_>, examine: &Examine, bullets: &mut Bullets<'_>) -> Result<(), Finding> {
    let (Some(expected), Some(found)) = (&pair.expected.text, &pair.found.text) else { return Ok(()) };
    let text = |shape: &Shape| whole_text(shape).unwrap_or_default().trim().to_owned();
    same_text(pair, &text(pair.expected), &text(pair.found), examine)?;
    for (expected, found) in expected.iter().zip(found) {
        bullets.touch(expected.mark, found.mark);
        if expected.direct.alignment != found.direct.alignment && examine.alignment {
            let text = |paragraph: &Paragraph| named(paragraph.direct.alignment.as_deref());
            return Err(pair.differs("the alignment", &text(found), &text(expected)));
        }
        same_text(pair, &expected.text, &found.text, examine)?;
        if expected.level != found.level && examine.indent {
            return Err(pair.differs("the level", &found.level.to_string(), &expected.level.to_string()));
        }
        for (expected, found) in runs(expected).zip(runs(found)) {
            compare_runs(pair, expected, found, examine)?;
            if examine.bullets {
                bullets.compare(pair.slide)?;
            }
        }
    }
    Ok(())
}

fn same_text(pair: &Pair<'_>, expected: &str, found: &str, examine: &Examine) -> Result<(), Finding> {
    if expected == found || !examine.text {
        return Ok(());
    }
    Err(pair.differs("the text", &quote(found), &quote(expected)))
}

fn runs(paragraph: &Paragraph) -> impl Iterator<Item = &Run> {
    paragraph.runs.iter().filter(|run| run.kind == RunKind::Text)
}

fn compare_runs(pair: &Pair<'_>, expected: &Run, found: &Run, examine: &Examine) -> Result<(), Finding> {
    let wanted = &expected.direct;
    let given = &found.direct;
    let both_rgb = wanted.rgb.is_some() && given.rgb.is_some();
    let debug = |value: Option<bool>| value.map_or_else(|| "not set".to_owned(), |value| value.to_string());
    let size = |size: Option<i64>| size.map_or_else(|| "not set".to_owned(), |size| size.to_string());
    let rgb = |rgb: Option<[u8; 3]>| {
        rgb.map_or_else(
            || "not set".to_owned(),
            |[red, green, blue]| format!("{red:02X}{green:02X}{blue:02X}"),
        )
    };
    let strike = |strike: &Option<std::rc::Rc<str>>| strike.as_deref().unwrap_or("noStrike").to_owned();
    let properties = [
        (examine.font_name, "the font", named(given.font.as_deref()), named(wanted.font.as_deref())),
        (examine.font_size, "the size in 1/100 pt", size(given.size), size(wanted.size)),
        (examine.font_bold, "bold", debug(given.bold), debug(wanted.bold)),
        (examine.font_italic, "italic", debug(given.italic), debug(wanted.italic)),
        (examine.color_rgb && both_rgb, "the color", rgb(given.rgb), rgb(wanted.rgb)),
        (
            examine.font_underline,
            "the underline",
            named(given.underline.as_deref()),
            named(wanted.underline.as_deref()),
        ),
        (examine.strike_through, "the strike", strike(&given.strike), strike(&wanted.strike)),
    ];
    for (is_on, what, found_value, expected_value) in properties {
        if is_on && found_value != expected_value {
            let what = format!("{what} of {}", quote(&found.text));
            return Err(pair.differs(&what, &quote(&found_value), &quote(&expected_value)));
        }
    }
    Ok(())
}

/// A name as it is compared: one that is not set differs from all others.
fn named(name: Option<&str>) -> String {
    name.map_or_else(|| "not set".to_owned(), |name| format!("{name:?}"))
}
