//! Text and its formatting, as a person sees both.

use super::super::{Examine, Finding};
use super::{Pair, same_paint};
use crate::office::pptx::{Bullet, BulletColor, Paint, Paragraph, Run, RunFormat, RunKind, Shape};
use crate::office::quote;

pub(super) fn compare(pair: &Pair<'_>, examine: &Examine) -> Result<(), Finding> {
    if examine.text {
        same_cells(pair)?;
        same_text(pair)?;
    }
    let filled = |shape| Shape::paragraphs(shape).filter(|paragraph| !paragraph.is_blank());
    for (expected, found) in filled(pair.expected).zip(filled(pair.found)) {
        compare_paragraphs(pair, expected, found, examine)?;
    }
    Ok(())
}

/// The paragraphs of a text, without blanks at the end of each, and without empty ones at both ends.
fn lines(paragraphs: &[Paragraph]) -> String {
    let lines: Vec<String> =
        paragraphs.iter().map(|paragraph| line(paragraph).trim_end().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

/// The text of a paragraph. What a program computes has its name, for programs differ in what they store.
fn line(paragraph: &Paragraph) -> String {
    let text = |run: &Run| computed(run).map_or_else(|| run.text.clone(), |name| format!("{{{name}}}"));
    paragraph.runs.iter().map(text).collect()
}

/// The name of a number of a slide or of a date, which a program computes.
fn computed(run: &Run) -> Option<&str> {
    match &run.kind {
        RunKind::Field(name) if name.starts_with("slidenum") => Some("slidenum"),
        RunKind::Field(name) if name.starts_with("datetime") => Some("datetime"),
        RunKind::Text | RunKind::Break | RunKind::Field(_) => None,
    }
}

/// Whether a text that is computed says nothing of its formatting. Programs then change what its master says.
fn is_unformatted(run: &Run) -> bool {
    computed(run).is_some() && run.direct == RunFormat::default()
}

fn same_text(pair: &Pair<'_>) -> Result<(), Finding> {
    let text = |shape: &Shape| shape.text.as_deref().map(lines).unwrap_or_default();
    let expected = text(pair.expected);
    let found = text(pair.found);
    if expected == found { Ok(()) } else { Err(pair.differs("the text", &quote(&found), &quote(&expected))) }
}

fn same_cells(pair: &Pair<'_>) -> Result<(), Finding> {
    let expected = &pair.expected.rows;
    let found = &pair.found.rows;
    let size = |rows: &[Vec<Vec<Paragraph>>]| {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        format!("{} rows and {columns} columns", rows.len())
    };
    let widths = |rows: &[Vec<Vec<Paragraph>>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    if widths(expected) != widths(found) {
        return Err(pair.differs("the table", &size(found), &size(expected)));
    }
    for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
        for (column, (expected, found)) in expected.iter().zip(found).enumerate() {
            let expected = lines(expected);
            let found = lines(found);
            if expected != found {
                let what = format!("the cell in row {}, column {}", row + 1, column + 1);
                return Err(pair.differs(&what, &quote(&found), &quote(&expected)));
            }
        }
    }
    Ok(())
}

fn compare_paragraphs(
    pair: &Pair<'_>,
    expected: &Paragraph,
    found: &Paragraph,
    examine: &Examine,
) -> Result<(), Finding> {
    let of = |what: &str| format!("{what} of {}", quote(&found.text));
    let is_unformatted = expected.direct.alignment.is_none()
        && !expected.runs.is_empty()
        && expected.runs.iter().all(is_unformatted);
    if examine.alignment && !is_unformatted && expected.format.alignment != found.format.alignment {
        let text = |paragraph: &Paragraph| quote(paragraph.format.alignment.as_deref().unwrap_or_default());
        return Err(pair.differs(&of("the alignment"), &text(found), &text(expected)));
    }
    if examine.indent && expected.level != found.level {
        let (found, expected) = (found.level.to_string(), expected.level.to_string());
        return Err(pair.differs(&of("the level"), &found, &expected));
    }
    if examine.bullets && !same_bullet(expected, found) {
        return Err(pair.differs(&of("the bullet"), &bullet_text(found), &bullet_text(expected)));
    }
    same_formats(pair, expected, found, examine)
}

fn same_bullet(expected: &Paragraph, found: &Paragraph) -> bool {
    let is_same = expected.format.bullet == found.format.bullet;
    let has_none = matches!(expected.format.bullet, None | Some(Bullet::None | Bullet::Picture));
    is_same && (has_none || same_optional(bullet_paint(expected), bullet_paint(found)))
}

fn same_optional(expected: Option<&Paint>, found: Option<&Paint>) -> bool {
    match (expected, found) {
        (Some(expected), Some(found)) => same_paint(expected, found),
        (expected, found) => expected.is_none() && found.is_none(),
    }
}

/// The color of a bullet, which is that of the text unless it has its own.
fn bullet_paint(paragraph: &Paragraph) -> Option<&Paint> {
    match &paragraph.format.bullet_color {
        Some(BulletColor::Own(paint)) => Some(paint),
        Some(BulletColor::Text) | None => paragraph.runs.first().and_then(|run| run.format.paint.as_ref()),
    }
}

fn bullet_text(paragraph: &Paragraph) -> String {
    let color = bullet_paint(paragraph).map_or_else(String::new, |paint| format!(" in {paint}"));
    match &paragraph.format.bullet {
        None | Some(Bullet::None) => "none".to_owned(),
        Some(Bullet::Picture) => "a picture".to_owned(),
        Some(Bullet::Character(character)) => format!("{}{color}", quote(character)),
        Some(Bullet::Number(scheme, start)) => format!("the number {} from {start}{color}", quote(scheme)),
    }
}

/// A piece of a run without blanks in it, as long as it is not compared yet.
struct Piece<'a> {
    characters: usize,
    run: &'a Run,
}

fn pieces(paragraph: &Paragraph) -> impl Iterator<Item = Piece<'_>> {
    let runs = paragraph.runs.iter().filter(|run| run.kind != RunKind::Break);
    runs.map(Piece::of).filter(|piece| piece.characters > 0)
}

