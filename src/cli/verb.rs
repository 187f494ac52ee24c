//! Verbs that the program adds to those of this crate, for what only one environment or the screen can do.

use clap::{ArgMatches, Command};

use super::context::Context;
use super::exit::{Exit, Failure};

/// A verb that the program adds. It is listed, completed and documented like every other verb, and gets the global flags.
pub trait Verb: Sync {
    /// Its name, arguments and help.
    fn command(&self) -> Command;

    /// The name of the verb after which the help lists it; `None` for the first place.
    fn follows(&self) -> Option<&'static str>;

    /// Runs it with the arguments that were parsed by [`Verb::command`].
    ///
    /// # Errors
    ///
    /// The problem to print, with the exit code of the program.
    fn run(&self, matches: &ArgMatches, context: &Context) -> Result<Exit, Failure>;
}

/// The commands of the verbs with the added ones in their places. A verb may follow one that was added before it.
pub(super) fn insert(mut commands: Vec<Command>, added: &[&'static dyn Verb]) -> Vec<Command> {
    for verb in added {
        let place = match verb.follows() {
            None => 0,
            Some(name) => {
                let before = commands.iter().position(|command| command.get_name() == name);
                before.map_or(commands.len(), |before| before + 1)
            }
        };
        commands.insert(place, verb.command());
    }
    // The help sorts by these numbers, which clap counted before the added verbs came.
    commands.into_iter().enumerate().map(|(place, command)| command.display_order(place)).collect()
}

/// The added verb that the command line names, with its arguments.
pub(super) fn named<'a>(
    matches: &'a ArgMatches,
    added: &[&'static dyn Verb],
) -> Option<(&'static dyn Verb, &'a ArgMatches)> {
    let (name, below) = matches.subcommand()?;
    let verb = added.iter().copied().find(|verb| verb.command().get_name() == name)?;
    Some((verb, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Added(&'static str, Option<&'static str>);

    impl Verb for Added {
        fn command(&self) -> Command {
            Command::new(self.0)
        }

        fn follows(&self) -> Option<&'static str> {
            self.1
        }

        fn run(&self, _: &ArgMatches, _: &Context) -> Result<Exit, Failure> {
            Ok(Exit::Done)
        }
    }

    #[test]
    fn added_verbs_are_inserted_where_they_say() {
        let own = ["run", "export"].map(Command::new).to_vec();
        let commands = insert(
            own,
            &[
                &Added("score", Some("run")),
                &Added("play", None),
                &Added("compare", Some("score")),
                &Added("end", Some("?")),
            ],
        );
        let names: Vec<&str> = commands.iter().map(Command::get_name).collect();
        assert_eq!(names, ["play", "run", "score", "compare", "export", "end"]);
    }

    #[test]
    fn the_named_verb_is_found_with_its_arguments() {
        let added: [&'static dyn Verb; 1] = [&Added("score", None)];
        let find = |line: &[&str]| {
            let commands = insert(vec![Command::new("run")], &added);
            let matches = Command::new("mageyard").subcommands(commands).get_matches_from(line);
            named(&matches, &added).map(|(verb, _)| verb.command().get_name().to_owned())
        };
        assert_eq!(find(&["mageyard", "score"]).as_deref(), Some("score"));
        assert_eq!(find(&["mageyard", "run"]), None);
        assert_eq!(find(&["mageyard"]), None);
    }
}
