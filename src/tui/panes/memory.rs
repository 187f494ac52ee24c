//! The memory window: one row a step, newest first; which output and which frame is in the request,
//! and why the others are not.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use super::scrolled;
use crate::dialog;
use crate::dialog::Fate;
use crate::dialog::Ledger;
use crate::dialog::Row;
use crate::dialog::ledger;
use crate::domain::Message;
use crate::domain::Piece;
use crate::domain::Setting;
use crate::domain::Window;
use crate::domain::estimated;
use crate::engine::Attempt;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;
use crate::tui::command::Deed;
use crate::tui::figures::cells;
use crate::tui::figures::many;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::pane::Pane;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// Columns of the number and of each of the two fates.
const NUMBER: usize = 4;
const FATE: usize = 11;

/// The request that the pane explains.
pub(crate) struct Request {
    pub(crate) step: u32,
    pub(crate) window: Window,
    pub(crate) ledger: Ledger,
    /// Whether it is still to be sent.
    pub(crate) coming: bool,
}

/// The request of the step looked at; in the Global setting the only one there is. `None` where nothing
/// was asked and nothing will be: after the end.
pub(crate) fn request(viewed: &Viewed) -> Option<Request> {
    let only = viewed.snapshot.head.setting == Setting::Global;
    let index = if only { 0 } else { viewed.index() };
    let step = viewed.snapshot.steps.get(index)?;
    if viewed.is_final(index) && step.attempts.is_empty() {
        return None;
    }
    let coming = index == viewed.newest() && is_due(viewed);
    let window = if coming { viewed.window() } else { step.window };
    let pictures = sends_pictures(viewed, Some(step).filter(|_| !coming));
    let ledger = ledger(window, &replied(viewed, index), pictures);
    Some(Request { step: step.number, window, ledger, coming })
}

/// Whether the newest step is still to be asked for.
fn is_due(viewed: &Viewed) -> bool {
    matches!(viewed.snapshot.waiting, Waiting::Ask | Waiting::Opening)
}

/// Which steps before this one have an output.
fn replied(viewed: &Viewed, index: usize) -> Vec<bool> {
    viewed.snapshot.steps.iter().take(index).map(|step| step.has_output()).collect()
}

/// Whether a request holds pictures: what was sent at a step says so, otherwise the prompt variant.
fn sends_pictures(viewed: &Viewed, step: Option<&Arc<Step>>) -> bool {
    let sent = step.and_then(|step| step.attempts.iter().rev().find_map(|attempt| attempt.sent.as_ref()));
    let variant = viewed.snapshot.prompts.iter().find(|prompt| prompt.name == viewed.snapshot.prompt);
    sent.map_or_else(|| variant.is_none_or(|prompt| prompt.images), |sent| sent.images > 0)
}

/// `2 outputs, 1 image`.
pub(crate) fn counted(ledger: &Ledger) -> String {
    format!("{}, {}", many(ledger.outputs(), "output"), many(ledger.images(), "image"))
}

/// How large a request is that has not been sent.
pub(crate) struct Measure {
    pub(crate) images: usize,
    pub(crate) characters: usize,
    /// An estimate.
    pub(crate) tokens: u64,
}

/// Measures the turns of a request; images count with the size at which they would be sent.
pub(crate) fn measure(snapshot: &Snapshot, request: &dialog::Request) -> Measure {
    let pieces = || request.messages.iter().flat_map(|message| &message.pieces);
    let characters = pieces().map(|piece| match piece {
        Piece::Text(_, text) => text.chars().count(),
        Piece::Frame(..) => 0,
    });
    let characters = characters.sum();
    let frames: Vec<(u32, u32)> = request
        .messages
        .iter()
        .flat_map(Message::frames)
        .map(|(_, picture)| (picture.width(), picture.height()))
        .map(|painted| snapshot.packing.as_ref().map_or(painted, |packing| packing.scaled(painted)))
        .collect();
    Measure { images: frames.len(), characters, tokens: estimated(characters, frames) }
}

