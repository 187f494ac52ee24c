//! Creates environments from levels and options.

use super::{Lab, SelectedLevel};
use crate::levels::open_spec;
use mageyard_config::{Config, Problem};
use mageyard_domain::{Environment, EnvironmentSpec, Level, Options, ReplyFormat};
use mageyard_engine::Head;

/// A setting that an environment rejects: its name, such as `hanoi.scale`, and a message with name and
/// reason.
pub type RefusedOption = (String, String);

/// Creates the environment of a level with these options; it is not opened yet.
pub fn create_environment(
    spec: &'static dyn EnvironmentSpec,
    level: &Level,
    options: &Options,
    seed: u64,
) -> Result<Box<dyn Environment>, RefusedOption> {
    open_spec(spec, level, options, seed).map_err(|error| {
        let name = format!("{}.{}", spec.name(), error.name);
        (name.clone(), format!("{name}: {}", error.why))
    })
}

/// Creates the environment of a level with the configured options; it is not opened yet. A rejected setting
/// is reported at the place where it was set.
pub fn create_for_level(selected: &SelectedLevel, config: &Config) -> Result<Box<dyn Environment>, Problem> {
    let options = config.settings().options(selected.spec.name());
    create_environment(selected.spec, &selected.level, &options, config.settings().play.seed)
        .map_err(|(name, why)| config.problem_with(&name, why))
}

/// The environment's own reply format; the reader rules of the head may change it.
pub fn reply_format(spec: &dyn EnvironmentSpec, head: &Head) -> Result<ReplyFormat, Problem> {
    spec.reply_format(head.setting)
        .ok_or_else(|| Problem::new(format!("{} has no {} setting", spec.name(), head.setting)))
}

/// The environment with this name; an unknown name is a problem that names similar ones.
pub fn known_environment(lab: &Lab, name: &str) -> Result<&'static dyn EnvironmentSpec, Problem> {
    let names = lab.environments().iter().map(|spec| spec.name());
    lab.environment(name).ok_or_else(|| {
        Problem::new(format!("there is no environment {name:?}")).with_suggestions(name, names)
    })
}

/// The level of a recorded episode.
pub fn level_of(lab: &Lab, head: &Head) -> Result<SelectedLevel, Problem> {
    let spec = known_environment(lab, &head.environment)?;
    let level = head.to_level();
    Ok(SelectedLevel { spec, reference: head.reference.clone(), level, left_out: head.left_out })
}
