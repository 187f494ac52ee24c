//! A text observation that is a grid of squares: characters in the colors of their meaning, two columns per
//! square. A grid that is larger than the pane is shown in part, around the agent unless it was panned.

use std::collections::HashSet;

use ratatui::layout::Size;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::claims;
use crate::model::{ClaimMark, EpisodeView, Model};
use mageyard_domain::{CellGrid, CellRole, Glyph, Picture, PixelBox};
use mageyard_engine::Step;
use mageyard_terminal::{StyleRole, to_cells};

/// Columns per square.
const SQUARE: usize = 2;

/// The squares of a grid, cropped to those that are not floor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Board {
    rows: Vec<Vec<(char, Glyph)>>,
    columns: usize,
    /// The squares that have changed since the step before, if that is compared.
    changed: HashSet<(usize, usize)>,
    /// The rows and columns of the whole text, and those before the cropped ones.
    whole: (usize, usize),
    before: (usize, usize),
    /// The squares that a wrong claim is about.
    claimed: Vec<((usize, usize), ClaimMark)>,
}

/// The part of a grid that is shown, in squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Viewport {
    left: usize,
    top: usize,
    columns: usize,
    rows: usize,
}

/// Number of squares outside the viewport on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hidden {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) up: usize,
    pub(crate) down: usize,
}

