//! What keys do in the dialog, and how it opens.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::choosing;
use super::draw::extent;
use super::sheet::{AskGrid, Focus, Page};
use super::uses;
use crate::model::{AskProgress, AskedSheet, Modal, Model};
use crate::requests::{AskOrder, ModelOrder, Request};
use crate::update::{Effect, list_move, recorded_journal};
use mageyard_domain::Rating;

/// The replies that are made without a count.
const CANDIDATES: u32 = 3;
/// The rows of a page of replies.
const PAGE: i32 = 9;

/// Opens the dialog for the shown step, with words such as `prompts=A,B samples=20`. What they need is planned at once.
pub(crate) fn open(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    let Some(mut grid) = model.episode().and_then(|viewed| AskGrid::new(viewed, journal)) else {
        return model.notify("there is no step yet");
    };
    grid.set_words(words);
    show(model, grid, effects);
}

/// Opens the dialog for so many replies of the present prompt, one of which is to be used.
pub(crate) fn open_candidates(model: &mut Model, count: Option<u32>, effects: &mut Vec<Effect>) {
    let Some(journal) = recorded_journal(model) else { return };
    let count = count.unwrap_or(CANDIDATES);
    match model.episode().and_then(|viewed| AskGrid::candidates(viewed, journal, count)) {
        Some(grid) => show(model, grid, effects),
        None => model.notify("there is no step yet"),
    }
}

fn show(model: &mut Model, mut grid: AskGrid, effects: &mut Vec<Effect>) {
    list(&grid, effects);
    effects.push(Effect::Request(Request::Model(ModelOrder::List)));
    plan(model, &mut grid, effects);
    model.modal = Some(Modal::Grid(grid.into()));
}

/// Reads the asks that are stored for the step.
pub(super) fn list(grid: &AskGrid, effects: &mut Vec<Effect>) {
    let order = AskOrder::List(grid.journal.clone(), grid.step());
    effects.push(Effect::Request(Request::Ask(order)));
}

/// Plans the words of the chips.
pub(super) fn plan(model: &mut Model, grid: &mut AskGrid, effects: &mut Vec<Effect>) {
    model.asks += 1;
    let order = AskOrder::Plan(grid.begin_plan(model.asks));
    effects.push(Effect::Request(Request::Ask(order)));
}

/// Plans the words of the chips if they are new.
pub(super) fn replan(model: &mut Model, grid: &mut AskGrid, effects: &mut Vec<Effect>) {
    if grid.has_new_words() {
        if !grid.is_running() {
            grid.progress = AskProgress::Over;
        }
        plan(model, grid, effects);
    }
}

/// Handles a key. The caller took the dialog out of the model; it is put back unless the key closes it.
pub(crate) fn press(model: &mut Model, mut grid: Box<AskGrid>, key: KeyEvent, effects: &mut Vec<Effect>) {
    if grid.page != Page::Grid {
        return on_page(model, grid, key, effects);
    }
    if grid.focus == Focus::Chips {
        let was = grid.chips.words();
        let is_locked = grid.is_running() && !is_move(key);
        let known = !is_locked && choosing::press(&mut grid, key);
        if grid.chips.words() != was {
            replan(model, &mut grid, effects);
        }
        if known {
            return model.modal = Some(Modal::Grid(grid));
        }
        if is_locked && !matches!(key.code, KeyCode::Esc) {
            model.notify("calls are being made: Esc stops them, then the chips can change");
            return model.modal = Some(Modal::Grid(grid));
        }
    }
    on_grid(model, grid, key, effects);
}

/// Whether a key on the chips changes none of them.
fn is_move(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Tab | KeyCode::BackTab | KeyCode::Down)
}

fn on_grid(model: &mut Model, mut grid: Box<AskGrid>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let in_answers = grid.focus == Focus::Answers;
    if matches!(key.code, KeyCode::Esc | KeyCode::Char('q')) {
        if !back(model, &mut grid, effects) {
            model.modal = Some(Modal::Grid(grid));
        }
        return;
    }
    match key.code {
        KeyCode::Enter => return enter(model, grid, effects),
        KeyCode::Char(_) if key.modifiers.contains(KeyModifiers::CONTROL) => {}
        KeyCode::Char('y') => effects.push(uses::copy(model, &grid)),
        KeyCode::Char('s') => grid.show(Page::Stored),
        KeyCode::Char('t') => grid.show(Page::Figures),
        KeyCode::Char('p') => uses::pin(&grid, effects),
        KeyCode::Char('a') => return uses::name_suite(model, grid),
        KeyCode::Char('r' | 'R') => uses::show_requests(model, &mut grid, Page::Request, effects),
        KeyCode::Char('D') => uses::show_requests(model, &mut grid, Page::Difference, effects),
        KeyCode::Char(letter) if in_answers => return on_answer(model, grid, (letter, key), effects),
        KeyCode::Tab if in_answers => focus_chips(&mut grid, true),
        KeyCode::BackTab if in_answers => focus_chips(&mut grid, false),
        KeyCode::Left if in_answers => grid.move_column(-1),
        KeyCode::Right if in_answers => grid.move_column(1),
        KeyCode::PageUp | KeyCode::PageDown => scroll(model, &mut grid, key),
        KeyCode::Up | KeyCode::Down | KeyCode::Home | KeyCode::End if in_answers => {
            let by = list_move(key, 1).map_or(0, |by| by.clamp(-100_000, 100_000));
            let is_inside = grid.move_row(i32::try_from(by).unwrap_or(0));
            if !is_inside && key.code == KeyCode::Up {
                grid.focus = Focus::Chips;
            }
        }
        _ => {}
    }
    model.modal = Some(Modal::Grid(grid));
}

