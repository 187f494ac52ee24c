//! Hints for usage errors: similar verbs and flags that exist. They replace the hints of the argument parser, some of
//! which mislead.

use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue};

use mageyard_domain::shell_quote;
use mageyard_lab::Lab;

/// Words that people try, and the verbs that do it.
#[rustfmt::skip]
const ALIASES: &[(&str, &[&str])] = &[
    ("start", &["play"]), ("open", &["play", "view"]), ("ui", &["play"]), ("tui", &["play"]), ("new", &["play"]),
    ("resume", &["play --resume", "run --resume"]), ("continue", &["play --resume", "run --resume"]),
    ("exec", &["run"]), ("eval", &["run"]), ("evaluate", &["run"]), ("batch", &["run"]), ("grid", &["sweep run"]), ("experiment", &["sweep run"]),
    ("show", &["view", "levels show", "prompts show"]), ("watch", &["view"]), ("inspect", &["view"]),
    ("verify", &["replay", "log check"]), ("repeat", &["replay"]), ("rerun", &["replay", "run"]),
    ("ls", &["log list", "levels list"]), ("sessions", &["log list"]), ("history", &["log list"]),
    ("runs", &["log list"]), ("episodes", &["log list", "view"]), ("logs", &["log"]), ("journal", &["log"]),
    ("summary", &["report"]), ("score", &["report"]), ("scores", &["report"]), ("results", &["report"]),
    ("stats", &["report", "levels stats"]), ("grep", &["find"]), ("search", &["find"]), ("errors", &["find"]),
    ("dataset", &["export"]), ("train", &["export"]), ("dump", &["export"]), ("save", &["export"]),
    ("level", &["levels"]), ("env", &["levels list"]), ("envs", &["levels list"]),
    ("environments", &["levels list"]), ("convert", &["levels import", "levels export"]),
    ("prompt", &["prompts"]), ("price", &["prices"]), ("cost", &["prices", "report"]), ("costs", &["report"]),
    ("parse", &["reparse"]), ("parser", &["readers"]), ("parsers", &["readers"]), ("reader", &["readers"]),
    ("color", &["themes"]), ("colors", &["themes"]), ("colours", &["themes"]), ("theme", &["themes"]),
    ("bindings", &["keys"]), ("keybindings", &["keys"]), ("shortcuts", &["keys"]), ("keymap", &["keys"]),
    ("settings", &["config print"]), ("set", &["config"]), ("options", &["config print"]),
    ("get", &["config print"]), ("init", &["config path", "doctor"]), ("setup", &["doctor"]),
    ("benchmark", &["bench", "run"]), ("speed", &["bench"]), ("perf", &["bench"]), ("profile", &["models", "bench"]), ("profiles", &["models"]),
    ("draw", &["frame", "screen"]), ("render", &["frame", "screen"]), ("image", &["frame"]),
    ("picture", &["frame"]), ("svg", &["screen"]), ("screenshot", &["screen"]), ("health", &["doctor"]),
    ("ping", &["doctor"]), ("model", &["models", "doctor"]), ("test", &["check", "doctor"]), ("lint", &["check"]),
    ("validate", &["check", "levels check"]), ("manual", &["man"]), ("completion", &["completions"]),
    ("version", &["--version"]), ("usage", &["--help"]),
];

/// The maximum number of suggestions.
const MOST: usize = 3;

