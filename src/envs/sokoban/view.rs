//! The observation of a board: text, facts and frame, each made on first use.

use std::any::Any;
use std::sync::Arc;

use serde_json::{Value, json};

use super::board::{Board, Square};
use super::board_template::BoardTemplate;
use super::painter::Painter;
use super::room_view::{RoomView, in_words};
use mageyard_domain::{ObservationPart, ObservationSource};

/// A board with what depends only on its ground.
#[derive(Clone)]
pub(super) struct BoardView {
    pub(super) board: Board,
    pub(super) painter: Arc<Painter>,
    pub(super) template: Arc<BoardTemplate>,
    pub(super) shown: RoomView,
}

impl BoardView {
    fn picture(&self) -> Option<ObservationPart> {
        self.painter.frame(&self.board).map(|picture| ObservationPart::Image(Arc::new(picture)))
    }
}

impl ObservationSource for BoardView {
    fn parts(&self) -> Vec<ObservationPart> {
        let text = |text: String| ObservationPart::Text(text.into());
        match self.shown {
            RoomView::Text => vec![text(self.text())],
            RoomView::Words => vec![text(in_words(&self.board))],
            RoomView::ImageText => self.picture().into_iter().chain([text(self.text())]).collect(),
            RoomView::Image | RoomView::Classic | RoomView::Contrast | RoomView::Large => {
                self.picture().into_iter().collect()
            }
        }
    }

    fn text(&self) -> String {
        self.template.text(&self.board)
    }

    fn facts(&self) -> Value {
        let ground = &self.board.ground;
        let places = |squares: &mut dyn Iterator<Item = Square>| -> Vec<(u16, u16)> {
            squares.map(|square| ground.row_column(square)).collect()
        };
        json!({
            "board": self.board.to_string(),
            "rows": ground.rows,
            "columns": ground.columns,
            "player": ground.row_column(self.board.player),
            "boxes": places(&mut self.board.boxes().iter().copied()),
            "targets": places(&mut ground.squares().filter(|square| ground.is_target(*square))),
            "boxes_on_target": self.board.boxes_on_target(),
        })
    }

    fn hash_into(&self, write: &mut dyn FnMut(&[u8])) -> bool {
        self.template.hash_into(&self.board, write);
        true
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::board::Direction;
    use super::super::board_template::LEGEND;
    use super::super::random_boards::boards;
    use super::super::tiles::TileStyle;
    use super::super::xsb;
    use super::*;
    use mageyard_domain::Observation;

    /// Every board along these moves, with one digest template.
    fn shown(start: Board, moves: Vec<usize>) -> impl Iterator<Item = BoardView> {
        let painter = Arc::new(Painter::new(&start.ground, TileStyle::default(), 16));
        let template = Arc::new(BoardTemplate::default());
        let mut board = start;
        let turn = move |number: usize| {
            board.step(Direction::ALL[number % 4]);
            let (painter, template) = (painter.clone(), template.clone());
            BoardView { board: board.clone(), painter, template, shown: RoomView::Image }
        };
        moves.into_iter().map(turn)
    }

    /// What the digest covers: text and facts.
    fn covered(view: &BoardView) -> String {
        format!("{}\n\n{LEGEND}\n\0{}", view.board, view.facts())
    }

    fn written(view: &BoardView) -> String {
        let mut written = Vec::new();
        assert!(view.hash_into(&mut |piece| written.extend_from_slice(piece)));
        String::from_utf8(written).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_bytes_written_for_the_digest_equal_text_and_facts(
            text in boards(), moves in proptest::collection::vec(0..4_usize, 1..60),
        ) {
            let Ok(board) = xsb::read_one(&text) else { return Ok(()) };
            for view in shown(board, moves) {
                let covered = covered(&view);
                prop_assert_eq!(&written(&view), &covered);
                prop_assert_eq!(covered.split('\0').next(), Some(&*view.text()));
            }
        }
    }

    /// Ragged rows, floor and boxes outside the walls, numbers of several digits, and more than one buffer
    /// of bytes.
    #[test]
    fn unusual_boards_are_written_like_their_text_and_facts() {
        let hall = format!("{0}\n#@ ${1}.#\n{0}", "#".repeat(250), " ".repeat(244));
        let texts = [
            "  #####\n###   #\n#+$*.$#\n#######",
            "#####\n#@$.#\n#####  $.",
            "#####   #\n#@$.#\n#####\n # * ",
            "  $ .#\n#####\n#@$.#\n#####",
            &hall,
        ];
        let moves: Vec<usize> = (0..400).map(|step| step * step / 7 % 5 % 4).collect();
        let mut odd = 0;
        for board in texts.iter().filter_map(|text| xsb::read_one(text).ok()) {
            for view in shown(board, moves.clone()) {
                assert_eq!(written(&view), covered(&view));
            }
            odd += 1;
        }
        assert!(odd >= 4, "only {odd} of them are levels");
    }

    /// Journals store digests: these were written by earlier versions and must never change.
    #[test]
    fn digests_stay_compatible_with_stored_journals() {
        let wide = format!(
            "{0}\n#@ ${1}.#\n{2}{0}",
            "#".repeat(14),
            " ".repeat(8),
            format!("#{}#\n", " ".repeat(12)).repeat(9)
        );
        for (text, ways, digests) in [
            (
                "#####\n#@*.#\n# $ #\n#####",
                &[Direction::Left, Direction::Down][..],
                &["1d87c517d0c36a68", "6fbf06fc9024d59a"][..],
            ),
            ("  #####\n###   #\n#+$*.$#\n#######", &[Direction::Left], &["18b8764f4e2d81f3"]),
            (
                &wide,
                &[Direction::Left, Direction::Down, Direction::Right],
                &["55cc3521b7e582ac", "c859750d062cd513", "649a81373e0a6469"],
            ),
        ] {
            let moves = ways.iter().map(|way| *way as usize).collect();
            let told = shown(xsb::board(text), moves).map(|view| {
                let slow = Observation::from_parts(vec![], view.text(), view.facts()).digest();
                let fast = Observation::from_source(view).digest();
                assert_eq!(fast, slow);
                fast.to_string()
            });
            assert_eq!(told.collect::<Vec<_>>(), digests, "{text}");
        }
    }
}