impl<'a> Piece<'a> {
    fn of(run: &'a Run) -> Self {
        // A computed text is one thing, however long a program stores it.
        let visible = || run.text.chars().filter(|character| !character.is_whitespace()).count();
        let characters = if computed(run).is_some() { 1 } else { visible() };
        Self { characters, run }
    }
}

/// The characters at the same places have the same formatting, however they are divided into runs. Blanks do not count.
fn same_formats(
    pair: &Pair<'_>,
    expected: &Paragraph,
    found: &Paragraph,
    examine: &Examine,
) -> Result<(), Finding> {
    let mut wanted = pieces(expected);
    let mut given = pieces(found);
    let mut next = (wanted.next(), given.next());
    while let (Some(first), Some(second)) = &mut next {
        let difference = difference(&first.run.format, &second.run.format, examine);
        if let Some((what, found, expected)) = difference.filter(|_| !is_unformatted(first.run)) {
            let what = format!("{what} of {}", quote(&second.run.text));
            return Err(pair.differs(&what, &found, &expected));
        }
        let common = first.characters.min(second.characters);
        first.characters -= common;
        second.characters -= common;
        if first.characters == 0 {
            next.0 = wanted.next();
        }
        if next.1.as_ref().is_some_and(|second| second.characters == 0) {
            next.1 = given.next();
        }
    }
    Ok(())
}

/// The first difference: what it is, what was found, what was expected.
fn difference(
    expected: &RunFormat,
    found: &RunFormat,
    examine: &Examine,
) -> Option<(&'static str, String, String)> {
    let name = |name: Option<&str>| name.map_or_else(|| "not set".to_owned(), quote);
    let yes = |flag: Option<bool>| if flag == Some(true) { "on" } else { "off" }.to_owned();
    if examine.font_name && expected.font != found.font {
        return Some(("the font", name(found.font.as_deref()), name(expected.font.as_deref())));
    }
    if examine.font_size && !same_size(expected.size, found.size) {
        return Some(("the size", size_text(found.size), size_text(expected.size)));
    }
    if examine.font_bold && expected.bold != found.bold {
        return Some(("bold", yes(found.bold), yes(expected.bold)));
    }
    if examine.font_italic && expected.italic != found.italic {
        return Some(("italic", yes(found.italic), yes(expected.italic)));
    }
    if examine.color_rgb && !same_optional(expected.paint.as_ref(), found.paint.as_ref()) {
        let text = |paint: &Option<Paint>| paint.as_ref().map_or_else(String::new, Paint::to_string);
        return Some(("the color", text(&found.paint), text(&expected.paint)));
    }
    if examine.font_underline && expected.underline != found.underline {
        let text = |format: &RunFormat| name(format.underline.as_deref());
        return Some(("the underline", text(found), text(expected)));
    }
    if examine.strike_through && expected.strike != found.strike {
        return Some(("the strike", name(found.strike.as_deref()), name(expected.strike.as_deref())));
    }
    None
}

fn same_size(expected: Option<i64>, found: Option<i64>) -> bool {
    /// Hundredths of a point: programs round sizes.
    const CLOSE: u64 = 10;
    match (expected, found) {
        (Some(expected), Some(found)) => expected.abs_diff(found) <= CLOSE,
        (expected, found) => expected == found,
    }
}

fn size_text(size: Option<i64>) -> String {
    size.map_or_else(|| "not set".to_owned(), |size| format!("{}.{:02} pt", size / 100, (size % 100).abs()))
}
