//! Draws home: the tree, beside it the preview where there is room, and below what the selected item is.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders, Widget};

use super::tree::{Row, when_empty};
use super::view::Home;
use super::welcome;
use crate::command::CommandId;
use crate::model::Model;
use crate::requests::{HomeContents, HomeItem, HomePreview, HomeSection};
use mageyard_domain::{Picture, sanitize};
use mageyard_engine::{Snapshot, Waiting};
use mageyard_terminal::{FrameCache, StyleRole, count_of, to_cells, truncate, wrap};

/// What is said while a filter is typed.
const FILTER_HELP: &str = "words, or as in conditions: level~mini agent=random model~gpt ending=won";
/// From this width on there is a preview.
const PREVIEW_WIDTH: u16 = 100;
/// Rows below the tree: what the item is, and the keys.
const BOTTOM: u16 = 2;
/// Rows of the preview below the picture, at least.
const FACTS: u16 = 7;

struct Areas {
    title: Rect,
    tree: Rect,
    preview: Option<Rect>,
    bottom: Rect,
}

fn areas(whole: Rect) -> Areas {
    let rows = whole.height.saturating_sub(BOTTOM + 1);
    let body = Rect { y: whole.y + 1, height: rows, ..whole };
    let has_preview = whole.width >= PREVIEW_WIDTH;
    let left = if has_preview { whole.width * 9 / 20 } else { whole.width };
    let right = Rect { x: whole.x + left, width: whole.width - left, ..body };
    Areas {
        title: Rect { height: 1.min(whole.height), ..whole },
        tree: Rect { width: left, ..body },
        preview: has_preview.then_some(right),
        bottom: Rect { y: body.bottom(), height: whole.height.saturating_sub(rows + 1), ..whole },
    }
}

/// The picture of the preview and its area.
pub(crate) fn picture<'a>(model: &'a Model, home: &'a Home, whole: Rect) -> Option<(&'a Arc<Picture>, Rect)> {
    let area = inside(areas(whole).preview?);
    let episode = shown_episode(home)?;
    let (_, picture) = episode.steps.last()?.observation.images().next()?;
    let room = Rect { height: area.height.saturating_sub(FACTS), ..area };
    (model.shows_pictures() && !room.is_empty()).then_some((picture, room))
}

/// The episode beside the tree, or beside the first start.
fn shown_episode(home: &Home) -> Option<&Arc<Snapshot>> {
    match &home.welcome {
        Some(welcome) => welcome.episode.as_ref(),
        None => preview(home)?.episode.as_ref(),
    }
}

fn preview(home: &Home) -> Option<&HomePreview> {
    home.preview.as_ref().and_then(|(_, preview)| preview.as_ref().ok())
}

fn inside(area: Rect) -> Rect {
    Block::new().borders(Borders::ALL).inner(area)
}

/// Draws home.
pub(crate) fn draw(model: &Model, home: &Home, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    let areas = areas(whole);
    draw_title(model, home, areas.title, buf);
    if home.welcome.is_some() {
        let inner = boxed(model, "Welcome", StyleRole::BorderFocus, areas.tree, buf);
        welcome::draw(model, inner, buf);
    } else {
        draw_tree(model, home, areas.tree, buf);
    }
    if let Some(area) = areas.preview {
        draw_preview(model, home, gallery, whole, area, buf);
    }
    draw_bottom(model, home, areas.bottom, buf);
}

fn draw_title(model: &Model, home: &Home, area: Rect, buf: &mut Buffer) {
    let facts = home.tree.contents().map_or_else(|| "reading …".to_owned(), facts);
    Line::from(vec![
        Span::styled(" Mageyard", model.style(StyleRole::Title)),
        Span::styled(format!("  {facts}"), model.style(StyleRole::Dim)),
    ])
    .render(area, buf);
}

fn facts(contents: &HomeContents) -> String {
    let sweeps = contents.sessions.iter().filter(|session| session.is_sweep).count();
    let sessions = contents.sessions.len() - sweeps;
    let mut facts = vec![count_of(sessions, "session")];
    facts.extend((sweeps > 0).then(|| count_of(sweeps, "sweep")));
    facts.extend(
        (!contents.unfinished.is_empty()).then(|| format!("{} unfinished", contents.unfinished.len())),
    );
    facts.join(" · ")
}

