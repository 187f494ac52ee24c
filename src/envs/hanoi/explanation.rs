//! The oracle's analysis: why the next move, or a plan of moves, is right.

use super::rules::Move;
use super::table::{Book, Region, Table};

const SOLVED: &str = "Every book is in C, the largest at the bottom.";

/// Explains the first of these moves.
pub(super) fn explain_move(table: &Table, moves: &[&Move]) -> String {
    let Some(order) = moves.first() else { return SOLVED.to_owned() };
    let length = counted(moves.len(), "step");
    if !table.is_ordered() {
        let book = table.top(order.from).map_or_else(String::new, |book| move_text(order, book));
        return format!(
            "The shortest solution from here takes {length}. A larger book lies on a smaller one, so next I {book}."
        );
    }
    let goals = subgoals(table);
    let told = match goals.as_slice() {
        [(book, _)] => format!(
            "{} is free and so is its place, so next I {}, where it stays",
            book_subject(table, *book),
            move_text(order, *book)
        ),
        _ => explain_clearing(table, &goals, order),
    };
    format!("The shortest solution from here takes {length}. {told}.")
}

/// Names the book to uncover and the book that makes room for it.
fn explain_clearing(table: &Table, goals: &[(Book, Region)], order: &Move) -> String {
    let ([(book, _), (_, rest), ..], [.., (before, _), (now, _)]) = (goals, goals) else {
        return String::new();
    };
    let (subject, bars, act) =
        (book_subject(table, *book), obstacles_text(table, *book), move_text(order, *now));
    if before == book {
        return format!("{subject} {bars}, so next I {act}, out of its way");
    }
    format!(
        "{subject} {bars}. All smaller books go to {rest} first, so next I {act}, out of the way of book {before}"
    )
}

fn move_text(order: &Move, book: Book) -> String {
    format!("put book {book} from {} to {}", order.from, order.to)
}

/// Explains a plan, of which only the first `limit` moves are played.
pub(super) fn explain_plan(table: &Table, moves: &[&Move], limit: usize) -> String {
    if moves.is_empty() {
        return SOLVED.to_owned();
    }
    let placements: Vec<String> = placement_steps(table, moves);
    let cut = (limit < moves.len())
        .then(|| format!(" Only the first {} fit into the remaining steps.", counted(limit, "step")));
    let length = counted(moves.len(), "step");
    format!("The shortest solution takes {length}: {}.{}", placements.join(", "), cut.unwrap_or_default())
}

/// The step at which each book comes into place.
fn placement_steps(table: &Table, moves: &[&Move]) -> Vec<String> {
    let mut table = *table;
    let mut placements = Vec::new();
    for (step, order) in (1..).zip(moves) {
        let book = table.largest_out_of_place();
        let after = table.after(order).unwrap_or(table);
        if let Some(book) = book.filter(|_| after.books_in_place() > table.books_in_place()) {
            placements.push(format!("book {book} comes into place with step {step}"));
        }
        table = after;
    }
    placements
}

/// What has to be reached before the next move counts: the largest book that is not in place with its destination, and the smaller ones that
/// must make room for it, but not the move itself unless it is all that is left. `None` if every book is in place.
pub(super) fn next_goals(table: &Table) -> Option<String> {
    let goals = subgoals(table);
    let named = goals.len().saturating_sub(1).max(1);
    let words: Vec<String> =
        goals.iter().take(named).map(|(book, region)| format!("book {book} must get to {region}")).collect();
    (!words.is_empty()).then(|| format!("{}.", words.join("; for that ")))
}

/// The largest book that is not in place, with its destination; then, while that book cannot move, the
/// largest smaller book that must make room, with its destination. The last entry is the next move.
fn subgoals(table: &Table) -> Vec<(Book, Region)> {
    let mut goals = Vec::new();
    let mut target = Region::C;
    let mut book = table.largest_out_of_place();
    while let Some(now) = book {
        goals.push((now, target));
        target = table.region_of(now).other_region(target);
        book = (1..now).rev().find(|smaller| table.region_of(*smaller) != target);
    }
    goals
}