fn focus_chips(grid: &mut AskGrid, from_first: bool) {
    grid.focus = Focus::Chips;
    while grid.chips.move_focus(!from_first) {}
}

/// A letter or a digit about the selected reply.
fn on_answer(
    model: &mut Model,
    mut grid: Box<AskGrid>,
    (letter, key): (char, KeyEvent),
    effects: &mut Vec<Effect>,
) {
    match letter {
        'f' => return uses::fork(model, grid, effects),
        'u' => return uses::use_reply(model, grid, effects),
        '1'..='9' => return uses::use_reply_of(model, grid, letter.to_digit(10).unwrap_or(1), effects),
        '+' | '=' => uses::rate(&grid, Some(Rating::Good), effects),
        '-' => uses::rate(&grid, Some(Rating::Bad), effects),
        '0' => uses::rate(&grid, None, effects),
        'h' => grid.move_column(-1),
        'l' => grid.move_column(1),
        'j' => _ = grid.move_row(1),
        'k' => _ = grid.move_row(-1),
        ' ' => _ = grid.move_row(PAGE),
        _ => scroll(model, &mut grid, key),
    }
    model.modal = Some(Modal::Grid(grid));
}

/// Makes the calls of the plan, or plays its branches; a reply that is there is shown over the whole dialog.
pub(super) fn enter(model: &mut Model, mut grid: Box<AskGrid>, effects: &mut Vec<Effect>) {
    let in_answers = grid.focus == Focus::Answers;
    if in_answers && grid.call().is_some() {
        grid.show(Page::Reply);
        return model.modal = Some(Modal::Grid(grid));
    }
    let ready = grid.ready().filter(|_| !grid.is_running() && !grid.is_opened);
    match ready.map(|(number, planned)| (number, planned.sort, planned.left)) {
        Some((number, sort, _)) if !sort.has_replies() => return play(model, grid, (number, sort), effects),
        Some((number, _, left)) if left > 0 => {
            effects.push(Effect::Request(Request::Ask(AskOrder::Make(number))));
            grid.progress = AskProgress::Running;
            grid.focus = Focus::Answers;
        }
        Some(_) => grid.focus = Focus::Answers,
        // A plan that was refused may be possible by now.
        None if grid.planned().is_some_and(Result::is_err) => plan(model, &mut grid, effects),
        None if grid.is_planning() => {
            model.notify("what this needs is being planned: Enter once it is there");
        }
        None => {}
    }
    model.modal = Some(Modal::Grid(grid));
}

/// Plays branches to their end; their table is a dialog of its own, from which Esc leads back.
fn play(
    model: &mut Model,
    grid: Box<AskGrid>,
    (number, sort): (u64, mageyard_study::StudySort),
    effects: &mut Vec<Effect>,
) {
    effects.push(Effect::Request(Request::Ask(AskOrder::Make(number))));
    let mut asked = AskedSheet::running(number, sort, grid.step());
    asked.opened_from = Some(Modal::Grid(grid).into());
    model.modal = Some(Modal::Asked(asked.into()));
}

/// Goes back: from a stored ask to what the chips say; calls are stopped, and what came back stays. True if the dialog closes.
pub(super) fn back(model: &mut Model, grid: &mut AskGrid, effects: &mut Vec<Effect>) -> bool {
    if grid.is_running() {
        if grid.progress == AskProgress::Running {
            grid.progress = AskProgress::Stopping;
            effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
            return false;
        }
    } else if grid.is_opened {
        plan(model, grid, effects);
        grid.focus = Focus::Chips;
        return false;
    }
    uses::stop_all(effects);
    true
}

/// A key on a page over the whole dialog.
fn on_page(model: &mut Model, mut grid: Box<AskGrid>, key: KeyEvent, effects: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Esc | KeyCode::Char('q') => grid.show(Page::Grid),
        KeyCode::Char('y') => effects.push(uses::copy(model, &grid)),
        KeyCode::Enter if grid.page == Page::Stored => open_stored(&mut grid, None, effects),
        _ if grid.page == Page::Stored => {
            let by = list_move(key, 10).unwrap_or(0);
            let last = grid.stored().len().saturating_sub(1);
            grid.stored_at = grid.stored_at.min(last).saturating_add_signed(by).min(last);
        }
        KeyCode::Char(letter) if grid.page == Page::Reply && "fu+-=0".contains(letter) => {
            return on_answer(model, grid, (letter, key), effects);
        }
        KeyCode::Left if grid.page != Page::Figures => turn(model, &mut grid, -1, effects),
        KeyCode::Right if grid.page != Page::Figures => turn(model, &mut grid, 1, effects),
        _ => scroll(model, &mut grid, key),
    }
    model.modal = Some(Modal::Grid(grid));
}

/// Shows the same of another variant.
fn turn(model: &mut Model, grid: &mut AskGrid, by: isize, effects: &mut Vec<Effect>) {
    grid.move_column(by);
    if grid.page != Page::Reply {
        uses::show_requests(model, grid, grid.page, effects);
    }
}

/// Opens a stored ask: the one of this place, or the selected one.
pub(super) fn open_stored(grid: &mut AskGrid, place: Option<usize>, effects: &mut Vec<Effect>) {
    let Some(view) = grid.stored().get(place.unwrap_or(grid.stored_at)).cloned() else { return };
    effects.push(Effect::Request(Request::Ask(AskOrder::Stop)));
    grid.open_view(view);
}

fn scroll(model: &Model, grid: &mut AskGrid, key: KeyEvent) {
    let (most, page) = extent(model, grid);
    let Some(by) = list_move(key, page.into()) else { return };
    let from = isize::try_from(grid.scroll.min(most)).unwrap_or(0);
    grid.scroll = u16::try_from(from.saturating_add(by).max(0)).unwrap_or(u16::MAX).min(most);
}
