//! Models with a text from outside in the dialogs that ask again.

use super::super::*;
use crate::model::{AskLevel, AskProgress, AskSheet, AskedSheet, SheetAnswer};
use crate::requests::BlameVerdict;
use crate::update::tests::asked_branches::view as branches;
use crate::update::tests::asking::view as asked;
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
    let mut models = vec![
        with(&|model| {
            let mut sheet = AskSheet::new(model.episode().unwrap(), text.into()).unwrap();
            sheet.set_words(text);
            (sheet.prompts, sheet.stored) = (vec![own()], Some(Ok(vec![asked(text).into()])));
            let plan = PlannedStudy { lines: vec![own()], left: 1, ..PlannedStudy::default() };
            sheet.begin_plan(1);
            sheet.set_answer(1, Ok(SheetAnswer::Plan(plan)));
            model.modal = Some(Modal::Ask(sheet.into()));
        }),
        with(&|model| {
            let mut sheet = AskSheet::new(model.episode().unwrap(), text.into()).unwrap();
            sheet.begin_plan(1);
            sheet.set_answer(1, Err(problem()));
            sheet.stored = Some(Err(problem()));
            model.modal = Some(Modal::Ask(sheet.into()));
        }),
    ];
    for level in [AskLevel::Table, AskLevel::Calls, AskLevel::Reply, AskLevel::Request] {
        models.push(with(&|model| {
            let mut sheet = AskedSheet::stored(asked(text).into(), text.into(), 1);
            sheet.select_by(1);
            (sheet.level, sheet.progress) = (level, AskProgress::Failed(problem()));
            sheet.request = Some((2, Ok(own())));
            model.modal = Some(Modal::Asked(sheet.into()));
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
    }
    for sort in [StudySort::ToEnd, StudySort::Blame] {
        for (level, progress) in
            [(AskLevel::Table, AskProgress::Running), (AskLevel::Calls, AskProgress::Failed(problem()))]
        {
            models.push(with(&|model| {
                let mut sheet = AskedSheet::stored(branches(sort, text).into(), text.into(), 1);
                (sheet.level, sheet.progress) = (level, progress.clone());
                model.modal = Some(Modal::Asked(sheet.into()));
            }));
        }
    }
    models
}
