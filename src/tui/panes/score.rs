//! The score: what the step earned, where the sum stands, and against what it is measured.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::domain::visible;
use crate::engine::Distance;
use crate::engine::Ending;
use crate::engine::Mark;
use crate::tui::figures::cells;
use crate::tui::figures::plain;
use crate::tui::figures::signed;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;

/// Columns of the names.
const NAME: usize = 12;

/// What the episode counts as, by name.
pub(super) fn info(viewed: &Viewed) -> String {
    let faults = &viewed.snapshot.faults;
    let names = [
        (faults.count(Mark::Invalid) > 0, "IA"),
        (faults.count(Mark::Repeating) > 0, "RA"),
        (faults.lost.is_some(), "dead"),
        (viewed.snapshot.mixed, "mixed"),
    ];
    let names = names.iter().filter(|name| name.0).map(|name| name.1);
    names.collect::<Vec<_>>().join(" · ")
}

pub(super) fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(viewed) = model.viewed() else { return };
    Text::from(lines(model, viewed, area.width)).render(area, buf);
}

fn lines(model: &Model, viewed: &Viewed, width: u16) -> Vec<Line<'static>> {
    let step = viewed.step();
    let returns = step.map(|step| step.returns).unwrap_or_default();
    let (name, reward) = reward(viewed);
    let earned = reward.map_or(Role::Dim, |reward| match super::earned(viewed, reward) {
        Role::Dim => Role::Text,
        role => role,
    });
    let mut lines = vec![
        row(model, name, &reward.map_or("–".into(), signed), earned, ""),
        row(model, "sum", &signed(returns.sum), Role::Text, ""),
        row(model, "best moment", &signed(returns.best), Role::Text, ""),
    ];
    lines.extend(optimum(model, viewed));
    lines.extend(score(model, viewed, width));
    lines.extend(by_published(model, viewed));
    lines.extend(way(model, viewed));
    lines
}

/// Lines the pane needs, its border included.
pub(crate) fn height(model: &Model) -> u16 {
    let shown = |is: fn(&Viewed) -> bool| if model.viewed().is_some_and(is) { 2 } else { 0 };
    9 + shown(|viewed| viewed.snapshot.published.is_some()) + shown(is_measured)
}

/// Whether there is anything to tell of the way to the goal.
fn is_measured(viewed: &Viewed) -> bool {
    !viewed.snapshot.distances.is_empty()
}

/// How far the goal is from the state that is looked at, or which step lost it, and what was wasted up to there.
fn way(model: &Model, viewed: &Viewed) -> Vec<Line<'static>> {
    let (distances, index) = (&viewed.snapshot.distances, viewed.index());
    if !is_measured(viewed) || viewed.step().is_none() {
        return Vec::new();
    }
    if distances.at(index) == Some(&Distance::Lost) {
        let (name, lost) = match distances.lost() {
            Some(0) => ("lost at", "start".to_owned()),
            Some(step) => ("lost by", format!("step {step}")),
            None => ("to go", "lost".to_owned()),
        };
        let before = distances.lost().and_then(|step| step.checked_sub(1)).and_then(|steps| {
            let wasted = distances.wasted(usize::try_from(steps).ok()?)?;
            Some(row(model, "wasted", &wasted.to_string(), Role::Text, " before"))
        });
        return [row(model, name, &lost, Role::MarkDead, "")].into_iter().chain(before).collect();
    }
    let (left, role) = match distances.at(index) {
        Some(Distance::ToGo(moves)) => (moves.to_string(), Role::Text),
        None if distances.is_awaited(index) => ("searching".to_owned(), Role::Dim),
        _ => ("unknown".to_owned(), Role::Dim),
    };
    let awaited = distances.is_awaited(index) || distances.is_awaited(0);
    let wasted = match distances.wasted(index) {
        Some(moves) => row(model, "wasted", &moves.to_string(), Role::Text, " so far"),
        None if awaited => row(model, "wasted", "…", Role::Dim, " so far"),
        None => row(model, "wasted", "unknown", Role::Dim, ""),
    };
    vec![row(model, "to go", &left, role, ""), wasted]
}

/// The score by what somebody else published as the best; the score above is by the true one.
fn by_published(model: &Model, viewed: &Viewed) -> Option<Line<'static>> {
    let found = viewed.snapshot.published.as_ref()?;
    Some(row(model, "by published", &plain(found.score), Role::Text, ""))
}

/// What the step earned; while it has earned nothing yet, what the one before did.
fn reward(viewed: &Viewed) -> (&'static str, Option<f64>) {
    let at = |index: usize| viewed.snapshot.steps.get(index)?.effect.as_ref().map(|effect| effect.reward);
    match (at(viewed.index()), viewed.index().checked_sub(1).and_then(at)) {
        (None, Some(before)) => ("last step", Some(before)),
        (here, _) => ("this step", here),
    }
}

fn row(model: &Model, name: &str, value: &str, role: Role, unit: &str) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{name:<NAME$}"), model.style(Role::Dim)),
        Span::styled(format!("{value:>7}"), model.style(role)),
        Span::styled(unit.to_owned(), model.style(Role::Dim)),
    ])
}

/// The best that can be reached and the fewest steps that reach it; and what was published as that.
fn optimum(model: &Model, viewed: &Viewed) -> Vec<Line<'static>> {
    let mut lines = match &viewed.snapshot.reference {
        Some(best) => vec![
            row(model, "optimum", &signed(best.best), Role::Text, ""),
            row(
                model,
                "  reached in",
                &best.steps.to_string(),
                Role::Text,
                if best.steps == 1 { " step" } else { " steps" },
            ),
        ],
        None => vec![row(model, "optimum", "unknown", Role::Dim, "")],
    };
    let published = viewed.snapshot.published.as_ref().map(|published| {
        let unit = format!(" in {}", published.reference.steps);
        row(model, "published", &signed(published.reference.best), Role::Text, &unit)
    });
    lines.extend(published);
    lines
}

/// The score belongs to the episode as it stands, also while an earlier step is looked at.
fn score(model: &Model, viewed: &Viewed, width: u16) -> Vec<Line<'static>> {
    let Some(score) = viewed.snapshot.score else {
        let (value, unit) = match viewed.snapshot.waiting.ending() {
            Some(Ending::Budget) => ("none", " budget"),
            _ => ("unknown", ""),
        };
        return vec![row(model, "score", value, Role::Dim, unit)];
    };
    let unit = if viewed.looks_back() { " now" } else { " of 100" };
    vec![row(model, "score", &visible(&plain(score)), Role::Title, unit), bar(model, score, width)]
}

fn bar(model: &Model, score: f64, width: u16) -> Line<'static> {
    let share = (score / 100.0).clamp(0.0, 1.0);
    let full = (1..=width).filter(|cell| f64::from(*cell) <= share * f64::from(width) + 0.5).count();
    let rest = usize::from(width) - usize::from(cells(full));
    Line::from(vec![
        Span::styled("━".repeat(full), model.style(Role::Bar)),
        Span::styled("╌".repeat(rest), model.style(Role::BarEmpty)),
    ])
}
