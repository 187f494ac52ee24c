//! The verdict on the episode: each error by name with its reason, its definition, and the rules that hold.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::domain::Conduct;
use crate::domain::OnRepeating;
use crate::domain::OnUnreadable;
use crate::domain::Setting;
use crate::engine::ATTEMPTS;
use crate::engine::Mark;
use crate::tui::figures::cells;
use crate::tui::figures::many;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::panes::sign;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

/// Columns of the names.
const NAME: usize = 23;

fn place(model: &Model, whole: Rect) -> Rect {
    let width = 84.min(whole.width.saturating_sub(4));
    super::middle(whole, width, cells(lines(model, width.saturating_sub(4)).len()).saturating_add(2))
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let place = place(model, whole);
    let lines = lines(model, place.width.saturating_sub(4));
    let foot = super::reading(lines.len(), place);
    let inner = super::open(model, "Verdict", foot, Role::BorderFocus, place, buf);
    super::ends(model, scroll, lines.len(), inner, buf);
    let shown: Vec<_> = lines.into_iter().skip(scroll.into()).take(inner.height.into()).collect();
    Text::from(shown).render(inner, buf);
}

pub(super) fn extent(model: &Model) -> (u16, u16) {
    let place = place(model, Rect::from((Position::ORIGIN, model.size)));
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    (cells(lines(model, width).len()).saturating_sub(height), height.max(1))
}

/// All of the verdict, at this width.
pub(crate) fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(viewed) = model.viewed() else { return Vec::new() };
    let mut lines: Vec<_> =
        Mark::ALL.into_iter().flat_map(|mark| entry(model, viewed, mark, width)).collect();
    lines.push(Line::default());
    let rules = rules(viewed.snapshot.head.conduct, viewed.snapshot.head.setting);
    lines.extend(wrap(&rules, width, &Span::raw(""), model.style(Role::Dim)));
    lines
}

/// A mark: its sign, its name and its count, the reason, and what it means.
fn entry(model: &Model, viewed: &Viewed, mark: Mark, width: u16) -> Vec<Line<'static>> {
    let (symbol, role) = sign(mark);
    let faults = &viewed.snapshot.faults;
    let why = faults.why(mark);
    let (style, count) = match (&why, faults.count(mark)) {
        (None, _) => (Role::Dim, "none".to_owned()),
        (Some(_), count) => (Role::Title, many(count, "step")),
    };
    let doubt = viewed.doubt().filter(|_| mark == Mark::Off);
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; {doubt}"));
    let head = Line::from(vec![
        Span::styled(format!("{symbol} "), model.style(role)),
        Span::styled(format!("{:<NAME$}", mark.title()), model.style(style)),
        Span::styled(count, model.style(style)),
        Span::styled(doubt, model.style(Role::Dim)),
    ]);
    let gutter = Span::raw("  ");
    let definition = mark.definition(viewed.snapshot.head.conduct.thresholds);
    let reason = why.map(|why| wrap(&why, width, &gutter, model.style(Role::Text)));
    let meaning = wrap(&definition, width, &gutter, model.style(Role::Dim));
    [head].into_iter().chain(reason.into_iter().flatten()).chain(meaning).collect()
}

/// What the episode holds its agent to.
fn rules(conduct: Conduct, setting: Setting) -> String {
    let unreadable = match (setting, conduct.on_unreadable) {
        (Setting::Online, OnUnreadable::Skip) => "the step passes without an action",
        _ => "the episode ends",
    };
    let repeating = match conduct.on_repeating {
        OnRepeating::GoOn => "the episode goes on, the steps marked",
        OnRepeating::End => "the episode ends",
    };
    format!(
        "As the episode was begun: after {ATTEMPTS} unreadable attempts {unreadable}; at the repetition limit \
         {repeating}. The settings are play.on_unreadable, play.on_repeating and [faults]."
    )
}
