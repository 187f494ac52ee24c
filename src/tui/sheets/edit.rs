//! The editor: what is pending, or a prompt, as text in place, and below it what would be read of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use crate::dialog::Marks;
use crate::dialog::Prompt;
use crate::dialog::read;
use crate::domain::Action;
use crate::domain::Setting;
use crate::engine::Attempt;
use crate::tui::figures::cells;
use crate::tui::model::Editor;
use crate::tui::model::Model;
use crate::tui::model::Subject;
use crate::tui::model::Viewed;
use crate::tui::model::actions;
use crate::tui::page::shown;
use crate::tui::panes::findings;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// The most lines that what is read of the text may take.
const READ: usize = 6;

/// The least rows for a text of several lines, so that there is room to write.
const ROOM: usize = 6;

/// The most columns of the sheet.
const WIDEST: u16 = 100;

/// Columns from which on the keys are named in full.
const ROOMY: u16 = 76;

/// What would be read of the text: whether it would do, and the words for it.
pub(crate) struct Verdict {
    pub(crate) good: bool,
    lines: Vec<(String, Role)>,
    marks: Marks,
}

/// What would be read of the text as it stands.
pub(crate) fn verdict(viewed: &Viewed, editor: &Editor) -> Verdict {
    let text = editor.page.text();
    let plain = |good, words: String| {
        let role = if good { Role::Ok } else { Role::MarkUnread };
        let sign = if good { '✓' } else { '✗' };
        Verdict { good, lines: vec![(format!("{sign} {words}"), role)], marks: Marks::default() }
    };
    if let Some(problem) = &editor.problem {
        return plain(false, problem.to_string());
    }
    let snapshot = &viewed.snapshot;
    let step = snapshot.steps.last();
    match (&editor.subject, step, &snapshot.form) {
        (Subject::Prompt { .. }, ..) => match Prompt::parse(text) {
            Ok(prompt) => {
                let images = if prompt.images { "with images" } else { "without images" };
                plain(true, format!("a prompt {:?}, {images}: {}", prompt.name, prompt.summary))
            }
            Err(error) => {
                let line = 1 + text.bytes().take(error.span.start).filter(|byte| *byte == b'\n').count();
                plain(false, format!("line {line}: {error}"))
            }
        },
        (Subject::Action, Some(step), _) => match actions(text, &step.space, snapshot.head.setting) {
            Ok(actions) => {
                let names: Vec<String> = actions.iter().map(Action::to_string).collect();
                plain(true, format!("will be done: {}; the agent's words stay as they are", names.join(", ")))
            }
            Err(why) => plain(false, why),
        },
        (Subject::Reply, Some(step), Some(form)) => {
            let reading = read(&snapshot.head.rules, form, text, &step.space);
            let (good, marks) = (reading.verdict.is_ok(), reading.marks.clone());
            let attempt = Attempt {
                verdict: Some(reading.verdict),
                marks: reading.marks,
                ..Attempt::unread(text.to_owned().into(), None)
            };
            Verdict { good, lines: findings(viewed, step, &attempt), marks }
        }
        _ => plain(false, "nothing is pending any more".into()),
    }
}

/// Columns in which the text is laid.
pub(crate) fn width(model: &Model) -> u16 {
    inside(Rect::from((Position::ORIGIN, model.size)))
}

/// Columns between border and padding of the sheet.
fn inside(whole: Rect) -> u16 {
    super::middle(whole, WIDEST, whole.height).width.saturating_sub(4)
}

/// As tall as the text and so many lines below it need.
fn place(whole: Rect, editor: &Editor, below: usize) -> Rect {
    let rows = editor.page.rows(inside(whole)).len();
    let rows = if editor.subject == Subject::Action { rows } else { rows.max(ROOM) };
    // Borders and the rule.
    super::middle(whole, WIDEST, cells(rows + below).saturating_add(3))
}

fn title(model: &Model, editor: &Editor) -> String {
    let step = editor.spot.map_or(0, |spot| spot.step);
    let global = model.viewed().is_some_and(|viewed| viewed.snapshot.head.setting == Setting::Global);
    let changed = if editor.has_changed() { " ✎" } else { "" };
    match &editor.subject {
        Subject::Reply => format!("Edit the reply of step {step}{changed}"),
        Subject::Action if global => format!("Edit the plan from step {step} on{changed}"),
        Subject::Action => format!("Edit the action of step {step}{changed}"),
        Subject::Prompt { from, .. } => format!("Edit a prompt made from {from}{changed}"),
    }
}

