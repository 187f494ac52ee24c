//! The editor dialog: the text of a reply, an action or a prompt, and below it how it would be parsed.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use crate::layout::screen_dialog_area;
use crate::model::{EditModal, EditSubject, EpisodeView, Model, parse_actions};
use crate::panes::findings;
use mageyard_dialog::{Prompt, PromptImages, Spans, parse_reply};
use mageyard_domain::{Action, Setting};
use mageyard_engine::Attempt;
use mageyard_lab::PromptOrigin;
use mageyard_terminal::{StyleRole, count_of, to_cells, visible_text, wrap};

/// The most lines of the preview.
const MAX_FINDINGS: usize = 6;

/// The least rows of a text of several lines.
const MIN_TEXT_ROWS: usize = 6;

/// The most columns of the dialog.
const MAX_WIDTH: u16 = 100;

/// The least width in columns for the full names of the keys.
const WIDE: u16 = 76;

/// How the text would be parsed: whether it is valid, and the findings.
pub(crate) struct EditPreview {
    pub(crate) is_valid: bool,
    lines: Vec<(String, StyleRole)>,
    marks: Spans,
}

/// Parses the text as it is now.
pub(crate) fn edit_preview(viewed: &EpisodeView, editor: &EditModal) -> EditPreview {
    let text = editor.text_editor.text();
    let plain = |good, words: String| {
        let role = if good { StyleRole::Ok } else { StyleRole::MarkUnread };
        let sign = if good { '✓' } else { '✗' };
        EditPreview {
            is_valid: good,
            lines: vec![(format!("{sign} {words}"), role)],
            marks: Spans::default(),
        }
    };
    if let Some(problem) = &editor.problem {
        return plain(false, problem.to_string());
    }
    let snapshot = &viewed.snapshot;
    let step = snapshot.steps.last();
    match (&editor.subject, step, &snapshot.requests.form) {
        (EditSubject::Prompt { .. }, ..) => match Prompt::parse(text) {
            Ok(prompt) => {
                let images = match prompt.images {
                    PromptImages::All => "with images",
                    PromptImages::Task => "with images of the task",
                    PromptImages::None => "without images",
                };
                plain(true, format!("valid prompt {:?}, {images}: {}", prompt.name, prompt.summary))
            }
            Err(error) => {
                let line = 1 + text.bytes().take(error.span.start).filter(|byte| *byte == b'\n').count();
                plain(false, format!("line {line}: {error}"))
            }
        },
        (EditSubject::Hint, ..) => plain(
            true,
            match text.trim() {
                "" => "empty: no hint from the next request on".to_owned(),
                _ => "sent at the end of the newest state, from the next request on".to_owned(),
            },
        ),
        (EditSubject::AnswerStart(_), ..) => match editor.text_editor.text_to_cursor() {
            "" => plain(false, "move the cursor behind the text that the answers begin with".to_owned()),
            text => {
                let count = count_of(text.chars().count(), "character");
                plain(true, format!("answers begin with the {count} before the cursor; the plan comes first"))
            }
        },
        (EditSubject::Action, Some(step), _) => match parse_actions(text, &step.space, snapshot.head.setting)
        {
            Ok(actions) => {
                let names: Vec<String> = actions.iter().map(Action::to_string).collect();
                plain(true, format!("new action: {}; the agent's reply stays as it is", names.join(", ")))
            }
            Err(why) => plain(false, why),
        },
        (EditSubject::Reply, Some(step), Some(form)) => {
            let reading = parse_reply(&snapshot.head.rules, form, text, &step.space);
            let good = reading.result.is_ok();
            let marks = reading.spans.clone();
            let attempt = Attempt {
                verdict: Some(reading.result.map_err(Box::new)),
                marks: reading.spans,
                ..Attempt::pending(text.to_owned().into(), None)
            };
            EditPreview { is_valid: good, lines: findings(viewed, step, &attempt), marks }
        }
        _ => plain(false, "nothing is pending".into()),
    }
}

/// The width in columns at which the text is wrapped.
pub(crate) fn width(model: &Model) -> u16 {
    text_width(screen_dialog_area(model))
}

/// The columns within border and padding of the dialog.
fn text_width(whole: Rect) -> u16 {
    super::centered_area(whole, MAX_WIDTH, whole.height).width.saturating_sub(4)
}

/// As tall as the text and `below` lines of the preview need.
fn modal_area(whole: Rect, editor: &EditModal, below: usize) -> Rect {
    let rows = editor.text_editor.wrapped_rows(text_width(whole)).len();
    let rows = if editor.subject == EditSubject::Action { rows } else { rows.max(MIN_TEXT_ROWS) };
    // Borders and the rule between text and preview.
    super::centered_area(whole, MAX_WIDTH, to_cells(rows + below).saturating_add(3))
}

