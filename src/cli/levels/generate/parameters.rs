//! The parameters of kinds without a name: flags that the environments declare.

use std::collections::BTreeMap;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command};

use mageyard_domain::{EnvironmentSpec, KindParameter, LevelGenerator};

/// The identifiers of these flags begin with this.
const PREFIX: &str = "parameter.";

/// The given parameters, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(BTreeMap<String, String>);

impl Parameters {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this generator has all given parameters.
    pub(super) fn fit(&self, generator: &dyn LevelGenerator) -> bool {
        let known = |name: &String| generator.parameters().iter().any(|parameter| parameter.name == name);
        self.0.keys().all(known)
    }

    /// The values with the names of this generator, in its order.
    pub(super) fn values(&self, generator: &dyn LevelGenerator) -> Vec<(&'static str, String)> {
        let named = |parameter: &KindParameter| Some((parameter.name, self.0.get(parameter.name)?.clone()));
        generator.parameters().iter().filter_map(named).collect()
    }
}

impl clap::FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |id: &clap::Id| {
            let name = id.as_str().strip_prefix(PREFIX)?;
            Some((name.to_owned(), matches.get_one::<String>(id.as_str())?.clone()))
        };
        Ok(Self(matches.ids().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = <Self as clap::FromArgMatches>::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds nothing: [`add`] knows the environments.
impl clap::Args for Parameters {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// The verb with the kinds, sets and parameters of these environments.
pub(crate) fn add(verb: Command, environments: &[&'static dyn EnvironmentSpec]) -> Command {
    let generators = || environments.iter().filter_map(|spec| spec.capabilities().tools.generator);
    let kinds = generators().flat_map(LevelGenerator::kinds).map(|kind| kind.name);
    let presets = generators().flat_map(LevelGenerator::presets);
    let presets = presets.map(|preset| PossibleValue::new(preset.name).help(preset.help));
    let kinds = PossibleValuesParser::new(kinds);
    let presets = PossibleValuesParser::new(presets);
    let verb = verb
        .mut_arg("group", |arg| arg.value_parser(kinds))
        .mut_arg("preset", |arg| arg.value_parser(presets))
        .override_usage(usage(generators()));
    let own =
        environments.iter().filter_map(|spec| Some((spec.name(), spec.capabilities().tools.generator?)));
    own.fold(verb, |verb, (name, generator)| {
        verb.args(generator.parameters().iter().map(|parameter| flag(name, parameter, generator)))
    })
}

/// A flag of an environment. It needs all other parameters of the generator.
fn flag(name: &str, parameter: &KindParameter, generator: &dyn LevelGenerator) -> Arg {
    let others = generator.parameters().iter().filter(|other| other.name != parameter.name);
    let check = parameter.check;
    let arg = Arg::new(format!("{PREFIX}{}", parameter.name))
        .long(parameter.name)
        .value_name(parameter.value)
        .help(parameter.help)
        .conflicts_with_all(["group", "preset", "train"])
        .help_heading(format!("Options of {name}"))
        .value_parser(move |text: &str| check(text).map(|()| text.to_owned()));
    others.fold(arg, |arg, other| arg.requires(format!("{PREFIX}{}", other.name)))
}

fn usage(generators: impl Iterator<Item = &'static dyn LevelGenerator>) -> String {
    const VERB: &str = "mageyard levels generate [OPTIONS]";
    let custom = generators.filter(|generator| !generator.parameters().is_empty()).map(|generator| {
        let flags = generator
            .parameters()
            .iter()
            .map(|parameter| format!("--{} <{}>", parameter.name, parameter.value));
        format!("{VERB} {} --count <N>", flags.collect::<Vec<_>>().join(" "))
    });
    let named = [format!("{VERB} --group <NAME> --count <N>")].into_iter();
    let lines: Vec<String> = named.chain(custom).chain([format!("{VERB} --preset <SET>")]).collect();
    lines.join("\n       ")
}
