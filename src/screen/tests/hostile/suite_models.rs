//! The dialogs about suites with a text from outside everywhere.

use super::super::*;
use crate::model::{AskLevel, AskProgress, AskSheet, AskedSheet, SheetAnswer, SuiteList};
use crate::requests::{Answer, LoadedRecording, SuiteDetails, SuiteEntry, WantedRecording};
use crate::update::tests::asking::JOURNAL;
use crate::update::tests::suites::view;
use crate::update::{Msg, update};
use mageyard_config::Problem;
use mageyard_study::PlannedStudy;

fn problem(text: &str) -> Problem {
    Problem::new(text.to_owned()).at(text, text, 0..1).with_help(text.to_owned())
}

fn with(base: &Model, modal: Modal) -> Model {
    Model { modal: Some(modal), ..base.clone() }
}

fn listed(base: &Model, text: &str) -> Model {
    let row = |broken: Option<String>| SuiteEntry {
        name: text.to_owned(),
        is_own: true,
        facts: vec![text.to_owned()],
        broken,
    };
    let mut list = SuiteList::default();
    list.rows = Some(vec![row(None), row(Some(text.to_owned()))]);
    with(base, Modal::Suites(list.into()))
}

fn sheets(base: &Model, text: &str) -> [Model; 2] {
    let sheet = |plan: Result<PlannedStudy, Problem>, details: Result<SuiteDetails, Problem>| {
        let mut sheet = AskSheet::suite(text, text, false);
        sheet.begin_plan(1);
        sheet.set_answer(1, plan.map(SheetAnswer::Plan));
        sheet.set_details(details);
        with(base, Modal::Ask(sheet.into()))
    };
    let known = SuiteDetails { prompts: vec![text.to_owned()], stored: vec![view(text).into()] };
    let plan = PlannedStudy { lines: vec![text.to_owned()], left: 1, ..PlannedStudy::default() };
    [sheet(Ok(plan), Ok(known)), sheet(Err(problem(text)), Err(problem(text)))]
}

/// The report, and a state of it whose recording has this text or cannot be read.
fn reports(base: &Model, text: &str) -> [Model; 3] {
    let mut report = AskedSheet::of_suite(view(text).into(), text);
    report.progress = AskProgress::Failed(problem(text));
    let table = with(base, Modal::Asked(report.clone().into()));
    report.show(AskLevel::State);
    report.select_by(1);
    let state = |answer: Result<LoadedRecording, Problem>| {
        let mut model = with(base, Modal::Asked(report.clone().into()));
        update(&mut model, Msg::Answer(Answer::Loaded(WantedRecording::Journal(JOURNAL.into()), answer)));
        model
    };
    let snapshot = base.episodes[0].snapshot.clone();
    [
        table,
        state(Ok(LoadedRecording { name: text.to_owned(), step: None, snapshot })),
        state(Err(problem(text))),
    ]
}

/// Models with this text in every dialog about suites.
pub(super) fn suite_models(base: &Model, text: &str) -> Vec<Model> {
    let [sheet, refused] = sheets(base, text);
    let [table, state, unread] = reports(base, text);
    let text_only = testing::with(state.clone(), |model| model.frame.shown_as = FrameView::Text);
    vec![listed(base, text), sheet, refused, table, state, unread, text_only]
}