/// Replaces the parser's hints for an unknown verb or flag. `args` is the command line without the program name.
pub(super) fn with_hints(
    mut error: clap::Error,
    command: &Command,
    args: &[String],
    lab: &Lab,
) -> clap::Error {
    let (path, verb) = innermost(command, args);
    let word = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let hint = if let Some(word) = word(&error, ContextKind::InvalidSubcommand) {
        level_hint(&word, lab).or_else(|| sentence(&verbs(&word, command, verb, &path)))
    } else if let Some(flag) = word(&error, ContextKind::InvalidArg).filter(|_| is_unknown(&error)) {
        flag_hint(&flag, command, verb)
    } else {
        return error;
    };
    for kind in [ContextKind::Suggested, ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg] {
        error.remove(kind);
    }
    if let Some(hint) = hint {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

fn is_unknown(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::UnknownArgument
}

/// The verb that the command line names, as far as it exists, with the words that lead to it.
fn innermost<'a>(command: &'a Command, args: &[String]) -> (Vec<String>, &'a Command) {
    let mut path = Vec::new();
    let mut verb = command;
    for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
        let Some(below) = verb.find_subcommand(arg) else { continue };
        path.push(below.get_name().to_owned());
        verb = below;
    }
    (path, verb)
}

/// A level in place of a verb.
fn level_hint(word: &str, lab: &Lab) -> Option<String> {
    let environment = word.split_once('/').map_or(word, |pair| pair.0);
    let is_level = lab.environment(environment).is_some() || Path::new(word).is_file();
    is_level.then(|| format!("`mageyard play {}` opens the screen on it", shell_quote(word)))
}

/// Verbs that the word may mean, best first: below `verb` by their names, then any by alias or name.
fn verbs(word: &str, command: &Command, verb: &Command, path: &[String]) -> Vec<String> {
    let word = word.to_lowercase();
    let mut found = Vec::new();
    if !path.is_empty() {
        let below = similar(&word, verb.get_subcommands().map(Command::get_name));
        found.extend(below.into_iter().map(|name| format!("{} {name}", path.join(" "))));
    }
    let all = verb_paths(command, "");
    if found.is_empty() {
        let aliases = ALIASES.iter().filter(|(alias, _)| *alias == word);
        found.extend(aliases.flat_map(|(_, verbs)| verbs.iter().map(|verb| (*verb).to_owned())));
        found.extend(similar(&word, command.get_subcommands().map(Command::get_name)));
        let last = |path: &&String| path.rsplit_once(' ').is_some_and(|(_, last)| last == word);
        found.extend(all.iter().filter(last).cloned());
    }
    if found.is_empty() {
        let names: Vec<&str> = all.iter().filter_map(|path| Some(path.rsplit_once(' ')?.1)).collect();
        let near = similar(&word, names.into_iter());
        let last =
            |path: &&String| path.rsplit_once(' ').is_some_and(|(_, last)| near.iter().any(|n| n == last));
        found.extend(all.iter().filter(last).cloned());
    }
    let mut once = Vec::new();
    for verb in found {
        if !once.contains(&verb) {
            once.push(verb);
        }
    }
    once.truncate(MOST);
    once
}

/// Every verb with the verbs above it: `levels`, `levels solve`, ….
fn verb_paths(command: &Command, above: &str) -> Vec<String> {
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    let below = verbs.flat_map(|verb| {
        let path = if above.is_empty() {
            verb.get_name().to_owned()
        } else {
            format!("{above} {}", verb.get_name())
        };
        let further = verb_paths(verb, &path);
        std::iter::once(path).chain(further)
    });
    below.collect()
}

