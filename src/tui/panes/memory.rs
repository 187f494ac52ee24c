//! The memory pane: one row per step, newest first, with whether its output and its frame are in the request,
//! and why not.

use std::borrow::Cow;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use super::caching;
use super::draw_scrolled_rows;
use crate::dialog;
use crate::dialog::Inclusion;
use crate::dialog::Ledger;
use crate::dialog::LedgerPart;
use crate::dialog::LedgerRow;
use crate::dialog::LedgerRules;
use crate::dialog::LedgerStep;
use crate::dialog::PromptImages;
use crate::dialog::ThoughtMemory;
use crate::dialog::build_ledger;
use crate::dialog::older_row;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::ObservationPart;
use crate::domain::PartKind;
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

/// The kinds of parts, with their names in counts.
const KINDS: [(PartKind, &str); 3] =
    [(PartKind::Image, "image"), (PartKind::Text, "text"), (PartKind::Data, "data part")];

/// The columns of the table in a pane of this width: the step numbers and the outputs; observations have the rest.
#[derive(Clone, Copy)]
struct Columns {
    step: usize,
    output: usize,
    observation: usize,
}

impl Columns {
    fn new(request: &ShownRequest, width: u16) -> Self {
        let step = request.step.to_string().len().max(STEP_WIDTH);
        let room = usize::from(width).saturating_sub(step + 2);
        let output = INCLUSION_WIDTH.min(room.saturating_sub(INCLUSION_WIDTH - 1)).max(1);
        Self { step, output, observation: room.saturating_sub(output) }
    }
}

/// The request that the pane shows.
pub(crate) struct ShownRequest {
    pub(crate) step: u32,
    pub(crate) window: Window,
    /// Which images its prompt sends.
    images: PromptImages,
    pub(crate) ledger: Ledger,
    /// Whether it has not been sent yet.
    pub(crate) is_next: bool,
    /// Whether it will never be sent: a preview, or a request after the end.
    pub(crate) hypothetical: bool,
}

impl ShownRequest {
    /// The number of rows: one per step.
    fn rows(&self) -> usize {
        self.ledger.rows().len() + usize::try_from(self.ledger.older()).unwrap_or(usize::MAX)
    }

    /// The row at this index, newest first.
    fn row<'a>(&'a self, viewed: &EpisodeView, index: usize) -> Option<Cow<'a, LedgerRow>> {
        if let Some(row) = self.ledger.rows().get(index) {
            return Some(Cow::Borrowed(row));
        }
        let step = viewed.snapshot.steps.get(self.rows().checked_sub(index + 1)?)?;
        Some(Cow::Owned(older_row(self.images, ledger_step(step))))
    }
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
    let images = sends_images(viewed, Some(step).filter(|_| !coming && !hypothetical));
    let rules = ledger_rules(viewed, window, images);
    let ledger = build_ledger(rules, &remembered_steps(viewed, index, window));
    let is_next = coming && !hypothetical;
    Some(ShownRequest { step: step.number, window, images, ledger, is_next, hypothetical })
}

/// What the ledger of a request of this episode depends on.
fn ledger_rules(viewed: &EpisodeView, window: Window, images: PromptImages) -> LedgerRules {
    let head = &viewed.snapshot.head;
    head.layout.ledger_rules(window, images, head.setting)
}

/// Whether the request of the newest step has not been sent yet.
fn awaits_request(viewed: &EpisodeView) -> bool {
    matches!(viewed.snapshot.waiting, Waiting::Ask | Waiting::Opening)
}

/// The step at this index and the steps before it that a window can include.
fn remembered_steps(viewed: &EpisodeView, index: usize, window: Window) -> Vec<LedgerStep<'_>> {
    let first = index.saturating_sub(usize::from(window.am()));
    let last = viewed.snapshot.steps.len().min(index + 1);
    viewed.snapshot.steps.range(first..last).map(|step| ledger_step(step)).collect()
}

fn ledger_step(step: &Step) -> LedgerStep<'_> {
    LedgerStep { number: step.number, observation: &step.observation, has_output: step.has_output() }
}

/// Which images a request sends: by what was sent at the step, otherwise by the prompt variant.
fn sends_images(viewed: &EpisodeView, step: Option<&Arc<Step>>) -> PromptImages {
    let sent = |step: &Arc<Step>| step.attempts.iter().rev().find_map(|attempt| attempt.sent.clone());
    let variant = viewed.snapshot.prompts.iter().find(|prompt| prompt.name == viewed.prompt());
    let images = variant.map_or(PromptImages::All, |prompt| prompt.images);
    match step.and_then(|step| Some((step, sent(step)?))) {
        Some((_, sent)) if sent.images > 0 && images == PromptImages::None => PromptImages::All,
        Some((step, sent)) if sent.images == 0 && step.observation.picture().is_some() => PromptImages::None,
        _ => images,
    }
}

/// `2 outputs, 2 images, 1 text`.
pub(crate) fn count_outputs_and_parts(ledger: &Ledger) -> String {
    format!("{}, {}", count_of(ledger.outputs(), "output"), count_parts(|kind| ledger.count(kind)))
}

