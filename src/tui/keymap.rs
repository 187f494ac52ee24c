//! Key bindings: the defaults of the command table, changed by `keys.toml`.

use std::path::Path;

use crokey::KeyCombination;
use crossterm::event::KeyCode;
use crossterm::event::KeyEvent;
use crossterm::event::KeyModifiers;
use toml::Spanned;
use toml::de::DeString;
use toml::de::DeTable;
use toml::de::DeValue;

use super::command::COMMANDS;
use super::command::Command;
use super::command::CommandId;
use super::command::find_command;
use crate::config::Problem;

/// Keys that terminals or multiplexers use themselves.
const RESERVED: [(&str, &str); 4] = [
    ("ctrl-a", "terminal multiplexers use it"),
    ("ctrl-b", "terminal multiplexers use it"),
    ("ctrl-s", "flow control uses it to stop the output"),
    ("ctrl-q", "flow control uses it to resume the output"),
];

/// The word that removes a default binding.
const UNBOUND: &str = "nothing";

/// Keys with their commands, in the order of the help.
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap(Vec<(KeyCombination, CommandId)>);

impl Default for Keymap {
    fn default() -> Self {
        let rows = COMMANDS.iter().flat_map(|row| row.keys.iter().map(|key| (*key, row.id)));
        Self(rows.filter_map(|(key, id)| Some((parse(key)?, id))).collect())
    }
}

impl Keymap {
    /// Reads a `keys.toml`: a table `[keys]` of `key = "command"` that changes the defaults.
    /// `"nothing"` removes a binding.
    pub fn parse_key(file: &Path, text: &str) -> Result<Self, Problem> {
        let refuse = |what: String, span| Problem::new(what).at(file, text, span);
        let table = DeTable::parse(text)
            .map_err(|error| refuse(error.message().to_owned(), error.span().unwrap_or(0..0)))?;
        let mut keymap = Self::default();
        for (name, value) in table.get_ref() {
            let rows = value.get_ref().as_table().filter(|_| name.get_ref() == "keys").ok_or_else(|| {
                let what = format!("unknown table {:?} in a keymap", name.get_ref());
                refuse(what, name.span()).with_help("bindings belong under [keys], such as x = \"step\"")
            })?;
            rows.iter().try_for_each(|(key, command)| keymap.bind(key, command, &refuse))?;
        }
        Ok(keymap)
    }

    fn bind(
        &mut self,
        key: &Spanned<DeString<'_>>,
        command: &Spanned<DeValue<'_>>,
        refuse: &dyn Fn(String, std::ops::Range<usize>) -> Problem,
    ) -> Result<(), Problem> {
        let combination = parse_bindable(key.get_ref()).map_err(|why| {
            let what = format!("cannot bind the key {:?}: {why}", key.get_ref());
            refuse(what, key.span())
        })?;
        let Some(name) = command.get_ref().as_str() else {
            return Err(refuse("expected the name of a command in quotes".into(), command.span()));
        };
        self.0.retain(|(known, _)| *known != combination);
        if name == UNBOUND {
            return Ok(());
        }
        let names = || COMMANDS.iter().map(|row| row.name).chain([UNBOUND]).collect::<Vec<_>>();
        let row = find_command(name).ok_or_else(|| {
            refuse(format!("there is no command {name:?}"), command.span()).with_suggestions(name, names())
        })?;
        self.0.push((combination, row.id));
        Ok(())
    }

    /// The command bound to a key, if any.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<CommandId> {
        let pressed = without_shift_on_signs(KeyCombination::from(event));
        self.0.iter().find(|(key, _)| *key == pressed).map(|(_, id)| *id)
    }

    /// The keys of a command as shown to users, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, id: CommandId) -> Vec<String> {
        self.0.iter().filter(|(_, own)| *own == id).map(|(key, _)| display_name(*key)).collect()
    }

    /// One row per command: name, keys, whether they are the default, help.
    pub fn rows(&self) -> Vec<KeyRow> {
        COMMANDS.iter().map(|row| self.row(row)).collect()
    }

    fn row(&self, command: &'static Command) -> KeyRow {
        let keys = self.keys(command.id);
        let default = keys == Self::default().keys(command.id);
        KeyRow { command: command.name, keys, default, help: command.help }
    }
}

