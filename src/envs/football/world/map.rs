//! The pitch as letters: own players `a` to `k`, opponents `A` to `K`, the controlled one `@`, the ball `*` where it is
//! alone; `[` and `]` are the goals. In the text of an observation a character is 2.5 m wide and 5.1 m high; viewers
//! draw the map in the size of their pane, with those who share a place side by side.

use serde_json::Value;

use crate::{FrameState, Team};
use mageyard_domain::{FittedText, Glyph};

/// The columns between the lines in the text of an observation, and its rows.
const COLUMNS: usize = 44;
const ROWS: usize = 14;
/// The least columns in which players can be told apart.
const LEAST_COLUMNS: usize = 24;
/// A cell where there is nothing.
const GRASS: u8 = b'.';
/// Columns of both lines.
const EDGES: usize = 2;
/// The lines in public units.
const LINES: [f64; 2] = [1.011, 0.4306];

/// A place in public units.
type Place = [f64; 2];

/// Who is where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PitchMap {
    left: Vec<Place>,
    right: Vec<Place>,
    ball: Place,
    active: usize,
}

impl PitchMap {
    /// The map of a state.
    pub(crate) fn of(state: &FrameState) -> Self {
        let [x, y, _] = state.ball;
        Self {
            left: state.left.positions().to_vec(),
            right: state.right.positions().to_vec(),
            ball: [x, y],
            active: state.active,
        }
    }

    /// The map of the facts of a state; `None` if they are not those of a game.
    pub(crate) fn of_facts(facts: &Value) -> Option<Self> {
        let [x, y, _] = serde_json::from_value::<[f64; 3]>(facts.get("ball")?.clone()).ok()?;
        let team = |name: &str| serde_json::from_value(facts.get(name)?.clone()).ok();
        let active = usize::try_from(facts.get("active")?.as_u64()?).ok()?;
        Some(Self { left: team("left_team")?, right: team("right_team")?, ball: [x, y], active })
    }

    /// The map in the size that observations have.
    pub(crate) fn text(&self) -> String {
        let mut cells = Cells::new(COLUMNS, ROWS);
        // The later one covers the earlier one.
        for (place, letter) in self.letters().into_iter().rev() {
            cells.put(place, letter);
        }
        cells.text()
    }

    /// Who is where, the most important first.
    fn letters(&self) -> Vec<(Place, u8)> {
        let mut letters = Vec::new();
        letters.extend(self.left.get(self.active).map(|place| (*place, b'@')));
        for (team, places) in [(Team::Left, &self.left), (Team::Right, &self.right)] {
            let letter = |(slot, place): (usize, &Place)| (*place, letter_byte(team, slot));
            let all = places.iter().enumerate().map(letter).rev();
            letters.extend(all.filter(|(_, letter)| *letter != letter_byte(Team::Left, self.active)));
        }
        letters.push((self.ball, b'*'));
        letters
    }
}

impl FittedText for PitchMap {
    /// A wide pane with few rows has the size of the text; only more rows make the map larger.
    fn draw(&self, columns: usize, rows: usize) -> String {
        let pairs = (rows / 2).max(ROWS / 2);
        let columns = columns.saturating_sub(EDGES).min(pairs * 2 * COLUMNS / ROWS).max(LEAST_COLUMNS);
        let mut cells = Cells::new(columns, rows_of(columns));
        for (place, letter) in self.letters() {
            cells.put_beside(place, letter);
        }
        cells.text()
    }

    fn glyph(&self, character: char) -> Option<Glyph> {
        match character {
            '@' => Some(Glyph::Agent),
            '*' => Some(Glyph::Ball),
            '.' => Some(Glyph::Floor),
            '|' | '[' | ']' => Some(Glyph::Obstacle),
            _ if character.is_ascii_lowercase() => Some(Glyph::Teammate),
            _ if character.is_ascii_uppercase() => Some(Glyph::Opponent),
            _ => None,
        }
    }
}

/// The characters between the lines.
struct Cells {
    rows: Vec<Vec<u8>>,
    columns: usize,
}

impl Cells {
    fn new(columns: usize, rows: usize) -> Self {
        Self { rows: vec![vec![GRASS; columns]; rows], columns }
    }

    /// Row and column of a place.
    fn at(&self, [x, y]: Place) -> [usize; 2] {
        [cell(y, LINES[1], self.rows.len()), cell(x, LINES[0], self.columns)]
    }

    fn put(&mut self, place: Place, letter: u8) {
        let [row, column] = self.at(place);
        self.rows[row][column] = letter;
    }

