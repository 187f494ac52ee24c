//! What can be written in one line on the screen in place of the flags of a verb, for completions.

use clap::Arg;

use crate::written_args::{FreeText, Grammar, NAMED_WORDS, parser_of};

/// The beginning of an argument that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenName {
    /// The name of the flag, without dashes.
    pub name: String,
    /// How it begins: `samples=`, or `unsafe`, which has no value.
    pub begin: String,
    /// What it does: the first line of the help of the flag.
    pub help: String,
    /// The only values that it can have; empty if there are others.
    pub values: Vec<String>,
}

/// The arguments that can be written, in the order of the help.
pub fn written_names<A: clap::Args>() -> Vec<WrittenName> {
    names_in::<A>(&NAMED_WORDS)
}

/// The arguments that can be written in the words of a grammar.
pub(crate) fn names_in<A: clap::Args>(grammar: &Grammar) -> Vec<WrittenName> {
    parser_of::<A>().get_arguments().filter_map(|argument| written_name(argument, grammar)).collect()
}

fn written_name(argument: &Arg, grammar: &Grammar) -> Option<WrittenName> {
    let name = argument.get_long()?;
    let takes_value = argument.get_action().takes_values();
    let text = grammar.texts.iter().find(|text| text.name == name);
    let values =
        argument.get_possible_values().into_iter().filter(|value| takes_value && !value.is_hide_set());
    Some(WrittenName {
        name: name.to_owned(),
        begin: match text {
            Some(FreeText { begin, .. }) => (*begin).to_owned(),
            None if takes_value => format!("{name}="),
            None => name.to_owned(),
        },
        help: argument.get_help().map(ToString::to_string).unwrap_or_default(),
        values: values.map(|value| value.get_name().to_owned()).collect(),
    })
}
