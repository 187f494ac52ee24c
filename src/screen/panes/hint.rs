//! The hint line: the keys of the focused pane, or a notice in answer to the last key.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::notice::is_short;
use super::{search_marks, which_key};
use crate::command::{Command, CommandId, ScreenView, commands_in};
use crate::model::{EpisodeView, Model};
use crate::pane::Pane;
use mageyard_domain::Setting;
use mageyard_engine::{Mode, Waiting};
use mageyard_terminal::{StyleRole, truncate};

/// The least width in columns at which hints are shown that can also be reached through another key.
const WIDE: u16 = 100;

/// The commands that are always in the hint line: help and quit.
const ALWAYS_SHOWN: [CommandId; 2] = [CommandId::Help, CommandId::Quit];

/// What one does after the end of an episode.
const AFTER_THE_END: [(CommandId, &str); 5] = [
    (CommandId::Step, "next level"),
    (CommandId::Restart, "again"),
    (CommandId::Seat, "other agent"),
    (CommandId::Diff, "compare"),
    (CommandId::Home, "home"),
];

/// Draws the hint line; `magnifies` says whether the frame pane can magnify its picture, `searched` makes the rows that a
/// search looks at.
pub(crate) fn hint(
    model: &Model,
    magnifies: bool,
    searched: &dyn Fn() -> Vec<String>,
    area: Rect,
    buf: &mut Buffer,
) {
    let line = match (&model.notice, which_key::line(model, area.width)) {
        (Some(words), _) if is_short(model, area.width) => {
            Line::styled(truncate(&format!(" {words}"), area.width), model.style(StyleRole::Notice))
        }
        (_, Some(line)) => line,
        (_, None) if model.search.is_some() => {
            search_marks::line(model, searched, area.width).unwrap_or_default()
        }
        // A modal handles the keys and shows its own hints.
        (_, None) if model.modal.is_some() => Line::default(),
        (_, None) => key_line(model, magnifies, area.width),
    };
    line.render(area, buf);
}

/// As many hints as fit, always followed by help and quit. A hint that appears and disappears with each half of
/// a step comes last, so that the others do not move.
fn key_line(model: &Model, magnifies: bool, width: u16) -> Line<'static> {
    let named = |deed: CommandId| hint_spans(model, &model.key_or_name(deed), deed.command().hint);
    let last: Vec<_> = ALWAYS_SHOWN.into_iter().flat_map(named).collect();
    let edit = if may_edit(model) { named(CommandId::Edit) } else { Vec::new() };
    let room = usize::from(width).saturating_sub(spans_width(&last) + spans_width(&edit));
    let mut line = Line::default();
    for (key, label) in hint_rows(model, magnifies) {
        let pair = hint_spans(model, &key, label);
        if line.width() + spans_width(&pair) > room {
            break;
        }
        line.spans.extend(pair);
    }
    line.spans.extend(last);
    if is_shown(model, magnifies, CommandId::Edit.command()) {
        line.spans.extend(edit);
    }
    line
}

/// Whether editing is possible in this pane at some moment of the episode.
fn may_edit(model: &Model) -> bool {
    CommandId::Edit.command().panes.contains(&model.panes.focus)
        && model.episode().is_some_and(|viewed| viewed.live && !viewed.is_over())
}

fn spans_width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(Span::width).sum()
}

fn hint_spans(model: &Model, key: &str, label: &str) -> Vec<Span<'static>> {
    vec![
        Span::styled(format!(" {key}"), model.style(StyleRole::Key)),
        Span::styled(format!(" {label} "), model.style(StyleRole::Dim)),
    ]
}

fn key(model: &Model, deed: CommandId) -> String {
    model.key(deed).unwrap_or_default()
}