/// `2 images, 1 text`: images always, other kinds if there are any.
pub(crate) fn count_parts(count: impl Fn(PartKind) -> usize) -> String {
    let shown = KINDS.iter().filter(|(kind, _)| *kind == PartKind::Image || count(*kind) > 0);
    shown.map(|(kind, noun)| count_of(count(*kind), noun)).collect::<Vec<_>>().join(", ")
}

/// The size of a request that has not been sent.
pub(crate) struct RequestSize {
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
    RequestSize { characters, tokens: estimate_tokens(characters, frames) }
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
    let columns = Columns::new(&request, area.width);
    let line = |index| match request.row(viewed, index) {
        Some(row) => ledger_line(model, viewed, &request, &row, columns),
        None => Line::default(),
    };
    draw_scrolled_rows(model, Pane::Memory, request.rows(), line, rows, buf);
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
    (request.rows(), split(area, foot)[1].height)
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
        line(&counts(&request.ledger, width), StyleRole::Title),
        line(&window_change(viewed, request).unwrap_or_default(), StyleRole::Warn),
        line(&row_text(columns, "step", "output", observation_noun(viewed)), StyleRole::Heading),
    ]
}

/// The outputs and parts of a request, by kind where there is room.
fn counts(ledger: &Ledger, width: u16) -> String {
    let words = count_outputs_and_parts(ledger);
    if words.chars().count() <= usize::from(width) {
        return words;
    }
    let parts = ledger.rows().iter().map(LedgerRow::parts_included).sum();
    format!("{}, {}", count_of(ledger.outputs(), "output"), count_of(parts, "part"))
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
    let (newest, window) = (viewed.newest_index(), viewed.window());
    let mut steps = remembered_steps(viewed, newest, window);
    if !awaits_request(viewed) {
        // The reply in flight will be the output of its step; the next observation is assumed to be like this one.
        let last = steps.last_mut()?;
        last.has_output |= viewed.snapshot.waiting == Waiting::Reply;
        let next = LedgerStep { number: last.number + 1, has_output: false, ..*last };
        steps.push(next);
    }
    let images = sends_images(viewed, None);
    let ledger = build_ledger(ledger_rules(viewed, window, images), &steps);
    let step = steps.last()?.number;
    Some(ShownRequest { step, window, images, ledger, is_next: true, hypothetical: false })
}

fn row_text(columns: Columns, step: &str, output: &str, frame: &str) -> String {
    let Columns { step: number, output: outputs, .. } = columns;
    format!("{step:>number$}  {output:<outputs$}{frame}")
}

/// What the last column shows: observations are frames in most environments.
fn observation_noun(viewed: &EpisodeView) -> &'static str {
    let frame = |step: &Step| matches!(step.observation.parts(), [] | [ObservationPart::Image(_)]);
    if viewed.step().is_none_or(|step| frame(step)) { "frame" } else { "parts" }
}

fn ledger_line(
    model: &Model,
    viewed: &EpisodeView,
    request: &ShownRequest,
    row: &LedgerRow,
    Columns { step, output: width, observation: room }: Columns,
) -> Line<'static> {
    let asked = row.step == request.step;
    let number = if asked { StyleRole::Title } else { StyleRole::Dim };
    let output = if asked {
        Span::styled(format!("{:<width$}", "requested"), model.style(StyleRole::Dim))
    } else if row.output.is_included() && has_edited_output(viewed, row.step) {
        Span::styled(format!("{:<width$}", "● in ✎"), model.style(StyleRole::In))
    } else if row.output.is_included() && has_thoughts(viewed, row.step) {
        let words = format!("● in {}", thought_sign(viewed));
        Span::styled(format!("{words:<width$}"), model.style(StyleRole::In))
    } else {
        inclusion_span(model, row.output, width)
    };
    Line::from(vec![
        Span::styled(format!("{:>step$}  ", row.step), model.style(number)),
        output,
        observation_span(model, row, room),
    ])
}

/// Which parts of an observation are in the request, by kind where there is room; a single image is just in.
fn observation_span(model: &Model, row: &LedgerRow, room: usize) -> Span<'static> {
    let left_out = row.parts.iter().find(|part| !part.inclusion.is_included());
    if !row.observation.is_included() {
        return inclusion_span(model, row.observation, 0);
    }
    match (&row.parts[..], left_out) {
        ([LedgerPart { kind: PartKind::Image, inclusion, .. }], _) => inclusion_span(model, *inclusion, 0),
        (parts, Some(part)) if !parts.iter().any(|part| part.inclusion.is_included()) => {
            inclusion_span(model, part.inclusion, 0)
        }
        _ => {
            let words = shortest(included_kinds(row), row.parts_included(), room.saturating_sub(2));
            Span::styled(format!("● {words}"), model.style(StyleRole::In))
        }
    }
}

/// The words, or the number of parts if they need more than `room` columns: numbers are never cut.
fn shortest(words: String, parts: usize, room: usize) -> String {
    if words.chars().count() <= room { words } else { count_of(parts, "part") }
}