fn boxed(model: &Model, title: &str, role: StyleRole, area: Rect, buf: &mut Buffer) -> Rect {
    let title = truncate(&sanitize(title), area.width.saturating_sub(4));
    let block = Block::new()
        .borders(Borders::ALL)
        .border_type(ratatui::widgets::BorderType::Rounded)
        .border_style(model.style(role))
        .title(Span::styled(format!(" {title} "), model.style(StyleRole::Title)));
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

fn draw_tree(model: &Model, home: &Home, area: Rect, buf: &mut Buffer) {
    let rows = home.tree.rows();
    let title = match (home.is_typing, home.tree.filter()) {
        (true, filter) => format!("Home /{filter}█"),
        (false, "") => "Home".to_owned(),
        (false, filter) => format!("Home /{filter}"),
    };
    let inner = boxed(model, &title, StyleRole::BorderFocus, area, buf);
    let room = usize::from(inner.height);
    let selected = home.place();
    let first = selected.saturating_sub(room.saturating_sub(2)).min(rows.len().saturating_sub(room));
    let lines = rows.iter().enumerate().skip(first).take(room);
    let lines: Vec<Line<'_>> =
        lines.map(|(index, row)| tree_line(model, row, index == selected, inner.width)).collect();
    let lines = if rows.is_empty() && home.tree.contents().is_some() {
        vec![Line::styled("nothing has these words; Esc clears the filter", model.style(StyleRole::Dim))]
    } else {
        lines
    };
    Text::from(lines).render(inner, buf);
}

fn tree_line(model: &Model, row: &Row, is_selected: bool, width: u16) -> Line<'static> {
    let sign = match row.is_open {
        Some(true) => "▾ ",
        Some(false) => "▸ ",
        None => "  ",
    };
    let mark = if is_selected { "›" } else { " " };
    let indent = "  ".repeat(usize::from(row.depth));
    let role = match (is_selected, row.depth) {
        (true, _) => StyleRole::Selection,
        (false, 0) if row.is_open.is_some() => StyleRole::Heading,
        _ => StyleRole::Text,
    };
    let name = truncate(&sanitize(&row.name), width.saturating_sub(4));
    let mut line = Line::from(vec![
        Span::styled(mark, model.style(StyleRole::Key)),
        Span::raw(indent),
        Span::styled(sign, model.style(StyleRole::Dim)),
        Span::styled(name, model.style(role)),
        Span::raw("  "),
    ]);
    for state in &row.states {
        line.spans.extend([state.span(&model.look.theme), Span::raw("  ")]);
    }
    let room = width.saturating_sub(to_cells(line.width()));
    line.spans.push(Span::styled(truncate(&sanitize(&row.note), room), model.style(StyleRole::Dim)));
    line
}

fn draw_preview(model: &Model, home: &Home, gallery: &FrameCache, whole: Rect, area: Rect, buf: &mut Buffer) {
    let title = match &home.welcome {
        Some(_) => "demo plays",
        None => home.selected_row().map_or("", |row| row.name.as_str()),
    };
    let inner = boxed(model, title, StyleRole::Border, area, buf);
    let sweep = preview(home).and_then(|preview| preview.sweep.as_ref());
    if let Some(sweep) = sweep.filter(|_| home.welcome.is_none()) {
        return sweep.draw(&model.appearance.theme, inner, buf);
    }
    let lines = match &home.preview {
        _ if home.welcome.is_some() => {
            shown_episode(home).map(|episode| welcome::episode_lines(episode)).unwrap_or_default()
        }
        Some((_, Ok(preview))) => {
            let mut lines = preview.lines.clone();
            lines.extend(preview.episode.iter().flat_map(|episode| episode_lines(episode)));
            lines
        }
        Some((_, Err(problem))) => vec![problem.to_string()],
        None => section_lines(home),
    };
    let below = picture(model, home, whole).map(|(picture, room)| {
        gallery.draw(picture, room, buf);
        room.height
    });
    let area = Rect {
        y: inner.y + below.unwrap_or(0),
        height: inner.height.saturating_sub(below.unwrap_or(0)),
        ..inner
    };
    let style = model.style(StyleRole::Text);
    let wrapped: Vec<Line<'static>> =
        lines.iter().flat_map(|line| wrap(&sanitize(line), area.width, &Span::raw(""), style)).collect();
    Text::from(wrapped).render(area, buf);
}

/// What is said beside a section or a folder.
pub(super) fn section_lines(home: &Home) -> Vec<String> {
    match &home.selected {
        HomeItem::Section(section) => vec![what_section(*section).to_owned()],
        HomeItem::Levels(_) | HomeItem::Prompts(_) => vec!["Enter lists what is in it.".to_owned()],
        _ => vec!["reading …".to_owned()],
    }
}

fn what_section(section: HomeSection) -> &'static str {
    match section {
        HomeSection::Continue => {
            "Sessions that were left before their end. Enter resumes one where it stopped."
        }
        HomeSection::Play => {
            "Levels by environment and level set. Enter begins an episode with the agent of your settings; t changes \
             the agent while it runs."
        }
        HomeSection::Recordings => {
            "Everything that was played, newest first, and sweeps. Enter shows one step by step; its frames, replies \
             and memory windows are as they were."
        }
        HomeSection::Suites => {
            "Recorded states that are put to prompts, memory windows and models together: unit tests for prompts."
        }
        HomeSection::Prompts => {
            "Prompt variants. Enter or e edits one beside the requests that it makes, and asks its versions."
        }
        HomeSection::Models => {
            "Models inside the program, and that of your settings. Enter plays the configured level with one."
        }
        HomeSection::Learn => {
            "Lessons, each played with a simulated model: no key and no network are needed."
        }
    }
}

