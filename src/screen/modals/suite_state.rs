//! A state of a suite: its frame, and the replies of all variants beside each other.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;

use super::asked::{area, wrapped};
use crate::layout::screen_dialog_area;
use crate::model::{AskLevel, AskedSheet, Model};
use mageyard_domain::{Picture, sanitize};
use mageyard_study::{Sample, VariantAnswers};
use mageyard_terminal::{StyleRole, to_cells, truncate};

/// The columns from which on the frame is beside the replies, and not above them.
const WIDE: u16 = 100;
/// The least columns of the replies of a variant.
const LEAST_COLUMN: u16 = 34;
/// The columns between two variants.
const GAP: u16 = 2;
/// The least rows that are worth a frame.
const LEAST_FRAME_ROWS: u16 = 5;

/// Where the parts of the dialog are.
struct Areas {
    head: Rect,
    frame: Rect,
    replies: Rect,
}

fn areas(model: &Model, report: &AskedSheet, whole: Rect) -> Areas {
    let place = area(whole);
    let inner = Rect {
        x: place.x + 2,
        y: place.y + 1,
        width: place.width.saturating_sub(4),
        height: place.height.saturating_sub(2),
    };
    let rows = to_cells(head(model, report, inner.width).len()).min(inner.height / 2);
    let [head, body] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(inner);
    let (frame, replies) = if inner.width >= WIDE { beside(body) } else { above(body) };
    Areas { head, frame, replies }
}

fn beside(body: Rect) -> (Rect, Rect) {
    let width = (body.width / 3).min(body.height.saturating_mul(2));
    let [frame, _, replies] =
        Layout::horizontal([Constraint::Length(width), Constraint::Length(GAP), Constraint::Fill(1)])
            .areas(body);
    // Two cells beside each other are about a square.
    (Rect { height: frame.height.min(width.div_ceil(2)), ..frame }, replies)
}

fn above(body: Rect) -> (Rect, Rect) {
    let rows = body.height * 2 / 5;
    let rows = if rows < LEAST_FRAME_ROWS { 0 } else { rows };
    let [frame, replies] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(body);
    (frame, replies)
}

pub(super) fn draw(model: &Model, report: &AskedSheet, whole: Rect, buf: &mut Buffer) {
    let foot = if report.is_diagnosis() {
        "← → states · Tab views · j k scroll · Enter recording · Esc goes back"
    } else {
        "← → states · Tab variants · j k scroll · Enter recording · Esc goes back"
    };
    let Some((state, suite)) = report.state().zip(report.suite.as_ref()) else { return };
    let of = if report.is_diagnosis() { report.view.states.len().to_string() } else { suite.name.clone() };
    let title = format!("State {} of {of}: {}", state.number, state.address);
    let title = sanitize(&title).into_owned();
    super::draw_border(model, &title, foot, StyleRole::BorderFocus, area(whole), buf);
    let areas = areas(model, report, whole);
    Text::from(head(model, report, areas.head.width)).render(areas.head, buf);
    if picture(model, report).is_none() {
        Text::from(frame_text(model, report, areas.frame.width)).render(areas.frame, buf);
    }
    let columns = columns(model, report, areas.replies.width);
    let most = hidden(&columns, areas.replies.height);
    for (lines, place) in columns.into_iter().zip(places(report, areas.replies)) {
        let shown = lines.into_iter().skip(report.scroll.min(most).into()).take(place.height.into());
        Text::from(shown.collect::<Vec<_>>()).render(place, buf);
    }
}

/// The frame of the state with its area, if it is drawn as a picture.
pub(super) fn pictures<'a>(
    model: &Model,
    report: &'a AskedSheet,
    whole: Rect,
) -> Vec<(&'a Arc<Picture>, Rect)> {
    let frame = areas(model, report, whole).frame;
    let shown = picture(model, report).filter(|_| report.level == AskLevel::State && !frame.is_empty());
    shown.map(|picture| (picture, frame)).into_iter().collect()
}

fn picture<'a>(model: &Model, report: &'a AskedSheet) -> Option<&'a Arc<Picture>> {
    report.picture().filter(|_| model.shows_pictures())
}

/// What the state is, which answers are right, and how many variants are not shown.
fn head(model: &Model, report: &AskedSheet, width: u16) -> Vec<Line<'static>> {
    let Some(state) = report.state() else { return Vec::new() };
    let mut lines = wrapped(model, &state.title, width, StyleRole::Text);
    // Those of a diagnosis are a line for each view.
    let facts = if report.is_diagnosis() { state.facts.clone() } else { vec![state.facts.join(" · ")] };
    lines.extend(facts.iter().flat_map(|facts| wrapped(model, facts, width, StyleRole::Dim)));
    lines.push(Line::default());
    lines
}

/// What was observed, where no picture is drawn.
fn frame_text(model: &Model, report: &AskedSheet, width: u16) -> Vec<Line<'static>> {
    match report.loaded_step() {
        None => wrapped(model, "reading the recording …", width, StyleRole::Dim),
        Some(Err(why)) => wrapped(model, &format!("! {why}"), width, StyleRole::Fault),
        Some(Ok(step)) => {
            let rows = step.observation.text().lines().map(|row| truncate(row, width));
            rows.map(|row| Line::styled(row, model.style(StyleRole::Text))).collect()
        }
    }
}

