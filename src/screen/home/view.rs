//! Home as a view of the screen: what is selected, what keys and typed lines do, and the way back to it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::actions::{ask_deletion, copy_address, play_again};
use super::tree::{Row, Tree};
use super::welcome;
use super::welcome::Welcome;
use crate::command::{CommandId, meaning};
use crate::help::HelpSheet;
use crate::keymap::key_name;
use crate::model::{Modal, Model, Palette, View};
use crate::models;
use crate::requests::{HomeContents, HomeItem, HomePreview, HomeSection, Player, Request, SessionBatch};
use crate::update::{Effect, go_back, open_lesson, open_suite};
use crate::workshop::open_prompt;
use mageyard_config::Problem;

/// The longest filter in bytes.
const MAX_FILTER: usize = 200;
/// Rows of a page.
const PAGE: isize = 10;

/// The state of home.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub(super) tree: Tree,
    pub(super) selected: HomeItem,
    /// Whether letters are added to the filter.
    pub(super) is_typing: bool,
    /// What is shown beside the tree, and of which item.
    pub(super) preview: Option<(HomeItem, Result<HomePreview, Problem>)>,
    /// The item whose preview was asked for last.
    wanted: Option<HomeItem>,
    /// The first start, in place of the tree.
    pub(super) welcome: Option<Welcome>,
    /// What was said of it in lines.
    pub(super) told: Option<String>,
    /// Whether the preview is to be said in lines when it is there.
    pub(super) says_preview: bool,
}

impl Default for Home {
    fn default() -> Self {
        Self {
            tree: Tree::default(),
            selected: HomeItem::Section(HomeSection::Continue),
            is_typing: false,
            preview: None,
            wanted: None,
            welcome: None,
            told: None,
            says_preview: false,
        }
    }
}

impl Home {
    /// The place of the selected item among the rows.
    pub(super) fn place(&self) -> usize {
        self.tree.rows().iter().position(|row| row.item == self.selected).unwrap_or(0)
    }

    fn move_by(&mut self, by: isize) {
        let rows = self.tree.rows();
        let place = self.place().saturating_add_signed(by).min(rows.len().saturating_sub(1));
        if let Some(row) = rows.get(place) {
            self.selected = row.item.clone();
        }
    }

    /// Selects the row at this place, or the last one.
    pub(super) fn select_near(&mut self, place: usize) {
        let rows = self.tree.rows();
        if let Some(row) = rows.get(place).or(rows.last()) {
            self.selected = row.item.clone();
        }
    }

    /// The selected row, if there is one.
    pub(super) fn selected_row(&self) -> Option<&Row> {
        self.tree.rows().get(self.place())
    }

    /// Whether the preview of the selected item is being made.
    pub(super) fn is_wanted(&self) -> bool {
        self.preview.is_none() && has_preview(&self.selected)
    }

    /// Whether nothing was played or recorded yet.
    fn is_unused(&self) -> bool {
        let is_empty =
            |contents: &HomeContents| contents.sessions.is_empty() && contents.unfinished.is_empty();
        self.tree.contents().is_some_and(is_empty)
    }

    fn is_on_prompt(&self) -> bool {
        matches!(self.selected, HomeItem::Prompt(..))
    }

    fn set_open(&mut self, is_open: bool) {
        let item = self.selected_row().filter(|row| row.is_open.is_some()).map(|row| row.item.clone());
        if let Some(item) = item {
            self.tree.set_open(&item, is_open);
        }
    }

    /// Changes the filter; the selection stays if its item is still listed.
    fn set_filter(&mut self, filter: String) {
        self.tree.set_filter(filter);
        self.move_by(0);
    }
}

/// Shows home, from anywhere, and reads again what it lists.
pub(crate) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let dialog = model.modal.take();
    let place = model.place(dialog);
    model.show_view(View::Home, place);
    model.home.get_or_insert_default();
    effects.push(Effect::Request(Request::ListHome));
}

/// What home lists was read.
pub(crate) fn listed(model: &mut Model, contents: HomeContents, effects: &mut Vec<Effect>) {
    let is_linear = model.appearance.settings.linear;
    let Some(home) = model.home.as_deref_mut() else { return };
    let is_first = home.tree.contents().is_none();
    model.suites.clone_from(&contents.suites);
    home.tree.list(contents);
    let is_first_start = is_first && home.is_unused();
    if is_first_start {
        home.welcome = Some(Welcome::default());
        // In lines there is no picture to play beside.
        let play = || Effect::Request(Request::Welcome(Some(welcome::player())));
        effects.extend((!is_linear).then(play));
    }
    if is_first {
        let rows = home.tree.rows();
        let first = rows.iter().find(|row| row.is_open.is_none()).or(rows.first());
        if let Some(row) = first {
            home.selected = row.item.clone();
        }
    }
    preview(model, effects);
}