/// About how many tokens the request takes that comes next, as soon as all of it is known.
fn weight(model: &Model, viewed: &Viewed, request: &Request) -> Option<String> {
    let coming = request.coming && viewed.live && !viewed.is_over();
    let next = viewed.snapshot.request().filter(|_| coming)?;
    let tokens = measure(&viewed.snapshot, &next).tokens;
    let key = model.look.keys.keys(Deed::Request).into_iter().next().unwrap_or_else(|| ":request".into());
    Some(format!("~{tokens} tokens; an estimate, {key} says how"))
}

pub(super) fn info(viewed: &Viewed) -> String {
    // The title belongs to the request that the rows show.
    let window = request(viewed).map_or(viewed.window(), |request| request.window);
    format!("AM {} · OM {}", window.am(), window.om())
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.viewed() else { return };
    let Some(request) = request(viewed) else { return silence(model, viewed, area, buf) };
    let foot = legend(model, viewed, &request, area.width);
    let [head, rows, below] = split(area, foot.len());
    Text::from(header(model, viewed, &request)).render(head, buf);
    scrolled(model, Pane::Memory, table(model, viewed, &request), rows, buf);
    Text::from(foot).render(below, buf);
}

/// After the end: no request is left to explain.
fn silence(model: &Model, viewed: &Viewed, area: Rect, buf: &mut Buffer) {
    if viewed.step().is_none() {
        return;
    }
    let back = model.look.keys.keys(Deed::Back).into_iter().next().unwrap_or_else(|| ":back".into());
    let words = [
        ("after the end".into(), Role::Dim),
        ("nothing is asked any more".into(), Role::Title),
        (String::new(), Role::Dim),
        (format!("{back} looks at the steps before, each with its request"), Role::Dim),
    ];
    let lines =
        words.iter().flat_map(|(words, role)| wrap(words, area.width, &Span::raw(""), model.style(*role)));
    Text::from(lines.collect::<Vec<_>>()).render(area, buf);
}

fn split(area: Rect, foot: usize) -> [Rect; 3] {
    let foot = if area.height >= 14 { cells(foot) } else { 0 };
    Layout::vertical([Constraint::Length(4), Constraint::Fill(1), Constraint::Length(foot)]).areas(area)
}

pub(super) fn extent(model: &Model, area: Rect) -> (usize, u16) {
    let Some((viewed, request)) = model.viewed().and_then(|viewed| Some((viewed, request(viewed)?))) else {
        return (0, area.height);
    };
    let foot = legend(model, viewed, &request, area.width).len();
    (request.ledger.rows().len(), split(area, foot)[1].height)
}

fn header(model: &Model, viewed: &Viewed, request: &Request) -> Vec<Line<'static>> {
    let which = match request {
        Request { .. } if viewed.snapshot.head.setting == Setting::Global => "the one request".into(),
        Request { step, coming: true, .. } => format!("next request, step {step}"),
        Request { step, .. } => format!("request of step {step}"),
    };
    vec![
        Line::styled(which, model.style(Role::Dim)),
        Line::styled(counted(&request.ledger), model.style(Role::Title)),
        Line::styled(change(viewed, request).unwrap_or_default(), model.style(Role::Warn)),
        Line::styled(row_text("step", "output", "frame"), model.style(Role::Heading)),
    ]
}

/// What the next request will carry, as soon as its window is another than that of the one shown.
fn change(viewed: &Viewed, request: &Request) -> Option<String> {
    let window = viewed.window();
    let next = next(viewed).filter(|_| window != request.window)?;
    let images = many(next.ledger.images(), "image");
    Some(format!("next AM {} OM {}: {images}", window.am(), window.om()))
}

