//! Seats: the dialog that gives the seat to another agent, and the command that names one.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, branches, session_control};
use crate::model::{Modal, Model, SeatSheet};
use crate::requests::{Player, Request};
use mageyard_domain::{nearest_names, sanitize};
use mageyard_engine::{Mode, SeatChoice, SessionCommand};
use mageyard_terminal::count_of;

/// Opens the dialog with the present agent selected. A recording can have a branch with another agent, and a level that was
/// played to its end is played again by the one that is chosen.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.episode() else { return };
    if viewed.snapshot.run.mode == Mode::Recorded {
        return branches::open_sheet(model, "agent=", effects);
    }
    if let Some(refusal) = session_control::refusal(viewed).filter(|_| !viewed.is_over()) {
        return model.notify(refusal);
    }
    let now = viewed.snapshot.agent().name.clone();
    let selected = choices(model).iter().position(|choice| choice.name == now);
    model.modal = Some(Modal::Seats(SeatSheet::new(selected.unwrap_or(0))));
}

fn choices(model: &Model) -> &[SeatChoice] {
    model.episode().map_or(&[], |viewed| &viewed.snapshot.run.seats)
}

/// Handles a key. The caller took the modal out of the model; it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut sheet: SeatSheet, key: KeyEvent, effects: &mut Vec<Effect>) {
    let count = choices(model).len();
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char(letter) if !control && is_of_a_name(model, &mut sheet, letter) => {}
        KeyCode::Esc | KeyCode::Char('q') => return,
        KeyCode::Enter => {
            let chosen = choices(model).get(sheet.selected(count)).map(|choice| choice.name.clone());
            let steps = sheet.steps();
            if chosen.is_some_and(|name| give(model, &name, steps, effects)) {
                return;
            }
        }
        KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => sheet.select_by(-1, count),
        KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => sheet.select_by(1, count),
        KeyCode::Home => sheet.select_by(isize::MIN, count),
        KeyCode::End => sheet.select_by(isize::MAX, count),
        KeyCode::Backspace => sheet.backspace(),
        KeyCode::Char(digit) => sheet.push(digit),
        _ => {}
    }
    model.modal = Some(Modal::Seats(sheet));
}

/// Whether a letter is a part of the name of an agent, which is then selected. While a name is typed every letter is.
fn is_of_a_name(model: &Model, sheet: &mut SeatSheet, letter: char) -> bool {
    let names: Vec<&str> = choices(model).iter().map(|choice| choice.name.as_str()).collect();
    !letter.is_ascii_digit() && (sheet.type_name(letter, &names) || sheet.is_naming())
}

/// A line of the linear mode: the number or the name of an agent, and for how many steps. False if it is neither.
pub(super) fn answer(model: &mut Model, line: &str, effects: &mut Vec<Effect>) -> bool {
    let (word, steps) = line.split_once(' ').unwrap_or((line, ""));
    let by_number = word.parse::<usize>().ok().and_then(|number| choices(model).get(number.checked_sub(1)?));
    let name = by_number.map_or_else(|| word.to_owned(), |choice| choice.name.clone());
    let is_known = choices(model).iter().any(|choice| choice.name == base_name(&name));
    if is_known {
        by_words(model, &format!("{name} {steps}"), effects);
    }
    is_known
}

/// Gives the seat as the words after `:seat` say: the name of an agent, and for how many steps.
pub(crate) fn by_words(model: &mut Model, words: &str, effects: &mut Vec<Effect>) {
    let words = words.trim();
    let (name, steps) = words.split_once(' ').map_or((words, ""), |(name, steps)| (name, steps.trim()));
    let parsed = match steps {
        "" => Some(None),
        steps => steps.parse().ok().filter(|steps: &u32| *steps > 0).map(Some),
    };
    if let Some(steps) = parsed {
        give(model, name, steps, effects);
    } else {
        let shown = sanitize(steps).into_owned();
        model.notify(format!("{shown:?} is not a number of steps; write it as in :seat oracle 3"));
    }
}

/// The name of an agent without the recording that follows a colon.
fn base_name(name: &str) -> &str {
    name.split_once(':').map_or(name, |(base, _)| base)
}

/// Gives the seat to the agent of this name; false, with a notice, if that is not possible.
fn give(model: &mut Model, name: &str, steps: Option<u32>, effects: &mut Vec<Effect>) -> bool {
    let known = choices(model).iter().find(|choice| choice.name == base_name(name));
    let is_bare = known.is_some_and(|choice| choice.name == name);
    let refusal = match known {
        None => Some(unknown(model, name)),
        Some(choice) => choice.refusal.as_ref().filter(|_| is_bare).map(|why| format!("{name}: {why}")),
    };
    if let Some(refusal) = refusal {
        model.notify(sanitize(&refusal).into_owned());
        return false;
    }
    if let Some(viewed) = model.episode().filter(|viewed| viewed.live && viewed.is_over()) {
        let level = viewed.snapshot.head.reference.clone();
        model.awaited.play = Some(level.clone());
        let player = Player::Agent(name.to_owned());
        effects.push(Effect::Request(Request::PlayWith { level: Some(level), player }));
        return true;
    }
    let given = session_control::send(model, SessionCommand::Seat(name.to_owned(), steps), effects);
    if given {
        let count = |steps| count_of(usize::try_from(steps).unwrap_or(usize::MAX), "step");
        let how_long = steps.map_or("to the end".to_owned(), |steps| format!("for {}", count(steps)));
        model.notify(format!("{} decides from the next request on, {how_long}", sanitize(name)));
    }
    given
}

fn unknown(model: &Model, name: &str) -> String {
    let names: Vec<&str> = choices(model).iter().map(|choice| choice.name.as_str()).collect();
    let help = match nearest_names(name, names.iter().copied()).as_slice() {
        [] if names.is_empty() => "this session has no other agents".to_owned(),
        [] => format!("the agents are {}", names.join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    format!("there is no agent {name:?}; {help}")
}
