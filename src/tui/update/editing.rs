//! Editing what is pending, and the prompt. What cannot be edited now is answered with the reason.

use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyModifiers;

use super::Effect;
use super::orders;
use crate::config::Problem;
use crate::dialog::Prompt;
use crate::engine::Edit;
use crate::engine::Order;
use crate::engine::Spot;
use crate::engine::Waiting;
use crate::tui::model::Editor;
use crate::tui::model::Model;
use crate::tui::model::Sheet;
use crate::tui::model::Subject;
use crate::tui::model::Viewed;
use crate::tui::model::actions;
use crate::tui::sheets::editor_width;
use crate::tui::sheets::verdict;

/// Rows that a page key goes.
const PAGE: isize = 10;

/// Opens the editor on what this names, or, where nothing is named, on what is pending.
pub(super) fn open(model: &mut Model, named: Option<&str>, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.viewed() else { return };
    if let Some(why) = orders::refusal(viewed) {
        return model.remark(why);
    }
    let editor = match named {
        Some("prompt") => return ask_for_prompt(model, effects),
        Some("reply") => reply(viewed),
        Some("action") => action(viewed),
        Some(other) => {
            Err(format!("there is no {other:?} to edit; edit the reply, the action or the prompt"))
        }
        None if viewed.looks_back() => {
            Err("this step is done, and only what is pending can be edited; $ goes to the newest step".into())
        }
        None => pending(viewed),
    };
    match editor {
        Ok(editor) => show(model, editor, effects),
        Err(why) => model.remark(why),
    }
}

/// While somebody edits, nothing goes on by itself.
fn show(model: &mut Model, editor: Editor, effects: &mut Vec<Effect>) {
    if model.viewed().is_some_and(Viewed::is_running) {
        orders::send(model, Order::Pause, effects);
    }
    model.sheet = Some(Sheet::Edit(Box::new(editor)));
}

fn pending(viewed: &Viewed) -> Result<Editor, String> {
    if viewed.snapshot.waiting == Waiting::Apply { action(viewed) } else { reply(viewed) }
}

fn busy(viewed: &Viewed) -> Result<(), String> {
    match viewed.snapshot.waiting {
        Waiting::Opening => Err("the environment is still opening".into()),
        Waiting::Thinking => Err("the agent is being asked: Esc cancels that, or wait for its reply".into()),
        _ => Ok(()),
    }
}

fn reply(viewed: &Viewed) -> Result<Editor, String> {
    busy(viewed)?;
    let step = viewed.snapshot.steps.last().ok_or("the environment is still opening")?;
    let attempt = step.decided().ok_or_else(|| match viewed.snapshot.waiting {
        Waiting::Apply => "the plan was said at the first step, which is done; :edit action edits its rest".into(),
        _ => format!("nothing is pending at step {}: Enter asks the agent first; :edit prompt edits what it is asked with", step.number),
    })?;
    Ok(Editor::new(Subject::Reply, attempt.reply.to_string(), Some(Spot::of(step))))
}

fn action(viewed: &Viewed) -> Result<Editor, String> {
    busy(viewed)?;
    let snapshot = &viewed.snapshot;
    let pending = snapshot.steps.last().filter(|_| snapshot.waiting == Waiting::Apply);
    let step = pending.ok_or("no action is pending: Enter asks the agent first")?;
    let names = step.action.iter().chain(&snapshot.plan).map(ToString::to_string);
    let text = names.collect::<Vec<_>>().join(", ");
    Ok(Editor::new(Subject::Action, text, Some(Spot::of(step))))
}

fn ask_for_prompt(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(viewed) = model.viewed() else { return };
    if viewed.snapshot.prompts.is_empty() {
        return model.remark("this environment has no prompts");
    }
    let (environment, from) = (viewed.snapshot.head.environment.clone(), viewed.snapshot.prompt.clone());
    effects.push(Effect::Draft { environment, from });
}

/// The house has made a text ready, or says why not.
pub(super) fn drafted(
    model: &mut Model,
    subject: Subject,
    answer: Result<String, Problem>,
    effects: &mut Vec<Effect>,
) {
    match answer {
        Ok(text) => show(model, Editor::new(subject, text, None), effects),
        Err(problem) => model.remark(problem.to_string()),
    }
}

/// The house has kept the text as a prompt variant, or says why not: then the text stays.
pub(super) fn kept(model: &mut Model, answer: Result<Prompt, Problem>, effects: &mut Vec<Effect>) {
    let name = match answer {
        Err(problem) => {
            if let Some(Sheet::Edit(editor)) = &mut model.sheet {
                editor.problem = Some(problem);
            }
            return;
        }
        Ok(prompt) => {
            let name = prompt.name.clone();
            model.sheet = None;
            orders::send(model, Order::Write(Box::new(prompt)), effects);
            name
        }
    };
    model.remark(format!("{name} is kept in the prompts folder, and asks from the next request on"));
}

/// The person's own editor has given the text back, or there is a reason why not: then the text stays.
pub(super) fn returned(model: &mut Model, answer: Result<String, String>) {
    match (answer, &mut model.sheet) {
        (Ok(text), Some(Sheet::Edit(editor))) => {
            editor.page = crate::tui::page::Page::new(text);
            editor.problem = None;
            editor.warned = false;
        }
        (Ok(_), _) => {}
        (Err(why), _) => model.remark(why),
    }
}

