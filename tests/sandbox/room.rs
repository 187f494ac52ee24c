//! A sandbox for a test, with its runtime.

use std::time::{Duration, Instant};

use mageyard_sandbox::{
    CellLimits, CellOutput, CellResult, Change, Confinement, KernelReport, Limits, Sandbox, Settings, Trouble,
};
use tokio::runtime::Runtime;

/// The interpreter of the system.
pub(super) const PYTHON: &str = "/usr/bin/python3";

/// The limits of a cell in a test.
pub(super) const SHORT: CellLimits =
    CellLimits { silence: Duration::from_secs(2), total: Duration::from_secs(4) };

/// A sandbox with a kernel.
pub(super) struct Room {
    pub(super) runtime: Runtime,
    pub(super) sandbox: Sandbox,
    pub(super) kernel: KernelReport,
}

impl Room {
    pub(super) fn new(confinement: Confinement) -> Self {
        Self::with(confinement, Limits::default())
    }

    pub(super) fn with(confinement: Confinement, limits: Limits) -> Self {
        let runtime = Runtime::new().unwrap();
        let program = std::env::current_exe().unwrap();
        let settings = Settings { confinement, program, python: PYTHON.into(), network: false, limits };
        let sandbox = runtime.block_on(Sandbox::start(&settings)).unwrap();
        let kernel = runtime.block_on(sandbox.start_kernel()).unwrap();
        Self { runtime, sandbox, kernel }
    }

    /// The result of a cell.
    pub(super) fn run(&self, code: &str) -> CellResult {
        self.runtime.block_on(self.sandbox.run_cell(code, SHORT)).unwrap()
    }

    /// What a cell prints and shows, and its exception.
    pub(super) fn says(&self, code: &str) -> String {
        text(&self.run(code))
    }

    /// Waits until a limit was exceeded of which the sandbox says this.
    pub(super) fn exceeds(&self, words: &str) {
        let mut said = String::new();
        let what = format!("a limit is exceeded: {words}");
        Self::eventually(&what, || {
            said.extend(self.sandbox.exceeded());
            said.contains(words)
        });
    }

    /// Changes files.
    pub(super) fn change(&self, change: Change) -> Result<(), Trouble> {
        self.runtime.block_on(self.sandbox.change(change)).unwrap()
    }

    /// Whether a cell after this one is run as usual.
    pub(super) fn works(&self) {
        assert_eq!(self.says("print(40 + 2)").trim(), "42");
    }

    /// Waits until this is so.
    pub(super) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !is_so() {
            assert!(Instant::now() < deadline, "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it, and says in which folder it was.
    pub(super) fn close(self) {
        self.runtime.block_on(self.sandbox.close());
    }
}

pub(super) fn text(result: &CellResult) -> String {
    let mut text: Vec<String> = result
        .output
        .iter()
        .map(|output| match output {
            CellOutput::Text(text) => text.clone(),
            CellOutput::Rich(table) => table.get("text/plain").cloned().unwrap_or_default(),
        })
        .collect();
    text.extend(result.error.as_ref().map(|(name, value)| format!("{name}: {value}")));
    text.join("\n")
}