/// Sessions were read after they were listed.
pub(crate) fn sessions_read(model: &mut Model, batch: &SessionBatch) {
    if let Some(home) = model.home.as_deref_mut() {
        home.tree.apply(batch);
    }
}

/// The preview of an item was made; that of another one than the selected one is dropped.
pub(crate) fn previewed(model: &mut Model, item: HomeItem, answer: Result<HomePreview, Problem>) {
    if let Some(home) = model.home.as_deref_mut().filter(|home| home.selected == item) {
        home.preview = Some((item, answer));
    }
}

/// Has the preview of the selected item made, if it is another one.
pub(super) fn preview(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(home) = model.home.as_deref_mut() else { return };
    let item = home.selected.clone();
    if home.wanted.replace(item.clone()).as_ref() == Some(&item) {
        return;
    }
    home.preview = None;
    if has_preview(&item) {
        effects.push(Effect::Request(Request::Preview(item)));
    }
}

fn has_preview(item: &HomeItem) -> bool {
    !matches!(item, HomeItem::Section(_) | HomeItem::Levels(_) | HomeItem::Prompts(_))
}

/// What commands mean on home: how far the selection moves.
const MOVES: [(CommandId, isize); 10] = [
    (CommandId::Up, -1),
    (CommandId::Down, 1),
    (CommandId::ScrollUp, -1),
    (CommandId::ScrollDown, 1),
    (CommandId::PageUp, -PAGE),
    (CommandId::PageDown, PAGE),
    (CommandId::Top, isize::MIN),
    (CommandId::First, isize::MIN),
    (CommandId::Bottom, isize::MAX),
    (CommandId::Newest, isize::MAX),
];

/// Whether a command opens or closes the selected item.
const FOLDS: [(CommandId, bool); 4] = [
    (CommandId::Right, true),
    (CommandId::Forward, true),
    (CommandId::Left, false),
    (CommandId::Back, false),
];

/// Handles a key while home is shown.
pub(crate) fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let id = model.appearance.keys.command(key);
    let has_welcome = model.home.as_deref().is_some_and(|home| home.welcome.is_some());
    if has_welcome && key.modifiers.is_empty() && welcome::press(model, key.code, effects) {
        return;
    }
    let Some(home) = model.home.as_deref_mut() else { return };
    if home.is_typing && !key.modifiers.contains(KeyModifiers::CONTROL) && type_filter(home, key) {
        return preview(model, effects);
    }
    match (key.code, id) {
        (KeyCode::Enter, _) => return open_selected(model, effects),
        (KeyCode::Esc, _) if home.tree.filter().is_empty() && !home.is_typing => {
            go_back(model, effects);
            return;
        }
        (KeyCode::Esc, _) => {
            home.set_filter(String::new());
            home.is_typing = false;
        }
        (KeyCode::Char('y'), _) if key.modifiers.is_empty() => return copy_address(model, effects),
        (KeyCode::Char('e'), _) if key.modifiers.is_empty() && home.is_on_prompt() => {
            return open_selected(model, effects);
        }
        (KeyCode::Char('n'), _) if key.modifiers.is_empty() => return play_again(model, effects),
        (KeyCode::Char('d'), _) if key.modifiers.is_empty() => return ask_deletion(model),
        (KeyCode::Char('m'), _) if key.modifiers.is_empty() => return models::open(model, effects),
        (_, Some(CommandId::Search)) => home.is_typing = true,
        (_, Some(CommandId::Help)) => model.modal = Some(Modal::Help(HelpSheet::default())),
        (_, Some(CommandId::Palette)) => model.modal = Some(Modal::Palette(Palette::default())),
        (_, Some(CommandId::Quit | CommandId::Interrupt)) => effects.push(Effect::Quit),
        (_, Some(CommandId::Suspend)) => effects.push(Effect::Suspend),
        (_, Some(CommandId::Redraw)) => effects.push(Effect::Redraw),
        (_, id) => match (meaning(&MOVES, id), meaning(&FOLDS, id)) {
            (Some(by), _) => home.move_by(by),
            (None, Some(is_open)) => home.set_open(is_open),
            (None, None) => {
                let help = model.key_or_name(CommandId::Help);
                model.notify(format!("{} does nothing on home; {help} lists the keys", key_name(key)));
            }
        },
    }
    preview(model, effects);
}

