//! The contract that every environment in the list must fulfil.

mod levels;
mod replies;
mod states;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mageyard_domain::{
    Environment, EnvironmentContext, EnvironmentSpec, Level, Options, Recovery, Reference,
};
use mageyard_envs::environments;

const TIMEOUT: Duration = Duration::from_mins(1);

/// The environments that need nothing outside this process.
fn pure_environments() -> impl Iterator<Item = &'static dyn EnvironmentSpec> {
    let level = |kind: &dyn EnvironmentSpec| kind.parse_levels(kind.level_sets()[0].text).unwrap().remove(0);
    let pure =
        move |kind: &&dyn EnvironmentSpec| open_level(*kind, &level(*kind)).recovery() == Recovery::Replay;
    environments().iter().copied().filter(pure)
}

/// All scenes of football have the same rules and large frames: a few of the full set are enough.
fn is_sample(kind: &dyn EnvironmentSpec, set: &str, level: &Level) -> bool {
    kind.name() != "football" || set != "full" || level.number % 20 == 1
}

/// The shipped levels of these with their environments and sets.
fn shipped() -> Vec<(&'static dyn EnvironmentSpec, &'static str, Level)> {
    let of_kind = |kind: &'static dyn EnvironmentSpec| {
        kind.level_sets().iter().flat_map(move |set| {
            let levels = kind.parse_levels(set.text).unwrap_or_else(|error| panic!("{}: {error}", set.name));
            let wanted = |level: &Level| is_sample(kind, set.name, level);
            levels.into_iter().filter(wanted).map(move |level| (kind, set.name, level))
        })
    };
    pure_environments().flat_map(of_kind).collect()
}

/// The same without the rooms of `full` that are slow to solve in a debug build.
fn quickly_solved() -> Vec<(&'static dyn EnvironmentSpec, &'static str, Level)> {
    let soon = |set: &str, level: &Level| set != "full" || level.label().starts_with("small");
    shipped().into_iter().filter(|(_, set, level)| soon(set, level)).collect()
}

fn open_level(kind: &dyn EnvironmentSpec, level: &Level) -> Box<dyn Environment> {
    kind.open(level, &Options::new(), 7).expect("the defaults are valid")
}

fn context() -> EnvironmentContext {
    EnvironmentContext::default()
}

/// A fixed sequence that is not periodic in any number of actions.
fn action_index(step: usize) -> usize {
    step.wrapping_mul(2_654_435_761) >> 7
}

async fn with_timeout<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, work).await.expect("within the time limit")
}

static GO: AtomicBool = AtomicBool::new(false);

fn reference(kind: &'static dyn EnvironmentSpec, level: &Level) -> Option<Reference> {
    kind.capabilities().scoring.reference(level, &Options::new(), &GO)
}
