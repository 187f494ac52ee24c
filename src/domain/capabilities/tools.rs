//! Tools for levels and states, each a trait of its own.

use crate::{Benchmarks, LevelGenerator, LevelStatistics, ProgramCheck, Solver, StateEditor};

/// The tools of an environment. The verbs `levels`, `bench`, `fork` and `doctor` offer those that are there.
#[derive(Clone, Copy)]
pub struct Tools {
    /// The search for solutions and distances.
    pub solver: Option<&'static dyn Solver>,
    /// The generator of levels.
    pub generator: Option<&'static dyn LevelGenerator>,
    /// The statistics of its levels.
    pub statistics: Option<&'static dyn LevelStatistics>,
    /// Changes states by hand. The environments take them with
    /// [`Environment::set_state`](crate::Environment::set_state).
    pub state_editor: Option<&'static dyn StateEditor>,
    /// The measurements of its speed.
    pub benchmarks: Option<&'static dyn Benchmarks>,
    /// The checks of programs of this machine that it can use; `doctor` makes them.
    pub programs: &'static [&'static dyn ProgramCheck],
}

impl Tools {
    /// No tool.
    pub const NONE: Self = Self {
        solver: None,
        generator: None,
        statistics: None,
        state_editor: None,
        benchmarks: None,
        programs: &[],
    };
}
