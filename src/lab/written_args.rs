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

/// What the words of a verb have beside its parser.
pub(crate) struct Grammar {
    /// The texts that are written without quotes and end elsewhere than before the next name.
    pub(crate) texts: &'static [FreeText],
    /// The problem with a word that names nothing, with the names that there are.
    pub(crate) no_name: fn(&str, &[&str]) -> Problem,
}

/// The value of an argument as it is written, up to where it ends by itself.
pub(crate) struct FreeText {
    /// The argument.
    pub(crate) name: &'static str,
    /// What it begins with: a whole word, or a word with `=` and the text directly after it.
    pub(crate) begin: &'static str,
    /// The length of the text at the beginning of these words; the line that they end is for the place of a mistake.
    pub(crate) length: fn(&str, &str) -> Result<usize, Problem>,
}

/// Words of which each has a name.
pub(crate) const NAMED_WORDS: Grammar = Grammar { texts: &[], no_name };

fn no_name(word: &str, names: &[&str]) -> Problem {
    Problem::new(format!("{word:?} has no name"))
        .with_help(format!("write NAME=VALUE; the names are {}, and those of settings", names.join(", ")))
}

impl FreeText {
    /// What follows its beginning; `None` if these words do not begin with it.
    fn after<'a>(&self, words: &'a str) -> Option<&'a str> {
        let text = words.strip_prefix(self.begin)?;
        let is_begun = self.begin.ends_with('=') || text.is_empty() || text.starts_with(char::is_whitespace);
        is_begun.then(|| text.trim_start())
    }
}

/// Reads arguments such as `prompts=A,B am=1,5 target=optimal` or `--prompts A,B`. A name that the parser does not have is that
/// of a setting. The value of an argument for a text (`<TEXT>`) or a question (`<WHAT>`) may have several words: it ends before
/// the next name, and a text in quotes with them.
pub fn read_written_args<A: clap::Args>(lab: &super::Lab, words: &str) -> Result<WrittenArgs<A>, Problem> {
    read(words, lab.setting_names, &NAMED_WORDS)
}

/// Reads arguments in the words of a grammar.
pub(crate) fn read<A: clap::Args>(
    words: &str,
    names: SettingNames,
    grammar: &Grammar,
) -> Result<WrittenArgs<A>, Problem> {
    let parser = parser_of::<A>();
    let known = KnownArgs { parser: &parser, names, grammar };
    let mut flags = Vec::new();
    let mut given = Vec::new();
    for Assignment { name, value, is_text } in known.assignments(words)? {
        match known.argument(&name) {
            Some(_) if is_text => flags.push(format!("--{name}={value}")),
            Some(argument) => flags.push(flag(argument, &name, value)?),
            None => given.push(known.setting(&name, &value)?),
        }
    }
    let matches = parser.clone().try_get_matches_from(flags).map_err(|error| refused(&error))?;
    Ok(WrittenArgs { args: A::from_arg_matches(&matches).map_err(|error| refused(&error))?, given })
}

/// The parser of these arguments, without a program before them.
pub(crate) fn parser_of<A: clap::Args>() -> Command {
    A::augment_args(Command::new("").no_binary_name(true).disable_help_flag(true))
}

/// What can be written.
struct KnownArgs<'a> {
    parser: &'a Command,
    names: SettingNames,
    grammar: &'a Grammar,
}

/// A name with its value.
struct Assignment {
    name: String,
    value: String,
    /// Whether the value is a text as it is written, in which quotes mean nothing.
    is_text: bool,
}

impl Assignment {
    fn new(name: &str, value: &str) -> Self {
        Self { name: name.to_owned(), value: value.to_owned(), is_text: false }
    }
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

    /// The names with their values: `NAME=VALUE`, `--NAME VALUE` or `--NAME=VALUE`, and free texts.
    fn assignments(&self, line: &str) -> Result<Vec<Assignment>, Problem> {
        let line = line.trim_end();
        let mut found = Vec::new();
        let mut rest = line.trim_start();
        while let Some(word) = quoted_words(rest).next() {
            let after = if let Some((known, text)) = self.free_text(rest) {
                let (value, after) = text.split_at((known.length)(text, line)?);
                let value = value.trim().to_owned();
                found.push(Assignment { name: known.name.to_owned(), value, is_text: true });
                after
            } else {
                self.add(word, &mut found)?;
                &rest[word.len()..]
            };
            rest = after.trim_start();
        }
        Ok(found)
    }

    /// The free text that these words begin with, and what follows its beginning.
    fn free_text<'w>(&self, words: &'w str) -> Option<(&'static FreeText, &'w str)> {
        self.grammar.texts.iter().find_map(|known| Some((known, known.after(words)?)))
    }

    /// Adds a word: an assignment, a name, or a part of the value before it.
    fn add(&self, word: &str, found: &mut Vec<Assignment>) -> Result<(), Problem> {
        let flag = word.strip_prefix("--");
        let pair = flag.unwrap_or(word).split_once('=');
        let last = found.last().filter(|last| !last.is_text);
        let takes_words = last.is_some_and(|last| self.takes_words(&last.name));
        let is_awaited = takes_words || last.is_some_and(|last| self.needs_value(last));
        match (pair, flag, found.last_mut().filter(|last| !last.is_text)) {
            (Some((name, value)), flag, _) if flag.is_some() || !takes_words || self.is_known(name) => {
                found.push(Assignment::new(name, value));
            }
            (None, Some(name), _) => found.push(Assignment::new(name, "")),
            (None, None, _) if self.stands_alone(word) && !is_awaited => {
                found.push(Assignment::new(word, ""));
            }
            (_, _, Some(Assignment { value, .. })) if takes_words || value.is_empty() => {
                let gap = if value.is_empty() { "" } else { " " };
                *value = format!("{value}{gap}{word}");
            }
            _ => return Err((self.grammar.no_name)(word, &self.argument_names())),
        }
        Ok(())
    }

    /// Whether a name can be written without a value.
    fn stands_alone(&self, name: &str) -> bool {
        self.argument(name).is_some_and(|argument| !requires_value(argument))
    }

    /// Whether the value of this name is still to come.
    fn needs_value(&self, last: &Assignment) -> bool {
        last.value.is_empty() && !self.stands_alone(&last.name)
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
