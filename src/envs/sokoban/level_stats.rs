//! Statistics of a level, by which level sets are compared: floor, shortest solution, and the scores of
//! doing nothing and of random play.

use super::board::{Board, Direction};
use super::generator::{GROUPS, Group, RoomRandom, Shape, Shortest, shortest};
use super::{Sokoban, rules, xsb};
use mageyard_domain::{Figure, FigureTable, Level, LevelFigures, LevelStatistics, Percentile, SearchBudget};

/// Steps of a random play (`MageBench`, the step limit).
const STEPS: usize = 50;
/// The score of optimal play.
const FULL_SCORE: f64 = 100.0;

/// The benchmark's step limit; longer solutions are counted separately.
const STEP_LIMIT: u32 = 50;

const ALL_PERCENTILES: &[Percentile] = &[Percentile::P10, Percentile::P50, Percentile::P90];

/// A figure of which only the mean is shown.
const fn mean(name: &'static str, title: &'static str, table: FigureTable) -> Figure {
    Figure { name, title, table, percentiles: &[], maximum: false, share: false }
}

const FIGURES: [Figure; 6] = [
    Figure { percentiles: ALL_PERCENTILES, maximum: true, ..mean("moves", "moves", FigureTable::Solutions) },
    Figure { share: true, ..mean("long", "over 50", FigureTable::Solutions) },
    Figure {
        percentiles: &[Percentile::P10, Percentile::P90],
        ..mean("floor", "floor", FigureTable::Others)
    },
    mean("pushes", "pushes", FigureTable::Solutions),
    mean("idle", "idle score", FigureTable::Others),
    mean("random", "random score", FigureTable::Others),
];

impl LevelStatistics for Sokoban {
    fn figures(&self) -> &'static [Figure] {
        &FIGURES
    }

    fn groups(&self) -> Vec<&'static str> {
        GROUPS.iter().map(|group| group.name).collect()
    }

    fn measure(
        &self,
        level: &Level,
        plays: u32,
        seed: u64,
        budget: SearchBudget<'_>,
    ) -> Option<LevelFigures> {
        let LevelStats { group, floor, shortest, idle, random } = LevelStats::of(level, seed, plays, budget)?;
        let long = |moves: u32| if moves > STEP_LIMIT { 1.0 } else { 0.0 };
        let values = vec![
            shortest.map(|shortest| f64::from(shortest.moves)),
            shortest.map(|shortest| long(shortest.moves)),
            Some(f64::from(u32::try_from(floor).unwrap_or(u32::MAX))),
            shortest.map(|shortest| f64::from(shortest.pushes)),
            idle,
            random,
        ];
        Some(LevelFigures { group: group.map(|group| group.name), solved: shortest.is_some(), values })
    }
}

/// The statistics of one level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelStats {
    /// The group of its shape.
    group: Option<&'static Group>,
    /// Squares that the player could reach if there were no boxes.
    floor: usize,
    /// The shortest solution; `None` where the solver gave up or there is none.
    shortest: Option<Shortest>,
    /// The score of doing nothing; known when the shortest solution is.
    idle: Option<f64>,
    /// The mean score of random plays of 50 uniform draws.
    random: Option<f64>,
}

impl LevelStats {
    /// Computes the statistics, with `plays` random plays; `None` for a text that is not a level.
    fn of(level: &Level, seed: u64, plays: u32, bounds: SearchBudget<'_>) -> Option<Self> {
        let board = xsb::read_one(level.text()).ok()?;
        let ground = &board.ground;
        let boxes = u8::try_from(board.boxes().len()).unwrap_or(u8::MAX);
        let shape = Shape::new(ground.rows, ground.columns, boxes).ok();
        let floor = ground.squares().filter(|square| ground.is_inside(*square)).count();
        let shortest = shortest(&board, bounds);
        let idle = shortest.map(|shortest| {
            let moves = usize::try_from(shortest.moves).unwrap_or(usize::MAX);
            FULL_SCORE - rules::points(rules::solution_half_points(&board, moves))
        });
        let mut draw = RoomRandom::for_play(seed, level.text());
        let mut total = 0;
        for _ in 0..plays {
            total += random_play(board.clone(), &mut draw);
        }
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
    let mut sum = 0;
    let mut best = 0;
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
