//! What a measurement was made on: a number means nothing without it.

use serde::Serialize;

/// The machine and how busy it is.
#[derive(Serialize)]
pub(super) struct Machine {
    r#type: &'static str,
    program: &'static str,
    /// Cores that this process may use.
    cores: Option<usize>,
    /// Processes that ran or waited to run, over the last minute.
    load: Option<f64>,
    /// Whether the program was built with optimisation.
    optimised: bool,
}

impl Machine {
    /// As it is now.
    pub(super) fn now() -> Self {
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        Self {
            r#type: "machine",
            program: concat!("mageyard ", env!("CARGO_PKG_VERSION")),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            load: load.as_deref().and_then(first_number),
            optimised: !cfg!(debug_assertions),
        }
    }

    /// The same in sentences, a line each.
    pub(super) fn summary_lines(&self) -> Vec<String> {
        let cores = self.cores.map_or("an unknown number of".to_owned(), |cores| cores.to_string());
        let load = self.load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        let told = format!("{}, {cores} cores, load average {load} before the run", self.program);
        let warning = "built without optimisation, so these numbers say little";
        std::iter::once(told).chain((!self.optimised).then(|| warning.to_owned())).collect()
    }
}

fn first_number(load: &str) -> Option<f64> {
    load.split_whitespace().next()?.parse().ok()
}
