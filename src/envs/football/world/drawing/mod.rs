//! The pitch in cells, for people: lines, players with the numbers of their shirts (`o` own, `x` opponents, `@` the
//! controlled one), the ball `*`, where it was in the last decision, and the action.

mod arrow;
mod ground;
mod labels;
#[cfg(test)]
mod tests;

use serde_json::Value;

use self::ground::Pitch;
use crate::{EngineAction, FRAME_LIMIT, FrameState, Sticky};
use mageyard_domain::{Action, CellDrawing, CellGrid, CellRole, Glyph};

/// A place in public units.
type Place = [f64; 2];

/// What the symbols mean, with the least columns for it, and the least rows.
const LEGENDS: [(u16, &str); 2] = [
    (48, "@ controlled  o own  x opponent  * ball  • trail"),
    (39, "@ controlled  o own  x opponent  * ball"),
];
const LEGEND_ROWS: u16 = 12;

/// Who is where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PitchDrawing {
    /// The words above the pitch; empty for none.
    title: String,
    left: Vec<Place>,
    right: Vec<Place>,
    ball: Place,
    active: usize,
    sticky: Sticky,
    /// Where the ball was, in order.
    trail: Vec<Place>,
}

impl PitchDrawing {
    /// A state, and where the ball was before it.
    pub(crate) fn of(state: &FrameState, trail: Vec<Place>) -> Self {
        let [own, theirs] = state.score;
        let frames = FRAME_LIMIT.saturating_sub(state.steps_left.saturating_sub(1));
        Self {
            title: format!("frame {frames} of {FRAME_LIMIT} · {own}:{theirs}{}", held(state.sticky)),
            left: state.left.positions().to_vec(),
            right: state.right.positions().to_vec(),
            ball: [state.ball[0], state.ball[1]],
            active: state.active,
            sticky: state.sticky,
            trail,
        }
    }

    /// The places of the facts of a state; `None` if they are not those of a game.
    pub(crate) fn of_facts(facts: &Value) -> Option<Self> {
        let [x, y, _] = serde_json::from_value::<[f64; 3]>(facts.get("ball")?.clone()).ok()?;
        let team = |name: &str| serde_json::from_value(facts.get(name)?.clone()).ok();
        let active = usize::try_from(facts.get("active")?.as_u64()?).ok()?;
        Some(Self {
            title: String::new(),
            left: team("left_team")?,
            right: team("right_team")?,
            ball: [x, y],
            active,
            sticky: Sticky::default(),
            trail: Vec::new(),
        })
    }

    /// The same drawing with these words before its title.
    pub(crate) fn titled(self, words: &str) -> Self {
        Self { title: format!("{words} · {}", self.title), ..self }
    }

    /// Who is where, the most important first.
    fn players(&self) -> impl Iterator<Item = (Place, Glyph, usize)> + '_ {
        let own = self.left.iter().enumerate().filter(|(slot, _)| *slot != self.active);
        let active = self.left.get(self.active).map(|place| (*place, Glyph::Agent, self.active));
        let opponents = self.right.iter().enumerate().map(|(slot, place)| (*place, Glyph::Opponent, slot));
        active.into_iter().chain(opponents).chain(own.map(|(slot, place)| (*place, Glyph::Teammate, slot)))
    }
}

impl CellDrawing for PitchDrawing {
    fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid {
        let has_title = !self.title.is_empty() && rows >= 8;
        let legend = LEGENDS.iter().find(|(least, _)| *least <= columns && LEGEND_ROWS <= rows);
        let words = u16::from(has_title) + u16::from(legend.is_some());
        let pitch = Pitch::fitted(columns, rows.saturating_sub(words), has_title);
        let mut grid = CellGrid::new(pitch.size()[0], pitch.size()[1] + words);
        let width = i32::from(pitch.size()[0]);
        if has_title {
            grid.write((0, 0), width, &self.title, CellRole::Note);
        }
        pitch.draw(&mut grid);
        for place in &self.trail {
            let [x, y] = pitch.cell(*place);
            grid.put(x, y, '•', CellRole::Trail);
        }
        let action = action.and_then(|action| EngineAction::named(&action.name));
        let way = action.and_then(|action| arrow::Way::of(self, action));
        let tip = way.and_then(|way| way.draw(&pitch, &mut grid));
        labels::draw(self, &pitch, tip, &mut grid);
        if let Some(action) = action.filter(|_| way.is_none()) {
            arrow::name(self, &pitch, action, &mut grid);
        }
        if let Some((_, legend)) = legend {
            let last = i32::from(pitch.size()[1]) + i32::from(has_title);
            grid.write((0, last), width, legend, CellRole::Note);
        }
        grid
    }
}

/// ` · held: right, sprint`; empty if nothing is held.
fn held(sticky: Sticky) -> String {
    let direction = sticky.direction().map(arrow::words);
    let flags = [(sticky.sprint(), "sprint"), (sticky.dribble(), "dribble")];
    let flags = flags.into_iter().filter(|(on, _)| *on).map(|(_, name)| name.to_owned());
    let all: Vec<String> = direction.into_iter().chain(flags).collect();
    if all.is_empty() { String::new() } else { format!(" · held: {}", all.join(", ")) }
}

/// The number on a shirt.
fn shirt(slot: usize) -> String {
    (slot + 1).to_string()
}

/// The symbol of a player.
fn symbol(glyph: Glyph) -> char {
    match glyph {
        Glyph::Agent => '@',
        Glyph::Opponent => 'x',
        _ => 'o',
    }
}
