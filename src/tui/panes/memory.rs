//! The memory pane: one row per step, newest first, with whether its output and its frame are in the request,
//! and why not.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use super::draw_scrolled;
use crate::dialog;
use crate::dialog::Inclusion;
use crate::dialog::Ledger;
use crate::dialog::LedgerRow;
use crate::dialog::build_ledger;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Setting;
use crate::domain::Window;
use crate::domain::estimate_tokens;
use crate::engine::Attempt;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;
use crate::tui::command::CommandId;
use crate::tui::format::count_of;
use crate::tui::format::to_cells;
use crate::tui::model::EpisodeView;
use crate::tui::model::Model;
use crate::tui::pane::Pane;
use crate::tui::theme::StyleRole;
use crate::tui::wrap::truncate;
use crate::tui::wrap::wrap;

/// The least columns of the step number, and the columns of an inclusion where there is room.
const STEP_WIDTH: usize = 4;
const INCLUSION_WIDTH: usize = 11;

/// The columns of the table in a pane of this width: the step numbers, the outputs, the frames.
#[derive(Clone, Copy)]
struct Columns {
    step: usize,
    output: usize,
}

impl Columns {
    fn new(request: &ShownRequest, width: u16) -> Self {
        let digits = |row: &LedgerRow| row.step.to_string().len();
        let step = request.ledger.rows().iter().map(digits).max().unwrap_or(0).max(STEP_WIDTH);
        let room = usize::from(width).saturating_sub(step + 2);
        Self { step, output: INCLUSION_WIDTH.min(room.saturating_sub(INCLUSION_WIDTH - 1)).max(1) }
    }
}

/// The request that the pane shows.
pub(crate) struct ShownRequest {
    pub(crate) step: u32,
    pub(crate) window: Window,
    pub(crate) ledger: Ledger,
    /// Whether it has not been sent yet.
    pub(crate) is_next: bool,
    /// Whether it will never be sent: a preview, or a request after the end.
    pub(crate) hypothetical: bool,
}

/// The request of the step in view; in the Global setting the only one. `None` after the end, where no request
/// was sent and none will be.
pub(crate) fn shown_request(viewed: &EpisodeView) -> Option<ShownRequest> {
    let only = viewed.snapshot.head.setting == Setting::Global;
    let index = if only { 0 } else { viewed.index() };
    let step = viewed.snapshot.steps.get(index)?;
    let after_end = viewed.is_end(index) && step.attempts.is_empty();
    let coming = index == viewed.newest_index() && awaits_request(viewed);
    let hypothetical = after_end || viewed.previews();
    let window = if coming || hypothetical { viewed.window() } else { step.window };
    let pictures = sends_pictures(viewed, Some(step).filter(|_| !coming && !hypothetical));
    let ledger = build_ledger(window, &steps_with_output(viewed, index), pictures);
    Some(ShownRequest { step: step.number, window, ledger, is_next: coming && !hypothetical, hypothetical })
}

/// Whether the request of the newest step has not been sent yet.
fn awaits_request(viewed: &EpisodeView) -> bool {
    matches!(viewed.snapshot.waiting, Waiting::Ask | Waiting::Opening)
}

/// For each step before this one, whether it has an output.
fn steps_with_output(viewed: &EpisodeView, index: usize) -> Vec<bool> {
    viewed.snapshot.steps.range(0..index).map(|step| step.has_output()).collect()
}

/// Whether a request has images: by what was sent at the step, otherwise by the prompt variant.
fn sends_pictures(viewed: &EpisodeView, step: Option<&Arc<Step>>) -> bool {
    let sent = step.and_then(|step| step.attempts.iter().rev().find_map(|attempt| attempt.sent.as_ref()));
    let variant = viewed.snapshot.prompts.iter().find(|prompt| prompt.name == viewed.prompt());
    sent.map_or_else(|| variant.is_none_or(|prompt| prompt.images), |sent| sent.images > 0)
}

/// `2 outputs, 1 image`.
pub(crate) fn count_outputs_and_images(ledger: &Ledger) -> String {
    format!("{}, {}", count_of(ledger.outputs(), "output"), count_of(ledger.images(), "image"))
}

/// The size of a request that has not been sent.
pub(crate) struct RequestSize {
    pub(crate) images: usize,
    pub(crate) characters: usize,
    /// An estimate.
    pub(crate) tokens: u64,
}

