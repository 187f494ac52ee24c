//! The request: groups, number of levels of each, and limits.

use std::collections::HashSet;
use std::fmt::Write;

use super::Args;
use mageyard_config::Problem;
use mageyard_domain::{EnvironmentSpec, LevelGenerator, LevelKind, LevelPreset, sanitize};
use mageyard_lab::{GenerationLimits, GroupRequest, Lab};

/// Default limit of solver states per candidate: more than any shipped kind needs, so only the moves decide.
pub(super) const DEFAULT_STATES: u64 = 20_000_000;

/// Everything that determines the levels, and the number of threads.
#[derive(Clone)]
pub(super) struct GenerateRequest {
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) generator: &'static dyn LevelGenerator,
    pub(super) groups: Vec<GroupRequest>,
    pub(super) preset: Option<LevelPreset>,
    pub(super) limits: GenerationLimits,
    /// The command that reproduces the levels.
    pub(super) command: String,
}

impl GenerateRequest {
    pub(super) fn of(args: &Args, lab: &Lab) -> Result<Self, Problem> {
        let (spec, generator) = generator(args, lab)?;
        let preset = args.preset().and_then(|name| find_preset(generator, name));
        let most = args.max_moves.or(preset.as_ref().and_then(|preset| preset.max_moves));
        if let (Some(least), Some(most)) = (args.min_moves, most)
            && least > most
        {
            return Err(Problem::new(format!("--min-moves {least} is greater than --max-moves {most}")));
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let limits = GenerationLimits {
            seed: args.seed,
            min_moves: args.min_moves,
            max_moves: most,
            states: args.states,
            tries: args.tries.into(),
            jobs: args.jobs.map_or_else(cores, usize::from),
            excluded: HashSet::new(),
        };
        let groups = group_requests(args, generator, preset.as_ref())?;
        Ok(Self { spec, generator, groups, preset, limits, command: command_line(args, generator) })
    }

    /// The number of levels of all groups.
    pub(super) fn count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }
}

/// The first generator that has what is asked for.
fn generator(
    args: &Args,
    lab: &Lab,
) -> Result<(&'static dyn EnvironmentSpec, &'static dyn LevelGenerator), Problem> {
    let has_kind = |generator: &dyn LevelGenerator, name: &String| {
        generator.kinds().iter().any(|kind| kind.name == *name)
    };
    let fits = |generator: &dyn LevelGenerator| {
        args.preset().is_none_or(|name| find_preset(generator, name).is_some())
            && args.group.iter().all(|name| has_kind(generator, name))
            && args.parameters.fit(generator)
    };
    let mut all =
        lab.environments().iter().filter_map(|spec| Some((*spec, spec.capabilities().tools.generator?)));
    all.find(|(_, generator)| fits(*generator))
        .ok_or_else(|| Problem::new("no environment generates these levels together"))
}

fn find_preset(generator: &dyn LevelGenerator, name: &str) -> Option<LevelPreset> {
    generator.presets().into_iter().find(|preset| preset.name == name)
}

fn group_requests(
    args: &Args,
    generator: &dyn LevelGenerator,
    preset: Option<&LevelPreset>,
) -> Result<Vec<GroupRequest>, Problem> {
    if let Some(preset) = preset {
        let count = |kind: &LevelKind| {
            preset.counts.iter().find(|(name, _)| *name == kind.name).map_or(0, |(_, count)| *count)
        };
        let groups = generator.kinds().into_iter().map(|kind| GroupRequest { count: count(&kind), kind });
        return Ok(groups.filter(|group| group.count > 0).collect());
    }
    let nothing = || Problem::new("the number of levels is missing").with_help("add --count N");
    let count = || args.count.and_then(|count| usize::try_from(count).ok()).ok_or_else(nothing);
    if !args.parameters.is_empty() {
        let values = args.parameters.values(generator).into_iter().collect();
        let kind = generator.custom_kind(&values).map_err(Problem::new)?;
        return Ok(vec![GroupRequest { kind, count: count()? }]);
    }
    let wanted = |kind: &LevelKind| args.group.contains(&kind.name);
    let kinds: Vec<LevelKind> = generator.kinds().into_iter().filter(wanted).collect();
    if kinds.is_empty() {
        return Err(missing_kind(generator));
    }
    kinds.into_iter().map(|kind| Ok(GroupRequest { kind, count: count()? })).collect()
}

fn missing_kind(generator: &dyn LevelGenerator) -> Problem {
    let custom = generator.parameters().first();
    let custom = custom.map_or_else(String::new, |one| format!(", --{} {}", one.name, one.value));
    Problem::new("the kind of levels is missing")
        .with_help(format!("add --group NAME{custom} or --preset SET"))
}

/// The command line with all options that determine the levels.
fn command_line(args: &Args, generator: &dyn LevelGenerator) -> String {
    let mut line = "mageyard levels generate".to_owned();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " --{name} {}", sanitize(&value).replace('\n', "␊"));
        }
    };
    add("group", (!args.group.is_empty()).then(|| args.group.join(",")));
    for (name, value) in args.parameters.values(generator) {
        add(name, Some(value));
    }
    add("preset", args.preset().map(str::to_owned));
    add("count", args.count.map(|count| count.to_string()));
    add("seed", Some(args.seed.to_string()));
    add("max-moves", args.max_moves.map(|moves| moves.to_string()));
    add("min-moves", args.min_moves.map(|moves| moves.to_string()));
    add("states", (args.states != DEFAULT_STATES).then(|| args.states.to_string()));
    add("exclude", (!args.exclude.is_empty()).then(|| args.exclude.join(",")));
    line
}