/// What is said of an episode.
pub(super) fn episode_lines(snapshot: &Snapshot) -> Vec<String> {
    let head = &snapshot.head;
    let done = usize::try_from(snapshot.steps_done()).unwrap_or(usize::MAX);
    let end = match snapshot.run.waiting {
        Waiting::Ended(ending) => format!("{ending} in {}", count_of(done, "step")),
        _ => format!("{} of {}", count_of(done, "step"), head.max_steps),
    };
    let score = snapshot.score.filter(|_| done > 0).map(|score| format!(" · score {score:.1}"));
    let rewards: String = snapshot
        .steps
        .iter()
        .filter_map(|step| Some(step.effect.as_ref()?.reward))
        .map(reward_sign)
        .collect();
    vec![
        head.reference.clone(),
        format!("{end}{}", score.unwrap_or_default()),
        format!("{} · {} · {}", head.agent.display_name(), head.setting, snapshot.prompt),
        rewards,
    ]
}

/// A tick of the step strip.
fn reward_sign(reward: f64) -> char {
    if reward > 0.0 {
        '█'
    } else if reward < 0.0 {
        '▂'
    } else {
        '·'
    }
}

fn draw_bottom(model: &Model, home: &Home, area: Rect, buf: &mut Buffer) {
    let what = match (home.tree.contents(), home.selected_row()) {
        _ if home.is_typing && home.tree.filter().is_empty() => FILTER_HELP.to_owned(),
        (Some(contents), _) if !contents.problems.is_empty() => contents.problems.join("; "),
        _ if home.welcome.is_some() => {
            "A simulated model plays; no key and no network are needed.".to_owned()
        }
        (_, Some(row)) => what(row),
        (_, None) => String::new(),
    };
    let text = model.notice.as_deref().unwrap_or(&what);
    let role = if model.notice.is_some() { StyleRole::Notice } else { StyleRole::Text };
    let first = Rect { height: 1.min(area.height), ..area };
    let text = truncate(&sanitize(text.lines().last().unwrap_or_default()), area.width.saturating_sub(2));
    Line::from(vec![Span::raw(" "), Span::styled(text, model.style(role))]).render(first, buf);
    if area.height > 1 {
        hint(model, home, Rect { y: area.y + 1, height: 1, ..area }, buf);
    }
}

/// What an item is, and what Enter does.
fn what(row: &Row) -> String {
    match &row.item {
        HomeItem::Section(section) if row.note == "–" => when_empty(*section).to_owned(),
        HomeItem::Section(_) | HomeItem::Levels(_) | HomeItem::Prompts(_) => match row.is_open {
            Some(true) => "Enter closes it".to_owned(),
            _ => "Enter opens it".to_owned(),
        },
        HomeItem::Level(_) => "a level: Enter plays it".to_owned(),
        HomeItem::Unfinished(_) => "an unfinished session: Enter goes on where it stopped".to_owned(),
        HomeItem::Session(_) => "a recorded session: Enter shows it step by step".to_owned(),
        HomeItem::Sweep(_) => "a sweep: Enter shows its map and its cells".to_owned(),
        HomeItem::Suite(_) => "a suite of states: Enter asks about it, after a plan".to_owned(),
        HomeItem::Prompt(..) => {
            "a prompt variant: Enter or e edits it, asks its versions, and deletes it".to_owned()
        }
        HomeItem::Model(_) => "a model: Enter plays the configured level with it".to_owned(),
        HomeItem::Lesson(_) => "a lesson: Enter starts it".to_owned(),
    }
}

/// The keys, the last ones to be left out first where there is no room for all. The line ends with what leads to the others.
fn hint(model: &Model, home: &Home, area: Rect, buf: &mut Buffer) {
    let own = |key: &str| key.to_owned();
    let mut keys = vec![
        (own("Enter"), "open"),
        (own("↑ ↓"), "select"),
        (own("← →"), "fold"),
        (model.key_or_name(CommandId::Search), "filter"),
        (own("n"), "again"),
        (own("d"), "delete"),
        (own("m"), "models"),
        (own("y"), "address"),
    ];
    keys.retain(|_| home.welcome.is_none());
    keys.extend([
        (model.key_or_name(CommandId::Palette), "commands"),
        (model.key_or_name(CommandId::Help), "help"),
        (model.key_or_name(CommandId::Quit), "quit"),
    ]);
    for left_out in LEFT_OUT {
        if hint_line(model, &keys).width() <= usize::from(area.width) {
            break;
        }
        keys.retain(|(_, what)| *what != left_out);
    }
    hint_line(model, &keys).render(area, buf);
}

/// What narrow screens leave out of the line of keys, in this order.
const LEFT_OUT: [&str; 7] = ["fold", "select", "address", "models", "again", "delete", "filter"];

fn hint_line(model: &Model, keys: &[(String, &'static str)]) -> Line<'static> {
    let spans = keys.iter().flat_map(|(key, what)| {
        [
            Span::styled(format!(" {key}"), model.style(StyleRole::Key)),
            Span::styled(format!(" {what} "), model.style(StyleRole::Dim)),
        ]
    });
    spans.collect()
}