/// Measures a request; images count with the size at which they would be sent.
pub(crate) fn request_size(snapshot: &Snapshot, request: &dialog::Request) -> RequestSize {
    let pieces = || request.messages.iter().flat_map(|message| &message.parts);
    let characters = pieces().map(|piece| match piece {
        MessagePart::Text(_, text) => text.chars().count(),
        MessagePart::Image(..) => 0,
    });
    let characters = characters.sum();
    let frames: Vec<(u32, u32)> = request
        .messages
        .iter()
        .flat_map(Message::images)
        .map(|(_, picture)| (picture.width(), picture.height()))
        .map(|painted| snapshot.encoder.as_ref().map_or(painted, |packing| packing.scaled_size(painted)))
        .collect();
    RequestSize { images: frames.len(), characters, tokens: estimate_tokens(characters, frames) }
}

/// The estimated tokens of the next request, once all of it is known.
fn token_estimate(model: &Model, viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let coming = request.is_next && viewed.live && !viewed.is_over();
    let next = viewed.snapshot.request().filter(|_| coming)?;
    let tokens = request_size(&viewed.snapshot, &next).tokens;
    let key = model
        .appearance
        .keys
        .keys(CommandId::Request)
        .into_iter()
        .next()
        .unwrap_or_else(|| ":request".into());
    Some(format!("~{tokens} tokens (estimate, see {key})"))
}

pub(super) fn info(viewed: &EpisodeView) -> String {
    // The window of the request in the rows, which may differ from that of the next one.
    let window = shown_request(viewed).map_or(viewed.window(), |request| request.window);
    format!("AM {} · OM {}", window.am(), window.om())
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let Some(request) = shown_request(viewed) else { return };
    let foot = legend(model, viewed, &request, area.width);
    let [head, rows, below] = split(area, foot.len());
    Text::from(header(model, viewed, &request, area.width)).render(head, buf);
    draw_scrolled(model, Pane::Memory, table(model, viewed, &request, area.width), rows, buf);
    Text::from(foot).render(below, buf);
}

fn split(area: Rect, foot: usize) -> [Rect; 3] {
    let foot = if area.height >= 14 { to_cells(foot) } else { 0 };
    Layout::vertical([Constraint::Length(4), Constraint::Fill(1), Constraint::Length(foot)]).areas(area)
}

pub(super) fn scroll_extent(model: &Model, area: Rect) -> (usize, u16) {
    let Some((viewed, request)) = model.episode().and_then(|viewed| Some((viewed, shown_request(viewed)?)))
    else {
        return (0, area.height);
    };
    let foot = legend(model, viewed, &request, area.width).len();
    (request.ledger.rows().len(), split(area, foot)[1].height)
}

fn header(model: &Model, viewed: &EpisodeView, request: &ShownRequest, width: u16) -> Vec<Line<'static>> {
    let line = |text: &str, role| Line::styled(truncate(text, width), model.style(role));
    let columns = Columns::new(request, width);
    let which: String = match request {
        ShownRequest { step, .. } if viewed.previews() => format!("preview, step {step}"),
        ShownRequest { hypothetical: true, .. } => "a request after the end".into(),
        ShownRequest { .. } if viewed.snapshot.head.setting == Setting::Global => "the only request".into(),
        ShownRequest { step, is_next: true, .. } => format!("next request, step {step}"),
        ShownRequest { step, .. } => format!("request of step {step}"),
    };
    vec![
        line(&which, StyleRole::Dim),
        line(&count_outputs_and_images(&request.ledger), StyleRole::Title),
        line(&window_change(viewed, request).unwrap_or_default(), StyleRole::Warn),
        line(&row_text(columns, "step", "output", "frame"), StyleRole::Heading),
    ]
}

/// What the next request will contain, if its window differs from that of the request shown.
fn window_change(viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let window = viewed.window();
    let next = next_request(viewed).filter(|_| window != request.window)?;
    let images = count_of(next.ledger.images(), "image");
    Some(format!("next AM {} OM {}: {images}", window.am(), window.om()))
}

/// The next request, if there will be one.
pub(super) fn next_request(viewed: &EpisodeView) -> Option<ShownRequest> {
    if viewed.is_over() || viewed.snapshot.head.setting == Setting::Global || viewed.step().is_none() {
        return None;
    }
    let index = viewed.newest_index() + usize::from(!awaits_request(viewed));
    let window = viewed.window();
    let mut replied = steps_with_output(viewed, index);
    // The reply in flight will be the output of its step.
    if let Some(last) = replied.last_mut().filter(|_| viewed.snapshot.waiting == Waiting::Reply) {
        *last = true;
    }
    let ledger = build_ledger(window, &replied, sends_pictures(viewed, None));
    Some(ShownRequest {
        step: u32::try_from(index + 1).unwrap_or(u32::MAX),
        window,
        ledger,
        is_next: true,
        hypothetical: false,
    })
}

