//! The sweep that a verb is about: its file or name, and what the command line overrides in it.

use crate::context::Context;
use crate::set_flag::SET;
use mageyard_config::{Config, Origin, Problem, SettingOverride};
use mageyard_sweep::{SweepOverrides, SweepPlan, plan_sweep};

/// The beginning of the ids of flags that mean something else on the verbs of sweeps, so they have no variable.
pub(crate) const OF_SWEEPS: &str = "sweep_";

/// Tables of settings that are those of this process, not of a sweep.
const OF_PROCESS: [&str; 5] = ["store.", "log.", "run.", "screen.", "sweep."];

/// A sweep on the command line.
#[derive(Debug, clap::Args)]
pub(crate) struct SweepSource {
    /// Sweep file, or the name of a sweep that `sweep list` shows
    #[arg(value_name = "SWEEP")]
    sweep: String,
    /// Override a setting in every cell; a list or range makes an axis
    ///
    /// NAME=VALUE, such as memory.am=1..3, model.name=gpt-4o or play.prompt=[0s-CoT,HD-CoT]. It replaces what the grids
    /// of the file have. levels, repeats, seed, difference and name can be given too. Can be repeated. It has no variable.
    #[arg(id = "sweep_set", long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl SweepSource {
    /// The sweep as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.sweep
    }

    /// The plan of the sweep, and the settings below it.
    pub(crate) fn plan(&self, context: &Context) -> Result<(SweepPlan, Config), Problem> {
        let config = context.config()?;
        let sheet = mageyard_sweep::sweep_file(context.folders(), &self.sweep)?;
        let plan = plan_sweep(&context.lab, &sheet, &self.overrides(context)?, &config)?;
        Ok((plan, config))
    }

    /// The settings of flags such as `--model`, and then those of `--set`.
    fn overrides(&self, context: &Context) -> Result<SweepOverrides, Problem> {
        let mut overrides = SweepOverrides::default();
        episode_flags(context).for_each(|given| overrides.add(given.clone()));
        self.set.iter().try_for_each(|assignment| overrides.parse(assignment, SET))?;
        Ok(overrides)
    }
}

/// The settings of episodes that flags such as `--model` give, without those of this process.
pub(crate) fn episode_flags(context: &Context) -> impl Iterator<Item = &SettingOverride> {
    let is_flag = |given: &&SettingOverride| {
        matches!(given.origin, Origin::Flag(_))
            && !OF_PROCESS.iter().any(|table| given.name.starts_with(table))
    };
    context.sources.overrides.iter().filter(is_flag)
}