/// The keys and labels to show. Commands with the same label share one entry: `[ ] AM`.
fn hint_rows(model: &Model, magnifies: bool) -> Vec<(String, &'static str)> {
    let mut rows: Vec<(String, &'static str)> = Vec::new();
    if let Some(viewed) = model.episode().filter(|viewed| viewed.is_human() && !viewed.is_over()) {
        let global = viewed.snapshot.head.setting == Setting::Global;
        match (global, viewed.has_arrow_actions()) {
            (true, _) if viewed.has_plan() => {}
            (true, true) => rows.push((":plan".into(), "NAME,NAME,…")),
            (false, true) => rows.push((action_keys(&viewed.action_keys()), "act")),
            (_, false) => rows.push((key(model, CommandId::Step), "act")),
        }
    }
    let is_played_out = model.episode().is_some_and(|viewed| viewed.live && viewed.is_over());
    if is_played_out {
        let has_next = model
            .episode()
            .is_some_and(|viewed| model.names.level_after(&viewed.snapshot.head.reference).is_some());
        let possible = AFTER_THE_END.into_iter().filter(|(id, _)| has_next || *id != CommandId::Step);
        rows.extend(possible.map(|(id, label)| (key(model, id), label)));
    }
    let after_the_end = |deed| is_played_out && AFTER_THE_END.iter().any(|(id, _)| *id == deed);
    let apart = |deed| deed == CommandId::Edit || ALWAYS_SHOWN.contains(&deed) || after_the_end(deed);
    for row in
        commands_in(ScreenView::Episode).filter(|row| !apart(row.id) && is_shown(model, magnifies, row))
    {
        let key = key(model, row.id);
        match rows.last_mut() {
            Some((keys, label)) if *label == row.hint => *keys = format!("{keys} {key}"),
            _ if row.id == CommandId::Cancel && !model.episode().is_some_and(is_request_in_flight) => {
                rows.push((key, "back"));
            }
            _ if row.id == CommandId::Run && model.episode().is_some_and(is_recording) => {
                rows.push((key, "play"));
            }
            _ => rows.push((key, row.hint)),
        }
    }
    rows
}

/// The keys of actions: `←→↑↓`. Where some have names, such as Home, only the others are listed.
fn action_keys(keys: &[String]) -> String {
    let is_short = |key: &&String| key.chars().count() == 1;
    if keys.iter().all(|key| is_short(&key)) {
        return keys.concat();
    }
    let short = keys.iter().filter(is_short).cloned();
    short.chain(["…".to_owned()]).collect::<Vec<_>>().join(" ")
}

fn is_shown(model: &Model, magnifies: bool, row: &Command) -> bool {
    row.panes.contains(&model.panes.focus)
        && is_available(model, magnifies, row.id)
        && model.key(row.id).is_some()
}

/// Whether the command does something at this moment.
fn is_available(model: &Model, magnifies: bool, deed: CommandId) -> bool {
    let when = |can: fn(&EpisodeView) -> bool| model.episode().is_some_and(can);
    match deed {
        CommandId::Step => when(can_run) && !when(is_request_in_flight) && model.may_step(),
        CommandId::Run => when(can_run) || when(is_recording),
        CommandId::Restart => when(|viewed| viewed.live && viewed.is_over()),
        CommandId::Cancel => when(is_request_in_flight) || model.has_way_back(),
        CommandId::Up | CommandId::Down | CommandId::Left | CommandId::Right => {
            model.details().is_some_and(|details| !details.score.is_empty())
        }
        CommandId::Code => model.agent.code.is_some(),
        CommandId::RealTime => model.person_clock().is_ok(),
        CommandId::Film => model.shown_film().is_some(),
        CommandId::Faster | CommandId::Slower => magnifies,
        CommandId::Edit => when(EpisodeView::has_pending),
        // On narrow screens the request dialog leads to it.
        CommandId::Prompt => when(EpisodeView::sends_requests) && model.size.width >= WIDE,
        CommandId::Request => {
            when(EpisodeView::sends_requests) || matches!(model.panes.focus, Pane::Agent | Pane::Memory)
        }
        CommandId::PreviousEpisode | CommandId::NextEpisode | CommandId::Episodes => model.episodes.len() > 1,
        _ => true,
    }
}

/// Whether a request to a model is in flight.
fn is_request_in_flight(viewed: &EpisodeView) -> bool {
    viewed.sends_requests() && viewed.snapshot.run.waiting == Waiting::Reply
}

fn is_recording(viewed: &EpisodeView) -> bool {
    viewed.snapshot.run.mode == Mode::Recorded && viewed.newest_index() > 0
}

fn can_run(viewed: &EpisodeView) -> bool {
    viewed.live && !viewed.is_over() && (!viewed.is_human() || viewed.has_plan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_names_are_left_out_of_many() {
        let keys = |all: &[&str]| action_keys(&all.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>());
        assert_eq!(keys(&["←", "→", "↑", "↓"]), "←→↑↓");
        assert_eq!(keys(&["←", "Home", "↑", "s"]), "← ↑ s …");
    }
}
