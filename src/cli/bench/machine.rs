//! The machine that a measurement ran on; numbers are meaningless without it.

use serde::Serialize;

/// The machine and its load.
#[derive(Serialize)]
pub(super) struct Machine {
    program: &'static str,
    /// Cores available to this process.
    cores: Option<usize>,
    /// Load average over the last minute.
    load: Option<f64>,
    /// Whether the program was built with optimisation.
    optimised: bool,
}

impl Machine {
    /// The current state.
    pub(super) fn now() -> Self {
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        Self {
            program: concat!("mageyard ", env!("CARGO_PKG_VERSION")),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            load: load.as_deref().and_then(first_number),
            optimised: !cfg!(debug_assertions),
        }
    }

    /// The same as text, one line per fact.
    pub(super) fn summary_lines(&self) -> Vec<String> {
        let cores = self.cores.map_or("unknown number of".to_owned(), |cores| cores.to_string());
        let load = self.load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        let machine = format!("{}, {cores} cores, load average {load} before the run", self.program);
        let warning = "built without optimisation: these numbers are not representative";
        std::iter::once(machine).chain((!self.optimised).then(|| warning.to_owned())).collect()
    }
}

fn first_number(load: &str) -> Option<f64> {
    load.split_whitespace().next()?.parse().ok()
}
