//! The hint line: the keys of the focused pane, or the answer to the last key.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use crate::domain::Setting;
use crate::engine::Waiting;
use crate::tui::command::COMMANDS;
use crate::tui::command::Command;
use crate::tui::command::Deed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::pane::Pane;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

/// Columns from which on a way that another key leads to as well is named.
const ROOMY: u16 = 100;

/// The way to all others, and the way out.
const LAST: [Deed; 2] = [Deed::Help, Deed::Leave];

pub(crate) fn hint(model: &Model, area: Rect, buf: &mut Buffer) {
    let line = match (&model.notice, model.count) {
        (Some(words), _) => Line::styled(clip(&format!(" {words}"), area.width), model.style(Role::Notice)),
        (None, Some(count)) => Line::styled(format!(" {count} …"), model.style(Role::Key)),
        // A sheet takes the keys, and names those that it knows.
        (None, None) if model.sheet.is_some() => Line::default(),
        (None, None) => keys(model, area.width),
    };
    line.render(area, buf);
}

/// As many hints as fit; the way to all others and the way out always do. What comes and goes with each half
/// of a step has its place behind them, so that nothing else moves.
fn keys(model: &Model, width: u16) -> Line<'static> {
    let named = |deed: Deed| pair(model, &key(model, deed), deed.command().hint);
    let last: Vec<_> = LAST.into_iter().flat_map(named).collect();
    let edit = if may_edit(model) { named(Deed::Edit) } else { Vec::new() };
    let room = usize::from(width).saturating_sub(spans_width(&last) + spans_width(&edit));
    let mut line = Line::default();
    for (key, label) in hints(model) {
        let pair = pair(model, &key, label);
        if line.width() + spans_width(&pair) > room {
            break;
        }
        line.spans.extend(pair);
    }
    line.spans.extend(last);
    if stands(model, Deed::Edit.command()) {
        line.spans.extend(edit);
    }
    line
}

/// Whether there is something to edit here now and then.
fn may_edit(model: &Model) -> bool {
    Deed::Edit.command().panes.contains(&model.focus)
        && model.viewed().is_some_and(|viewed| viewed.live && !viewed.is_over())
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
    let apart = |deed| deed == Deed::Edit || LAST.contains(&deed);
    for row in COMMANDS.iter().filter(|row| !apart(row.deed) && stands(model, row)) {
        let key = key(model, row.deed);
        match rows.last_mut() {
            Some((keys, label)) if *label == row.hint => *keys = format!("{keys} {key}"),
            _ => rows.push((key, row.hint)),
        }
    }
    rows
}

fn stands(model: &Model, row: &Command) -> bool {
    row.panes.contains(&model.focus)
        && is_of_use(model, row.deed)
        && !model.look.keys.keys(row.deed).is_empty()
}

/// Whether the key does something at this moment.
fn is_of_use(model: &Model, deed: Deed) -> bool {
    let when = |can: fn(&Viewed) -> bool| model.viewed().is_some_and(can);
    match deed {
        Deed::Step => when(can_run) && !when(is_thought),
        Deed::Run => when(can_run),
        Deed::Cancel => when(is_thought),
        Deed::Edit => when(Viewed::has_pending),
        // Where there is less room, the request leads to it.
        Deed::Prompt => when(Viewed::is_asked) && model.size.width >= ROOMY,
        Deed::Request => when(Viewed::is_asked) || matches!(model.focus, Pane::Agent | Pane::Memory),
        _ => true,
    }
}

/// Whether a thought is under way that takes its time.
fn is_thought(viewed: &Viewed) -> bool {
    viewed.is_asked() && viewed.snapshot.waiting == Waiting::Thinking
}

fn can_run(viewed: &Viewed) -> bool {
    viewed.live && !viewed.is_over() && (!viewed.is_persons() || viewed.has_plan())
}