/// What keeps a book from its place in C.
fn obstacles_text(table: &Table, book: Book) -> String {
    let smaller = |region| table.pile(region).filter(|other| *other < book).collect::<Vec<_>>();
    let upon = smaller(table.region_of(book));
    let before = smaller(Region::C);
    let lies = format!("lies in {} under {}", table.region_of(book), book_names(&upon));
    let bar = if before.len() == 1 { "bars" } else { "bar" };
    match (upon.is_empty(), before.is_empty()) {
        (false, true) => lies,
        (true, _) => {
            format!(
                "lies free in {}, but {} {bar} its place in C",
                table.region_of(book),
                book_names(&before)
            )
        }
        (false, false) => format!("{lies}, and {} {bar} its place in C", book_names(&before)),
    }
}

/// `book 1`, `books 1 and 2`, `books 1, 2 and 3`.
fn book_names(books: &[Book]) -> String {
    let words: Vec<String> = books.iter().map(Book::to_string).collect();
    match words.as_slice() {
        [one] => format!("book {one}"),
        [most @ .., last] => format!("books {} and {last}", most.join(", ")),
        [] => "no book".to_owned(),
    }
}

fn book_subject(table: &Table, book: Book) -> String {
    let which = match book {
        1 => "the last one",
        _ if book == table.count() => "the largest",
        _ => "the largest that is not in place",
    };
    format!("Book {book}, {which},")
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::level_text::table;
    use super::super::solver::solve;
    use super::*;
    use mageyard_domain::SearchBudget;

    fn solution(table: &Table) -> Vec<&'static Move> {
        solve(table, SearchBudget::with_states(u64::MAX, &AtomicBool::new(false))).unwrap().moves
    }

    #[test]
    fn each_analysis_names_the_books_involved() {
        for (text, says) in [
            (
                "A: 3 2\nB: 1\nC:",
                "7 steps. Book 3, the largest, lies in A under book 2. All smaller books go to B first, \
                 so next I put book 1 from B to C, out of the way of book 2.",
            ),
            (
                "A: 3 1\nB: 2\nC:",
                "5 steps. Book 3, the largest, lies in A under book 1, so next I put book 1 from A to B, \
                 out of its way.",
            ),
            (
                "A: 3\nB:\nC: 2 1",
                "7 steps. Book 3, the largest, lies free in A, but books 1 and 2 bar its place in C. All \
                 smaller books go to B first, so next I put book 1 from C to A, out of the way of book 2.",
            ),
            (
                "A: 3 1\nB:\nC: 2",
                "6 steps. Book 3, the largest, lies in A under book 1, and book 2 bars its place in C, so \
                 next I put book 2 from C to B, out of its way.",
            ),
            (
                "A: 3\nB: 2 1\nC:",
                "4 steps. Book 3, the largest, is free and so is its place, so next I put book 3 \
                 from A to C, where it stays.",
            ),
            (
                "A:\nB: 2 1\nC: 3",
                "3 steps. Book 2, the largest that is not in place, lies in B under book 1, so next I put \
                 book 1 from B to A, out of its way.",
            ),
            (
                "A:\nB: 1\nC: 3 2",
                "1 step. Book 1, the last one, is free and so is its place, so next I put book 1 \
                 from B to C, where it stays.",
            ),
        ] {
            let table = table(text);
            let said = explain_move(&table, &solution(&table));
            assert_eq!(said, format!("The shortest solution from here takes {says}"), "{text}");
        }
    }

    #[test]
    fn a_plan_says_when_each_book_comes_into_place() {
        let start = table("A: 3 1\nB: 2\nC:");
        let moves = solution(&start);
        let placements = "book 3 comes into place with step 2, book 2 comes into place with step 4, \
                     book 1 comes into place with step 5";
        assert_eq!(
            explain_plan(&start, &moves, 50),
            format!("The shortest solution takes 5 steps: {placements}.")
        );
        assert!(
            explain_plan(&start, &moves, 1).ends_with("Only the first 1 step fit into the remaining steps.")
        );
        assert_eq!(explain_plan(&table("A:\nB:\nC: 1"), &[], 50), SOLVED);
    }

    /// Every table of five books: the last subgoal is the move that the search found.
    #[test]
    fn the_last_subgoal_is_the_next_move() {
        for number in 0..3_usize.pow(5) {
            let places: Vec<Region> =
                (0..5).map(|book| Region::ALL[number / 3_usize.pow(book) % 3]).collect();
            let table = Table::new(&places);
            let goals = subgoals(&table);
            let step = solution(&table).first().map(|order| (order.from, order.to));
            assert_eq!(goals.last().map(|(book, to)| (table.region_of(*book), *to)), step, "{table}");
        }
    }
}
