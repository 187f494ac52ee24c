//! The state of the dialog in which a person changes the state of the environment: which piece moves where.

use std::path::PathBuf;

use crate::model::ForkSheet;
use mageyard_domain::{MoveDirection, Piece, StateEditor};

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct StateEdit {
    editor: &'static dyn StateEditor,
    journal: PathBuf,
    /// The step whose state it was.
    pub(crate) step: u32,
    /// The states so far, the first one that of the step.
    states: Vec<String>,
    selected: usize,
    /// Why the last move was not possible.
    pub(crate) refusal: Option<String>,
}

impl StateEdit {
    /// The dialog for a step that begins with this state; `None` if nothing can be moved in it.
    pub(crate) fn new(
        editor: &'static dyn StateEditor,
        journal: PathBuf,
        step: u32,
        state: String,
    ) -> Option<Self> {
        let has_pieces = !editor.pieces(&state).is_empty();
        let states = vec![state];
        has_pieces.then_some(Self { editor, journal, step, states, selected: 0, refusal: None })
    }

    /// The present state.
    pub(crate) fn state(&self) -> &str {
        self.states.last().map_or("", String::as_str)
    }

    /// What can be moved, and which one is selected.
    pub(crate) fn pieces(&self) -> (Vec<Piece>, usize) {
        (self.editor.pieces(self.state()), self.selected)
    }

    /// The number of moves so far.
    pub(crate) fn moves(&self) -> usize {
        self.states.len() - 1
    }

    pub(crate) fn select_by(&mut self, by: isize) {
        let count = self.editor.pieces(self.state()).len().max(1).cast_signed();
        self.selected = (self.selected.cast_signed() + by).rem_euclid(count).cast_unsigned();
        self.refusal = None;
    }

    /// Selects the piece with this number, from 1; false if there is none.
    pub(crate) fn select(&mut self, number: usize) -> bool {
        let is_there = (1..=self.editor.pieces(self.state()).len()).contains(&number);
        if is_there {
            self.selected = number - 1;
        }
        is_there
    }

    /// Moves the selected piece, which stays selected.
    pub(crate) fn shift(&mut self, direction: MoveDirection) {
        let before = self.editor.pieces(self.state());
        match self.editor.moved(self.state(), self.selected, direction) {
            Ok(state) => {
                let after = self.editor.pieces(&state);
                let moved =
                    |piece: &Piece| piece.name == before[self.selected].name && !before.contains(piece);
                self.selected = after.iter().position(moved).unwrap_or(self.selected);
                self.states.push(state);
                self.refusal = None;
            }
            Err(why) => self.refusal = Some(why),
        }
    }

    /// Takes the last move back.
    pub(crate) fn undo(&mut self) {
        if self.states.len() > 1 {
            self.states.pop();
        }
        self.refusal = None;
    }

    /// The dialog of the branch that begins with the edited state.
    pub(crate) fn fork_sheet(&self) -> ForkSheet {
        let mut sheet = ForkSheet::new(self.journal.clone(), self.step, "");
        sheet.state = Some(self.state().to_owned());
        sheet
    }
}
