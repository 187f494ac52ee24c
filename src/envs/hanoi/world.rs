//! The table of books as a world: actions and rewards.

use std::sync::Arc;

use super::painter::Painter;
use super::rules::MOVES;
use super::table::Table;
use super::view::TableView;
use super::{level_text, options, rules};
use mageyard_domain::{
    Action, ActionSpace, EnvironmentError, Level, Observation, ObservationBuffer, OptionError, Options,
    Status, World,
};

/// A table with books. Cheap to clone.
#[derive(Clone)]
pub(super) struct HanoiWorld {
    table: Table,
    observations: ObservationBuffer<TableView>,
    space: ActionSpace,
    /// Whether the next observation shows the goal beside the table: before the first action.
    shows_goal: bool,
}

impl HanoiWorld {
    /// Opens a level. An error names the invalid setting, or `level` for a text that is not a level.
    pub(super) fn new(level: &Level, options: &Options) -> Result<Self, OptionError> {
        let look = options::look(options)?;
        let table = level_text::read_one(level.text())
            .map_err(|why| OptionError { name: "level".to_owned(), why: why.to_string() })?;
        let space = MOVES.iter().map(super::rules::Move::spec).collect();
        let painter = Arc::new(Painter::new(look.scale, look.numbers, look.style()));
        let view = TableView { table, painter, with_goal: look.goal, shown: look.view };
        let shown = ObservationBuffer::new(view);
        Ok(Self { table, observations: shown, space, shows_goal: look.goal })
    }
}

impl World for HanoiWorld {
    fn space(&self) -> ActionSpace {
        self.space.clone()
    }

    fn observe(&mut self) -> Observation {
        self.observations.update(|view| {
            view.table = self.table;
            view.with_goal = self.shows_goal;
        })
    }

    fn status(&self) -> Status {
        if self.table.is_solved() { Status::Won } else { Status::Running }
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        self.space.check(action)?;
        let named = MOVES.iter().find(|book_move| book_move.name == action.name);
        let book_move = named.ok_or_else(|| EnvironmentError::Failed("the move has no rule".into()))?;
        let (halves, broken) = self.table.step(book_move);
        self.shows_goal = false;
        Ok((rules::points(halves), broken.map(|broken| format!("{broken}, so nothing happens"))))
    }

    fn set_state(&mut self, state: &str) -> Result<(), EnvironmentError> {
        let invalid = EnvironmentError::InvalidState;
        let table = level_text::read_one(state).map_err(|error| invalid(error.to_string()))?;
        let now = self.table.count();
        let books = table.count();
        if now != books {
            return Err(invalid(format!("the table has {now} books, not {books}")));
        }
        self.table = table;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::view::LEGEND;
    use super::*;
    use mageyard_domain::Returns;

    fn desk(text: &str) -> HanoiWorld {
        let level = Level::from_text(1, None, text);
        HanoiWorld::new(&level, &Options::new()).unwrap()
    }

    #[test]
    fn text_and_facts_describe_the_table() {
        let seen = desk("A: 3 1\nB: 2\nC:").observe();
        let drawn = "\n  [1]\n[  3  ]   [ 2 ]\n===A===  ===B===  ===C===";
        assert_eq!(&**seen.text(), format!("{drawn}\n\n{LEGEND}\n"));
        let facts = json!({
            "board": "A: 3 1\nB: 2\nC:", "books": 3, "in_place": 0,
            "regions": {"A": [3, 1], "B": [2], "C": []},
        });
        assert_eq!(*seen.facts(), facts);
    }

    #[test]
    fn the_first_observation_shows_the_goal_beside_the_start() {
        let level = Level::from_text(1, None, "A: 3 1\nB: 2\nC:");
        let options = Options::from([("goal".to_owned(), json!(true))]);
        let mut world = HanoiWorld::new(&level, &options).unwrap();
        let pictures =
            |seen: &Observation| seen.images().map(|(_, picture)| picture.clone()).collect::<Vec<_>>();
        let first = pictures(&world.observe());
        let mut goal = desk("A:\nB:\nC: 3 2 1");
        assert_eq!(first.len(), 2);
        assert!(first[1].pixels() == pictures(&goal.observe())[0].pixels());
        assert!(first[0].pixels() == pictures(&desk(level.text()).observe())[0].pixels());
        world.step(&Action::plain("Put book in A to region C")).unwrap();
        assert_eq!(pictures(&world.observe()).len(), 1);
    }

    /// Journals store digests: these were written by earlier versions and must never change.
    #[test]
    fn digests_stay_compatible_with_stored_journals() {
        let mut desk = desk("A: 3 1\nB: 2\nC:");
        assert_eq!(desk.observe().digest().to_string(), "d6e168b6bb459630");
        desk.step(&Action::plain("Put book in A to region C")).unwrap();
        assert_eq!(desk.observe().digest().to_string(), "a2c28607ba1c2d0e");
    }

    #[test]
    fn the_best_reward_is_the_reward_along_the_shortest_solution() {
        let mut desk = desk("A: 1\nB: 2\nC: 3");
        let mut returns = Returns::default();
        for name in ["Put book in B to region C", "Put book in A to region C"] {
            assert_eq!(desk.status(), Status::Running);
            returns = returns.plus(desk.step(&Action::plain(name)).unwrap().0);
        }
        assert_eq!((desk.status(), returns.best), (Status::Won, 69.0));
    }

    #[test]
    fn breaking_a_rule_adds_a_note_and_changes_nothing() {
        let mut desk = desk("A: 3 1\nB: 2\nC:");
        let before = desk.observe().digest();
        for (name, note) in [
            ("Put book in C to region A", "region C is empty: it has no book to take, so nothing happens"),
            (
                "Put book in B to region A",
                "book 2 is larger than book 1 on top of region A: it may not lie on it, so nothing happens",
            ),
        ] {
            assert_eq!(desk.step(&Action::plain(name)), Ok((-0.5, Some(note.to_owned()))));
            assert_eq!(desk.observe().digest(), before);
        }
    }
}