/// The keys that are not plain writing, in short where there is little room.
fn foot(editor: &Editor, width: u16) -> &'static str {
    match (&editor.subject, width < ROOMY) {
        (Subject::Reply, false) => "Ctrl-D takes it · Ctrl-E own editor · Ctrl-R action · Esc leaves",
        (Subject::Reply, true) => "Ctrl-D takes · Ctrl-E editor · Ctrl-R action · Esc",
        (Subject::Action, false) => "Enter takes it · Tab next · Ctrl-E editor · Ctrl-R reply · Esc leaves",
        (Subject::Action, true) => "Enter takes · Tab · Ctrl-E editor · Ctrl-R reply",
        (Subject::Prompt { .. }, _) => "Ctrl-D takes it · Ctrl-E own editor · Esc leaves",
    }
}

pub(super) fn draw(model: &Model, editor: &Editor, whole: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.viewed() else { return };
    let verdict = verdict(viewed, editor);
    let lines = below(model, viewed, editor, &verdict, inside(whole));
    let place = place(whole, editor, lines.len());
    let inner =
        super::open(model, &title(model, editor), foot(editor, place.width), Role::BorderFocus, place, buf);
    let [body, rule, below] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(cells(lines.len())),
    ])
    .areas(inner);
    text(model, editor, &verdict.marks, body, buf);
    Line::styled("─".repeat(rule.width.into()), model.style(Role::Dim)).render(rule, buf);
    Text::from(lines).render(below, buf);
}

/// What is read of the text, and what may be written.
fn below(
    model: &Model,
    viewed: &Viewed,
    editor: &Editor,
    verdict: &Verdict,
    width: u16,
) -> Vec<Line<'static>> {
    let found = verdict.lines.iter();
    let mut lines: Vec<_> = found
        .flat_map(|(words, role)| wrap(words, width, &Span::raw(""), model.style(*role)))
        .take(READ)
        .collect();
    if let (Subject::Action, Some(step)) = (&editor.subject, viewed.snapshot.steps.last()) {
        let words = format!("the actions: {}", step.space.names().collect::<Vec<_>>().join(", "));
        lines.extend(wrap(&words, width, &Span::raw(""), model.style(Role::Dim)).into_iter().take(2));
    }
    lines
}

/// The rows about the cursor; what is read as analysis and action has its look, and the words below say so too.
fn text(model: &Model, editor: &Editor, marks: &Marks, area: Rect, buf: &mut Buffer) {
    let rows = editor.page.rows(area.width);
    let here = editor.page.row(&rows);
    let height = usize::from(area.height.max(1));
    let top = here.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    for (row, line) in rows.iter().skip(top).zip(area.rows()) {
        let mut x = line.x;
        let mut at = row.start;
        let mut put = |piece: &str, style: Style| {
            let piece = shown(piece);
            (x, _) = buf.set_stringn(x, line.y, &piece, usize::from(line.right().saturating_sub(x)), style);
        };
        for piece in editor.page.text()[row.clone()].graphemes(true) {
            put(piece, look(model, editor, marks, at, at == editor.page.at()));
            at += piece.len();
        }
        let ends = at == editor.page.at() && rows.get(editor.page.row(&rows)) == Some(row);
        if ends {
            put(" ", look(model, editor, marks, at, true));
        }
    }
}

/// The look of what stands at this byte; the cursor is turned about, whatever the colours.
fn look(model: &Model, editor: &Editor, marks: &Marks, at: usize, cursor: bool) -> Style {
    let within =
        |range: &Option<std::ops::Range<usize>>| range.as_ref().is_some_and(|range| range.contains(&at));
    let role = match editor.subject {
        Subject::Reply if within(&marks.action) => Role::Action,
        Subject::Reply if within(&marks.analysis) => Role::Analysis,
        _ => Role::Text,
    };
    let style = model.style(role);
    if cursor { style.add_modifier(Modifier::REVERSED) } else { style }
}
