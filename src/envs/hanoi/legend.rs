//! What pictures show, for prompts.

use super::options;
use super::palette::Style;
use mageyard_domain::Options;

/// The legends of a style: with numbers and goal, with numbers, with the goal, and with neither.
macro_rules! legends {
    ($table:literal, $numbers:literal, $goal:literal) => {
        [concat!($table, $numbers, $goal), concat!($table, $numbers), concat!($table, $goal), $table]
    };
}

const WOOD: [&str; 4] = legends!(
    "the three dark mats on the wooden table are the regions. The letter of each region is in front of its mat; the \
     letter and the edge of region C are golden. The coloured slabs are books that lie on top of each other. The \
     larger a book is, the wider it is drawn",
    ". Each book has its number on its spine: 1 is the smallest book",
    ". A second image beside the first one shows the goal"
);

const CONTRAST: [&str; 4] = legends!(
    "the three black rectangles with a white or yellow edge are the regions. The letter of each region is in its \
     rectangle; the letter and the edge of region C are yellow. The coloured slabs above them are books that lie on top \
     of each other. The larger a book is, the wider it is drawn",
    ". Each book has its number on its spine: 1 is the smallest book",
    ". A second image beside the first one shows the goal"
);

/// The legend of the picture of these options; that of the default ones where an option is invalid, which opening a level
/// refuses.
pub(super) fn picture_legend(options: &Options) -> &'static str {
    let look = options::look(options);
    let (numbers, goal) = look.as_ref().map_or((true, false), |look| (look.numbers, look.goal));
    let [all, numbered, with_goal, plain] = match look.map(options::Look::style) {
        Ok(Style::Contrast) => CONTRAST,
        Ok(Style::Wood) | Err(_) => WOOD,
    };
    match (numbers, goal) {
        (true, true) => all,
        (true, false) => numbered,
        (false, true) => with_goal,
        (false, false) => plain,
    }
}
