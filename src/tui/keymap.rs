//! Which key does what: the defaults of the command table, changed by `keys.toml`.

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

/// Keys that a terminal, a multiplexer or a person's count needs for itself.
const RESERVED: [(&str, &str); 4] = [
    ("ctrl-a", "multiplexers take it"),
    ("ctrl-b", "multiplexers take it"),
    ("ctrl-s", "it stops the output of terminals with flow control"),
    ("ctrl-q", "terminals with flow control take it"),
];

/// The word that takes a default key away.
const UNBOUND: &str = "nothing";

/// Keys and their commands, in the order in which help names them.
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap(Vec<(KeyCombination, CommandId)>);

impl Default for Keymap {
    fn default() -> Self {
        let rows = COMMANDS.iter().flat_map(|row| row.keys.iter().map(|key| (*key, row.id)));
        Self(rows.filter_map(|(key, deed)| Some((parse(key)?, deed))).collect())
    }
}

impl Keymap {
    /// Reads a `keys.toml`: a table `[keys]` of `key = "command"`, laid over the defaults.
    /// `"nothing"` takes a key away.
    pub fn parse_key(file: &Path, text: &str) -> Result<Self, Problem> {
        let refuse = |what: String, span| Problem::new(what).at(file, text, span);
        let table = DeTable::parse(text)
            .map_err(|error| refuse(error.message().to_owned(), error.span().unwrap_or(0..0)))?;
        let mut keymap = Self::default();
        for (name, value) in table.get_ref() {
            let rows = value.get_ref().as_table().filter(|_| name.get_ref() == "keys").ok_or_else(|| {
                let what = format!("{:?} does not belong into a keymap", name.get_ref());
                refuse(what, name.span()).with_help("keys stand below [keys], such as x = \"step\"")
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
            let what = format!("the key {:?} cannot be bound: {why}", key.get_ref());
            refuse(what, key.span())
        })?;
        let Some(name) = command.get_ref().as_str() else {
            return Err(refuse("the name of a command in quotes is wanted".into(), command.span()));
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

    /// The command of a key, if it has one.
    pub(crate) fn command(&self, event: KeyEvent) -> Option<CommandId> {
        let pressed = without_shift_on_signs(KeyCombination::from(event));
        self.0.iter().find(|(key, _)| *key == pressed).map(|(_, deed)| *deed)
    }

    /// The keys of a command as people write them, such as `Ctrl-P`; empty when it has none.
    pub(crate) fn keys(&self, deed: CommandId) -> Vec<String> {
        self.0.iter().filter(|(_, own)| *own == deed).map(|(key, _)| display_name(*key)).collect()
    }

    /// One row a command: its name, its keys, whether they are the default ones, what it does.
    pub fn rows(&self) -> Vec<KeyRow> {
        COMMANDS.iter().map(|row| self.row(row)).collect()
    }

    fn row(&self, command: &'static Command) -> KeyRow {
        let keys = self.keys(command.id);
        let default = keys == Self::default().keys(command.id);
        KeyRow { command: command.name, keys, default, help: command.help }
    }
}

/// A line of the list of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The command's name.
    pub command: &'static str,
    /// Its keys as people write them; empty when it is reached from the palette alone.
    pub keys: Vec<String>,
    /// Whether these are the keys it has by default.
    pub default: bool,
    /// What it does.
    pub help: &'static str,
}

/// A key as people write it.
pub(crate) fn key_name(event: KeyEvent) -> String {
    display_name(without_shift_on_signs(KeyCombination::from(event)))
}

fn parse_bindable(name: &str) -> Result<KeyCombination, String> {
    let key = parse(name).ok_or_else(|| {
        "there is no key of this name (write q, Q, ctrl-l, enter, space, tab, backtab, esc, pageup, home, left, +, ...)".to_owned()
    })?;
    if let Some((_, why)) = RESERVED.iter().find(|(taken, _)| parse(taken) == Some(key)) {
        return Err((*why).to_owned());
    }
    match key.codes.first() {
        KeyCode::F(_) => Err("many terminals keep function keys for themselves".into()),
        KeyCode::Char('1'..='9') if key.modifiers.is_empty() => Err("digits are counts, as in 5l".into()),
        _ if key.modifiers.contains(KeyModifiers::ALT) => {
            Err("a key with Alt does not reach every program".into())
        }
        _ => Ok(key),
    }
}

/// A key by name. A lone capital is the shifted letter.
fn parse(name: &str) -> Option<KeyCombination> {
    let capital = name.len() == 1 && name.chars().all(|c| c.is_ascii_uppercase());
    let spelt = if capital { format!("shift-{name}") } else { name.to_owned() };
    let key = crokey::parse(&spelt).ok().filter(|key| key.is_ansi_compatible())?;
    Some(without_shift_on_signs(key.normalized()))
}

/// Terminals disagree on whether a shifted sign carries Shift: it never does here.
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
    fn no_two_default_keys_clash_and_all_may_be_bound() {
        let mut seen = HashSet::new();
        for (row, key) in COMMANDS.iter().flat_map(|row| row.keys.iter().map(move |key| (row, key))) {
            let parsed = parse_bindable(key).unwrap_or_else(|why| panic!("{}: {key}: {why}", row.name));
            assert!(seen.insert(parsed), "{}: {key} stands twice", row.name);
        }
        assert_eq!(seen.len(), Keymap::default().0.len());
    }

    #[test]
    fn keys_of_a_terminal_are_found() {
        let keymap = Keymap::default();
        for (code, modifiers, deed) in [
            (KeyCode::Char('H'), KeyModifiers::SHIFT, CommandId::PreviousEpisode),
            (KeyCode::Char('H'), KeyModifiers::NONE, CommandId::PreviousEpisode),
            (KeyCode::Char('h'), KeyModifiers::NONE, CommandId::Back),
            (KeyCode::Char('?'), KeyModifiers::SHIFT, CommandId::Help),
            (KeyCode::Char('?'), KeyModifiers::NONE, CommandId::Help),
            (KeyCode::Char('{'), KeyModifiers::SHIFT, CommandId::LessFrames),
            (KeyCode::Char('+'), KeyModifiers::NONE, CommandId::Faster),
            (KeyCode::Char(' '), KeyModifiers::NONE, CommandId::Run),
            (KeyCode::Char('c'), KeyModifiers::CONTROL, CommandId::Quit),
            (KeyCode::BackTab, KeyModifiers::SHIFT, CommandId::FocusPrevious),
        ] {
            assert_eq!(keymap.command(KeyEvent::new(code, modifiers)), Some(deed), "{code:?}");
        }
        assert_eq!(keymap.command(KeyEvent::new(KeyCode::Char('Q'), KeyModifiers::NONE)), None);
    }

    #[test]
    fn an_empty_file_is_the_default() {
        assert_eq!(read(""), Ok(Keymap::default()));
        assert_eq!(read("[keys]\n"), Ok(Keymap::default()));
    }

    #[test]
    fn a_key_moves_and_goes() {
        let keymap = read("[keys]\nx = \"step\"\nq = \"nothing\"\nspace = \"help\"").unwrap();
        assert_eq!(keymap.keys(CommandId::Step), ["Enter", "x"]);
        assert_eq!(keymap.keys(CommandId::Help), ["?", "Space"]);
        assert!(keymap.keys(CommandId::Leave).is_empty() && keymap.keys(CommandId::Run).is_empty());
    }

    #[test]
    fn keys_are_written_as_people_write_them() {
        let keymap = Keymap::default();
        let shown = |deed| keymap.keys(deed).join(" ");
        assert_eq!(shown(CommandId::Palette), ": Ctrl-P");
        assert_eq!(shown(CommandId::PreviousEpisode), "H");
        assert_eq!(shown(CommandId::FocusPrevious), "Shift-Tab");
        assert_eq!(shown(CommandId::Slower), "-");
        assert_eq!(shown(CommandId::Left), "←");
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_line() {
        for (text, sentence) in [
            ("[keys]\nx = \"stpe\"", "keys.toml:2: there is no command \"stpe\"; did you mean step"),
            (
                "[keys]\n\nctrl-a = \"step\"",
                "keys.toml:3: the key \"ctrl-a\" cannot be bound: multiplexers take it",
            ),
            ("[keys]\nf5 = \"step\"", "keys.toml:2: the key \"f5\" cannot be bound: many terminals"),
            ("[keys]\nalt-x = \"step\"", "keys.toml:2: the key \"alt-x\" cannot be bound: a key with Alt"),
            ("[keys]\n3 = \"step\"", "keys.toml:2: the key \"3\" cannot be bound: digits are counts"),
            ("[keys]\nentre = \"step\"", "keys.toml:2: the key \"entre\" cannot be bound: there is no key"),
            ("[keys]\nx-y = \"step\"", "keys.toml:2: the key \"x-y\" cannot be bound: there is no key"),
            ("[keys]\nx = 1", "keys.toml:2: the name of a command in quotes is wanted"),
            (
                "[key]\nx = \"step\"",
                "keys.toml:1: \"key\" does not belong into a keymap; keys stand below [keys]",
            ),
            ("keys = 1", "keys.toml:1: \"keys\" does not belong into a keymap"),
            ("[keys]\nx = ", "keys.toml:2: "),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.starts_with(sentence), "{text:?}\n  said: {said}\n  want: {sentence}");
        }
    }
}
