//! A room: a board as a world with actions, rewards, text, facts and a frame.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::board::{Board, Direction};
use super::options::Settings;
use super::painter::Painter;
use super::state_editor::same_room;
use super::view::BoardView;
use super::{deadlock, rules, solver, xsb};
use mageyard_domain::{
    Action, ActionSpace, ActionSpec, EnvironmentError, Level, Observation, ObservationBuffer, OptionError,
    Options, Reference, SearchBudget, Status, World,
};

/// A Sokoban room. Cheap to clone: only the player and the boxes are copied.
#[derive(Clone)]
pub struct Room {
    board: Board,
    start: Board,
    marks: Arc<[u8]>,
    observations: ObservationBuffer<BoardView>,
    space: ActionSpace,
    solver_states: u64,
    /// In bytes.
    solver_memory: u64,
}

impl Room {
    /// Opens a level at its start. An error names the invalid setting, or `level` for a text that is not a
    /// level.
    pub fn new(level: &Level, options: &Options) -> Result<Self, OptionError> {
        let settings = Settings::read(options)?;
        let refused =
            |why: mageyard_domain::LevelError| OptionError { name: "level".to_owned(), why: why.to_string() };
        let board = xsb::read_one(level.text()).map_err(refused)?;
        let painter = Arc::new(Painter::new(&board.ground, settings.tiles, settings.tile));
        let view =
            BoardView { board: board.clone(), painter, template: Arc::default(), shown: settings.view };
        Ok(Self {
            start: board.clone(),
            marks: deadlock::square_marks(&board.ground).into(),
            observations: ObservationBuffer::new(view),
            space: action_space(),
            solver_states: settings.solver_states,
            solver_memory: settings.solver_memory << 20,
            board,
        })
    }

    /// The total reward along a shortest solution; 0 in 0 steps for a level that is solved at the start.
    /// `None` when the level is unsolvable or the solver gives up.
    pub(super) fn reference(&self, stop: &AtomicBool) -> Option<Reference> {
        let bounds = SearchBudget {
            memory: self.solver_memory,
            ..SearchBudget::with_states(self.solver_states, stop)
        };
        let steps = solver::distance(&self.start, bounds).ok()?;
        let best = rules::points(rules::solution_half_points(&self.start, usize::try_from(steps).ok()?));
        Some(Reference { best, steps })
    }
}

/// The four actions in their order.
fn action_space() -> ActionSpace {
    let spec = |name: &str| {
        let way = name.to_lowercase();
        ActionSpec::new(name, format!("walk {way}, or push the box that is there")).with_key(way)
    };
    ["Left", "Right", "Up", "Down"].map(spec).into_iter().collect()
}

impl World for Room {
    fn space(&self) -> ActionSpace {
        self.space.clone()
    }

    fn observe(&mut self) -> Observation {
        self.observations.update(|view| view.board.clone_from(&self.board))
    }

    fn status(&self) -> Status {
        if self.board.is_solved() { Status::Won } else { Status::Running }
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        self.space.check(action)?;
        let named = Direction::from_name(&action.name);
        let way = named.ok_or_else(|| EnvironmentError::Failed("the action has no direction".into()))?;
        let effect = self.board.step(way);
        let note = effect.pushed.and_then(|at| deadlock::explain_dead_box(&self.board, &self.marks, at));
        Ok((effect.reward(), note))
    }

    fn set_state(&mut self, state: &str) -> Result<(), EnvironmentError> {
        self.board = same_room(&self.board, state).map_err(EnvironmentError::InvalidState)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::board_template::LEGEND;
    use super::*;

    static GO: AtomicBool = AtomicBool::new(false);
    use mageyard_domain::Returns;

    fn room(text: &str) -> Room {
        let level = Level::from_text(1, None, text);
        Room::new(&level, &Options::new()).unwrap()
    }

    fn play(room: &mut Room, actions: &[&str]) -> Returns {
        let rewards = actions.iter().map(|name| room.step(&Action::plain(*name)).unwrap().0);
        rewards.fold(Returns::default(), Returns::plus)
    }

    #[test]
    fn text_and_facts_describe_the_board() {
        let seen = room("#####\n#@*.#\n# $ #\n#####").observe();
        assert_eq!(&**seen.text(), format!("#####\n#@*.#\n# $ #\n#####\n\n{LEGEND}\n"));
        let facts = json!({
            "board": "#####\n#@*.#\n# $ #\n#####", "rows": 4, "columns": 5, "player": [2, 2],
            "boxes": [[2, 3], [3, 3]], "targets": [[2, 3], [2, 4]], "boxes_on_target": 1,
        });
        assert_eq!(*seen.facts(), facts);
    }

    #[test]
    fn the_best_reward_is_the_reward_along_a_shortest_solution() {
        let mut walk = room("######\n#@$ .#\n######");
        let reference = walk.reference(&GO).unwrap();
        assert_eq!(reference, Reference { best: 54.0, steps: 2 });
        assert_eq!(walk.status(), Status::Running);
        let returns = play(&mut walk, &["Right", "Right"]);
        assert!((returns.best - 54.0).abs() < 1e-9);
        assert_eq!(walk.status(), Status::Won);
        assert_eq!(walk.reference(&GO), Some(reference), "it is that of the start at any time");
    }

    #[test]
    fn a_level_may_be_solved_at_the_start_or_unsolvable() {
        let solved = room("####\n#@*#\n####");
        assert_eq!(solved.status(), Status::Won);
        assert_eq!(solved.reference(&GO), Some(Reference { best: 0.0, steps: 0 }));
        assert_eq!(room("#####\n#@ $#\n# . #\n#####").reference(&GO), None);
    }

    #[test]
    fn invalid_actions_are_refused_and_change_nothing() {
        let mut room = room("######\n#@$ .#\n######");
        let before = room.observe().digest();
        let argued = Action::plain("Left").with("far", mageyard_domain::Arg::Number(2.into()));
        for (action, message) in [
            (Action::plain("left"), "\"left\" is not an action here; the actions are Left, Right, Up, Down"),
            (Action::plain(""), "\"\" is not an action here; the actions are Left, Right, Up, Down"),
            (argued, "Left has no parameter \"far\"; it takes no parameters"),
        ] {
            assert_eq!(room.step(&action).unwrap_err().to_string(), message);
        }
        assert_eq!(room.observe().digest(), before);
    }

    #[test]
    fn a_push_into_a_corner_is_noted() {
        let mut room = room("######\n#@$  #\n# .  #\n######");
        assert_eq!(
            room.step(&Action::plain("Right")),
            Ok((
                -0.5,
                Some("the box at row 2, column 4 can never be pushed to a target from there".to_owned())
            ))
        );
        let note = room.step(&Action::plain("Right")).unwrap().1;
        assert_eq!(
            note.as_deref(),
            Some("the box at row 2, column 5 is in a corner without a target: it can never reach one")
        );
    }
}