/// The sheet was taken out of the model: it is put back unless the key closes it.
pub(super) fn press(model: &mut Model, mut editor: Box<Editor>, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let warned = std::mem::take(&mut editor.warned);
    match key.code {
        KeyCode::Esc if editor.has_changed() && !warned => {
            editor.warned = true;
            model.remark("Esc again leaves without the change");
        }
        KeyCode::Esc => return,
        KeyCode::Char('d') if control => return take(model, editor, warned, effects),
        KeyCode::Enter if editor.subject == Subject::Action => return take(model, editor, warned, effects),
        KeyCode::Char('e') if control => {
            effects.push(Effect::Hand(editor.page.text().to_owned(), editor.extension()));
        }
        KeyCode::Char('r') if control => return turn(model, editor, warned),
        KeyCode::Tab if editor.subject == Subject::Action => complete(model, &mut editor),
        _ => write(model, &mut editor, key, control),
    }
    model.sheet = Some(Sheet::Edit(editor));
}

fn complete(model: &Model, editor: &mut Editor) {
    if let Some(step) = model.viewed().and_then(|viewed| viewed.snapshot.steps.last()) {
        editor.complete(&step.space);
    }
}

/// From the action to its reply and back.
fn turn(model: &mut Model, mut editor: Box<Editor>, warned: bool) {
    if editor.has_changed() && !warned {
        editor.warned = true;
        model.remark("Ctrl-R again turns without the change");
        model.sheet = Some(Sheet::Edit(editor));
        return;
    }
    let other = model.viewed().map(|viewed| match editor.subject {
        Subject::Reply => action(viewed),
        Subject::Action => reply(viewed),
        Subject::Prompt { .. } => Err("this is a prompt: there is nothing to turn to".into()),
    });
    match other {
        Some(Ok(other)) => model.sheet = Some(Sheet::Edit(Box::new(other))),
        Some(Err(why)) => {
            model.remark(why);
            model.sheet = Some(Sheet::Edit(editor));
        }
        None => {}
    }
}

fn write(model: &mut Model, editor: &mut Editor, key: KeyEvent, control: bool) {
    let width = editor_width(model);
    let page = &mut editor.page;
    let mut whole = true;
    match key.code {
        KeyCode::Left => page.left(),
        KeyCode::Right => page.right(),
        KeyCode::Up => page.vertical(-1, width),
        KeyCode::Down => page.vertical(1, width),
        KeyCode::PageUp => page.vertical(-PAGE, width),
        KeyCode::PageDown => page.vertical(PAGE, width),
        KeyCode::Home => page.home(),
        KeyCode::End => page.end(),
        KeyCode::Backspace => page.erase(),
        KeyCode::Delete => page.delete(),
        KeyCode::Char('w') if control => page.erase_word(),
        KeyCode::Char('u') if control => page.erase_line(),
        KeyCode::Enter => whole = page.write("\n"),
        KeyCode::Tab => whole = page.write("\t"),
        KeyCode::Char(c) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            whole = page.write(c.encode_utf8(&mut [0; 4]));
        }
        _ => return,
    }
    editor.problem = None;
    if !whole {
        model.remark("the text has 1 MiB, which is the most there can be");
    }
}

/// What was pasted is written, and presses no key.
pub(super) fn paste(model: &mut Model, text: &str) {
    let Some(Sheet::Edit(editor)) = &mut model.sheet else { return };
    editor.warned = false;
    editor.problem = None;
    if !editor.page.write(text) {
        model.remark("nothing was pasted: the text would have more than 1 MiB");
    }
}

/// The text takes the place of what was edited, unless it cannot stand there: then it stays open.
fn take(model: &mut Model, mut editor: Box<Editor>, warned: bool, effects: &mut Vec<Effect>) {
    let meant = match ordered(model, &editor, warned) {
        Ok(meant) => meant,
        Err(why) => {
            // Unreadable words may be meant; asked for twice, they are taken.
            editor.warned = editor.subject == Subject::Reply;
            model.remark(why);
            model.sheet = Some(Sheet::Edit(editor));
            return;
        }
    };
    match meant {
        None => model.remark("nothing was changed"),
        Some(Meant::Order(order)) => {
            orders::send(model, order, effects);
        }
        Some(Meant::Prompt(environment)) => {
            effects.push(Effect::Keep { environment, text: editor.page.text().to_owned() });
            model.sheet = Some(Sheet::Edit(editor));
        }
    }
}

enum Meant {
    Order(Order),
    Prompt(String),
}

/// What the text stands for; `None` where it is as it was.
fn ordered(model: &Model, editor: &Editor, warned: bool) -> Result<Option<Meant>, String> {
    let Some(viewed) = model.viewed() else { return Ok(None) };
    if let Subject::Prompt { environment, .. } = &editor.subject {
        return Ok(Some(Meant::Prompt(environment.clone())));
    }
    if !editor.has_changed() {
        return Ok(None);
    }
    let step = viewed.snapshot.steps.last().filter(|step| Some(Spot::of(step)) == editor.spot);
    let (Some(step), Some(spot)) = (step, editor.spot) else {
        return Err("the episode has gone on since: there is nothing left to change. Esc leaves".into());
    };
    let text = editor.page.text();
    let edit = match editor.subject {
        Subject::Action => {
            let actions = actions(text, &step.space, viewed.snapshot.head.setting)?;
            if step.action.iter().chain(&viewed.snapshot.plan).eq(&actions) {
                return Ok(None);
            }
            Edit::Actions(actions)
        }
        _ if !warned && !verdict(viewed, editor).good => {
            return Err("it is not read so; Ctrl-D again takes it all the same".into());
        }
        _ => Edit::Reply(text.to_owned()),
    };
    Ok(Some(Meant::Order(Order::Edit(spot, edit))))
}