/// A row of the list of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Name of the command.
    pub command: &'static str,
    /// Its keys as shown to users; empty when only the palette has it.
    pub keys: Vec<String>,
    /// Whether these are the default keys.
    pub default: bool,
    /// What it does.
    pub help: &'static str,
}

/// The keys that no action may have: they open the palette and the help, and cancel.
const SCREEN_KEYS: [&str; 3] = [":", "?", "esc"];

/// The key of an action, in the notation of `keys.toml`; `None` if an action cannot have this key.
fn action_key(name: &str) -> Option<KeyCombination> {
    let usable = !SCREEN_KEYS.contains(&name);
    parse_bindable(name).ok().filter(|key| usable && !key.modifiers.contains(KeyModifiers::CONTROL))
}

/// Whether this event is the key of an action.
pub(crate) fn is_action_key(name: &str, event: KeyEvent) -> bool {
    action_key(name) == Some(without_shift_on_signs(KeyCombination::from(event)))
}

/// The key of an action as shown to users; `None` if an action cannot have this key.
pub(crate) fn action_key_name(name: &str) -> Option<String> {
    action_key(name).map(display_name)
}

/// A key as shown to users.
pub(crate) fn key_name(event: KeyEvent) -> String {
    display_name(without_shift_on_signs(KeyCombination::from(event)))
}

fn parse_bindable(name: &str) -> Result<KeyCombination, String> {
    let key = parse(name).ok_or_else(|| {
        "unknown key (write q, Q, ctrl-l, enter, space, tab, backtab, esc, pageup, home, left, +, ...)"
            .to_owned()
    })?;
    if let Some((_, why)) = RESERVED.iter().find(|(taken, _)| parse(taken) == Some(key)) {
        return Err((*why).to_owned());
    }
    match key.codes.first() {
        KeyCode::F(_) => Err("many terminals use function keys themselves".into()),
        KeyCode::Char('1'..='9') if key.modifiers.is_empty() => {
            Err("digits are count prefixes, as in 5l".into())
        }
        _ if key.modifiers.contains(KeyModifiers::ALT) => {
            Err("many terminals do not send Alt combinations".into())
        }
        _ => Ok(key),
    }
}

/// Parses the name of a key. A single capital is the shifted letter.
fn parse(name: &str) -> Option<KeyCombination> {
    let capital = name.len() == 1 && name.chars().all(|c| c.is_ascii_uppercase());
    let spelt = if capital { format!("shift-{name}") } else { name.to_owned() };
    let key = crokey::parse(&spelt).ok().filter(|key| key.is_ansi_compatible())?;
    Some(without_shift_on_signs(key.normalized()))
}

/// Removes Shift from keys that are not letters: terminals disagree on whether to report it.
fn without_shift_on_signs(mut key: KeyCombination) -> KeyCombination {
    if let KeyCode::Char(c) = key.codes.first()
        && !c.is_alphabetic()
    {
        key.modifiers.remove(KeyModifiers::SHIFT);
    }
    key
}

