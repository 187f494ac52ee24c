//! What was ordered: which groups, how many levels of each, and within what bounds.

use std::fmt::Write;

use super::Args;
use crate::config::Problem;
use crate::domain::visible;
use crate::envs::GROUPS;
use crate::envs::Group;
use crate::envs::Preset;
use crate::envs::Shape;

/// States a solver may meet in one room unless somebody says otherwise: more than any room of the groups needs,
/// so that it is the moves alone that decide.
pub(super) const STATES: u64 = 20_000_000;

/// The sets of the benchmark as a flag names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Set {
    /// 182 levels of eight groups
    Full,
    /// 20 levels; with the same seed the first of each group in full
    Mini,
    /// 11,500 levels, none of them in the sets that ship
    Train,
}

impl From<Set> for Preset {
    fn from(set: Set) -> Self {
        match set {
            Set::Full => Self::Full,
            Set::Mini => Self::Mini,
            Set::Train => Self::Train,
        }
    }
}

/// So many levels of one shape.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    /// What titles begin with.
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) count: usize,
}

/// Everything that decides which levels come out; and the number of threads, which does not.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) wishes: Vec<Wish>,
    preset: Option<Set>,
    pub(super) seed: u64,
    pub(super) least: Option<usize>,
    pub(super) most: Option<usize>,
    pub(super) states: u64,
    pub(super) tries: u64,
    pub(super) jobs: usize,
    /// The command that makes the same again.
    pub(super) command: String,
}

impl Order {
    pub(super) fn of(args: &Args) -> Result<Self, Problem> {
        let most = args.max_moves.or(args.preset().map(|_| Preset::MOVES));
        if let (Some(least), Some(most)) = (args.min_moves, most)
            && least > most
        {
            return Err(Problem::new(format!("no solution takes at least {least} and at most {most} moves")));
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            wishes: wishes(args)?,
            preset: args.preset(),
            seed: args.seed,
            least: args.min_moves,
            most,
            states: args.states,
            tries: args.tries.into(),
            jobs: args.jobs.map_or_else(cores, usize::from),
            command: command(args),
        })
    }

    /// Whether rooms must be solved to be judged.
    pub(super) fn solves(&self) -> bool {
        self.least.is_some() || self.most.is_some()
    }

    /// Whether the levels are to learn from, so that none may be in a set that tests.
    pub(super) fn learns(&self) -> bool {
        self.preset == Some(Set::Train)
    }
}

fn wishes(args: &Args) -> Result<Vec<Wish>, Problem> {
    if let Some(preset) = args.preset() {
        let count = |group: &Group| group.count(preset.into());
        return Ok(GROUPS
            .iter()
            .filter(|group| count(group) > 0)
            .map(|group| wish(group, count(group)))
            .collect());
    }
    let nothing = || Problem::new("how many levels is not said").help("add --count N");
    let what =
        || Problem::new("nothing says what to make").help("add --group NAME, --size RxC or --preset SET");
    let count = || args.count.and_then(|count| usize::try_from(count).ok()).ok_or_else(nothing);
    if let (Some((rows, columns)), Some(boxes)) = (args.size, args.boxes) {
        let shape = Shape::new(rows, columns, boxes).map_err(|error| Problem::new(error.to_string()))?;
        return Ok(vec![Wish { name: format!("{rows}x{columns}-{boxes}"), shape, count: count()? }]);
    }
    let groups = GROUPS.iter().filter(|group| args.group.iter().any(|name| name == group.name));
    let wishes: Vec<_> = groups.map(|group| Ok(wish(group, count()?))).collect::<Result<_, Problem>>()?;
    if wishes.is_empty() { Err(what()) } else { Ok(wishes) }
}

fn wish(group: &Group, count: usize) -> Wish {
    Wish { name: group.name.to_owned(), shape: group.shape, count }
}

/// Rows and columns, such as `9x12`.
pub(super) fn size(text: &str) -> Result<(u16, u16), String> {
    let sides =
        text.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sides.ok_or_else(|| "rows and columns, such as 9x12".to_owned())
}

/// The request in one line, with everything in it that decides which levels come out.
fn command(args: &Args) -> String {
    let mut line = "mageyard levels generate".to_owned();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " --{name} {}", visible(&value).replace('\n', "␊"));
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
    add("states", (args.states != STATES).then(|| args.states.to_string()));
    add("exclude", (!args.exclude.is_empty()).then(|| args.exclude.join(",")));
    line
}