impl Board {
    /// The grid of the shown step; `None` if the environment's text is not a grid.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let viewed = model.episode()?;
        let mut grid = Self::of_step(viewed, viewed.step()?)?;
        if let Some(earlier) = model.earlier_step().filter(|_| model.compares_frames()) {
            grid.compare(Self::of_step(viewed, earlier));
        }
        if let Some((_, picture)) = viewed.step()?.observation.images().next() {
            let marks = model.claim_marks().into_iter();
            grid.claimed = marks
                .filter_map(|(mark, shape)| Some((grid.square_of(picture, claims::place_of(shape))?, mark)))
                .collect();
        }
        Some(grid)
    }

    /// The square that a part of a picture of the whole grid shows; `None` unless the picture has squares of one size for all
    /// columns and rows.
    fn square_of(&self, picture: &Picture, part: PixelBox) -> Option<(usize, usize)> {
        let side = |pixels: u32, squares: usize| {
            let squares = u32::try_from(squares).ok().filter(|squares| *squares > 0)?;
            pixels.is_multiple_of(squares).then_some(pixels / squares)
        };
        let (rows, columns) = self.whole;
        let wide = side(picture.width(), columns)?;
        let is_square = side(picture.height(), rows) == Some(wide) && wide > 0;
        let along = |start: i64, length: u32, before: usize, count: usize| {
            let middle = start + i64::from(length / 2);
            let at = usize::try_from(middle.div_euclid(wide.into())).ok()?;
            at.checked_sub(before).filter(|at| *at < count)
        };
        let x = along(part.left, part.width, self.before.1, self.columns)?;
        let y = along(part.top, part.height, self.before.0, self.rows.len())?;
        is_square.then_some((x, y))
    }

    /// The grid of a step of this episode.
    pub(super) fn of_step(viewed: &EpisodeView, step: &Step) -> Option<Self> {
        Self::of_text(step.observation.text(), viewed.snapshot.presentation.glyphs)
    }

    /// The grid that a text of an observation begins with, in characters of these meanings.
    pub(crate) fn of_text(text: &str, glyphs: &[(char, Glyph)]) -> Option<Self> {
        Self::parse(text.split_once("\n\n").map_or(text, |(board, _)| board), glyphs)
    }

    /// Remembers which squares differ from those of an earlier grid: all if it has another size.
    fn compare(&mut self, earlier: Option<Self>) {
        let earlier =
            earlier.filter(|grid| grid.columns == self.columns && grid.rows.len() == self.rows.len());
        let rows = self.rows.iter().enumerate();
        let squares = rows.flat_map(|(y, row)| row.iter().enumerate().map(move |(x, square)| (x, y, square)));
        let differs = |x: usize, y: usize, square: &(char, Glyph)| {
            let before = earlier.as_ref().and_then(|grid| grid.rows.get(y)?.get(x));
            before.is_none_or(|before| before.0 != square.0)
        };
        let changed = squares.filter(|(x, y, square)| differs(*x, *y, square));
        self.changed = changed.map(|(x, y, _)| (x, y)).collect();
    }

    fn parse(text: &str, glyphs: &[(char, Glyph)]) -> Option<Self> {
        let floor = glyphs.iter().find(|(_, glyph)| *glyph == Glyph::Floor)?;
        let square = |c: char| glyphs.iter().find(|(known, _)| *known == c).copied();
        let mut rows: Vec<Vec<(char, Glyph)>> =
            text.lines().map(|line| line.chars().map(square).collect()).collect::<Option<_>>()?;
        let columns = rows.iter().map(Vec::len).max()?;
        let whole = (rows.len(), columns);
        for row in &mut rows {
            row.resize(columns, *floor);
        }
        let is_floor = |square: &(char, Glyph)| square.1 == Glyph::Floor;
        let used = |column: &usize| rows.iter().any(|row| row.get(*column).is_some_and(|one| !is_floor(one)));
        let first = (0..columns).find(used)?;
        let last = (0..columns).rfind(used)?;
        let top = rows.iter().position(|row| !row.iter().all(is_floor))?;
        let bottom = rows.iter().rposition(|row| !row.iter().all(is_floor))?;
        let rows = rows.get(top..=bottom)?.iter().map(|row| row[first..=last].to_vec()).collect();
        let columns = last - first + 1;
        Some(Self {
            rows,
            columns,
            changed: HashSet::new(),
            whole,
            before: (top, first),
            claimed: Vec::new(),
        })
    }

    /// Whether all of the grid fits into a pane of this size.
    pub(super) fn fits(&self, room: Size) -> bool {
        self.columns * SQUARE <= room.width.into() && self.rows.len() <= room.height.into()
    }

    fn agent(&self) -> Option<(usize, usize)> {
        self.rows
            .iter()
            .enumerate()
            .find_map(|(y, row)| row.iter().position(|(_, glyph)| glyph.is_agent()).map(|x| (x, y)))
    }

    /// The part that a pane of this size shows: around the agent, moved by `pan` squares.
    pub(crate) fn viewport(&self, room: Size, pan: (isize, isize)) -> Viewport {
        let columns = self.columns.min(usize::from(room.width) / SQUARE);
        let rows = self.rows.len().min(room.height.into());
        let (x, y) = self.agent().unwrap_or((self.columns / 2, self.rows.len() / 2));
        let start = |agent: usize, shown: usize, all: usize, pan: isize| {
            agent.saturating_sub(shown / 2).min(all - shown).saturating_add_signed(pan).min(all - shown)
        };
        let left = start(x, columns, self.columns, pan.0);
        Viewport { left, top: start(y, rows, self.rows.len(), pan.1), columns, rows }
    }

    /// How many squares a viewport does not show.
    pub(super) fn hidden(&self, view: Viewport) -> Hidden {
        Hidden {
            left: view.left,
            right: self.columns - view.left - view.columns,
            up: view.top,
            down: self.rows.len() - view.top - view.rows,
        }
    }

    /// The squares of a viewport as cells.
    pub(crate) fn cells(&self, view: Viewport) -> CellGrid {
        let mut grid = CellGrid::new(to_cells(view.columns * SQUARE), to_cells(view.rows));
        for (row, y) in self.rows.iter().skip(view.top).take(view.rows).zip(0..) {
            for ((c, glyph), x) in row.iter().skip(view.left).take(view.columns).zip((0..).step_by(SQUARE)) {
                let both = if *glyph == Glyph::Obstacle { 2 } else { 1 };
                for column in x..x + both {
                    grid.put(column, y, *c, CellRole::Thing(*glyph));
                }
            }
        }
        grid
    }

    /// The lines of a viewport, centered in `width` columns.
    pub(super) fn lines(&self, model: &Model, view: Viewport, width: u16) -> Vec<Line<'static>> {
        let indent = usize::from(width).saturating_sub(view.columns * SQUARE) / 2;
        let shown = self.rows.iter().enumerate().skip(view.top).take(view.rows);
        let line = |(y, row): (usize, &Vec<(char, Glyph)>)| {
            let squares = row.iter().enumerate().skip(view.left).take(view.columns);
            let spans = squares.flat_map(|(x, (c, glyph))| {
                let span = square(model, *c, *glyph);
                let changed = self.changed.contains(&(x, y));
                let span = if changed { span.patch_style(Modifier::REVERSED) } else { span };
                let claimed = self.claimed.iter().rfind(|(at, _)| *at == (x, y));
                claimed.map_or_else(|| vec![span.clone()], |(_, mark)| marked_square(model, *c, &span, *mark))
            });
            Line::from([Span::raw(" ".repeat(indent))].into_iter().chain(spans).collect::<Vec<_>>())
        };
        shown.map(line).collect()
    }
}