fn display_name(key: KeyCombination) -> String {
    let format = crokey::KeyCombinationFormat::default().with_implicit_shift();
    match (key.codes.first(), key.modifiers) {
        (KeyCode::BackTab, _) => "Shift-Tab".into(),
        (KeyCode::Char('-'), KeyModifiers::NONE) => "-".into(),
        (KeyCode::Left, KeyModifiers::NONE) => "←".into(),
        (KeyCode::Right, KeyModifiers::NONE) => "→".into(),
        (KeyCode::Up, KeyModifiers::NONE) => "↑".into(),
        (KeyCode::Down, KeyModifiers::NONE) => "↓".into(),
        (KeyCode::Char(c), KeyModifiers::CONTROL) => format!("Ctrl-{}", c.to_ascii_uppercase()),
        _ => format.to_string(key),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn read(text: &str) -> Result<Keymap, String> {
        Keymap::parse_key(Path::new("keys.toml"), text).map_err(|problem| problem.to_string())
    }

    #[test]
    fn default_keys_are_unique_and_can_be_bound() {
        let mut seen = HashSet::new();
        for (row, key) in COMMANDS.iter().flat_map(|row| row.keys.iter().map(move |key| (row, key))) {
            let parsed = parse_bindable(key).unwrap_or_else(|why| panic!("{}: {key}: {why}", row.name));
            assert!(seen.insert(parsed), "{}: {key} is bound twice", row.name);
        }
        assert_eq!(seen.len(), Keymap::default().0.len());
    }

    #[test]
    fn key_events_of_terminals_are_matched() {
        let keymap = Keymap::default();
        for (code, modifiers, id) in [
            (KeyCode::Char('H'), KeyModifiers::SHIFT, CommandId::PreviousEpisode),
            (KeyCode::Char('H'), KeyModifiers::NONE, CommandId::PreviousEpisode),
            (KeyCode::Char('h'), KeyModifiers::NONE, CommandId::Back),
            (KeyCode::Char('?'), KeyModifiers::SHIFT, CommandId::Help),
            (KeyCode::Char('?'), KeyModifiers::NONE, CommandId::Help),
            (KeyCode::Char('{'), KeyModifiers::SHIFT, CommandId::LessFrames),
            (KeyCode::Char('+'), KeyModifiers::NONE, CommandId::Faster),
            (KeyCode::Char(' '), KeyModifiers::NONE, CommandId::Run),
            (KeyCode::Char('c'), KeyModifiers::CONTROL, CommandId::Interrupt),
            (KeyCode::BackTab, KeyModifiers::SHIFT, CommandId::FocusPrevious),
        ] {
            assert_eq!(keymap.command(KeyEvent::new(code, modifiers)), Some(id), "{code:?}");
        }
        assert_eq!(keymap.command(KeyEvent::new(KeyCode::Char('Q'), KeyModifiers::NONE)), None);
    }

    #[test]
    fn an_empty_file_is_the_default() {
        assert_eq!(read(""), Ok(Keymap::default()));
        assert_eq!(read("[keys]\n"), Ok(Keymap::default()));
    }

    #[test]
    fn a_key_can_be_added_moved_and_removed() {
        let keymap = read("[keys]\nx = \"step\"\nq = \"nothing\"\nspace = \"help\"").unwrap();
        assert_eq!(keymap.keys(CommandId::Step), ["Enter", "x"]);
        assert_eq!(keymap.keys(CommandId::Help), ["?", "Space"]);
        assert!(keymap.keys(CommandId::Quit).is_empty() && keymap.keys(CommandId::Run).is_empty());
    }

    #[test]
    fn keys_are_shown_in_the_usual_notation() {
        let keymap = Keymap::default();
        let shown = |id| keymap.keys(id).join(" ");
        assert_eq!(shown(CommandId::Palette), ": Ctrl-P");
        assert_eq!(shown(CommandId::PreviousEpisode), "H");
        assert_eq!(shown(CommandId::FocusPrevious), "Shift-Tab");
        assert_eq!(shown(CommandId::Slower), "-");
        assert_eq!(shown(CommandId::Left), "←");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, sentence) in [
            ("[keys]\nx = \"stpe\"", "keys.toml:2: there is no command \"stpe\"; did you mean step"),
            (
                "[keys]\n\nctrl-a = \"step\"",
                "keys.toml:3: cannot bind the key \"ctrl-a\": terminal multiplexers use it",
            ),
            ("[keys]\nf5 = \"step\"", "keys.toml:2: cannot bind the key \"f5\": many terminals"),
            ("[keys]\nalt-x = \"step\"", "keys.toml:2: cannot bind the key \"alt-x\": many terminals"),
            ("[keys]\n3 = \"step\"", "keys.toml:2: cannot bind the key \"3\": digits are count"),
            ("[keys]\nentre = \"step\"", "keys.toml:2: cannot bind the key \"entre\": unknown key"),
            ("[keys]\nx-y = \"step\"", "keys.toml:2: cannot bind the key \"x-y\": unknown key"),
            ("[keys]\nx = 1", "keys.toml:2: expected the name of a command in quotes"),
            (
                "[key]\nx = \"step\"",
                "keys.toml:1: unknown table \"key\" in a keymap; bindings belong under [keys]",
            ),
            ("keys = 1", "keys.toml:1: unknown table \"keys\" in a keymap"),
            ("[keys]\nx = ", "keys.toml:2: "),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.starts_with(sentence), "{text:?}\n  said: {said}\n  want: {sentence}");
        }
    }
}