/// The request that comes next, unless none will.
pub(super) fn next(viewed: &Viewed) -> Option<Request> {
    if viewed.is_over() || viewed.snapshot.head.setting == Setting::Global || viewed.step().is_none() {
        return None;
    }
    let index = viewed.newest() + usize::from(!is_due(viewed));
    let window = viewed.window();
    let mut replied = replied(viewed, index);
    // The step under way is about to get its output.
    if let Some(last) = replied.last_mut().filter(|_| viewed.snapshot.waiting == Waiting::Thinking) {
        *last = true;
    }
    let ledger = ledger(window, &replied, sends_pictures(viewed, None));
    Some(Request { step: u32::try_from(index + 1).unwrap_or(u32::MAX), window, ledger, coming: true })
}

fn row_text(step: &str, output: &str, frame: &str) -> String {
    format!("{step:>NUMBER$}  {output:<FATE$}{frame:<FATE$}")
}

fn table(model: &Model, viewed: &Viewed, request: &Request) -> Vec<Line<'static>> {
    request.ledger.rows().iter().map(|row| line(model, viewed, request, *row)).collect()
}

fn line(model: &Model, viewed: &Viewed, request: &Request, row: Row) -> Line<'static> {
    let asked = row.step == request.step;
    let number = if asked { Role::Title } else { Role::Dim };
    let output = if asked {
        Span::styled(format!("{:<FATE$}", "asked for"), model.style(Role::Dim))
    } else if row.output.is_in() && has_edited_output(viewed, row.step) {
        Span::styled(format!("{:<FATE$}", "● in ✎"), model.style(Role::In))
    } else {
        fate(model, row.output)
    };
    Line::from(vec![
        Span::styled(format!("{:>NUMBER$}  ", row.step), model.style(number)),
        output,
        fate(model, row.frame),
    ])
}

/// Whether the output that a request carries for this step is a person's text.
fn has_edited_output(viewed: &Viewed, number: u32) -> bool {
    let step = viewed.snapshot.steps.iter().find(|step| step.number == number);
    step.and_then(|step| step.decided()).is_some_and(Attempt::is_edited)
}

/// In or out by a sign, a word and a colour, each enough by itself.
fn fate(model: &Model, fate: Fate) -> Span<'static> {
    let (words, role) = match fate {
        Fate::In => ("● in", Role::In),
        Fate::OutsideAm => ("○ past AM", Role::Out),
        Fate::OutsideOm => ("○ past OM", Role::Out),
        Fate::NoImages => ("○ unsent", Role::Out),
        Fate::Absent => ("· none", Role::Out),
    };
    Span::styled(format!("{words:<FATE$}"), model.style(role))
}

/// The words behind the signs, and what the request after this one will hold.
fn legend(model: &Model, viewed: &Viewed, request: &Request, width: u16) -> Vec<Line<'static>> {
    let mut words = vec![String::new()];
    let has = |fate: Fate| request.ledger.rows().iter().any(|row| row.output == fate || row.frame == fate);
    if has(Fate::OutsideAm) {
        words.push(format!("past AM: older than {}", last(request.window.am(), "output")));
    }
    if has(Fate::OutsideOm) {
        words.push(format!(
            "past OM: older than {}; a placeholder keeps the turn",
            last(request.window.om(), "frame")
        ));
    }
    if has(Fate::NoImages) {
        words.push("unsent: the prompt has no images, the state is told in words".into());
    }
    let edited = |row: &Row| row.output.is_in() && has_edited_output(viewed, row.step);
    if request.ledger.rows().iter().any(edited) {
        words.push("✎: as a person edited it".into());
    }
    words.extend(weight(model, viewed, request));
    words.extend(preview(viewed, request));
    let style = model.style(Role::Dim);
    words.iter().flat_map(|words| wrap(words, width, &Span::raw(""), style)).collect()
}

fn last(count: u16, noun: &str) -> String {
    match count {
        0 => format!("the last 0 {noun}s"),
        1 => format!("the last {noun}"),
        count => format!("the last {count} {noun}s"),
    }
}

/// Once a request is under way, what the following one will hold with the window as it is now.
fn preview(viewed: &Viewed, request: &Request) -> Option<String> {
    let next = next(viewed).filter(|_| !request.coming && !viewed.looks_back())?;
    Some(format!("step {} will hold {}", next.step, counted(&next.ledger)))
}
