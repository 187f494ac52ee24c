//! Parse, run, exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Memory is often allocated on one thread of the runtime and freed on another one, for which the allocator of the system
/// makes threads wait for one another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    if let Some(role) = sandbox_role() {
        return mageyard::sandbox::supervisor::run(&role);
    }
    mageyard::cli::run(mageyard::envs::environments(), mageyard::VERBS, &mageyard::host::Screen)
}

/// The arguments of a role in a sandbox, as which this program starts itself once more. It has no part in the verbs: nothing of
/// them runs inside a sandbox.
fn sandbox_role() -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip(1);
    (arguments.next()? == mageyard::sandbox::supervisor::VERB).then(|| arguments.collect())
}