/// Names within a small edit distance, nearest first; or, if there is none, names that begin with the word.
fn similar<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    let limit = (word.chars().count() / 3).max(1);
    let distance = |name: &str| strsim::osa_distance(word, &name.to_lowercase());
    let mut near: Vec<(usize, &str)> = names.iter().map(|name| (distance(name), *name)).collect();
    near.retain(|(distance, name)| *distance <= limit && *distance < name.chars().count());
    near.sort_unstable();
    near.dedup();
    let nearest = near.first().map(|(distance, _)| *distance);
    near.retain(|(distance, _)| Some(*distance) == nearest);
    if near.is_empty() && word.chars().count() > 1 {
        near = names.iter().filter(|name| name.starts_with(word)).map(|name| (0, *name)).collect();
    }
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Similar flags of the verb, or else the verbs that have this flag.
fn flag_hint(flag: &str, command: &Command, verb: &Command) -> Option<String> {
    let name = flag.strip_prefix("--")?.split('=').next()?.to_lowercase();
    let longs = |verb: &Command| -> Vec<String> {
        let own = verb.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned));
        own.chain(["help".to_owned()]).collect()
    };
    let global = command.get_arguments().filter(|arg| arg.is_global_set());
    let known: Vec<String> =
        longs(verb).into_iter().chain(global.filter_map(|arg| Some(arg.get_long()?.to_owned()))).collect();
    let mut near = similar(&name, known.iter().map(String::as_str));
    near.truncate(MOST);
    if !near.is_empty() {
        let flags: Vec<String> = near.iter().map(|flag| format!("--{flag}")).collect();
        return Some(format!("did you mean {}?", flags.join(" or ")));
    }
    let mut having = Vec::new();
    for path in verb_paths(command, "") {
        let words: Vec<String> = path.split(' ').map(str::to_owned).collect();
        if longs(innermost(command, &words).1).contains(&name) {
            having.push(format!("`mageyard {path}`"));
        }
    }
    having.truncate(MOST);
    (!having.is_empty()).then(|| format!("--{name} is a flag of {}", having.join(", ")))
}

fn sentence(verbs: &[String]) -> Option<String> {
    let verbs: Vec<String> = verbs.iter().map(|verb| format!("`mageyard {verb}`")).collect();
    (!verbs.is_empty()).then(|| format!("did you mean {}?", verbs.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::command;
    use mageyard_envs::environments;
    use std::sync::Arc;

    /// The lab of the program, with no secrets.
    fn lab() -> Lab {
        Lab::new(environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
    }

    fn hint(line: &str) -> String {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let words = std::iter::once("mageyard".to_owned()).chain(args.clone());
        let error = command(environments(), &[]).try_get_matches_from(words).unwrap_err();
        with_hints(error, &command(environments(), &[]), &args, &lab()).to_string()
    }

    #[test]
    fn unknown_verbs_and_flags_suggest_existing_ones() {
        for (line, expected) in [
            ("runn", "did you mean `mageyard run`?"),
            ("plya", "did you mean `mageyard play`?"),
            ("reprot last", "did you mean `mageyard report`?"),
            ("solve", "did you mean `mageyard levels solve`?"),
            ("sovle", "did you mean `mageyard levels solve`?"),
            ("sessions", "did you mean `mageyard log list`?"),
            ("Settings", "did you mean `mageyard config print`?"),
            ("comp", "did you mean `mageyard completions`?"),
            ("levels slove", "did you mean `mageyard levels solve`?"),
            ("levels sokoban/mini/1", "`mageyard play sokoban/mini/1` opens the screen on it"),
            ("run sokoban --agnet oracle", "did you mean --agent?"),
            ("report last --agent oracle", "--agent is a flag of `mageyard play`"),
            ("--stroe x log list", "did you mean --store?"),
        ] {
            let shown = hint(line);
            assert!(shown.contains(expected), "{line}: {shown}");
            assert_eq!(shown.matches("tip:").count(), 1, "{line}: {shown}");
        }
        for line in ["zzzzzz", "run sokoban --zzzzzz", "play --x"] {
            let shown = hint(line);
            assert!(!shown.contains("tip:") && !shown.contains("as a value"), "{line}: {shown}");
        }
    }

    #[test]
    fn every_alias_leads_to_an_existing_verb_and_hides_none() {
        let command = command(environments(), &[]);
        let all = verb_paths(&command, "");
        for (alias, verbs) in ALIASES {
            assert!(command.find_subcommand(alias).is_none(), "{alias} is a verb");
            for verb in *verbs {
                let name = verb.split(" --").next().unwrap_or_default();
                assert!(name.starts_with("--") || all.iter().any(|path| path == name), "{alias}: {verb}");
            }
        }
    }
}
