//! The title of the frame pane: the step, the size of the frame as the agent was sent it, and the form that is shown.

use ratatui::layout::{Rect, Size};
use unicode_width::UnicodeWidthStr;

use super::frame::picture;
use crate::model::{EpisodeView, Model, ShownPicture};
use crate::sent_frame;
use crate::sent_frame::FrameSource;
use mageyard_dialog::PromptImages;

/// The columns of the border that the title does not have: two corners, two blanks and the name of the pane.
const OTHER_COLUMNS: u16 = 12;
/// The names of the two forms that are not text.
const DRAWING: &str = "drawing";
const PICTURE: &str = "picture";

/// The title on the right, as much of it as fits.
pub(super) fn info(model: &Model, viewed: &EpisodeView, area: Rect) -> String {
    let step = viewed.step_label();
    if let Some(sent) = sent_words(model) {
        return with_size(model, viewed, &sent, area.as_size());
    }
    let size = picture(model, area.as_size())
        .map(|picture| format!(" · {}×{} px", picture.width(), picture.height()));
    let view = if model.compares_frames() { " · before and after".to_owned() } else { view_name(model) };
    let what = match Some(model).filter(|model| model.frame.as_sent).map(sent_frame::frame_source) {
        None => size.unwrap_or_default(),
        Some(FrameSource::Unsent(..)) => " · would be sent".to_owned(),
        Some(FrameSource::Sent(..) | FrameSource::Missing(_)) => " · as sent".to_owned(),
    };
    let full = format!("{step}{view}{what}");
    let short = format!("{}{view}{what}", short_label(viewed));
    fitting(&[full.clone(), short], area.width).unwrap_or(full)
}

/// The step without the number of all steps.
fn short_label(viewed: &EpisodeView) -> String {
    match viewed.step() {
        Some(step) if !viewed.is_end(viewed.index()) => format!("step {}", step.number),
        Some(_) => "the end".to_owned(),
        None => viewed.step_label(),
    }
}

/// The first of these titles that fits beside the name of a pane of this inner width.
fn fitting(titles: &[String], width: u16) -> Option<String> {
    let fits = |words: &&String| words.width() <= usize::from(width.saturating_sub(OTHER_COLUMNS));
    titles.iter().find(fits).cloned()
}

/// The shown view, or which of drawing and picture is shown where there are both.
fn view_name(model: &Model) -> String {
    let view = model.shown_view().map(|shown| shown.view.name);
    let drawing = model.shown_drawing().map(|_| DRAWING);
    let picture = model.drawing().filter(|_| model.shows_pictures()).map(|_| PICTURE);
    let name = drawing.or(view).or(picture.filter(|_| !model.frame.as_sent));
    name.map(|name| format!(" · {name}")).unwrap_or_default()
}

/// The step with the size that was sent, and the shown form if it fits too.
fn with_size(model: &Model, viewed: &EpisodeView, sent: &str, room: Size) -> String {
    let step = viewed.step_label();
    let label = short_label(viewed);
    let form = shown_form(model, room);
    let named = form.as_ref().map(|form| format!("{step} · {sent} · {form}"));
    // That it is a drawing matters more than what was sent.
    let drawing = form.filter(|form| form == DRAWING);
    let drawing =
        drawing.iter().flat_map(|form| [format!("{label} · {sent} · {form}"), format!("{label} · {form}")]);
    let rest = [format!("{step} · {sent}"), format!("{label} · {sent}"), sent.to_owned()];
    let all: Vec<String> = named.into_iter().chain(drawing).chain(rest).collect();
    fitting(&all, room.width).unwrap_or(step)
}

/// The shown form where the title has no room for it.
pub(super) fn form_beside_title(model: &Model, area: Rect) -> Option<String> {
    let viewed = model.episode()?;
    let sent = sent_words(model)?;
    let form = shown_form(model, area.as_size())?;
    (!with_size(model, viewed, &sent, area.as_size()).ends_with(&form)).then_some(form)
}

/// What is shown if that is not the frame as it was sent, or there is a drawing of it too: `shown 112×112 px`, `picture`,
/// `drawing` or `shown as text`.
fn shown_form(model: &Model, room: Size) -> Option<String> {
    let (sent, _) = sent_size(model)?;
    match picture(model, room) {
        _ if model.frame.as_sent => None,
        _ if model.shown_drawing().is_some() => Some(DRAWING.to_owned()),
        None => Some("shown as text".to_owned()),
        Some(picture) => {
            let size = (picture.width(), picture.height());
            let scaled = (size != sent).then(|| format!("shown {}×{} px", size.0, size.1));
            scaled.or_else(|| model.drawing().map(|_| PICTURE.to_owned()))
        }
    }
}

/// The size with the word that says whether it was sent: `256×256 sent`.
fn sent_words(model: &Model) -> Option<String> {
    let ((width, height), was_sent) = sent_size(model)?;
    let word = match (was_sent, model.frame.as_sent) {
        (true, true) => "as sent",
        (true, false) => "sent",
        (false, true) => "would be sent",
        (false, false) => "to send",
    };
    Some(format!("{width}×{height} {word}"))
}

/// The width and height in pixels with which the shown frame was sent in the newest request of its step, or would be sent in
/// the next one, and whether it was. `None` where another picture than the frame is shown, and where none is sent.
fn sent_size(model: &Model) -> Option<((u32, u32), bool)> {
    let viewed = model.episode()?;
    let step = viewed.step()?;
    if model.compares_frames() || model.shown_view().is_some() || model.film_frame().is_some() {
        return None;
    }
    let ShownPicture { picture, part, .. } = model.shown_picture()?;
    let mut requests = step.attempts.iter().rev().filter_map(|attempt| attempt.sent.as_ref());
    if let Some(image) = requests.find_map(|sent| sent.frame(part)) {
        return Some((image.size, true));
    }
    let is_next = viewed.sends_requests() && !viewed.looks_back() && !step.is_done();
    let prompt = viewed.snapshot.requests.prompts.iter().find(|prompt| prompt.name == viewed.prompt());
    let has_images = prompt.is_some_and(|prompt| prompt.images == PromptImages::All);
    let encoder = viewed.snapshot.requests.encoder.as_ref().filter(|_| is_next && has_images)?;
    Some((encoder.scaled_size((picture.width(), picture.height())), false))
}