/// How many variants are shown beside each other in so many columns.
fn shown(report: &AskedSheet, width: u16) -> usize {
    let most = usize::from((width + GAP) / (LEAST_COLUMN + GAP)).max(1);
    report.state().map_or(1, |state| state.variants.len()).clamp(1, most)
}

/// How many variants are shown beside each other.
pub(crate) fn shown_variants(model: &Model, report: &AskedSheet) -> usize {
    shown(report, areas(model, report, screen_dialog_area(model)).replies.width)
}

/// The areas of the variants that are shown.
fn places(report: &AskedSheet, replies: Rect) -> Vec<Rect> {
    let count = to_cells(shown(report, replies.width));
    let width = replies.width.saturating_sub(GAP * (count - 1)) / count;
    (0..count).map(|index| Rect { x: replies.x + index * (width + GAP), width, ..replies }).collect()
}

/// The replies of the variants that are shown.
fn columns(model: &Model, report: &AskedSheet, width: u16) -> Vec<Vec<Line<'static>>> {
    let Some(state) = report.state() else { return Vec::new() };
    let places = places(report, Rect::new(0, 0, width, 1));
    let first = report.suite.as_ref().map_or(0, |suite| suite.first_variant);
    let first = first.min(state.variants.len().saturating_sub(places.len()));
    let variants = (1..).zip(&state.variants).skip(first).zip(places);
    let column = |((number, answers), place): ((usize, &VariantAnswers), Rect)| {
        column(model, report, (number, answers), place.width)
    };
    variants.map(column).collect()
}

fn column(
    model: &Model,
    report: &AskedSheet,
    (number, answers): (usize, &VariantAnswers),
    width: u16,
) -> Vec<Line<'static>> {
    let all = report.view.rows.len();
    let name = report.view.rows.get(number - 1).map_or("", |row| &row.name);
    let mut lines = vec![super::heading(model, truncate(&format!("{number} of {all}: {name}"), width))];
    lines.extend(wrapped(model, &answers.summary, width, StyleRole::Action));
    let mut part = None;
    for reply in &answers.samples {
        lines.push(Line::default());
        if report.is_diagnosis() && part != reply.facts.first() {
            part = reply.facts.first();
            lines.extend(part.into_iter().flat_map(|part| wrapped(model, part, width, StyleRole::Title)));
        }
        lines.extend(wrapped(model, &reply_line(reply, part.is_some()), width, StyleRole::Dim));
        lines.extend(reply.text.iter().flat_map(|text| wrapped(model, text, width, StyleRole::Text)));
    }
    lines
}

/// The number of a reply, its answer, and what counts, perhaps without the first fact: the part of a diagnosis, which is above it.
fn reply_line(reply: &Sample, in_part: bool) -> String {
    let answer = match (&reply.answer, &reply.text) {
        (Some(answer), _) => answer.as_str(),
        (None, Some(_)) => "unreadable",
        (None, None) => "failed",
    };
    let facts = reply.facts.iter().skip(usize::from(in_part)).map(String::as_str);
    let parts: Vec<&str> = std::iter::once(answer).chain(facts).collect();
    format!("{}: {}", reply.number, parts.join(" · "))
}

fn hidden(columns: &[Vec<Line<'static>>], height: u16) -> u16 {
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
    to_cells(longest).saturating_sub(height)
}

/// The largest scroll position, and the lines of a page.
pub(crate) fn extent(model: &Model, report: &AskedSheet) -> (u16, u16) {
    let replies = areas(model, report, screen_dialog_area(model)).replies;
    (hidden(&columns(model, report, replies.width), replies.height), replies.height.max(1))
}

/// The state as texts with labels, with the replies of all variants.
pub(crate) fn said(report: &AskedSheet) -> Vec<(String, String)> {
    let Some(state) = report.state() else { return Vec::new() };
    let mut texts = vec![(format!("State {}", state.number), format!("{}; {}", state.title, state.address))];
    texts.extend((!state.facts.is_empty()).then(|| ("Answers".to_owned(), state.facts.join("; "))));
    match report.loaded_step() {
        Some(Ok(step)) => texts.push(("Observation".to_owned(), step.observation.text().to_string())),
        Some(Err(why)) => texts.push(("Observation".to_owned(), why.clone())),
        None => {}
    }
    for (number, (answers, row)) in (1..).zip(state.variants.iter().zip(&report.view.rows)) {
        let noun = if report.is_diagnosis() { "View" } else { "Variant" };
        texts.push((format!("{noun} {number}"), format!("{}: {}", row.name, answers.summary)));
        let said = |reply: &Arc<Sample>| {
            let text = reply.text.as_deref().unwrap_or_default();
            let words = format!("{}\n{text}", reply_line(reply, false));
            (format!("Reply of {} {number}", noun.to_lowercase()), words)
        };
        texts.extend(answers.samples.iter().map(said));
    }
    texts
}
