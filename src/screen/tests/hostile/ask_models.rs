//! Models with a text from outside in the dialogs that ask again.

use super::super::*;
use crate::grid::{AskGrid, Focus, Page};
use crate::model::{AskLevel, AskProgress, AskSheet, AskedSheet, SheetAnswer};
use crate::requests::BlameVerdict;
use crate::update::tests::asked_branches::view as branches;
use crate::update::tests::asking::view as asked;
use crate::update::tests::diagnosis::view as diagnosed;
use mageyard_study::{PlannedStudy, StudySort};

/// The dialogs that ask again, with this text everywhere.
pub(super) fn ask_models(text: &str, base: &Model) -> Vec<Model> {
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        model
    };
    let problem = || Problem::new(text.to_owned()).at(text, text, 0..1).with_help(text.to_owned());
    let own = || text.to_owned();
    let grid = |change: &dyn Fn(&mut AskGrid)| {
        with(&|model| {
            let mut grid = AskGrid::new(model.episode().unwrap(), text.into()).unwrap();
            grid.set_words(text);
            let plan = PlannedStudy { lines: vec![own()], left: 1, brief: own(), ..PlannedStudy::default() };
            grid.begin_plan(1);
            grid.set_planned(1, Ok(plan));
            grid.open_view(asked(text).into());
            grid.requests.extend([(1, Ok(own())), (2, Ok(format!("{text}2")))]);
            grid.move_column(1);
            change(&mut grid);
            model.modal = Some(Modal::Grid(grid.into()));
        })
    };
    let mut models = vec![
        grid(&|grid| grid.stored = Some(Ok(vec![asked(text).into()]))),
        grid(&|grid| {
            grid.begin_plan(2);
            grid.set_planned(2, Err(problem()));
            grid.stored = Some(Err(problem()));
        }),
        grid(&|grid| (grid.progress, grid.is_opened) = (AskProgress::Failed(problem()), false)),
        grid(&|grid| {
            grid.chips.prompts = vec![own()];
            grid.chips.models = vec![own()];
            grid.focus = Focus::Chips;
        }),
    ];
    for page in [Page::Reply, Page::Figures, Page::Request, Page::Difference, Page::Stored] {
        models.push(grid(&|grid| {
            grid.stored = Some(Ok(vec![asked(text).into()]));
            grid.show(page);
        }));
    }
    let verdict = || BlameVerdict { lines: vec![own()], step: Some(2) };
    for answer in [Ok(SheetAnswer::Verdict(verdict())), Err(problem())] {
        models.push(with(&|model| {
            let mut sheet = AskSheet::blame(text.into(), text);
            sheet.begin_plan(1);
            sheet.set_answer(1, answer.clone());
            model.modal = Some(Modal::Ask(sheet.into()));
        }));
        models.push(with(&|model| {
            let mut sheet = AskSheet::diagnosis(Some((text.into(), 1)), text);
            sheet.begin_plan(1);
            sheet.set_answer(1, answer.clone());
            model.modal = Some(Modal::Ask(sheet.into()));
        }));
    }
    for (level, right) in [(AskLevel::Table, 0), (AskLevel::Table, 1), (AskLevel::State, 0)] {
        models.push(with(&|model| {
            let mut sheet = AskedSheet::running_states(1);
            sheet.set_view(diagnosed(text).into());
            (sheet.level, sheet.progress) = (level, AskProgress::Failed(problem()));
            if let Some(states) = &mut sheet.suite {
                states.first_variant = right;
            }
            model.modal = Some(Modal::Asked(sheet.into()));
        }));
    }
    for sort in [StudySort::ToEnd, StudySort::Blame] {
        for (level, progress) in
            [(AskLevel::Table, AskProgress::Running), (AskLevel::Calls, AskProgress::Failed(problem()))]
        {
            models.push(with(&|model| {
                let mut sheet = AskedSheet::stored(branches(sort, text).into(), 1);
                (sheet.level, sheet.progress) = (level, progress.clone());
                model.modal = Some(Modal::Asked(sheet.into()));
            }));
        }
    }
    models
}
