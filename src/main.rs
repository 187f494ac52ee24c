//! Parse, run, exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Memory is often allocated on one thread of the runtime and freed on another one, for which the allocator of the system
/// makes threads wait for one another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    mageyard::cli::run(mageyard::envs::environments(), mageyard::VERBS, &mageyard::host::Screen)
}
