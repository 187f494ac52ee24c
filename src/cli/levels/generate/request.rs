//! The request: groups, number of levels of each, and limits.

use std::fmt::Write;

use super::Args;
use crate::config::Problem;
use crate::domain::sanitize;
use crate::envs::GROUPS;
use crate::envs::Group;
use crate::envs::Preset;
use crate::envs::Shape;

/// Default limit of solver states per room: more than any room of the groups needs, so only the moves decide.
pub(super) const DEFAULT_STATES: u64 = 20_000_000;

/// The preset names as a flag value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum PresetName {
    /// 182 levels of eight groups
    Full,
    /// 20 levels: the first of each group of full with the same seed
    Mini,
    /// 11,500 levels, none of them in a built-in set
    Train,
}

impl From<PresetName> for Preset {
    fn from(set: PresetName) -> Self {
        match set {
            PresetName::Full => Self::Full,
            PresetName::Mini => Self::Mini,
            PresetName::Train => Self::Train,
        }
    }
}

/// A number of levels of one shape.
#[derive(Clone, Debug)]
pub(super) struct GroupRequest {
    /// Prefix of the level titles.
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) count: usize,
}

/// Everything that determines the levels, and the number of threads.
#[derive(Clone, Debug)]
pub(super) struct GenerateRequest {
    pub(super) groups: Vec<GroupRequest>,
    preset: Option<PresetName>,
    pub(super) seed: u64,
    pub(super) min_moves: Option<usize>,
    pub(super) max_moves: Option<usize>,
    pub(super) states: u64,
    pub(super) tries: u64,
    pub(super) jobs: usize,
    /// The command that reproduces the levels.
    pub(super) command: String,
}

impl GenerateRequest {
    pub(super) fn of(args: &Args) -> Result<Self, Problem> {
        let most = args.max_moves.or(args.preset().map(|_| Preset::MOVES));
        if let (Some(least), Some(most)) = (args.min_moves, most)
            && least > most
        {
            return Err(Problem::new(format!("--min-moves {least} is greater than --max-moves {most}")));
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            groups: group_requests(args)?,
            preset: args.preset(),
            seed: args.seed,
            min_moves: args.min_moves,
            max_moves: most,
            states: args.states,
            tries: args.tries.into(),
            jobs: args.jobs.map_or_else(cores, usize::from),
            command: command_line(args),
        })
    }

    /// Whether rooms must be solved.
    pub(super) fn needs_solver(&self) -> bool {
        self.min_moves.is_some() || self.max_moves.is_some()
    }

    /// Whether the levels are training data, which must not contain levels of the built-in sets.
    pub(super) fn is_training_data(&self) -> bool {
        self.preset == Some(PresetName::Train)
    }
}

fn group_requests(args: &Args) -> Result<Vec<GroupRequest>, Problem> {
    if let Some(preset) = args.preset() {
        let count = |group: &Group| group.count(preset.into());
        return Ok(GROUPS
            .iter()
            .filter(|group| count(group) > 0)
            .map(|group| group_request(group, count(group)))
            .collect());
    }
    let nothing = || Problem::new("the number of levels is missing").with_help("add --count N");
    let what = || {
        Problem::new("the kind of levels is missing")
            .with_help("add --group NAME, --size RxC or --preset SET")
    };
    let count = || args.count.and_then(|count| usize::try_from(count).ok()).ok_or_else(nothing);
    if let (Some((rows, columns)), Some(boxes)) = (args.size, args.boxes) {
        let shape = Shape::new(rows, columns, boxes).map_err(|error| Problem::new(error.to_string()))?;
        return Ok(vec![GroupRequest { name: format!("{rows}x{columns}-{boxes}"), shape, count: count()? }]);
    }
    let groups = GROUPS.iter().filter(|group| args.group.iter().any(|name| name == group.name));
    let wishes: Vec<_> =
        groups.map(|group| Ok(group_request(group, count()?))).collect::<Result<_, Problem>>()?;
    if wishes.is_empty() { Err(what()) } else { Ok(wishes) }
}

fn group_request(group: &Group, count: usize) -> GroupRequest {
    GroupRequest { name: group.name.to_owned(), shape: group.shape, count }
}

/// Parses rows and columns, such as `9x12`.
pub(super) fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let sides =
        text.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sides.ok_or_else(|| "expected rows and columns, such as 9x12".to_owned())
}

/// The command line with all options that determine the levels.
fn command_line(args: &Args) -> String {
    let mut line = "mageyard levels generate".to_owned();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " --{name} {}", sanitize(&value).replace('\n', "␊"));
        }
    };
    add("group", (!args.group.is_empty()).then(|| args.group.join(",")));
    add("size", args.size.map(|(rows, columns)| format!("{rows}x{columns}")));
    add("boxes", args.boxes.map(|boxes| boxes.to_string()));
    add("preset", args.preset().map(|set| Preset::from(set).name().to_owned()));
    add("count", args.count.map(|count| count.to_string()));
    add("seed", Some(args.seed.to_string()));
    add("max-moves", args.max_moves.map(|moves| moves.to_string()));
    add("min-moves", args.min_moves.map(|moves| moves.to_string()));
    add("states", (args.states != DEFAULT_STATES).then(|| args.states.to_string()));
    add("exclude", (!args.exclude.is_empty()).then(|| args.exclude.join(",")));
    line
}