fn title(model: &Model, editor: &EditModal) -> String {
    let step = editor.target.map_or(0, |spot| spot.step);
    let global = model.episode().is_some_and(|viewed| viewed.snapshot.head.setting == Setting::Global);
    let changed = if editor.has_changed() { " ✎" } else { "" };
    match &editor.subject {
        EditSubject::Reply => format!("Edit the reply of step {step}{changed}"),
        EditSubject::Action if global => format!("Edit the plan from step {step}{changed}"),
        EditSubject::Action => format!("Edit the action of step {step}{changed}"),
        EditSubject::Hint => format!("Edit the hint{changed}"),
        EditSubject::AnswerStart(step) => format!("Continue a reply of step {step} from the cursor{changed}"),
        EditSubject::Prompt { name, origin: PromptOrigin::Shipped, .. } => {
            format!("Edit your copy of the shipped prompt {name}{changed}")
        }
        EditSubject::Prompt { name, .. } => format!("Edit your prompt {name}{changed}"),
    }
}

/// The keys that do more than write text, in short form on narrow screens.
fn footer(editor: &EditModal, width: u16) -> &'static str {
    match (&editor.subject, width < WIDE) {
        (EditSubject::Reply, false) => {
            "Ctrl-D accepts · Ctrl-E external editor · Ctrl-R action · Esc cancels"
        }
        (EditSubject::Reply, true) => "Ctrl-D accepts · Ctrl-E editor · Ctrl-R action · Esc",
        (EditSubject::Action, false) => {
            "Enter accepts · Tab next · Ctrl-E editor · Ctrl-R reply · Esc cancels"
        }
        (EditSubject::Action, true) => "Enter accepts · Tab · Ctrl-E editor · Ctrl-R reply",
        (EditSubject::AnswerStart(_), _) => "Ctrl-D asks from the cursor · Esc cancels",
        (EditSubject::Prompt { .. } | EditSubject::Hint, _) => {
            "Ctrl-D accepts · Ctrl-E external editor · Esc cancels"
        }
    }
}

pub(super) fn draw(model: &Model, editor: &EditModal, whole: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    let verdict = edit_preview(viewed, editor);
    let lines = footer_lines(model, viewed, editor, &verdict, text_width(whole));
    let place = modal_area(whole, editor, lines.len());
    let inner = super::draw_border(
        model,
        &title(model, editor),
        footer(editor, place.width),
        StyleRole::BorderFocus,
        place,
        buf,
    );
    let [body, rule, below] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(to_cells(lines.len())),
    ])
    .areas(inner);
    draw_text(model, editor, &verdict.marks, body, buf);
    Line::styled("─".repeat(rule.width.into()), model.style(StyleRole::Dim)).render(rule, buf);
    Text::from(lines).render(below, buf);
}

/// The preview, and the valid actions.
fn footer_lines(
    model: &Model,
    viewed: &EpisodeView,
    editor: &EditModal,
    verdict: &EditPreview,
    width: u16,
) -> Vec<Line<'static>> {
    let found = verdict.lines.iter();
    let mut lines: Vec<_> = found
        .flat_map(|(words, role)| wrap(words, width, &Span::raw(""), model.style(*role)))
        .take(MAX_FINDINGS)
        .collect();
    if let (EditSubject::Action, Some(step)) = (&editor.subject, viewed.snapshot.steps.last()) {
        let words = format!("actions: {}", step.space.names().collect::<Vec<_>>().join(", "));
        lines.extend(wrap(&words, width, &Span::raw(""), model.style(StyleRole::Dim)).into_iter().take(2));
    }
    lines
}

/// Draws the rows around the cursor; analysis and action are highlighted, and named in the preview too.
fn draw_text(model: &Model, editor: &EditModal, marks: &Spans, area: Rect, buf: &mut Buffer) {
    let rows = editor.text_editor.wrapped_rows(area.width);
    let here = editor.text_editor.cursor_row(&rows);
    let height = usize::from(area.height.max(1));
    let top = here.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
    for (row, line) in rows.iter().skip(top).zip(area.rows()) {
        let mut x = line.x;
        let mut at = row.start;
        let mut put = |piece: &str, style: Style| {
            let piece = visible_text(piece);
            (x, _) = buf.set_stringn(x, line.y, &piece, usize::from(line.right().saturating_sub(x)), style);
        };
        for piece in editor.text_editor.text()[row.clone()].graphemes(true) {
            put(piece, text_style(model, editor, marks, at, at == editor.text_editor.cursor()));
            at += piece.len();
        }
        let ends =
            at == editor.text_editor.cursor() && rows.get(editor.text_editor.cursor_row(&rows)) == Some(row);
        if ends {
            put(" ", text_style(model, editor, marks, at, true));
        }
    }
}

/// The style of the text at this byte; the cursor is reversed in every theme.
fn text_style(model: &Model, editor: &EditModal, marks: &Spans, at: usize, cursor: bool) -> Style {
    let within =
        |range: &Option<std::ops::Range<usize>>| range.as_ref().is_some_and(|range| range.contains(&at));
    let role = match editor.subject {
        EditSubject::Reply if within(&marks.action) => StyleRole::Action,
        EditSubject::Reply if within(&marks.analysis) => StyleRole::Analysis,
        _ => StyleRole::Text,
    };
    let style = model.style(role);
    if cursor { style.add_modifier(Modifier::REVERSED) } else { style }
}