fn row_text(columns: Columns, step: &str, output: &str, frame: &str) -> String {
    let Columns { step: number, output: outputs } = columns;
    format!("{step:>number$}  {output:<outputs$}{frame}")
}

fn table(model: &Model, viewed: &EpisodeView, request: &ShownRequest, width: u16) -> Vec<Line<'static>> {
    let columns = Columns::new(request, width);
    request.ledger.rows().iter().map(|row| ledger_line(model, viewed, request, *row, columns)).collect()
}

fn ledger_line(
    model: &Model,
    viewed: &EpisodeView,
    request: &ShownRequest,
    row: LedgerRow,
    Columns { step, output: width }: Columns,
) -> Line<'static> {
    let asked = row.step == request.step;
    let number = if asked { StyleRole::Title } else { StyleRole::Dim };
    let output = if asked {
        Span::styled(format!("{:<width$}", "requested"), model.style(StyleRole::Dim))
    } else if row.output.is_included() && has_edited_output(viewed, row.step) {
        Span::styled(format!("{:<width$}", "● in ✎"), model.style(StyleRole::In))
    } else {
        inclusion_span(model, row.output, width)
    };
    Line::from(vec![
        Span::styled(format!("{:>step$}  ", row.step), model.style(number)),
        output,
        inclusion_span(model, row.frame, 0),
    ])
}

/// Whether the output of this step was edited by a person.
fn has_edited_output(viewed: &EpisodeView, number: u32) -> bool {
    let step = viewed.snapshot.steps.numbered(number);
    step.and_then(|step| step.last_reply()).is_some_and(Attempt::is_edited)
}

/// Whether something is in the request, by symbol, word and colour.
fn inclusion_span(model: &Model, inclusion: Inclusion, width: usize) -> Span<'static> {
    let (words, role) = match inclusion {
        Inclusion::Included => ("● in", StyleRole::In),
        Inclusion::OutsideAm => ("○ past AM", StyleRole::Out),
        Inclusion::OutsideOm => ("○ past OM", StyleRole::Out),
        Inclusion::NoImages => ("○ not sent", StyleRole::Out),
        Inclusion::Absent => ("· none", StyleRole::Out),
    };
    Span::styled(format!("{words:<width$}"), model.style(role))
}

/// What the reasons mean, and what the next request will contain.
fn legend(model: &Model, viewed: &EpisodeView, request: &ShownRequest, width: u16) -> Vec<Line<'static>> {
    let mut words = vec![String::new()];
    let has =
        |fate: Inclusion| request.ledger.rows().iter().any(|row| row.output == fate || row.frame == fate);
    if has(Inclusion::OutsideAm) {
        words.push(format!("past AM: older than {}", last_n(request.window.am(), "output")));
    }
    if has(Inclusion::OutsideOm) {
        words.push(format!(
            "past OM: older than {}; a placeholder keeps the turn",
            last_n(request.window.om(), "frame")
        ));
    }
    if has(Inclusion::NoImages) {
        words.push("not sent: the prompt variant sends no images; the state is sent as text".into());
    }
    let edited = |row: &LedgerRow| row.output.is_included() && has_edited_output(viewed, row.step);
    if request.ledger.rows().iter().any(edited) {
        words.push("✎: edited by a person".into());
    }
    words.extend(token_estimate(model, viewed, request));
    words.extend(next_request_preview(viewed, request));
    let style = model.style(StyleRole::Dim);
    words.iter().flat_map(|words| wrap(words, width, &Span::raw(""), style)).collect()
}

fn last_n(count: u16, noun: &str) -> String {
    match count {
        0 => format!("the last 0 {noun}s"),
        1 => format!("the last {noun}"),
        count => format!("the last {count} {noun}s"),
    }
}

/// While a request is in flight, what the next one will contain with the current window.
fn next_request_preview(viewed: &EpisodeView, request: &ShownRequest) -> Option<String> {
    let next = next_request(viewed).filter(|_| !request.is_next && !viewed.looks_back())?;
    Some(format!("step {} will send {}", next.step, count_outputs_and_images(&next.ledger)))
}