    /// Puts a letter at its place, or beside it if that is taken.
    fn put_beside(&mut self, place: Place, letter: u8) {
        const BESIDE: [[isize; 2]; 9] =
            [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]];
        let [row, column] = self.at(place);
        for [down, right] in BESIDE {
            let Some(row) = row.checked_add_signed(down).and_then(|row| self.rows.get_mut(row)) else {
                continue;
            };
            let cell = column.checked_add_signed(right).and_then(|column| row.get_mut(column));
            if let Some(free) = cell.filter(|cell| **cell == GRASS) {
                *free = letter;
                return;
            }
        }
    }

    fn text(&self) -> String {
        let middle = self.rows.len() / 2;
        let row = |(index, cells): (usize, &Vec<u8>)| {
            let is_goal = index == middle || index + 1 == middle;
            let [left, right] = if is_goal { ['[', ']'] } else { ['|', '|'] };
            format!("{left}{}{right}\n", String::from_utf8_lossy(cells))
        };
        self.rows.iter().enumerate().map(row).collect()
    }
}

/// The rows of a map with so many columns, in the proportions of the text; an even number, for the goals are in the
/// middle.
fn rows_of(columns: usize) -> usize {
    (columns * ROWS + COLUMNS) / (2 * COLUMNS) * 2
}

/// The letter of a player.
pub(super) fn letter(team: Team, slot: usize) -> char {
    char::from(letter_byte(team, slot))
}

fn letter_byte(team: Team, slot: usize) -> u8 {
    let first = match team {
        Team::Left => b'a',
        Team::Right => b'A',
    };
    first + u8::try_from(slot.min(25)).unwrap_or(0)
}

/// The cell of a place between two lines; outside of them the nearest one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
fn cell(value: f64, line: f64, cells: usize) -> usize {
    let share = ((value + line) / (2.0 * line)).clamp(0.0, 1.0);
    #[expect(clippy::cast_precision_loss, reason = "a few cells")]
    let at = (share * cells as f64) as usize;
    at.min(cells - 1)
}

#[cfg(test)]
mod tests {
    use Glyph as G;

    use super::*;

    fn map() -> PitchMap {
        PitchMap {
            left: vec![[-0.98, 0.0], [0.1, 0.2], [0.5, -0.4]],
            right: vec![[0.98, 0.0], [0.3, 0.1]],
            ball: [0.7, 0.3],
            active: 1,
        }
    }

    /// Columns and rows of a drawing.
    fn size(text: &str) -> (usize, usize) {
        assert!(text.lines().all(|line| line.len() == text.lines().next().unwrap().len()), "{text}");
        (text.lines().next().unwrap().len(), text.lines().count())
    }

    #[test]
    fn the_map_of_a_text_has_its_usual_size() {
        assert_eq!(size(&map().text()), (46, 14));
        assert_eq!(map().draw(46, 9), map().text(), "a pane with few rows is scrolled");
    }

    #[test]
    fn a_narrow_map_has_everybody() {
        for (columns, rows) in [(38, 20), (30, 20), (26, 4)] {
            let text = map().draw(columns, rows);
            assert!(size(&text).0 <= columns, "{text}");
            let letters: String = text.chars().filter(|c| c.is_alphabetic() || "@*".contains(*c)).collect();
            let mut letters: Vec<char> = letters.chars().collect();
            letters.sort_unstable();
            assert_eq!(letters, ['*', '@', 'A', 'B', 'a', 'c'], "{text}");
        }
        assert_eq!([size(&map().draw(38, 20)), size(&map().draw(9, 9))], [(38, 12), (26, 8)]);
    }

    #[test]
    fn those_who_share_a_place_are_side_by_side_in_a_pane_and_covered_in_the_text() {
        let at = [0.1, 0.2];
        let together =
            PitchMap { left: vec![[-0.98, 0.0], at], right: vec![[0.98, 0.0], at], ball: at, active: 1 };
        let drawn = together.draw(46, 14);
        assert!(drawn.contains(".*@B."), "{drawn}");
        let text = together.text();
        assert!(text.contains(".@.") && !text.contains('B') && !text.contains('*'), "{text}");
    }

    #[test]
    fn a_large_pane_has_a_large_map_in_the_same_proportions() {
        assert_eq!(size(&map().draw(120, 31)), (96, 30));
        assert_eq!(size(&map().draw(60, 40)), (60, 18));
    }

    #[test]
    fn the_goals_are_in_the_middle_and_characters_have_a_meaning() {
        let text = map().draw(38, 20);
        let goals: Vec<usize> =
            (0..12).filter(|row| text.lines().nth(*row).unwrap().starts_with('[')).collect();
        assert_eq!(goals, [5, 6]);
        let meaning = ['@', 'a', 'K', '*', '.', '['].map(|c| map().glyph(c));
        assert_eq!(meaning, [G::Agent, G::Teammate, G::Opponent, G::Ball, G::Floor, G::Obstacle].map(Some));
    }

    #[test]
    fn facts_have_the_same_map() {
        let facts = serde_json::json!({
            "ball": [0.7, 0.3, 0.11], "active": 1,
            "left_team": [[-0.98, 0.0], [0.1, 0.2], [0.5, -0.4]], "right_team": [[0.98, 0.0], [0.3, 0.1]],
        });
        assert_eq!(PitchMap::of_facts(&facts), Some(map()));
        assert_eq!(PitchMap::of_facts(&serde_json::json!({"board": "#"})), None);
    }
}