/// `2 images, 1 text`.
fn included_kinds(row: &LedgerRow) -> String {
    let shown = KINDS.iter().filter(|(kind, _)| row.count(*kind) > 0);
    shown.map(|(kind, noun)| count_of(row.count(*kind), noun)).collect::<Vec<_>>().join(", ")
}

/// Whether the output of this step was edited by a person.
fn has_edited_output(viewed: &EpisodeView, number: u32) -> bool {
    let step = viewed.snapshot.steps.numbered(number);
    step.and_then(|step| step.last_reply()).is_some_and(Attempt::is_edited)
}

/// Whether thoughts were taken from the output of this step.
fn has_thoughts(viewed: &EpisodeView, number: u32) -> bool {
    let step = viewed.snapshot.steps.numbered(number);
    step.and_then(|step| step.last_reply()).is_some_and(|reply| !reply.thoughts.is_empty())
}

/// The sign of an output with thoughts.
fn thought_sign(viewed: &EpisodeView) -> &'static str {
    match viewed.snapshot.head.layout.thoughts {
        ThoughtMemory::Drop => "−",
        ThoughtMemory::Keep => "+",
    }
}

/// What happens to the thoughts of past outputs.
pub(crate) fn thoughts_text(memory: ThoughtMemory) -> &'static str {
    match memory {
        ThoughtMemory::Drop => "past outputs are sent without their thoughts (memory.thoughts = drop)",
        ThoughtMemory::Keep => "past outputs are sent with their thoughts (memory.thoughts = keep)",
    }
}

/// Whether something is in the request, by symbol, word and colour.
fn inclusion_span(model: &Model, inclusion: Inclusion, width: usize) -> Span<'static> {
    let (words, role) = match inclusion {
        Inclusion::Included => ("● in", StyleRole::In),
        Inclusion::OutsideAm => ("○ past AM", StyleRole::Out),
        Inclusion::OutsideOm => ("○ past OM", StyleRole::Out),
        Inclusion::SentAsText => ("○ not sent", StyleRole::Out),
        Inclusion::NotText => ("○ not text", StyleRole::Out),
        Inclusion::StateImage => ("○ not sent", StyleRole::Out),
        Inclusion::OverLimit => ("○ over limit", StyleRole::Out),
        Inclusion::AsFiles => ("● in, files", StyleRole::In),
        Inclusion::Unreadable => ("! unreadable", StyleRole::Fault),
        Inclusion::Absent => ("· none", StyleRole::Out),
    };
    Span::styled(format!("{words:<width$}"), model.style(role))
}

/// What the reasons mean, and what the next request will contain.
fn legend(model: &Model, viewed: &EpisodeView, request: &ShownRequest, width: u16) -> Vec<Line<'static>> {
    let mut words = vec![String::new()];
    let has = |wanted: Inclusion| {
        let wanted = |row: &LedgerRow| {
            row.observation == wanted || row.parts.iter().any(|part| part.inclusion == wanted)
        };
        request.ledger.rows().iter().any(wanted)
    };
    if request.ledger.older() > 0 {
        words.push(format!("past AM: older than {}", last_n(request.window.am(), "output")));
    }
    if has(Inclusion::OutsideOm) {
        words.push(format!(
            "past OM: older than {}; a placeholder keeps the turn",
            last_n(request.window.om(), "frame")
        ));
    }
    if has(Inclusion::SentAsText) {
        words.push("not sent: the prompt variant sends no images; the state is sent as text".into());
    }
    if has(Inclusion::StateImage) {
        words.push("not sent: the prompt variant sends the images of the task only".into());
    }
    if has(Inclusion::OverLimit) {
        let most = viewed.snapshot.head.layout.plan_images;
        words
            .push(format!("over limit: more than {most} images (memory.plan_images); a placeholder is sent"));
    }
    if request.ledger.rows().iter().any(|row| row.output == Inclusion::AsFiles) {
        words.push("output: in, as files: the newest observation has what it wrote".into());
    }
    if has(Inclusion::NotText) {
        words.push("not text: data that is not text is never sent".into());
    }
    let edited = |row: &LedgerRow| row.output.is_included() && has_edited_output(viewed, row.step);
    if request.ledger.rows().iter().any(edited) {
        words.push("✎: edited by a person".into());
    }
    let thoughtful = |row: &LedgerRow| row.output.is_included() && has_thoughts(viewed, row.step);
    if request.ledger.rows().iter().any(thoughtful) {
        words.push(format!(
            "{}: {}",
            thought_sign(viewed),
            thoughts_text(viewed.snapshot.head.layout.thoughts)
        ));
    }
    words.extend(token_estimate(model, viewed, request));
    let was_sent = !request.is_next && !request.hypothetical;
    words.extend(caching::estimate(model, viewed, request.step).filter(|_| was_sent));
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
    Some(format!("step {} will send {}", next.step, count_outputs_and_parts(&next.ledger)))
}
