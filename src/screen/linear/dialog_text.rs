//! Dialogs that are only read: the request and the verdict, in lines.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::text::{labelled, one_line, plain};
use crate::modals;
use crate::model::{EpisodeComparison, Model, RequestComparison};

/// A width at which lines are not wrapped.
const WIDTH: u16 = 4096;

/// The errors of the episode with their definitions.
pub(super) fn verdict(model: &Model) -> Vec<String> {
    let lines = plain(&modals::verdict_lines(model, WIDTH));
    // The columns of the dialog are of no use in a line.
    let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    titled("Verdict", lines.iter().map(words).collect())
}

/// The request of the shown step, turn by turn.
pub(super) fn request(model: &Model) -> Vec<String> {
    let (title, lines) = modals::request_text(model, WIDTH);
    titled(&title, plain(&lines))
}

/// Two requests compared.
pub(super) fn request_diff(model: &Model, diff: &RequestComparison) -> Vec<String> {
    let text = modals::request_diff_text(model, diff);
    titled("Difference of two requests", text.lines().map(one_line).collect())
}

/// A row of two episodes compared.
pub(super) fn episode_diff(diff: &EpisodeComparison) -> Vec<String> {
    let lines = modals::episode_diff_lines(diff);
    let mut lines: Vec<String> = lines.iter().flat_map(|line| labelled("Diff", line)).collect();
    lines.push(
        "Answer: left or right for the next row, n or N for the next difference; an empty line closes."
            .to_owned(),
    );
    lines
}

/// The open dialog as it is drawn on the full screen; its keys are typed by name.
pub(super) fn drawn(model: &Model) -> Vec<String> {
    let whole = Rect::from((Position::ORIGIN, model.size));
    let mut buffer = Buffer::empty(whole);
    modals::draw(model, whole, &mut buffer);
    let row =
        |y: u16| (0..whole.width).filter_map(|x| Some(buffer.cell((x, y))?.symbol())).collect::<String>();
    let is_border = |c: char| matches!(c, '│' | '╭' | '╮' | '╰' | '╯' | '─' | ' ');
    let rows = (0..whole.height).map(|y| row(y).trim_matches(is_border).to_owned());
    let mut lines: Vec<String> = rows.filter(|row| !row.is_empty()).collect();
    lines.push("Answer: the name of a key, such as j, enter or esc; an empty line closes it.".to_owned());
    lines
}

/// A title with the number of lines below it, so that a listener knows where they end.
fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    let head = format!("{title}: {} lines", lines.len());
    std::iter::once(head).chain(lines.into_iter().map(|line| format!("  {line}"))).collect()
}
