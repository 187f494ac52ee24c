//! The help of the program: its verbs by what one wants, the rare ones only in the long help.

use clap::Command;

/// The verbs by what one wants.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["home", "play", "run", "sweep", "tutor"]),
    ("Look", &["view", "find", "diff", "log"]),
    ("Change and ask", &["fork", "ask", "diagnose", "suite", "prompts"]),
    ("Measure and export", &["report", "reparse", "levels", "export"]),
    ("Set up", &["doctor", "models", "config", "keys"]),
];

/// The help around the verbs. The short one fits one screen.
const TEMPLATE: &str = "{about-with-newline}{usage-heading} {usage}\n{groups}\n{all-args}{after-help}";

/// The command with its verbs in groups. Only for what is parsed: a verb that its own list of commands hides is neither
/// completed nor in the manual.
pub(super) fn grouped(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let line = |name: &str| {
        let verb = command.find_subcommand(name)?;
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        Some(format!("  {name:<12} {about}\n"))
    };
    let group = |(title, verbs): (&str, &[&str])| {
        let lines: String = verbs.iter().filter_map(|name| line(name)).collect();
        format!("\n{title}:\n{lines}")
    };
    let text: String = GROUPS.into_iter().map(group).collect();
    let is_rare = |name: &&String| GROUPS.iter().all(|(_, verbs)| !verbs.contains(&name.as_str()));
    let is_shown =
        |name: &&String| command.find_subcommand(name.as_str()).is_some_and(|verb| !verb.is_hide_set());
    let rare: String = names.iter().filter(is_rare).filter(is_shown).filter_map(|name| line(name)).collect();
    let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    // Braces are tags of a template.
    let template = TEMPLATE.replace("{groups}", &text.replace(['{', '}'], ""));
    command
        .mut_subcommands(|verb| verb.hide(true))
        .help_template(template)
        .after_help("More commands and settings: see --help.")
        .after_long_help(format!("More commands:\n{rare}\n{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::command;
    use mageyard_envs::environments;

    #[test]
    fn every_verb_is_in_the_long_help_once_and_every_group_has_known_verbs() {
        let long = grouped(command(environments(), &[])).render_long_help().to_string();
        let plain = command(environments(), &[]);
        for verb in plain.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let start = format!("\n  {:<12} ", verb.get_name());
            assert_eq!(long.matches(&start).count(), 1, "{}\n{long}", verb.get_name());
        }
        for name in GROUPS.iter().flat_map(|(_, verbs)| verbs.iter()) {
            assert!(plain.find_subcommand(name).is_some() || *name == "tutor", "{name}");
        }
    }
}
