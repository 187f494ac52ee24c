//! The dialog as questions, for the linear mode: first what is asked, then the variants, and then the replies of one.

use super::head::{counts, sentence};
use super::keys::{back, enter, open_stored, replan};
use super::pages;
use super::sheet::{AskGrid, Focus, Page};
use super::uses;
use crate::linear::{choices, labelled, one_line};
use crate::modals::{ask_call_line, stored_ask_line};
use crate::model::{AskProgress, Modal, Model};
use crate::update::Effect;
use mageyard_domain::Rating;

/// What is asked and what it needs; once there are replies, the variants with their answers; of a variant its replies.
pub(crate) fn lines(model: &Model, grid: &AskGrid) -> Vec<String> {
    if grid.is_running() {
        return vec!["Ask: calls are being made; an empty line stops them and keeps the replies".to_owned()];
    }
    match (grid.page, grid.focus) {
        (Page::Grid | Page::Stored, Focus::Chips) => question(grid),
        (Page::Grid | Page::Stored, Focus::Answers) => variants(model, grid),
        (Page::Figures | Page::Replies, _) => replies(grid),
        (Page::Reply | Page::Request | Page::Difference, _) => {
            let title = format!("Ask: {}", one_line(&pages::reply_title(grid)));
            let text = pages::text(model, grid).into_iter().filter(|line| !line.is_empty());
            let end = "Answer: use, fork, good, bad or unrate; an empty line goes back.".to_owned();
            std::iter::once(title).chain(text.map(|line| format!("  {line}"))).chain([end]).collect()
        }
    }
}

fn question(grid: &AskGrid) -> Vec<String> {
    let words = one_line(&grid.chips.words());
    let does = match grid.planned() {
        Some(Ok(plan)) if plan.left == 0 => "shows the replies",
        Some(Ok(plan)) if plan.sort.has_replies() => "makes the calls",
        Some(Ok(_)) => "plays the branches",
        Some(Err(_)) => "plans again",
        None => "does nothing until the plan is there",
    };
    let how = format!(
        "an empty line {does}; names and values change it, such as prompts=0s-CoT,HD-CoT samples=20 target=optimal; a number \
         opens a stored ask; :cancel closes."
    );
    let stored = grid.stored().iter().map(|ask| one_line(&stored_ask_line(ask))).collect::<Vec<_>>();
    let asked = format!("ask again at step {} with {words}? Stored asks:", grid.step());
    let mut lines = choices(&asked, stored, &how);
    let answer = lines.pop();
    match grid.planned() {
        None => lines.push("Plan: being made".to_owned()),
        Some(Ok(plan)) => lines.extend(plan.lines.iter().flat_map(|line| labelled("Plan", line))),
        Some(Err(problem)) => {
            lines.extend(labelled("Error", &problem.message));
            lines.extend(problem.help.iter().flat_map(|help| labelled("What to do", help)));
        }
    }
    if let AskProgress::Failed(problem) = &grid.progress {
        lines.extend(labelled("Error", &sentence(problem)));
    }
    lines.extend(answer);
    lines
}

/// How many replies there are, and why there are not all.
fn counted(grid: &AskGrid) -> String {
    match &grid.progress {
        AskProgress::Failed(problem) => format!("{}; ! {}", counts(grid), sentence(problem)),
        _ => counts(grid),
    }
}

/// The variants with their answers and figures.
fn variants(model: &Model, grid: &AskGrid) -> Vec<String> {
    let mut lines = vec![format!("Ask: {}", one_line(&grid.view.title))];
    lines.push(format!("  {}", one_line(&counted(grid))));
    let text = pages::result_text(model, grid).into_iter().filter(|line| !line.is_empty());
    lines.extend(text.map(|line| format!("  {}", without_bars(&line))));
    lines.push(
        "Answer: the place of a variant from the top lists its replies; compare 2 shows how its request differs from the one \
         before; samples=9 changes what is asked; pin keeps the state in a suite; an empty line closes."
            .to_owned(),
    );
    lines
}

/// The replies of the selected variant.
fn replies(grid: &AskGrid) -> Vec<String> {
    let calls = grid.selected().map_or(&[][..], |variant| &variant.samples);
    let rows: Vec<String> = calls.iter().map(|call| without_bars(&one_line(&ask_call_line(call)))).collect();
    let how = "a number opens it; use 2 uses reply 2, fork 2 begins a branch with it, good 2, bad 2 and unrate 2 rate it; \
               request shows the request; an empty line goes back.";
    choices(&format!("which reply? {}", one_line(&counted(grid))), rows, how)
}