/// Adds to the filter, or leaves it; false if the key moves the selection.
fn type_filter(home: &mut Home, key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Char(letter) if home.tree.filter().len() < MAX_FILTER && !letter.is_control() => {
            home.set_filter(format!("{}{letter}", home.tree.filter()));
        }
        KeyCode::Backspace => {
            let mut filter = home.tree.filter().to_owned();
            filter.pop();
            home.set_filter(filter);
        }
        KeyCode::Enter | KeyCode::Tab => home.is_typing = false,
        _ => return false,
    }
    true
}

/// Adds pasted text to the filter.
pub(crate) fn paste(model: &mut Model, text: &str) {
    if let Some(home) = model.home.as_deref_mut().filter(|home| home.is_typing) {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        if home.tree.filter().len() + text.len() <= MAX_FILTER {
            home.set_filter(format!("{}{text}", home.tree.filter()));
        }
    }
}

/// Opens or closes a folder; else continues, plays or shows the selected item.
pub(super) fn open_selected(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(home) = model.home.as_deref_mut() else { return };
    let Some(row) = home.selected_row().cloned() else { return };
    if let Some(is_open) = row.is_open {
        return home.set_open(!is_open);
    }
    let request = match row.item {
        HomeItem::Level(reference) => Request::OpenLevel(reference),
        HomeItem::Unfinished(name) => Request::Resume(name),
        HomeItem::Session(name) => Request::OpenRecorded(name),
        HomeItem::Sweep(name) => Request::OpenSweep(name),
        HomeItem::Model(name) => Request::PlayWith { level: None, player: Player::Model(name) },
        HomeItem::Suite(name) => return open_suite(model, &name, effects),
        HomeItem::Prompt(environment, name) => return open_prompt(model, &environment, &name, effects),
        HomeItem::Lesson(name) => {
            return open_lesson(model, name, effects);
        }
        HomeItem::Section(_) | HomeItem::Levels(_) | HomeItem::Prompts(_) => return,
    };
    if let Request::OpenRecorded(name) | Request::Resume(name) = &request
        && let Some(index) = open_session(model, name)
    {
        return model.show_opened(index);
    }
    model.notify(format!("opening {} …", row.name));
    effects.push(Effect::Request(request));
}

/// The index of the first open episode of a session.
fn open_session(model: &Model, name: &str) -> Option<usize> {
    model.episodes.iter().position(|viewed| {
        viewed.snapshot.folder.file_name().is_some_and(|folder| folder.to_str() == Some(name))
    })
}

/// Handles a line of the linear mode while home is shown: the number of a row, alone or after what is done with it, a filter
/// after `/`, or a command.
pub(crate) fn enter(model: &mut Model, line: &str, effects: &mut Vec<Effect>) -> bool {
    let Some(home) = model.home.as_deref_mut() else { return false };
    let line = line.trim();
    if let Some(filter) = line.strip_prefix('/') {
        home.set_filter(filter.trim().to_owned());
        return true;
    }
    if let Some((act, number)) = numbered(line) {
        let rows = home.tree.rows();
        if let Some(row) = number.checked_sub(1).and_then(|index| rows.get(index)) {
            home.selected = row.item.clone();
            act(model, effects);
        } else {
            let count = rows.len();
            model.notify(format!("there is no row {number}; there are {count}"));
        }
        return true;
    }
    match line {
        "" | "home" => home.told = None,
        "quit" | "q" => effects.push(Effect::Quit),
        _ => return false,
    }
    true
}

/// What is done with a row.
type Act = fn(&mut Model, &mut Vec<Effect>);

/// What a line does with the row of its number.
fn numbered(line: &str) -> Option<(Act, usize)> {
    let (word, number) = line.rsplit_once(' ').unwrap_or(("", line));
    let act: Act = match word.trim() {
        "" => open_selected,
        "n" | "again" => play_again,
        "d" | "delete" => |model, _| ask_deletion(model),
        "y" | "copy" => copy_address,
        "show" => say_preview,
        _ => return None,
    };
    Some((act, number.parse().ok()?))
}

/// Has the preview of the selected item said when it is there.
fn say_preview(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(home) = model.home.as_deref_mut() {
        home.says_preview = true;
        home.wanted = None;
    }
    preview(model, effects);
}
