//! `web`: tools for tasks on the live web, beside episodes. One file for each verb below it.

mod nodes;
mod score;
mod serve;
mod tree;

use clap::{ArgMatches, Command, FromArgMatches};

use mageyard_cli::{Context, Exit, Failure, Verb};
use mageyard_config::Problem;

/// The verb `web`.
pub(crate) struct Web;

impl Verb for Web {
    fn command(&self) -> Command {
        <Args as clap::Args>::augment_args(Command::new("web"))
    }

    fn follows(&self) -> Option<&'static str> {
        Some("aes")
    }

    fn run(&self, matches: &ArgMatches, context: &Context) -> Result<Exit, Failure> {
        let args = Args::from_arg_matches(matches).map_err(|error| Problem::new(error.to_string()))?;
        match args.verb {
            WebVerb::Nodes(args) => nodes::run(&args),
            WebVerb::Score(args) => score::run(&args),
            WebVerb::Serve(args) => serve::run(&args),
            WebVerb::Tree(args) => tree::run(&args, context),
        }
    }
}

/// Read pages as agents see them; compare key nodes; score results of web tasks
#[derive(Debug, clap::Args)]
struct Args {
    #[command(subcommand)]
    verb: WebVerb,
}

#[derive(Debug, clap::Subcommand)]
enum WebVerb {
    Nodes(nodes::Args),
    Score(score::Args),
    Serve(serve::Args),
    Tree(tree::Args),
}
