//! What a person asks in the workshop: the words after its command, and the suite whose states are pinned.

use std::path::PathBuf;

use tokio::runtime::Handle;

use crate::asking::Asker;
use mageyard_config::{Config, Problem};
use mageyard_lab::{LabError, WrittenArgs, read_written_args};
use mageyard_screen::WorkshopPlace;
use mageyard_study::{AskArgs, AskRequest, Suite, parse_suite, present_suite, suite_catalog};

/// What it takes to plan an ask of a draft.
pub(super) struct Drafted {
    pub(super) suite: Suite,
    pub(super) request: AskRequest,
    pub(super) at_once: Option<u16>,
    pub(super) config: Config,
}

/// What the words of a person say.
pub(super) struct Words {
    pub(super) request: AskRequest,
    pub(super) at_once: Option<u16>,
    pub(super) config: Config,
}

impl Words {
    /// Reads them; what has no effect here is refused.
    pub(super) fn read(asker: &Asker, words: &str) -> Result<Self, Problem> {
        let written: WrittenArgs<AskArgs> = read_written_args(&asker.lab, words)?;
        let given = written.given_names();
        let WrittenArgs { args, given: set } = written;
        let mut refused = [
            ("leave-out", !args.leave_out.is_empty()),
            ("target", args.target.is_some()),
            ("from-text", args.from_text.is_some()),
            ("to-end", args.to_end.is_some()),
        ]
        .into_iter();
        if let Some((name, _)) = refused.find(|(_, is_given)| *is_given) {
            let problem = Problem::new(format!("{name} has no effect in the workshop"));
            return Err(problem.with_help("it takes prompts, am, om, models, seed and settings of the model"));
        }
        let config = asker.config(set)?;
        let request = AskRequest { takes_replies: true, ..args.request(1, given) };
        Ok(Self { request, at_once: args.concurrency, config })
    }
}

/// The name of the suite whose states are pinned.
pub(super) fn suite_name(place: &WorkshopPlace) -> String {
    place.suite.clone().unwrap_or_else(|| format!("pinned-{}", place.environment))
}

/// The suite whose states are pinned, and whether the user has it: the named one, that of the user, or else the present step
/// alone.
pub(super) fn pinned_suite(
    asker: &Asker,
    place: &WorkshopPlace,
    config: &Config,
) -> Result<(Suite, bool), Problem> {
    let name = suite_name(place);
    let catalog = suite_catalog(config.folders());
    let entry = catalog.entries().into_iter().find(|entry| entry.name == name);
    let is_own = entry.as_ref().is_some_and(|entry| entry.path.is_some());
    let suite = match (entry, &place.step) {
        (Some(entry), _) => parse_suite(&catalog.read(&entry)?)?,
        (None, _) if place.suite.is_some() => parse_suite(&catalog.find(&name)?)?,
        (None, Some(step)) => present(asker, &name, step, config)?,
        (None, None) => {
            let problem = Problem::new(format!("no states of {} are pinned", place.environment));
            return Err(problem.with_help(
                "open an episode: its shown step is the first one, and p pins more of them there",
            ));
        }
    };
    if suite.environment == place.environment {
        return Ok((suite, is_own));
    }
    let what = format!("the suite {name} has states of {}, not of {}", suite.environment, place.environment);
    Err(Problem::new(what).with_help("name a suite of this environment"))
}

fn present(asker: &Asker, name: &str, step: &(PathBuf, u32), config: &Config) -> Result<Suite, Problem> {
    let (journal, number) = step;
    let made = present_suite(&asker.lab, name, (journal, *number), config);
    Handle::current().block_on(made).map_err(|error: LabError| Problem::from(error))
}