/// A line without the columns and the bars of the full screen.
fn without_bars(line: &str) -> String {
    let plain: String = line.chars().filter(|c| !matches!(c, '█' | '▓' | '╌' | '▸')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line that answers the question. The caller took the dialog out of the model; it is put back unless the line closes it.
pub(crate) fn answer(model: &mut Model, mut grid: Box<AskGrid>, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    if grid.is_running() {
        if matches!(line, "" | "stop") {
            back(model, &mut grid, effects);
        }
        return model.modal = Some(Modal::Grid(grid));
    }
    let place = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (grid.page, grid.focus) {
        (Page::Grid | Page::Stored, Focus::Chips) => about_words(model, grid, (line, place), effects),
        (Page::Grid | Page::Stored, Focus::Answers) => about_variants(model, grid, (line, place), effects),
        _ => about_replies(model, grid, (line, place), effects),
    }
}

fn about_words(
    model: &mut Model,
    mut grid: Box<AskGrid>,
    (line, place): (&str, Option<usize>),
    effects: &mut Vec<Effect>,
) {
    match (line, place.filter(|place| *place < grid.stored().len())) {
        (":cancel", _) => return uses::stop_all(effects),
        ("", _) => return enter(model, grid, effects),
        (_, Some(place)) => open_stored(&mut grid, Some(place), effects),
        (words, None) => {
            grid.set_words(words);
            replan(model, &mut grid, effects);
        }
    }
    model.modal = Some(Modal::Grid(grid));
}

fn about_variants(
    model: &mut Model,
    mut grid: Box<AskGrid>,
    (line, place): (&str, Option<usize>),
    effects: &mut Vec<Effect>,
) {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let compared = rest.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (verb, place.filter(|place| *place < grid.columns())) {
        ("", _) => return uses::stop_all(effects),
        (words, _) if words.contains('=') => {
            grid.set_words(line);
            grid.focus = Focus::Chips;
            replan(model, &mut grid, effects);
        }
        ("pin", _) => uses::pin(&grid, effects),
        ("compare", _) => {
            grid.select_column(compared.unwrap_or(0));
            uses::show_requests(model, &mut grid, Page::Difference, effects);
        }
        (_, Some(place)) => {
            grid.select_column(place);
            grid.show(Page::Replies);
        }
        (_, None) => {
            model.notify(
                "a number lists the replies of a variant, compare 2 its request, an empty line closes",
            );
        }
    }
    model.modal = Some(Modal::Grid(grid));
}

fn about_replies(
    model: &mut Model,
    mut grid: Box<AskGrid>,
    (line, place): (&str, Option<usize>),
    effects: &mut Vec<Effect>,
) {
    match (line, place) {
        ("", _) if matches!(grid.page, Page::Reply | Page::Request) => grid.show(Page::Replies),
        ("", _) => grid.show(Page::Grid),
        ("request", _) => uses::show_requests(model, &mut grid, Page::Request, effects),
        (_, Some(place)) => {
            if select_place(&mut grid, place) {
                grid.show(Page::Reply);
            } else {
                model.notify(format!("there is no reply {}", place + 1));
            }
        }
        (words, None) => return about_reply(model, grid, words, effects),
    }
    model.modal = Some(Modal::Grid(grid));
}

/// Selects the reply of this place of the selected variant.
fn select_place(grid: &mut AskGrid, place: usize) -> bool {
    let number = grid.selected().and_then(|row| row.samples.get(place)).map(|call| call.number);
    if let Some(number) = number {
        grid.select_sample(number);
    }
    number.is_some()
}

/// A line about a reply: what to do, and its place if it is not the one that is shown.
fn about_reply(model: &mut Model, mut grid: Box<AskGrid>, words: &str, effects: &mut Vec<Effect>) {
    let (verb, place) = words.split_once(' ').unwrap_or((words, ""));
    if let Some(place) = place.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1))
        && !select_place(&mut grid, place)
    {
        model.notify(format!("there is no reply {}", place + 1));
        return model.modal = Some(Modal::Grid(grid));
    }
    match verb {
        "use" => return uses::use_reply(model, grid, effects),
        "fork" => return uses::fork(model, grid, effects),
        "good" => uses::rate(&grid, Some(Rating::Good), effects),
        "bad" => uses::rate(&grid, Some(Rating::Bad), effects),
        "unrate" => uses::rate(&grid, None, effects),
        _ => model
            .notify("use 2 uses reply 2, fork 2 begins a branch with it, good 2, bad 2 or unrate 2 rate it"),
    }
    model.modal = Some(Modal::Grid(grid));
}
