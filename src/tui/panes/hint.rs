//! The hint line: the keys of the focused pane, or the answer to the last key.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use crate::domain::Setting;
use crate::tui::command::COMMANDS;
use crate::tui::command::Command;
use crate::tui::command::Deed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

pub(crate) fn hint(model: &Model, area: Rect, buf: &mut Buffer) {
    let line = match (&model.notice, model.count) {
        (Some(words), _) => Line::styled(clip(&format!(" {words}"), area.width), model.style(Role::Notice)),
        (None, Some(count)) => Line::styled(format!(" {count} …"), model.style(Role::Key)),
        (None, None) => keys(model, area.width),
    };
    line.render(area, buf);
}

/// As many hints as fit; the way to all others and the way out always do.
fn keys(model: &Model, width: u16) -> Line<'static> {
    let mut line = Line::default();
    let last: Vec<_> = [(Deed::Help, "help"), (Deed::Leave, "leave")]
        .iter()
        .flat_map(|(deed, label)| pair(model, &key(model, *deed), label))
        .collect();
    let room = usize::from(width).saturating_sub(spans_width(&last));
    for (key, label) in hints(model) {
        let pair = pair(model, &key, label);
        if line.width() + spans_width(&pair) > room {
            break;
        }
        line.spans.extend(pair);
    }
    line.spans.extend(last);
    line
}

fn spans_width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(Span::width).sum()
}

fn pair(model: &Model, key: &str, label: &str) -> Vec<Span<'static>> {
    vec![
        Span::styled(format!(" {key}"), model.style(Role::Key)),
        Span::styled(format!(" {label} "), model.style(Role::Dim)),
    ]
}

fn key(model: &Model, deed: Deed) -> String {
    model.look.keys.keys(deed).into_iter().next().unwrap_or_default()
}

/// Rows of the table with one label stand together: `[ ] AM`.
fn hints(model: &Model) -> Vec<(String, &'static str)> {
    let mut rows: Vec<(String, &'static str)> = Vec::new();
    if let Some(viewed) = model.viewed().filter(|viewed| viewed.is_persons() && !viewed.is_over()) {
        let global = viewed.snapshot.head.setting == Setting::Global;
        match (global, viewed.has_arrows()) {
            (true, _) if viewed.has_plan() => {}
            (true, true) => rows.push((":plan".into(), "Up,Left,…")),
            (false, true) => rows.push(("←↑↓→".into(), "act")),
            (_, false) => rows.push((key(model, Deed::Step), "act")),
        }
    }
    for row in COMMANDS.iter().filter(|row| stands(model, row)) {
        let key = key(model, row.deed);
        match rows.last_mut() {
            Some((keys, label)) if *label == row.hint => *keys = format!("{keys} {key}"),
            _ => rows.push((key, row.hint)),
        }
    }
    rows
}

fn stands(model: &Model, row: &Command) -> bool {
    let useless =
        matches!(row.deed, Deed::Step | Deed::Run | Deed::Edit) && !model.viewed().is_some_and(can_run);
    let here = row.panes.contains(&model.focus) && !matches!(row.deed, Deed::Help | Deed::Leave);
    here && !useless && !model.look.keys.keys(row.deed).is_empty()
}

fn can_run(viewed: &Viewed) -> bool {
    viewed.live && !viewed.is_over() && (!viewed.is_persons() || viewed.has_plan())
}
