//! An ask about a suite as the screen shows it.

use std::sync::Arc;

use crate::ask_view::{faults, reply};
use mageyard_cli::ask::suite::AskedSuite;
use mageyard_cli::ask::suite::text;
use mageyard_cli::ask::text::name;
use mageyard_domain::Prices;
use mageyard_screen::{AskReply, ComparedState, SuiteView, VariantAnswers};
use mageyard_study::{AskCall, DifferingState, JudgedState, Measure, StateAnswers, StoredAsk, SuiteTable};

/// The title of the first column of the table that is the same for all variants of a suite.
const FIRST: &str = "replies";

/// What is shown of an ask about a suite.
pub(crate) fn view(of: &AskedSuite<'_>, prices: &Prices) -> SuiteView {
    let calls: Vec<Vec<AskCall>> = of.asks.iter().map(|ask| ask.calls.clone()).collect();
    let table = SuiteTable::of(of.states, &calls, of.variants(), prices);
    let differs = |one: &&DifferingState| one.range > 0.0 || one.distance > 0.0;
    SuiteView {
        title: text::asked_line(of.suite, of.states.len(), of.asks.first().map(|ask| &ask.record)),
        variants: of.variants().iter().map(name).collect(),
        table: turned(of, &table),
        comparisons: text::comparison_lines(
            &table,
            &format!("`mageyard ask {} --show --confirm`", of.suite.name),
        ),
        states: table.states.iter().filter_map(|one| compared(of, one)).collect(),
        differing: table.states.iter().filter(differs).count(),
        tail: text::end_lines(of, &table),
        replies: table.rows.iter().map(|row| row.replies).sum(),
        calls: of.replies(),
    }
}

/// The table of the verb with a column for each variant, and below it the rows of the categories.
fn turned(of: &AskedSuite<'_>, table: &SuiteTable) -> Vec<Vec<String>> {
    let rows = text::rows(of.variants(), table);
    let titles = rows.first().map_or(&[][..], Vec::as_slice);
    let from = titles.iter().position(|title| title == FIRST).unwrap_or(titles.len());
    let numbers = (1..rows.len()).map(|number| format!("variant {number}"));
    let mut turned = vec![std::iter::once(String::new()).chain(numbers).collect::<Vec<_>>()];
    let column = |index: usize| {
        let cells = rows.iter().filter_map(|row| row.get(index));
        // Each variant has a narrow column of its own.
        cells.map(|cell| cell.replace(" tokens in", " in")).collect()
    };
    turned.extend((from..titles.len()).map(column));
    turned.extend(text::categories(table).into_iter().enumerate().map(category_row));
    turned
}

/// A row of the categories. The first one is their heading, and its cells are the titles of the columns again.
fn category_row((index, mut row): (usize, Vec<String>)) -> Vec<String> {
    if index == 0 {
        row.truncate(1);
    } else if let Some(name) = row.first_mut() {
        *name = format!("  {name}");
    }
    row
}

fn compared(of: &AskedSuite<'_>, one: &DifferingState) -> Option<ComparedState> {
    let state = of.states.get(one.state)?;
    let ask = of.asks.get(one.state)?;
    let category = state.category.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let variants = one.variants.iter().enumerate();
    Some(ComparedState {
        number: state.number,
        title: format!("{category}{}", state.why),
        address: state.address.clone(),
        journal: state.journal.clone(),
        step: state.step,
        facts: facts(state),
        variants: variants.map(|(variant, found)| answers(state, ask, variant, found)).collect(),
    })
}

/// Which answers are right and who says so, and which are the known mistake.
fn facts(state: &JudgedState) -> Vec<String> {
    let right = state.accepted.as_ref().map(|(actions, by)| {
        let actions = if actions.is_empty() { "none".to_owned() } else { actions.join(", ") };
        format!("accepted: {actions} ({})", by.name())
    });
    let mistake = Some(state.mistake.join(", ")).filter(|actions| !actions.is_empty());
    right.into_iter().chain(mistake.map(|actions| format!("known mistake: {actions}"))).collect()
}

fn answers(state: &JudgedState, ask: &StoredAsk, variant: usize, found: &StateAnswers) -> VariantAnswers {
    let mut calls: Vec<&AskCall> = ask.calls.iter().filter(|call| call.variant == variant).collect();
    calls.sort_by_key(|call| call.sample);
    VariantAnswers {
        summary: text::answers(found),
        replies: calls.into_iter().map(|call| Arc::new(judged_reply(state, ask, call))).collect(),
    }
}

/// A call with whether its answer is accepted.
fn judged_reply(state: &JudgedState, ask: &StoredAsk, call: &AskCall) -> AskReply {
    let mut reply = reply(ask, call);
    let is_met = |measure: Measure| measure.is_met(state, call.answer()).filter(|_| call.reply.is_some());
    let verdict = match (is_met(Measure::Accepted), is_met(Measure::Mistake)) {
        (_, Some(true)) => Some("the known mistake"),
        (Some(true), _) => Some("accepted"),
        (Some(false), _) => Some("not accepted"),
        (None, _) => None,
    };
    reply.facts = verdict.map(str::to_owned).into_iter().chain(faults(call)).collect();
    reply
}
