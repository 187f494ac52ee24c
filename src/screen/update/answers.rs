//! Answers of the lab: each goes to what asked for it.

use super::{
    Effect, annotations, asked, branches, comparisons, editing, episodes, found, next_request, oracle,
    reloaded, suite_states, suites, theme_choice,
};
use crate::builder;
use crate::grid;
use crate::home;
use crate::model::{ListedEpisode, Model};
use crate::models;
use crate::readers;
use crate::requests::Answer;
use crate::sweep;
use crate::workshop;

pub(super) fn receive(model: &mut Model, answer: Answer, effects: &mut Vec<Effect>) {
    match answer {
        Answer::Home(contents) => home::listed(model, *contents, effects),
        Answer::Welcome(snapshot) => home::played(model, snapshot, effects),
        Answer::Previewed(item, answer) => home::previewed(model, item, answer),
        Answer::Sessions(answer) => model.recorded_sessions = Some(answer.map(Into::into)),
        Answer::SessionsRead(batch) => {
            if let Some(Ok(sessions)) = &mut model.recorded_sessions {
                sessions.apply(&batch);
            }
            home::sessions_read(model, &batch);
        }
        Answer::Deleted(name, answer) => home::deleted(model, &name, answer, effects),
        Answer::Outlined(outlines) => {
            let rows = outlines.into_iter().map(|(number, outline)| {
                (number, outline.as_ref().map_or_else(ListedEpisode::unreadable, ListedEpisode::of))
            });
            episodes::outlined(model, rows.collect());
        }
        Answer::Branches(answer) => branches::listed(model, answer),
        Answer::ForkPlanned(changes, answer) => branches::planned(model, &changes, answer),
        Answer::OracleSaid(state, answer) => oracle::said(model, state, answer),
        Answer::BreakpointsRead(text, answer) => {
            next_request::breakpoints_read(model, &text, answer, effects);
        }
        Answer::Loaded(wanted, answer) => {
            suite_states::loaded(model, &wanted, &answer);
            comparisons::loaded(model, &wanted, answer);
        }
        Answer::Model(answer) => {
            grid::models_listed(model, &answer);
            models::answered(model, answer, effects);
        }
        Answer::Reader(answer) => readers::answered(model, answer, effects),
        Answer::Found(progress) => found::add(model, progress),
        Answer::Workshop(answer) => workshop::answered(model, answer, effects),
        Answer::Asked(answer) if workshop::asked(model, &answer, effects) => {}
        Answer::Asked(answer) => {
            if let Some(answer) = grid::answered(model, answer, effects) {
                asked::answered(model, answer);
            }
        }
        Answer::Builder(answer) => builder::answered(model, answer, effects),
        Answer::SweepOrdered(answer) => sweep::ordered(model, answer),
        Answer::Suite(answer) => suites::answered(model, answer, effects),
        Answer::Annotations(journal, answer) => annotations::read(model, &journal, answer),
        Answer::Annotated(order, answer) => annotations::changed(model, &order, answer),
        Answer::Names(names) => {
            model.names.levels = names.levels;
            model.names.themes = names.themes;
        }
        Answer::Reloaded(answer) => reloaded(model, *answer, effects),
        Answer::Theme { is_preview, theme } => theme_choice::loaded(model, is_preview, *theme),
        Answer::PromptText { environment, name, text } => {
            editing::prompt_text_ready(model, (environment, &name), text, effects);
        }
        Answer::PromptSaved { text, saved } => editing::prompt_saved(model, &text, *saved, effects),
    }
}
