//! Statistics of a level, by which level sets are compared: floor, shortest solution, and the scores of
//! doing nothing and of random play.

use super::board::Board;
use super::board::Direction;
use super::generator::Group;
use super::generator::RoomRandom;
use super::generator::Shape;
use super::generator::Shortest;
use super::generator::shortest;
use super::rules;
use super::xsb;
use crate::domain::Level;
use crate::domain::SearchBudget;

/// Steps of a random play (`MageBench`, the step limit).
const STEPS: usize = 50;
/// The score of optimal play.
const FULL_SCORE: f64 = 100.0;

/// The statistics of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelStats {
    /// The group of its shape.
    pub group: Option<&'static Group>,
    /// Squares that the player could reach if there were no boxes.
    pub floor: usize,
    /// The shortest solution; `None` where the solver gave up or there is none.
    pub shortest: Option<Shortest>,
    /// The score of doing nothing; known when the shortest solution is.
    pub idle: Option<f64>,
    /// The mean score of random plays of 50 uniform draws.
    pub random: Option<f64>,
}

impl LevelStats {
    /// Computes the statistics, with `plays` random plays; `None` for a text that is not a level.
    pub fn of(level: &Level, seed: u64, plays: u32, bounds: SearchBudget<'_>) -> Option<Self> {
        let board = xsb::read_one(level.text()).ok()?;
        let ground = &board.ground;
        let boxes = u8::try_from(board.boxes().len()).unwrap_or(u8::MAX);
        let shape = Shape::new(ground.rows, ground.columns, boxes).ok();
        let floor = ground.squares().filter(|square| ground.is_inside(*square)).count();
        let shortest = shortest(&board, bounds).ok();
        let idle = shortest
            .map(|shortest| FULL_SCORE - rules::points(rules::solution_half_points(&board, shortest.moves)));
        let mut draw = RoomRandom::for_play(seed, level.text());
        let mut total = 0;
        (0..plays).for_each(|_| total += random_play(board.clone(), &mut draw));
        let mean = rules::points(total) / f64::from(plays.max(1));
        Some(Self {
            group: shape.and_then(Shape::group),
            floor,
            shortest,
            idle,
            random: idle.map(|idle| idle + mean),
        })
    }
}

/// The best cumulative half points of one random play.
fn random_play(mut board: Board, draw: &mut RoomRandom) -> i32 {
    let (mut sum, mut best) = (0, 0);
    for _ in 0..STEPS {
        sum += board.step(Direction::ALL[draw.below(Direction::ALL.len())]).half_points;
        best = best.max(sum);
        if board.is_solved() {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn figures(text: &str, plays: u32) -> LevelStats {
        let level = Level::from_text(1, None, text);
        LevelStats::of(&level, 7, plays, SearchBudget::with_states(100_000, &AtomicBool::new(false))).unwrap()
    }

    #[test]
    fn known_levels_have_known_statistics() {
        let one = figures("#####\n#@$.#\n#####", 200);
        assert_eq!((one.group, one.floor), (None, 3));
        assert_eq!(one.shortest, Some(Shortest { moves: 1, pushes: 1 }));
        // Optimal play earns 54.5; fifty draws of four hardly ever miss the one push, and each costs half a
        // point.
        assert_eq!(one.idle, Some(45.5));
        assert!((97.0..99.9).contains(&one.random.unwrap()), "{:?}", one.random);
        assert_eq!(figures("#####\n#@$.#\n#####", 200), one, "the same seed, the same draws");
        let lost = figures("#####\n#@ $#\n# . #\n#####", 3);
        assert_eq!((lost.shortest, lost.idle, lost.random), (None, None, None));
    }
}
