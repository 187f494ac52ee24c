//! The arguments of a verb as a person writes them in one line on the screen. The parser of the verb reads them, so defaults,
//! limits and conflicts are the same.

use clap::{Arg, Command, Error};

use mageyard_config::{Problem, SettingOverride};
use mageyard_domain::quoted_words;

/// The full name of a setting by a shorter one, such as that of a flag.
pub(crate) type SettingNames = fn(&str) -> Option<&'static str>;

/// What a person wrote.
#[derive(Debug)]
pub struct WrittenArgs<A> {
    /// The arguments.
    pub args: A,
    /// The settings that are replaced.
    pub given: Vec<SettingOverride>,
}

impl<A> WrittenArgs<A> {
    /// The names of the settings that are replaced.
    pub fn given_names(&self) -> Vec<String> {
        self.given.iter().map(|given| given.name.clone()).collect()
    }
}

/// Reads arguments such as `prompts=A,B am=1,5 target=optimal` or `--prompts A,B`. A name that the parser does not have is that
/// of a setting. The value of an argument for a text (`<TEXT>`) or a question (`<WHAT>`) may have several words: it ends before
/// the next name, and a text in quotes with them.
pub fn read_written_args<A: clap::Args>(lab: &super::Lab, words: &str) -> Result<WrittenArgs<A>, Problem> {
    read(words, lab.setting_names)
}

fn read<A: clap::Args>(words: &str, names: SettingNames) -> Result<WrittenArgs<A>, Problem> {
    let parser = A::augment_args(Command::new("").no_binary_name(true).disable_help_flag(true));
    let known = KnownArgs { parser: &parser, names };
    let mut flags = Vec::new();
    let mut given = Vec::new();
    for (name, value) in known.assignments(words)? {
        match known.argument(&name) {
            Some(argument) => flags.push(flag(argument, &name, value)?),
            None => given.push(known.setting(&name, &value)?),
        }
    }
    let matches = parser.clone().try_get_matches_from(flags).map_err(|error| refused(&error))?;
    Ok(WrittenArgs { args: A::from_arg_matches(&matches).map_err(|error| refused(&error))?, given })
}

/// What can be written.
struct KnownArgs<'a> {
    parser: &'a Command,
    names: SettingNames,
}

impl KnownArgs<'_> {
    fn argument(&self, name: &str) -> Option<&Arg> {
        self.parser.get_arguments().find(|argument| argument.get_long() == Some(name))
    }

    fn argument_names(&self) -> Vec<&str> {
        self.parser.get_arguments().filter_map(Arg::get_long).collect()
    }

    fn is_known(&self, name: &str) -> bool {
        self.argument(name).is_some() || (self.names)(name).is_some()
    }

    /// The names with their values: `NAME=VALUE`, `--NAME VALUE` or `--NAME=VALUE`.
    fn assignments(&self, words: &str) -> Result<Vec<(String, String)>, Problem> {
        let mut found: Vec<(String, String)> = Vec::new();
        for word in quoted_words(words) {
            let flag = word.strip_prefix("--");
            let pair = flag.unwrap_or(word).split_once('=');
            let takes_words = found.last().is_some_and(|(name, _)| self.takes_words(name));
            let is_awaited = takes_words || found.last().is_some_and(|last| self.needs_value(last));
            match (pair, flag, found.last_mut()) {
                (Some((name, value)), flag, _) if flag.is_some() || !takes_words || self.is_known(name) => {
                    found.push((name.to_owned(), value.to_owned()));
                }
                (None, Some(name), _) => found.push((name.to_owned(), String::new())),
                (None, None, _) if self.stands_alone(word) && !is_awaited => {
                    found.push((word.to_owned(), String::new()));
                }
                (_, _, Some((_, value))) if takes_words || value.is_empty() => {
                    let gap = if value.is_empty() { "" } else { " " };
                    *value = format!("{value}{gap}{word}");
                }
                _ => return Err(self.no_assignment(word)),
            }
        }
        Ok(found)
    }

    /// Whether a name can be written without a value.
    fn stands_alone(&self, name: &str) -> bool {
        self.argument(name).is_some_and(|argument| !requires_value(argument))
    }

    /// Whether the value of this name is still to come.
    fn needs_value(&self, (name, value): &(String, String)) -> bool {
        value.is_empty() && !self.stands_alone(name)
    }

    fn takes_words(&self, name: &str) -> bool {
        let of = self.argument(name).and_then(Arg::get_value_names);
        of.is_some_and(|names| names.iter().any(|name| matches!(name.as_str(), "TEXT" | "WHAT")))
    }

    fn setting(&self, name: &str, value: &str) -> Result<SettingOverride, Problem> {
        let full = (self.names)(name).unwrap_or(name);
        if !full.contains('.') {
            let problem =
                Problem::new(format!("{name} is neither an argument of this command nor a setting"));
            return Err(problem.with_suggestions(name, self.argument_names()));
        }
        SettingOverride::parse(&format!("{full}={value}"), "--set")
    }

    fn no_assignment(&self, word: &str) -> Problem {
        let names = self.argument_names().join(", ");
        Problem::new(format!("{word:?} has no name"))
            .with_help(format!("write NAME=VALUE; the names are {names}, and those of settings"))
    }
}

fn requires_value(argument: &Arg) -> bool {
    argument.get_action().takes_values()
        && argument.get_num_args().is_none_or(|numbers| numbers.min_values() > 0)
}

/// The argument as a command line has it.
fn flag(argument: &Arg, name: &str, value: String) -> Result<String, Problem> {
    if value.is_empty() {
        return if requires_value(argument) {
            Err(Problem::new(format!("{name} has no value")))
        } else {
            Ok(format!("--{name}"))
        };
    }
    let value = if value.starts_with('"') { unquoted(name, &value)? } else { value };
    Ok(format!("--{name}={value}"))
}

/// The text in quotes, as JSON writes it.
fn unquoted(name: &str, value: &str) -> Result<String, Problem> {
    let read: String = serde_json::from_str(value)
        .map_err(|error| Problem::new(format!("{name}: the text in quotes cannot be read: {error}")))?;
    if read.is_empty() { Err(Problem::new(format!("{name} has no value"))) } else { Ok(read) }
}

/// What the parser says, without what is about a command line.
fn refused(error: &Error) -> Problem {
    let text = error.render().to_string();
    let said: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty())
        .collect();
    Problem::new(said.join(" ").trim_start_matches("error: ").to_owned())
}