/// A square; an obstacle fills both columns, so that walls look solid.
fn square(model: &Model, c: char, glyph: Glyph) -> Span<'static> {
    let second = if glyph == Glyph::Obstacle { c } else { ' ' };
    Span::styled(String::from_iter([c, second]), model.style(style_role(glyph)))
}

/// A square with the sign of a wrong claim in its second column.
fn marked_square(model: &Model, c: char, span: &Span<'static>, mark: ClaimMark) -> Vec<Span<'static>> {
    let style = model.style(mark.role()).add_modifier(Modifier::BOLD);
    vec![Span::styled(c.to_string(), span.style), Span::styled(mark.sign(), style)]
}

/// The style of a character with this meaning.
pub(crate) fn style_role(glyph: Glyph) -> StyleRole {
    match glyph {
        Glyph::Obstacle => StyleRole::BoardObstacle,
        Glyph::Agent | Glyph::AgentOnGoal => StyleRole::BoardAgent,
        Glyph::Goal => StyleRole::BoardGoal,
        Glyph::Object => StyleRole::BoardObject,
        Glyph::ObjectOnGoal => StyleRole::BoardSolved,
        Glyph::Teammate => StyleRole::BoardTeammate,
        Glyph::Opponent => StyleRole::BoardOpponent,
        Glyph::Ball => StyleRole::BoardBall,
        Glyph::Floor => StyleRole::Dim,
    }
}

impl Hidden {
    /// `outside: ← 3 → 12 ↓ 4`; empty if everything is shown.
    pub(super) fn text(self) -> String {
        let sides = [("←", self.left), ("→", self.right), ("↑", self.up), ("↓", self.down)];
        let parts: Vec<String> = sides
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(arrow, count)| format!("{arrow} {count}"))
            .collect();
        if parts.is_empty() { String::new() } else { format!("outside: {}", parts.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::testing;
    use mageyard_domain::{Observation, Presentation};
    use mageyard_engine::Snapshot;

    const GLYPHS: &[(char, Glyph)] =
        &[('#', Glyph::Obstacle), ('@', Glyph::Agent), ('.', Glyph::Goal), (' ', Glyph::Floor)];

    /// A model that shows a square board of this side, with the agent at `x`, `y` and blank columns before it.
    fn model(side: usize, x: usize, y: usize, width: u16, height: u16) -> Model {
        let wall = format!("   {}", "#".repeat(side));
        let inner = format!("   #{}#", " ".repeat(side - 2));
        let mut rows = vec![inner; side];
        (rows[0], rows[side - 1]) = (wall.clone(), wall);
        rows[y].replace_range(x + 3..x + 4, "@");
        let text = format!("{}\n\n@ is the agent", rows.join("\n"));
        let told = testing::sample_episode().snapshot();
        let step =
            Step { observation: Observation::from_parts(vec![], text, ()), ..Step::clone(&told.steps[6]) };
        let mut steps = told.steps.clone();
        *steps.get_mut(6).unwrap() = step.into();
        testing::model_of(
            {
                let base = told;
                Snapshot { steps, presentation: Presentation { glyphs: GLYPHS, ..base.presentation }, ..base }
            },
            width,
            height,
        )
    }

    fn text(board: &Board, model: &Model, view: Viewport) -> String {
        let lines = board.lines(model, view, 20);
        let lines: Vec<String> = lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }

    #[test]
    fn a_small_board_is_cropped_and_two_columns_wide() {
        let model = model(4, 1, 2, 120, 40);
        let board = Board::of(&model).unwrap();
        let view = board.viewport(Size::new(20, 10), (0, 0));
        assert!(board.fits(Size::new(20, 10)));
        let walls = "      ########\n";
        assert_eq!(text(&board, &model, view), format!("{walls}      ##    ##\n      ##@   ##\n{walls}"));
        assert_eq!(board.hidden(view).text(), "");
    }

    #[test]
    fn a_large_board_shows_the_agent_and_counts_the_rest() {
        for (x, y) in [(1, 1), (15, 15), (28, 28), (28, 1), (1, 28)] {
            let model = model(30, x, y, 120, 40);
            let board = Board::of(&model).unwrap();
            let room = Size::new(20, 10);
            let view = board.viewport(room, (0, 0));
            assert!(!board.fits(room) && text(&board, &model, view).contains('@'), "{x} {y}");
            let hidden = board.hidden(view);
            assert_eq!((hidden.left + hidden.right, hidden.up + hidden.down), (20, 20));
        }
    }

    #[test]
    fn panning_stops_at_the_edges() {
        let model = model(30, 15, 15, 120, 40);
        let board = Board::of(&model).unwrap();
        let room = Size::new(20, 10);
        let at = |pan| board.hidden(board.viewport(room, pan)).text();
        assert_eq!(at((0, 0)), "outside: ← 10 → 10 ↑ 10 ↓ 10");
        assert_eq!(at((-3, 4)), "outside: ← 7 → 13 ↑ 14 ↓ 6");
        assert_eq!(at((-99, 99)), "outside: → 20 ↑ 20");
    }

    #[test]
    fn a_text_with_other_characters_is_not_a_board() {
        let mut model = model(4, 1, 2, 120, 40);
        let snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        model.episodes[0].snapshot = {
            let base = snapshot;
            Snapshot { presentation: Presentation { glyphs: &GLYPHS[1..], ..base.presentation }, ..base }
        }
        .into();
        assert!(Board::of(&model).is_none(), "a wall has no meaning");
    }

    #[test]
    fn arrows_pan_a_board_beyond_the_pane_and_zoom_shows_more_of_it() {
        use crate::update::{Msg, update};
        let press = |model: &mut Model, keys: &str| {
            for key in keys.split(' ') {
                update(model, Msg::Key(testing::key(key)));
            }
        };
        let mut model = model(60, 30, 30, 80, 24);
        let screen = |model: &Model| crate::offscreen::render(model);
        let text = |model: &Model| -> String {
            let buffer = screen(model);
            buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
        };
        assert!(text(&model).contains("outside: ← 21 → 20 ↑ 21 ↓ 20"), "{}", text(&model));
        press(&mut model, "left up");
        assert_eq!((model.frame.pan, model.episodes[0].cursor), ((-3, -3), None));
        assert!(text(&model).contains("outside: ← 18 → 23 ↑ 18 ↓ 23"), "{}", text(&model));
        press(&mut model, "9 9 right z");
        assert_eq!((model.frame.pan, model.panes.zoomed), ((0, 0), true));
        assert!(text(&model).contains("outside: ← 11 → 10 ↑ 21 ↓ 20"), "{}", text(&model));
        let agent = screen(&model).content.iter().find(|cell| cell.symbol() == "@").cloned().unwrap();
        assert_eq!(agent.fg, model.style(StyleRole::BoardAgent).fg.unwrap());
    }
}
